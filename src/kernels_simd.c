/* kernels_simd.c: the fast kernels, four numbers at a time by the compiler's vector extension, so that the same file
 * runs in WebAssembly and natively. What they compute is said by kernels_ref.c, which judges them; here sums are kept
 * in float and rounded at every term, but no longer than TERMS of them run on before they are added to the total.
 * No result depends on where a tile or a vector begins: a number is the same bits in every shape that holds it, and
 * what the causal mask leaves out is not computed. Next to read: simd.h, kernels_ref.c, internal.h (attn_kernels). */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "simd.h"

static inline size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* ---- Products -------------------------------------------------------------------------------------------------- */

/* c[i][e] = start[i][e] + scale sum_j a[i][j] b[j][e]. A matrix is a pointer and the distances between its rows and
 * between its columns: so a turned matrix is one too. A start of NULL: it is the sum alone. */
typedef struct matrix {
  const float *at;
  size_t row, column;
} matrix;

typedef struct product {
  size_t m, n, k;
  float scale;
  matrix a, b;
  const float *start;
  size_t start_row;
  float *c;
  size_t ldc;
  size_t columns, terms, rows; /* what is not zero and is asked for: e < columns + i, j < terms + i, i < rows + j */
} product;

/* A tile of c, ROWS x COLUMNS, is summed in 8 vectors, half of the 16 that a processor has: a row of b, a number of a
 * and a product must fit beside. A panel of b, TERMS x COLUMNS, is copied together: it stays in the nearest cache while
 * the rows of a pass by. */
enum { ROWS = 2, COLUMNS = 16, NARROW = 8 };

/* Where a tile of c goes, and what its sums are added to. */
typedef struct tile {
  const float *start;
  size_t start_row;
  float scale, *c;
  size_t ldc;
} tile;

static inline void finish(vec scale, const float *start, float *c, vec first, vec second) {
  first *= scale, second *= scale;
  if (start) first += load(start), second += load(start + LANES);
  store(c, first), store(c + LANES, second);
}

static inline const float *further(const float *start, size_t n) {
  return start ? start + n : NULL;
}

/* c[i] = start[i] + scale sum_j a[i][j] panel[j], over k terms, for n tiles, one below the other; rows of a are next
 * apart, those of the panel width. The inner loop must not be unrolled: interleaved steps need more vectors than there
 * are. */
__attribute__((noinline)) static void multiply_tiles(size_t n, size_t k, const float *a, size_t next, size_t step,
                                                     const float *panel, size_t width, const tile *first) {
  const vec scale = splat(first->scale);
  const float *start = first->start;
  float *c = first->c;
  for (; n > 0; n--, a += ROWS * next) {
    vec a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    const float *x = a, *y = a + next, *terms = panel;
    for (size_t j = 0; j < k; j++) {
      const vec p0 = load(terms), p1 = load(terms + LANES), p2 = load(terms + 2 * LANES), p3 = load(terms + 3 * LANES);
      vec number = splat(*x);
      a0 += number * p0, a1 += number * p1, a2 += number * p2, a3 += number * p3;
      number = splat(*y);
      b0 += number * p0, b1 += number * p1, b2 += number * p2, b3 += number * p3;
      x += step, y += step, terms += width;
    }
    const float *below = further(start, first->start_row);
    finish(scale, start, c, a0, a1), finish(scale, further(start, 2 * LANES), c + 2 * LANES, a2, a3);
    c += first->ldc;
    finish(scale, below, c, b0, b1), finish(scale, further(below, 2 * LANES), c + 2 * LANES, b2, b3);
    c += first->ldc;
    start = further(below, first->start_row);
  }
}

/* The same where only the first NARROW columns are asked for. */
static void multiply_narrow_tile(size_t k, const float *a, const float *b, size_t step, const float *panel,
                                 const tile *t) {
  vec a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
  for (size_t j = 0; j < k; j++) {
    const vec p0 = load(panel), p1 = load(panel + LANES);
    a0 += splat(*a) * p0, a1 += splat(*a) * p1;
    b0 += splat(*b) * p0, b1 += splat(*b) * p1;
    a += step, b += step, panel += COLUMNS;
  }
  const vec scale = splat(t->scale);
  finish(scale, t->start, t->c, a0, a1);
  finish(scale, further(t->start, t->start_row), t->c + t->ldc, b0, b1);
}

