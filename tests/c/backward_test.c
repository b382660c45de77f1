/* backward_test.c: gradients against PyTorch's and against central differences, of layers and of bare passes with other
 * shapes than a layer has; where there is no gradient; when gradients are stale. Next to read: train_test.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "c_vectors.h"
#include "fixtures.h"
#include "suites.h"

/* |got - want| <= 2e-5 max|want| + 1e-6 */
static void expect_gradient(size_t n, const float *got, const double *want) {
  double largest = 0;
  for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(want[k]));
  EXPECT_CLOSE(n, got, want, 2e-5 * largest + 1e-6, 0);
}

static void pytorch_multi_head(void) {
  attn_layer *layer = attn_layer_create(2, 7, 12, 12, 3, 12, 1, 1, 1, 1, 1, 1);
  if (!layer) abort();
  const char *const names[] = {"inputs", "w_query", "w_key", "w_value", "b_query",
                               "b_key", "b_value", "w_out", "b_out"};
  const double *const from[] = {mha_full_X, mha_full_Wq, mha_full_Wk, mha_full_Wv, mha_full_bq,
                                mha_full_bk, mha_full_bv, mha_full_Wo, mha_full_bo};
  const double *const want[] = {mha_full_dX, mha_full_dWq, mha_full_dWk, mha_full_dWv, mha_full_dbq,
                                mha_full_dbk, mha_full_dbv, mha_full_dWo, mha_full_dbo};
  for (size_t k = 0; k < 9; k++) set(layer, names[k], from[k]);
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (size_t k = 0; k < 168; k++) numbers(layer, "d_outputs")[k] = (float)mha_full_dY[k];
  EXPECT(attn_backward(layer) == ATTN_OK);
  for (size_t k = 0; k < 9; k++) {
    const int32_t d = attn_tensor_gradient(tensor(names[k]));
    expect_gradient(attn_tensor_size(layer, d), attn_tensor_data(layer, d), want[k]);
  }
  attn_layer_dispose(layer);
}

/* ---- Bare passes ------------------------------------------------------------------------------------------------ */

enum { ROOM = 128 };

/* Every tensor of a pass and its gradient, with room to spare that nothing may write to. */
typedef struct bench {
  attn_pass pass;
  attn_gradients gradients;
  double column_totals[ROOM];
  float queries[ROOM], keys[ROOM], values[ROOM], scores[ROOM], weights[ROOM], sums[ROOM], column_sums[ROOM];
  float context[ROOM], d_queries[ROOM], d_keys[ROOM], d_values[ROOM], d_scores[ROOM], d_weights[ROOM], d_context[ROOM];
} bench;

static const float guard = 12345.5f;

static bench b;

static void fill_with_guards(float gradient[ROOM]) {
  for (size_t k = 0; k < ROOM; k++) gradient[k] = guard;
}

static void make_bench(size_t n_batch, size_t n_queries, size_t n_keys, size_t n_heads, size_t key_dim,
                       size_t value_dim, bool causal) {
  float *const gradients[] = {b.d_queries, b.d_keys, b.d_values, b.d_scores, b.d_weights};
  for (size_t t = 0; t < 5; t++) fill_with_guards(gradients[t]);
  b.pass = (attn_pass){.kernels = &attn_kernels_ref, .n_batch = n_batch, .n_queries = n_queries, .n_keys = n_keys,
                       .n_heads = n_heads, .key_dim = key_dim, .value_dim = value_dim,
                       .query_stride = n_heads * key_dim, .key_stride = n_heads * key_dim,
                       .value_stride = n_heads * value_dim, .context_stride = n_heads * value_dim, .scale = 0.8,
                       .causal = causal, .queries = b.queries, .keys = b.keys, .values = b.values,
                       .attn_scores = b.scores, .attn_weights = b.weights, .attn_row_sums = b.sums,
                       .attn_column_sums = b.column_sums, .column_totals = b.column_totals,
                       .block_rows = n_queries, .context_vecs = b.context};
  b.gradients = (attn_gradients){.d_queries = b.d_queries, .d_keys = b.d_keys, .d_values = b.d_values,
                                 .d_attn_scores = b.d_scores, .d_attn_weights = b.d_weights,
                                 .d_context_vecs = b.d_context};
}

