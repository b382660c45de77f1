/* trace.c: how one number came to be: the operation, the factors and the running total, worked out again by its formula
 * from what the layer stores. It shares no stage with forward.c and knows of no bug, so that a step at which result and
 * number differ is the step at fault. It changes no tensor. Next to read: attention.h (attn_trace), readouts.c. */
#include <math.h>

#include "internal.h"

/* The factors on one side of a sum: elements start, start + step, … of a tensor; -1: there are none, each is 1. */
typedef struct factors {
  int32_t tensor;
  size_t start, step;
} factors;

static const factors nothing = {-1, 0, 0};

static void begin(attn_trace_record *trace, const char *operation, int32_t left, int32_t right) {
  trace->operation = operation;
  trace->n_terms = 0;
  trace->tensor[ATTN_SIDE_LEFT] = left;
  trace->tensor[ATTN_SIDE_RIGHT] = right;
  trace->tensor[ATTN_SIDE_BIAS] = -1;
  trace->bias_element = -1;
  trace->scale = 1;
  trace->max = trace->total = NAN;
  trace->result = 0;
}

static void add_term(attn_trace_record *trace, size_t left, size_t right, double product) {
  const int32_t k = trace->n_terms++;
  trace->element[ATTN_SIDE_LEFT][k] = (int32_t)left;
  trace->element[ATTN_SIDE_RIGHT][k] = (int32_t)right;
  trace->product[k] = product;
  trace->running[k] = (k > 0 ? trace->running[k - 1] : 0) + product;
}

static double sum_of(const attn_trace_record *trace) {
  return trace->n_terms > 0 ? trace->running[trace->n_terms - 1] : 0;
}

/* A masked cell is no term; unless a wrong mask let it through, for then it is in the sum that was stored. */
static bool left_out(const attn_pass *pass, int32_t tensor, size_t element, float number) {
  if (tensor == ATTN_SCORES) return number == -INFINITY;
  if (tensor != ATTN_WEIGHTS || number != 0) return false;
  return !attn_allowed(pass, element / pass->n_keys % pass->n_queries, element % pass->n_keys);
}

/* result = sum_k left[k] right[k] */
static void sum_products(attn_layer *layer, const char *operation, size_t n, factors left, factors right) {
  const attn_pass pass = attn_layer_pass(layer);
  const float *lefts = attn_tensor_data(layer, left.tensor);
  const float *rights = right.tensor < 0 ? NULL : attn_tensor_data(layer, right.tensor);
  begin(&layer->trace, operation, left.tensor, right.tensor);
  for (size_t k = 0; k < n; k++) {
    const size_t l = left.start + k * left.step, r = right.start + k * right.step;
    if (left_out(&pass, left.tensor, l, lefts[l])) continue;
    add_term(&layer->trace, l, r, (double)lefts[l] * (rights ? (double)rights[r] : 1));
  }
  layer->trace.result = sum_of(&layer->trace);
}

/* … + bias, if the layer has it */
static void add_bias(attn_layer *layer, int32_t bias, size_t element) {
  const float *biases = attn_tensor_data(layer, bias);
  if (!biases) return;
  layer->trace.tensor[ATTN_SIDE_BIAS] = bias;
  layer->trace.bias_element = (int32_t)element;
  layer->trace.result += (double)biases[element];
}

/* queries, keys, values [t][e] = sum_d inputs[t][d] w[d][e] + b[e], or the inputs themselves */
static void trace_projection(attn_layer *layer, size_t element, int32_t w, int32_t b) {
  if (layer->score_source != ATTN_SOURCE_TRAINED) {
    sum_products(layer, "same", 1, (factors){ATTN_INPUTS, element, 1}, nothing);
    return;
  }
  const size_t d_in = (size_t)layer->shape.d_in, d_out = (size_t)layer->shape.d_out;
  sum_products(layer, "projection", d_in, (factors){ATTN_INPUTS, element / d_out * d_in, 1},
               (factors){w, element % d_out, d_out});
  add_bias(layer, b, element % d_out);
}

/* Whose weight or score an element is. */
typedef struct cell {
  size_t batch, head, i, j;
} cell;

