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
    if (!isfinite(given[j])) return attn_not_finite(layer, ATTN_GIVEN_WEIGHTS, start + j, given[j]);
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

/* ---- Figures of one head --------------------------------------------------------------------------------------- */

static const char *const readout_names[ATTN_N_READOUTS] = {
    [ATTN_ENTROPY] = "entropy", [ATTN_SELF] = "self", [ATTN_PREVIOUS] = "previous", [ATTN_FIRST] = "first",
    [ATTN_MEAN_WEIGHT] = "mean_weight",
};

const char *attn_readout_name(int32_t readout) {
  return readout >= 0 && readout < ATTN_N_READOUTS ? readout_names[readout] : NULL;
}

/* - sum_j w_j log2 w_j: 0 where all weight is on one key, log2 n where n keys have the same. 0 log 0 is 0. */
static double entropy(size_t n_keys, const float *weights) {
  double bits = 0;
  for (size_t j = 0; j < n_keys; j++) {
    if (weights[j] > 0) bits -= (double)weights[j] * log2((double)weights[j]);
  }
  return bits;
}

attn_status attn_read_out(attn_layer *layer, int32_t batch, int32_t head) {
  attn_clear_error(layer);
  if (batch < 0 || batch >= layer->shape.n_batch || head < 0 || head >= layer->shape.n_heads) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  if (!layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (layer->stale) return ATTN_STALE;
  const attn_pass pass = attn_layer_pass(layer);
  const size_t n = pass.n_keys;
  const float *weights = pass.attn_weights + attn_weight_row(&pass, (size_t)batch, (size_t)head, 0);
  double bits = 0, self = 0, previous = 0, first = 0, allowed = 0;
  size_t n_allowed = 0;
  for (size_t i = 0; i < n; i++) {
    const float *row = weights + i * n;
    bits += entropy(n, row);
    self += (double)row[i];
    previous += i > 0 ? (double)row[i - 1] : 0;
    first += (double)row[0];
    for (size_t j = 0; j < n; j++) {
      if (!attn_allowed(&pass, i, j)) continue;
      allowed += (double)row[j];
      n_allowed++;
    }
  }
  layer->readouts[ATTN_ENTROPY] = bits / (double)n;
  layer->readouts[ATTN_SELF] = self / (double)n;
  layer->readouts[ATTN_PREVIOUS] = n > 1 ? previous / (double)(n - 1) : NAN;
  layer->readouts[ATTN_FIRST] = first / (double)n;
  layer->readouts[ATTN_MEAN_WEIGHT] = allowed / (double)n_allowed;
  return ATTN_OK;
}

double attn_readout(const attn_layer *layer, int32_t readout) {
  return layer->readouts[readout];
}

/* ---- The largest weights of a row ------------------------------------------------------------------------------ */

int32_t attn_largest_room(void) {
  return ATTN_LARGEST_ROOM;
}

attn_status attn_largest_weights(attn_layer *layer, int32_t batch, int32_t head, int32_t row, int32_t n) {
  const attn_shape *shape = &layer->shape;
  attn_clear_error(layer);
  if (batch < 0 || batch >= shape->n_batch || head < 0 || head >= shape->n_heads || row < 0 || row >= shape->n_tokens ||
      n < 1 || n > ATTN_LARGEST_ROOM || n > shape->n_tokens) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  if (!layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (layer->stale) return ATTN_STALE;
  const attn_pass pass = attn_layer_pass(layer);
  const float *weights = pass.attn_weights + attn_weight_row(&pass, (size_t)batch, (size_t)head, (size_t)row);
  int32_t *largest = layer->largest, kept = 0;
  layer->rest = 0;
  for (int32_t j = 0; j < shape->n_tokens; j++) {
    int32_t place = kept;
    while (place > 0 && weights[largest[place - 1]] < weights[j]) place--;
    /* The list grows until it is full; then the smaller one of its last and this belongs to the rest. */
    if (kept < n) kept++;
    else layer->rest += (double)weights[place < n ? largest[n - 1] : j];
    for (int32_t k = kept - 1; k > place; k--) largest[k] = largest[k - 1];
    if (place < n) largest[place] = j;
  }
  return ATTN_OK;
}

int32_t attn_largest_key(const attn_layer *layer, int32_t place) {
  return layer->largest[place];
}

double attn_largest_rest(const attn_layer *layer) {
  return layer->rest;
}

/* ---- Differences ----------------------------------------------------------------------------------------------- */

int32_t attn_difference_room(void) {
  return ATTN_DIFFERENCE_ROOM;
}

float *attn_difference_left(const attn_layer *layer) {
  return layer->minuend;
}

float *attn_difference_right(const attn_layer *layer) {
  return layer->subtrahend;
}

void attn_difference(const attn_layer *layer, int32_t n) {
  float *left = layer->minuend;
  const float *right = layer->subtrahend;
  /* Equal numbers are told first: two masked scores are both -INFINITY, whose difference would be NaN. */
  for (int32_t k = 0; k < n; k++) left[k] = left[k] == right[k] ? 0 : left[k] - right[k];
}