/* sum of context_vecs * d_context_vecs */
static double bench_sum(void) {
  double sum = 0;
  attn_run_stages(attn_stages, &b.pass);
  for (size_t k = 0; k < b.pass.n_batch * b.pass.n_queries * b.pass.context_stride; k++) {
    sum += (double)b.context[k] * (double)b.d_context[k];
  }
  return sum;
}

/* A gradient of n numbers against central differences, and the room behind it. */
static void expect_differences(size_t n, float *x, const float *gradient) {
  for (size_t k = 0; k < n; k++) {
    const float before = x[k], step = 1.0f / 128;
    x[k] = before + step;
    const double above = bench_sum();
    x[k] = before - step;
    const double below = bench_sum();
    x[k] = before;
    EXPECT_CLOSE(1, &gradient[k], (double[]){(above - below) / (2 * (double)step)}, 2e-4, 1e-3);
  }
  for (size_t k = n; k < ROOM; k++) EXPECT_SAME(1, &gradient[k], &guard);
}

static void other_shapes(bool causal) {
  enum { SEQUENCES = 2, QUERIES = 3, KEYS = 5, HEADS = 2, KEY = 2, VALUE = 3 };
  make_bench(SEQUENCES, QUERIES, KEYS, HEADS, KEY, VALUE, causal);
  fill_distinct(ROOM, b.queries, 1);
  fill_distinct(ROOM, b.keys, 2);
  fill_distinct(ROOM, b.values, 3);
  fill_distinct(ROOM, b.d_context, 4);
  attn_run_stages(attn_stages, &b.pass);
  attn_run_backward(&b.pass, &b.gradients);
  for (size_t k = SEQUENCES * HEADS * QUERIES * KEYS; k < ROOM; k++) {
    EXPECT_SAME(1, &b.d_scores[k], &guard);
    EXPECT_SAME(1, &b.d_weights[k], &guard);
  }
  expect_differences(SEQUENCES * QUERIES * HEADS * KEY, b.queries, b.d_queries);
  expect_differences(SEQUENCES * KEYS * HEADS * KEY, b.keys, b.d_keys);
  expect_differences(SEQUENCES * KEYS * HEADS * VALUE, b.values, b.d_values);
}

static void three_queries_five_keys(void) {
  other_shapes(false);
  other_shapes(true);
}

/* Queries from other inputs than keys and values, as between two sequences: gradients that stood there are replaced. */
static void two_kinds_of_inputs(void) {
  enum { SEQUENCES = 2, QUERIES = 3, KEYS = 5, IN = 4, KEY = 2, VALUE = 3, HEADS = 2 };
  static float query_inputs[ROOM], key_inputs[ROOM], w_query[ROOM], w_key[ROOM], w_value[ROOM];
  static float d_query_inputs[ROOM], d_key_inputs[ROOM], d_w_query[ROOM], d_w_key[ROOM], d_w_value[ROOM];
  float *const tensors[] = {query_inputs, key_inputs, w_query, w_key, w_value};
  float *const gradients[] = {d_query_inputs, d_key_inputs, d_w_query, d_w_key, d_w_value};
  const size_t sizes[] = {SEQUENCES * QUERIES * IN, SEQUENCES * KEYS * IN, IN * HEADS * KEY, IN * HEADS * KEY,
                          IN * HEADS * VALUE};
  make_bench(SEQUENCES, QUERIES, KEYS, HEADS, KEY, VALUE, true);
  for (size_t t = 0; t < 5; t++) {
    fill_distinct(ROOM, tensors[t], (unsigned)t);
    fill_with_guards(gradients[t]);
  }
  b.pass.d_in = IN;
  b.pass.query_inputs = query_inputs;
  b.pass.key_inputs = key_inputs;
  b.pass.w_query = w_query;
  b.pass.w_key = w_key;
  b.pass.w_value = w_value;
  b.gradients.d_query_inputs = d_query_inputs;
  b.gradients.d_key_inputs = d_key_inputs;
  b.gradients.d_w_query = d_w_query;
  b.gradients.d_w_key = d_w_key;
  b.gradients.d_w_value = d_w_value;
  fill_distinct(ROOM, b.d_context, 9);
  attn_run_stages(attn_stages, &b.pass);
  attn_run_backward(&b.pass, &b.gradients);
  for (size_t t = 0; t < 5; t++) expect_differences(sizes[t], tensors[t], gradients[t]);

  static float given[SEQUENCES * HEADS * QUERIES * KEYS]; /* instead of scores: nothing is asked of the queries */
  fill_distinct(sizeof given / sizeof given[0], given, 10);
  b.pass.given_weights = given;
  b.pass.attn_scores = NULL;
  attn_run_stages(attn_stages, &b.pass);
  attn_run_backward(&b.pass, &b.gradients);
  for (size_t k = 0; k < sizes[0]; k++) EXPECT_CLOSE(1, &d_query_inputs[k], (double[]){0}, 0, 0);
  expect_differences(sizes[1], key_inputs, d_key_inputs);
}

