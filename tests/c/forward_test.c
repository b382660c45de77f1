/* forward_test.c: whole layers: known answers, properties, given weights, numbers that are not finite.
 * Next to read: routes_test.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "c_vectors.h"
#include "fixtures.h"
#include "suites.h"

static void book_chapter_2(void) {
  attn_layer *layer = plain_layer(6, 3, 2, 1);
  EXPECT(attn_init(layer, 0, 123, 0) == ATTN_OK);
  set(layer, "inputs", self_v1_X);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(12, numbers(layer, "context_vecs"), self_v1_expected, 0.5e-4, 0);
  EXPECT_CLOSE(12, numbers(layer, "context_vecs"), self_v1_expected_torch_f32, 0, 1e-6);
  attn_layer_dispose(layer);
}

static void book_chapter_4(void) {
  attn_layer *layer = attn_layer_create(2, 6, 3, 2, 2, 2, 0, 0, 0, 1, 1, 1);
  EXPECT(layer && attn_init(layer, 1, 123, 0) == ATTN_OK && choose(layer, "causal", "on", 0) == ATTN_OK);
  set(layer, "inputs", mha_batch_X);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(24, numbers(layer, "outputs"), mha_batch_expected, 0.5e-4, 0);
  EXPECT_CLOSE(24, numbers(layer, "outputs"), mha_batch_expected_torch_f32, 0, 2e-6);
  attn_layer_dispose(layer);
}

static void pytorch_multi_head(void) {
  attn_layer *layer = attn_layer_create(2, 7, 12, 12, 3, 12, 1, 1, 1, 1, 1, 1);
  if (!layer) abort();
  EXPECT(count(layer, "inputs") == 168 && count(layer, "attn_weights") == 294);
  set(layer, "inputs", mha_full_X);
  set(layer, "w_query", mha_full_Wq);
  set(layer, "w_key", mha_full_Wk);
  set(layer, "w_value", mha_full_Wv);
  set(layer, "b_query", mha_full_bq);
  set(layer, "b_key", mha_full_bk);
  set(layer, "b_value", mha_full_bv);
  set(layer, "w_out", mha_full_Wo);
  set(layer, "b_out", mha_full_bo);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(294, numbers(layer, "attn_weights"), mha_full_attn_weights, 1e-6, 1e-6);
  EXPECT_CLOSE(168, numbers(layer, "outputs"), mha_full_Y, 1e-6, 1e-6);
  attn_layer_dispose(layer);
}

/* The toy: given weights, and a row of them that sums to 2. */
static attn_layer *toy(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1, 2, 3, 4, 5, 6});
  set(layer, "given_weights", (double[]){0.5, 0.25, 0.25, 0, 2, 0, 0.25, 0.25, 0.5});
  return layer;
}

static void given_as_they_are(void) {
  attn_layer *layer = toy();
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(6, numbers(layer, "context_vecs"), (double[]){2.5, 3.5, 6, 8, 3.5, 4.5}, 0, 0);
  EXPECT_CLOSE(3, numbers(layer, "attn_row_sums"), (double[]){1, 2, 1}, 0, 0);
  attn_layer_dispose(layer);
}

static void given_causal(void) {
  attn_layer *layer = toy();
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){1, 0, 0, 0, 1, 0, 0.25, 0.25, 0.5}, 0, 0);
  EXPECT_CLOSE(6, numbers(layer, "context_vecs"), (double[]){1, 2, 3, 4, 3.5, 4.5}, 0, 0);
  EXPECT(choose(layer, "causal", "off", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){0.5, 0.25, 0.25, 0, 2, 0, 0.25, 0.25, 0.5}, 0, 0);
  attn_layer_dispose(layer);
}

static void given_zero_sum(void) {
  attn_layer *layer = toy();
  set(layer, "given_weights", (double[]){0, 1, 1, -1, 1, 5, 1, 1, 2});
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){0, 0, 0, 0, 0, 0, 0.25, 0.25, 0.5}, 0, 0);
  EXPECT_CLOSE(6, numbers(layer, "context_vecs"), (double[]){0, 0, 0, 0, 3.5, 4.5}, 0, 0);
  attn_layer_dispose(layer);
}

