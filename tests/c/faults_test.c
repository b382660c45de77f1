/* faults_test.c: planted bugs. Which rows each spoils is told by the comparison of routes; here also that planting one
 * and taking it away leaves no trace, and that it does nothing where it lacks what it needs.
 * Next to read: ../../src/faults.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

enum { FAULT_OPTION = 4, ROOM = B * H * T * T };

static void every_source(void (*body)(attn_layer *layer)) {
  static const char *const sources[] = {"given", "inputs", "trained"};
  for (int setting = 0; setting < 6; setting++) {
    attn_layer *layer = attn_layer_create(B, T, D_OUT, D_OUT, H, OUT, 1, 1, 1, 1, 1, 1);
    if (!layer) abort();
    EXPECT(choose(layer, "causal", setting % 2 ? "on" : "off", 0) == ATTN_OK);
    EXPECT(choose(layer, "score_source", sources[setting / 2], 0) == ATTN_OK);
    for (int32_t t = 0; t < attn_tensor_count(); t++) {
      if (attn_tensor_target(layer, t) == t) {
        fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
      }
    }
    body(layer);
    attn_layer_dispose(layer);
  }
}

static float before[ATTN_N_TENSORS][ROOM];

static void plant_and_remove(attn_layer *layer) {
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    const float *data = attn_tensor_data(layer, t);
    if (data) memcpy(before[t], data, attn_tensor_size(layer, t) * sizeof(float));
  }
  for (int32_t fault = 0; attn_choice_name(FAULT_OPTION, fault); fault++) {
    EXPECT(attn_configure(layer, FAULT_OPTION, fault, T - 1) == ATTN_OK);
    EXPECT(attn_tensor_is_stale(layer, tensor("context_vecs")));
    EXPECT(attn_forward(layer) == ATTN_OK && attn_compare_routes(layer, 1e-6) == ATTN_OK);
    const bool shows = strcmp(attn_routes_verdict(layer), "agree") != 0;
    EXPECT(shows == (fault > 0 && !attn_fault_missing(layer, fault)));
    if (shows) continue;
    EXPECT_SAME(B * T * D_OUT, numbers(layer, "context_vecs"), before[tensor("context_vecs")]);
  }
  EXPECT(choose(layer, "fault", "none", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    EXPECT_SAME(attn_tensor_size(layer, t), attn_tensor_data(layer, t), before[t]);
  }
}

static void nothing_is_left(void) {
  every_source(plant_and_remove);
}

/* Rows of the batch that differ, as digits: "34" are rows 3 and 4 of the first sequence. */
static const char *rows_that_differ(attn_layer *layer, const char *fault, double place, char text[static B * T + 1]) {
  size_t n = 0;
  EXPECT(choose(layer, "fault", fault, place) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT(attn_compare_routes(layer, 1e-6) == ATTN_OK);
  for (int32_t row = 0; row < B * T; row++) {
    if (attn_routes_position(layer, row / T, row % T) >= 0) text[n++] = (char)('0' + row % T);
  }
  text[n] = 0;
  return text;
}

static void signatures(void) {
  char text[B * T + 1];
  attn_layer *layer = odd_layer(H);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK);
  EXPECT_TEXT(rows_that_differ(layer, "weight_altered", 3, text), "3");
  EXPECT_TEXT(rows_that_differ(layer, "term_wrong", 3, text), "3");
  EXPECT(attn_routes_position(layer, 0, 3) == 1);
  EXPECT_TEXT(rows_that_differ(layer, "input_altered", 3, text), "34");
  EXPECT(attn_routes_draws_on(layer) == 3);
  EXPECT_TEXT(rows_that_differ(layer, "softmax_columns", 0, text), "012340123401234");
  EXPECT_TEXT(rows_that_differ(layer, "mask_off_by_one", 0, text), "012301230123");
  EXPECT(attn_routes_draws_on(layer) == -1);
  EXPECT_TEXT(rows_that_differ(layer, "mask_after_softmax", 0, text), "012301230123");
  EXPECT_TEXT(rows_that_differ(layer, "mask_fill_zero", 0, text), "012301230123");
  EXPECT_TEXT(rows_that_differ(layer, "mask_fill_large", 0, text), "");
  EXPECT_TEXT(rows_that_differ(layer, "scale_missing", 0, text), "123412341234");
  EXPECT_TEXT(rows_that_differ(layer, "scale_sqrt_d_out", 0, text), "123412341234");
  EXPECT_TEXT(rows_that_differ(layer, "query_key_swapped", 0, text), "123412341234");
  EXPECT_TEXT(rows_that_differ(layer, "heads_reshaped", 0, text), "012340123401234");
  EXPECT_TEXT(rows_that_differ(layer, "none", 0, text), "");
  attn_layer_dispose(layer);
}

