/* fixtures.h: layers for tests, their tensors and options by name, and the allocator as the tests see it. It must
 * expect nothing of results: the tests do. Next to read: layer_test.c. */
#ifndef FIXTURES_H
#define FIXTURES_H

#include "internal.h"

/* Shapes whose defaults hide nothing: no two sizes alike. */
enum { B = 3, T = 5, D_IN = 3, D_OUT = 4, H = 2, OUT = 6 };

/* B, T, D_IN, D_OUT, n_heads, with w_out and every bias, all filled with distinct numbers. The caller disposes. */
attn_layer *odd_layer(int32_t n_heads);

/* A layer of one sequence without biases and output projection; all zero. The caller disposes. */
attn_layer *plain_layer(int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads);

/* Index of a tensor's name; fails the test and gives 0 if there is none. */
int32_t tensor(const char *name);

/* A tensor's numbers; never NULL for a tensor that is there. */
float *numbers(attn_layer *layer, const char *name);
size_t count(attn_layer *layer, const char *name);

/* Write a whole tensor, from doubles, and say that it changed. */
void set(attn_layer *layer, const char *name, const double *from);

/* Configure by name, as the JavaScript face does. */
attn_status choose(attn_layer *layer, const char *option, const char *choice, double number);

/* The allocator as the tests see it: how often it was asked, and whether it refuses. */
extern int n_allocations;
extern bool allocator_refuses;

#endif
