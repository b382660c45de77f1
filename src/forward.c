/* forward.c: attention from inputs to outputs, as a table of stages that each compute one tensor (Vaswani et al.
 * 2017, "Attention is all you need", section 3.2). Arithmetic is done by the kernels of the pass, never by name;
 * nothing here knows of a layer, of a planted bug or of the other route. Next to read: kernels_ref.c, layer.c. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* rows = inputs @ w + b, for all rows of all sequences; without a w the rows are given as they are. */
static void project(const attn_pass *pass, size_t n_rows, size_t width, const float *inputs, const float *w,
                    const float *b, float *rows) {
  if (!w) return;
  pass->kernels->matmul(pass->n_batch * n_rows, width, pass->d_in, pass->d_in, inputs, pass->d_in, w, width, b, rows,
                        width);
}

/* queries [B][n_queries][query_stride] = inputs @ w_query + b_query */
static void stage_queries(const attn_pass *pass) {
  project(pass, pass->n_queries, pass->query_stride, pass->query_inputs, pass->w_query, pass->b_query, pass->queries);
}

/* keys [B][n_keys][key_stride] = inputs @ w_key + b_key */
static void stage_keys(const attn_pass *pass) {
  project(pass, pass->n_keys, pass->key_stride, pass->key_inputs, pass->w_key, pass->b_key, pass->keys);
}

/* values [B][n_keys][value_stride] = inputs @ w_value + b_value */
static void stage_values(const attn_pass *pass) {
  project(pass, pass->n_keys, pass->value_stride, pass->key_inputs, pass->w_value, pass->b_value, pass->values);
}

/* How far the rows of scores and weights have to be looked at. */
static size_t reach_of(const attn_pass *pass) {
  return pass->skips ? attn_reach(pass) : pass->n_keys;
}

/* attn_scores[i][j] = scale sum_e queries[i][e] keys[j][e], in each head's own columns */
static void stage_scores(const attn_pass *pass) {
  if (!pass->attn_scores) return;
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *queries = pass->queries + b * pass->n_queries * pass->query_stride + h * pass->key_dim;
      const float *keys = pass->keys + b * pass->n_keys * pass->key_stride + h * pass->key_dim;
      float *scores = pass->attn_scores + attn_weight_row(pass, b, h, 0);
      pass->kernels->matmul_bt(pass->n_queries, pass->n_keys, pass->key_dim, reach_of(pass), pass->scale, queries,
                               pass->query_stride, keys, pass->key_stride, scores, pass->n_keys);
    }
  }
}

/* attn_scores[i][j] = -INFINITY where i may not draw on j. It selects: whatever stood there has no influence. */
static void stage_mask(const attn_pass *pass) {
  if (!pass->attn_scores || !pass->causal) return;
  for (size_t row = 0; row < pass->n_batch * pass->n_heads * pass->n_queries; row++) {
    float *scores = pass->attn_scores + row * pass->n_keys;
    const size_t n_allowed = attn_reached(pass->n_keys, attn_reach(pass), row % pass->n_queries);
    for (size_t j = n_allowed; j < pass->n_keys; j++) scores[j] = -INFINITY;
  }
}

/* Given weights under the causal mask: later entries 0, the rest divided by their sum; a zero sum gives zeros.
 * Without the mask they are taken as they are, whatever their sum. */
static void mask_given_row(const attn_pass *pass, size_t i, const float *given, float *weights) {
  for (size_t j = 0; j < pass->n_keys; j++) weights[j] = attn_allowed(pass, i, j) ? given[j] : 0;
  if (!pass->causal) return;
  const double sum = attn_row_sum(pass->n_keys, weights);
  for (size_t j = 0; j < pass->n_keys; j++) weights[j] = sum == 0 ? 0 : (float)((double)weights[j] / sum);
}

/* attn_weights[i] = softmax of attn_scores[i], or the given weights */
static void stage_weights(const attn_pass *pass) {
  const size_t n = pass->n_keys;
  for (size_t head = 0; head < pass->n_batch * pass->n_heads; head++) {
    const size_t start = head * pass->n_queries * n;
    if (pass->attn_scores) {
      pass->kernels->softmax_rows(pass->n_queries, n, reach_of(pass), pass->attn_scores + start, n,
                                  pass->attn_weights + start, n);
      continue;
    }
    for (size_t i = 0; i < pass->n_queries; i++) {
      mask_given_row(pass, i, pass->given_weights + start + i * n, pass->attn_weights + start + i * n);
    }
  }
}

