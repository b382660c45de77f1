/* train.c: learning: the loss over chosen rows, one step of an optimiser down its gradient, and the numerical check of
 * that gradient. Each call works on what the layer holds and allocates nothing; whatever does not end in finite numbers
 * is undone. Gradients are backward.c's, results forward.c's. Next to read: attention.h (attn_train_step). */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "simd.h"

float *attn_targets(attn_layer *layer) {
  return layer->shape.keep_gradients ? layer->training.targets : NULL;
}

int32_t *attn_target_rows(attn_layer *layer) {
  return layer->shape.keep_gradients ? layer->training.target_rows : NULL;
}

double attn_loss(const attn_layer *layer) {
  return layer->training.loss;
}

double attn_gradient_norm(const attn_layer *layer) {
  return layer->training.gradient_norm;
}

static void forget(attn_training *training) {
  memset(training->first, 0, training->n_parameters * sizeof(float));
  memset(training->second, 0, training->n_parameters * sizeof(float));
}

void attn_reset_optimizer(attn_layer *layer) {
  forget(&layer->training);
  layer->training.power1 = layer->training.power2 = 1;
}

/* ---- The loss -------------------------------------------------------------------------------------------------- */

/* sum (result - target)^2 over n numbers;  d_result = share (result - target), not written if NULL. A sum of its own for
 * each place in a vector. */
static double compare(size_t n, const float *result, const float *target, double share, float *d_result) {
  dvec low_sum = {0}, high_sum = {0};
  size_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    const dvec low = load_two(result + k) - load_two(target + k);
    const dvec high = load_two(result + k + 2) - load_two(target + k + 2);
    low_sum += low * low, high_sum += high * high;
    if (d_result) store(d_result + k, rounded_four(share * low, share * high));
  }
  double sum = (low_sum[0] + low_sum[1]) + (high_sum[0] + high_sum[1]);
  for (; k < n; k++) {
    const double difference = (double)result[k] - (double)target[k];
    sum += difference * difference;
    if (d_result) d_result[k] = (float)(share * difference);
  }
  return sum;
}

/* loss = sum (result - target)^2 / n,  n being how many numbers the rows that count have;
 * d_result = 2 (result - target) / n,  0 in the other rows; not written if NULL */
static attn_status measure(attn_layer *layer, float *d_result) {
  attn_training *training = &layer->training;
  const int32_t tensor = attn_result_tensor(layer);
  const size_t n_tokens = (size_t)layer->shape.n_tokens, n_rows = (size_t)layer->shape.n_batch * n_tokens;
  const size_t width = (size_t)attn_tensor_dim(layer, tensor, 2);
  const float *result = layer->data[tensor];
  size_t n = 0;
  for (size_t token = 0; token < n_tokens; token++) n += training->target_rows[token] ? width * (n_rows / n_tokens) : 0;
  if (n == 0) return ATTN_NO_TARGETS;
  double sum = 0;
  for (size_t row = 0; row < n_rows; row++) {
    const size_t at = row * width;
    float *d_row = d_result ? d_result + at : NULL;
    if (training->target_rows[row % n_tokens]) {
      sum += compare(width, result + at, training->targets + at, 2 / (double)n, d_row);
    } else if (d_row) {
      memset(d_row, 0, width * sizeof(float));
    }
  }
  training->loss = sum / (double)n;
  return isfinite(training->loss) ? ATTN_OK : ATTN_NUMBER_NOT_FINITE;
}

attn_status attn_measure_loss(attn_layer *layer) {
  attn_clear_error(layer);
  if (!layer->shape.keep_gradients) return ATTN_NOT_KEPT;
  return layer->stale ? ATTN_STALE : measure(layer, NULL);
}

/* The loss and its gradient by the results, which are computed first if they are stale. */
static attn_status differentiate(attn_layer *layer) {
  attn_status status = layer->stale ? attn_forward(layer) : ATTN_OK;
  if (status != ATTN_OK) return status;
  layer->gradients_stale = true;
  return measure(layer, layer->data[attn_tensor_gradient(attn_result_tensor(layer))]);
}

/* ---- The optimisers -------------------------------------------------------------------------------------------- */

const char *attn_optimizer_name(int32_t optimizer) {
  static const char *const names[ATTN_N_OPTIMIZERS] = {[ATTN_SGD] = "sgd", [ATTN_ADAM] = "adam"};
  return optimizer >= 0 && optimizer < ATTN_N_OPTIMIZERS ? names[optimizer] : NULL;
}

/* The parameters that are there, as one row of numbers: what lies between them is 0, and so are its gradients. The row
 * starts so many numbers behind the first parameter of all. */
typedef struct parameter_row {
  size_t n;
  ptrdiff_t start;
} parameter_row;

static parameter_row parameters(const attn_layer *layer) {
  int32_t first = ATTN_FIRST_PARAMETER, last = ATTN_LAST_PARAMETER;
  while (first < last && attn_tensor_size(layer, first) == 0) first++;
  while (last > first && attn_tensor_size(layer, last) == 0) last--;
  const float *start = layer->data[first], *end = layer->data[last] + attn_tensor_size(layer, last);
  return (parameter_row){(size_t)(end - start), start - layer->data[ATTN_FIRST_PARAMETER]};
}

