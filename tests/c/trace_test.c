/* trace_test.c: the arithmetic of every number of every tensor, held against the number itself.
 * Next to read: ../../src/trace.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

/* The traced arithmetic done again: products from the factors, their sum, the end of the formula. */
static double redo(attn_layer *layer, int32_t name, int32_t element, double *magnitude) {
  const char *operation = attn_trace_operation(layer);
  const bool softmax = strcmp(operation, "softmax") == 0, masked = strcmp(operation, "given_masked") == 0;
  const int32_t left = attn_trace_tensor(layer, 0), right = attn_trace_tensor(layer, 1);
  double sum = 0, own = 0;
  *magnitude = 0;
  for (int32_t k = 0; k < attn_trace_term_count(layer); k++) {
    const int32_t at = attn_trace_element(layer, 0, k);
    double product = (double)attn_tensor_data(layer, left)[at];
    if (right >= 0) product *= (double)attn_tensor_data(layer, right)[attn_trace_element(layer, 1, k)];
    if (softmax) product = exp(product - attn_trace_max(layer));
    sum += product;
    if (at == element) own = product;
    *magnitude += fabs(product);
    const float got[2] = {(float)attn_trace_product(layer, k), (float)attn_trace_running(layer, k)};
    EXPECT_CLOSE(2, got, (double[]){product, sum}, 1e-12, 1e-7);
  }
  if (softmax || masked) return sum == 0 ? 0 : own / sum;
  if (strcmp(operation, "masked") == 0) return name == tensor("attn_scores") ? -INFINITY : 0;
  if (strcmp(operation, "input") == 0) return (double)attn_tensor_data(layer, name)[element];
  sum *= attn_trace_scale(layer);
  const int32_t bias = attn_trace_tensor(layer, 2);
  return bias < 0 ? sum : sum + (double)attn_tensor_data(layer, bias)[attn_trace_element(layer, 2, 0)];
}

static void expect_traceable(attn_layer *layer) {
  EXPECT(attn_forward(layer) == ATTN_OK);
  for (int32_t t = 0; t < tensor("d_inputs"); t++) {
    for (int32_t k = 0; k < (int32_t)attn_tensor_size(layer, t); k++) {
      double magnitude = 0;
      EXPECT(attn_trace(layer, t, k) == ATTN_OK);
      const double want = redo(layer, t, k, &magnitude);
      const float result = (float)attn_trace_result(layer);
      EXPECT_CLOSE(1, &result, &want, 1e-12, 1e-7);
      EXPECT_CLOSE(1, &attn_tensor_data(layer, t)[k], &want, 1e-6 * (1 + magnitude), 0);
    }
  }
}

static void every_number(void) {
  for (int setting = 0; setting < 4; setting++) {
    attn_layer *layer = odd_layer(setting % 2 ? H : 1);
    EXPECT(choose(layer, "causal", setting / 2 ? "on" : "off", 0) == ATTN_OK);
    expect_traceable(layer);
    attn_layer_dispose(layer);
  }
}

static void other_sources(void) {
  for (int setting = 0; setting < 4; setting++) {
    attn_layer *layer = attn_layer_create(2, T, D_IN, D_OUT, 3, 0, 0, 0, 0, 0, 1, 1);
    if (!layer) abort();
    EXPECT(choose(layer, "causal", setting % 2 ? "on" : "off", 0) == ATTN_OK);
    EXPECT(choose(layer, "score_source", setting / 2 ? "given" : "inputs", 0) == ATTN_OK);
    fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 3);
    if (setting / 2) {
      fill_distinct(count(layer, "given_weights"), numbers(layer, "given_weights"), 4);
      numbers(layer, "given_weights")[T] = numbers(layer, "given_weights")[T + 1] = 0; /* row 1, masked, sums to 0 */
    }
    expect_traceable(layer);
    attn_layer_dispose(layer);
  }
}

static bool is_off(attn_layer *layer, int32_t t, int32_t k) {
  EXPECT(attn_trace(layer, t, k) == ATTN_OK);
  const double shown = (double)attn_tensor_data(layer, t)[k], result = attn_trace_result(layer);
  if (isinf(shown) || isinf(result)) return !(isinf(shown) && isinf(result));
  return fabs(shown - result) > 1e-5 * (1 + fabs(result));
}

/* The tensors whose numbers are not what their operands make them: where the fault was planted. */
static void expect_at_fault(const char *fault, const char *first, const char *second) {
  attn_layer *layer = odd_layer(H);
  EXPECT(choose(layer, "causal", "on", 0) == ATTN_OK);
  EXPECT(choose(layer, "fault", fault, 2) == ATTN_OK && attn_forward(layer) == ATTN_OK);
  for (int32_t t = 0; t < tensor("d_inputs"); t++) {
    bool off = false;
    for (int32_t k = 0; k < (int32_t)attn_tensor_size(layer, t); k++) off |= is_off(layer, t, k);
    const bool blamed = strcmp(attn_tensor_name(t), first) == 0 || strcmp(attn_tensor_name(t), second) == 0;
    EXPECT(off == blamed);
  }
  attn_layer_dispose(layer);
}

static void faults_are_located(void) {
  expect_at_fault("weight_altered", "attn_weights", "");
  expect_at_fault("term_wrong", "context_vecs", "");
  expect_at_fault("input_altered", "context_vecs", "");
  expect_at_fault("softmax_columns", "attn_weights", "");
  expect_at_fault("mask_off_by_one", "attn_scores", "");
  expect_at_fault("mask_after_softmax", "attn_scores", "attn_weights");
  expect_at_fault("mask_fill_zero", "attn_scores", "");
  expect_at_fault("mask_fill_large", "attn_scores", "");
  expect_at_fault("scale_missing", "attn_scores", "");
  expect_at_fault("scale_sqrt_d_out", "attn_scores", "");
  expect_at_fault("query_key_swapped", "attn_scores", "");
  expect_at_fault("heads_reshaped", "attn_scores", "context_vecs");
}

static void refused(void) {
  attn_layer *layer = odd_layer(H);
  EXPECT(attn_trace(layer, tensor("inputs"), 1) == ATTN_OK);
  EXPECT_TEXT(attn_trace_operation(layer), "input");
  EXPECT(attn_trace(layer, tensor("outputs"), 1) == ATTN_STALE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  EXPECT(attn_trace(layer, tensor("outputs"), B * T * OUT) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_trace(layer, tensor("outputs"), -1) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_trace(layer, tensor("given_weights"), 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_trace(layer, -1, 0) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_trace(layer, attn_tensor_count(), 0) == ATTN_INDEX_OUT_OF_RANGE);
  attn_layer_dispose(layer);
}

void trace_tests(void) {
  test("Every number of every tensor equals its traced arithmetic: trained, 1 and 2 heads, mask off and on.",
       every_number);
  test("So it does for inputs · inputsᵀ and for given weights, where the values are the inputs.", other_sources);
  test("A planted fault puts result and number apart in the tensor that its stage makes, and in no other.",
       faults_are_located);
  test("What is stale or not there has no arithmetic to show.", refused);
}
