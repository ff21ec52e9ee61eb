/* How far a mechanism turns: two bodies, a centre, an axis; both limits, exactly, with the points that touch.
 * cc mechanism.c $(pkg-config --cflags --static --libs synovia) -o mechanism && ./mechanism [FIXED MOBILE] */
#include <stdio.h>
#include <stdlib.h>

#include <synovia/synovia.h>

static int failed(const syn_error *error) {
  char text[1024];
  return fprintf(stderr, "%s\n", syn_error_text(error, text, sizeof text)), 1;
}

static void print_limit(const char *way, const syn_event *e) {

  if (e->kind == SYN_EVENT_NONE)
    printf("%s: free all the way round\n", way);
  else
    printf("%s: %.4f degrees, %s at (%.3f, %.3f, %.3f), fixed element %u, mobile element %u\n", way,
           e->angle * SYN_RADIAN, syn_event_kind_name(e->kind), e->point.x, e->point.y, e->point.z, e->fixed_element,
           e->mobile_element);
}

int main(int argc, char **argv) {
  const syn_vec3 center = {0, 0, 0}, axis = {0, 1, 0}; /* of the lever about its gad; set those of your own bodies */
  syn_joint *lever = NULL;
  syn_trimesh *read[2] = {NULL, NULL};
  const syn_trimesh *fixed, *mobile;
  syn_error error;
  if (argc == 3) {
    for (int i = 0; i < 2; ++i)
      if (syn_trimesh_read(NULL, argv[i + 1], NULL, &read[i], &error) != SYN_OK) return failed(&error);
    fixed = read[0], mobile = read[1];
  } else {
    if (syn_shape_create(NULL, "lever", NULL, 0, &lever, &error) != SYN_OK) return failed(&error);
    fixed = syn_joint_body_named(lever, "stone")->surface, mobile = syn_joint_body_named(lever, "lever")->surface;
  }
  syn_rotation *rotation;
  syn_penetration overlap;
  if (syn_penetration_find(fixed, mobile, &center, &overlap, &error) != SYN_OK) return failed(&error);
  if (overlap.found) printf("they overlap as they lie: limits are those of their surfaces\n");
  if (syn_rotation_create(fixed, mobile, center, &rotation, &error) != SYN_OK) return failed(&error);
  void *scratch = malloc(syn_rotation_scratch(rotation));
  syn_event positive, negative;
  if (!scratch || syn_rotation_query(rotation, NULL, axis, NULL, scratch, &positive, &negative) != SYN_OK)
    return fprintf(stderr, "the turn could not be computed\n"), 1;
  print_limit("forward", &positive);
  print_limit("back", &negative);
  free(scratch);
  syn_rotation_destroy(rotation);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(read[i]);
  syn_joint_destroy(lever);
  return 0;
}
