/* Facets that span much of what is seen from the centre: coarse bodies and centres in, on and close beside their
 * facets, edges and vertices. Every ray against every facet (radial_twin.h), before and after deformations. */
#include "support.h"

#include "base/vec.h"
#include "collide/radial/radial_wall.h"
#include "radial_twin.h"
#include "surfaces.h"

enum { POINTS = 160, ROOM = 2048 };

typedef struct scene {
  syn_trimesh *fixed, *mobile; /* the mobile one has loose vertices all around the centre as well */
  syn_collide_options options;
} scene;

static size_t rays, met; /* that were compared; and those of them that meet the surface */

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static syn_trimesh *make_tetrahedron(test_random *random) {
  syn_error error;
  syn_trimesh *mesh;
  const syn_vec3 points[4] = {{random_between(random, 0.2, 1), 0, 0}, {0, 1, 0}, {-1, -1, 0}, {0, 0, 1}};
  const syn_triangle triangles[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
  ASSERT_OK(syn_trimesh_create(NULL, points, 4, triangles, 4, &mesh, &error));
  return mesh;
}

/* Boxes, tetrahedra and coarse blobs, also as plates and needles, with a cut-out of the facets now and then. */
static syn_trimesh *coarse_body(test_random *random, bool may_be_open) {
  syn_error error;
  syn_trimesh *mesh, *stretched;
  switch (random_below(random, 4)) {
  case 0:
  case 1: mesh = make_cube(NULL, 1); break;
  case 2: mesh = make_tetrahedron(random); break;
  default: mesh = make_blob(NULL, random, 2 + random_below(random, 3), 3 + random_below(random, 4), 0.5);
  }
  syn_vec3 by = {random_between(random, 0.3, 2), random_between(random, 0.3, 2), random_between(random, 0.3, 2)};
  if (random_below(random, 4) == 0) by.z = pow(10, random_between(random, -3, 1));
  stretched = make_stretched(mesh, by, random_below(random, 2) ? vec3(0, 0, 0) : random_vec3(random, 1));
  syn_trimesh_destroy(mesh);
  if (!may_be_open || random_below(random, 4)) return stretched;
  const uint32_t first = random_below(random, stretched->triangle_count),
                 count = 1 + random_below(random, stretched->triangle_count - first);
  ASSERT_OK(syn_trimesh_create(NULL, stretched->vertices, stretched->vertex_count, stretched->triangles + first, count,
                               &mesh, &error));
  syn_trimesh_destroy(stretched);
  return mesh;
}

/* Somewhere; on a facet's plane, an edge or a vertex, or a little or very little beside it. */
static syn_vec3 center_near(test_random *random, const syn_trimesh *mesh) {
  const uint32_t *v = mesh->triangles[random_below(random, mesh->triangle_count)].v;
  const syn_vec3 a = mesh->vertices[v[0]], ab = vec3_sub(mesh->vertices[v[1]], a),
                 ac = vec3_sub(mesh->vertices[v[2]], a);
  double s = random_below(random, 16) / 16.0, t = random_below(random, 16) / 16.0 * (1 - s);
  const uint32_t kind = random_below(random, 8);
  if (kind == 0) return random_vec3(random, 1.5);
  if (kind == 1) s = t = 0;                        /* a vertex */
  if (kind == 2) t = 0;                            /* an edge */
  if (kind == 3) s = random_between(random, 1, 3); /* on the plane, outside the facet */
  if (kind == 4) s = pow(10, random_between(random, -9, -1)), t = random_below(random, 2) ? s : 0.5;
  const syn_vec3 on = vec3_madd(vec3_madd(a, s, ab), t, ac);
  const double off = random_below(random, 4) ? pow(10, random_between(random, -9, -0.5)) : 0;
  return vec3_madd(on, random_below(random, 2) ? off : -off, vec3_unit(vec3_cross(ab, ac)));
}

/* All around the centre, near and far, and on rays through vertices, middles of edges and along the axes. */
static syn_vec3 point_about(test_random *random, const syn_trimesh *mesh, syn_vec3 center) {
  const uint32_t *v = mesh->triangles[random_below(random, mesh->triangle_count)].v;
  const syn_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]];
  const double far = pow(10, random_between(random, -3, 0.7));
  switch (random_below(random, 8)) {
  case 0: return vec3_madd(center, random_between(random, 0.1, 2), vec3_sub(a, center));
  case 1: return vec3_madd(center, random_between(random, 0.1, 2), vec3_sub(vec3_lerp(a, b, 0.5), center));
  case 2: {
    syn_vec3 along = {0, 0, 0};
    const double value = random_below(random, 2) ? far : -far;
    *(random_below(random, 3) == 0 ? &along.x : random_below(random, 2) ? &along.y : &along.z) = value;
    return vec3_add(center, along);
  }
  default: return vec3_madd(center, far, vec3_unit(random_vec3(random, 1)));
  }
}

