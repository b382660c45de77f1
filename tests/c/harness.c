/* harness.c: see harness.h. Prints a line per test and the totals; a failed expectation prints what came and what
 * was wanted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suites.h"

static int n_passed, n_failed;
static bool ok;

void test(const char *sentence, void (*body)(void)) {
  ok = true;
  body();
  printf("%s  %s\n", ok ? "pass" : "FAIL", sentence);
  fflush(stdout); /* a crash in the next test must not take this line with it */
  if (ok) n_passed++;
  else n_failed++;
}

int finish(void) {
  printf("%d passed, %d failed\n", n_passed, n_failed);
  return n_failed > 0 || n_passed == 0;
}

bool expect(const char *file, int line, bool condition, const char *text) {
  if (!condition) printf("  %s:%d: not so: %s\n", file, line, text);
  ok = ok && condition;
  return condition;
}

bool expect_text(const char *file, int line, const char *got, const char *want) {
  const bool same = got && strcmp(got, want) == 0;
  if (!same) printf("  %s:%d: got \"%s\", wanted \"%s\"\n", file, line, got ? got : "(null)", want);
  ok = ok && same;
  return same;
}

static bool close_enough(double got, double want, double atol, double rtol) {
  if (isinf(want)) return isinf(got) && signbit(got) == signbit(want);
  return fabs(got - want) <= atol + rtol * fabs(want);
}

size_t first_not_close(size_t n, const float *got, const double *want, double atol, double rtol) {
  for (size_t k = 0; k < n; k++) {
    if (!close_enough((double)got[k], want[k], atol, rtol)) return k;
  }
  return n;
}

bool expect_close(const char *file, int line, size_t n, const float *got, const double *want, double atol,
                  double rtol) {
  const size_t k = first_not_close(n, got, want, atol, rtol);
  if (k < n) {
    printf("  %s:%d: [%zu] is %.9g, wanted %.9g within %g + %g of it\n", file, line, k, (double)got[k], want[k],
           atol, rtol);
  }
  ok = ok && k == n;
  return k == n;
}

bool expect_same(const char *file, int line, size_t n, const float *got, const float *want) {
  for (size_t k = 0; k < n; k++) {
    if (memcmp(&got[k], &want[k], sizeof(float)) == 0) continue;
    printf("  %s:%d: [%zu] is %.9g, wanted exactly %.9g\n", file, line, k, (double)got[k], (double)want[k]);
    ok = false;
    return false;
  }
  return true;
}

void fill_distinct(size_t n, float *numbers, unsigned salt) {
  for (size_t k = 0; k < n; k++) {
    numbers[k] = (float)(sin(1.7 * (double)k + 0.9 * salt) + 0.01 * (double)(k % 13) - 0.3);
  }
}
