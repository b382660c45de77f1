/* tensors.c: the directory of tensors: names, when each is there, its dimensions, where its numbers are. It is the
 * one table that everything else about tensors is read from. It computes nothing. Next to read: layer.c. */
#include "internal.h"

enum { GIVEN = 1 << ATTN_SOURCE_GIVEN, INPUTS = 1 << ATTN_SOURCE_INPUTS, TRAINED = 1 << ATTN_SOURCE_TRAINED };
enum { ANY = GIVEN | INPUTS | TRAINED };

/* W is the width that the score source gives; END ends a list of dimensions. */
typedef enum axis_kind { END, BATCH, HEADS, TOKENS, D_IN, D_OUT, W, OUT_WIDTH } axis_kind;

typedef enum shape_part { ALWAYS, BIAS_QUERY, BIAS_KEY, BIAS_VALUE, BIAS_OUT, OUT, KEPT } shape_part;

typedef struct tensor_entry {
  const char *name;
  int sources; /* with which score sources it is there */
  shape_part part;  /* and with which part of the shape */
  axis_kind axes[5];
} tensor_entry;

static const tensor_entry tensors[ATTN_N_TENSORS] = {
    [ATTN_INPUTS] = {"inputs", ANY, ALWAYS, {BATCH, TOKENS, D_IN}},
    [ATTN_W_QUERY] = {"w_query", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_W_KEY] = {"w_key", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_W_VALUE] = {"w_value", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_B_QUERY] = {"b_query", TRAINED, BIAS_QUERY, {D_OUT}},
    [ATTN_B_KEY] = {"b_key", TRAINED, BIAS_KEY, {D_OUT}},
    [ATTN_B_VALUE] = {"b_value", TRAINED, BIAS_VALUE, {D_OUT}},
    [ATTN_W_OUT] = {"w_out", ANY, OUT, {W, OUT_WIDTH}},
    [ATTN_B_OUT] = {"b_out", ANY, BIAS_OUT, {OUT_WIDTH}},
    [ATTN_GIVEN_WEIGHTS] = {"given_weights", GIVEN, KEPT, {BATCH, HEADS, TOKENS, TOKENS}},
    [ATTN_QUERIES] = {"queries", INPUTS | TRAINED, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_KEYS] = {"keys", INPUTS | TRAINED, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_VALUES] = {"values", ANY, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_SCORES] = {"attn_scores", INPUTS | TRAINED, KEPT, {BATCH, HEADS, TOKENS, TOKENS}},
    [ATTN_WEIGHTS] = {"attn_weights", ANY, KEPT, {BATCH, HEADS, TOKENS, TOKENS}},
    [ATTN_ROW_SUMS] = {"attn_row_sums", ANY, KEPT, {BATCH, HEADS, TOKENS}},
    [ATTN_COLUMN_SUMS] = {"attn_column_sums", ANY, KEPT, {BATCH, HEADS, TOKENS}},
    [ATTN_CONTEXT_VECS] = {"context_vecs", ANY, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_OUTPUTS] = {"outputs", ANY, OUT, {BATCH, TOKENS, OUT_WIDTH}},
    [ATTN_D_INPUTS] = {"d_inputs", ANY, ALWAYS, {BATCH, TOKENS, D_IN}},
    [ATTN_D_W_QUERY] = {"d_w_query", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_D_W_KEY] = {"d_w_key", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_D_W_VALUE] = {"d_w_value", TRAINED, ALWAYS, {D_IN, D_OUT}},
    [ATTN_D_B_QUERY] = {"d_b_query", TRAINED, BIAS_QUERY, {D_OUT}},
    [ATTN_D_B_KEY] = {"d_b_key", TRAINED, BIAS_KEY, {D_OUT}},
    [ATTN_D_B_VALUE] = {"d_b_value", TRAINED, BIAS_VALUE, {D_OUT}},
    [ATTN_D_W_OUT] = {"d_w_out", ANY, OUT, {W, OUT_WIDTH}},
    [ATTN_D_B_OUT] = {"d_b_out", ANY, BIAS_OUT, {OUT_WIDTH}},
    [ATTN_D_QUERIES] = {"d_queries", INPUTS | TRAINED, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_D_KEYS] = {"d_keys", INPUTS | TRAINED, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_D_VALUES] = {"d_values", ANY, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_D_SCORES] = {"d_attn_scores", INPUTS | TRAINED, KEPT, {BATCH, HEADS, TOKENS, TOKENS}},
    [ATTN_D_WEIGHTS] = {"d_attn_weights", ANY, KEPT, {BATCH, HEADS, TOKENS, TOKENS}},
    [ATTN_D_CONTEXT_VECS] = {"d_context_vecs", ANY, ALWAYS, {BATCH, TOKENS, W}},
    [ATTN_D_OUTPUTS] = {"d_outputs", ANY, OUT, {BATCH, TOKENS, OUT_WIDTH}},
};

int32_t attn_width(const attn_shape *shape, int32_t score_source) {
  return score_source == ATTN_SOURCE_TRAINED ? shape->d_out : shape->d_in;
}

bool attn_heads_divide(const attn_shape *shape, int32_t score_source) {
  return attn_width(shape, score_source) % shape->n_heads == 0;
}