static cell cell_of(const attn_pass *pass, size_t element) {
  const size_t row = element / pass->n_keys, head = row / pass->n_queries;
  return (cell){head / pass->n_heads, head % pass->n_heads, row % pass->n_queries, element % pass->n_keys};
}

/* attn_scores[i][j] = scale sum_e queries[i][e] keys[j][e] */
static void trace_score(attn_layer *layer, const attn_pass *pass, size_t element) {
  const cell at = cell_of(pass, element);
  if (!attn_allowed(pass, at.i, at.j)) {
    begin(&layer->trace, "masked", -1, -1);
    layer->trace.result = -INFINITY;
    return;
  }
  const size_t query = (at.batch * pass->n_queries + at.i) * pass->query_stride + at.head * pass->key_dim;
  const size_t key = (at.batch * pass->n_keys + at.j) * pass->key_stride + at.head * pass->key_dim;
  sum_products(layer, "score", pass->key_dim, (factors){ATTN_QUERIES, query, 1}, (factors){ATTN_KEYS, key, 1});
  layer->trace.scale = pass->scale;
  layer->trace.result *= pass->scale;
}

/* attn_weights[i][j] = exp(scores[i][j] - max) / sum_k exp(scores[i][k] - max) */
static void trace_softmax(attn_layer *layer, const attn_pass *pass, size_t element) {
  attn_trace_record *trace = &layer->trace;
  const size_t start = element - element % pass->n_keys;
  const float *scores = pass->attn_scores;
  if (scores[element] == -INFINITY) {
    begin(trace, "masked", -1, -1);
    return;
  }
  begin(trace, "softmax", ATTN_SCORES, -1);
  trace->max = -INFINITY;
  for (size_t k = start; k < start + pass->n_keys; k++) trace->max = fmax(trace->max, (double)scores[k]);
  for (size_t k = start; k < start + pass->n_keys; k++) {
    if (!left_out(pass, ATTN_SCORES, k, scores[k])) add_term(trace, k, 0, exp((double)scores[k] - trace->max));
  }
  trace->total = sum_of(trace);
  trace->result = exp((double)scores[element] - trace->max) / trace->total;
}

/* attn_weights[i][j] = given[i][j], under the mask divided by the sum of the allowed */
static void trace_given(attn_layer *layer, const attn_pass *pass, size_t element) {
  attn_trace_record *trace = &layer->trace;
  const cell at = cell_of(pass, element);
  const size_t start = element - at.j;
  if (!pass->causal) {
    sum_products(layer, "given", 1, (factors){ATTN_GIVEN_WEIGHTS, element, 1}, nothing);
  } else if (!attn_allowed(pass, at.i, at.j)) {
    begin(trace, "masked", -1, -1);
  } else {
    size_t n_allowed = 0;
    while (n_allowed < pass->n_keys && attn_allowed(pass, at.i, n_allowed)) n_allowed++;
    sum_products(layer, "given_masked", n_allowed, (factors){ATTN_GIVEN_WEIGHTS, start, 1}, nothing);
    trace->total = sum_of(trace);
    trace->result = trace->total == 0 ? 0 : (double)pass->given_weights[element] / trace->total;
  }
}

static void trace_weight(attn_layer *layer, const attn_pass *pass, size_t element) {
  if (pass->attn_scores) trace_softmax(layer, pass, element);
  else trace_given(layer, pass, element);
}

/* attn_column_sums[j] = sum_i attn_weights[i][j]; element counts over batch, head and j */
static void trace_column_sum(attn_layer *layer, const attn_pass *pass, size_t element) {
  const size_t head = element / pass->n_keys, j = element % pass->n_keys;
  sum_products(layer, "column_sum", pass->n_queries,
               (factors){ATTN_WEIGHTS, head * pass->n_queries * pass->n_keys + j, pass->n_keys}, nothing);
}

