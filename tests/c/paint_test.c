/* paint_test.c: pictures of attn_weights: which cells a pixel shows, the largest of them, masked cells, what lies
 * outside, what is refused. Next to read: ../../src/paint.c. */
#include <math.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

enum { N = 4 };

/* Colour k of the table is k itself, but for the ramp, which starts at 1000: 0 is what lies outside. */
static void number_colours(attn_layer *layer) {
  for (uint32_t k = 0; k < ATTN_N_COLOURS; k++) attn_paint_colours(layer)[k] = 1000 + k;
}

/* Four tokens whose weights are sixteenths, cell by cell: 0/16, 1/16 … 15/16. */
static attn_layer *counted(const char *causal) {
  attn_layer *layer = plain_layer(N, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK && choose(layer, "causal", "off", 0) == ATTN_OK);
  double weights[N * N];
  for (int k = 0; k < N * N; k++) weights[k] = k / 16.0;
  set(layer, "given_weights", weights);
  EXPECT(choose(layer, "causal", causal, 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  number_colours(layer);
  return layer;
}

/* The pixels of one line are these steps of the ramp; -1: outside. */
static void expect_line(attn_layer *layer, double row, double row_step, double column, double column_step, double top,
                        int32_t n, const int32_t *want) {
  EXPECT(attn_paint_line(layer, 0, 0, row, row_step, column, column_step, top, n, 0) == ATTN_OK);
  for (int32_t x = 0; x < n; x++) {
    const int32_t got = (int32_t)attn_paint_pixels(layer)[x];
    EXPECT(got == (want[x] < 0 ? 0 : 1000 + want[x]));
  }
}

static int32_t step_of(double weight, double top) {
  return weight > 0 ? 1 + (int32_t)fmin(weight * (254 / top), 254) : 0;
}

static void cell_by_cell(void) {
  attn_layer *layer = counted("off");
  for (int32_t i = 0; i < N; i++) {
    int32_t want[N];
    for (int32_t j = 0; j < N; j++) want[j] = step_of((i * N + j) / 16.0, 1);
    expect_line(layer, i, 1, 0, 1, 1, N, want);
  }
  /* Larger than pixels: the cell under the middle of each, also when it starts within a cell. */
  expect_line(layer, 1.5, 0.25, 0.75, 0.5, 1, 4,
              (int32_t[]){step_of(5 / 16.0, 1), step_of(5 / 16.0, 1), step_of(6 / 16.0, 1), step_of(6 / 16.0, 1)});
  attn_layer_dispose(layer);
}

static void largest_of_cells(void) {
  attn_layer *layer = counted("off");
  expect_line(layer, 0, 2, 0, 2, 1, 2, (int32_t[]){step_of(5 / 16.0, 1), step_of(7 / 16.0, 1)});
  expect_line(layer, 2, 2, 0, 4, 1, 1, (int32_t[]){step_of(15 / 16.0, 1)});
  /* A pixel that only touches a cell shows it too: none is passed over. */
  expect_line(layer, 0, 1.5, 0.5, 1.5, 1, 2, (int32_t[]){step_of(5 / 16.0, 1), step_of(7 / 16.0, 1)});
  /* Wherever among the cells it stands. */
  set(layer, "given_weights", (double[]){0, 0.25, 0.5, 0, 0.125, 0, 0.75, 0.25, 0, 0, 0, 0, 0.5, 0, 0, 0});
  EXPECT(attn_forward(layer) == ATTN_OK);
  expect_line(layer, 0, 2, 0, 2, 1, 2, (int32_t[]){step_of(0.25, 1), step_of(0.75, 1)});
  expect_line(layer, 2, 2, 0, 4, 1, 1, (int32_t[]){step_of(0.5, 1)});
  attn_layer_dispose(layer);
}

static void top_of_the_scale(void) {
  attn_layer *layer = counted("off");
  expect_line(layer, 1, 1, 0, 1, 0.5, 4,
              (int32_t[]){step_of(4 / 16.0, 0.5), step_of(5 / 16.0, 0.5), step_of(6 / 16.0, 0.5),
                          step_of(7 / 16.0, 0.5)});
  expect_line(layer, 3, 1, 2, 1, 0.5, 2, (int32_t[]){255, 255});
  expect_line(layer, 0, 1, 0, 1, 1e30, 2, (int32_t[]){0, 1}); /* next to nothing is not nothing */
  attn_layer_dispose(layer);
}

static void masked_cells(void) {
  attn_layer *layer = counted("on");
  EXPECT(attn_paint_line(layer, 0, 0, 1, 1, 0, 1, 1, N, 5) == ATTN_OK);
  const uint32_t *pixels = attn_paint_pixels(layer);
  EXPECT(pixels[0] >= 1000 && pixels[0] < 1256 && pixels[1] >= 1000 && pixels[1] < 1256);
  EXPECT(pixels[2] == 1000 + ATTN_MASKED_LINE && pixels[3] == 1000 + ATTN_MASKED_LINE); /* places 7 and 8 of 7: 0, 1 */
  EXPECT(attn_paint_line(layer, 0, 0, 1, 1, 0, 1, 1, N, 0) == ATTN_OK);
  EXPECT(pixels[2] == 1000 + ATTN_MASKED_GROUND && pixels[3] == 1000 + ATTN_MASKED_GROUND);
  /* A pixel of masked and allowed cells is not masked, whatever its weight: row 0 is given as zeros. */
  EXPECT(attn_paint_line(layer, 0, 0, 0, 2, 0, 2, 1, 2, 3) == ATTN_OK);
  EXPECT(pixels[0] > 1000 && pixels[0] < 1256 && pixels[1] == 1000 + ATTN_MASKED_GROUND);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 1, 1, 0) == ATTN_OK && pixels[0] == 1000);
  set(layer, "given_weights", (double[N * N]){0});
  EXPECT(attn_forward(layer) == ATTN_OK && attn_paint_line(layer, 0, 0, 0, 2, 1, 2, 1, 1, 0) == ATTN_OK);
  EXPECT(pixels[0] == 1000); /* row 1 may look at token 1, and does not: that is a weight of 0 */
  attn_layer_dispose(layer);
}

