/* attention.h: the whole public contract of the attention core, and the ABI of the WebAssembly module.
 *
 * A layer owns one block of memory that holds every tensor of one attention computation of one shape. The caller
 * writes inputs and parameters into it, calls attn_forward, and reads the results in place. Nothing else in the
 * module keeps state. A C program needs this file alone; the JavaScript face (web/engine/) calls exactly these
 * functions and reads every name, size and address through them, so it mirrors no enum and no offset.
 *
 * Conventions, everywhere: float32, row-major; x @ W with W [d_in][d_out]; head h of a [.., width] tensor is the
 * block of columns h*head_dim .. (h+1)*head_dim - 1; rows of attn_weights are queries, columns are keys; every index
 * counts from 0. No function but attn_layer_create allocates, and only attn_layer_dispose frees.
 * A pointer to a layer must come from attn_layer_create and not have been disposed; indices into the directories
 * must be within the counts that the directories give. Next to read: internal.h, then forward.c. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include <stddef.h>
#include <stdint.h>

typedef struct attn_layer attn_layer;

/* Why a call did not do what was asked. One cause each; attn_status_name gives a stable name for programs
 * ("heads_do_not_divide"), attn_status_text a sentence without numbers for people. */
typedef enum attn_status {
  ATTN_OK = 0,
  ATTN_SIZE_NOT_POSITIVE,      /* a size of the shape is zero or negative (out_width may be 0: no output projection) */
  ATTN_TOO_LARGE,              /* the tensors of this shape need more than attn_max_bytes() */
  ATTN_OUT_OF_MEMORY,          /* the allocator gave nothing */
  ATTN_HEADS_DO_NOT_DIVIDE,    /* n_heads does not divide the width (d_out; d_in unless the scores are trained) */
  ATTN_BIAS_WITHOUT_OUT,       /* a bias of the output projection was asked for without an output projection */
  ATTN_GRADIENTS_WITHOUT_WEIGHTS, /* keep_gradients without keep_weights */
  ATTN_NOT_KEPT,               /* the layer was created without room for this: attn_weights, or gradients */
  ATTN_UNKNOWN_CHOICE,         /* no option, or no choice of that option, has this index */
  ATTN_WIDTH_IS_FIXED,         /* the score source would change the width of an existing output projection */
  ATTN_NUMBER_NOT_FINITE,      /* an option's number (the scale, the bound of a draw) is NaN or infinite */
  ATTN_TENSOR_NOT_FINITE,      /* a tensor holds NaN or an infinity: see attn_error_tensor, attn_error_element */
  ATTN_INDEX_OUT_OF_RANGE,     /* a batch, head or token index lies outside the shape */
  ATTN_STALE,                  /* something changed since the last attn_forward, or attn_backward for a gradient */
  ATTN_ROW_SUM_IS_ZERO,        /* a row whose weights sum to zero cannot be normalised */
  ATTN_FAULT_PLANTED,          /* gradients are those of the right computation, and a bug is planted into it */
  ATTN_NO_TARGETS,             /* no row is a target */
  ATTN_NO_PARAMETERS,          /* there is nothing to train: no weight matrix in this configuration */
  ATTN_DIVERGED,               /* the step would have led to NaN or an infinity: nothing was changed */
  ATTN_N_STATUS                /* how many there are; not a status */
} attn_status;

const char *attn_status_name(int32_t status);
const char *attn_status_text(int32_t status);

/* ---- Life of a layer ------------------------------------------------------------------------------------------ */

/* Is this a shape that a layer can have?  All sizes are counts.
 *   n_batch   sequences, computed independently          n_tokens   T, rows of every sequence
 *   d_in      numbers per input row                      d_out      columns of w_query, w_key and w_value
 *   n_heads   heads; whether it divides the width depends on the score source, so configure and forward check that
 *   out_width columns of w_out; 0 for no output projection
 *   bias_*    1 if that projection has a bias, else 0 (bias_out needs out_width > 0)
 *   keep_weights   1: attn_scores, attn_weights and their sums are there to be read; 0: attn_forward makes a part of them
 *                  at a time and forgets it, so that nothing is T times T; weights cannot be given then, nor bugs planted
 *   keep_gradients 1: there is room for gradients, and for training; it needs keep_weights
 * ATTN_OK, ATTN_SIZE_NOT_POSITIVE, ATTN_BIAS_WITHOUT_OUT, ATTN_GRADIENTS_WITHOUT_WEIGHTS or ATTN_TOO_LARGE. */
