/* The elastic foundation against closed forms, against a slow twin, and from any start. */
#include <stdlib.h>

#include "layer_caps.h"
#include "support.h"

#include "base/vec.h"
#include "pressure/foundation/foundation.h"
#include "shape/closed_surface.h"

static const double newton = 1714.2975;

static syn_load_step straight_load(syn_vec3 force) {
  return (syn_load_step){.pose = syn_pose_identity(), .force = force};
}

static syn_pressure_step solve(const syn_foundation *f, const syn_load_step *loaded, const syn_vec3 *start) {
  syn_pressure_step step;
  syn_error error;
  void *scratch = malloc(syn_foundation_scratch(f));
  assert_non_null(scratch);
  ASSERT_OK(syn_foundation_solve(f, loaded, start, scratch, &step, &error));
  free(scratch);
  const double off = vec3_length(vec3_add(step.contact_force, loaded->force));
  assert_true(off <= 1e-6 * vec3_length(loaded->force));
  return step;
}

static syn_foundation *make(const syn_layer *socket, const syn_layer *head, const syn_trimesh *rigid, syn_vec3 center,
                            bool nonlinear) {
  syn_foundation_options options = syn_default_foundation_options();
  syn_foundation *f;
  syn_error error;
  options.nonlinear = nonlinear;
  ASSERT_OK(syn_foundation_create(NULL, socket, head, rigid, center, &options, &f, &error));
  return f;
}

static double same_radius(const void *radius, syn_vec3 direction) {
  (void)direction;
  return *(const double *)radius;
}

static syn_trimesh *make_geodesic(syn_vec3 center, double radius, uint32_t frequency) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_geodesic(NULL, frequency, center, same_radius, &radius, &mesh, &error));
  return mesh;
}

static void assert_part(double value, double expected, double part) {
  if (!(fabs(value - expected) <= part * fabs(expected))) print_error("%.8g is not %.8g\n", value, expected);
  assert_true(fabs(value - expected) <= part * fabs(expected));
}

/* ---- closed forms -------------------------------------------------------------------------------------------------
 */

static void modulus_of_a_thin_layer(void **state) {
  (void)state;
  assert_part(syn_foundation_modulus(&(syn_material){12, 0.45, NAN}), 45.517, 1e-5);
  assert_true(isnan(syn_foundation_modulus(&(syn_material){12, 0.5, NAN})));
  assert_true(isnan(syn_foundation_modulus(&(syn_material){NAN, 0.3, NAN})));
}

typedef struct ball_case {
  double clearance, shift, edge_deg, peak, area;
} ball_case;

/* F = (K/h) 2 pi R^2 [ d (1 - cos^3) / 3 - c (1 - cos^2) / 2 ] with cos = c / d: a layer of 4 mm on a socket of 25 mm,
 * and a rigid ball. */
static void check_ball(const ball_case *c, double pull) {
  syn_layer socket = make_cap(25, 4, SYN_PI / 2, 100, false, 0);
  syn_trimesh *ball = make_geodesic(vec3(0, 0, 0), 25 - c->clearance, 20);
  syn_foundation *f = make(&socket, NULL, ball, vec3(0, 0, 0), false);
  const syn_load_step loaded = straight_load(vec3(0, 0, newton));
  const syn_pressure_step step = solve(f, &loaded, &(syn_vec3){0.3 * pull, -0.2 * pull, pull});
  assert_part(step.shift.z, c->shift, 1e-3);
  assert_true(fabs(step.shift.x) + fabs(step.shift.y) < 1e-4 * c->shift);
  assert_part(step.total.peak_mpa, c->peak, 1e-3);
  assert_part(step.total.area_mm2, c->area, 1e-3);
  assert_part(step.total.force_n, newton, 1e-6);
  syn_foundation_destroy(f);
  syn_trimesh_destroy(ball);
  syn_layer_release(&socket);
}