/* context_vecs[i][e] = sum_j attn_weights[i][j] values[j][e] */
static void trace_blend(attn_layer *layer, const attn_pass *pass, size_t element) {
  const size_t row = element / pass->context_stride, column = element % pass->context_stride;
  const size_t batch = row / pass->n_queries;
  const size_t weights = attn_weight_row(pass, batch, column / pass->value_dim, row % pass->n_queries);
  sum_products(layer, "blend", pass->n_keys, (factors){ATTN_WEIGHTS, weights, 1},
               (factors){ATTN_VALUES, batch * pass->n_keys * pass->value_stride + column, pass->value_stride});
}

/* outputs[t][o] = sum_e context_vecs[t][e] w_out[e][o] + b_out[o] */
static void trace_output(attn_layer *layer, const attn_pass *pass, size_t element) {
  const size_t n = pass->out_width, width = pass->context_stride;
  sum_products(layer, "output", width, (factors){ATTN_CONTEXT_VECS, element / n * width, 1},
               (factors){ATTN_W_OUT, element % n, n});
  add_bias(layer, ATTN_B_OUT, element % n);
}

attn_status attn_trace(attn_layer *layer, int32_t tensor, int32_t element) {
  attn_clear_error(layer);
  if (tensor < 0 || tensor >= ATTN_N_TENSORS || element < 0 || (size_t)element >= attn_tensor_size(layer, tensor)) {
    return ATTN_INDEX_OUT_OF_RANGE;
  }
  const bool of_weights = tensor == ATTN_ROW_SUMS || tensor == ATTN_COLUMN_SUMS || tensor == ATTN_CONTEXT_VECS;
  if (of_weights && !layer->shape.keep_weights) return ATTN_NOT_KEPT;
  if (attn_tensor_is_stale(layer, tensor)) return ATTN_STALE;
  const attn_pass pass = attn_layer_pass(layer);
  const size_t k = (size_t)element;
  switch (tensor) {
    case ATTN_QUERIES: trace_projection(layer, k, ATTN_W_QUERY, ATTN_B_QUERY); break;
    case ATTN_KEYS: trace_projection(layer, k, ATTN_W_KEY, ATTN_B_KEY); break;
    case ATTN_VALUES: trace_projection(layer, k, ATTN_W_VALUE, ATTN_B_VALUE); break;
    case ATTN_SCORES: trace_score(layer, &pass, k); break;
    case ATTN_WEIGHTS: trace_weight(layer, &pass, k); break;
    case ATTN_ROW_SUMS:
      sum_products(layer, "row_sum", pass.n_keys, (factors){ATTN_WEIGHTS, k * pass.n_keys, 1}, nothing);
      break;
    case ATTN_COLUMN_SUMS: trace_column_sum(layer, &pass, k); break;
    case ATTN_CONTEXT_VECS: trace_blend(layer, &pass, k); break;
    case ATTN_OUTPUTS: trace_output(layer, &pass, k); break;
    default:
      begin(&layer->trace, attn_is_gradient(tensor) ? "gradient" : "input", -1, -1);
      layer->trace.result = (double)attn_tensor_data(layer, tensor)[k];
  }
  return ATTN_OK;
}

const char *attn_trace_operation(const attn_layer *layer) {
  return layer->trace.operation;
}

int32_t attn_trace_term_count(const attn_layer *layer) {
  return layer->trace.n_terms;
}

int32_t attn_trace_tensor(const attn_layer *layer, int32_t side) {
  return layer->trace.tensor[side];
}

int32_t attn_trace_element(const attn_layer *layer, int32_t side, int32_t term) {
  return side == ATTN_SIDE_BIAS ? layer->trace.bias_element : layer->trace.element[side][term];
}

double attn_trace_product(const attn_layer *layer, int32_t term) {
  return layer->trace.product[term];
}

double attn_trace_running(const attn_layer *layer, int32_t term) {
  return layer->trace.running[term];
}

double attn_trace_scale(const attn_layer *layer) {
  return layer->trace.scale;
}

double attn_trace_max(const attn_layer *layer) {
  return layer->trace.max;
}

double attn_trace_total(const attn_layer *layer) {
  return layer->trace.total;
}

double attn_trace_result(const attn_layer *layer) {
  return layer->trace.result;
}