/* to[r][e] = from[e][r] for four rows and columns */
static void turn(const float *from, size_t ld, float *to) {
  const vec r0 = load(from), r1 = load(from + ld), r2 = load(from + 2 * ld), r3 = load(from + 3 * ld);
  const vec low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5), high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
  const vec low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5), high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
  store(to, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  store(to + COLUMNS, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  store(to + 2 * COLUMNS, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
  store(to + 3 * COLUMNS, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
}

/* panel[j][e] = b[j][e] for k rows and so many columns; what else there is room for in its COLUMNS may hold anything:
 * what is computed from it is not stored. */
static void pack(size_t k, size_t columns, matrix b, float *panel) {
  size_t j = 0;
  if (columns == COLUMNS && b.column == 1) {
    for (; j < k; j++, b.at += b.row, panel += COLUMNS) {
      store(panel, load(b.at));
      store(panel + LANES, load(b.at + LANES));
      store(panel + 2 * LANES, load(b.at + 2 * LANES));
      store(panel + 3 * LANES, load(b.at + 3 * LANES));
    }
  } else if (columns == COLUMNS && b.row == 1) {
    for (; j + LANES <= k; j += LANES, b.at += LANES, panel += LANES * COLUMNS) {
      for (size_t e = 0; e < COLUMNS; e += LANES) turn(b.at + e * b.column, b.column, panel + e);
    }
  }
  for (; j < k; j++, b.at += b.row, panel += COLUMNS) {
    for (size_t e = 0; e < columns; e++) panel[e] = b.at[e * b.column];
  }
}

/* One vector of a row of c, or n numbers if it has more. */
static inline void finish_some(size_t n, const float *start, float *c, vec sum) {
  if (n >= LANES) store(c, start ? load(start) + sum : sum);
  else store_last(n, c, start ? load_last(n, start, 0) + sum : sum);
}

/* A tile at the edge of c: it is computed whole, its last row twice, and the part that is inside is added. */
static void multiply_edge(size_t rows, size_t columns, size_t k, const float *a, const float *b, size_t step,
                          const float *panel, size_t width, const tile *t) {
  float sums[ROWS * COLUMNS];
  const tile whole = {NULL, 0, t->scale, sums, COLUMNS};
  if (columns > NARROW) multiply_tiles(1, k, a, (size_t)(b - a), step, panel, width, &whole);
  else multiply_narrow_tile(k, a, b, step, panel, &whole);
  for (size_t r = 0; r < rows; r++) {
    const float *start = further(t->start, r * t->start_row), *row = sums + r * COLUMNS;
    float *c = t->c + r * t->ldc;
    for (size_t e = 0; e < columns; e += LANES) finish_some(columns - e, further(start, e), c + e, load(row + e));
  }
}

/* One panel's part of the product: rows i0 to i1, columns e0 to e0 + columns, terms j0 to j1. */
static void multiply_panel(const product *p, size_t i0, size_t i1, size_t e0, size_t columns, size_t j0, size_t j1,
                           const float *panel, size_t width) {
  const float *start = j0 == 0 ? p->start : p->c;
  const size_t start_row = j0 == 0 ? p->start_row : p->ldc;
  const size_t step = p->a.column, row = p->a.row, first = e0 < p->columns ? 0 : e0 + 1 - p->columns;
  size_t i = i0 > first ? i0 : first;
  const float *a = p->a.at + i * row;
  tile t = {further(start, i * start_row + e0), start_row, p->scale, p->c + i * p->ldc + e0, p->ldc};
  if (columns == COLUMNS && p->rows >= i1 && p->terms >= j1) {
    const size_t n = i < i1 ? (i1 - i) / ROWS : 0;
    multiply_tiles(n, j1 - j0, a + j0 * step, row, step, panel, width, &t);
    i += n * ROWS, a += n * ROWS * row, t.start = further(t.start, n * ROWS * t.start_row), t.c += n * ROWS * t.ldc;
  }
  for (; i < i1; i += ROWS, a += ROWS * row, t.start = further(t.start, ROWS * t.start_row), t.c += ROWS * t.ldc) {
    const size_t rows = smaller(ROWS, i1 - i), below = i < p->rows ? 0 : i + 1 - p->rows;
    const size_t from = below > j0 ? below : j0, to = smaller(j1, p->terms + i + rows - 1);
    if (from >= to && j0 > 0) continue;
    const size_t k = from < to ? to - from : 0;
    const float *own = a + from * step, *terms = panel + (from - j0) * width;
    if (rows == ROWS && columns == COLUMNS) multiply_tiles(1, k, own, row, step, terms, width, &t);
    else multiply_edge(rows, columns, k, own, rows > 1 ? own + row : own, step, terms, width, &t);
  }
}

/* The same product, so small that packing and tiles would cost more than its sums: four columns and two rows at a time.
 * Each sum is made as in a tile, so its bits are the same. */
static void multiply_small(const product *p, size_t e0) {
  const size_t n = p->n - e0, m = p->m, k = p->k, terms = p->terms, reach = p->rows;
  const size_t row = p->a.row, step = p->a.column, next = p->b.column, start_row = p->start_row, ldc = p->ldc;
  const vec scale = splat(p->scale);
  const float *b = p->b.at + e0 * next;
  vec panel[TERMS];
  for (size_t j = 0; j < k; j++, b += p->b.row) {
    panel[j] = (vec){b[0], n > 1 ? b[next] : 0, n > 2 ? b[2 * next] : 0, n > 3 ? b[3 * next] : 0};
  }
  size_t i = e0 < p->columns ? 0 : e0 + 1 - p->columns;
  const float *a = p->a.at + i * row, *start = further(p->start, i * start_row + e0);
  float *c = p->c + i * ldc + e0;
  for (; i < m; i += ROWS, a += ROWS * row, start = further(start, ROWS * start_row), c += ROWS * ldc) {
    const bool two = i + 1 < m;
    const size_t from = i < reach ? 0 : i + 1 - reach, to = smaller(k, terms + i + two);
    const float *x = a + from * step, *y = two ? x + row : x;
    vec first = {0}, second = {0};
    for (size_t j = from; j < to; j++, x += step, y += step) {
      first += splat(*x) * panel[j];
      second += splat(*y) * panel[j];
    }
    finish_some(n, start, c, scale * first);
    if (two) finish_some(n, further(start, start_row), c + ldc, scale * second);
  }
}

/* So many rows at a time that their part of a and c stays in the second cache while all panels go by. Not to be copied
 * into each kernel: it is most of their code. */
__attribute__((noinline)) static void multiply(const product *p) {
  enum { AT_ONCE = 512, FEW = 64 };
  if (p->m <= TERMS && p->n <= TERMS && p->k <= TERMS && p->m * p->n * p->k <= TERMS) {
    for (size_t e = 0; e < p->n; e += LANES) multiply_small(p, e);
    return;
  }
  float panel[TERMS * COLUMNS];
  for (size_t i = 0; i < p->m; i += AT_ONCE) {
    for (size_t j0 = 0; j0 == 0 || j0 < p->k; j0 += TERMS) {
      const size_t j1 = smaller(p->k, j0 + TERMS);
      for (size_t e0 = 0; e0 < p->n; e0 += COLUMNS) {
        const size_t columns = smaller(COLUMNS, p->n - e0);
        const matrix b = {p->b.at + j0 * p->b.row + e0 * p->b.column, p->b.row, p->b.column};
        const bool as_it_is = p->m <= FEW && b.row <= FEW && columns == COLUMNS && b.column == 1;
        if (!as_it_is) pack(j1 - j0, columns, b, panel);
        multiply_panel(p, i, smaller(p->m, i + AT_ONCE), e0, columns, j0, j1, as_it_is ? b.at : panel,
                       as_it_is ? b.row : COLUMNS);
      }
    }
  }
}

static void matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b, size_t ldb,
                   const float *bias, float *c, size_t ldc) {
  const product p = {m, n, k, 1, {a, lda, 1}, {b, ldb, 1}, bias, 0, c, ldc, n, reach, m};
  multiply(&p);
}

static void add_matmul(size_t m, size_t n, size_t k, size_t reach, const float *a, size_t lda, const float *b,
                       size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, 1, {a, lda, 1}, {b, ldb, 1}, c, ldc, c, ldc, n, reach, m};
  multiply(&p);
}

static void matmul_bt(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, 1, ldb}, NULL, 0, c, ldc, reach, k, m};
  multiply(&p);
}

static void matmul_scaled(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                          const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, ldb, 1}, NULL, 0, c, ldc, n, reach, m};
  multiply(&p);
}

static void matmul_at(size_t m, size_t n, size_t k, size_t reach, double scale, const float *a, size_t lda,
                      const float *b, size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, 1, lda}, {b, ldb, 1}, NULL, 0, c, ldc, n, k, reach};
  multiply(&p);
}

static void add_matmul_bt(size_t m, size_t n, size_t k, double scale, const float *a, size_t lda, const float *b,
                          size_t ldb, float *c, size_t ldc) {
  const product p = {m, n, k, (float)scale, {a, lda, 1}, {b, 1, ldb}, c, ldc, c, ldc, n, k, m};
  multiply(&p);
}

const attn_kernels attn_kernels_simd = {
    "simd",     8 * 0x1p-24,            matmul,        matmul_bt, attn_simd_softmax_rows, attn_simd_sum_weights,
    add_matmul, attn_simd_softmax_part, matmul_scaled, matmul_at, add_matmul_bt,
    attn_simd_softmax_rows_backward,
};