static void normalised(void) {
  attn_layer *layer = toy();
  EXPECT(attn_normalise_row(layer, 0, 0, 1) == ATTN_OK);
  EXPECT_CLOSE(3, attn_normalised_weights(layer), (double[]){0, 1, 0}, 0, 0);
  EXPECT_CLOSE(3, numbers(layer, "given_weights") + 3, (double[]){0, 2, 0}, 0, 0);
  EXPECT(attn_normalise_row(layer, 0, 0, 3) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_normalise_row(layer, 0, 1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_normalise_row(layer, -1, 0, 0) == ATTN_INDEX_OUT_OF_RANGE);
  set(layer, "given_weights", (double[]){0.5, -0.25, -0.25, 1e-30, 0, 0, 1, NAN, 1});
  EXPECT(attn_normalise_row(layer, 0, 0, 0) == ATTN_ROW_SUM_IS_ZERO);
  EXPECT(attn_normalise_row(layer, 0, 0, 1) == ATTN_OK);
  EXPECT_CLOSE(3, attn_normalised_weights(layer), (double[]){1, 0, 0}, 0, 0);
  EXPECT(attn_normalise_row(layer, 0, 0, 2) == ATTN_TENSOR_NOT_FINITE);
  EXPECT(attn_error_tensor(layer) == tensor("given_weights") && attn_error_element(layer) == 7);
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  EXPECT(attn_normalise_row(layer, 0, 0, 0) == ATTN_INDEX_OUT_OF_RANGE);
  attn_layer_dispose(layer);
}

/* Does forward refuse, and name this tensor and element? */
static void expect_not_finite(attn_layer *layer, const char *name, int32_t element) {
  EXPECT(attn_forward(layer) == ATTN_TENSOR_NOT_FINITE);
  EXPECT_TEXT(attn_error_tensor(layer) < 0 ? "none" : attn_tensor_name(attn_error_tensor(layer)), name);
  EXPECT(attn_error_element(layer) == element);
  EXPECT(attn_tensor_is_stale(layer, tensor("context_vecs")));
}

static void not_finite_in(void) {
  attn_layer *layer = odd_layer(H);
  const char *const names[] = {"inputs", "w_value", "b_key", "w_out", "b_out"};
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t k = 0; k < 5; k++) {
    float *number = &numbers(layer, names[k])[k];
    const float good = *number;
    *number = bad[k % 3];
    expect_not_finite(layer, names[k], (int32_t)k);
    *number = good;
    EXPECT(attn_forward(layer) == ATTN_OK);
    EXPECT(attn_error_tensor(layer) == -1 && attn_error_element(layer) == -1);
  }
  attn_layer_dispose(layer);
}

static void not_finite_behind_the_mask(void) {
  attn_layer *layer = plain_layer(2, 1, 1, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK && choose(layer, "causal", "on", 0) == ATTN_OK);
  set(layer, "given_weights", (double[]){1, NAN, 1, 1});
  expect_not_finite(layer, "given_weights", 1);
  attn_layer_dispose(layer);
}

static void not_finite_out(void) {
  attn_layer *layer = plain_layer(2, 2, 2, 1);
  set(layer, "w_query", (double[]){3e38, 0, 0, 1});
  set(layer, "inputs", (double[]){1, 1, 2, 1});
  expect_not_finite(layer, "queries", 2);
  set(layer, "w_query", (double[]){1, 0, 0, 1});
  set(layer, "w_key", (double[]){1e38, 0, 0, 1});
  set(layer, "inputs", (double[]){1, 1, 3, 1});
  expect_not_finite(layer, "attn_scores", 3);
  set(layer, "w_key", (double[]){-1e38, 0, 0, 1}); /* a score that is -INFINITY without being masked */
  expect_not_finite(layer, "attn_scores", 3);
  attn_layer_dispose(layer);
}

/* Query 1 with key 2 is 1e60, all other scores are small. */
static void masked_overflow(void) {
  attn_layer *layer = plain_layer(2, 2, 2, 1);
  set(layer, "inputs", (double[]){1, 0, 0, 1});
  set(layer, "w_query", (double[]){1e30, 0, 0, 1});
  set(layer, "w_key", (double[]){1, 0, 1e30, 0});
  expect_not_finite(layer, "attn_scores", 1);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(4, numbers(layer, "attn_weights"), (double[]){1, 0, 0.5, 0.5}, 0, 0);
  attn_layer_dispose(layer);
}