static syn_trimesh *with_points_about(test_random *random, const syn_trimesh *fixed, const syn_trimesh *body,
                                      syn_vec3 center) {
  syn_error error;
  syn_trimesh *mesh;
  const uint32_t count = body->vertex_count + POINTS;
  syn_vec3 *places = calloc(count, sizeof *places);
  for (uint32_t v = 0; v < count; ++v)
    places[v] = v < body->vertex_count ? body->vertices[v] : point_about(random, fixed, center);
  ASSERT_OK(syn_trimesh_create(NULL, places, count, body->triangles, body->triangle_count, &mesh, &error));
  free(places);
  return mesh;
}

static scene random_scene(test_random *random, int round) {
  scene s = {.fixed = coarse_body(random, true), .options = syn_default_collide_options()};
  syn_trimesh *body = coarse_body(random, false);
  s.options.mapping = (syn_mapping)(1 + round % 3);
  s.options.fixed_outside = round / 3 % 2;
  s.options.both_roles = round / 6 % 2;
  s.options.use_normals = random_below(random, 3) > 0;
  s.options.table_size = random_below(random, 3) ? 0 : 1 + random_below(random, 3000);
  s.options.center = center_near(random, random_below(random, 4) ? s.fixed : body);
  s.mobile = with_points_about(random, s.fixed, body, s.options.center);
  syn_trimesh_destroy(body);
  return s;
}

static void release_scene(scene *s) {
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
}

/* ---- against the twin -------------------------------------------------------------------------------------------- */

/* Along a facet that the ray hardly cuts nothing is known of where it does. */
static bool is_certain(const twin_depth *twin) { return !twin->doubtful && twin->flattest > 1e-5; }

static void check_depth(const scene *s, const char *what, uint32_t vertex, syn_vec3 place, double depth) {
  const twin_depth twin = twin_radial_depth(s->fixed, &s->options, place);
  if (!is_certain(&twin)) return;
  ++rays;
  met += isfinite(twin.depth) != 0;
  const bool same =
      isfinite(twin.depth) ? fabs(depth - twin.depth) <= 1e-8 * (1 + vec3_length(place)) : depth == twin.depth;
  if (!same)
    fail_msg("%s, mapping %d, fixed %s, centre %.17g %.17g %.17g: vertex %u at %g %g %g from it is %.17g mm deep; "
             "against every facet %.17g mm",
             what, (int)s->options.mapping, s->options.fixed_outside ? "outside" : "inside", s->options.center.x,
             s->options.center.y, s->options.center.z, vertex, place.x, place.y, place.z, depth, twin.depth);
}

/* Does the ray along `place` meet the facet, or pass by to within rounding? */
static bool comes_to(const scene *s, uint32_t facet, syn_vec3 place) {
  syn_vec3 v[3];
  for (int c = 0; c < 3; ++c) v[c] = vec3_sub(s->fixed->vertices[s->fixed->triangles[facet].v[c]], s->options.center);
  if (syn_radial_sees(v, place)) return true;
  const double turn = vec3_dot(v[0], vec3_cross(v[1], v[2])) > 0 ? 1 : -1;
  for (int c = 0; c < 3; ++c)
    if (turn * vec3_dot(vec3_unit(vec3_cross(v[c], v[(c + 1) % 3])), vec3_unit(place)) < -1e-9) return false;
  return true;
}

