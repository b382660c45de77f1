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

static void largest_weights(void) {
  attn_layer *layer = plain_layer(6, 2, 2, 1);
  EXPECT(attn_largest_weights(layer, 0, 0, 0, 1) == ATTN_STALE);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  double weights[36] = {0};
  const double row[6] = {0.125, 0.25, 0.0625, 0.25, 0.0625, 0.25};
  for (int j = 0; j < 6; j++) weights[2 * 6 + j] = row[j];
  set(layer, "given_weights", weights);
  EXPECT(attn_forward(layer) == ATTN_OK);
  const int32_t want[] = {1, 3, 5, 0, 2, 4};
  for (int32_t n = 1; n <= 6; n++) {
    EXPECT(attn_largest_weights(layer, 0, 0, 2, n) == ATTN_OK);
    double rest = 0;
    for (int32_t place = 0; place < 6; place++) {
      if (place < n) EXPECT(attn_largest_key(layer, place) == want[place]);
      else rest += row[want[place]];
    }
    EXPECT(attn_largest_rest(layer) == rest);
  }
  EXPECT(attn_largest_weights(layer, 0, 0, 2, 7) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_largest_weights(layer, 0, 0, 6, 1) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_largest_weights(layer, 0, 1, 0, 1) == ATTN_INDEX_OUT_OF_RANGE);
  attn_layer_dispose(layer);
}

static void largest_of_a_long_row(void) {
  attn_layer *layer = plain_layer(40, 2, 2, 1);
  fill_distinct(80, numbers(layer, "inputs"), 3);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  const int32_t n = attn_largest_room();
  EXPECT(attn_largest_weights(layer, 0, 0, 7, n) == ATTN_OK);
  const float *row = numbers(layer, "attn_weights") + 7 * 40;
  double shown = 0;
  for (int32_t place = 0; place < n; place++) {
    const float weight = row[attn_largest_key(layer, place)];
    int larger = 0;
    for (int j = 0; j < 40; j++) larger += row[j] > weight;
    EXPECT(larger <= place);
    shown += (double)weight;
  }
  const float sum = (float)(shown + attn_largest_rest(layer));
  EXPECT_CLOSE(1, &sum, (double[]){1}, 1e-6, 0);
  EXPECT(attn_largest_weights(layer, 0, 0, 7, n + 1) == ATTN_INDEX_OUT_OF_RANGE);
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
  test("The largest weights of a row come in order, equal ones by their keys, and the rest is what they leave.", largest_weights);
  test("Of a long row none that is left out is larger than one that is listed.", largest_of_a_long_row);
  test("A difference is taken number by number, and of two masked scores is 0.", differences);
}
