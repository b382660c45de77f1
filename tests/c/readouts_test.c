/* readouts_test.c: column sums, figures of one head, differences. Next to read: ../../src/readouts.c. */
#include <math.h>

#include "fixtures.h"
#include "suites.h"

static attn_layer *toy(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "given_weights", (double[]){0.5, 0.25, 0.25, 0, 1, 0, 0.25, 0.25, 0.5});
  EXPECT(attn_forward(layer) == ATTN_OK);
  return layer;
}

static void expect_figures(attn_layer *layer, const double want[static 5]) {
  EXPECT(attn_read_out(layer, 0, 0) == ATTN_OK);
  for (int32_t k = 0; k < 5; k++) {
    const float got = (float)attn_readout(layer, k);
    EXPECT_CLOSE(1, &got, &want[k], 1e-7, 0);
  }
}

static void column_sums(void) {
  attn_layer *layer = toy();
  EXPECT_CLOSE(3, numbers(layer, "attn_column_sums"), (double[]){0.75, 1.5, 0.75}, 0, 0);
  attn_layer_dispose(layer);
  layer = odd_layer(H);
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (size_t column = 0; column < B * H * T; column++) {
    double sum = 0;
    for (size_t i = 0; i < T; i++) {
      sum += (double)numbers(layer, "attn_weights")[(column / T * T + i) * T + column % T];
    }
    EXPECT_CLOSE(1, &numbers(layer, "attn_column_sums")[column], &sum, 1e-6, 0);
  }
  attn_layer_dispose(layer);
}

static void figures(void) {
  const char *const names[] = {"entropy", "self", "previous", "first", "mean_weight"};
  for (int32_t k = 0; k < 5; k++) EXPECT_TEXT(attn_readout_name(k), names[k]);
  EXPECT(!attn_readout_name(5) && !attn_readout_name(-1));
  attn_layer *layer = toy();
  expect_figures(layer, (double[]){(1.5 + 0 + 1.5) / 3, 2.0 / 3, 0.125, 0.25, 1.0 / 3});
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  expect_figures(layer, (double[]){0.5, 2.5 / 3, 0.125, 1.25 / 3, 2.0 / (3 + 1)});
  attn_layer_dispose(layer);
}

static void figures_of_a_lone_token(void) {
  attn_layer *layer = plain_layer(1, 2, 2, 1);
  EXPECT(attn_read_out(layer, 0, 0) == ATTN_STALE);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_read_out(layer, 0, 0) == ATTN_OK);
  EXPECT(isnan(attn_readout(layer, 2)));
  EXPECT(attn_read_out(layer, 1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_read_out(layer, 0, -1) == ATTN_INDEX_OUT_OF_RANGE);
  attn_layer_dispose(layer);
}

static void own_head(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (int32_t head = 0; head < B * H; head++) {
    double self = 0;
    const float *weights = numbers(layer, "attn_weights") + head * T * T;
    for (size_t i = 0; i < T; i++) self += (double)weights[i * T + i] / (double)T;
    EXPECT(attn_read_out(layer, head / H, head % H) == ATTN_OK);
    const float got = (float)attn_readout(layer, 1);
    EXPECT_CLOSE(1, &got, &self, 1e-6, 0);
  }
  attn_layer_dispose(layer);
}

static void differences(void) {
  attn_layer *layer = plain_layer(1, 1, 1, 1);
  float *left = attn_difference_left(layer), *right = attn_difference_right(layer);
  for (int32_t k = 0; k < attn_difference_room(); k++) {
    left[k] = (float)k;
    right[k] = 1;
  }
  left[0] = right[0] = -INFINITY;
  attn_difference(layer, attn_difference_room() - 1);
  EXPECT_CLOSE(3, left, (double[]){0, 0, 1}, 0, 0);
  const double last = attn_difference_room() - 1;
  EXPECT_CLOSE(1, &left[attn_difference_room() - 1], &last, 0, 0); /* was not asked for */
  attn_layer_dispose(layer);
}

void readout_tests(void) {
  test("Column sums are the sums down each column, head by head.", column_sums);
  test("Entropy, weight on itself, on the one before, on the first, and mean weight are those of the toy.", figures);
  test("A lone token has no token before it; stale or absent heads have no figures.", figures_of_a_lone_token);
  test("Figures are of the head and sequence that was asked for.", own_head);
  test("A difference is taken number by number, and of two masked scores is 0.", differences);
}