static void ball_in_a_socket(void **state) {
  (void)state;
  static const ball_case cases[] = {{0, 0.11509, 90, 1.3096, 3927},
                                    {0.1, 0.25755, 67.15, 1.7928, 2402},
                                    {0.25, 0.45182, 56.41, 2.2965, 1754},
                                    {0.5, 0.75563, 48.57, 2.9088, 1328}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    check_ball(&cases[i], 0);  /* from where it may be apart */
    check_ball(&cases[i], -3); /* far apart */
    check_ball(&cases[i], 3);  /* deep */
  }
}

/* z = -r^2 / 2R below the plate, which is what the closed form takes a sphere for. */
static syn_trimesh *make_paraboloid(double radius, double half_width, uint32_t cells) {
  const uint32_t row = cells + 1;
  syn_vec3 *vertices = malloc((size_t)row * row * sizeof *vertices);
  syn_triangle *triangles = malloc((size_t)2 * cells * cells * sizeof *triangles);
  syn_trimesh *mesh;
  syn_error error;
  assert_true(vertices && triangles);
  for (uint32_t n = 0; n < row * row; ++n) {
    const double x = half_width * (2.0 * (n % row) / cells - 1), y = half_width * (2.0 * (n / row) / cells - 1);
    vertices[n] = vec3(x, y, -(x * x + y * y) / (2 * radius));
  }
  for (uint32_t n = 0; n < cells * cells; ++n) {
    const uint32_t a = n / cells * row + n % cells;
    triangles[2 * n] = (syn_triangle){{a, a + 1, a + row + 1}};
    triangles[2 * n + 1] = (syn_triangle){{a, a + row + 1, a + row}};
  }
  ASSERT_OK(syn_trimesh_create(NULL, vertices, row * row, triangles, 2 * cells * cells, &mesh, &error));
  free(vertices);
  free(triangles);
  return mesh;
}

static void check_indenter(const syn_trimesh *rigid, double depth, double radius_of_contact, double peak) {
  syn_layer plate = make_plate(3, 2, 120);
  syn_foundation *f = make(&plate, NULL, rigid, vec3(0, 0, -10), false);
  const syn_load_step loaded = straight_load(vec3(0, 0, 10));
  const syn_pressure_step step = solve(f, &loaded, NULL);
  assert_part(step.shift.z, depth, 1e-3);
  assert_part(sqrt(step.total.area_mm2 / SYN_PI), radius_of_contact, 1e-3);
  assert_part(step.total.peak_mpa, peak, 1e-3);
  assert_true(vec3_length(step.total.center) < 0.001);
  syn_foundation_destroy(f);
  syn_layer_release(&plate);
}

/* F = pi (K/h) R d^2 of a paraboloid; of a sphere pi (K/h) (R d^2 - d^3 / 3) and a^2 = 2 R d - d^2. */
static void sphere_on_a_layer(void **state) {
  (void)state;
  const double k = 45.517241379310345 / 2;
  syn_trimesh *paraboloid = make_paraboloid(10, 4, 80), *sphere = make_geodesic(vec3(0, 0, -10), 10, 40);
  check_indenter(paraboloid, 0.118264, 1.53795, 2.69152);
  double d = 0.118;
  for (int i = 0; i < 20; ++i) d = sqrt(10 / (SYN_PI * k * (10 - d / 3)));
  check_indenter(sphere, d, sqrt(20 * d - d * d), k * d);
  syn_trimesh_destroy(paraboloid);
  syn_trimesh_destroy(sphere);
}

