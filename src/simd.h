/* simd.h: four floats at a time, by the compiler's vector extension: how they are read, written, filled and made double.
 * It computes nothing; the fast kernels need it, which find each other by it, and train.c for its double precision.
 * Next to read: kernels_simd.c. */
#ifndef ATTN_SIMD_H
#define ATTN_SIMD_H

#include <stddef.h>
#include <stdint.h>

typedef float vec __attribute__((vector_size(16)));
typedef int32_t ivec __attribute__((vector_size(16)));
typedef uint32_t uvec __attribute__((vector_size(16)));
typedef float loose __attribute__((vector_size(16), aligned(4), may_alias)); /* a vec anywhere in memory */
typedef float loose_pair __attribute__((vector_size(8), aligned(4), may_alias));
typedef double dvec __attribute__((vector_size(16)));
typedef double loose_dvec __attribute__((vector_size(16), aligned(8), may_alias));

enum { LANES = 4, TERMS = 128 }; /* so many terms of a sum at most run on in float */

static inline vec load(const float *from) {
  return *(const loose *)from;
}

static inline void store(float *to, vec v) {
  *(loose *)to = v;
}

static inline vec splat(float x) {
  return (vec){x, x, x, x};
}

/* The last n numbers of a row, 1 to 3 of them, and fill in the place of the others. */
static inline vec load_last(size_t n, const float *from, float fill) {
  return (vec){from[0], n > 1 ? from[1] : fill, n > 2 ? from[2] : fill, fill};
}

static inline void store_last(size_t n, float *to, vec v) {
  to[0] = v[0];
  if (n > 1) to[1] = v[1];
  if (n > 2) to[2] = v[2];
}

/* Two numbers in double precision. */
static inline dvec load_two(const float *from) {
  return __builtin_convertvector(*(const loose_pair *)from, dvec);
}

/* And back, four of them, each rounded. Zeros are added, and halves joined by their bits, because compilers then find the
 * instruction that rounds two. */
static inline ivec rounded(dvec half) {
  return (ivec)__builtin_convertvector(__builtin_shufflevector(half, (dvec){0}, 0, 1, 2, 3), vec);
}

static inline vec rounded_four(dvec low, dvec high) {
  const ivec last = rounded(high);
  return (vec)(rounded(low) | __builtin_shufflevector(last, last, 2, 3, 0, 1));
}

/* The larger of both, a where one is NaN. Compilers would take an instruction that costs ten times as much. */
static inline vec larger_of(vec a, vec b) {
#ifdef __wasm_simd128__
  return __builtin_wasm_pmax_f32x4(a, b);
#else
  const ivec where = a < b;
  return (vec)(((ivec)b & where) | ((ivec)a & ~where));
#endif
}

/* The kernels of rows, for the table of the fast kernels: internal.h says what they do, kernels_rows.c how. */
void attn_simd_softmax_rows(size_t n_rows, size_t n_keys, size_t reach, const float *scores, size_t ld_scores,
                            float *weights, size_t ld_weights);
void attn_simd_softmax_part(size_t n_rows, size_t n_keys, size_t reach, float *scores, size_t ld_scores, float *max,
                            double *total, size_t width, float *sums, size_t ld_sums);
void attn_simd_sum_weights(size_t n_rows, size_t n_keys, size_t reach, const float *weights, size_t ld_weights,
                           float *row_sums, double *column_totals);
void attn_simd_softmax_rows_backward(size_t n_rows, size_t n_keys, size_t reach, const float *weights,
                                     size_t ld_weights, const float *d_weights, size_t ld_d_weights, float *d_scores,
                                     size_t ld_d_scores);

#endif