attn_status attn_shape_check(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                             int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                             int32_t bias_out, int32_t keep_weights, int32_t keep_gradients);

/* How many bytes a layer of this shape takes, as a double (it may exceed 2^53 for absurd shapes: then approximate): every
 * tensor below, once where several share memory, and at most 16 KB + 48 M + (60 + 24 n_batch) T + 8 T ceil(M / n_heads) of
 * scratch, M being the larger of d_in and d_out; without keep_weights 64 KB, for a part of the weights; with keep_gradients
 * the targets, twice the parameters, for what an optimiser remembers, and, to undo a step, what twice the parameters are
 * more than d_queries … d_outputs together. */
double attn_shape_bytes(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                        int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                        int32_t bias_out, int32_t keep_weights, int32_t keep_gradients);

double attn_max_bytes(void); /* the largest that attn_shape_check lets through */

/* Can a new layer of this shape, with sizes above 0, have this choice of score_source?  ATTN_OK, or as attn_configure:
 * ATTN_HEADS_DO_NOT_DIVIDE, ATTN_WIDTH_IS_FIXED or ATTN_NOT_KEPT. */
attn_status attn_source_check(int32_t d_in, int32_t d_out, int32_t n_heads, int32_t out_width, int32_t keep_weights,
                              int32_t source);

/* Make a layer: one allocation, all tensors zero, every option at its first choice but score_source "trained",
 * scale "sqrt_head_dim". NULL if the shape does not pass attn_shape_check or the allocator gives nothing.
 * The caller owns it and ends it with attn_layer_dispose. */
attn_layer *attn_layer_create(int32_t n_batch, int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads,
                              int32_t out_width, int32_t bias_query, int32_t bias_key, int32_t bias_value,
                              int32_t bias_out, int32_t keep_weights, int32_t keep_gradients);

void attn_layer_dispose(attn_layer *layer); /* frees it and every tensor in it; NULL does nothing */

/* ---- Options: a directory of names, so that no enum is copied by hand ----------------------------------------- */

/* The options are, with their choices in order:
 *   score_source  given (attn_weights are the caller's) | inputs (inputs · inputsᵀ) | trained (queries · keysᵀ)
 *   scale         none | sqrt_head_dim (scores are divided by √head_dim) | number (scores are multiplied by it)
 *   causal        off | on (query i draws on the keys j <= i)
 *   kernels       simd (four numbers at a time, sums in float) | plain (the formula as it is written, sums in double)
 *   fault         none | a bug planted on purpose into attn_forward, see below
 * attn_option_name and attn_choice_name return NULL past the end. */
const char *attn_option_name(int32_t option);
const char *attn_choice_name(int32_t option, int32_t choice);

/* Set one option of a layer; number is read for the scale's choice "number", and as the place of a fault that has
 * one. Everything derived becomes stale. The layer is unchanged unless the result is ATTN_OK; else
 * ATTN_UNKNOWN_CHOICE, ATTN_NUMBER_NOT_FINITE, ATTN_HEADS_DO_NOT_DIVIDE (score_source: n_heads must divide the width
 * that it gives), ATTN_WIDTH_IS_FIXED, ATTN_INDEX_OUT_OF_RANGE (a place that is no token) or ATTN_NOT_KEPT (score_source
 * "given" or a fault, without keep_weights). given_weights share the memory of attn_scores: they are zeros each time the
 * score source becomes "given". */
attn_status attn_configure(attn_layer *layer, int32_t option, int32_t choice, double number);

/* The choices of fault. Each replaces stages of attn_forward, never the second route; none undoes it exactly. The
 * first three are in the first sequence and have a place, a token:
 *   weight_altered      in row place of attn_weights, head 0, one allowed weight is 0.25 too large
 *   term_wrong          in row place of context_vecs, one term of the second number reads the neighbouring column of
 *                       its value: the term in which that makes the most difference
 *   input_altered       the blend reads value row place as v + (1 + |v|); inputs and values keep their numbers
 *   softmax_columns     softmax down each column of the allowed scores
 *   mask_off_by_one     query i draws on the keys j <= i + 1
 *   mask_after_softmax  softmax over all keys, then later weights 0, not divided by what is left (given weights too)
 *   mask_fill_zero      masked scores are 0 instead of -INFINITY
 *   mask_fill_large     masked scores are -1e9 instead of -INFINITY
 *   scale_missing       scores are not scaled
 *   scale_sqrt_d_out    scores are divided by the root of the width instead of √head_dim
 *   query_key_swapped   attn_scores[i][j] = scale * sum_e queries[j][e] keys[i][e]
 *   heads_reshaped      head h of queries, keys and values is the h-th T * head_dim numbers of the sequence in memory
 * A fault may be planted where it cannot show; attn_forward is then right, or as good as. */

