/* suites.h: one function per test file; main.c calls them all, in an order that goes from the comparator outwards.
 * Next to read: main.c. */
#ifndef SUITES_H
#define SUITES_H

#include "harness.h"

void harness_tests(void);
void kernel_tests(void);
void simd_tests(void);
void stream_tests(void);
void pass_tests(void);
void random_tests(void);
void layer_tests(void);
void option_tests(void);
void forward_tests(void);
void route_tests(void);
void fault_tests(void);
void trace_tests(void);
void readout_tests(void);
void paint_tests(void);
void backward_tests(void);
void train_tests(void);

/* Print the totals; the exit code of the run. */
int finish(void);

#endif