/* Contacts have the depths of the field, each with a facet that lies on the vertex's ray. */
static void check_contacts(const scene *s, const syn_pose *pose, const syn_contacts *found) {
  for (size_t i = 0; i < found->count; ++i) {
    const syn_contact *contact = &found->contacts[i];
    if (contact->of != SYN_OF_VERTEX_TRIANGLE) continue;
    const syn_vec3 place = twin_place(&s->options, pose, s->mobile->vertices[contact->mobile_element]);
    const twin_depth twin = twin_radial_depth(s->fixed, &s->options, place);
    assert_true(contact->depth_mm == found->vertex_depth[contact->mobile_element]);
    assert_true(contact->fixed_element < s->fixed->triangle_count);
    if (is_certain(&twin)) assert_true(comes_to(s, contact->fixed_element, place));
  }
}

/* Where the centre lies in a facet's plane to within rounding, a pose decides on which side of it; and where a vertex
 * lies next to the centre, in which direction. */
static bool lies_in_a_plane(const syn_trimesh *mesh, syn_vec3 center) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]], ab = vec3_sub(mesh->vertices[v[1]], a),
                   ac = vec3_sub(mesh->vertices[v[2]], a);
    if (fabs(vec3_dot(vec3_sub(center, a), vec3_unit(vec3_cross(ab, ac)))) < 1e-10) return true;
  }
  return false;
}

/* The exchanged question: the fixed vertices in the mobile body, as it lies at the pose. */
static void check_fixed_vertices(const scene *s, const char *what, const syn_pose *pose, const syn_contacts *found) {
  syn_error error;
  syn_trimesh *placed;
  syn_collide_options exchanged = s->options;
  exchanged.fixed_outside = !exchanged.fixed_outside;
  ASSERT_OK(syn_trimesh_transform(s->mobile, pose, &placed, &error));
  const bool turned = memcmp(placed->vertices, s->mobile->vertices, placed->vertex_count * sizeof(syn_vec3)) != 0;
  const uint32_t count = turned && lies_in_a_plane(placed, s->options.center) ? 0 : s->fixed->vertex_count;
  for (uint32_t v = 0; v < count; ++v) {
    const syn_vec3 place = vec3_sub(s->fixed->vertices[v], s->options.center);
    const twin_depth twin = twin_radial_depth(placed, &exchanged, place);
    double depth = 0;
    for (size_t i = 0; i < found->count; ++i)
      if (found->contacts[i].of == SYN_OF_TRIANGLE_VERTEX && found->contacts[i].fixed_element == v)
        depth = found->contacts[i].depth_mm;
    if (!is_certain(&twin) || (turned && vec3_length(place) < 1e-5)) continue;
    ++rays;
    met += isfinite(twin.depth) != 0;
    if (!(fabs(depth - fmax(twin.depth, 0)) <= 1e-8 * (1 + vec3_length(place))))
      fail_msg("%s, mapping %d, mobile %s, centre %.17g %.17g %.17g: fixed vertex %u at %g %g %g from it is %.17g mm "
               "deep; against every facet %.17g mm",
               what, (int)s->options.mapping, s->options.fixed_outside ? "inside" : "outside", s->options.center.x,
               s->options.center.y, s->options.center.z, v, place.x, place.y, place.z, depth, twin.depth);
  }
  syn_trimesh_destroy(placed);
}

static void check_collider(const scene *s, const char *what, const syn_collider *collider, const syn_pose *pose) {
  static syn_contact contacts[ROOM];
  static double depth[ROOM];
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_contacts found = {.contacts = contacts, .capacity = ROOM, .vertex_depth = depth};
  assert_int_equal(syn_collider_query(collider, pose, scratch, &found), SYN_OK);
  free(scratch);
  assert_true(found.count <= ROOM);
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v)
    check_depth(s, what, v, twin_place(&s->options, pose, s->mobile->vertices[v]), depth[v]);
  check_contacts(s, pose, &found);
  if (s->options.both_roles) check_fixed_vertices(s, what, pose, &found);
}