/* Layers of 1 and 3 mm on both sides are one of 4 mm; a softer one counts by its compliance. */
static void two_layers_are_in_series(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 3, SYN_PI / 2, 60, false, 0), head = make_cap(24.75, 1, SYN_PI * 0.7, 80, true, 0);
  const syn_load_step loaded = {.pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 0), 0.1),
                                .force = vec3(0, 0, newton)};
  syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  syn_pressure_step step = solve(f, &loaded, NULL);
  assert_part(step.shift.z, 0.45182, 2e-3);
  assert_part(step.total.peak_mpa, 2.2965, 2e-3);
  syn_foundation_destroy(f);
  head.materials[0].young_mpa = 3;
  for (uint32_t i = 0; i < head.node_count; ++i) head.thickness_mm[i] *= 0.25;
  f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  step = solve(f, &loaded, NULL);
  assert_part(step.shift.z, 0.45182, 2e-3);
  syn_foundation_destroy(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* -K ln(1 - d/h) of one layer; of two the depth is shared; and far too deep it still rises. */
static void the_nonlinear_law(void **state) {
  (void)state;
  double slope, before = 0;
  const double h[2] = {2, 0}, k[2] = {45, 1}, both[2] = {2, 3}, moduli[2] = {45, 20};
  assert_part(syn_foundation_law(true, 0.8, h, k, 0, &slope), -45 * log(1 - 0.4), 1e-12);
  assert_part(slope, 45 / 2.0 / 0.6, 1e-12);
  const double p = syn_foundation_law(true, 1.3, both, moduli, 0, &slope);
  assert_part(2 * (1 - exp(-p / 45)) + 3 * (1 - exp(-p / 20)), 1.3, 1e-12);
  assert_part(syn_foundation_law(true, -0.1, h, k, 0, &slope), -0.1 * 45 / 2, 1e-12);
  const double soft = syn_foundation_law(true, 1.3, both, moduli, 0.2, &slope);
  assert_part(2 * (1 - exp(-soft / 45)) + 3 * (1 - exp(-soft / 20)) + 0.2 * soft, 1.3, 1e-12);
  for (double depth = 0.01; depth < 9; depth += 0.01) {
    const double now = syn_foundation_law(true, depth, both, moduli, 0, &slope);
    assert_true(now > before && isfinite(now) && slope > 0);
    before = now;
  }
}

/* ---- a slow twin --------------------------------------------------------------------------------------------------
 */

/* Distance along a ray to a triangle; INFINITY: it misses. */
static double ray_to(syn_vec3 from, syn_vec3 along, syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  const syn_vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), p = vec3_cross(along, ac), t = vec3_sub(from, a);
  const double det = vec3_dot(ab, p);
  if (fabs(det) < 1e-12) return INFINITY;
  const syn_vec3 q = vec3_cross(t, ab);
  const double u = vec3_dot(t, p) / det, v = vec3_dot(along, q) / det;
  return u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9 ? (double)INFINITY : vec3_dot(ac, q) / det;
}

/* Depth of the head below a point of the socket, along the normal: every face is asked. */
static double depth_at(const syn_layer *head, const syn_vec3 *nodes, syn_vec3 from, syn_vec3 inward) {
  double least = INFINITY;
  for (uint32_t f = 0; f < head->face_count; ++f) {
    const uint32_t *v = head->faces[f];
    if (vec3_distance(nodes[v[0]], from) > 6) continue;
    least = min2(least, ray_to(from, inward, nodes[v[0]], nodes[v[1]], nodes[v[2]]));
    least = min2(least, ray_to(from, inward, nodes[v[0]], nodes[v[2]], nodes[v[3]]));
  }
  return -least;
}

/* Force on the socket: each face in its middle. */
static syn_vec3 twin_force(const syn_layer *socket, const syn_layer *head, const syn_load_step *loaded,
                           syn_vec3 shift) {
  const double k =
      45.517241379310345 / (socket->thickness_mm[socket->faces[0][0]] + head->thickness_mm[head->faces[0][0]]);
  syn_vec3 *nodes = malloc(head->node_count * sizeof *nodes), force = vec3(0, 0, 0);
  assert_non_null(nodes);
  for (uint32_t i = 0; i < head->node_count; ++i)
    nodes[i] = vec3_add(syn_pose_point(&loaded->pose, head->nodes[i]), shift);
  for (uint32_t f = 0; f < socket->face_count; ++f) {
    const uint32_t *v = socket->faces[f];
    const syn_vec3 a = socket->nodes[v[0]], b = socket->nodes[v[1]], c = socket->nodes[v[2]], d = socket->nodes[v[3]];
    const syn_vec3 area = vec3_scale(vec3_cross(vec3_sub(c, a), vec3_sub(d, b)), 0.5), inward = vec3_unit(area);
    const syn_vec3 middle = vec3_scale(vec3_add(vec3_add(a, b), vec3_add(c, d)), 0.25);
    const double depth = depth_at(head, nodes, vec3_madd(middle, -5, inward), inward) + 5;
    if (depth > 0) force = vec3_madd(force, -k * depth, area);
  }
  free(nodes);
  return force;
}