/* 5 queries on 7 keys whose weights are given. */
static void pytorch_rectangular(void) {
  float given[105];
  for (size_t k = 0; k < 105; k++) given[k] = (float)context_batched_A[k];
  make_bench(3, 5, 7, 1, 1, 4, false);
  b.pass.given_weights = given;
  b.pass.attn_scores = NULL;
  for (size_t k = 0; k < 84; k++) b.values[k] = (float)context_batched_X[k];
  for (size_t k = 0; k < 60; k++) b.d_context[k] = (float)context_batched_dY[k];
  attn_run_stages(attn_stages, &b.pass);
  attn_run_backward(&b.pass, &b.gradients);
  expect_gradient(105, b.d_weights, context_batched_dA);
  expect_gradient(84, b.d_values, context_batched_dX);
}

/* ---- Layers ----------------------------------------------------------------------------------------------------- */

/* sum of the results times their incoming gradients, from anew */
static double layer_sum(attn_layer *layer) {
  const int32_t t = attn_result_tensor(layer);
  const float *result = attn_tensor_data(layer, t), *d_result = attn_tensor_data(layer, attn_tensor_gradient(t));
  double sum = 0;
  attn_tensors_changed(layer);
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (size_t k = 0; k < attn_tensor_size(layer, t); k++) sum += (double)result[k] * (double)d_result[k];
  return sum;
}

/* Every number that can be set, against central differences. Returns how many tensors that were. */
static int32_t differences_of(attn_layer *layer) {
  const int32_t result = attn_tensor_gradient(attn_result_tensor(layer));
  int32_t n_tensors = 0;
  fill_distinct(attn_tensor_size(layer, result), attn_tensor_data(layer, result), 20);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_backward(layer) == ATTN_OK);
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (attn_tensor_target(layer, t) != t) continue;
    float *x = attn_tensor_data(layer, t);
    const float *gradient = attn_tensor_data(layer, attn_tensor_gradient(t));
    for (size_t k = 0; k < attn_tensor_size(layer, t); k++) {
      const float before = x[k], step = 1.0f / 256;
      x[k] = before + step;
      const double above = layer_sum(layer);
      x[k] = before - step;
      const double below = layer_sum(layer);
      x[k] = before;
      EXPECT_CLOSE(1, &gradient[k], (double[]){(above - below) / (2 * (double)step)}, 2e-3, 2e-3);
    }
    n_tensors++;
  }
  return n_tensors;
}

static void trained_differences(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(differences_of(layer) == 9);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && differences_of(layer) == 9);
  EXPECT(choose(layer, "scale", "number", -0.3) == ATTN_OK && differences_of(layer) == 9);
  attn_layer_dispose(layer);
}

