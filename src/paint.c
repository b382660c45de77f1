/* paint.c: a picture of attn_weights, one line of pixels at a time, straight from where the weights are: a matrix of
 * thousands of rows is seen without being copied. It knows no colour: the caller's table says what a weight looks like.
 * It changes no tensor. Next to read: attention.h, which says what a pixel shows. */
#include <math.h>

#include "internal.h"

static const int32_t hatch_period = 7, hatch_width = 2; /* pixels */

int32_t attn_paint_room(void) {
  return ATTN_PAINT_ROOM;
}

uint32_t *attn_paint_colours(attn_layer *layer) {
  return layer->picture.colours;
}

const uint32_t *attn_paint_pixels(const attn_layer *layer) {
  return layer->picture.pixels;
}

/* The cells first … end - 1 of one axis. */
typedef struct span {
  size_t first, end;
} span;

static size_t within(double place, size_t n) {
  return place > 0 ? (place < (double)n ? (size_t)place : n) : 0;
}

/* The cells that a pixel from start to start + step touches, or the one under its middle if it is smaller than a cell;
 * within the n cells that there are. */
static span cells_under(double start, double step, size_t n) {
  const double low = step > 1 ? floor(start) : floor(start + step / 2);
  const double high = step > 1 ? ceil(start + step) : low + 1;
  return (span){within(low, n), within(high, n)};
}

/* The largest weight of each of some columns over some rows; where that is one row, the row itself. */
static const float *largest_of_rows(const float *weights, size_t n_keys, span rows, span columns,
                                    float *restrict line) {
  const float *first = weights + rows.first * n_keys;
  if (rows.end - rows.first < 2) return first;
  for (size_t j = columns.first; j < columns.end; j++) line[j] = first[j];
  for (size_t i = rows.first + 1; i < rows.end; i++) {
    const float *restrict row = weights + i * n_keys;
    for (size_t j = columns.first; j < columns.end; j++) line[j] = row[j] > line[j] ? row[j] : line[j];
  }
  return line;
}

/* Which colour of the table.  Of some cells the last row's first is masked last: if it is, all are. What a wrong mask
 * lets through is shown as a weight. */
static size_t colour_of(const attn_pass *pass, float weight, span rows, span columns, double per_weight,
                        int32_t place) {
  if (weight == 0 && !attn_allowed(pass, rows.end - 1, columns.first)) {
    return place % hatch_period < hatch_width ? ATTN_MASKED_LINE : ATTN_MASKED_GROUND;
  }
  const double step = (double)weight * per_weight;
  return weight == 0 ? 0 : 1 + (size_t)(step < ATTN_RAMP - 2 ? step : ATTN_RAMP - 2);
}

attn_status attn_paint_line(attn_layer *layer, int32_t batch, int32_t head, double row, double row_step, double column,
                            double column_step, double top, int32_t n, int32_t hatch) {
  attn_clear_error(layer);
  if (batch < 0 || batch >= layer->shape.n_batch || head < 0 || head >= layer->shape.n_heads || n < 1 ||
      n > ATTN_PAINT_ROOM) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  if (!isfinite(row) || !isfinite(column) || !isfinite(row_step) || !isfinite(column_step) || !isfinite(top) ||
      row_step <= 0 || column_step <= 0 || top <= 0) {
    return ATTN_NUMBER_NOT_FINITE;
  }
  if (!layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (layer->stale) return ATTN_STALE;
  const attn_pass pass = attn_layer_pass(layer);
  const float *weights = pass.attn_weights + attn_weight_row(&pass, (size_t)batch, (size_t)head, 0);
  attn_picture *picture = &layer->picture;
  const span rows = cells_under(row, row_step, pass.n_queries);
  const span all = {cells_under(column, column_step, pass.n_keys).first,
                    cells_under(column + (n - 1) * column_step, column_step, pass.n_keys).end};
  const float *line = largest_of_rows(weights, pass.n_keys, rows, all, layer->route.weights);
  const double per_weight = (ATTN_RAMP - 2) / top; /* steps of the ramp */
  for (int32_t x = 0; x < n; x++) {
    const span columns = cells_under(column + x * column_step, column_step, pass.n_keys);
    uint32_t colour = 0;
    if (rows.first < rows.end && columns.first < columns.end) {
      float weight = 0;
      for (size_t j = columns.first; j < columns.end; j++) weight = line[j] > weight ? line[j] : weight;
      colour = picture->colours[colour_of(&pass, weight, rows, columns, per_weight, hatch % hatch_period + x)];
    }
    picture->pixels[x] = colour;
  }
  return ATTN_OK;
}