/* A waved head in a waved socket, turned and shifted: the twin has flat faces and socket normals only. */
static void the_same_as_a_slow_twin(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1.2, 50, false, 0.02), head = make_cap(24.8, 1.5, 1.7, 70, true, 0.02);
  syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  void *scratch = malloc(syn_foundation_scratch(f));
  test_random random = {5};
  for (int i = 0; i < 4; ++i) {
    const syn_load_step loaded = {
        .pose = syn_pose_about_axis(vec3(0, 0, 0), random_vec3(&random, 1), random_between(&random, 0, 0.3)),
        .force = vec3(0, 0, 1000)};
    const syn_vec3 shift = vec3_add(vec3(0, 0, 0.6), random_vec3(&random, 0.2));
    syn_pressure_step step;
    syn_foundation_query(f, &loaded, shift, scratch, &step);
    const syn_vec3 twin = twin_force(&socket, &head, &loaded, shift), ours = vec3_neg(step.contact_force);
    assert_true(vec3_length(twin) > 100);
    assert_true(vec3_distance(twin, ours) < 0.02 * vec3_length(twin));
  }
  free(scratch);
  syn_foundation_destroy(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* ---- equilibrium --------------------------------------------------------------------------------------------------
 */

static void any_start_gives_the_same_shift(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1.3, 40, false, 0.01), head = make_cap(24.6, 1.5, 1.9, 60, true, -0.01);
  test_random random = {11};
  for (int nonlinear = 0; nonlinear < 2; ++nonlinear) {
    syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), nonlinear);
    for (int i = 0; i < 6; ++i) {
      const syn_load_step loaded = {
          .pose = syn_pose_about_axis(vec3(0, 0, 0), random_vec3(&random, 1), random_between(&random, 0, 0.5)),
          .force = vec3_scale(vec3_add(vec3(0, 0, 1.2), random_vec3(&random, 0.6)), 800)};
      const syn_pressure_step first = solve(f, &loaded, NULL);
      for (int k = 0; k < 6; ++k) {
        const syn_vec3 start = random_vec3(&random, 4);
        const syn_pressure_step other = solve(f, &loaded, &start);
        assert_true(vec3_distance(first.shift, other.shift) < 1e-4);
      }
      const syn_pressure_step warm = solve(f, &loaded, &first.shift);
      assert_true(warm.iterations <= 2);
    }
    syn_foundation_destroy(f);
  }
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

