/* Depths by the radial method, as many as its kernel takes at a time and more: for a compiler that watches addresses.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <synovia/synovia.h>

int main(void) {
  static const char *const names[] = {"pelvis", "labrum", "acetabular_cartilage"};
  syn_error error;
  syn_joint *hip;
  if (syn_shape_create(NULL, "hip", NULL, 0, &hip, &error) != SYN_OK) return fprintf(stderr, "%s\n", error.message), 1;
  size_t met = 0;
  for (int fixed = 0; fixed < 3; ++fixed)
    for (int mapping = SYN_MAPPING_SPHERICAL; mapping < SYN_MAPPINGS; ++mapping) {
      const syn_body *mobile = syn_joint_body_named(hip, "femur");
      syn_collide_options options = syn_default_collide_options();
      options.center = hip->center;
      options.mapping = (syn_mapping)mapping;
      syn_collider *collider;
      if (syn_collider_create(NULL, "radial", syn_joint_body_named(hip, names[fixed]), mobile, &options, &collider,
                              &error))
        return fprintf(stderr, "%s\n", error.message), 1;
      double *depth = malloc(mobile->surface->vertex_count * sizeof *depth);
      void *scratch = malloc(syn_collider_scratch(collider) + 1);
      syn_contacts contacts = {.vertex_depth = depth};
      const syn_pose pose = syn_pose_about_axis(hip->center, (syn_vec3){1, 1, 0}, 0.9);
      if (syn_collider_query(collider, &pose, scratch, &contacts) != SYN_OK) return 1;
      for (uint32_t v = 0; v < mobile->surface->vertex_count; ++v) met += depth[v] > -INFINITY;
      free(scratch);
      free(depth);
      syn_collider_destroy(collider);
    }
  syn_joint_destroy(hip);
  printf("%zu vertices meet something\n", met);
  return met == 0;
}