/* A batch of 3 with two heads of 2, whose inputs are queries, keys and values at once. */
static void other_differences(const char *source, bool projected, int32_t n_tensors) {
  attn_layer *layer = attn_layer_create(B, T, 4, 4, H, projected ? OUT : 0, 0, 0, 0, projected, 1, 1);
  if (!layer) abort();
  EXPECT(choose(layer, "score_source", source, 0) == ATTN_OK);
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (attn_tensor_target(layer, t) == t) fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), 7);
  }
  EXPECT(differences_of(layer) == n_tensors);
  /* Distinct numbers may sum to near zero, where a renormalised row has no honest difference. */
  for (size_t k = 0; k < count(layer, "given_weights"); k++) {
    numbers(layer, "given_weights")[k] = 1 + 0.3f * numbers(layer, "given_weights")[k];
  }
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK && differences_of(layer) == n_tensors);
  attn_layer_dispose(layer);
}

static void inputs_differences(void) {
  other_differences("inputs", false, 1);
  other_differences("inputs", true, 3);
}

static void given_differences(void) {
  other_differences("given", false, 2);
  other_differences("given", true, 4);
}

static void masked_rows(void) {
  attn_layer *layer = plain_layer(3, 2, 2, 1);
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK && choose(layer, "causal", "on", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1, 2, 3, 4, 5, 6});
  set(layer, "given_weights", (double[]){0, 1, 1, 1, 3, 5, 1, 1, 2}); /* the first row: nothing allowed but a zero */
  for (size_t k = 0; k < 6; k++) numbers(layer, "d_context_vecs")[k] = k < 4;
  EXPECT(attn_forward(layer) == ATTN_OK && attn_backward(layer) == ATTN_OK);
  /* Second row: weights 1/4 3/4, d_weights 3 7; its mean 6; divided by the sum 4. */
  EXPECT_CLOSE(9, numbers(layer, "d_attn_weights"), (double[]){0, 0, 0, -0.75, 0.25, 0, 0, 0, 0}, 0, 0);
  EXPECT_CLOSE(6, numbers(layer, "d_inputs"), (double[]){0.25, 0.25, 0.75, 0.75, 0, 0}, 0, 0);
  attn_layer_dispose(layer);
}

static void no_gradient(void) {
  attn_layer *layer = odd_layer(H);
  set(layer, "w_query", (double[12]){0});
  set(layer, "b_query", (double[4]){0});
  fill_distinct(count(layer, "d_outputs"), numbers(layer, "d_outputs"), 20);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_backward(layer) == ATTN_OK);
  EXPECT_CLOSE(12, numbers(layer, "d_w_key"), (double[12]){0}, 0, 0);
  EXPECT(fabsf(numbers(layer, "d_w_query")[0]) > 1e-3f);
  attn_layer_dispose(layer);
  layer = attn_layer_create(2, 1, 3, 4, 2, 0, 1, 1, 1, 0, 1, 1);
  if (!layer) abort();
  EXPECT(attn_init(layer, 2, 1, 0.5) == ATTN_OK);
  fill_distinct(6, numbers(layer, "inputs"), 1);
  fill_distinct(8, numbers(layer, "d_context_vecs"), 2);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_backward(layer) == ATTN_OK);
  EXPECT_CLOSE(12, numbers(layer, "d_w_query"), (double[12]){0}, 0, 0);
  EXPECT_CLOSE(12, numbers(layer, "d_w_key"), (double[12]){0}, 0, 0);
  attn_layer_dispose(layer);
}

static void directory_of_gradients(void) {
  for (int32_t source = 0; source < 3; source++) {
    attn_layer *layer = attn_layer_create(2, 3, 4, 4, 2, 5, 1, 0, 1, 1, 1, 1);
    if (!layer) abort();
    EXPECT(attn_configure(layer, 0, source, 0) == ATTN_OK);
    for (int32_t t = 0; t < tensor("d_inputs"); t++) {
      const int32_t d = attn_tensor_gradient(t), rank = attn_tensor_rank(layer, t);
      if (d < 0 || t == tensor("given_weights")) continue;
      EXPECT(strncmp(attn_tensor_name(d), "d_", 2) == 0);
      EXPECT_TEXT(attn_tensor_name(d) + 2, attn_tensor_name(t));
      EXPECT(attn_tensor_rank(layer, d) == rank && attn_tensor_target(layer, d) == -1);
      for (int32_t axis = 0; axis < rank; axis++) {
        EXPECT(attn_tensor_dim(layer, d, axis) == attn_tensor_dim(layer, t, axis));
      }
    }
    attn_layer_dispose(layer);
  }
  EXPECT(attn_tensor_gradient(tensor("given_weights")) == tensor("d_attn_weights"));
  EXPECT(attn_tensor_gradient(tensor("attn_row_sums")) == -1 && attn_tensor_gradient(tensor("attn_column_sums")) == -1);
  for (int32_t t = tensor("d_inputs"); t < attn_tensor_count(); t++) EXPECT(attn_tensor_gradient(t) == -1);
}

