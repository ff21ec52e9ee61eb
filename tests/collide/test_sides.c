/* Surfaces that are inside out: one rule for all methods, tried on bodies whose parts are nested and turned at random.
 */
#include "base/vec.h"
#include "mesh/facing.h"
#include "support.h"

enum { PARTS = 6 };

/* ---- bodies of several balls, some of them inside out -------------------------------------------------------------
 */

typedef struct ball {
  syn_vec3 center;
  double radius; /* before the bumps */
  bool inward;
} ball;

typedef struct several {
  size_t count;
  ball balls[PARTS];
  syn_trimesh *mesh;
} several;

static void append(syn_trimesh *to, const syn_trimesh *blob, const ball *b) {
  syn_vec3 *vertices = (syn_vec3 *)(uintptr_t)to->vertices;
  syn_triangle *triangles = (syn_triangle *)(uintptr_t)to->triangles;
  for (uint32_t t = 0; t < blob->triangle_count; ++t) {
    const uint32_t *v = blob->triangles[t].v, first = to->vertex_count;
    triangles[to->triangle_count++] =
        (syn_triangle){{first + v[0], first + v[b->inward ? 2 : 1], first + v[b->inward ? 1 : 2]}};
  }
  for (uint32_t i = 0; i < blob->vertex_count; ++i)
    vertices[to->vertex_count++] = vec3_madd(b->center, b->radius, blob->vertices[i]);
}

/* Blobs of radius 0.85 to 1.15 times that of the ball. */
static syn_trimesh *mesh_of(test_random *random, const ball *balls, size_t count) {
  syn_trimesh *blob = make_blob(NULL, random, 5, 8, 0.15), *made;
  syn_error error;
  syn_trimesh all = {.vertices = calloc(count * blob->vertex_count, sizeof(syn_vec3)),
                     .triangles = calloc(count * blob->triangle_count, sizeof(syn_triangle))};
  for (size_t i = 0; i < count; ++i) append(&all, blob, &balls[i]);
  ASSERT_OK(syn_trimesh_create(NULL, all.vertices, all.vertex_count, all.triangles, all.triangle_count, &made, &error));
  free((void *)(uintptr_t)all.vertices);
  free((void *)(uintptr_t)all.triangles);
  syn_trimesh_destroy(blob);
  return made;
}

/* Balls that neither touch nor cross, but may lie inside one another. */
static several make_several(test_random *random) {
  several s = {.count = 1 + random_below(random, PARTS)};
  for (size_t i = 0; i < s.count; ++i) {
    bool apart = false;
    while (!apart) {
      s.balls[i] =
          (ball){random_vec3(random, 20), pow(10, random_between(random, -0.5, 1.3)), random_below(random, 4) == 0};
      apart = true;
      for (size_t k = 0; k < i; ++k) {
        const double distance = vec3_distance(s.balls[i].center, s.balls[k].center), a = s.balls[i].radius * 1.2,
                     b = s.balls[k].radius * 1.2;
        apart = apart && (distance > a + b || distance + a < 0.7 * b || distance + b < 0.7 * a);
      }
    }
  }
  s.mesh = mesh_of(random, s.balls, s.count);
  return s;
}

/* The twin: inward balls around which an even number of others lie. */
static uint32_t twin_inside_out(const several *s) {
  uint32_t count = 0;
  for (size_t i = 0; i < s->count; ++i) {
    uint32_t around = 0;
    for (size_t k = 0; k < s->count; ++k)
      around += k != i && s->balls[k].radius > s->balls[i].radius &&
                vec3_distance(s->balls[i].center, s->balls[k].center) < s->balls[k].radius;
    count += s->balls[i].inward && around % 2 == 0;
  }
  return count;
}

static uint32_t inside_out_count(const syn_trimesh *mesh) {
  syn_derived *derived;
  syn_error error;
  ASSERT_OK(syn_derive(mesh, &syn_derive_facing, &derived, &error));
  const uint32_t count = derived_facing(derived)->inside_out_count;
  assert_int_equal(derived_facing(derived)->inside_out_triangle == SYN_NONE, count == 0);
  syn_derived_release(derived);
  return count;
}

static void parts_that_are_inside_out_are_counted_cavities_are_not(void **state) {
  (void)state;
  test_random random = {5};
  uint32_t right = 0, wrong = 0;
  for (int round = 0; round < 300; ++round) {
    several s = make_several(&random);
    const uint32_t expected = twin_inside_out(&s);
    assert_int_equal(inside_out_count(s.mesh), expected);
    syn_trimesh_destroy(s.mesh);
    ++*(expected ? &wrong : &right);
  }
  assert_true(right > 50 && wrong > 50);
}

/* ---- turned -------------------------------------------------------------------------------------------------------
 */

/* Equal up to the corner that a triangle starts from. */
static void check_same_triangles(const syn_trimesh *a, const syn_trimesh *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
  assert_int_equal(a->triangle_count, b->triangle_count);
  for (uint32_t t = 0; t < a->triangle_count; ++t) {
    const uint32_t *v = a->triangles[t].v, *w = b->triangles[t].v;
    assert_true((v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) || (v[0] == w[1] && v[1] == w[2] && v[2] == w[0]) ||
                (v[0] == w[2] && v[1] == w[0] && v[2] == w[1]));
  }
}

