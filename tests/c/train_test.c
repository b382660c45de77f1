/* train_test.c: loss and steps worked out by hand, what a step may not touch, divergence, the numerical check.
 * PyTorch's own steps are compared in tests/node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "suites.h"

enum { SGD, ADAM };

/* All rows count, and their targets are distinct numbers. */
static attn_layer *pupil(void) {
  attn_layer *layer = odd_layer(H);
  fill_distinct(count(layer, "outputs"), attn_targets(layer), 30);
  for (size_t t = 0; t < T; t++) attn_target_rows(layer)[t] = 1;
  return layer;
}

/* One number per tensor: context = w_value * inputs, for attention on one token is 1. */
static attn_layer *scalar(double input, double w_value, double target) {
  attn_layer *layer = plain_layer(1, 1, 1, 1);
  set(layer, "inputs", &input);
  set(layer, "w_value", &w_value);
  attn_targets(layer)[0] = (float)target;
  attn_target_rows(layer)[0] = 1;
  return layer;
}

static void loss_by_hand(void) {
  attn_layer *layer = attn_layer_create(2, 2, 2, 2, 1, 0, 0, 0, 0, 0, 1, 1);
  if (!layer) abort();
  EXPECT(choose(layer, "score_source", "given", 0) == ATTN_OK);
  set(layer, "inputs", (double[]){1, 2, 3, 4, 5, 6, 7, 8});
  set(layer, "given_weights", (double[]){1, 0, 0, 1, 1, 0, 0, 1}); /* context_vecs = inputs */
  EXPECT(attn_measure_loss(layer) == ATTN_STALE && attn_forward(layer) == ATTN_OK);
  EXPECT(attn_measure_loss(layer) == ATTN_NO_TARGETS);
  const float targets[] = {NAN, 100, 3, 2, 100, 100, 8, 5};
  memcpy(attn_targets(layer), targets, sizeof targets);
  attn_target_rows(layer)[1] = 1; /* the second token of both sequences: differences 0, 2, -1, 3 */
  EXPECT(attn_measure_loss(layer) == ATTN_OK && attn_loss(layer) >= 3.5 && attn_loss(layer) <= 3.5);
  attn_target_rows(layer)[0] = 1;
  EXPECT(attn_measure_loss(layer) == ATTN_NUMBER_NOT_FINITE);
  attn_layer_dispose(layer);
}

static void sgd_by_hand(void) {
  attn_layer *layer = scalar(2, 3, 5); /* loss 1, d_w = 2 · 1 · 2 = 4 */
  EXPECT(attn_train_step(layer, SGD, 0.125, 0.5) == ATTN_OK);
  EXPECT(attn_loss(layer) >= 1 && attn_loss(layer) <= 1 && attn_gradient_norm(layer) >= 4);
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.5}, 0, 0);
  EXPECT_CLOSE(1, numbers(layer, "context_vecs"), (double[]){5}, 0, 0); /* of the new parameter, not stale */
  EXPECT(!attn_tensor_is_stale(layer, tensor("context_vecs")) && attn_tensor_is_stale(layer, tensor("d_w_value")));
  EXPECT(attn_train_step(layer, SGD, 0.125, 0.5) == ATTN_OK); /* gradient 0, velocity 2 */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.25}, 0, 0);
  attn_reset_optimizer(layer);
  EXPECT(attn_train_step(layer, SGD, 0.125, 0.5) == ATTN_OK); /* 4.5 - 5: gradient -2, no velocity before it */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.5}, 0, 0);
  attn_layer_dispose(layer);
}

static void plain_step_is_remembered(void) {
  attn_layer *layer = scalar(2, 3, 5);
  EXPECT(attn_train_step(layer, SGD, 0.125, 0) == ATTN_OK);
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.5}, 0, 0);
  EXPECT(attn_train_step(layer, SGD, 0.125, 0.5) == ATTN_OK); /* gradient 0, velocity 0.5 · 4 */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.25}, 0, 0);
  EXPECT(attn_train_step(layer, SGD, 0.125, 0) == ATTN_OK); /* 4.5 - 5: gradient -2; the velocity counts for nothing */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.5}, 0, 0);
  attn_layer_dispose(layer);
}