static int32_t length(const attn_shape *shape, axis_kind axis, int32_t width) {
  switch (axis) {
    case BATCH: return shape->n_batch;
    case HEADS: return shape->n_heads;
    case TOKENS: return shape->n_tokens;
    case D_IN: return shape->d_in;
    case D_OUT: return shape->d_out;
    case W: return width;
    case OUT_WIDTH: return shape->out_width;
    case END: break;
  }
  return 0;
}

static bool has_part(const attn_shape *shape, int32_t tensor) {
  if (attn_is_gradient(tensor) && !shape->keep_gradients) return false;
  switch (tensors[tensor].part) {
    case ALWAYS: return true;
    case BIAS_QUERY: return shape->bias[ATTN_QUERY];
    case BIAS_KEY: return shape->bias[ATTN_KEY];
    case BIAS_VALUE: return shape->bias[ATTN_VALUE];
    case BIAS_OUT: return shape->bias[ATTN_OUT];
    case OUT: return shape->out_width > 0;
    case KEPT: return shape->keep_weights;
  }
  return false;
}

static bool is_there(const attn_layer *layer, int32_t tensor) {
  return (tensors[tensor].sources & (1 << layer->score_source)) && has_part(&layer->shape, tensor);
}

double attn_tensor_capacity(const attn_shape *shape, int32_t tensor) {
  const int32_t widest = shape->d_in > shape->d_out ? shape->d_in : shape->d_out;
  if (!has_part(shape, tensor)) return 0;
  double n = 1;
  for (const axis_kind *a = tensors[tensor].axes; *a != END; a++) n *= length(shape, *a, widest);
  return n;
}

int32_t attn_tensor_count(void) {
  return ATTN_N_TENSORS;
}

const char *attn_tensor_name(int32_t tensor) {
  return tensors[tensor].name;
}

int32_t attn_tensor_rank(const attn_layer *layer, int32_t tensor) {
  int32_t rank = 0;
  if (!is_there(layer, tensor)) return 0;
  while (tensors[tensor].axes[rank] != END) rank++;
  return rank;
}

int32_t attn_tensor_dim(const attn_layer *layer, int32_t tensor, int32_t axis) {
  return length(&layer->shape, tensors[tensor].axes[axis], attn_width(&layer->shape, layer->score_source));
}

size_t attn_tensor_size(const attn_layer *layer, int32_t tensor) {
  return layer->size[tensor];
}

void attn_measure_tensors(attn_layer *layer) {
  for (int32_t t = 0; t < ATTN_N_TENSORS; t++) {
    const int32_t rank = attn_tensor_rank(layer, t);
    layer->size[t] = rank > 0;
    for (int32_t axis = 0; axis < rank; axis++) layer->size[t] *= (size_t)attn_tensor_dim(layer, t, axis);
  }
}

float *attn_tensor_data(attn_layer *layer, int32_t tensor) {
  if (!is_there(layer, tensor)) return NULL;
  /* Nothing is projected unless trained: queries, keys and values are the inputs themselves. */
  const bool projected = tensor == ATTN_QUERIES || tensor == ATTN_KEYS || tensor == ATTN_VALUES;
  if (projected && layer->score_source != ATTN_SOURCE_TRAINED) return layer->data[ATTN_INPUTS];
  return layer->data[tensor];
}

static bool is_derived(int32_t tensor) {
  return tensor >= ATTN_QUERIES;
}

bool attn_is_gradient(int32_t tensor) {
  return tensor >= ATTN_FIRST_GRADIENT;
}

int32_t attn_tensor_gradient(int32_t tensor) {
  if (tensor <= ATTN_LAST_PARAMETER) return ATTN_D_INPUTS + (tensor - ATTN_INPUTS);
  if (tensor == ATTN_GIVEN_WEIGHTS) return ATTN_D_WEIGHTS;
  if (tensor <= ATTN_WEIGHTS) return ATTN_D_QUERIES + (tensor - ATTN_QUERIES);
  if (tensor == ATTN_CONTEXT_VECS) return ATTN_D_CONTEXT_VECS;
  return tensor == ATTN_OUTPUTS ? ATTN_D_OUTPUTS : -1;
}

int32_t attn_result_tensor(const attn_layer *layer) {
  return layer->shape.out_width > 0 ? ATTN_OUTPUTS : ATTN_CONTEXT_VECS;
}

int32_t attn_tensor_target(const attn_layer *layer, int32_t tensor) {
  if (!is_there(layer, tensor)) return -1;
  if (tensor == ATTN_WEIGHTS && layer->score_source == ATTN_SOURCE_GIVEN) return ATTN_GIVEN_WEIGHTS;
  return is_derived(tensor) ? -1 : tensor;
}

int32_t attn_tensor_is_stale(const attn_layer *layer, int32_t tensor) {
  if (!is_there(layer, tensor) || !is_derived(tensor)) return 0;
  return layer->stale || (attn_is_gradient(tensor) && layer->gradients_stale);
}

void attn_tensors_changed(attn_layer *layer) {
  layer->stale = layer->gradients_stale = true;
  layer->next_part = 0;
}
