/* harness.h: what a test of the C core needs: sentences with a body, expectations, and a comparator that is tight and
 * never takes NaN for equal. It knows nothing of attention. Next to read: main.c, which lists the test files. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>

/* Run one test. Its title is a sentence about what is so; it fails if any expectation in its body does. */
void test(const char *sentence, void (*body)(void));

#define EXPECT(...) expect(__FILE__, __LINE__, (__VA_ARGS__), #__VA_ARGS__)
bool expect(const char *file, int line, bool condition, const char *text);

#define EXPECT_TEXT(...) expect_text(__FILE__, __LINE__, __VA_ARGS__)
bool expect_text(const char *file, int line, const char *got, const char *want);

/* |got - want| <= atol + rtol |want| for each of n numbers; equal infinities are equal, NaN never is. */
#define EXPECT_CLOSE(...) expect_close(__FILE__, __LINE__, __VA_ARGS__)
bool expect_close(const char *file, int line, size_t n, const float *got, const double *want, double atol,
                  double rtol);

/* The same bits, number by number. */
#define EXPECT_SAME(...) expect_same(__FILE__, __LINE__, __VA_ARGS__)
bool expect_same(const char *file, int line, size_t n, const float *got, const float *want);

/* The comparator alone: the index of the first number that is not close, or n. */
size_t first_not_close(size_t n, const float *got, const double *want, double atol, double rtol);

/* Fill with distinct numbers, the same for the same salt: no two rows or columns alike. */
void fill_distinct(size_t n, float *numbers, unsigned salt);

#endif