/* What the layer's present setting lacks for a fault (a choice of the option) to show; NULL if it lacks nothing:
 *   "scores" (they are given) | "trained" | "causal" | "scale" (it is 1) | "sqrt_head_dim" (as the scale) |
 *   "two_heads" | "two_values" (a head is one number wide) | "two_tokens" |
 *   "kept_weights" (the layer does not keep them) |
 *   "huge_scores" (after the last attn_forward, no partly masked row has all allowed scores at -1e9 or below; or stale)
 * Numbers may still be such that nothing shows: equal rows, say. */
const char *attn_fault_missing(const attn_layer *layer, int32_t choice);
int32_t attn_fault_has_place(int32_t choice);

/* ---- Tensors: a directory that follows the configuration ------------------------------------------------------- */

/* Names, in order; W stands for the width: d_out when trained, else d_in. In brackets: when a tensor is there.
 *   inputs [B,T,d_in]
 *   w_query w_key w_value [d_in,d_out], b_query b_key b_value [d_out]      (trained; biases as created)
 *   w_out [W,out_width], b_out [out_width]                                 (with an output projection)
 *   given_weights [B,H,T,T]      what the caller set as attn_weights       (given)
 *   queries keys [B,T,W]         when scores are inputs · inputsᵀ, both are the inputs   (inputs, trained)
 *   values [B,T,W]               the inputs unless trained
 *   attn_scores [B,H,T,T]        scaled and masked, -INFINITY where masked               (inputs, trained)
 *   attn_weights [B,H,T,T]       after softmax; given: masked and renormalised
 *   attn_row_sums [B,H,T]        sum over keys of attn_weights
 *   attn_column_sums [B,H,T]     sum over queries of attn_weights
 *   context_vecs [B,T,W]         heads side by side
 *   outputs [B,T,out_width]      context_vecs @ w_out + b_out              (with an output projection)
 *   d_inputs d_w_query … d_b_out d_queries d_keys d_values d_attn_scores d_attn_weights d_context_vecs d_outputs
 *                                gradients, by attn_backward: each there when its tensor is, and of its dims
 * tensor counts from 0 to attn_tensor_count() - 1, the same for every layer; a tensor that the configuration does
 * not have has rank 0. */
int32_t attn_tensor_count(void);
const char *attn_tensor_name(int32_t tensor);
int32_t attn_tensor_rank(const attn_layer *layer, int32_t tensor);
int32_t attn_tensor_dim(const attn_layer *layer, int32_t tensor, int32_t axis);
size_t attn_tensor_size(const attn_layer *layer, int32_t tensor); /* how many numbers; 0 if it is not there */
/* Where its numbers are: inside the layer, 64-byte aligned, valid until the layer is disposed; NULL if it is not
 * there. Several names may share memory (values and inputs, unless trained). */
float *attn_tensor_data(attn_layer *layer, int32_t tensor);
/* Which tensor the caller writes in order to set this one: itself for inputs and parameters, given_weights for
 * attn_weights when given, -1 for what only attn_forward may write and for what is not there. */
int32_t attn_tensor_target(const attn_layer *layer, int32_t tensor);
/* 1 if it is derived and something changed since the last successful attn_forward (a gradient: attn_backward), else 0. */
int32_t attn_tensor_is_stale(const attn_layer *layer, int32_t tensor);
void attn_tensors_changed(attn_layer *layer); /* after numbers were written into it: everything derived becomes stale */

/* ---- Compute --------------------------------------------------------------------------------------------------- */

