/* All methods: a collider that has followed deformations answers as one made of the deformed bodies, in the scratch
 * that was asked for once. */
#include "support.h"

#include "base/vec.h"

enum { CONTACTS = 60000, ROUNDS = 10 };
/* Behind the scratch; where a sanitizer watches, the block ends with it. */
#ifdef __SANITIZE_ADDRESS__
enum { CANARY = 0 };
#else
enum { CANARY = 1 << 14 };
#endif

typedef struct answer {
  syn_contacts result;
  syn_contact *contacts;
  double *field; /* of the mobile vertices */
} answer;

typedef struct bodies {
  syn_joint *joint[2]; /* fixed, mobile */
  syn_body body[2];
  syn_vec3 center;                  /* in the fixed body */
  syn_vec3 *surface[2], *volume[2]; /* their vertices now */
  syn_tetmesh *volume_now[2];
  syn_trimesh *surface_now[2];
} bodies;

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static const syn_vec3 close_to_a_face = {0.1, 0.2, -0.1}; /* of a box: it begins at x = 0 */

/* Boxes have few corners before a deformation and many after it; spheres lie about the centre, which is in the middle
 * of the fixed body. */
static void make_body(bodies *b, int side, bool box, uint32_t cells) {
  syn_error error;
  const double n = cells, size = side == 0 ? 10 : 8;
  const syn_shape_value beam[] = {{"length", size}, {"width", size},    {"height", size},
                                  {"cells-x", n},   {"cells-y", n + 1}, {"cells-z", n}},
                        sphere[] = {{"radius", size / 2}, {"resolution", 2 * n}};
  ASSERT_OK(syn_shape_create(NULL, box ? "beam" : "ball", box ? beam : sphere, box ? 6 : 2, &b->joint[side], &error));
  b->body[side] = b->joint[side]->bodies[0];
  if (side == 0) b->center = box ? vec3(5.1, 0.2, -0.1) : vec3(0.1, 0.2, -0.1);
  const syn_trimesh *surface = b->body[side].surface;
  const syn_tetmesh *volume = b->body[side].volume;
  b->surface[side] = calloc(surface->vertex_count, sizeof(syn_vec3));
  if (volume) b->volume[side] = calloc(volume->vertex_count, sizeof(syn_vec3));
}

/* A smooth deformation, so that closed surfaces stay so: each coordinate by itself, stretched, squeezed and waved. Some
 * rounds move a few vertices only, and some move all along rays from the centre. */
typedef struct deformation {
  syn_vec3 stretch, wave, phase;
  uint32_t kind; /* 0 all, 1 a corner of the body, 2 along rays, 3 none */
} deformation;

static syn_vec3 deform(const deformation *d, syn_vec3 p) {
  if (d->kind == 3 || (d->kind == 1 && p.x + p.y + p.z < 4)) return p;
  if (d->kind == 2) return vec3_scale(p, 1 + 0.1 * sin(d->phase.x + d->wave.x * atan2(p.y, p.x)));
  return vec3(p.x * d->stretch.x + 0.4 * sin(d->phase.x + d->wave.x * p.y),
              p.y * d->stretch.y + 0.4 * sin(d->phase.y + d->wave.y * p.z),
              p.z * d->stretch.z + 0.4 * sin(d->phase.z + d->wave.z * p.x));
}

static deformation draw_deformation(test_random *random) {
  const syn_vec3 one = {1, 1, 1}, phase = random_vec3(random, 3), wave = random_vec3(random, 0.6);
  return (deformation){vec3_add(one, random_vec3(random, 0.2)), wave, phase, random_below(random, 4)};
}

/* The deformed bodies as meshes of their own. */
static void move_bodies(bodies *b, test_random *random) {
  syn_error error;
  for (int side = 0; side < 2; ++side) {
    const deformation d = draw_deformation(random);
    const syn_trimesh *surface = b->body[side].surface;
    const syn_tetmesh *volume = b->body[side].volume;
    for (uint32_t i = 0; i < surface->vertex_count; ++i) b->surface[side][i] = deform(&d, surface->vertices[i]);
    ASSERT_OK(syn_trimesh_create(NULL, b->surface[side], surface->vertex_count, surface->triangles,
                                 surface->triangle_count, &b->surface_now[side], &error));
    if (!volume) continue;
    for (uint32_t i = 0; i < volume->vertex_count; ++i) b->volume[side][i] = deform(&d, volume->vertices[i]);
    ASSERT_OK(syn_tetmesh_create(NULL, b->volume[side], volume->vertex_count, volume->tets, volume->tet_count,
                                 &b->volume_now[side], &error));
  }
}

static void forget_moved(bodies *b) {
  for (int side = 0; side < 2; ++side) {
    syn_trimesh_destroy(b->surface_now[side]);
    syn_tetmesh_destroy(b->volume_now[side]);
    b->surface_now[side] = NULL;
    b->volume_now[side] = NULL;
  }
}

