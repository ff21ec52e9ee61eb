#include "mesh/io/format.h"

syn_status syn_builder_polygon(syn_builder *builder, const uint32_t *indices, size_t count, syn_error *error) {
  for (size_t i = 2; i < count; ++i)
    SYN_TRY(syn_builder_triangle(builder, indices[0], indices[i - 1], indices[i], error));
  return SYN_OK;
}