/* Compute every derived tensor from inputs, parameters and options:
 *   queries = inputs @ w_query + b_query, keys and values likewise
 *   attn_scores[i][j] = scale * sum_e queries[i][e] keys[j][e], -INFINITY where masked
 *   attn_weights = softmax of each row;  context_vecs[i] = sum_j attn_weights[i][j] values[j]
 *   outputs = context_vecs @ w_out + b_out
 * Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.
 * Without keep_weights softmax goes over parts of the keys, with a running maximum and sum (Milakov and Gimelshein 2018;
 * Rabe and Staats 2021): context_vecs differ from those of a layer that keeps weights by rounding alone, in tests by
 * less than 1e-6 times the largest |value|; if T is at most 256, they are the same bits.
 * A row masked everywhere gives zeros, and so does one of given weights whose allowed entries sum to 0 under the mask.
 * ATTN_TENSOR_NOT_FINITE if an input, a parameter or a result is NaN or infinite (a masked score's -INFINITY
 * excepted); derived tensors are then stale. ATTN_HEADS_DO_NOT_DIVIDE as for attn_configure. Allocates nothing.
 * Cost O(B·T·(d_in·d_out + T·W + W·out_width)). */
attn_status attn_forward(attn_layer *layer);

/* attn_forward in parts, called for 0, 1 … attn_forward_parts - 1: results are the same bits, and stale until the last.
 * Part 0 begins anew. The statuses of attn_forward, or ATTN_STALE: another part is next, after a change part 0. */
int32_t attn_forward_parts(const attn_layer *layer);
attn_status attn_forward_part(attn_layer *layer, int32_t part);

/* After ATTN_TENSOR_NOT_FINITE: which tensor, the flat index of its first bad element, and what that is; -1, -1 and 0
 * otherwise. attn_scores are named without keep_weights too; their index may then be beyond int32. */
int32_t attn_error_tensor(const attn_layer *layer);
double attn_error_element(const attn_layer *layer);
float attn_error_value(const attn_layer *layer);

/* Draw all parameters that the configuration has, in the order query, key, value, out, each weight followed by its
 * bias. The generator is PyTorch's CPU generator: mt19937 seeded by init_genrand(seed), 24 bits a float (random.c).
 *   scheme 0 "torch.rand"  uniform in [0,1), weights row by row as torch.rand(d_in, d_out)
 *   scheme 1 "nn.Linear"   torch.nn.Linear's default: uniform in ±1/√fan_in, drawn in its own [out][in] order
 *   scheme 2 "uniform"     uniform in ±bound, row by row; bound is read for this scheme only
 * attn_scheme_name gives these names, NULL past the end. Derived tensors become stale.
 * ATTN_UNKNOWN_CHOICE, ATTN_NUMBER_NOT_FINITE (also a negative bound); the layer is then unchanged. */
const char *attn_scheme_name(int32_t scheme);
attn_status attn_init(attn_layer *layer, int32_t scheme, uint32_t seed, double bound);

/* ---- Learn: backward.c, train.c ---------------------------------------------------------------------------------- */

int32_t attn_result_tensor(const attn_layer *layer); /* what it computes for its user: outputs, without w_out context_vecs */
/* Where the gradient of a tensor is: d_ and its name; for given_weights and attn_weights d_attn_weights; -1: none. */
int32_t attn_tensor_gradient(int32_t tensor);

/* Compute the gradient of L = sum(result * d_result) by every tensor, after attn_forward. The caller has written
 * d_result into the gradient of the result tensor. d_inputs is the sum of the paths through queries, keys and values;
 * d_attn_weights of given weights is by what the caller gave, before mask and renormalisation; a row masked everywhere
 * has none. Source: the chain rule; forward's formulas stand beside their derivatives in backward.c.
 * A masked weight cannot move: its d_attn_weights is 0.
 * ATTN_NOT_KEPT, ATTN_STALE, ATTN_FAULT_PLANTED, or ATTN_TENSOR_NOT_FINITE for d_result or a gradient; gradients are then
 * stale. Allocates nothing. Cost about twice that of attn_forward. */
attn_status attn_backward(attn_layer *layer);

/* What the result should be, [B,T,its width], and which rows count: [T], not 0 for a token whose row does, in every
 * sequence. The caller writes both; at first no row counts. They change nothing but the loss. NULL without
 * keep_gradients. */
float *attn_targets(attn_layer *layer);
int32_t *attn_target_rows(attn_layer *layer);

/* loss = the mean of (result - target)^2 over all numbers of the rows that count, of all sequences, in double
 * precision. attn_measure_loss computes it for the present result: ATTN_NOT_KEPT, ATTN_STALE, ATTN_NO_TARGETS, or
 * ATTN_NUMBER_NOT_FINITE (a target). attn_loss reads it, until the next call that computes one. */
attn_status attn_measure_loss(attn_layer *layer);
double attn_loss(const attn_layer *layer);