static void release_bodies(bodies *b) {
  for (int side = 0; side < 2; ++side) {
    syn_joint_destroy(b->joint[side]);
    free(b->surface[side]);
    free(b->volume[side]);
  }
}

/* ---- answers ------------------------------------------------------------------------------------------------------
 */

static syn_collider *make_collider(const syn_method_info *method, syn_vec3 center, const syn_body *fixed,
                                   const syn_body *mobile, bool both_roles) {
  syn_error error;
  syn_collider *collider;
  syn_collide_options options = syn_default_collide_options();
  options.center = center;
  options.fixed_outside = false;
  options.both_roles = both_roles;
  options.table_size = strcmp(method->name, "ray-table") == 0 ? 1600 : 0;
  const double thresholds[] = {4};
  options.thresholds_mm = thresholds;
  options.threshold_count = 1;
  ASSERT_OK(syn_collider_create(NULL, method->name, fixed, mobile, &options, &collider, &error));
  return collider;
}

static void ask(const syn_collider *collider, const syn_pose *pose, void *scratch, uint32_t field, answer *a) {
  for (uint32_t i = 0; i < field; ++i) a->field[i] = 0;
  a->result = (syn_contacts){.contacts = a->contacts, .capacity = CONTACTS, .vertex_depth = a->field};
  assert_int_equal(syn_collider_query(collider, pose, scratch, &a->result), SYN_OK);
  assert_true(a->result.count <= CONTACTS);
}

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9; }

static void check_same(const char *name, const answer *a, const answer *b, uint32_t field) {
  if (a->result.count != b->result.count || !same_number(a->result.max_depth_mm, b->result.max_depth_mm) ||
      a->result.penetrating != b->result.penetrating)
    fail_msg("%s: %zu contacts, %.17g mm deep; a fresh one has %zu, %.17g mm", name, a->result.count,
             a->result.max_depth_mm, b->result.count, b->result.max_depth_mm);
  for (uint32_t i = 0; i < field; ++i)
    if (!same_number(a->field[i], b->field[i]))
      fail_msg("%s: vertex %u is %.17g mm deep, to a fresh one %.17g mm", name, i, a->field[i], b->field[i]);
  for (size_t i = 0; i < a->result.count; ++i) {
    const syn_contact *x = &a->contacts[i], *y = &b->contacts[i];
    if (x->of != y->of || x->fixed_element != y->fixed_element || x->mobile_element != y->mobile_element ||
        !same_number(x->depth_mm, y->depth_mm))
      fail_msg("%s: contact %zu is of %u and %u, %.17g mm; a fresh one has %u and %u, %.17g mm", name, i,
               x->fixed_element, x->mobile_element, x->depth_mm, y->fixed_element, y->mobile_element, y->depth_mm);
    assert_true(vec3_distance(x->point, y->point) <= 1e-9 && vec3_distance(x->direction, y->direction) <= 1e-6);
  }
}

static void check_canary(const char *name, const unsigned char *scratch, size_t bytes) {
  for (size_t i = 0; i < CANARY; ++i)
    if (scratch[bytes + i] != (unsigned char)(i * 7 + 1))
      fail_msg("%s wrote byte %zu behind its %zu bytes of scratch", name, i, bytes);
}

/* One pair through several deformations, with the scratch of the begin. Returns how many contacts there were. */
static size_t follow(const syn_method_info *method, bodies *b, bool both_roles, test_random *random) {
  static answer asked, expected;
  if (!asked.contacts) {
    asked.contacts = calloc(CONTACTS, sizeof *asked.contacts);
    expected.contacts = calloc(CONTACTS, sizeof *expected.contacts);
    asked.field = calloc(CONTACTS, sizeof *asked.field);
    expected.field = calloc(CONTACTS, sizeof *expected.field);
  }
  syn_error error;
  const bool volume = method->needs_volume;
  const uint32_t field = method->tells_field ? b->body[1].surface->vertex_count : 0;
  syn_collider *collider = make_collider(method, b->center, &b->body[0], &b->body[1], both_roles);
  const size_t bytes = syn_collider_scratch(collider);
  unsigned char *scratch = malloc(bytes + CANARY + 1);
  size_t contacts = 0;
  for (size_t i = 0; i < CANARY; ++i) scratch[bytes + i] = (unsigned char)(i * 7 + 1);
  for (int round = 0; round < ROUNDS; ++round) {
    move_bodies(b, random);
    ASSERT_OK(syn_collider_update(collider, volume ? b->volume[0] : b->surface[0],
                                  volume ? b->volume[1] : b->surface[1], &error));
    assert_int_equal(syn_collider_scratch(collider), bytes);
    const syn_body fixed = {.surface = b->surface_now[0], .volume = b->volume_now[0]},
                   mobile = {.surface = b->surface_now[1], .volume = b->volume_now[1]};
    syn_collider *fresh = make_collider(method, b->center, &fixed, &mobile, both_roles);
    void *own = calloc(1, syn_collider_scratch(fresh) + 1);
    assert_int_equal(syn_collider_scratch(fresh), bytes);
    for (int k = 0; k < 3; ++k) {
      const syn_pose pose = k == 0 ? syn_pose_identity() : random_pose(random, k == 1 ? 1.5 : 5);
      ask(collider, &pose, scratch, field, &asked);
      ask(fresh, &pose, own, field, &expected);
      check_same(method->name, &asked, &expected, field);
      check_canary(method->name, scratch, bytes);
      contacts += asked.result.count;
    }
    free(own);
    syn_collider_destroy(fresh);
    forget_moved(b);
  }
  free(scratch);
  syn_collider_destroy(collider);
  return contacts;
}