static void causal_prefix(void) {
  for (int32_t changed = 1; changed < T; changed++) {
    attn_layer *layer = odd_layer(H), *other = odd_layer(H);
    EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && choose(other, "causal", "on", 0) == ATTN_OK);
    for (int32_t b = 0; b < B; b++) {
      for (int32_t t = changed; t < T; t++) {
        for (int32_t d = 0; d < D_IN; d++) numbers(other, "inputs")[(b * T + t) * D_IN + d] = 100;
      }
    }
    EXPECT(attn_forward(layer) == ATTN_OK && attn_forward(other) == ATTN_OK);
    for (int32_t b = 0; b < B; b++) {
      EXPECT_SAME((size_t)changed * OUT, numbers(layer, "outputs") + b * T * OUT,
                  numbers(other, "outputs") + b * T * OUT);
      EXPECT(memcmp(numbers(layer, "outputs") + b * T * OUT + changed * OUT,
                    numbers(other, "outputs") + b * T * OUT + changed * OUT, OUT * sizeof(float)) != 0);
    }
    attn_layer_dispose(layer);
    attn_layer_dispose(other);
  }
}

static void row_sums(void) {
  attn_layer *layer = odd_layer(H);
  double ones[B * H * T];
  for (size_t k = 0; k < B * H * T; k++) ones[k] = 1;
  for (int causal = 0; causal < 2; causal++) {
    EXPECT(choose(layer, "causal", causal ? "on" : "off", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
    EXPECT_CLOSE(B * H * T, numbers(layer, "attn_row_sums"), ones, 1.2e-7, 0);
  }
  attn_layer_dispose(layer);
}

/* Chapter 2 with W = identity and no scale is chapter 1. */
static void identity_is_simple(void) {
  attn_layer *simple = plain_layer(6, 3, 3, 1), *trained = plain_layer(6, 3, 3, 1);
  const double identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT(choose(simple, "score_source", "inputs", 0) == ATTN_OK && choose(simple, "scale", "none", 0) == ATTN_OK);
  EXPECT(choose(trained, "scale", "number", 1) == ATTN_OK);
  set(simple, "inputs", self_v1_X);
  set(trained, "inputs", self_v1_X);
  set(trained, "w_query", identity);
  set(trained, "w_key", identity);
  set(trained, "w_value", identity);
  EXPECT(attn_forward(simple) == ATTN_OK && attn_forward(trained) == ATTN_OK);
  EXPECT_SAME(36, numbers(simple, "attn_weights"), numbers(trained, "attn_weights"));
  EXPECT_SAME(18, numbers(simple, "context_vecs"), numbers(trained, "context_vecs"));
  EXPECT_CLOSE(6, numbers(simple, "attn_weights"), (double[]){.2098, .2006, .1981, .1242, .1220, .1452}, 0.5e-4, 0);
  attn_layer_dispose(simple);
  attn_layer_dispose(trained);
}

static void scale_is_by_head(void) {
  attn_layer *layer = odd_layer(H), *number = odd_layer(H);
  EXPECT(choose(number, "scale", "number", 1 / sqrt((double)(D_OUT / H))) == ATTN_OK);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_forward(number) == ATTN_OK);
  EXPECT_SAME(B * H * T * T, numbers(layer, "attn_scores"), numbers(number, "attn_scores"));
  attn_layer_dispose(layer);
  attn_layer_dispose(number);
}

void forward_tests(void) {
  test("The published self-attention with torch.rand weights comes out to its digits, and to float precision.",
       book_chapter_2);
  test("The published causal multi-head attention with W_out comes out to its digits, and to float precision.",
       book_chapter_4);
  test("PyTorch's multi-head attention with 3 heads, all biases and W_out comes out, weights and outputs.",
       pytorch_multi_head);
  test("Given weights are taken as they are: a row that sums to 2 doubles its value row.", given_as_they_are);
  test("The causal mask zeroes later given weights and renormalises, and off again gives them back.", given_causal);
  test("A row of given weights whose allowed entries sum to zero gives zeros under the causal mask.", given_zero_sum);
  test("A row of given weights is divided by its sum on request; a zero sum, NaN or no such row is told.",
       normalised);
  test("An input or parameter that is NaN or infinite is named with its element.", not_finite_in);
  test("Given weights that are not finite are refused even where the mask hides them.", not_finite_behind_the_mask);
  test("A result that is not finite is named with its element, an unmasked score of -INFINITY too.", not_finite_out);
  test("A score that overflows matters only where it is not masked.", masked_overflow);
  test("Under the causal mask, changing a token leaves all rows before it bit-identical and changes its own.",
       causal_prefix);
  test("Every row of weights sums to 1, with and without the mask.", row_sums);
  test("Identity matrices and no scale give attention without trained weights, bit for bit.", identity_is_simple);
  test("sqrt_head_dim divides by the root of a head's width, not of d_out.", scale_is_by_head);
}
