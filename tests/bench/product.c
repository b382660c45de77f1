/* product.c: one product of square matrices by the module's own kernels, compiled as the module is. For the benchmark
 * only. Next to read: ceiling.c, ../../src/internal.h (attn_kernels). */
#include "internal.h"

enum { N = 512 };

double bench_product_operations(void);
float bench_product(void);

static float a[N * N], b[N * N], c[N * N];

/* The operations of one call of bench_product. */
double bench_product_operations(void) { return 2.0 * N * N * N; }

/* c = a·b. Returns one number of c. */
float bench_product(void) {
  for (size_t i = 0; i < N * N && a[0] == 0; i++) b[i] = (float)(i % 7) - 3;
  for (size_t i = 0; i < N * N && a[N * N - 1] == 0; i++) a[i] = (float)(i % 5) - 2.5f;
  attn_kernels_simd.matmul(N, N, N, N, a, N, b, N, NULL, c, N);
  return c[N + 1];
}