static void every_method_follows_deformations_in_the_scratch_of_the_begin(void **state) {
  (void)state;
  for (size_t m = 0; m < syn_method_count(); ++m) {
    const syn_method_info method = syn_method_at(m);
    test_random random = {77 + m};
    size_t contacts = 0;
    for (int draw = 0; draw < 6; ++draw) { /* the last two are of a box with the centre close to a face */
      bodies b = {0};
      const int boxes = draw < 4 ? draw : 2 * draw - 7;
      if (method.needs_volume && boxes < 3) continue;
      make_body(&b, 0, boxes & 1, 3 + random_below(&random, 3));
      make_body(&b, 1, boxes & 2, 3 + random_below(&random, 3));
      if (draw >= 4) b.center = close_to_a_face;
      contacts += follow(&method, &b, boxes != 1, &random);
      release_bodies(&b);
    }
    if (contacts < 20) fail_msg("%s told %zu contacts only", method.name, contacts);
  }
}

/* A body that is squeezed into a corner of its box fills one cell of every table with all that it has. */
static void bodies_that_collapse_fit_into_the_scratch(void **state) {
  (void)state;
  syn_error error;
  for (size_t m = 0; m < syn_method_count(); ++m) {
    const syn_method_info method = syn_method_at(m);
    bodies b = {0};
    make_body(&b, 0, true, 6);
    make_body(&b, 1, true, 5);
    syn_collider *collider = make_collider(&method, b.center, &b.body[0], &b.body[1], true);
    const size_t bytes = syn_collider_scratch(collider);
    unsigned char *scratch = malloc(bytes + CANARY + 1);
    for (size_t i = 0; i < CANARY; ++i) scratch[bytes + i] = (unsigned char)(i * 7 + 1);
    for (int side = 0; side < 2; ++side) {
      const syn_vec3 *from = method.needs_volume ? b.body[side].volume->vertices : b.body[side].surface->vertices;
      syn_vec3 *to = method.needs_volume ? b.volume[side] : b.surface[side];
      const uint32_t count =
          method.needs_volume ? b.body[side].volume->vertex_count : b.body[side].surface->vertex_count;
      /* one vertex stays: the others lie in a hundredth of the box */
      for (uint32_t i = 0; i < count; ++i) to[i] = i == 0 ? from[i] : vec3_scale(from[i], 0.01);
    }
    ASSERT_OK(syn_collider_update(collider, method.needs_volume ? b.volume[0] : b.surface[0],
                                  method.needs_volume ? b.volume[1] : b.surface[1], &error));
    static syn_contact contacts[CONTACTS];
    syn_contacts result = {.contacts = contacts, .capacity = CONTACTS};
    assert_int_equal(syn_collider_query(collider, NULL, scratch, &result), SYN_OK);
    check_canary(method.name, scratch, bytes);
    free(scratch);
    syn_collider_destroy(collider);
    release_bodies(&b);
  }
}

/* Hollows come and go with deformations: they are warned of once. */
static void convex_warns_once_of_hollows(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  test_random random = {9};
  syn_trimesh *blob = make_blob(&context, &random, 8, 10, 0.3), *cube = make_cube(&context, 1);
  syn_vec3 *moved = calloc(cube->vertex_count, sizeof *moved);
  memcpy(moved, cube->vertices, cube->vertex_count * sizeof *moved);
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(&context, "convex", &(syn_body){.surface = blob}, &(syn_body){.surface = cube}, NULL,
                                &collider, &error));
  assert_int_equal(memory.warnings, 1); /* the blob; the cube has none yet */
  for (int round = 0; round < 5; ++round) {
    moved[0] = vec3(0.3 + 0.01 * round, 0.3, 0.3);
    ASSERT_OK(syn_collider_update(collider, blob->vertices, moved, &error));
  }
  assert_int_equal(memory.warnings, 2);
  assert_non_null(strstr(memory.last_warning, "mobile"));
  syn_collider_destroy(collider);
  free(moved);
  syn_trimesh_destroy(blob);
  syn_trimesh_destroy(cube);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_follows_deformations_in_the_scratch_of_the_begin),
      cmocka_unit_test(bodies_that_collapse_fit_into_the_scratch),
      cmocka_unit_test(convex_warns_once_of_hollows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
