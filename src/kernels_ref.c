/* kernels_ref.c: the plain kernels, which are the specification of the arithmetic: loops as in the formula, sums in
 * double precision in the order of the index, each stored number rounded to float once. Faster sets have the same
 * signatures and are judged by these. They must stay free of tricks. Next to read: internal.h (attn_kernels). */
#include <math.h>

#include "internal.h"

/* c[i][e] = sum_j a[i][j] b[j][e] + bias[e]
 *   a in [m][k] reaching, b in [k][n], bias in [n] or NULL, c out [m][n].  Cost m·n·k. */
static void matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                   const float *bias, float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    for (size_t e = 0; e < n; e++) {
      double sum = 0;
      for (size_t j = 0; j < attn_reached(k, reach, i); j++) sum += (double)a[i * lda + j] * (double)b[j * ldb + e];
      if (bias) sum += (double)bias[e];
      c[i * ldc + e] = (float)sum;
    }
  }
}

/* c[i][j] = scale sum_e a[i][e] b[j][e]
 *   a in [m][k], b in [n][k], c out [m][n] reaching.  Cost m·n·k. */
static void matmul_bt(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < attn_reached(n, reach, i); j++) {
      double sum = 0;
      for (size_t e = 0; e < k; e++) sum += (double)a[i * lda + e] * (double)b[j * ldb + e];
      c[i * ldc + j] = (float)(scale * sum);
    }
  }
}

/* Turn one row of scores into weights:  w_j = exp(s_j - max s) / sum_j exp(s_j - max s).
 *   scores   in   [n_keys]; -INFINITY where masked: that weight is exactly 0
 *   weights  out  [n_keys]; may be the same memory as scores
 * A row masked everywhere becomes all zeros. Two exps per key: the exponentials have no place to be kept unrounded. */
static void softmax_row(size_t n_keys, const float *scores, float *weights) {
  double max = -INFINITY;
  for (size_t j = 0; j < n_keys; j++) {
    if ((double)scores[j] > max) max = (double)scores[j];
  }
  /* -INFINITY - -INFINITY would be NaN: in a row masked everywhere nothing is subtracted. */
  const double shift = max > -INFINITY ? max : 0;
  double sum = 0;
  for (size_t j = 0; j < n_keys; j++) sum += exp((double)scores[j] - shift);
  for (size_t j = 0; j < n_keys; j++) {
    weights[j] = sum == 0 ? 0 : (float)(exp((double)scores[j] - shift) / sum);
  }
}

static void softmax_rows(size_t n_rows, size_t n_keys, size_t reach, const float *scores, size_t ld_scores,
                         float *weights, size_t ld_weights) {
  for (size_t i = 0; i < n_rows; i++) {
    const size_t n = attn_reached(n_keys, reach, i);
    softmax_row(n, scores + i * ld_scores, weights + i * ld_weights);
    for (size_t j = n; j < n_keys; j++) weights[i * ld_weights + j] = 0;
  }
}

/* row_sums[i] = sum_j weights[i][j];  column_totals[j] += sum_i weights[i][j] */
static void sum_weights(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                        float *row_sums, double *column_totals) {
  for (size_t i = 0; i < n_rows; i++) {
    double sum = 0;
    for (size_t j = 0; j < attn_reached(n_keys, reach, i); j++) {
      sum += (double)weights[i * ld_weights + j];
      column_totals[j] += (double)weights[i * ld_weights + j];
    }
    row_sums[i] = (float)sum;
  }
}

/* ---- For keys that come in parts ------------------------------------------------------------------------------- */

/* c[i][e] += sum_j a[i][j] b[j][e]
 *   a in [m][k] reaching, b in [k][n], c in and out [m][n].  Cost m·n·k. */
static void add_matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                       float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    for (size_t e = 0; e < n; e++) {
      double sum = (double)c[i * ldc + e];
      for (size_t j = 0; j < attn_reached(k, reach, i); j++) sum += (double)a[i * lda + j] * (double)b[j * ldb + e];
      c[i * ldc + e] = (float)sum;
    }
  }
}

/* Turn a part of a row of scores into the weights that these keys have in the softmax of all keys up to them:
 *   before = total exp(max - max'),  total' = before + sum_j exp(s_j - max'),  max' = max(max, max s)
 *   w_j = exp(s_j - max') / total',  and what earlier weights were summed into becomes  before / total'  of itself
 * max is -INFINITY and total 0 at first: before is then 0. Source: Milakov and Gimelshein 2018, "Online normalizer
 * calculation for softmax". */