static void adam_by_hand(void) {
  attn_layer *layer = scalar(2, 3, 5);
  EXPECT(attn_train_step(layer, ADAM, 0.125, 0) == ATTN_OK); /* at first m̂ = g and √v̂ = |g|: a step of the rate */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.875}, 0, 1e-7);
  /* g = 2 · 0.75 · 2 = 3: m = 0.66, v = 0.024984, m̂ = 0.66/0.19, v̂ = 0.024984/0.001999 */
  EXPECT(attn_train_step(layer, ADAM, 0.125, 0) == ATTN_OK);
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){2.875 - 0.125 * (0.66 / 0.19) / sqrt(0.024984 / 0.001999)}, 0,
               2e-7);
  EXPECT(attn_train_step(layer, SGD, 0, 0.9) == ATTN_OK && attn_train_step(layer, ADAM, 0.125, 0) == ATTN_OK);
  const double before = 2.875 - 0.125 * (0.66 / 0.19) / sqrt(0.024984 / 0.001999);
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){before - 0.125}, 0, 2e-7); /* another optimiser: from anew */
  attn_layer_dispose(layer);
}

static void norm_is_of_all_parameters(void) {
  attn_layer *layer = pupil();
  EXPECT(attn_check_gradient(layer, 0, 0, 1e-2) == ATTN_OK); /* for the gradients of the loss */
  double sum = 0;
  for (int32_t t = tensor("d_w_query"); t <= tensor("d_b_out"); t++) {
    for (size_t k = 0; k < attn_tensor_size(layer, t); k++) sum += pow((double)attn_tensor_data(layer, t)[k], 2);
  }
  EXPECT(attn_train_step(layer, SGD, 0.1, 0) == ATTN_OK);
  EXPECT(fabs(attn_gradient_norm(layer) - sqrt(sum)) <= 1e-12 * sqrt(sum));
  attn_layer_dispose(layer);
}

static void all_learn(void) {
  for (int32_t optimizer = SGD; optimizer <= ADAM; optimizer++) {
    attn_layer *layer = pupil();
    double first = 0;
    for (int32_t k = 0; k < 40; k++) {
      EXPECT(attn_train_step(layer, optimizer, 0.02, 0.5) == ATTN_OK);
      if (k == 0) first = attn_loss(layer);
    }
    EXPECT(attn_loss(layer) < 0.8 * first);
    attn_layer_dispose(layer);
  }
}

/* Do two layers have the same parameters, bit for bit?  A second pupil stands for what the first one was. */
static bool same(attn_layer *one, attn_layer *two) {
  bool equal = true;
  for (int32_t t = tensor("w_query"); t <= tensor("b_out"); t++) {
    const size_t n = attn_tensor_size(one, t);
    const float *a = attn_tensor_data(one, t), *c = attn_tensor_data(two, t);
    equal = equal && (n == 0 || memcmp(a, c, n * sizeof(float)) == 0);
  }
  return equal;
}

/* A step keeps what was before it over gradients: a few tokens have fewer of them than the parameters are, many have more. */
static attn_layer *tokens(int32_t n) {
  attn_layer *layer = plain_layer(n, 7, 10, 2);
  for (int32_t t = tensor("inputs"); t <= tensor("w_value"); t++) {
    fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
  }
  for (int32_t t = 0; t < n; t++) attn_target_rows(layer)[t] = 1;
  return layer;
}

static attn_layer *two_tokens(void) {
  return tokens(2);
}

static attn_layer *many_tokens(void) {
  return tokens(24);
}

static void expect_undone(attn_layer *(*make)(void)) {
  for (int32_t optimizer = SGD; optimizer <= ADAM; optimizer++) {
    attn_layer *layer = make(), *other = make();
    const char *result = attn_tensor_name(attn_result_tensor(layer));
    EXPECT(attn_train_step(layer, optimizer, 0.01, 0.9) == ATTN_OK);
    EXPECT(attn_train_step(other, optimizer, 0.01, 0.9) == ATTN_OK);
    EXPECT(attn_train_step(layer, optimizer, 3e38, 0.9) == ATTN_DIVERGED);
    EXPECT(attn_error_tensor(layer) >= 0 && attn_error_element(layer) >= 0);
    EXPECT(same(layer, other) && !attn_tensor_is_stale(layer, tensor(result)));
    EXPECT_SAME(count(layer, result), numbers(layer, result), numbers(other, result));
    /* The optimiser too is what it was. */
    EXPECT(attn_train_step(layer, optimizer, 0.01, 0.9) == ATTN_OK && !same(layer, other));
    EXPECT(attn_train_step(other, optimizer, 0.01, 0.9) == ATTN_OK && same(layer, other));
    attn_layer_dispose(layer);
    attn_layer_dispose(other);
  }
}

