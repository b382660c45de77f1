/* internal.h: what the C files share among themselves: the layer, one computation (attn_pass), the table of kernels
 * and the table of stages. Nothing here is public: attention.h is the contract. The inner functions are pure, over
 * the pointers and sizes of an attn_pass; they know of no layer, validate nothing and allocate nothing.
 * Next to read: forward.c, then kernels_ref.c, then layer.c. */
#ifndef ATTN_INTERNAL_H
#define ATTN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "attention.h"

/* The arithmetic that a whole pass is made of. Every set of kernels has these signatures; kernels_ref.c is the
 * specification. Matrices are row-major; ld… is the distance between the starts of two rows, in numbers, so that
 * one head's block of columns is a matrix too. An output must not overlap an input unless it says so.
 * reach tells what a mask leaves: row i of a matrix that reaches, counted from 0, has its first reach + i numbers. What is
 * beyond must be 0 in an input, and is of no account in an output; of scores and of d_weights it is not looked at, and
 * in weights and d_scores it becomes 0. A reach of all columns: there is no mask. */
typedef struct attn_kernels {
  const char *name; /* the choice of the option "kernels" */
  double error;     /* of a stored number beyond its own rounding, relative to the size of its sum's terms */

  /* c[m][n] = a[m][k] · b[k][n] + bias[n], a reaching; bias may be NULL */
  void (*matmul)(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                 const float *bias, float *c, size_t ldc);

  /* c[m][n] = scale · a[m][k] · b[n][k]ᵀ, c reaching */
  void (*matmul_bt)(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                    const float *b, size_t ldb, float *c, size_t ldc);

  /* weights[r] = softmax of scores[r], for n_rows rows of n_keys; 0 beyond reach; weights may be the same memory as
   * scores */
  void (*softmax_rows)(size_t n_rows, size_t n_keys, size_t reach, const float *scores, size_t ld_scores,
                       float *weights, size_t ld_weights);

  /* row_sums[r] = sum_j weights[r][j];  column_totals[j] += sum_r weights[r][j] */
  void (*sum_weights)(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                      float *row_sums, double *column_totals);

  /* c[m][n] += a[m][k] · b[k][n], a reaching */
  void (*add_matmul)(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                     float *c, size_t ldc);

  /* The softmax of rows whose keys come in parts: scores of the next n_keys become their weights among all keys so far,
   * and sums[r], width numbers that earlier weights went into, are brought to the same scale. max[r] and total[r] go from
   * part to part, from -INFINITY and 0 */
  void (*softmax_part)(size_t n_rows, size_t n_keys, size_t reach, float *scores, size_t ld_scores, float *max,
                       double *total, size_t width, float *sums, size_t ld_sums);

  /* For the way back: c[m][n] = scale · a[m][k] · b[k][n] and scale · a[k][m]ᵀ · b[k][n], a reaching, and
   * c[m][n] += scale · a[m][k] · b[n][k]ᵀ, because inputs have several gradients that add up */
  void (*matmul_scaled)(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                        const float *b, size_t ldb, float *c, size_t ldc);
  void (*matmul_at)(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                    const float *b, size_t ldb, float *c, size_t ldc);
  void (*add_matmul_bt)(size_t m, size_t n, size_t k, double scale, const float *a, size_t lda, const float *b,
                        size_t ldb, float *c, size_t ldc);

  /* d_scores[r] from d_weights[r] and weights[r] = softmax of scores[r]; 0 beyond reach; d_scores may be the memory of
   * d_weights */
  void (*softmax_rows_backward)(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                                const float *d_weights, size_t ld_d_weights, float *d_scores, size_t ld_d_scores);
} attn_kernels;

extern const attn_kernels attn_kernels_ref, attn_kernels_simd;

/* How many of n columns row i has, of a matrix that reaches. */
static inline size_t attn_reached(size_t n, size_t reach, size_t i) {
  return reach + i < n ? reach + i : n;
}

/* y[j] = 2^64 exp(x[j] - shift), within 1 ulp, for n numbers x <= shift; what is less than -104 counts as -104, whose
 * exponential is less than half of the least float (kernels_simd.c). */
void attn_exp_row(size_t n, const float *x, float shift, float *y);

