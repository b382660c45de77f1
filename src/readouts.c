/* readouts.c: what is shown about tensors, computed where they are so that the page does no arithmetic: sums of rows, a
 * row of given weights divided by its sum, figures of one head, differences. It changes no tensor of a layer.
 * Next to read: trace.c, for how one number came to be. */
#include <math.h>

#include "internal.h"

/* sum_j row[j], in double precision in the order of j */
double attn_row_sum(size_t n, const float *row) {
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += (double)row[j];
  return sum;
}

attn_status attn_normalise_row(attn_layer *layer, int32_t batch, int32_t head, int32_t row) {
  const attn_shape *shape = &layer->shape;
  attn_clear_error(layer);
  if (layer->score_source != ATTN_SOURCE_GIVEN || batch < 0 || batch >= shape->n_batch || head < 0 ||
      head >= shape->n_heads || row < 0 || row >= shape->n_tokens) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  const size_t n = (size_t)shape->n_tokens;
  const size_t start = (((size_t)batch * (size_t)shape->n_heads + (size_t)head) * n + (size_t)row) * n;
  const float *given = layer->data[ATTN_GIVEN_WEIGHTS] + start;
  for (size_t j = 0; j < n; j++) {
    if (!isfinite(given[j])) return attn_not_finite(layer, ATTN_GIVEN_WEIGHTS, start + j);
  }
  const double sum = attn_row_sum(n, given);
  for (size_t j = 0; j < n; j++) {
    const float weight = (float)((double)given[j] / sum);
    if (!isfinite(weight)) return ATTN_ROW_SUM_IS_ZERO; /* or so near to zero that no float holds the quotient */
    layer->normalised[j] = weight;
  }
  return ATTN_OK;
}

const float *attn_normalised_weights(const attn_layer *layer) {
  return layer->normalised;
}