static void divergence(void) {
  expect_undone(pupil);
  expect_undone(two_tokens);
  expect_undone(many_tokens);
}

/* A layer that has made one step, with its gradients of now. */
static attn_layer *beginner(void) {
  attn_layer *layer = attn_layer_create(1, 3, 2, 2, 1, 2, 0, 0, 0, 0, 1, 1);
  if (!layer) abort();
  for (int32_t t = tensor("inputs"); t <= tensor("w_out"); t++) {
    fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
  }
  attn_target_rows(layer)[2] = 1;
  EXPECT(attn_train_step(layer, SGD, 0.01, 0.9) == ATTN_OK);
  EXPECT(attn_check_gradient(layer, tensor("w_query"), 0, 0.01) == ATTN_OK);
  return layer;
}

/* A step that moves nothing, while w_out is there without the other parameters. */
static void step_without_others(attn_layer *layer, int32_t optimizer) {
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  EXPECT(attn_train_step(layer, optimizer, 0, 0.9) == ATTN_OK);
  EXPECT(choose(layer, "score_source", "trained", 0) == ATTN_OK);
}

static void absent_parameters_wait(void) {
  for (int32_t optimizer = SGD; optimizer <= ADAM; optimizer++) {
    attn_layer *layer = beginner(), *other = beginner();
    step_without_others(layer, optimizer);
    if (optimizer == ADAM) {
      attn_reset_optimizer(other); /* what another optimiser remembered counts for nothing, there or not */
      step_without_others(other, optimizer);
    }
    EXPECT(attn_train_step(layer, optimizer, 0.01, 0.9) == ATTN_OK);
    EXPECT(attn_train_step(other, optimizer, 0.01, 0.9) == ATTN_OK);
    EXPECT_SAME(4, numbers(layer, "w_query"), numbers(other, "w_query"));
    attn_layer_dispose(layer);
    attn_layer_dispose(other);
  }
}

/* A step by another optimiser that fails leaves the memory of the one before: step for step as if it had not been. */
static void divergence_on_change(void) {
  for (int32_t optimizer = SGD; optimizer <= ADAM; optimizer++) {
    attn_layer *layer = pupil(), *other = pupil();
    for (int32_t k = 0; k < 10; k++) {
      if (k == 5) EXPECT(attn_train_step(layer, optimizer == SGD ? ADAM : SGD, 1e38, 0) == ATTN_DIVERGED);
      EXPECT(attn_train_step(layer, optimizer, 0.01, 0.9) == ATTN_OK);
      EXPECT(attn_train_step(other, optimizer, 0.01, 0.9) == ATTN_OK && same(layer, other));
    }
    attn_layer_dispose(layer);
    attn_layer_dispose(other);
  }
}

static void gradient_overflows(void) {
  attn_layer *layer = scalar(1e20, 1e10, 0); /* results of 1e30; their gradient by w_value is 2e50 */
  EXPECT(attn_train_step(layer, SGD, 1e-30, 0) == ATTN_DIVERGED);
  EXPECT(attn_error_tensor(layer) == tensor("d_w_query")); /* the first of those that are not finite: no parameter is */
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){1e10}, 0, 0);
  attn_layer_dispose(layer);
  layer = scalar(1e10, 1e5, 0); /* a gradient of 2e25 is finite, its square in Adam's memory is not */
  EXPECT(attn_train_step(layer, ADAM, 0.1, 0) == ATTN_DIVERGED && attn_error_tensor(layer) == tensor("d_w_value"));
  EXPECT_CLOSE(1, numbers(layer, "w_value"), (double[]){1e5}, 0, 0);
  attn_layer_dispose(layer);
  layer = scalar(1, 0, -1e38); /* gradients of 2e38, of which the velocity holds one, but not 0.9 of it and another */
  EXPECT(attn_train_step(layer, SGD, 0, 0.9) == ATTN_OK);
  EXPECT(attn_train_step(layer, SGD, 0, 0.9) == ATTN_DIVERGED && attn_error_tensor(layer) == tensor("d_w_value"));
  attn_layer_dispose(layer);
}