static void a_force_out_of_the_socket_is_reported(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1, 30, false, 0), head = make_cap(24.8, 1.5, 1.5, 40, true, 0);
  syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  void *scratch = malloc(syn_foundation_scratch(f));
  syn_pressure_step step;
  syn_error error;
  syn_load_step loaded = straight_load(vec3(0, 0, -500));
  ASSERT_FAILS(syn_foundation_solve(f, &loaded, NULL, scratch, &step, &error), SYN_NOT_CONVERGED, "out of the socket");
  loaded.force = vec3(500, 0, -100);
  ASSERT_FAILS(syn_foundation_solve(f, &loaded, NULL, scratch, &step, &error), SYN_NOT_CONVERGED, NULL);
  loaded.force = vec3(0, 0, 0);
  ASSERT_FAILS(syn_foundation_solve(f, &loaded, NULL, scratch, &step, &error), SYN_BAD_ARGUMENT, "without a load");
  free(scratch);
  syn_foundation_destroy(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* ---- fields and regions -------------------------------------------------------------------------------------------
 */

static void fields_and_regions_add_up(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1.3, 40, false, 0), head = make_cap(24.8, 1.5, 1.9, 60, true, 0);
  socket.region_count = 2;
  socket.materials[1] = socket.materials[0];
  socket.tissues[1] = SYN_TISSUE_LABRUM;
  for (uint32_t e = 0; e < socket.element_count; ++e) socket.element_region[e] = e % 40 < 20;
  syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  void *scratch = malloc(syn_foundation_scratch(f));
  double *pressure = malloc(socket.node_count * sizeof *pressure), *gap = malloc(socket.node_count * sizeof *gap);
  double *on_head = malloc(head.node_count * sizeof *on_head);
  syn_pressure_step step;
  syn_error error;
  const syn_load_step loaded = straight_load(vec3(0, 0, 1500));
  ASSERT_OK(syn_foundation_solve(f, &loaded, NULL, scratch, &step, &error));
  assert_part(step.regions[0].area_mm2 + step.regions[1].area_mm2, step.total.area_mm2, 1e-12);
  assert_part(step.regions[0].area_mm2, step.regions[1].area_mm2, 1e-2);
  assert_true(step.regions[2].area_mm2 == 0 && isnan(step.regions[2].center.x));
  syn_foundation_fields(f, scratch, false, pressure, gap);
  syn_foundation_fields(f, scratch, true, on_head, NULL);
  double most = 0, most_on_head = 0;
  for (uint32_t i = 0; i < socket.node_count; ++i) {
    assert_true(isnan(pressure[i]) == (socket.on_bone[i] != 0));
    if (socket.on_bone[i]) continue;
    assert_true((pressure[i] > 0) == (gap[i] < 0));
    most = max2(most, pressure[i]);
  }
  for (uint32_t i = 0; i < head.node_count; ++i)
    if (!head.on_bone[i]) most_on_head = max2(most_on_head, on_head[i]);
  assert_part(most, step.total.peak_mpa, 1e-12);
  assert_part(most_on_head, most, 0.02);
  free(scratch);
  free(pressure);
  free(gap);
  free(on_head);
  syn_foundation_destroy(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* Bare bone around the cartilage of the head: faces without tissue, whose nodes lie on the bone. */
static void rigid_faces_of_a_layer_do_not_give(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 4, SYN_PI / 2, 60, false, 0), head = make_cap(24.75, 1, SYN_PI * 0.7, 80, true, 0);
  for (uint32_t f = 0; f < head.face_count; ++f) head.face_element[f] = SYN_NONE;
  for (uint32_t i = 0; i < head.node_count; ++i) head.thickness_mm[i] = NAN;
  head.element_count = 0;
  syn_foundation *f = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  const syn_load_step loaded = straight_load(vec3(0, 0, newton));
  const syn_pressure_step step = solve(f, &loaded, NULL);
  assert_part(step.shift.z, 0.45182, 2e-3);
  syn_foundation_destroy(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* The outer part of the socket has no bone behind it: it gives way, the more the farther from the bone. */
static void a_free_rim_gives_way(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1.3, 40, false, 0), head = make_cap(24.9, 1.5, 1.9, 60, true, 0);
  const uint32_t sheet = socket.node_count / 2;
  for (uint32_t i = 0; i < sheet; ++i) socket.on_bone[i] = socket.nodes[i].z > 27 * cos(1.0);
  syn_foundation *free_rim = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  for (uint32_t i = 0; i < sheet; ++i) socket.on_bone[i] = 1;
  syn_foundation *on_bone = make(&socket, &head, NULL, vec3(0, 0, 0), false);
  double before = 0;
  for (double angle = 0.9; angle < 1.29; angle += 0.1) {
    double most = 0;
    for (uint32_t i = 0; i < free_rim->socket.node_count; ++i) {
      const syn_vec3 p = free_rim->socket.nodes[i];
      if (fabs(acos(p.z / vec3_length(p)) - angle) < 0.05) most = max2(most, free_rim->socket.give_mm_per_mpa[i]);
    }
    assert_true(angle < 0.95 ? most == 0 : most > before);
    before = most;
  }
  /* No more than the ring alone would give. */
  assert_true(before < 25.0 * 25 / (12 * 2));
  const syn_load_step loaded = straight_load(vec3(800, 0, 800));
  const syn_pressure_step soft = solve(free_rim, &loaded, NULL), hard = solve(on_bone, &loaded, NULL);
  assert_true(soft.shift.x > hard.shift.x);
  syn_foundation_destroy(free_rim);
  syn_foundation_destroy(on_bone);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

/* As a ring and as a plate together: 1 / (E t / R^2 + 8 D / x^4) at the distance x from the nearest node on bone. */
static void a_free_rim_gives_way_as_its_closed_form_says(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1.3, 24, false, 0);
  const uint32_t sheet = socket.node_count / 2;
  for (uint32_t i = 0; i < sheet; ++i) socket.on_bone[i] = socket.nodes[i].z > 27 * cos(1.0);
  foundation_side side = {0};
  syn_error error;
  ASSERT_OK(syn_foundation_side_of_layer(NULL, &socket, vec3(0, 0, 0), false, &side, &error));
  const syn_material *m = &socket.materials[socket.region_count - 1];
  uint32_t free_nodes = 0;
  for (uint32_t i = 0; i < side.node_count; ++i) {
    if (side.give_mm_per_mpa[i] == 0) continue; /* on bone */
    double x = INFINITY;
    for (uint32_t k = 0; k < side.node_count; ++k)
      if (side.give_mm_per_mpa[k] == 0) x = fmin(x, vec3_distance(side.nodes[k], side.nodes[i]));
    const double t = side.thickness_mm[i], radius = vec3_length(side.nodes[i]);
    const double ring = m->young_mpa * t / (radius * radius);
    const double plate = 8 * m->young_mpa * pow(t, 3) / (12 * (1 - m->poisson * m->poisson)) / pow(x, 4);
    assert_part(side.give_mm_per_mpa[i], 1 / (ring + plate), 1e-12);
    ++free_nodes;
  }
  assert_true(free_nodes > 20);
  syn_foundation_side_release(NULL, &side);
  syn_layer_release(&socket);
}

/* ---- radii by direction -------------------------------------------------------------------------------------------
 */

/* A ball beside the centre, of which only the upper part is there. Beyond its edge the table goes on along the slope of
 * the surface, so that within a texel or two it is right to the second order. */
static void a_surface_is_continued_along_its_slope(void **state) {
  (void)state;
  enum { RESOLUTION = 80 };
  const double radius = 25;
  const syn_vec3 middle = {6, -4, 0};
  syn_trimesh *ball = make_geodesic(middle, radius, 40), *cap;
  syn_triangle *kept = malloc(ball->triangle_count * sizeof *kept);
  size_t count = 0;
  for (uint32_t t = 0; t < ball->triangle_count; ++t)
    if (ball->vertices[ball->triangles[t].v[0]].z > 14) kept[count++] = ball->triangles[t];
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, ball->vertices, ball->vertex_count, kept, count, &cap, &error));
  syn_vec3 *vertices = malloc(cap->vertex_count * sizeof *vertices);
  uint32_t *number = malloc(cap->vertex_count * sizeof *number), vertex_count = 0;
  for (uint32_t v = 0; v < cap->vertex_count; ++v) number[v] = SYN_NONE;
  for (size_t t = 0; t < count; ++t)
    for (int c = 0; c < 3; ++c) {
      uint32_t *v = &kept[t].v[c];
      if (number[*v] == SYN_NONE) {
        number[*v] = vertex_count;
        vertices[vertex_count++] = cap->vertices[*v];
      }
      *v = number[*v];
    }
  syn_trimesh_destroy(cap);
  ASSERT_OK(syn_trimesh_create(NULL, vertices, vertex_count, kept, count, &cap, &error));
  foundation_side side = {0};
  foundation_table table;
  ASSERT_OK(syn_foundation_side_of_mesh(NULL, cap, vec3(0, 0, 0), true, &side, &error));
  ASSERT_OK(syn_foundation_table_create(NULL, &side, RESOLUTION, true, &table, &error));
  uint32_t beyond = 0;
  test_random random = {41};
  for (int i = 0; i < 40000; ++i) {
    const syn_vec3 w = vec3_unit(random_vec3(&random, 1));
    syn_vec3 gradient;
    const double found = syn_foundation_radius(&table, w, &gradient);
    if (isnan(found)) continue;
    const double along = vec3_dot(middle, w),
                 truth = along + sqrt(along * along + radius * radius - vec3_length2(middle));
    const bool covered = syn_foundation_is_covered(&table, w);
    assert_true(fabs(found - truth) < (covered ? 0.01 : 0.2));
    beyond += !covered;
  }
  assert_true(beyond > 100);
  syn_foundation_table_release(NULL, &table);
  syn_foundation_side_release(NULL, &side);
  syn_trimesh_destroy(cap);
  syn_trimesh_destroy(ball);
  free(vertices);
  free(number);
  free(kept);
}