/* NULL where nothing is inside out: then the mesh itself counts. */
static syn_trimesh *turn_outward(const syn_trimesh *mesh) {
  syn_trimesh *turned;
  syn_error error;
  const bool wrong = inside_out_count(mesh) > 0;
  ASSERT_OK(syn_trimesh_turn_outward(mesh, &turned, &error));
  assert_int_equal(wrong, turned != NULL);
  if (turned) return turned;
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &turned,
                               &error));
  return turned;
}

/* Also with walls of cavities, and with an open part: whichever way the triangles were written. */
static void a_surface_is_turned_outward_whichever_way_it_was_written(void **state) {
  (void)state;
  test_random random = {41};
  syn_error error;
  uint32_t turned = 0;
  for (int round = 0; round < 300; ++round) {
    several s = make_several(&random);
    const uint32_t kept = s.mesh->triangle_count - (round % 2 ? 1 : 0); /* the last ball gets a hole */
    syn_trimesh *one, *other;
    syn_triangle *reversed = calloc(kept, sizeof *reversed);
    for (uint32_t t = 0; t < kept; ++t) {
      const uint32_t *v = s.mesh->triangles[t].v;
      reversed[t] = (syn_triangle){{v[1], v[0], v[2]}};
    }
    ASSERT_OK(syn_trimesh_create(NULL, s.mesh->vertices, s.mesh->vertex_count, s.mesh->triangles, kept, &one, &error));
    ASSERT_OK(syn_trimesh_create(NULL, s.mesh->vertices, s.mesh->vertex_count, reversed, kept, &other, &error));
    turned += inside_out_count(one) > 0;
    syn_trimesh *answers[] = {turn_outward(one), turn_outward(other)};
    if (s.count > 1 || round % 2 == 0) check_same_triangles(answers[0], answers[1]);
    assert_int_equal(inside_out_count(answers[0]), 0);
    assert_int_equal(inside_out_count(answers[1]), 0);
    for (int i = 0; i < 2; ++i) syn_trimesh_destroy(answers[i]);
    syn_trimesh_destroy(one);
    syn_trimesh_destroy(other);
    syn_trimesh_destroy(s.mesh);
    free(reversed);
  }
  assert_true(turned > 50);
}

/* ---- all methods ---------------------------------------------------------------------------------------------------
 */

static const char *const by_sides[] = {"radial", "ray-table", "sliding-hash", "cylindrical",
                                       "split",  "distance",  "proximity",    "proximity-walk"};
static const char *const without[] = {"obb", "aabb", "spheres", "convex"};
enum { BY_SIDES = sizeof by_sides / sizeof *by_sides, WITHOUT = sizeof without / sizeof *without };

static syn_status create(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                         syn_collide_options options, syn_collider **collider, syn_error *error) {
  const double threshold = 6;
  options.thresholds_mm = &threshold;
  options.threshold_count = 1;
  const syn_body bodies[2] = {{.surface = fixed}, {.surface = mobile}};
  return syn_collider_create(NULL, method, &bodies[0], &bodies[1], &options, collider, error);
}

static syn_contacts ask(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                        const syn_collide_options *options) {
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(create(method, fixed, mobile, *options, &collider, &error));
  void *scratch = calloc(1, syn_collider_scratch(collider) + 1);
  syn_contacts result = {0};
  assert_int_equal(syn_collider_query(collider, NULL, scratch, &result), SYN_OK);
  free(scratch);
  syn_collider_destroy(collider);
  return result;
}

static void check_refused(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile,
                          const syn_collide_options *options, const char *words) {
  syn_collider *collider;
  syn_error error;
  ASSERT_FAILS(create(method, fixed, mobile, *options, &collider, &error), SYN_BAD_MESH, words);
  assert_null(collider);
}

