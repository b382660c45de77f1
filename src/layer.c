/* layer.c: the life of a layer, its forward and its backward pass. It owns the one block of memory, and is the only
 * file that names an allocator; it validates shapes, inputs and results. It does no arithmetic on tensors: forward.c
 * and backward.c do. Next to read: tensors.c (what is in the block), finite.c, forward.c (what is done with it). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const size_t alignment = 64; /* of every tensor: a cache line, and more than any vector needs */

static attn_shape make_shape(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                             int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                             int32_t bias_out, int32_t keep_weights, int32_t keep_gradients) {
  return (attn_shape){n_batch, n_tokens, d_in, d_out, n_heads, out_width,
                      {bias_query != 0, bias_key != 0, bias_value != 0, bias_out != 0},
                      keep_weights != 0, keep_gradients != 0};
}

/* ---- The block: first the layer itself, then its parts, each aligned ------------------------------------------- */

/* A block of memory, and how much of it is taken: in bytes and as a double, for a shape may be absurd, and is refused by
 * its size before anything is allocated. All sizes that are let through are exact. */
typedef struct space {
  char *block; /* NULL: there is none yet, it is only to be measured */
  double taken;
} space;

/* Take room for n elements of so many bytes. Not to be copied thirty times into its caller. */
__attribute__((noinline)) static void *reserve(space *at, double n, size_t bytes) {
  void *start = at->block ? at->block + (size_t)at->taken : NULL;
  at->taken += ceil(n * (double)bytes / (double)alignment) * (double)alignment;
  return start;
}

/* Tell a layer where its parts are in a block, and return how many bytes they take. */
static double arrange(attn_layer *layer, const attn_shape *shape, char *block) {
  const double n_tokens = shape->n_tokens;
  const double widest = shape->d_in > shape->d_out ? shape->d_in : shape->d_out;
  const double n_compared = shape->keep_weights ? n_tokens : 0; /* routes are compared, sums over keys traced, or not */
  const double longest = widest > n_compared ? widest : n_compared; /* no sum that can be traced has more terms */
  space at = {block, 0};
  double start[ATTN_N_TENSORS];
  reserve(&at, 1, sizeof(attn_layer));
  for (int32_t t = 0; t < ATTN_N_TENSORS; t++) {
    const double n = t == ATTN_GIVEN_WEIGHTS ? 0 : attn_tensor_capacity(shape, t); /* they lie where scores lie */
    start[t] = at.taken;
    layer->data[t] = reserve(&at, n, sizeof(float));
  }
  layer->data[ATTN_GIVEN_WEIGHTS] = layer->data[ATTN_SCORES];
  attn_training *training = &layer->training;
  const double parameters = start[ATTN_LAST_PARAMETER + 1] - start[ATTN_FIRST_PARAMETER]; /* bytes, with gaps */
  const double n_parameters = shape->keep_gradients ? parameters / (double)sizeof(float) : 0;
  /* What a step keeps lies over the gradients behind those of the parameters, which nobody needs by then. */
  const double lacking = start[ATTN_D_QUERIES] + 2 * parameters - at.taken;
  if (shape->keep_gradients && lacking > 0) reserve(&at, lacking, 1);
  if (block) {
    training->n_parameters = (size_t)n_parameters;
    training->kept_parameters = layer->data[ATTN_D_QUERIES];
    training->next_second = training->kept_parameters + training->n_parameters;
  }
  const double part_weights = fmin(ATTN_PART_QUERIES, n_tokens) * fmin(ATTN_PART_KEYS, n_tokens);
  layer->block_weights = reserve(&at, shape->keep_weights ? 0 : part_weights, sizeof(float));
  layer->column_totals = reserve(&at, n_compared, sizeof(double));
  const double gathered = shape->n_heads > 1 ? n_tokens * ceil(widest / shape->n_heads) : 0;
  layer->head_keys = reserve(&at, gathered, sizeof(float));
  layer->head_values = reserve(&at, gathered, sizeof(float));
  layer->normalised = reserve(&at, n_tokens, sizeof(float));
  layer->picture.pixels = reserve(&at, shape->keep_weights ? ATTN_PAINT_ROOM : 0, sizeof(uint32_t));
  layer->minuend = reserve(&at, ATTN_DIFFERENCE_ROOM, sizeof(float));
  layer->subtrahend = reserve(&at, ATTN_DIFFERENCE_ROOM, sizeof(float));
  attn_route *route = &layer->route;
  route->query = reserve(&at, widest, sizeof(float));
  route->row = reserve(&at, widest, sizeof(float));
  route->weights = reserve(&at, n_tokens, sizeof(float));
  route->blend = reserve(&at, widest, sizeof(double));
  route->context = reserve(&at, widest, sizeof(float));
  route->rows = reserve(&at, n_compared * shape->n_batch, sizeof(attn_route_row));
  route->batched_terms = reserve(&at, n_compared, sizeof(double));
  route->one_token_terms = reserve(&at, n_compared, sizeof(double));
  route->draws = reserve(&at, n_compared, sizeof(bool));
  route->fits = reserve(&at, n_compared, sizeof(bool));
  attn_trace_record *trace = &layer->trace;
  trace->element[ATTN_SIDE_LEFT] = reserve(&at, longest, sizeof(int32_t));
  trace->element[ATTN_SIDE_RIGHT] = reserve(&at, longest, sizeof(int32_t));
  trace->product = reserve(&at, longest, sizeof(double));
  trace->running = reserve(&at, longest, sizeof(double));
  training->first = reserve(&at, n_parameters, sizeof(float));
  training->second = reserve(&at, n_parameters, sizeof(float));
  const double n_targets = shape->keep_gradients ? n_tokens * shape->n_batch : 0;
  training->targets = reserve(&at, n_targets * (shape->out_width > 0 ? shape->out_width : widest), sizeof(float));
  training->target_rows = reserve(&at, n_targets, sizeof(int32_t));
  return at.taken;
}