/* One computation, described: sizes, distances between rows, and where the numbers are. Queries may be fewer or more
 * than keys, and values may have another width than keys. Head h is the block of columns starting at h * key_dim
 * (queries, keys) or h * value_dim (values, context_vecs).
 * A step that the computation does not have, has a NULL: no w_query, queries are given as they are; no attn_scores,
 * given_weights take the place of the softmax; no w_out, no outputs. A bias may be NULL. */
typedef struct attn_pass {
  const attn_kernels *kernels;
  size_t n_batch, n_queries, n_keys, n_heads;
  size_t d_in, key_dim, value_dim; /* key_dim and value_dim: of one head */
  size_t query_stride, key_stride, value_stride, context_stride, out_width;
  double scale; /* multiplies the scores */
  bool causal;
  size_t first_query; /* which token the first query is: the mask counts from there */
  size_t block_rows;  /* how many queries of a head stages between the projections take at a time, if weights are kept */
  bool skips;         /* a stage may leave out what the mask hides, for the others look at nothing there */
  bool continues;     /* column sums go on from the queries before these */
  size_t place; /* a token, for a stage that was put in another's place (faults.c); no other reads it */

  const float *query_inputs; /* [n_batch][n_queries][d_in] */
  const float *key_inputs;   /* [n_batch][n_keys][d_in], for keys and values */
  const float *w_query, *b_query, *w_key, *b_key, *w_value, *b_value, *w_out, *b_out;
  const float *given_weights; /* [n_batch][n_heads][n_queries][n_keys] */

  float *queries, *keys, *values; /* rows of query_stride, key_stride, value_stride */
  float *head_keys, *head_values; /* [n_keys][key_dim], [n_keys][value_dim]: room to gather one head's, or NULL */
  float *attn_scores;             /* [n_batch][n_heads][n_queries][n_keys] */
  float *attn_weights;            /* the same shape; NULL: neither is kept, and there are no sums */
  float *block_weights;           /* [ATTN_PART_QUERIES][ATTN_PART_KEYS]: where a part of them is then */
  float *attn_row_sums;           /* [n_batch][n_heads][n_queries] */
  float *attn_column_sums;        /* [n_batch][n_heads][n_keys] */
  double *column_totals;          /* [n_keys] of the head at hand, before they are rounded */
  float *context_vecs;            /* [n_batch][n_queries][context_stride] */
  float *outputs;                 /* [n_batch][n_queries][out_width] */
} attn_pass;

/* May query i draw on key j?  The one definition of the causal mask, top-left aligned. */
static inline bool attn_allowed(const attn_pass *pass, size_t i, size_t j) {
  return !pass->causal || j <= pass->first_query + i;
}

/* The same as a reach, as the kernels take it. */
static inline size_t attn_reach(const attn_pass *pass) {
  return pass->causal ? pass->first_query + 1 : pass->n_keys;
}

/* The flat index of [batch][head][i][j] in attn_scores and attn_weights; if they are not kept it may be beyond size_t. */
static inline uint64_t attn_weight_index(const attn_pass *pass, size_t batch, size_t head, size_t i, size_t j) {
  return (((uint64_t)batch * pass->n_heads + head) * pass->n_queries + i) * pass->n_keys + j;
}

static inline size_t attn_weight_row(const attn_pass *pass, size_t batch, size_t head, size_t i) {
  return (size_t)attn_weight_index(pass, batch, head, i, 0);
}

/* The pipeline: each stage computes one tensor from those before it. The layer holds a table of them, so that one
 * stage can be replaced without the others knowing. */
typedef void attn_stage(const attn_pass *pass);

enum {
  ATTN_STAGE_QUERIES,
  ATTN_STAGE_KEYS,
  ATTN_STAGE_VALUES,
  ATTN_STAGE_SCORES,
  ATTN_STAGE_MASK,
  ATTN_STAGE_WEIGHTS,
  ATTN_STAGE_SUMS,
  ATTN_STAGE_BLEND,
  ATTN_STAGE_OUTPUTS,
  ATTN_N_STAGES
};

extern attn_stage *const attn_stages[ATTN_N_STAGES];

/* Run a table of stages in order. Writes the tensors that the pass has, reads nothing that it has not written but
 * inputs, parameters and given weights. If all stages are those of attn_stages, those between the projections run for
 * block_rows queries of one head after the other; else one of them may need a whole tensor, and must have it. */