/* attn_row_sums[i] = sum_j attn_weights[i][j];  attn_column_sums[j] = sum_i attn_weights[i][j] */
static void stage_sums(const attn_pass *pass) {
  const size_t n = pass->n_keys;
  for (size_t head = 0; head < pass->n_batch * pass->n_heads; head++) {
    if (!pass->continues) memset(pass->column_totals, 0, n * sizeof(double));
    pass->kernels->sum_weights(pass->n_queries, n, reach_of(pass), pass->attn_weights + head * pass->n_queries * n, n,
                               pass->attn_row_sums + head * pass->n_queries, pass->column_totals);
    for (size_t j = 0; j < n; j++) pass->attn_column_sums[head * n + j] = (float)pass->column_totals[j];
  }
}

/* context_vecs[i] = sum_j attn_weights[i][j] values[j], each head into its own columns: side by side */
static void stage_blend(const attn_pass *pass) {
  for (size_t b = 0; b < pass->n_batch; b++) {
    for (size_t h = 0; h < pass->n_heads; h++) {
      const float *weights = pass->attn_weights + attn_weight_row(pass, b, h, 0);
      const float *values = pass->values + b * pass->n_keys * pass->value_stride + h * pass->value_dim;
      float *context = pass->context_vecs + b * pass->n_queries * pass->context_stride + h * pass->value_dim;
      pass->kernels->matmul(pass->n_queries, pass->value_dim, pass->n_keys, reach_of(pass), weights, pass->n_keys,
                            values, pass->value_stride, NULL, context, pass->context_stride);
    }
  }
}

double attn_blend_term(const attn_pass *pass, size_t batch, size_t i, size_t column, size_t j) {
  const float weight = pass->attn_weights[attn_weight_row(pass, batch, column / pass->value_dim, i) + j];
  return (double)weight * (double)pass->values[(batch * pass->n_keys + j) * pass->value_stride + column];
}

/* outputs = context_vecs @ w_out + b_out */
static void stage_outputs(const attn_pass *pass) {
  if (!pass->w_out) return;
  const size_t width = pass->context_stride;
  pass->kernels->matmul(pass->n_batch * pass->n_queries, pass->out_width, width, width, pass->context_vecs, width,
                        pass->w_out, pass->out_width, pass->b_out, pass->outputs, pass->out_width);
}

attn_stage *const attn_stages[ATTN_N_STAGES] = {
    [ATTN_STAGE_QUERIES] = stage_queries, [ATTN_STAGE_KEYS] = stage_keys,
    [ATTN_STAGE_VALUES] = stage_values,   [ATTN_STAGE_SCORES] = stage_scores,
    [ATTN_STAGE_MASK] = stage_mask,       [ATTN_STAGE_WEIGHTS] = stage_weights,
    [ATTN_STAGE_SUMS] = stage_sums,       [ATTN_STAGE_BLEND] = stage_blend,
    [ATTN_STAGE_OUTPUTS] = stage_outputs,
};