/* How many bytes a layer takes. */
static double measure(const attn_shape *shape) {
  attn_layer none;
  return arrange(&none, shape, NULL);
}

static attn_status check_shape(const attn_shape *shape) {
  if (shape->n_batch < 1 || shape->n_tokens < 1 || shape->d_in < 1 || shape->d_out < 1 || shape->n_heads < 1 ||
      shape->out_width < 0) {
    return ATTN_SIZE_NOT_POSITIVE;
  }
  if (shape->bias[ATTN_OUT] && shape->out_width == 0) return ATTN_BIAS_WITHOUT_OUT;
  if (shape->keep_gradients && !shape->keep_weights) return ATTN_GRADIENTS_WITHOUT_WEIGHTS;
  return measure(shape) > attn_max_bytes() ? ATTN_TOO_LARGE : ATTN_OK;
}

attn_status attn_shape_check(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                             int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                             int32_t bias_out, int32_t keep_weights, int32_t keep_gradients) {
  const attn_shape shape = make_shape(n_batch, n_tokens, d_in, d_out, n_heads, out_width, bias_query, bias_key,
                                      bias_value, bias_out, keep_weights, keep_gradients);
  return check_shape(&shape);
}

double attn_shape_bytes(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                        int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                        int32_t bias_out, int32_t keep_weights, int32_t keep_gradients) {
  const attn_shape shape = make_shape(n_batch, n_tokens, d_in, d_out, n_heads, out_width, bias_query, bias_key,
                                      bias_value, bias_out, keep_weights, keep_gradients);
  return measure(&shape);
}

double attn_max_bytes(void) {
  return 1024.0 * 1024 * 1024;
}

attn_layer *attn_layer_create(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                              int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                              int32_t bias_out, int32_t keep_weights, int32_t keep_gradients) {
  const attn_shape shape = make_shape(n_batch, n_tokens, d_in, d_out, n_heads, out_width, bias_query, bias_key,
                                      bias_value, bias_out, keep_weights, keep_gradients);
  if (check_shape(&shape) != ATTN_OK) return NULL;
  const size_t n_bytes = (size_t)measure(&shape);
  char *block = aligned_alloc(alignment, n_bytes);
  if (!block) return NULL;
  memset(block, 0, n_bytes);
  attn_layer *layer = (attn_layer *)(void *)block;
  arrange(layer, &shape, block);
  layer->shape = shape;
  layer->score_source = ATTN_SOURCE_TRAINED;
  layer->scale = ATTN_SCALE_SQRT_HEAD_DIM;
  layer->scale_number = 1;
  layer->kernels = &attn_kernels_simd;
  attn_plant(layer, ATTN_FAULT_NONE, 0);
  layer->route.verdict = "agree";
  layer->route.draws_on = -1;
  layer->trace.operation = "input";
  for (int32_t side = 0; side < ATTN_N_SIDES; side++) layer->trace.tensor[side] = -1;
  layer->trace.bias_element = -1;
  layer->trace.scale = 1;
  layer->training.power1 = layer->training.power2 = 1;
  attn_measure_tensors(layer);
  attn_tensors_changed(layer);
  attn_clear_error(layer);
  return layer;
}