/* ---- bad input ----------------------------------------------------------------------------------------------------
 */

static void bad_layers_are_refused(void **state) {
  (void)state;
  syn_layer socket = make_cap(25, 2, 1, 10, false, 0), head = make_cap(24.8, 1.5, 1.5, 10, true, 0);
  syn_foundation *f;
  syn_error error;
  const syn_vec3 o = vec3(0, 0, 0);
  ASSERT_FAILS(syn_foundation_create(NULL, NULL, NULL, NULL, o, NULL, &f, &error), SYN_BAD_ARGUMENT, "one layer");
  ASSERT_FAILS(syn_foundation_create(NULL, &socket, NULL, NULL, o, NULL, &f, &error), SYN_BAD_ARGUMENT, "rigid");
  ASSERT_FAILS(syn_foundation_create(NULL, &head, &socket, NULL, o, NULL, &f, &error), SYN_BAD_MESH, "away from");
  socket.materials[0].poisson = 0.5;
  ASSERT_FAILS(syn_foundation_create(NULL, &socket, &head, NULL, o, NULL, &f, &error), SYN_BAD_ARGUMENT, "cartilage");
  socket.materials[0].poisson = 0.45;
  socket.thickness_mm[socket.faces[3][0]] = 0;
  ASSERT_FAILS(syn_foundation_create(NULL, &socket, &head, NULL, o, NULL, &f, &error), SYN_BAD_MESH, "no thickness");
  assert_null(f);
  syn_layer_release(&socket);
  syn_layer_release(&head);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modulus_of_a_thin_layer),
      cmocka_unit_test(ball_in_a_socket),
      cmocka_unit_test(sphere_on_a_layer),
      cmocka_unit_test(two_layers_are_in_series),
      cmocka_unit_test(the_nonlinear_law),
      cmocka_unit_test(the_same_as_a_slow_twin),
      cmocka_unit_test(any_start_gives_the_same_shift),
      cmocka_unit_test(a_force_out_of_the_socket_is_reported),
      cmocka_unit_test(fields_and_regions_add_up),
      cmocka_unit_test(rigid_faces_of_a_layer_do_not_give),
      cmocka_unit_test(a_free_rim_gives_way),
      cmocka_unit_test(a_free_rim_gives_way_as_its_closed_form_says),
      cmocka_unit_test(a_surface_is_continued_along_its_slope),
      cmocka_unit_test(bad_layers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
