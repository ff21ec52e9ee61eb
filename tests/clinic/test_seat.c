/* Seating the head: a ball with a bump in a cup, where it catches only if it lies too near to the wall. */
#include "support.h"

#include "base/vec.h"

static const syn_hip_axes axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

typedef struct bumpy {
  syn_joint *cup;
  syn_trimesh *ball;
  uint8_t *head;
  syn_anatomy anatomy;
  syn_hip hip;
} bumpy;

/* A ball of 23.5 mm with one vertex at 23.75, at `place` in a cup of 24 mm that opens upward. */
static void make_bumpy(syn_vec3 place, bumpy *b) {
  syn_error error;
  syn_joint *ball;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &b->cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 23.5}}, 1, &ball, &error));
  const syn_trimesh *round = ball->bodies[0].surface;
  syn_vec3 *vertices = malloc(round->vertex_count * sizeof *vertices);
  const syn_vec3 cup_middle = b->cup->bodies[0].surface->vertices[0]; /* any point of the wall shows where it is */
  const double down = cup_middle.z < 0 ? -1 : 1;
  uint32_t top = 0;
  for (uint32_t i = 0; i < round->vertex_count; ++i) {
    vertices[i] = vec3_add(round->vertices[i], place);
    /* Half way down the wall on the side away from +x. */
    const syn_vec3 wanted = vec3_unit(vec3(-1, 0, down));
    if (vec3_dot(round->vertices[i], wanted) > vec3_dot(round->vertices[top], wanted)) top = i;
  }
  vertices[top] = vec3_madd(place, 23.75 / 23.5, round->vertices[top]);
  ASSERT_OK(syn_trimesh_create(NULL, vertices, round->vertex_count, round->triangles, round->triangle_count, &b->ball,
                               &error));
  b->head = malloc(round->vertex_count);
  memset(b->head, 1, round->vertex_count);
  b->anatomy = (syn_anatomy){.head = {.center = place, .radius_mm = 23.5}, .head_vertices = b->head};
  b->hip = (syn_hip){.center = place, .pelvis_axes = axes, .femur_axes = axes};
  b->hip.parts[SYN_HIP_PELVIS] = b->cup->bodies[0].surface;
  b->hip.parts[SYN_HIP_FEMUR] = b->ball;
  free(vertices);
  syn_joint_destroy(ball);
}

static void release_bumpy(bumpy *b) {
  free(b->head);
  syn_trimesh_destroy(b->ball);
  syn_joint_destroy(b->cup);
}

static void a_head_with_room_stays(void **state) {
  (void)state;
  bumpy b;
  syn_error error;
  syn_vec3 seat = {1, 1, 1};
  make_bumpy(vec3(0, 0, 0), &b);
  ASSERT_OK(syn_hip_find_seat(NULL, &b.hip, &b.anatomy, &seat, &error));
  assert_true(vec3_length(seat) == 0);
  release_bumpy(&b);
}

static void a_head_that_catches_is_moved_away_from_the_wall(void **state) {
  (void)state;
  bumpy b;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_vec3 seat;
  make_bumpy(vec3(0.4, 0, 0), &b);
  ASSERT_OK(syn_hip_find_seat(&context, &b.hip, &b.anatomy, &seat, &error));
  /* The wall is 23.6 mm away in +x; bump and room want 23.85. */
  assert_true(seat.x < -0.2 && vec3_length(seat) < 0.4);
  assert_true(strstr(memory.all_warnings, "shifted by") != NULL);
  b.hip.seat = seat;
  ASSERT_OK(syn_hip_find_seat(&context, &b.hip, &b.anatomy, &seat, &error));
  assert_true(vec3_length(seat) == 0); /* it catches no more */
  release_bumpy(&b);
}

static void a_head_larger_than_its_socket_is_left_alone_aloud(void **state) {
  (void)state;
  bumpy b;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_vec3 seat;
  make_bumpy(vec3(0.4, 0, 0), &b);
  b.hip.center = vec3(9, 0, 0); /* about which the ball sweeps far more than the cup holds */
  ASSERT_OK(syn_hip_find_seat(&context, &b.hip, &b.anatomy, &seat, &error));
  assert_true(vec3_length(seat) == 0);
  assert_true(strstr(memory.all_warnings, "no room") != NULL);
  release_bumpy(&b);
}

static void one_bone_alone_has_no_seat(void **state) {
  (void)state;
  bumpy b;
  syn_error error;
  syn_vec3 seat = {1, 1, 1};
  make_bumpy(vec3(0.4, 0, 0), &b);
  b.hip.parts[SYN_HIP_PELVIS] = NULL;
  ASSERT_OK(syn_hip_find_seat(NULL, &b.hip, &b.anatomy, &seat, &error));
  assert_true(vec3_length(seat) == 0);
  release_bumpy(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_head_with_room_stays),
      cmocka_unit_test(a_head_that_catches_is_moved_away_from_the_wall),
      cmocka_unit_test(a_head_larger_than_its_socket_is_left_alone_aloud),
      cmocka_unit_test(one_bone_alone_has_no_seat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
