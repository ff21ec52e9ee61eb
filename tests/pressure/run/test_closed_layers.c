/* Layers made of closed bodies of cartilage: every corner of their faces knows how far the bone is below it. */
#include "support.h"

#include "base/vec.h"
#include "pressure/run/pressure_run.h"

/* No vertex of the bone is nearer than the surface, and the surface is near one of them. */
static void check_thickness(const syn_layer *layer, const syn_trimesh *bone) {
  assert_true(layer->face_count > 100);
  for (uint32_t f = 0; f < layer->face_count; f += 3)
    for (int c = 0; c < 3; ++c) {
      const uint32_t i = layer->faces[f][c];
      double nearest = INFINITY;
      for (uint32_t v = 0; v < bone->vertex_count; ++v)
        nearest = fmin(nearest, vec3_distance(bone->vertices[v], layer->nodes[i]));
      const double thickness = layer->thickness_mm[i];
      if (!(thickness >= 0 && thickness <= nearest + 1e-9 && thickness > nearest - 5))
        fail_msg("corner %u: thickness %g mm, a vertex of the bone %g mm away", i, thickness, nearest);
    }
}

static void every_corner_has_a_thickness(void **state) {
  (void)state;
  if (system("command -v gmsh > /dev/null 2>&1") != 0) SKIP("gmsh is not installed");
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 50}, {"resolution", 4}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  const syn_hip_case hip_case = {.joint = shape, .hip = hip_of_shape(shape)};
  syn_pressure pressure = {.hip_case = &hip_case};
  ASSERT_OK(syn_pressure_closed_layers(&pressure, &error));
  check_thickness(&pressure.socket, hip_case.hip.parts[SYN_HIP_PELVIS]);
  check_thickness(&pressure.head, hip_case.hip.parts[SYN_HIP_FEMUR]);
  syn_layer_release(&pressure.socket);
  syn_layer_release(&pressure.head);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_corner_has_a_thickness)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