static syn_collider *make_collider(const scene *s) {
  syn_error error;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, "radial", &(syn_body){.surface = s->fixed}, &(syn_body){.surface = s->mobile},
                                &s->options, &collider, &error));
  return collider;
}

static syn_pose pose_about(test_random *random, syn_vec3 center, int which) {
  if (which == 0) return syn_pose_identity();
  syn_pose pose = syn_pose_about_axis(center, random_vec3(random, 1), random_between(random, -4, 4));
  if (which == 2) pose.translation = vec3_add(pose.translation, random_vec3(random, 0.3));
  return pose;
}

static void every_ray_has_the_depth_against_every_facet(void **state) {
  (void)state;
  test_random random = {91};
  rays = met = 0;
  for (int round = 0; round < repeats(2400, 12); ++round) {
    scene s = random_scene(&random, round);
    syn_collider *collider = make_collider(&s);
    for (int which = 0; which < 3; ++which) {
      const syn_pose pose = pose_about(&random, s.options.center, which);
      check_collider(&s, "new", collider, &pose);
    }
    syn_collider_destroy(collider);
    release_scene(&s);
  }
  assert_true(rays > (size_t)repeats(2400, 12) * 3 * POINTS / 2); /* the comparison means something */
  assert_true(met > rays / 4);
}

/* Seen from close outside a facet, the cell of this ray comes near to two facets of a ring, past their corners. */
static void a_ray_beyond_the_horizon_meets_nothing(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[] = {{-0.19164731722402464, 1.0014982019074017, 0.20429503639650742},
                             {1.0774640604601891, 1.0014982019074017, 0.1972953384575038},
                             {-0.19164731722402459, 1.9956718583200577, 0.15122706569877342},
                             {-0.19164731722402464, 1.0014982019074017, -0.45529408886606587},
                             {-0.19164731722402456, 2.163686408034553, -0.44899269002209674},
                             {1.1091878015293859, 1.0014982019074017, -0.45636323412398477},
                             {1.625452869260634, 1.0014982019074017, -0.1254995262347792},
                             {-0.19164731722402456, 2.4133145179299866, -0.1254995262347792},
                             {-1.5630305375288609, 1.0014982019074019, 0.22330789037457327},
                             {-1.547746190928895, 1.0014982019074019, -0.47041941281375038},
                             {-1.5884066219122936, 1.0014982019074019, -0.1254995262347792},
                             {-0.19164731722402484, 0.01497480791796546, 0.1490976278142353},
                             {-0.19164731722402489, -0.21283862324805836, -0.46350817182415643},
                             {-0.19164731722402489, -0.25707582300077592, -0.1254995262347792}};
  const syn_triangle triangles[] = {{{0, 1, 2}},   {{3, 4, 5}},   {{1, 6, 7}},    {{1, 7, 2}},  {{6, 5, 4}},
                                    {{6, 4, 7}},   {{0, 2, 8}},   {{3, 9, 4}},    {{2, 7, 10}}, {{2, 10, 8}},
                                    {{7, 4, 9}},   {{7, 9, 10}},  {{0, 8, 11}},   {{3, 12, 9}}, {{8, 10, 13}},
                                    {{8, 13, 11}}, {{10, 9, 12}}, {{10, 12, 13}}, {{0, 11, 1}}, {{3, 5, 12}},
                                    {{11, 13, 6}}, {{11, 6, 1}},  {{13, 12, 5}},  {{13, 5, 6}}};
  const syn_vec3 at = {1.3787405967493171, 0.69549587715889749, 0.24319713013922811};
  scene s = {.options = syn_default_collide_options()};
  s.options.fixed_outside = false;
  ASSERT_OK(syn_trimesh_create(NULL, points, 14, triangles, 24, &s.fixed, &error));
  syn_vec3 same[9];
  for (int i = 0; i < 9; ++i) same[i] = at; /* eight at a time, and one alone */
  ASSERT_OK(syn_trimesh_create(NULL, same, 9, NULL, 0, &s.mobile, &error));
  syn_collider *collider = make_collider(&s);
  const syn_pose pose = syn_pose_identity();
  rays = met = 0;
  check_collider(&s, "new", collider, &pose);
  assert_true(rays == 9 && met == 0);
  syn_collider_destroy(collider);
  release_scene(&s);
}