void attn_run_stages(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass);
/* The same block by block, from the first to the last: those two do what comes before and after all blocks. */
size_t attn_count_blocks(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass);
void attn_run_block(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass, size_t index, size_t n_blocks);
/* A good block_rows: as many as keep a block's scores and weights in cache. */
size_t attn_block_rows(size_t n_queries, size_t n_keys);
/* Where weights are not kept: of how many queries and keys they are there at a time. */
enum { ATTN_PART_QUERIES = 64, ATTN_PART_KEYS = 256 };

/* Where the gradients of a pass are: of each tensor the derivative of one number, the sum of results times incoming
 * gradient, by every number of it; shapes and strides are those of the tensors. NULL where the pass has no such tensor
 * or nobody asks. d_query_inputs and d_key_inputs may be the same memory: gradients add up in it.
 * The incoming gradient is in d_outputs, or in d_context_vecs if the pass has no w_out. */
typedef struct attn_gradients {
  float *d_query_inputs, *d_key_inputs;
  float *d_w_query, *d_b_query, *d_w_key, *d_b_key, *d_w_value, *d_b_value, *d_w_out, *d_b_out;
  float *d_queries, *d_keys, *d_values;
  float *d_attn_scores;
  float *d_attn_weights; /* of given weights: by what the caller gave, before mask and renormalisation */
  float *d_context_vecs;
  const float *d_outputs;
} attn_gradients;

/* Fill the gradients from the incoming one, after attn_run_stages (backward.c). Cost about twice that of the stages. */
void attn_run_backward(const attn_pass *pass, const attn_gradients *gradients);

/* Term j of the sum that made context_vecs[batch][i][column]. Whoever replaces the blend stage replaces this too, so
 * that the terms are those which the sum really had. */
typedef double attn_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j);

/* The stage's own: attn_weights[i][j] * values[j][column] (forward.c). */
attn_term attn_blend_term;

/* Sum of n numbers in double precision (readouts.c). */
double attn_row_sum(size_t n, const float *row);

/* mt19937, the generator behind torch.manual_seed (random.c). */
typedef struct attn_random {
  uint32_t words[624];
  uint32_t next;
} attn_random;

void attn_random_seed(attn_random *random, uint32_t seed);
uint32_t attn_random_word(attn_random *random);

/* ---- The layer ------------------------------------------------------------------------------------------------- */

/* What attn_readout tells of a head, in the order of attn_readout_name. */
enum { ATTN_ENTROPY, ATTN_SELF, ATTN_PREVIOUS, ATTN_FIRST, ATTN_MEAN_WEIGHT, ATTN_N_READOUTS };

enum { ATTN_SOURCE_GIVEN, ATTN_SOURCE_INPUTS, ATTN_SOURCE_TRAINED };   /* choices of score_source */
enum { ATTN_SCALE_NONE, ATTN_SCALE_SQRT_HEAD_DIM, ATTN_SCALE_NUMBER }; /* choices of scale */
enum {                                                                 /* choices of fault */
  ATTN_FAULT_NONE, ATTN_FAULT_WEIGHT_ALTERED, ATTN_FAULT_TERM_WRONG, ATTN_FAULT_INPUT_ALTERED,
  ATTN_FAULT_SOFTMAX_COLUMNS, ATTN_FAULT_MASK_OFF_BY_ONE, ATTN_FAULT_MASK_AFTER_SOFTMAX, ATTN_FAULT_MASK_FILL_ZERO,
  ATTN_FAULT_MASK_FILL_LARGE, ATTN_FAULT_SCALE_MISSING, ATTN_FAULT_SCALE_SQRT_D_OUT, ATTN_FAULT_QUERY_KEY_SWAPPED,
  ATTN_FAULT_HEADS_RESHAPED, ATTN_N_FAULTS
};
enum { ATTN_QUERY, ATTN_KEY, ATTN_VALUE, ATTN_OUT, ATTN_N_PROJECTIONS }; /* indices of attn_shape.bias */

