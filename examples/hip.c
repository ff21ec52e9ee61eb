/* What `synovia hip PELVIS FEMUR -o FOLDER` does, in two calls of the library: analyse, write.
 * cc hip.c $(pkg-config --cflags --static --libs synovia) -o hip && ./hip pelvis.stl femur.stl folder */
#include <stdio.h>

#include <synovia/synovia.h>

static void print_warning(void *user, const char *message) {
  (void)user;
  fprintf(stderr, "warning: %s\n", message);
}

static int fail(const syn_error *error) {
  char text[1024];
  return fprintf(stderr, "%s\n", syn_error_text(error, text, sizeof text)), 1;
}

int main(int argc, char **argv) {
  syn_context context = syn_default_context();
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis *hip;
  syn_error error;
  if (argc != 4) return fprintf(stderr, "usage: %s PELVIS FEMUR FOLDER\n", argv[0]), 2;
  context.warn = print_warning;
  input.parts[SYN_HIP_PELVIS] = argv[1];
  input.parts[SYN_HIP_FEMUR] = argv[2];
  if (syn_hip_analyse(&context, &input, NULL, &hip, &error) != SYN_OK) return fail(&error);
  printf("a %s hip, centre by %s\n", syn_side_name(hip->hip_case->hip.side), hip->hip_case->center_method);
  for (int i = 0; hip->has_measures && i < SYN_MEASURES; ++i) {
    const syn_measure_info *about = &syn_measure_infos[i];
    printf("%-40s %8.2f %s\n", about->label, hip->measures.value[i], about->unit);
  }
  for (size_t i = 0; i < hip->limit_count; ++i) {
    const syn_limit *limit = &hip->limits[i].limit;
    printf("%-40s %8.2f deg  %s\n", hip->limits[i].motion->label, limit->angle * SYN_RADIAN,
           syn_limit_state_name(limit->state));
  }
  const syn_status written = syn_publish(&context, &syn_hip_record, hip, NULL, argv[3], &error);
  syn_hip_analysis_destroy(hip);
  return written == SYN_OK ? 0 : fail(&error);
}