/* Near the centre the split method is radial: the same facets. */
static void the_sliding_part_of_split_has_it_as_well(void **state) {
  (void)state;
  test_random random = {93};
  rays = met = 0;
  for (int round = 0; round < repeats(600, 12); ++round) {
    syn_error error;
    syn_collider *collider;
    static double depth[ROOM];
    scene s = random_scene(&random, round);
    const double threshold = random_between(&random, 0.3, 2);
    s.options.thresholds_mm = &threshold;
    s.options.threshold_count = 1;
    s.options.use_normals = true;
    ASSERT_OK(syn_collider_create(NULL, "split", &(syn_body){.surface = s.fixed}, &(syn_body){.surface = s.mobile},
                                  &s.options, &collider, &error));
    void *scratch = malloc(syn_collider_scratch(collider) + 1);
    for (int which = 0; which < 3; ++which) {
      const syn_pose pose = pose_about(&random, s.options.center, which);
      syn_contacts found = {.vertex_depth = depth};
      assert_int_equal(syn_collider_query(collider, &pose, scratch, &found), SYN_OK);
      for (uint32_t v = 0; v < s.mobile->vertex_count; ++v) {
        const syn_vec3 place = twin_place(&s.options, &pose, s.mobile->vertices[v]);
        if (vec3_length(place) < threshold - 1e-9) check_depth(&s, "split", v, place, depth[v]);
      }
    }
    free(scratch);
    syn_collider_destroy(collider);
    release_scene(&s);
  }
  assert_true(rays > (size_t)repeats(600, 12) * POINTS);
  assert_true(met > rays / 10);
}

/* ---- deformations ------------------------------------------------------------------------------------------------ */

/* All stretched and shifted, so that the centre comes near to other facets; or one vertex; or along the rays. */
static void deform(test_random *random, const syn_trimesh *mesh, syn_vec3 center, uint32_t kind, syn_vec3 *places) {
  const syn_vec3 shift = random_vec3(random, 0.3);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = mesh->vertices[v];
    if (kind == 0) places[v] = vec3_add(vec3(p.x * 1.2, p.y * 0.9, p.z), shift);
    if (kind == 1) places[v] = v == 0 ? vec3_add(p, shift) : p;
    if (kind == 2) places[v] = vec3_madd(center, random_between(random, 0.5, 1.5), vec3_sub(p, center));
    if (kind == 3) places[v] = p;
  }
}

static void an_updated_collider_has_them_as_well(void **state) {
  (void)state;
  test_random random = {92};
  rays = met = 0;
  for (int round = 0; round < repeats(1200, 12); ++round) {
    scene s = random_scene(&random, round);
    syn_collider *kept = make_collider(&s);
    syn_vec3 *places = calloc(s.fixed->vertex_count, sizeof *places);
    for (int step = 0; step < 4; ++step) {
      syn_error error;
      scene now = s;
      deform(&random, s.fixed, s.options.center, random_below(&random, 4), places);
      ASSERT_OK(syn_trimesh_create(NULL, places, s.fixed->vertex_count, s.fixed->triangles, s.fixed->triangle_count,
                                   &now.fixed, &error));
      ASSERT_OK(syn_collider_update(kept, places, NULL, &error));
      const syn_pose pose = pose_about(&random, s.options.center, step % 3);
      check_collider(&now, "updated", kept, &pose);
      syn_trimesh_destroy(now.fixed);
    }
    free(places);
    syn_collider_destroy(kept);
    release_scene(&s);
  }
  assert_true(rays > (size_t)repeats(1200, 12) * 4 * POINTS / 2);
  assert_true(met > rays / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_ray_has_the_depth_against_every_facet),
      cmocka_unit_test(a_ray_beyond_the_horizon_meets_nothing),
      cmocka_unit_test(the_sliding_part_of_split_has_it_as_well),
      cmocka_unit_test(an_updated_collider_has_them_as_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