/* Weight 0 at the place: what is altered there shows in no row that gives it no weight. */
static void altered_input_in_the_toy(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1, 2, 3, 4, 5, 6});
  set(layer, "given_weights", (double[]){0.5, 0.25, 0.25, 0, 1, 0, 0.25, 0.25, 0.5});
  for (int32_t place = 0; place < 3; place += 2) {
    /* Rows 0 and 2 are those that draw on token 0, and those that draw on token 2: the terms tell which. */
    EXPECT(choose(layer, "fault", "input_altered", place) == ATTN_OK && attn_forward(layer) == ATTN_OK);
    EXPECT(attn_compare_routes(layer, 1e-6) == ATTN_OK);
    EXPECT_TEXT(attn_routes_verdict(layer), "some rows");
    EXPECT(attn_routes_draws_on(layer) == place && attn_routes_position(layer, 0, 1) == -1);
    EXPECT_CLOSE(6, numbers(layer, "values"), (double[]){1, 2, 3, 4, 5, 6}, 0, 0);
  }
  EXPECT_CLOSE(2, numbers(layer, "context_vecs"), (double[]){2.5 + 0.25 * 6, 3.5 + 0.25 * 7}, 0, 0);
  attn_layer_dispose(layer);
}

static void places_that_show(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){0, 0, 3, 4, 5, 6});
  set(layer, "given_weights", (double[]){1, 0, 0, 0.5, 0.5, 0, 0, 0, 1});
  EXPECT(choose(layer, "fault", "weight_altered", 1) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){1, 0, 0, 0.5, 0.75, 0, 0, 0, 1}, 0, 0);
  EXPECT(choose(layer, "fault", "term_wrong", 2) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(6, numbers(layer, "context_vecs"), (double[]){0, 0, 1.5, 2, 5, 5}, 0, 0);
  attn_layer_dispose(layer);
}

static void terms_are_the_sums(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(choose(layer, "kernels", "plain", 0) == ATTN_OK); /* whose sums are rounded once */
  for (int32_t fault = 0; attn_choice_name(FAULT_OPTION, fault); fault++) {
    EXPECT(attn_configure(layer, FAULT_OPTION, fault, 2) == ATTN_OK && attn_forward(layer) == ATTN_OK);
    for (int32_t k = 0; k < B * T * D_OUT; k++) {
      double batched = 0, one_token = 0;
      EXPECT(attn_route_terms(layer, k / D_OUT / T, k / D_OUT % T, k % D_OUT) == ATTN_OK);
      for (int32_t j = 0; j < T; j++) {
        batched += attn_route_term_batched(layer, j);
        one_token += attn_route_term_one_token(layer, j);
      }
      const float sums[2] = {(float)batched, (float)one_token};
      EXPECT_SAME(1, &numbers(layer, "context_vecs")[k], &sums[0]);
      EXPECT(attn_context_one_token(layer, k / D_OUT / T, k / D_OUT % T) == ATTN_OK);
      EXPECT_SAME(1, &attn_one_token_context(layer)[k % D_OUT], &sums[1]);
    }
  }
  attn_layer_dispose(layer);
}