/* One step of an optimiser, on all parameters that the configuration has, down the gradient g of the loss:
 *   0 "sgd"   v = momentum v + g;  w -= learning_rate v
 *   1 "adam"  m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g^2;
 *             w -= learning_rate (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8);  momentum is not read
 * v, m and t start from 0, and again when the optimiser is another than in the step before. Sources: PyTorch's
 * torch.optim.SGD and Adam with their defaults; Kingma and Ba 2015, "Adam".
 * Computes attn_forward first if something changed, and again after the step, so that what is read then belongs to the
 * new parameters; only gradients are stale. attn_loss and attn_gradient_norm, the root of the sum of g^2 over all
 * parameters, are of before the step.
 * If the gradient, a new parameter or anything computed from it is not finite: ATTN_DIVERGED, attn_error_tensor and
 * attn_error_element say where, and parameters, optimiser and results are what they were before the call. Nor does it
 * change anything but derived tensors on ATTN_UNKNOWN_CHOICE, ATTN_NUMBER_NOT_FINITE (a target, also a learning_rate
 * below 0 or a momentum outside 0 <= momentum < 1), ATTN_NO_TARGETS, ATTN_NO_PARAMETERS, ATTN_FAULT_PLANTED,
 * ATTN_HEADS_DO_NOT_DIVIDE or ATTN_TENSOR_NOT_FINITE. Cost: attn_forward and attn_backward, if steps follow each other. */
const char *attn_optimizer_name(int32_t optimizer); /* NULL past the end */
attn_status attn_train_step(attn_layer *layer, int32_t optimizer, double learning_rate, double momentum);
double attn_gradient_norm(const attn_layer *layer);
void attn_reset_optimizer(attn_layer *layer); /* forgets v, m and t */

/* Hold one element of a gradient of the loss against its numerical value: of a tensor x that the caller can write,
 *   numerical = (loss(x + step) - loss(x - step)) / 2 step,  the step being what float makes of it
 * x is put back exactly and everything computed anew, gradients of the loss too: nothing is stale afterwards.
 * ATTN_INDEX_OUT_OF_RANGE (no such element, or a tensor that the caller cannot write), ATTN_NUMBER_NOT_FINITE (step,
 * also if it is so small that x + step = x - step; a target), and the other statuses of attn_train_step. Cost: three
 * times attn_forward, and attn_backward. */
attn_status attn_check_gradient(attn_layer *layer, int32_t tensor, int32_t element, double step);
double attn_gradient_analytic(const attn_layer *layer);
double attn_gradient_numerical(const attn_layer *layer);
double attn_gradient_difference(const attn_layer *layer); /* analytic - numerical */

/* ---- The second route: row_route.c, compare_routes.c ------------------------------------------------------------- */

/* Compute one token's context vector (W numbers, heads side by side, before w_out) by its own plain code, which
 * shares no kernel with attn_forward: row_route.c. Reads inputs, parameters and options only; needs no attn_forward.
 * The result is at attn_one_token_context until the next call of this or of attn_compare_routes.
 * ATTN_INDEX_OUT_OF_RANGE, ATTN_HEADS_DO_NOT_DIVIDE, or ATTN_TENSOR_NOT_FINITE. Cost O(T·d_in·d_out + T·W). */
attn_status attn_context_one_token(attn_layer *layer, int32_t batch, int32_t token);
const float *attn_one_token_context(const attn_layer *layer);

/* Compare context_vecs with the second route for every row of every sequence. Two numbers differ when
 *   |batched - one_token| > tolerance * (1 + sum_j |attn_weights[i][j] * values[j][e]|)
 * (tolerance 0: when they are not equal). Kernels that add in float, and so are some roundings off, are allowed for: the
 * tolerance of a row is then 5e-7 (1 + 2 max_j scale sum_e |queries[i][e] keys[j][e]|) larger, for what a score is off,
 * its weight is off in proportion. For each differing row: the first differing position e and, in that
 * position's sum, the first term j whose products differ beyond tolerance * (1 + |product|); where none does, the
 * term whose products differ most; -1 where the products' differences do not add up to half of that of the sums, and so
 * the sum itself is at fault: with a tolerance of 0 it may be the order of summation and its rounding alone; in the
 * second route it is from the last term to the first, and in double precision.
 * If some rows differ, also the token that explains them, attn_routes_draws_on.
 * ATTN_STALE, ATTN_NUMBER_NOT_FINITE (also a negative tolerance), or the errors of attn_context_one_token.
 * Cost: B·T times that of attn_context_one_token, twice where some rows differ. */