static void steps_refused(void) {
  attn_layer *layer = pupil(), *other = pupil();
  EXPECT(attn_train_step(layer, 2, 0.1, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(attn_train_step(layer, -1, 0.1, 0) == ATTN_UNKNOWN_CHOICE);
  EXPECT(attn_train_step(layer, SGD, NAN, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_train_step(layer, SGD, -0.1, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_train_step(layer, SGD, 0.1, INFINITY) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_train_step(layer, SGD, 0.1, 1) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_train_step(layer, SGD, 0.1, -0.1) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(choose(layer, "fault", "scale_missing", 0) == ATTN_OK);
  EXPECT(attn_train_step(layer, SGD, 0.1, 0) == ATTN_FAULT_PLANTED);
  EXPECT(choose(layer, "fault", "none", 0) == ATTN_OK);
  numbers(layer, "inputs")[3] = NAN;
  attn_tensors_changed(layer);
  EXPECT(attn_train_step(layer, SGD, 0.1, 0) == ATTN_TENSOR_NOT_FINITE && attn_error_element(layer) == 3);
  numbers(layer, "inputs")[3] = 0;
  memset(attn_target_rows(layer), 0, T * sizeof(int32_t));
  EXPECT(attn_train_step(layer, SGD, 0.1, 0) == ATTN_NO_TARGETS);
  EXPECT(same(layer, other));
  attn_layer_dispose(layer);
  attn_layer_dispose(other);
  layer = plain_layer(3, 2, 2, 1);
  attn_target_rows(layer)[0] = 1;
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  EXPECT(attn_train_step(layer, SGD, 0.1, 0) == ATTN_NO_PARAMETERS);
  attn_layer_dispose(layer);
}

static void check_restores(void) {
  attn_layer *layer = pupil(), *other = pupil();
  EXPECT(attn_forward(other) == ATTN_OK);
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (attn_tensor_target(layer, t) < 0) continue;
    const int32_t last = (int32_t)attn_tensor_size(layer, t) - 1;
    EXPECT(attn_check_gradient(layer, t, last, 1e-2) == ATTN_OK);
    EXPECT(fabs(attn_gradient_difference(layer)) <= 2e-4 + 1e-3 * fabs(attn_gradient_analytic(layer)));
    EXPECT(fabs(attn_gradient_analytic(layer) - attn_gradient_numerical(layer) - attn_gradient_difference(layer)) <= 0);
    const float analytic = (float)attn_gradient_analytic(layer);
    EXPECT_SAME(1, attn_tensor_data(layer, attn_tensor_gradient(t)) + last, &analytic);
    EXPECT(!attn_tensor_is_stale(layer, attn_tensor_gradient(t)));
    EXPECT_SAME(count(layer, "outputs"), numbers(layer, "outputs"), numbers(other, "outputs"));
  }
  EXPECT(same(layer, other));
  attn_layer_dispose(layer);
  attn_layer_dispose(other);
}

static void checks_refused(void) {
  attn_layer *layer = pupil();
  const int32_t w = tensor("w_query");
  EXPECT(attn_check_gradient(layer, -1, 0, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, attn_tensor_count(), 0, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, tensor("queries"), 0, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, tensor("given_weights"), 0, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, w, 12, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, w, -1, 1e-2) == ATTN_INDEX_OUT_OF_RANGE);
  EXPECT(attn_check_gradient(layer, w, 0, 0) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_check_gradient(layer, w, 0, -1) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_check_gradient(layer, w, 0, 1e-30) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_check_gradient(layer, w, 0, 1e39) == ATTN_NUMBER_NOT_FINITE);
  EXPECT(attn_forward(layer) == ATTN_OK);
  const float before = numbers(layer, "w_query")[0], result = numbers(layer, "outputs")[0];
  EXPECT(attn_check_gradient(layer, w, 0, 3e38) == ATTN_TENSOR_NOT_FINITE && attn_error_tensor(layer) >= 0);
  EXPECT_SAME(1, numbers(layer, "w_query"), &before);
  EXPECT_SAME(1, numbers(layer, "outputs"), &result);
  EXPECT(!attn_tensor_is_stale(layer, tensor("outputs")));
  attn_layer_dispose(layer);
}

/* Steps of a layer whose only parameter is w_out, the last of all, against the formulas, with attn_backward's gradients. */
static void last_parameter_alone(int32_t optimizer, double momentum) {
  enum { N = D_IN * OUT };
  attn_layer *layer = attn_layer_create(1, T, D_IN, D_IN, 1, OUT, 0, 0, 0, 0, 1, 1);
  if (!layer) abort();
  EXPECT(choose(layer, "score_source", "inputs", 0) == ATTN_OK);
  fill_distinct(count(layer, "inputs"), numbers(layer, "inputs"), 40);
  fill_distinct(N, numbers(layer, "w_out"), 41);
  fill_distinct(T * OUT, attn_targets(layer), 42);
  for (size_t t = 0; t < T; t++) attn_target_rows(layer)[t] = 1;
  attn_tensors_changed(layer);
  double w[N], m[N] = {0}, v[N] = {0}, power1 = 1, power2 = 1;
  for (size_t k = 0; k < N; k++) w[k] = (double)numbers(layer, "w_out")[k];
  for (int n = 0; n < 3; n++) {
    EXPECT(attn_forward(layer) == ATTN_OK);
    for (size_t k = 0; k < T * OUT; k++) {
      const double difference = (double)numbers(layer, "outputs")[k] - (double)attn_targets(layer)[k];
      numbers(layer, "d_outputs")[k] = (float)(2 * difference / (T * OUT));
    }
    EXPECT(attn_backward(layer) == ATTN_OK);
    power1 *= 0.9, power2 *= 0.999;
    for (size_t k = 0; k < N; k++) {
      const double g = (double)numbers(layer, "d_w_out")[k];
      m[k] = optimizer == ADAM ? 0.9 * m[k] + 0.1 * g : momentum * m[k] + g;
      v[k] = 0.999 * v[k] + 0.001 * g * g;
      w[k] -= 0.05 * (optimizer == ADAM ? m[k] / (1 - power1) / (sqrt(v[k] / (1 - power2)) + 1e-8) : m[k]);
    }
    EXPECT(attn_train_step(layer, optimizer, 0.05, momentum) == ATTN_OK);
    EXPECT_CLOSE(N, numbers(layer, "w_out"), w, 1e-5, 0);
  }
  attn_layer_dispose(layer);
}

static void last_parameter(void) {
  last_parameter_alone(SGD, 0);
  last_parameter_alone(SGD, 0.5);
  last_parameter_alone(ADAM, 0);
}

void train_tests(void) {
  test("The loss is the mean over all numbers of the target rows of all sequences; other rows do not count.",
       loss_by_hand);
  test("A step of gradient descent with momentum is the one worked out by hand; results then follow it.", sgd_by_hand);
  test("A step without momentum forgets the velocity before it, and its gradient is the next one's.",
       plain_step_is_remembered);
  test("Steps of Adam are the ones worked out by hand; after another optimiser it starts anew.", adam_by_hand);
  test("The gradient's norm is over all parameters, before the step.", norm_is_of_all_parameters);
  test("Both optimisers bring the loss of three sequences with every parameter down.", all_learn);
  test("Steps of w_out alone are those of the formulas, by each optimiser, and what it remembers is w_out's.",
       last_parameter);
  test("A step that diverges changes neither parameters nor results nor the optimiser, bit for bit.", divergence);
  test("A gradient that no float holds, or whose square or velocity none holds, is divergence and changes nothing.",
       gradient_overflows);
  test("A step that diverges by another optimiser leaves the memory of the one before.", divergence_on_change);
  test("What is remembered of a parameter that is not there for a while is there when it is.", absent_parameters_wait);
  test("A step that cannot be taken says why and changes nothing.", steps_refused);
  test("The numerical check agrees for every tensor that can be set, and leaves no trace in the layer.",
       check_restores);
  test("A check of what is not there, or by no step, is refused; one that overflows leaves no trace.", checks_refused);
}
