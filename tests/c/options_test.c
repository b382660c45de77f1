/* options_test.c: options by name, what is refused, and what switching keeps. Next to read: forward_test.c. */
#include <math.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

static void option_directory(void) {
  const char *const names[] = {"score_source", "scale", "causal", "kernels", "fault"};
  const char *const choices[5][14] = {
      {"given", "inputs", "trained"},
      {"none", "sqrt_head_dim", "number"},
      {"off", "on"},
      {"simd", "plain"},
      {"none", "weight_altered", "term_wrong", "input_altered", "softmax_columns", "mask_off_by_one",
       "mask_after_softmax", "mask_fill_zero", "mask_fill_large", "scale_missing", "scale_sqrt_d_out",
       "query_key_swapped", "heads_reshaped"}};
  for (int32_t o = 0; o < 5; o++) {
    EXPECT_TEXT(attn_option_name(o), names[o]);
    int32_t c = 0;
    for (; choices[o][c]; c++) EXPECT_TEXT(attn_choice_name(o, c), choices[o][c]);
    EXPECT(!attn_choice_name(o, c) && !attn_choice_name(o, -1) && !attn_choice_name(o, 99));
  }
  EXPECT(!attn_option_name(5) && !attn_option_name(-1) && !attn_choice_name(5, 0) && !attn_choice_name(-1, 0));
}

static void refused_and_unchanged(void) {
  attn_layer *layer = plain_layer(3, 3, 4, 2);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(attn_configure(layer, 5, 0, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(attn_configure(layer, 2, 2, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(choose(layer, "scale", "number", NAN) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(choose(layer, "scale", "number", INFINITY) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_HEADS_DO_NOT_DIVIDE);
  EXPECT(choose(layer, "fault", "term_wrong", NAN) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(choose(layer, "fault", "term_wrong", 3) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(choose(layer, "fault", "weight_altered", -1) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(choose(layer, "fault", "input_altered", 0.5) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(!attn_tensor_is_stale(layer, tensor("context_vecs")));
  EXPECT(attn_tensor_dim(layer, tensor("context_vecs"), 2) == 4);
  attn_layer_dispose(layer);
}

static void number_is_for_numbers(void) {
  attn_layer *layer = plain_layer(3, 3, 4, 2);
  EXPECT(choose(layer, "scale", "none", NAN) == ATTN_OK);
  EXPECT(choose(layer, "causal", "on", NAN) == ATTN_OK);
  EXPECT(choose(layer, "kernels", "plain", INFINITY) == ATTN_OK);
  EXPECT(choose(layer, "fault", "scale_missing", NAN) == ATTN_OK && choose(layer, "fault", "none", NAN) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK);
  attn_layer_dispose(layer);
}

static void width_is_fixed(void) {
  attn_layer *layer = attn_layer_create(1, 3, 3, 4, 1, 5, 0, 0, 0, 0, 1, 1);
  EXPECT(layer && choose(layer, "score_source", "given", 0) == ATTN_WIDTH_IS_FIXED);
  EXPECT(choose(layer, "score_source", "trained", 0) == ATTN_OK);
  attn_layer_dispose(layer);
  layer = attn_layer_create(1, 3, 4, 4, 1, 5, 0, 0, 0, 0, 1, 1);
  EXPECT(layer && choose(layer, "score_source", "given", 0) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  attn_layer_dispose(layer);
}

static void sources_foretold(void) {
  static const int32_t shapes[][4] = {{3, 4, 2, 0}, {3, 4, 3, 0}, {4, 4, 2, 5}, {3, 4, 1, 5}, {4, 3, 4, 0}}; /* d_in, d_out, n_heads, out */
  static const attn_status want[][3] = {
      {ATTN_HEADS_DO_NOT_DIVIDE, ATTN_HEADS_DO_NOT_DIVIDE, ATTN_OK}, {ATTN_OK, ATTN_OK, ATTN_HEADS_DO_NOT_DIVIDE},
      {ATTN_OK, ATTN_OK, ATTN_OK}, {ATTN_WIDTH_IS_FIXED, ATTN_WIDTH_IS_FIXED, ATTN_OK},
      {ATTN_OK, ATTN_OK, ATTN_HEADS_DO_NOT_DIVIDE}};
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0] * 6; k++) {
    const int32_t *shape = shapes[k / 6], source = (int32_t)(k % 3), keep = k % 6 < 3;
    attn_layer *layer = attn_layer_create(1, 3, shape[0], shape[1], shape[2], shape[3], 0, 0, 0, 0, keep, 0);
    const attn_status found = attn_source_check(shape[0], shape[1], shape[2], shape[3], keep, source);
    EXPECT(found == (keep || source != ATTN_SOURCE_GIVEN ? want[k / 6][source] : ATTN_NOT_KEPT));
    EXPECT(layer && attn_configure(layer, 0, source, 0) == found);
    attn_layer_dispose(layer);
  }
}

static void heads_for_one_source_only(void) {
  attn_layer *layer = plain_layer(3, 3, 4, 3);
  EXPECT(attn_forward(layer) == ATTN_HEADS_DO_NOT_DIVIDE);
  EXPECT(attn_context_one_token(layer, 0, 0) == ATTN_HEADS_DO_NOT_DIVIDE);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "trained", 0) == ATTN_HEADS_DO_NOT_DIVIDE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  attn_layer_dispose(layer);
}

static void switching_keeps(void) {
  attn_layer *layer = plain_layer(2, 4, 2, 2);
  float before[8];
  fill_distinct(8, numbers(layer, "w_value"), 7);
  memcpy(before, numbers(layer, "w_value"), sizeof before);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "given_weights", (double[]){1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "trained", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_SAME(8, numbers(layer, "w_value"), before);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(8, numbers(layer, "given_weights"), (double[8]){0}, 0, 0);
  attn_layer_dispose(layer);
}

static void staleness(void) {
  attn_layer *layer = odd_layer(H);
  const int32_t context = tensor("context_vecs"), inputs = tensor("inputs"), given = tensor("given_weights");
  EXPECT(attn_tensor_is_stale(layer, context) == 1);
  EXPECT(attn_compare_routes(layer, 0) == ATTN_STALE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(attn_tensor_is_stale(layer, context) == 0 && attn_tensor_is_stale(layer, inputs) == 0);
  attn_tensors_changed(layer);
  EXPECT(attn_tensor_is_stale(layer, context) == 1 && attn_tensor_is_stale(layer, tensor("values")) == 1);
  EXPECT(attn_tensor_is_stale(layer, inputs) == 0 && attn_tensor_is_stale(layer, given) == 0);
  EXPECT(attn_forward(layer) == ATTN_OK && choose(layer, "causal", "on", 0) == ATTN_OK);
  EXPECT(attn_tensor_is_stale(layer, context) == 1);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_init(layer, 0, 1, 0) == ATTN_OK);
  EXPECT(attn_tensor_is_stale(layer, context) == 1);
  attn_layer_dispose(layer);
}

void option_tests(void) {
  test("The options and their choices have names, and end.", option_directory);
  test("A refused option leaves the layer and its results as they were.", refused_and_unchanged);
  test("An option's number is read for the scale's number and a fault's place only.", number_is_for_numbers);
  test("A source that would change the width of an existing output projection is refused.", width_is_fixed);
  test("Whether a new layer can have a source is said before there is one, and is what configuring it says.", sources_foretold);
  test("Heads must divide the width of the source in use, and of no other.", heads_for_one_source_only);
  test("Switching the source of scores away and back keeps parameters; given weights start as zeros each time.", switching_keeps);
  test("Results are stale after any change until the next forward pass; inputs never are.", staleness);
}