/* The tensors, in the order of the directory (tensors.c). */
enum {
  ATTN_INPUTS,
  ATTN_W_QUERY,
  ATTN_W_KEY,
  ATTN_W_VALUE,
  ATTN_B_QUERY,
  ATTN_B_KEY,
  ATTN_B_VALUE,
  ATTN_W_OUT,
  ATTN_B_OUT,
  ATTN_GIVEN_WEIGHTS,
  ATTN_QUERIES,
  ATTN_KEYS,
  ATTN_VALUES,
  ATTN_SCORES,
  ATTN_WEIGHTS,
  ATTN_ROW_SUMS,
  ATTN_COLUMN_SUMS,
  ATTN_CONTEXT_VECS,
  ATTN_OUTPUTS,
  ATTN_D_INPUTS, /* gradients, in the order of what they are gradients of: see attn_tensor_gradient */
  ATTN_D_W_QUERY,
  ATTN_D_W_KEY,
  ATTN_D_W_VALUE,
  ATTN_D_B_QUERY,
  ATTN_D_B_KEY,
  ATTN_D_B_VALUE,
  ATTN_D_W_OUT,
  ATTN_D_B_OUT,
  ATTN_D_QUERIES,
  ATTN_D_KEYS,
  ATTN_D_VALUES,
  ATTN_D_SCORES,
  ATTN_D_WEIGHTS,
  ATTN_D_CONTEXT_VECS,
  ATTN_D_OUTPUTS,
  ATTN_N_TENSORS,
  ATTN_FIRST_PARAMETER = ATTN_W_QUERY,
  ATTN_LAST_PARAMETER = ATTN_B_OUT,
  ATTN_FIRST_GRADIENT = ATTN_D_INPUTS
};

typedef struct attn_shape {
  int32_t n_batch, n_tokens, d_in, d_out, n_heads, out_width;
  bool bias[ATTN_N_PROJECTIONS];
  bool keep_weights, keep_gradients;
} attn_shape;

/* What attn_compare_routes found about one row. */
typedef struct attn_route_row {
  int32_t position, term;
  bool value_at_fault; /* the weights agree and this term alone differs: so its value does */
  float batched, one_token;
} attn_route_row;

/* Where the second route works (row_route.c), one token and one head at a time, and what the comparison of both
 * routes found (compare_routes.c). */
typedef struct attn_route {
  float *query;   /* [W] the token's query */
  float *row;     /* [W] one key or one value of one head */
  float *weights; /* [T] of one head */
  double *blend;  /* [W] the weighted sum of one head before it is rounded */
  float *context; /* [W] the result */
  attn_route_row *rows; /* [B][T] */
  double *batched_terms, *one_token_terms; /* [T] of one sum */
  bool *draws, *fits; /* [T] does the row at hand draw on key j; do the differing rows fit key j */
  int32_t draws_on;
  double score_size; /* of the row at hand, in all heads: the largest |scale| sum_e |query_e key_e| */
  const char *verdict;
} attn_route;

/* How one number came to be (trace.c). */
enum { ATTN_SIDE_LEFT, ATTN_SIDE_RIGHT, ATTN_SIDE_BIAS, ATTN_N_SIDES };

typedef struct attn_trace_record {
  const char *operation;
  int32_t n_terms;
  int32_t tensor[ATTN_N_SIDES];   /* -1: none */
  int32_t *element[ATTN_SIDE_BIAS]; /* [max of T, d_in, W]: of the left and of the right factor of every term */
  int32_t bias_element;
  double *product, *running; /* as many */
  double scale, max, total, result;
} attn_trace_record;

enum { ATTN_SGD, ATTN_ADAM, ATTN_N_OPTIMIZERS };

/* What training remembers (train.c). Arrays of n_parameters numbers are laid out as the parameters are in the block,
 * gaps included: number k of tensor t is at data[t] - data[ATTN_FIRST_PARAMETER] + k. */
typedef struct attn_training {
  size_t n_parameters;
  float *first, *second; /* SGD: the velocity, unused; Adam: the moments of the gradient */
  /* While a step is not yet known to be good, over gradients that nobody needs then: parameters as they were before, and
   * what second becomes. What first becomes lies over the gradient itself. */
  float *kept_parameters, *next_second;
  float *targets;        /* [B][T][width of the result] */
  int32_t *target_rows;  /* [T] not 0: the row counts, in every sequence */
  int32_t optimizer;     /* whose state it is */
  double power1, power2; /* Adam: β1^t and β2^t, t being the steps taken; 1 at first */
  double loss, gradient_norm, analytic, numerical;
} attn_training;

/* How many numbers attn_difference takes at once, and how many weights attn_largest_weights finds (readouts.c). */
enum { ATTN_DIFFERENCE_ROOM = 256, ATTN_LARGEST_ROOM = 16 };

/* A number that is not finite: in which tensor, its flat index, and what it is; -1, -1 and 0: there is none. */
typedef struct attn_bad_number {
  int32_t tensor;
  double element; /* as a double: there may be 2^40 scores that are not kept */
  float value;
} attn_bad_number;