/* What needs the inside refuses with one sentence, in either role; what does not gives the same answer. */
static void a_flipped_body_is_refused_by_all_methods_or_makes_no_difference(void **state) {
  (void)state;
  test_random random = {17};
  for (int round = 0; round < 20; ++round) {
    ball one = {random_vec3(&random, 3), random_between(&random, 2, 6), false};
    ball other = {
        vec3_madd(one.center, random_between(&random, 0.5, 2) * one.radius, vec3_unit(random_vec3(&random, 1))),
        random_between(&random, 1, 4), false};
    test_random kept = random;
    syn_trimesh *fixed = mesh_of(&random, &one, 1), *mobile = mesh_of(&random, &other, 1);
    one.inward = other.inward = true;
    syn_trimesh *fixed_in = mesh_of(&kept, &one, 1), *mobile_in = mesh_of(&kept, &other, 1);
    syn_collide_options options = syn_default_collide_options(), both = options, no_normals = options;
    both.both_roles = true;
    no_normals.use_normals = false;
    for (size_t i = 0; i < BY_SIDES; ++i) {
      const bool sampled = strcmp(by_sides[i], "ray-table") == 0 || strcmp(by_sides[i], "sliding-hash") == 0;
      check_refused(by_sides[i], fixed_in, mobile, &options, "the fixed surface is inside out");
      check_refused(by_sides[i], fixed, mobile_in, &both, "the mobile surface is inside out");
      if (!sampled) check_refused(by_sides[i], fixed_in, mobile_in, &both, "the fixed surface is inside out");
      ask(by_sides[i], fixed, mobile_in, &options); /* only its vertices count */
      if (i > 2) continue;
      const syn_contacts right = ask(by_sides[i], fixed, mobile, &no_normals),
                         turned = ask(by_sides[i], fixed_in, mobile_in, &no_normals);
      assert_int_equal(right.count, turned.count); /* the option says that faces do not matter */
    }
    for (size_t i = 0; i < WITHOUT; ++i) {
      const syn_contacts right = ask(without[i], fixed, mobile, &options),
                         turned = ask(without[i], fixed_in, mobile_in, &options);
      assert_int_equal(right.count, turned.count);
      assert_int_equal(right.penetrating, turned.penetrating);
    }
    syn_trimesh *all[] = {fixed, mobile, fixed_in, mobile_in};
    for (size_t i = 0; i < 4; ++i) syn_trimesh_destroy(all[i]);
  }
}

/* Half a ball, seen from either side: a layer has no inside that could be wrong. */
static void an_open_sheet_may_face_either_way(void **state) {
  (void)state;
  test_random random = {3};
  syn_error error;
  const ball one = {{0, 0, 0}, 5, false}, small = {{0, 0, 0}, 2, false};
  syn_trimesh *whole = mesh_of(&random, &one, 1), *mobile = mesh_of(&random, &small, 1);
  syn_triangle *triangles = calloc(whole->triangle_count, sizeof *triangles);
  for (int flipped = 0; flipped < 2; ++flipped) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < whole->triangle_count; ++t) {
      const uint32_t *v = whole->triangles[t].v;
      if (whole->vertices[v[0]].z + whole->vertices[v[1]].z + whole->vertices[v[2]].z < 0) continue;
      triangles[count++] = (syn_triangle){{v[0], v[flipped ? 2 : 1], v[flipped ? 1 : 2]}};
    }
    syn_trimesh *sheet;
    ASSERT_OK(syn_trimesh_create(NULL, whole->vertices, whole->vertex_count, triangles, count, &sheet, &error));
    assert_int_equal(inside_out_count(sheet), 0);
    syn_collide_options options = syn_default_collide_options();
    for (size_t i = 0; i < 5; ++i) ask(by_sides[i], sheet, mobile, &options);
    options.sheets = true;
    options.reach_mm = 5;
    for (size_t i = 5; i < BY_SIDES; ++i) ask(by_sides[i], sheet, mobile, &options);
    syn_trimesh_destroy(sheet);
  }
  free(triangles);
  syn_trimesh_destroy(whole);
  syn_trimesh_destroy(mobile);
}

/* The rule is that of the mesh as it was made: a deformation keeps the triangles, and so does an update. */
static void a_deformed_body_is_looked_at_as_it_was_made(void **state) {
  (void)state;
  test_random random = {29};
  syn_error error;
  const ball one = {{0, 0, 0}, 5, false}, other = {{5, 0, 0}, 2, false};
  syn_trimesh *fixed = mesh_of(&random, &one, 1), *mobile = mesh_of(&random, &other, 1);
  syn_vec3 *deformed = calloc(fixed->vertex_count, sizeof *deformed);
  for (uint32_t v = 0; v < fixed->vertex_count; ++v)
    deformed[v] = vec3_madd(fixed->vertices[v], 0.1, random_vec3(&random, 1));
  for (size_t i = 0; i < BY_SIDES; ++i) {
    syn_collider *collider;
    ASSERT_OK(create(by_sides[i], fixed, mobile, syn_default_collide_options(), &collider, &error));
    ASSERT_OK(syn_collider_update(collider, deformed, NULL, &error));
    syn_collider_destroy(collider);
  }
  free(deformed);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_derived *derived;
  SYN_TRY(syn_derive(&mesh, &syn_derive_facing, &derived, error));
  syn_derived_release(derived);
  syn_trimesh *turned;
  SYN_TRY(syn_trimesh_turn_outward(&mesh, &turned, error));
  syn_trimesh_destroy(turned);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {11};
  const ball balls[2] = {{{0, 0, 0}, 9, true}, {{0, 0, 0}, 2, true}};
  syn_trimesh *mesh = mesh_of(&random, balls, 2);
  check_every_allocation(attempt, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_that_are_inside_out_are_counted_cavities_are_not),
      cmocka_unit_test(a_surface_is_turned_outward_whichever_way_it_was_written),
      cmocka_unit_test(a_flipped_body_is_refused_by_all_methods_or_makes_no_difference),
      cmocka_unit_test(an_open_sheet_may_face_either_way),
      cmocka_unit_test(a_deformed_body_is_looked_at_as_it_was_made),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