void attn_layer_dispose(attn_layer *layer) {
  free(layer);
}

/* ---- The forward and the backward pass ------------------------------------------------------------------------- */

attn_pass attn_layer_pass(const attn_layer *layer) {
  const attn_shape *shape = &layer->shape;
  const bool trained = layer->score_source == ATTN_SOURCE_TRAINED, given = layer->score_source == ATTN_SOURCE_GIVEN;
  const size_t width = (size_t)attn_width(shape, layer->score_source), n_heads = (size_t)shape->n_heads;
  const size_t head_dim = width / n_heads, n_tokens = (size_t)shape->n_tokens;
  const bool kept = shape->keep_weights;
  float *const *data = layer->data;
  return (attn_pass){
      .kernels = layer->kernels,
      .n_batch = (size_t)shape->n_batch, .n_queries = n_tokens, .n_keys = n_tokens,
      .n_heads = n_heads, .d_in = (size_t)shape->d_in, .key_dim = head_dim, .value_dim = head_dim,
      .query_stride = width, .key_stride = width, .value_stride = width, .context_stride = width,
      .out_width = (size_t)shape->out_width,
      .scale = layer->scale == ATTN_SCALE_SQRT_HEAD_DIM ? 1 / sqrt((double)head_dim) : layer->scale_number,
      .causal = layer->causal, .block_rows = attn_block_rows(n_tokens, n_tokens), .place = layer->fault_place,
      .query_inputs = data[ATTN_INPUTS], .key_inputs = data[ATTN_INPUTS],
      .w_query = trained ? data[ATTN_W_QUERY] : NULL, .b_query = shape->bias[ATTN_QUERY] ? data[ATTN_B_QUERY] : NULL,
      .w_key = trained ? data[ATTN_W_KEY] : NULL, .b_key = shape->bias[ATTN_KEY] ? data[ATTN_B_KEY] : NULL,
      .w_value = trained ? data[ATTN_W_VALUE] : NULL, .b_value = shape->bias[ATTN_VALUE] ? data[ATTN_B_VALUE] : NULL,
      .w_out = shape->out_width > 0 ? data[ATTN_W_OUT] : NULL,
      .b_out = shape->bias[ATTN_OUT] ? data[ATTN_B_OUT] : NULL,
      .given_weights = given ? data[ATTN_GIVEN_WEIGHTS] : NULL,
      .queries = trained ? data[ATTN_QUERIES] : data[ATTN_INPUTS],
      .keys = trained ? data[ATTN_KEYS] : data[ATTN_INPUTS],
      .values = trained ? data[ATTN_VALUES] : data[ATTN_INPUTS],
      .head_keys = layer->head_keys, .head_values = layer->head_values,
      .attn_scores = given || !kept ? NULL : data[ATTN_SCORES], .attn_weights = kept ? data[ATTN_WEIGHTS] : NULL,
      .block_weights = layer->block_weights, .attn_row_sums = data[ATTN_ROW_SUMS],
      .attn_column_sums = data[ATTN_COLUMN_SUMS], .column_totals = layer->column_totals,
      .context_vecs = data[ATTN_CONTEXT_VECS], .outputs = shape->out_width > 0 ? data[ATTN_OUTPUTS] : NULL,
  };
}

attn_status attn_check_ready(attn_layer *layer) {
  attn_clear_error(layer);
  if (!attn_heads_divide(&layer->shape, layer->score_source)) return ATTN_HEADS_DO_NOT_DIVIDE;
  return attn_check_finite(layer, ATTN_INPUTS, ATTN_GIVEN_WEIGHTS);
}

/* A number that is not finite comes through whatever it is multiplied by: where all results are finite, inputs and
 * parameters are too, and need no look of their own. A mask may hide given weights, though, and a bug anything. */
static bool shown_by_results(const attn_layer *layer) {
  return layer->fault == ATTN_FAULT_NONE && layer->score_source != ATTN_SOURCE_GIVEN;
}

/* What comes before the stages, */
static attn_status begin_forward(attn_layer *layer) {
  layer->stale = true;
  const bool shown = shown_by_results(layer) && attn_heads_divide(&layer->shape, layer->score_source);
  const attn_status status = shown ? ATTN_OK : attn_check_ready(layer);
  if (status == ATTN_OK) attn_clear_error(layer);
  return status;
}