static void terms_refused(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(attn_route_terms(layer, 0, 0, 0) == ATTN_STALE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(attn_route_terms(layer, B, 0, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_route_terms(layer, 0, -1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_route_terms(layer, 0, 0, D_OUT) == ATTN_INDEX_OUT_OF_RANGE);
  attn_layer_dispose(layer);
}

static void expect_missing(attn_layer *layer, const char *fault, const char *what) {
  int32_t choice = 0;
  while (strcmp(attn_choice_name(FAULT_OPTION, choice), fault) != 0) choice++;
  const char *missing = attn_fault_missing(layer, choice);
  EXPECT_TEXT(missing ? missing : "nothing", what);
}

static void needs(void) {
  attn_layer *layer = plain_layer(1, 2, 1, 1);
  expect_missing(layer, "none", "nothing");
  expect_missing(layer, "weight_altered", "nothing");
  expect_missing(layer, "term_wrong", "two_values");
  expect_missing(layer, "softmax_columns", "two_tokens");
  expect_missing(layer, "scale_missing", "scale");
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  expect_missing(layer, "query_key_swapped", "trained");
  expect_missing(layer, "scale_missing", "two_tokens");
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  expect_missing(layer, "softmax_columns", "scores");
  expect_missing(layer, "mask_off_by_one", "causal");
  attn_layer_dispose(layer);
  layer = plain_layer(2, 2, 2, 1);
  expect_missing(layer, "scale_sqrt_d_out", "two_heads");
  expect_missing(layer, "heads_reshaped", "two_heads");
  EXPECT(choose(layer, "scale", "number", 3) == ATTN_OK);
  expect_missing(layer, "scale_sqrt_d_out", "sqrt_head_dim");
  expect_missing(layer, "scale_missing", "nothing");
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  expect_missing(layer, "mask_fill_large", "huge_scores");
  attn_layer_dispose(layer);
}

/* The toy with scores of -4e8 times a dot product: the fill is larger than every allowed score. By the plain kernels: sums
 * in float of such a size are so uncertain that the routes cannot be held against each other. */
static void large_fill_shows(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  set(layer, "inputs", (double[]){1, 2, 3, 4, 5, 6});
  set(layer, "w_query", (double[]){-20000, 0, 0, -20000});
  set(layer, "w_key", (double[]){20000, 0, 0, 20000});
  set(layer, "w_value", (double[]){1, 0, 0, 1});
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && choose(layer, "kernels", "plain", 0) == ATTN_OK);
  expect_missing(layer, "mask_fill_large", "huge_scores"); /* no scores yet */
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){1, 0, 0, 1, 0, 0, 1, 0, 0}, 0, 0);
  expect_missing(layer, "mask_fill_large", "nothing");
  EXPECT(choose(layer, "fault", "mask_fill_large", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT_CLOSE(9, numbers(layer, "attn_weights"), (double[]){0, 0.5, 0.5, 0, 0, 1, 1, 0, 0}, 0, 0);
  expect_missing(layer, "mask_fill_large", "nothing");
  EXPECT(attn_compare_routes(layer, 1e-6) == ATTN_OK);
  EXPECT_TEXT(attn_routes_verdict(layer), "some rows");
  attn_layer_dispose(layer);
}

void fault_tests(void) {
  test("Every fault shows exactly where nothing is missing; taken away, it leaves every bit as it was.",
       nothing_is_left);
  test("Each fault spoils its rows and no other.", signatures);
  test("An altered input spoils the rows that draw on it; of two such tokens the terms tell which it was.",
       altered_input_in_the_toy);
  test("An altered weight and a wrong term are put where they show.", places_that_show);
  test("Both routes' terms add up to what each route gave, to the last bit, whatever is planted.", terms_are_the_sums);
  test("Terms of a position outside the shape, or of stale results, are refused.", terms_refused);
  test("Each fault names what the setting lacks for it to show.", needs);
  test("A fill of -1e9 shows where all allowed scores are below it.", large_fill_shows);
}
