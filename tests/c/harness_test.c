/* harness_test.c: the comparator itself, which every other test leans on: what it accepts and what it must reject.
 * Next to read: kernels_test.c. */
#include <math.h>

#include "suites.h"

static const double want[3] = {1, -2, 0.5};

static size_t first(float a, float b, float c, double atol, double rtol) {
  const float got[3] = {a, b, c};
  return first_not_close(3, got, want, atol, rtol);
}

static void accepts(void) {
  EXPECT(first(1, -2, 0.5f, 0, 0) == 3);
  EXPECT(first(1.5f, -2, 0.5f, 0.5, 0) == 3);
  EXPECT(first(1, -2.5f, 0.5f, 0, 0.25) == 3);
}

static void rejects(void) {
  EXPECT(first(1, -2, 0.75f, 0, 0.25) == 2);
  EXPECT(first(0, 0, 0, 1e-5, 1e-5) == 0);
  EXPECT(first(1, -2, -0.5f, 1e-5, 1e-5) == 2);
  EXPECT(first(1, NAN, 0.5f, INFINITY, 1) == 1);
  EXPECT(first(1, -2, INFINITY, 1e30, 1) == 2);
}

static void infinities(void) {
  const double wanted[1] = {-INFINITY}, not_a_number[1] = {NAN};
  const float minus[1] = {-INFINITY}, plus[1] = {INFINITY}, finite[1] = {-1e38f}, nan[1] = {NAN};
  EXPECT(first_not_close(1, minus, wanted, 0, 0) == 1);
  EXPECT(first_not_close(1, plus, wanted, 0, 0) == 0);
  EXPECT(first_not_close(1, finite, wanted, 1, 1) == 0);
  EXPECT(first_not_close(1, nan, not_a_number, 1, 1) == 0);
}

void harness_tests(void) {
  test("The comparator accepts what lies within the stated tolerance, its edge included.", accepts);
  test("The comparator rejects zeros, a wrong sign, NaN and anything just beyond, and says where.", rejects);
  test("The comparator takes an infinity for equal to the same infinity only, and NaN for equal to nothing.",
       infinities);
}