static float *gradients(const attn_layer *layer) {
  return layer->data[attn_tensor_gradient(ATTN_FIRST_PARAMETER)];
}

/* v' = momentum v + g;  w -= rate v'.  v' takes the place of g. */
static void sgd(size_t n, float *g, double rate, double momentum, float *w, const float *v) {
  size_t k = 0;
  for (; momentum == 0 && k + LANES <= n; k += LANES) { /* the same numbers: v' is g */
    const dvec low = load_two(w + k) - rate * load_two(g + k), high = load_two(w + k + 2) - rate * load_two(g + k + 2);
    store(w + k, rounded_four(low, high));
  }
  for (; k < n; k++) {
    const double velocity = momentum * (double)v[k] + (double)g[k];
    g[k] = (float)velocity;
    w[k] = (float)((double)w[k] - rate * velocity);
  }
}

static const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

/* m' = β1 m + (1 - β1) g;  v' = β2 v + (1 - β2) g²;  w -= rate (m' / (1 - β1^t)) / (√(v' / (1 - β2^t)) + ε)
 * m' takes the place of g, and v' may be the memory of v and of m. */
static void adam(size_t n, float *g, double rate, double power1, double power2, float *w, const float *m,
                 const float *v, float *next_v) {
  for (size_t k = 0; k < n; k++) {
    const double first = beta1 * (double)m[k] + (1 - beta1) * (double)g[k];
    const double second = beta2 * (double)v[k] + (1 - beta2) * (double)g[k] * (double)g[k];
    g[k] = (float)first;
    next_v[k] = (float)second;
    w[k] = (float)((double)w[k] - rate * (first / (1 - power1)) / (sqrt(second / (1 - power2)) + epsilon));
  }
}

static double norm(size_t n, const float *x) {
  dvec low_sum = {0}, high_sum = {0};
  size_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    const dvec low = load_two(x + k), high = load_two(x + k + 2);
    low_sum += low * low, high_sum += high * high;
  }
  for (; k < n; k++) low_sum[0] += (double)x[k] * (double)x[k];
  return sqrt((low_sum[0] + low_sum[1]) + (high_sum[0] + high_sum[1]));
}

/* The norm of the gradients, which is finite if all of them are, and so everything that they come from. If not, look for
 * the first that is at fault. */
static attn_status measure_gradients(attn_layer *layer, parameter_row row) {
  layer->training.gradient_norm = norm(row.n, gradients(layer) + row.start);
  if (isfinite(layer->training.gradient_norm)) return ATTN_OK;
  const int32_t incoming = attn_tensor_gradient(attn_result_tensor(layer));
  const attn_status status = attn_check_finite(layer, incoming, incoming);
  return status == ATTN_OK ? attn_check_finite(layer, ATTN_D_INPUTS + 1, ATTN_N_TENSORS - 1) : status;
}

/* Is what the optimiser remembers of each parameter finite?  At one glance, with what lies between them. */
static attn_status check_remembered(attn_layer *layer, const float *remembered) {
  if (isfinite(attn_magnitude(layer->training.n_parameters, remembered))) return ATTN_OK;
  for (int32_t t = ATTN_FIRST_PARAMETER; t <= ATTN_LAST_PARAMETER; t++) {
    const float *numbers = remembered + (layer->data[t] - layer->data[ATTN_FIRST_PARAMETER]);
    for (size_t k = 0; k < attn_tensor_size(layer, t); k++) {
      if (!isfinite(numbers[k])) return attn_not_finite(layer, attn_tensor_gradient(t), k, numbers[k]);
    }
  }
  return ATTN_OK; /* it is left from a parameter that the configuration does not have now */
}

/* Step all parameters that are there. What was before stays until it is known that the step is good: parameters are
 * copied, and what the optimiser is to remember is written over gradients, which are stale now: see attn_training.
 * ATTN_TENSOR_NOT_FINITE if a gradient is so large that what is to be remembered of it is not finite; the parameters
 * themselves are judged by attn_forward. */
static attn_status step(attn_layer *layer, parameter_row row, bool anew, double rate, double momentum) {
  attn_training *training = &layer->training;
  const size_t bytes = training->n_parameters * sizeof(float);
  const bool uses_second = training->optimizer == ATTN_ADAM;
  const float *first = training->first, *second = training->second;
  memcpy(training->kept_parameters, layer->data[ATTN_FIRST_PARAMETER], bytes);
  if (anew) first = second = memset(training->next_second, 0, bytes);
  training->power1 *= beta1;
  training->power2 *= beta2;
  attn_tensors_changed(layer);
  float *w = layer->data[ATTN_FIRST_PARAMETER] + row.start, *g = gradients(layer) + row.start;
  first += row.start, second += row.start;
  if (!uses_second) sgd(row.n, g, rate, momentum, w, first);
  else adam(row.n, g, rate, training->power1, training->power2, w, first, second, training->next_second + row.start);
  if (!uses_second && momentum == 0) return ATTN_OK; /* it is the gradient */
  const attn_status status = check_remembered(layer, gradients(layer));
  return status == ATTN_OK && uses_second ? check_remembered(layer, training->next_second) : status;
}