/* and what comes after them. */
static attn_status end_forward(attn_layer *layer) {
  layer->next_part = 0;
  const attn_status status = attn_check_finite(layer, ATTN_QUERIES, ATTN_OUTPUTS);
  layer->stale = status != ATTN_OK;
  if (status == ATTN_OK || attn_check_ready(layer) != ATTN_OK) return status; /* if an input is at fault, it is named */
  return attn_check_finite(layer, ATTN_QUERIES, ATTN_OUTPUTS);
}

attn_status attn_forward(attn_layer *layer) {
  const attn_status status = begin_forward(layer);
  if (status != ATTN_OK) return status;
  const attn_pass pass = attn_layer_pass(layer);
  attn_run_stages(layer->stages, &pass);
  return end_forward(layer);
}

int32_t attn_forward_parts(const attn_layer *layer) {
  const attn_pass pass = attn_layer_pass(layer);
  return (int32_t)attn_count_blocks(layer->stages, &pass);
}

attn_status attn_forward_part(attn_layer *layer, int32_t part) {
  if (part != 0 && part != layer->next_part) return ATTN_STALE;
  const attn_status status = part == 0 ? begin_forward(layer) : ATTN_OK;
  if (status != ATTN_OK) return status;
  const attn_pass pass = attn_layer_pass(layer);
  const size_t n = attn_count_blocks(layer->stages, &pass);
  attn_run_block(layer->stages, &pass, (size_t)part, n);
  layer->next_part = part + 1;
  return (size_t)part + 1 < n ? ATTN_OK : end_forward(layer);
}

static attn_gradients layer_gradients(const attn_layer *layer) {
  float *const *data = layer->data;
  const bool *bias = layer->shape.bias;
  return (attn_gradients){
      .d_query_inputs = data[ATTN_D_INPUTS], .d_key_inputs = data[ATTN_D_INPUTS],
      .d_w_query = data[ATTN_D_W_QUERY], .d_b_query = bias[ATTN_QUERY] ? data[ATTN_D_B_QUERY] : NULL,
      .d_w_key = data[ATTN_D_W_KEY], .d_b_key = bias[ATTN_KEY] ? data[ATTN_D_B_KEY] : NULL,
      .d_w_value = data[ATTN_D_W_VALUE], .d_b_value = bias[ATTN_VALUE] ? data[ATTN_D_B_VALUE] : NULL,
      .d_w_out = data[ATTN_D_W_OUT], .d_b_out = bias[ATTN_OUT] ? data[ATTN_D_B_OUT] : NULL,
      .d_queries = data[ATTN_D_QUERIES], .d_keys = data[ATTN_D_KEYS], .d_values = data[ATTN_D_VALUES],
      .d_attn_scores = data[ATTN_D_SCORES], .d_attn_weights = data[ATTN_D_WEIGHTS],
      .d_context_vecs = data[ATTN_D_CONTEXT_VECS], .d_outputs = data[ATTN_D_OUTPUTS],
  };
}

attn_status attn_backward_to_parameters(attn_layer *layer) {
  layer->gradients_stale = true;
  if (layer->fault != ATTN_FAULT_NONE) return ATTN_FAULT_PLANTED;
  const attn_pass pass = attn_layer_pass(layer);
  attn_gradients gradients = layer_gradients(layer);
  gradients.d_query_inputs = gradients.d_key_inputs = NULL;
  attn_run_backward(&pass, &gradients);
  return ATTN_OK;
}

attn_status attn_backward(attn_layer *layer) {
  attn_clear_error(layer);
  layer->gradients_stale = true;
  if (!layer->shape.keep_gradients) return ATTN_NOT_KEPT;
  if (layer->fault != ATTN_FAULT_NONE) return ATTN_FAULT_PLANTED;
  if (layer->stale) return ATTN_STALE;
  const int32_t incoming = attn_tensor_gradient(attn_result_tensor(layer));
  attn_status status = attn_check_finite(layer, incoming, incoming);
  if (status != ATTN_OK) return status;
  const attn_pass pass = attn_layer_pass(layer);
  const attn_gradients gradients = layer_gradients(layer);
  attn_run_backward(&pass, &gradients);
  status = attn_check_finite(layer, ATTN_FIRST_GRADIENT, ATTN_N_TENSORS - 1);
  layer->gradients_stale = status != ATTN_OK;
  return status;
}