static void stale_gradients(void) {
  attn_layer *layer = odd_layer(H);
  const int32_t d = tensor("d_w_key");
  EXPECT(attn_backward(layer) == ATTN_STALE && attn_tensor_is_stale(layer, d));
  EXPECT(attn_forward(layer) == ATTN_OK && attn_tensor_is_stale(layer, d));
  EXPECT(attn_trace(layer, d, 1) == ATTN_STALE);
  fill_distinct(count(layer, "d_outputs"), numbers(layer, "d_outputs"), 20);
  EXPECT(attn_backward(layer) == ATTN_OK && !attn_tensor_is_stale(layer, d));
  EXPECT(attn_trace(layer, d, 1) == ATTN_OK && attn_trace_term_count(layer) == 0);
  EXPECT_TEXT(attn_trace_operation(layer), "gradient");
  EXPECT_SAME(1, numbers(layer, "d_w_key") + 1, &(float){(float)attn_trace_result(layer)});
  EXPECT(attn_forward(layer) == ATTN_OK && !attn_tensor_is_stale(layer, d));
  attn_tensors_changed(layer);
  EXPECT(attn_forward(layer) == ATTN_OK && attn_tensor_is_stale(layer, d));
  EXPECT(choose(layer, "fault", "scale_missing", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  EXPECT(attn_backward(layer) == ATTN_FAULT_PLANTED && attn_tensor_is_stale(layer, d));
  EXPECT(choose(layer, "fault", "none", 0) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  numbers(layer, "d_outputs")[7] = NAN;
  EXPECT(attn_backward(layer) == ATTN_TENSOR_NOT_FINITE && attn_error_tensor(layer) == tensor("d_outputs"));
  EXPECT(attn_error_element(layer) == 7 && attn_tensor_is_stale(layer, d));
  numbers(layer, "d_outputs")[7] = 3e38f;
  EXPECT(attn_backward(layer) == ATTN_TENSOR_NOT_FINITE && attn_error_tensor(layer) != tensor("d_outputs"));
  attn_layer_dispose(layer);
}

void backward_tests(void) {
  test("PyTorch's gradients of three heads with biases and w_out come out, the inputs' too.", pytorch_multi_head);
  test("3 queries on 5 keys, two heads, values of their own width: central differences agree, nothing else is written.",
       three_queries_five_keys);
  test("Queries from inputs of their own: central differences of both kinds of inputs and of all weights agree.",
       two_kinds_of_inputs);
  test("PyTorch's gradients of 5×7 given weights and their values come out.", pytorch_rectangular);
  test("Trained: central differences of every parameter and input, batch of 3, causal and not, any scale.",
       trained_differences);
  test("inputs · inputsᵀ: central differences of inputs that are queries, keys and values at once.",
       inputs_differences);
  test("Given weights: central differences of what the caller gave, through mask and renormalisation.",
       given_differences);
  test("A row in which nothing is allowed has no gradient; a renormalised row has the one worked out by hand.",
       masked_rows);
  test("Zero w_query leaves w_key without a gradient, and one token alone leaves both without.", no_gradient);
  test("Every gradient is named d_ and its tensor, is there with it, and has its dims.", directory_of_gradients);
  test("Gradients are stale until attn_backward and after a change; a planted bug or a bad number is refused.",
       stale_gradients);
}