static void softmax_row_part(size_t n_keys, float *scores, float *max, double *total, size_t width, float *sums) {
  float larger = *max;
  for (size_t j = 0; j < n_keys; j++) larger = scores[j] > larger ? scores[j] : larger;
  const double shift = larger > -INFINITY ? (double)larger : 0;
  const double before = *total * exp((double)*max - shift);
  double all = before;
  for (size_t j = 0; j < n_keys; j++) all += exp((double)scores[j] - shift);
  for (size_t j = 0; j < n_keys; j++) scores[j] = all == 0 ? 0 : (float)(exp((double)scores[j] - shift) / all);
  for (size_t e = 0; e < width && all != 0; e++) sums[e] = (float)((double)sums[e] * (before / all));
  *max = larger;
  *total = all;
}

static void softmax_part(size_t n_rows, size_t n_keys, size_t reach, float *scores, size_t ld_scores, float *max,
                         double *total, size_t width, float *sums, size_t ld_sums) {
  for (size_t i = 0; i < n_rows; i++) {
    const size_t n = attn_reached(n_keys, reach, i);
    softmax_row_part(n, scores + i * ld_scores, max + i, total + i, width, sums + i * ld_sums);
    for (size_t j = n; j < n_keys; j++) scores[i * ld_scores + j] = 0;
  }
}

/* ---- For the way back ------------------------------------------------------------------------------------------ */

/* c[i][e] = scale sum_j a[i][j] b[j][e]
 *   a in [m][k] reaching, b in [k][n], c out [m][n].  Cost m·n·k. */
static void matmul_scaled(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                          const float *b, size_t ldb, float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    for (size_t e = 0; e < n; e++) {
      double sum = 0;
      for (size_t j = 0; j < attn_reached(k, reach, i); j++) sum += (double)a[i * lda + j] * (double)b[j * ldb + e];
      c[i * ldc + e] = (float)(scale * sum);
    }
  }
}

/* c[j][e] = scale sum_i a[i][j] b[i][e]
 *   a in [k][m] reaching, b in [k][n], c out [m][n].  Cost m·n·k. */
static void matmul_at(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  for (size_t j = 0; j < m; j++) {
    for (size_t e = 0; e < n; e++) {
      double sum = 0;
      const size_t first = j < reach ? 0 : j + 1 - reach; /* the rows before it do not reach column j */
      for (size_t i = first; i < k; i++) sum += (double)a[i * lda + j] * (double)b[i * ldb + e];
      c[j * ldc + e] = (float)(scale * sum);
    }
  }
}

/* c[i][j] += scale sum_e a[i][e] b[j][e]: it adds, because a gradient may have several sources
 *   a in [m][k], b in [n][k], c in and out [m][n].  Cost m·n·k. */
static void add_matmul_bt(size_t m, size_t n, size_t k, double scale, const float *a, size_t lda, const float *b,
                          size_t ldb, float *c, size_t ldc) {
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t e = 0; e < k; e++) sum += (double)a[i * lda + e] * (double)b[j * ldb + e];
      c[i * ldc + j] = (float)((double)c[i * ldc + j] + scale * sum);
    }
  }
}

/* Turn one row of d_weights into d_scores. Since  dw_j / ds_k = w_j ([j = k] - w_k),
 *   ds_k = sum_j dw_j w_j ([j = k] - w_k) = w_k (dw_k - sum_j dw_j w_j),
 * which needs one sum for the row: linear in n_keys. A masked key has w_k = 0 and so ds_k = 0; a row masked everywhere
 * has no gradient. */
static void softmax_row_backward(size_t n_keys, const float *weights, const float *d_weights, float *d_scores) {
  double sum = 0;
  for (size_t j = 0; j < n_keys; j++) sum += (double)d_weights[j] * (double)weights[j];
  for (size_t k = 0; k < n_keys; k++) d_scores[k] = (float)((double)weights[k] * ((double)d_weights[k] - sum));
}

static void softmax_rows_backward(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                                  const float *d_weights, size_t ld_d_weights, float *d_scores, size_t ld_d_scores) {
  for (size_t i = 0; i < n_rows; i++) {
    const size_t n = attn_reached(n_keys, reach, i);
    softmax_row_backward(n, weights + i * ld_weights, d_weights + i * ld_d_weights, d_scores + i * ld_d_scores);
    for (size_t k = n; k < n_keys; k++) d_scores[i * ld_d_scores + k] = 0;
  }
}

const attn_kernels attn_kernels_ref = {
    "plain",    0,            matmul,        matmul_bt, softmax_rows,  sum_weights,
    add_matmul, softmax_part, matmul_scaled, matmul_at, add_matmul_bt, softmax_rows_backward,
};