static size_t lesser(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t attn_block_rows(size_t n_queries, size_t n_keys) {
  enum { NUMBERS = 1 << 17, LEAST = 16 }; /* with fewer rows kernels spend their time on preparing */
  return lesser(n_queries, NUMBERS / n_keys > LEAST ? NUMBERS / n_keys : LEAST);
}

/* One head's columns of n rows, side by side: each block reads them all, and from far apart they come slowly. */
static void gather(size_t n, size_t width, const float *rows, size_t stride, float *to) {
  for (size_t j = 0; j < n; j++) memcpy(to + j * width, rows + j * stride, width * sizeof(float));
}

/* How many queries a block has. */
static size_t rows_of(const attn_pass *pass) {
  return pass->attn_weights ? pass->block_rows : ATTN_PART_QUERIES;
}

/* How many blocks the queries of a head make. None lies across a multiple of its rows. */
static size_t blocks_of_head(const attn_pass *pass) {
  const size_t rows = rows_of(pass);
  return (pass->first_query % rows + pass->n_queries + rows - 1) / rows;
}

/* One block of the queries of one head of one sequence, as a computation of its own. Blocks of a head come one after the
 * other. */
static attn_pass make_block(const attn_pass *pass, size_t head, size_t index) {
  const size_t b = head / pass->n_heads, h = head % pass->n_heads;
  const size_t rows = rows_of(pass), before = pass->first_query % rows;
  const size_t first = index > 0 ? index * rows - before : 0;
  const size_t query = b * pass->n_queries + first, key = b * pass->n_keys;
  const size_t weight = attn_weight_row(pass, b, h, first);
  attn_pass block = *pass;
  block.n_batch = block.n_heads = 1;
  block.n_queries = lesser(pass->n_queries, (index + 1) * rows - before) - first;
  block.first_query += first;
  block.skips = true;
  block.continues = first > 0;
  block.queries += query * pass->query_stride + h * pass->key_dim;
  block.keys += key * pass->key_stride + h * pass->key_dim;
  block.values += key * pass->value_stride + h * pass->value_dim;
  if (pass->given_weights) block.given_weights += weight;
  if (pass->attn_scores) block.attn_scores += weight;
  if (pass->attn_weights) block.attn_weights += weight;
  block.attn_row_sums += head * pass->n_queries + first;
  block.attn_column_sums += head * pass->n_keys;
  block.context_vecs += query * pass->context_stride + h * pass->value_dim;
  if (pass->head_keys && pass->n_heads > 1 && pass->n_queries > rows) {
    if (first == 0) gather(pass->n_keys, pass->key_dim, block.keys, pass->key_stride, pass->head_keys);
    if (first == 0) gather(pass->n_keys, pass->value_dim, block.values, pass->value_stride, pass->head_values);
    block.keys = pass->head_keys;
    block.values = pass->head_values;
    block.key_stride = pass->key_dim;
    block.value_stride = pass->value_dim;
  }
  return block;
}

/* A block's context_vecs without its weights: keys come in parts, whose weights are forgotten, and after each part the
 * context vectors are those of all keys so far (Rabe and Staats 2021, "Self-attention does not need O(n²) memory").
 * Parts begin at the same keys for every query, and a block of queries never lies across the beginning of one. */
static void stream(const attn_pass *block) {
  const attn_kernels *kernels = block->kernels;
  const size_t n_queries = block->n_queries;
  float *weights = block->block_weights, max[ATTN_PART_QUERIES];
  double total[ATTN_PART_QUERIES];
  for (size_t i = 0; i < n_queries; i++) {
    max[i] = -INFINITY;
    total[i] = 0;
    memset(block->context_vecs + i * block->context_stride, 0, block->value_dim * sizeof(float));
  }
  const size_t end = attn_reached(block->n_keys, attn_reach(block), n_queries - 1);
  for (size_t j = 0; j < end; j += ATTN_PART_KEYS) {
    const size_t n = lesser(ATTN_PART_KEYS, block->n_keys - j), reach = attn_reach(block) - j;
    kernels->matmul_bt(n_queries, n, block->key_dim, reach, block->scale, block->queries, block->query_stride,
                       block->keys + j * block->key_stride, block->key_stride, weights, n);
    kernels->softmax_part(n_queries, n, reach, weights, n, max, total, block->value_dim, block->context_vecs,
                          block->context_stride);
    kernels->add_matmul(n_queries, block->value_dim, n, reach, weights, n, block->values + j * block->value_stride,
                        block->value_stride, block->context_vecs, block->context_stride);
  }
}

static bool all_right(attn_stage *const stages[ATTN_N_STAGES]) {
  for (size_t s = 0; s < ATTN_N_STAGES; s++) {
    if (stages[s] != attn_stages[s]) return false;
  }
  return true;
}

size_t attn_count_blocks(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass) {
  return all_right(stages) ? pass->n_batch * pass->n_heads * blocks_of_head(pass) : 1;
}

void attn_run_block(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass, size_t index, size_t n_blocks) {
  const size_t of_head = n_blocks / (pass->n_batch * pass->n_heads);
  for (size_t s = 0; index == 0 && s < ATTN_STAGE_SCORES; s++) stages[s](pass);
  if (all_right(stages)) {
    const attn_pass block = make_block(pass, index / of_head, index % of_head);
    if (!pass->attn_weights) stream(&block);
    else for (size_t s = ATTN_STAGE_SCORES; s <= ATTN_STAGE_BLEND; s++) attn_stages[s](&block);
  } else {
    for (size_t s = ATTN_STAGE_SCORES; s <= ATTN_STAGE_BLEND; s++) stages[s](pass);
  }
  if (index + 1 == n_blocks) stages[ATTN_STAGE_OUTPUTS](pass);
}

void attn_run_stages(attn_stage *const stages[ATTN_N_STAGES], const attn_pass *pass) {
  const size_t n = attn_count_blocks(stages, pass);
  for (size_t k = 0; k < n; k++) attn_run_block(stages, pass, k, n);
}