/* A line of a picture of attn_weights, and the colours it is painted in (paint.c). */
enum { ATTN_RAMP = 256, ATTN_MASKED_GROUND = ATTN_RAMP, ATTN_MASKED_LINE, ATTN_N_COLOURS, ATTN_PAINT_ROOM = 2048 };

typedef struct attn_picture {
  uint32_t colours[ATTN_N_COLOURS], *pixels; /* four bytes each, as the caller orders them; [ATTN_PAINT_ROOM] */
} attn_picture;

struct attn_layer {
  attn_shape shape;
  int32_t score_source, scale;
  double scale_number;
  bool causal;
  const attn_kernels *kernels;
  attn_stage *stages[ATTN_N_STAGES];
  attn_term *blend_term; /* of stages[ATTN_STAGE_BLEND] */
  int32_t fault;
  size_t fault_place;
  float *data[ATTN_N_TENSORS]; /* where each name's own memory is, whether the configuration has it or not */
  size_t size[ATTN_N_TENSORS]; /* how many numbers each has in this configuration */
  float *block_weights;        /* of a part, if weights are not kept */
  double *column_totals;       /* [T] */
  float *head_keys, *head_values; /* [T][W / n_heads] */
  float *normalised;           /* [T] */
  double readouts[ATTN_N_READOUTS];
  float *minuend, *subtrahend; /* [ATTN_DIFFERENCE_ROOM] */
  int32_t largest[ATTN_LARGEST_ROOM];
  double rest; /* the sum of the row's other weights */
  attn_picture picture;
  attn_route route;
  attn_trace_record trace;
  attn_training training;
  bool stale;           /* derived tensors */
  int32_t next_part;    /* of attn_forward_part */
  bool gradients_stale; /* gradients, even if derived tensors are not */
  attn_bad_number error;
};

/* W: d_out when the scores are trained, else d_in. */
int32_t attn_width(const attn_shape *shape, int32_t score_source);
/* Does n_heads divide that width? */
bool attn_heads_divide(const attn_shape *shape, int32_t score_source);
/* How many numbers a tensor may need under any configuration of this shape, as a double: it may be absurd. */
double attn_tensor_capacity(const attn_shape *shape, int32_t tensor);
/* Note anew how many numbers each tensor has: to be called when the configuration has changed. */
void attn_measure_tensors(attn_layer *layer);
/* The layer's present computation. */
attn_pass attn_layer_pass(const attn_layer *layer);

/* Put the stages of a fault in the place of the right ones; ATTN_FAULT_NONE: all are the right ones (faults.c). */
void attn_plant(attn_layer *layer, int32_t fault, size_t place);

/* The second route, inside (row_route.c): fill route.context for one token; fill route.weights for one of its heads;
 * one number of a value row. */
attn_status attn_route_token(attn_layer *layer, const attn_pass *pass, size_t batch, size_t token);
attn_status attn_route_weigh(attn_layer *layer, const attn_pass *pass, size_t batch, size_t head, size_t token);
float attn_route_value(const attn_pass *pass, size_t batch, size_t token, size_t column);

/* Is it a gradient?  Those are filled by attn_backward. */
bool attn_is_gradient(int32_t tensor);
/* The largest |x| of n numbers; infinite or NaN if one of them is. */
float attn_magnitude(size_t n, const float *x);
/* Are all numbers of the tensors from first to last finite, and scores that are not kept?  A masked one may be -INFINITY. */
attn_status attn_check_finite(attn_layer *layer, int32_t first, int32_t last);
/* Forget the last error, and say that a tensor's element is not finite. */
void attn_clear_error(attn_layer *layer);
attn_status attn_not_finite(attn_layer *layer, int32_t tensor, uint64_t element, float value);
/* ATTN_OK, ATTN_HEADS_DO_NOT_DIVIDE, or ATTN_TENSOR_NOT_FINITE for an input or a parameter. */
attn_status attn_check_ready(attn_layer *layer);
/* attn_backward for a step, results being fresh: gradients stay stale, d_inputs is left out, and nothing is looked at. If
 * the gradients of all parameters are finite, so is all that they come from. ATTN_FAULT_PLANTED, or ATTN_OK. */
attn_status attn_backward_to_parameters(attn_layer *layer);

#endif