attn_status attn_compare_routes(attn_layer *layer, double tolerance);

/* The result of the last attn_compare_routes. The verdict is one of
 *   "agree" | "one row" | "some rows" | "every row"
 * "some rows": not all, or all because each draws on the one token whose value is at fault: attn_routes_draws_on is
 * that token, each differing row's weights agree in the head at hand, and no other term differs.
 * "every row": all other cases in which all rows that could differ do; a row that may draw on one key only (the first, under the causal
 * mask) has weight 1 whatever its score and so need not. One row alone is always "one row". */
const char *attn_routes_verdict(const attn_layer *layer);
int32_t attn_routes_position(const attn_layer *layer, int32_t batch, int32_t token); /* -1: the row agrees */
int32_t attn_routes_term(const attn_layer *layer, int32_t batch, int32_t token);
float attn_routes_batched(const attn_layer *layer, int32_t batch, int32_t token);    /* at that position */
float attn_routes_one_token(const attn_layer *layer, int32_t batch, int32_t token);

/* With "some rows": the token j such that, in every sequence with a differing row, the rows that differ are exactly
 * those that draw on token j: whose weight for it by the second route, in any head, is beyond the tolerance. Of several
 * such j the first whose term is the first to differ in all these rows, or else the first. -1: there is none, or the
 * verdict is another. */
int32_t attn_routes_draws_on(const attn_layer *layer);

/* Both routes' terms of the sum that makes context_vecs[batch][token][position]: the products of weight and value, of
 * the batched route as its sum really had them. They stand until the next call of this or of attn_compare_routes; term
 * counts from 0 to T - 1. ATTN_INDEX_OUT_OF_RANGE, ATTN_STALE or ATTN_TENSOR_NOT_FINITE. */
attn_status attn_route_terms(attn_layer *layer, int32_t batch, int32_t token, int32_t position);
double attn_route_term_batched(const attn_layer *layer, int32_t term);
double attn_route_term_one_token(const attn_layer *layer, int32_t term);

/* ---- How one number came to be: trace.c -------------------------------------------------------------------------- */

/* Work out one element (flat index) of a tensor again, by the operation that should have made it, from what is stored
 * of the operands: whatever a planted bug did to this step, and to no other, makes result differ from the tensor's
 * number. A masked cell is no term, unless a wrong mask gave it weight. The operations, with their terms:
 *   "input"         none: typed in or drawn; result is the number
 *   "gradient"      none: of attn_backward; result is the number
 *   "same"          one: queries, keys and values are the inputs unless trained
 *   "projection"    inputs[t][d] * w[d][e], then + b[e]
 *   "score"         queries[i][e] * keys[j][e], then * scale
 *   "masked"        none: -INFINITY for a score, 0 for a weight
 *   "softmax"       one for each key: left is its score, product = exp(score - max); result = the own one / total
 *   "given"         one: the caller's weight
 *   "given_masked"  the allowed given weights of the row; result = the own one / total (0 if total is 0)
 *   "row_sum" "column_sum"   attn_weights of the row, of the column
 *   "blend"         attn_weights[i][j] * values[j][e]
 *   "output"        context_vecs[t][e] * w_out[e][o], then + b_out[o]
 * But for softmax and given_masked, result = scale * (sum of products) + bias, in double precision in the order of the
 * terms. Results stand until the next call. ATTN_INDEX_OUT_OF_RANGE (no such element now) or ATTN_STALE. Cost: that of
 * the one number. */
attn_status attn_trace(attn_layer *layer, int32_t tensor, int32_t element);
const char *attn_trace_operation(const attn_layer *layer);
int32_t attn_trace_term_count(const attn_layer *layer);
/* side 0: the left factors, 1: the right factors, 2: what is added after the sum, a bias (term is not read).
 * The tensor is -1 where there is none. */
int32_t attn_trace_tensor(const attn_layer *layer, int32_t side);
int32_t attn_trace_element(const attn_layer *layer, int32_t side, int32_t term);
double attn_trace_product(const attn_layer *layer, int32_t term);
double attn_trace_running(const attn_layer *layer, int32_t term); /* sum of the products up to and with this one */
double attn_trace_scale(const attn_layer *layer);                 /* 1 but for a score */
double attn_trace_max(const attn_layer *layer);                   /* softmax's; NaN elsewhere */
double attn_trace_total(const attn_layer *layer);                 /* what is divided by; NaN where nothing is */
double attn_trace_result(const attn_layer *layer);                /* not rounded to float */

