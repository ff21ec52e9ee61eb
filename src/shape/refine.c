#include "shape/refine.h"

syn_status syn_shape_refine(syn_shape *shape, uint32_t level, syn_error *error) {
  for (uint32_t b = 0; b < shape->body_count; ++b)
    for (uint32_t i = 0; i < level; ++i) {
      syn_trimesh *finer;
      SYN_TRY(syn_trimesh_subdivide(shape->bodies[b].surface, &finer, error));
      syn_trimesh_destroy(shape->bodies[b].surface);
      shape->bodies[b].surface = finer;
    }
  return SYN_OK;
}
