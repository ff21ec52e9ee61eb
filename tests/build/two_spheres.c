/* A program of somebody else that only asks about contact: one sphere of 25 mm moves toward another one until they
 * collide. */
#include <stdio.h>
#include <stdlib.h>

#include <synovia/synovia.h>

static int fail(const char *what, const syn_error *error) {
  char text[1024];
  fprintf(stderr, "%s: %s\n", what, syn_error_text(error, text, sizeof text));
  return 1;
}

/* Prints whether the spheres collide when their centres are so far apart. */
static void print_contact(const syn_collider *collider, void *scratch, double apart_mm) {
  syn_contact contact;
  syn_contacts contacts = {.contacts = &contact, .capacity = 1, .first_only = true};
  syn_pose pose = syn_pose_identity();
  pose.translation.x = apart_mm;
  if (syn_collider_query(collider, &pose, scratch, &contacts) == SYN_OK)
    printf("%g mm apart: %s\n", apart_mm, contacts.penetrating ? "they collide" : "they do not collide");
}

int main(void) {
  syn_error error;
  syn_joint *ball;
  syn_collider *collider;
  if (syn_shape_create(NULL, "sphere", NULL, 0, &ball, &error) != SYN_OK) return fail("sphere", &error);
  if (syn_collider_create(NULL, "aabb", ball->bodies, ball->bodies, NULL, &collider, &error) != SYN_OK)
    return fail("collider", &error);
  void *scratch = malloc(syn_collider_scratch(collider));
  if (!scratch) return 1;
  print_contact(collider, scratch, 51);
  print_contact(collider, scratch, 49);
  free(scratch);
  syn_collider_destroy(collider);
  syn_joint_destroy(ball);
  return 0;
}