static void wrong_mask(void) {
  attn_layer *layer = plain_layer(N, 2, 2, 1);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && choose(layer, "fault", "mask_off_by_one", 0) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK);
  number_colours(layer);
  /* All scores are equal, so row 0 gives half of its weight to the token that it may not look at. */
  expect_line(layer, 0, 1, 1, 1, 1, 1, (int32_t[]){step_of(0.5, 1)});
  attn_layer_dispose(layer);
}

static void outside(void) {
  attn_layer *layer = counted("off");
  expect_line(layer, 3, 1, -1, 1, 1, 2, (int32_t[]){-1, step_of(12 / 16.0, 1)});
  expect_line(layer, 3, 1, 3, 1, 1, 2, (int32_t[]){step_of(15 / 16.0, 1), -1});
  expect_line(layer, 4, 1, 0, 1, 1, 2, (int32_t[]){-1, -1});
  expect_line(layer, -1e300, 1, 1e300, 1, 1, 2, (int32_t[]){-1, -1});
  attn_layer_dispose(layer);
}

static void own_head(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(attn_forward(layer) == ATTN_OK);
  number_colours(layer);
  for (int32_t head = 0; head < B * H; head++) {
    const float *weights = numbers(layer, "attn_weights") + head * T * T;
    for (int32_t i = 0; i < T; i++) {
      EXPECT(attn_paint_line(layer, head / H, head % H, i, 1, 0, 1, 1, T, 0) == ATTN_OK);
      for (int32_t j = 0; j < T; j++) {
        EXPECT(attn_paint_pixels(layer)[j] == (uint32_t)(1000 + step_of((double)weights[i * T + j], 1)));
      }
    }
  }
  attn_layer_dispose(layer);
}

static void refused(void) {
  attn_layer *layer = plain_layer(N, 2, 2, 1);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 1, 1, 0) == ATTN_STALE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(attn_paint_line(layer, 1, 0, 0, 1, 0, 1, 1, 1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_paint_line(layer, 0, -1, 0, 1, 0, 1, 1, 1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 1, 0, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 1, attn_paint_room() + 1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_paint_line(layer, 0, 0, NAN, 1, 0, 1, 1, 1, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 0, 0, 1, 1, 1, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, -1, 1, 1, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 0, 1, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, INFINITY, 1, 0) == ATTN_NUMBER_NOT_FINITE);
  attn_layer *forgetful = attn_layer_create(1, N, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0);
  EXPECT(attn_forward(forgetful) == ATTN_OK);
  EXPECT(attn_paint_line(forgetful, 0, 0, 0, 1, 0, 1, 1, 1, 0) == ATTN_NOT_KEPT);
  EXPECT(attn_largest_weights(forgetful, 0, 0, 0, 1) == ATTN_NOT_KEPT);
  attn_layer_dispose(forgetful);
  /* As many pixels as there is room for, and no more is written. */
  attn_picture *picture = &layer->picture;
  memset(picture->pixels, 0xAB, ATTN_PAINT_ROOM * sizeof(uint32_t));
  picture->colours[0] = 0xABABABABu;
  attn_difference_left(layer)[0] = 7; /* lies behind them */
  EXPECT(attn_paint_line(layer, 0, 0, 0, 1, 0, 1, 1, attn_paint_room(), INT32_MAX) == ATTN_OK);
  EXPECT(picture->pixels[ATTN_PAINT_ROOM - 1] == 0 && picture->colours[0] == 0xABABABABu);
  EXPECT_CLOSE(1, attn_difference_left(layer), (double[]){7}, 0, 0);
  attn_layer_dispose(layer);
}

void paint_tests(void) {
  test("A pixel no larger than a cell shows the cell under its middle.", cell_by_cell);
  test("A pixel larger than cells shows the largest weight that it touches.", largest_of_cells);
  test("The ramp ends at the top that was asked for, and only 0 has the colour of 0.", top_of_the_scale);
  test("Masked cells are hatched, and are not mistaken for weights of 0.", masked_cells);
  test("A weight that a wrong mask lets through is painted as a weight.", wrong_mask);
  test("What lies outside of the matrix is not painted.", outside);
  test("A picture is of the head and sequence that was asked for.", own_head);
  test("Heads, sizes and numbers that make no picture are refused, stale weights too.", refused);
}