/* ---- What is said about whole tensors: readouts.c ---------------------------------------------------------------- */

/* Figures about the attn_weights of one head. attn_read_out computes them all: ATTN_INDEX_OUT_OF_RANGE or ATTN_STALE;
 * attn_readout reads one, until the next call:
 *   "entropy"      mean over rows of -sum_j w log2 w, in bits     "self"   mean over rows of the weight on itself
 *   "previous"     mean weight on the token before, over the rows that have one; NaN if none has
 *   "first"        mean over rows of the weight on the first      "mean_weight"   mean over allowed cells
 * attn_readout_name gives these names, NULL past the end. */
const char *attn_readout_name(int32_t readout);
attn_status attn_read_out(attn_layer *layer, int32_t batch, int32_t head);
double attn_readout(const attn_layer *layer, int32_t readout);

/* The n largest weights of one row of attn_weights, largest first, equal ones in the order of their keys:
 * attn_largest_key gives the key of each, place counting from 0; attn_largest_rest the sum of all other weights of the
 * row, in double precision. Both stand until the next call. ATTN_INDEX_OUT_OF_RANGE (also n outside of 1 to the smaller
 * of T and attn_largest_room()), ATTN_NOT_KEPT or ATTN_STALE. Cost O(n·T). */
int32_t attn_largest_room(void);
attn_status attn_largest_weights(attn_layer *layer, int32_t batch, int32_t head, int32_t row, int32_t n);
int32_t attn_largest_key(const attn_layer *layer, int32_t place);
double attn_largest_rest(const attn_layer *layer);

/* left[k] -= right[k] for the first n numbers of two buffers, which the caller fills and reads; n is at most
 * attn_difference_room(). Equal numbers, two infinities too, give 0. */
int32_t attn_difference_room(void);
float *attn_difference_left(const attn_layer *layer);
float *attn_difference_right(const attn_layer *layer);
void attn_difference(const attn_layer *layer, int32_t n);

/* Divide one row of the caller's given_weights by its sum, in double precision; the layer's tensors are unchanged.
 * The T numbers are at attn_normalised_weights until the next call. ATTN_INDEX_OUT_OF_RANGE (also if they are not given),
 * ATTN_TENSOR_NOT_FINITE, ATTN_ROW_SUM_IS_ZERO (also where it is so near to 0 that no float holds a quotient). */
attn_status attn_normalise_row(attn_layer *layer, int32_t batch, int32_t head, int32_t row);
const float *attn_normalised_weights(const attn_layer *layer);

/* ---- A picture of attn_weights: paint.c -------------------------------------------------------------------------- */

/* Paint one line of a picture of attn_weights[batch][head]: n pixels, of which pixel x shows the cells from
 *   rows row … row + row_step and columns column + x column_step … column + (x + 1) column_step,
 * counted from 0 and in parts of cells, each cell being 1 wide and 1 high. Where a pixel is smaller than a cell it shows
 * the cell under its middle; else the LARGEST of the weights that it touches. The colour of a weight w is
 *   colours[0] for w <= 0, else colours[1 + floor(w * (254 / top))], at most colours[255]
 * A pixel of masked cells alone, all of weight 0, is colours[256], or colours[257] on the lines of a hatching, for which
 * hatch is the place of pixel 0: its x + y in the whole picture. Outside of the matrix a pixel is 0.
 * The caller writes attn_paint_colours(), 258 colours of four bytes, once, and reads attn_paint_pixels() after each
 * line. ATTN_INDEX_OUT_OF_RANGE (also n outside of 1 to attn_paint_room()), ATTN_NUMBER_NOT_FINITE (also a step or a
 * top that is not above 0), ATTN_NOT_KEPT or ATTN_STALE. Allocates nothing. Cost: one look at every cell that is shown. */
int32_t attn_paint_room(void);
uint32_t *attn_paint_colours(attn_layer *layer);
const uint32_t *attn_paint_pixels(const attn_layer *layer);
attn_status attn_paint_line(attn_layer *layer, int32_t batch, int32_t head, double row, double row_step, double column,
                            double column_step, double top, int32_t n, int32_t hatch);

#endif
