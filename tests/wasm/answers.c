/* Answers about a small hip, every number to the last bit, for comparing builds of the library. usage: answers FOLDER,
 * with pelvis.ply and femur.ply, the hip of `synovia shape hip`.
 *
 * Lines of "bits" come from sums, products, quotients and roots, which are the same on every machine; lines of "angle"
 * also pass through sines and arc tangents, which are our own (src/base/angle.h). */
#include <stdio.h>
#include <stdlib.h>

#include <synovia/synovia.h>

static syn_trimesh *read_mesh(const char *folder, const char *name) {
  char path[1024];
  syn_error error;
  syn_trimesh *mesh;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (syn_trimesh_read(NULL, path, NULL, &mesh, &error) == SYN_OK) return mesh;
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

static void expect(syn_status status, const syn_error *error) {
  if (status == SYN_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

/* Rotations of whole fractions, so that no sine is needed. */
static const syn_pose poses[] = {
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}},
    {{{{1, 0, 0}, {0, 0.8, -0.6}, {0, 0.6, 0.8}}}, {0, 0, 0}},
    {{{{0.96, 0, 0.28}, {0, 1, 0}, {-0.28, 0, 0.96}}}, {0.5, -0.25, 0.125}},
    {{{{0.352, -0.36, 0.864}, {0.936, 0.152, -0.318}, {-0.0168, 0.9205, 0.3903}}}, {1, 2, 3}},
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {40, 10, -15}},
};
enum { POSES = sizeof poses / sizeof *poses };

static void tell_distances(const syn_trimesh *pelvis, const syn_trimesh *femur) {
  syn_error error;
  syn_distance *distance;
  expect(syn_distance_create(pelvis, femur, NULL, &distance, &error), &error);
  void *scratch = malloc(syn_distance_scratch(distance));
  for (int i = 0; i < POSES; ++i) {
    syn_clearance c;
    syn_distance_query(distance, &poses[i], NULL, scratch, &c);
    printf("bits distance %d %a %a %a %a %u %u %d\n", i, c.distance_mm, c.point_fixed.x, c.point_mobile.y,
           c.point_mobile.z, (unsigned)c.fixed_triangle, (unsigned)c.mobile_triangle, c.crossing);
  }
  free(scratch);
  syn_distance_destroy(distance);
}

static void tell_contacts(const syn_trimesh *pelvis, const syn_trimesh *femur, const char *method) {
  const syn_body fixed = {.surface = pelvis}, mobile = {.surface = femur};
  const syn_collide_options options = syn_default_collide_options();
  syn_error error;
  syn_collider *collider;
  expect(syn_collider_create(NULL, method, &fixed, &mobile, &options, &collider, &error), &error);
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  for (int i = 0; i < POSES; ++i) {
    syn_contact contacts[64];
    syn_contacts found = {.contacts = contacts, .capacity = 64};
    syn_collider_query(collider, &poses[i], scratch, &found);
    printf("bits %s %d %zu %a %u\n", method, i, found.count, found.max_depth_mm, (unsigned)found.max_vertex);
    for (size_t k = 0; k < found.count && k < 8; ++k)
      printf("bits %s %d contact %u %u %a\n", method, i, (unsigned)contacts[k].fixed_element,
             (unsigned)contacts[k].mobile_element, contacts[k].depth_mm);
  }
  free(scratch);
  syn_collider_destroy(collider);
}

static void tell_limit(const char *name, const syn_limit *limit) {
  printf("angle %s %d %d %a %a %a %a %d %u %u\n", name, limit->state != SYN_LIMIT_NO_STOP, limit->start_overlaps,
         limit->followed, limit->event.point.x, limit->event.point.y, limit->event.point.z, (int)limit->event.kind,
         (unsigned)limit->event.fixed_element, (unsigned)limit->event.mobile_element);
}

static void tell_motions(const syn_trimesh *pelvis, const syn_trimesh *femur) {
  const syn_hip_axes axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  const syn_hip hip = {.parts = {[SYN_HIP_PELVIS] = pelvis, [SYN_HIP_FEMUR] = femur},
                       .side = SYN_SIDE_RIGHT,
                       .pelvis_axes = axes,
                       .femur_axes = axes};
  syn_error error;
  syn_rom *rom;
  expect(syn_hip_rom_create(NULL, &hip, &rom, &error), &error);
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  syn_limit limit, other;
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *motion = &syn_clinical_motions[i];
    syn_rom_query(rom, &(syn_motion){.start = motion->start, .axis = motion->axis, .sign = motion->sign}, scratch,
                  &limit);
    tell_limit(motion->name, &limit);
  }
  for (int i = 0; i < 6; ++i) {
    syn_rom_turn(rom, NULL, (syn_vec3){i - 2, 1, 0.5 * i}, scratch, &limit, &other);
    tell_limit("turn", &limit);
    tell_limit("back", &other);
  }
  free(scratch);
  syn_rom_destroy(rom);
}

int main(int count, char **words) {
  static const char *const methods[] = {"radial", "distance", "proximity", "obb", "aabb", "convex"};
  if (count != 2) {
    fputs("usage: answers FOLDER\n", stderr);
    return 2;
  }
  syn_trimesh *pelvis = read_mesh(words[1], "pelvis.ply"), *femur = read_mesh(words[1], "femur.ply");
  tell_distances(pelvis, femur);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) tell_contacts(pelvis, femur, methods[i]);
  tell_motions(pelvis, femur);
  syn_trimesh_destroy(pelvis);
  syn_trimesh_destroy(femur);
  return 0;
}
