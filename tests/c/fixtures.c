/* fixtures.c: see fixtures.h. Also the seam by which tests see and refuse allocations: the linker's --wrap puts
 * __wrap_aligned_alloc in the place of aligned_alloc, so that src/ needs no seam of its own. */
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "harness.h"

int n_allocations;
bool allocator_refuses;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  n_allocations++;
  return allocator_refuses ? NULL : __real_aligned_alloc(alignment, size);
}

attn_layer *plain_layer(int32_t n_tokens, int32_t d_in, int32_t d_out, int32_t n_heads) {
  attn_layer *layer = attn_layer_create(1, n_tokens, d_in, d_out, n_heads, 0, 0, 0, 0, 0, 1, 1);
  if (!layer) abort();
  return layer;
}

attn_layer *odd_layer(int32_t n_heads) {
  attn_layer *layer = attn_layer_create(B, T, D_IN, D_OUT, n_heads, OUT, 1, 1, 1, 1, 1, 1);
  if (!layer) abort();
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (attn_tensor_target(layer, t) == t) {
      fill_distinct(attn_tensor_size(layer, t), attn_tensor_data(layer, t), (unsigned)t);
    }
  }
  return layer;
}

int32_t tensor(const char *name) {
  for (int32_t t = 0; t < attn_tensor_count(); t++) {
    if (strcmp(attn_tensor_name(t), name) == 0) return t;
  }
  EXPECT_TEXT("no tensor of this name", name);
  return 0;
}

float *numbers(attn_layer *layer, const char *name) {
  float *data = attn_tensor_data(layer, tensor(name));
  if (!data) abort();
  return data;
}

size_t count(attn_layer *layer, const char *name) {
  return attn_tensor_size(layer, tensor(name));
}

void set(attn_layer *layer, const char *name, const double *from) {
  float *to = numbers(layer, name);
  for (size_t k = 0; k < count(layer, name); k++) to[k] = (float)from[k];
  attn_tensors_changed(layer);
}

attn_status choose(attn_layer *layer, const char *option, const char *choice, double number) {
  int32_t o = 0, c = 0;
  while (attn_option_name(o) && strcmp(attn_option_name(o), option) != 0) o++;
  while (attn_choice_name(o, c) && strcmp(attn_choice_name(o, c), choice) != 0) c++;
  return attn_configure(layer, o, c, number);
}
