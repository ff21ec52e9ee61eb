/* A hip from meshes in memory, without a file: here a generated one, elsewhere what your segmentation has made. Without
 * centre and axes they are found from the meshes; input.meshes takes bare meshes.
 * cc joint_in_memory.c $(pkg-config --cflags --static --libs synovia) -o joint_in_memory && ./joint_in_memory */
#include <stdio.h>

#include <synovia/synovia.h>

static int fail(const syn_error *error) {
  char text[1024];
  return fprintf(stderr, "%s\n", syn_error_text(error, text, sizeof text)), 1;
}

/* Prints the clinical motions of a hip. */
static syn_status print_motions(const syn_joint *joint, syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  syn_hip_analysis *hip;
  input.joint_in_memory = joint; /* its meshes are shared, not copied */
  options.parts = SYN_HIP_LIMITS;
  const syn_status status = syn_hip_analyse(NULL, &input, &options, &hip, error);
  if (status != SYN_OK) return status;
  for (size_t i = 0; i < hip->limit_count; ++i) {
    const syn_limit *limit = &hip->limits[i].limit;
    printf("%-36s %s", hip->limits[i].motion->label, syn_limit_state_name(limit->state));
    if (limit->state == SYN_LIMIT_STOPPED) printf(" at %.0f°", limit->angle * SYN_RADIAN);
    printf("\n");
  }
  syn_hip_analysis_destroy(hip);
  return SYN_OK;
}

int main(void) {
  const syn_shape_value values[] = {{"ce", 35}, {"alpha", 70}};
  syn_joint *shape;
  syn_error error;
  if (syn_shape_create(NULL, "hip", values, 2, &shape, &error) != SYN_OK) return fail(&error);
  const syn_body bones[] = {
      {.name = "pelvis", .surface = syn_joint_body_named(shape, "pelvis")->surface},
      {.name = "femur", .moves = true, .surface = syn_joint_body_named(shape, "femur")->surface},
  };
  const syn_joint joint = {.name = "hip",
                           .kind = "hip",
                           .side = SYN_SIDE_RIGHT,
                           .body_count = 2,
                           .bodies = bones,
                           .has_center = true,
                           .center = shape->center,
                           .has_axes = true,
                           .axes = shape->axes};
  const syn_status status = print_motions(&joint, &error);
  syn_joint_destroy(shape);
  return status == SYN_OK ? 0 : fail(&error);
}