/* The step was good: remember it; anew, and nothing else. */
static void keep(attn_layer *layer, parameter_row row, bool anew) {
  attn_training *training = &layer->training;
  const size_t bytes = row.n * sizeof(float);
  if (anew) forget(training);
  memcpy(training->first + row.start, gradients(layer) + row.start, bytes);
  if (training->optimizer == ATTN_ADAM) memcpy(training->second + row.start, training->next_second + row.start, bytes);
}

/* Undo a step. */
static void put_back(attn_layer *layer, int32_t optimizer, double power1, double power2) {
  attn_training *training = &layer->training;
  memcpy(layer->data[ATTN_FIRST_PARAMETER], training->kept_parameters, training->n_parameters * sizeof(float));
  training->optimizer = optimizer;
  training->power1 = power1;
  training->power2 = power2;
}

/* Compute the results of numbers that were put back, and still say where the failure was seen. */
static attn_status put_right(attn_layer *layer, attn_status failure) {
  const attn_bad_number found = layer->error;
  const attn_status status = attn_forward(layer);
  if (status != ATTN_OK) return status;
  layer->error = found;
  return failure;
}

attn_status attn_train_step(attn_layer *layer, int32_t optimizer, double learning_rate, double momentum) {
  attn_training *training = &layer->training;
  attn_clear_error(layer);
  if (!attn_optimizer_name(optimizer)) return ATTN_UNKNOWN_CHOICE;
  if (!isfinite(learning_rate) || learning_rate < 0) return ATTN_NUMBER_NOT_FINITE;
  if (!(momentum >= 0 && momentum < 1)) return ATTN_NUMBER_NOT_FINITE;
  if (!layer->shape.keep_gradients) return ATTN_NOT_KEPT;
  const parameter_row row = parameters(layer);
  if (row.n == 0) return ATTN_NO_PARAMETERS;
  attn_status status = differentiate(layer);
  if (status == ATTN_OK) status = attn_backward_to_parameters(layer);
  if (status == ATTN_OK) status = measure_gradients(layer, row);
  if (status != ATTN_OK) {
    /* Results are finite: then it is the gradient that is not, and a step was the way here. */
    return status == ATTN_TENSOR_NOT_FINITE && !layer->stale ? ATTN_DIVERGED : status;
  }
  const int32_t optimizer_before = training->optimizer;
  const double power1 = training->power1, power2 = training->power2;
  const bool anew = optimizer_before != optimizer;
  if (anew) training->power1 = training->power2 = 1;
  training->optimizer = optimizer;
  status = step(layer, row, anew, learning_rate, momentum);
  if (status == ATTN_OK) status = attn_forward(layer);
  if (status == ATTN_OK) {
    keep(layer, row, anew);
    return ATTN_OK;
  }
  put_back(layer, optimizer_before, power1, power2);
  return put_right(layer, ATTN_DIVERGED);
}

/* ---- The numerical check ---------------------------------------------------------------------------------------- */

/* The loss with another number in the place of x. */
static attn_status loss_at(attn_layer *layer, float number, float *x, double *loss) {
  *x = number;
  attn_tensors_changed(layer);
  attn_status status = attn_forward(layer);
  if (status == ATTN_OK) status = measure(layer, NULL);
  *loss = layer->training.loss;
  return status;
}

attn_status attn_check_gradient(attn_layer *layer, int32_t tensor, int32_t element, double step_size) {
  attn_training *training = &layer->training;
  attn_clear_error(layer);
  if (!layer->shape.keep_gradients) return ATTN_NOT_KEPT;
  const int32_t target = tensor < 0 || tensor >= ATTN_N_TENSORS ? -1 : attn_tensor_target(layer, tensor);
  if (target < 0 || element < 0 || (size_t)element >= attn_tensor_size(layer, target)) return ATTN_INDEX_OUT_OF_RANGE;
  float *x = layer->data[target] + element;
  const float before = *x, above = (float)((double)before + step_size), below = (float)((double)before - step_size);
  if (!(above > below) || !isfinite(above) || !isfinite(below)) return ATTN_NUMBER_NOT_FINITE;
  double loss_above = 0, loss_below = 0;
  attn_status status = loss_at(layer, above, x, &loss_above);
  if (status == ATTN_OK) status = loss_at(layer, below, x, &loss_below);
  *x = before;
  attn_tensors_changed(layer);
  if (status != ATTN_OK) return put_right(layer, status);
  training->numerical = (loss_above - loss_below) / ((double)above - (double)below);
  status = differentiate(layer);
  if (status == ATTN_OK) status = attn_backward(layer);
  training->analytic = (double)layer->data[attn_tensor_gradient(target)][element];
  return status;
}

double attn_gradient_analytic(const attn_layer *layer) {
  return layer->training.analytic;
}

double attn_gradient_numerical(const attn_layer *layer) {
  return layer->training.numerical;
}

double attn_gradient_difference(const attn_layer *layer) {
  return layer->training.analytic - layer->training.numerical;
}
