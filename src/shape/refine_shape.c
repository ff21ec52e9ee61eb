#include "shape/refine_shape.h"

#include "joint/joint.h"

syn_status syn_shape_refine(syn_joint *shape, uint32_t level, syn_error *error) {
  for (size_t b = 0; b < shape->body_count; ++b)
    for (uint32_t i = 0; i < level; ++i) {
      syn_trimesh *finer;
      SYN_TRY(syn_trimesh_subdivide(shape->bodies[b].surface, &finer, error));
      syn_joint_set_surface(shape, b, finer);
    }
  return SYN_OK;
}
