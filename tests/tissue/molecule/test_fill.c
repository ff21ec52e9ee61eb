/* Filling surfaces with molecules, their skin, metaballs, stress and strain on the skin, and input that is not valid.
 */
#include "block_hip.h"
#include "lattice_body.h"

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

static syn_body body_of(const syn_trimesh *surface) {
  return (syn_body){.name = "pad", .surface = surface, .material = {1, 0.3, 1000}};
}

static syn_soft *filled(const syn_trimesh *surface, double spacing, syn_spring_rule rule, uint32_t anchors) {
  syn_error error;
  syn_soft *soft;
  syn_soft_options options = soft_options(1, 0.3, rule);
  options.spacing_mm = spacing;
  options.anchors = anchors;
  const syn_body body = body_of(surface);
  ASSERT_OK(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error));
  return soft;
}

/* ---- filling --------------------------------------------------------------------------------------------------------
 */

/* Distance to the nearest other molecule, by looking at all. */
static double nearest_other(const syn_soft *soft, uint32_t i) {
  double least = INFINITY;
  for (uint32_t j = 0; j < soft->node_count; ++j)
    if (j != i) least = min2(least, vec3_distance(soft->rest[i], soft->rest[j]));
  return least;
}

static void check_even(const syn_trimesh *mesh, double spacing, double least, double mean_least) {
  syn_error error;
  syn_soft *soft = filled(mesh, spacing, SYN_SPRINGS_LINEAR, 3);
  const molecules *m = soft->state;
  syn_surface *surface;
  ASSERT_OK(syn_surface_create(mesh, &surface, &error));
  double sum = 0, shortest = INFINITY, volume = 0, mass = 0, farthest = 0;
  syn_surface_point *feet = calloc(m->count, sizeof *feet);
  syn_location *sides = calloc(m->count, sizeof *sides);
  syn_surface_nearest(surface, m->rest, m->count, feet);
  syn_surface_side(surface, m->rest, m->count, sides);
  for (uint32_t i = 0; i < m->count; ++i) {
    const double near = nearest_other(soft, i);
    sum += near / spacing;
    shortest = min2(shortest, near / spacing);
    volume += m->volume[i];
    mass += soft->mass[i];
    if (sides[i] == SYN_LOCATION_OUTSIDE) farthest = max2(farthest, feet[i].distance_mm);
  }
  print_message("%u molecules, nearest %.2f and on average %.2f spacings away\n", m->count, shortest, sum / m->count);
  assert_true(shortest > least && sum / m->count > mean_least && farthest < 1e-9 * spacing);
  const double whole = syn_trimesh_mass(mesh).volume_mm3;
  ASSERT_NEAR(volume, whole, 1e-9 * whole);
  ASSERT_NEAR(mass, whole * 1e-9, 1e-12 * whole);
  ASSERT_NEAR(syn_soft_volume(soft, soft->rest), whole, 1e-9 * whole);
  /* every point of the surface has a molecule near it: none is left bare */
  double barest = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    double near = INFINITY;
    for (uint32_t i = 0; i < m->count; ++i) near = min2(near, vec3_distance(mesh->vertices[v], m->rest[i]));
    barest = max2(barest, near / spacing);
  }
  print_message("no point of the surface is farther than %.2f from one\n", barest);
  assert_true(barest < 1);
  free(feet);
  free(sides);
  syn_surface_destroy(surface);
  syn_soft_destroy(soft);
}

static void molecules_fill_bodies_evenly(void **state) {
  (void)state;
  test_random random = {1};
  syn_trimesh *blob = make_blob(NULL, &random, 24, 36, 0.05), *block = make_block(NULL, vec3(-1, 0, 2), vec3(9, 7, 6));
  check_even(blob, 0.2, 0.6, 0.9);
  check_even(block, 1, 0.9, 0.99);
  check_even(block, 1.3, 0.6, 0.85);
  syn_trimesh_destroy(blob);
  syn_trimesh_destroy(block);
}

static void the_same_body_is_filled_the_same_way(void **state) {
  (void)state;
  test_random random = {2};
  syn_trimesh *blob = make_blob(NULL, &random, 12, 18, 0.1);
  syn_soft *a = filled(blob, 0.3, SYN_SPRINGS_MODULI, 3), *b = filled(blob, 0.3, SYN_SPRINGS_MODULI, 3);
  const molecules *p = a->state, *q = b->state;
  assert_int_equal(p->count, q->count);
  assert_int_equal(p->slot_count, q->slot_count);
  assert_memory_equal(p->rest, q->rest, p->count * sizeof *p->rest);
  assert_memory_equal(p->stiffness, q->stiffness, p->slot_count * sizeof *p->stiffness);
  syn_soft_destroy(a);
  syn_soft_destroy(b);
  syn_trimesh_destroy(blob);
}

/* A U: molecules on both sides of the cleft are near each other and not connected. */
static void no_connection_goes_through_a_cleft(void **state) {
  (void)state;
  syn_error error;
  const double xs[4] = {0, 3, 3.6, 6.6};
  /* outline of the U in x and z, as a prism along y */
  const double outline[8][2] = {{xs[0], 0}, {xs[3], 0}, {xs[3], 8}, {xs[2], 8},
                                {xs[2], 3}, {xs[1], 3}, {xs[1], 8}, {xs[0], 8}};
  syn_vec3 points[16];
  for (int k = 0; k < 8; ++k)
    for (int back = 0; back < 2; ++back) points[k + 8 * back] = vec3(outline[k][0], back ? 4 : 0, outline[k][1]);
  syn_triangle triangles[28];
  size_t count = 0;
  static const uint32_t caps[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
  for (int c = 0; c < 6; ++c) {
    triangles[count++] = (syn_triangle){{caps[c][0], caps[c][1], caps[c][2]}};
    triangles[count++] = (syn_triangle){{caps[c][0] + 8, caps[c][2] + 8, caps[c][1] + 8}};
  }
  for (uint32_t k = 0; k < 8; ++k) {
    const uint32_t next = (k + 1) % 8;
    triangles[count++] = (syn_triangle){{k, k + 8, next + 8}};
    triangles[count++] = (syn_triangle){{k, next + 8, next}};
  }
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, points, 16, triangles, count, &mesh, &error));
  syn_soft *soft = filled(mesh, 1, SYN_SPRINGS_STATISTICAL, 3);
  const molecules *m = soft->state;
  bool near = false;
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t j = 0; j < m->count; ++j)
      near |= m->rest[i].x < 3.3 && m->rest[j].x > 3.3 && m->rest[i].z > 4 && vec3_distance(m->rest[i], m->rest[j]) < 1;
  assert_true(near);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
      assert_false(m->rest[i].x < 3.3 && m->rest[m->other[s]].x > 3.3 && m->rest[i].z > 4);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

/* A real meniscus has edges so thin that a molecule may have no neighbour: it is left out, and that is reported. */
static void strays_in_thin_edges_are_left_out_with_a_warning(void **state) {
  (void)state;
  REQUIRE_DATA(path, "knee/menisci/smith2019-R-lateral-meniscus.ply");
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *mesh;
  syn_soft *soft;
  ASSERT_OK(syn_trimesh_read_surface(&context, path, NULL, &mesh, &error));
  const syn_body body = body_of(mesh);
  const syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_STATISTICAL);
  ASSERT_OK(syn_soft_create(&context, "molecules", &body, &options, &soft, &error));
  assert_non_null(strstr(memory.all_warnings, "are left out: nothing connects them"));
  double volume = 0;
  const molecules *m = soft->state;
  for (uint32_t i = 0; i < m->count; ++i) volume += m->volume[i];
  const double whole = syn_trimesh_mass(mesh).volume_mm3;
  ASSERT_NEAR(volume, whole, 1e-9 * whole);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
  assert_int_equal(memory.live, 0);
}

/* ---- the skin -------------------------------------------------------------------------------------------------------
 */

/* The whole body is turned and stretched: the skin goes along exactly. */
static void the_skin_follows_turns_and_stretches(void **state) {
  (void)state;
  test_random random = {3};
  syn_trimesh *blob = make_blob(NULL, &random, 16, 24, 0.05);
  for (uint32_t anchors = 1; anchors <= 4; ++anchors) {
    syn_soft *soft = filled(blob, 0.3, SYN_SPRINGS_LINEAR, anchors);
    syn_pose pose = random_pose(&random, 2);
    const syn_vec3 stretch = vec3(1.3, 0.8, 1.1);
    syn_vec3 *x = calloc(soft->node_count, sizeof *x), *points = calloc(blob->vertex_count, sizeof *points);
    for (uint32_t i = 0; i < soft->node_count; ++i)
      x[i] = syn_pose_point(
          &pose, vec3(soft->rest[i].x * stretch.x, soft->rest[i].y * stretch.y, soft->rest[i].z * stretch.z));
    syn_soft_skin_points(soft, x, points);
    for (uint32_t v = 0; v < blob->vertex_count; ++v) {
      const syn_vec3 p = blob->vertices[v],
                     moved = syn_pose_point(&pose, vec3(p.x * stretch.x, p.y * stretch.y, p.z * stretch.z));
      ASSERT_NEAR(vec3_distance(points[v], moved), 0, 1e-12);
    }
    free(x);
    free(points);
    syn_soft_destroy(soft);
  }
  syn_trimesh_destroy(blob);
}

/* Anchors and weights by looking at all molecules (Eq. 4.35). */
static void values_on_the_skin_have_the_weights_of_the_nearest(void **state) {
  (void)state;
  test_random random = {4};
  syn_trimesh *blob = make_blob(NULL, &random, 10, 14, 0.05);
  syn_soft *soft = filled(blob, 0.3, SYN_SPRINGS_LINEAR, 3);
  syn_sym3 *values = calloc(soft->node_count, sizeof *values), *on_skin = calloc(blob->vertex_count, sizeof *on_skin);
  for (uint32_t i = 0; i < soft->node_count; ++i) values[i] = (syn_sym3){.xx = random_between(&random, 0, 1)};
  syn_soft_skin_values(soft, values, on_skin);
  for (uint32_t v = 0; v < blob->vertex_count; ++v) {
    double best[3] = {INFINITY, INFINITY, INFINITY}, of[3] = {0}, sum = 0, weights = 0;
    for (uint32_t i = 0; i < soft->node_count; ++i) {
      const double distance = vec3_distance(soft->rest[i], blob->vertices[v]);
      int k = 3;
      while (k > 0 && distance < best[k - 1]) --k;
      if (k == 3) continue;
      for (int move = 2; move > k; --move) best[move] = best[move - 1], of[move] = of[move - 1];
      best[k] = distance;
      of[k] = values[i].xx;
    }
    if (best[0] < 1e-9) continue; /* a molecule in the vertex itself: that one alone */
    for (int k = 0; k < 3; ++k) {
      sum += of[k] / (best[k] * best[k]);
      weights += 1 / (best[k] * best[k]);
    }
    ASSERT_NEAR(on_skin[v].xx, sum / weights, 1e-12);
  }
  free(values);
  free(on_skin);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(blob);
}

/* Forces on the skin do the same work as on the molecules. */
static void forces_on_the_skin_do_the_same_work(void **state) {
  (void)state;
  test_random random = {5};
  syn_trimesh *blob = make_blob(NULL, &random, 10, 14, 0.05);
  syn_soft *soft = filled(blob, 0.3, SYN_SPRINGS_LINEAR, 3);
  syn_vec3 *x = calloc(soft->node_count, sizeof *x), *f = calloc(soft->node_count, sizeof *f);
  syn_vec3 *points = calloc(blob->vertex_count, sizeof *points), *push = calloc(blob->vertex_count, sizeof *push);
  for (uint32_t i = 0; i < soft->node_count; ++i) x[i] = vec3_add(soft->rest[i], random_vec3(&random, 0.1));
  for (uint32_t v = 0; v < blob->vertex_count; ++v) push[v] = random_vec3(&random, 1);
  syn_soft_skin_points(soft, x, points);
  syn_soft_skin_forces(soft, push, f);
  double outside = 0, inside = 0;
  for (uint32_t v = 0; v < blob->vertex_count; ++v)
    outside += vec3_dot(push[v], vec3_sub(points[v], blob->vertices[v]));
  for (uint32_t i = 0; i < soft->node_count; ++i) inside += vec3_dot(f[i], vec3_sub(x[i], soft->rest[i]));
  ASSERT_NEAR(outside, inside, 1e-10);
  free(x);
  free(f);
  free(points);
  free(push);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(blob);
}

/* ---- stress and strain ----------------------------------------------------------------------------------------------
 */

/* A bar stretched by a hundredth: stress E e along, none across, strain -nu e across, on molecules and on the skin; the
 * mean stretch of a molecule's springs (Eq. 5.2, less one) is between the two strains. */
static void stress_and_strain_of_a_stretched_bar(void **state) {
  (void)state;
  const double e = 0.01, poisson = 0.3;
  syn_trimesh *bar = make_block(NULL, vec3(0, 0, 0), vec3(6, 6, 12));
  syn_soft *soft = filled(bar, 1, SYN_SPRINGS_MODULI, 3);
  const molecules *m = soft->state;
  syn_vec3 *x = calloc(m->count, sizeof *x);
  syn_sym3 *stress = calloc(m->count, sizeof *stress), *strain = calloc(m->count, sizeof *strain);
  syn_sym3 *on_skin = calloc(bar->vertex_count, sizeof *on_skin);
  for (uint32_t i = 0; i < m->count; ++i)
    x[i] = vec3(m->rest[i].x * (1 - poisson * e), m->rest[i].y * (1 - poisson * e), m->rest[i].z * (1 + e));
  syn_soft_stress(soft, x, NULL, stress, strain);
  for (uint32_t i = 0; i < m->count; ++i) {
    ASSERT_NEAR(strain[i].zz, e, 1e-12);
    ASSERT_NEAR(strain[i].xx, -poisson * e, 1e-12);
    ASSERT_NEAR(strain[i].xy, 0, 1e-12);
    if (m->degree[i] < 18) continue;
    ASSERT_NEAR(stress[i].zz, e, 0.03 * e);
    ASSERT_NEAR(stress[i].xx, 0, 0.03 * e);
    ASSERT_NEAR(syn_sym3_von_mises(&stress[i]), e, 0.03 * e);
    double stretch = 0;
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
      stretch += vec3_distance(x[m->other[s]], x[i]) / m->length[s] / m->degree[i];
    ASSERT_NEAR(stretch - 1, (strain[i].xx + strain[i].yy + strain[i].zz) / 3, 1e-4);
  }
  syn_soft_skin_values(soft, strain, on_skin);
  for (uint32_t v = 0; v < bar->vertex_count; ++v) ASSERT_NEAR(on_skin[v].zz, e, 1e-12);
  free(x);
  free(stress);
  free(strain);
  free(on_skin);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(bar);
}

/* ---- metaballs ------------------------------------------------------------------------------------------------------
 */

static double field_at(const syn_vec3 *centers, const double *radii, uint32_t count, syn_vec3 p) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double left = 1 - vec3_length2(vec3_sub(p, centers[i])) / (4 * radii[i] * radii[i]);
    if (left > 0) sum += left * left;
  }
  return sum;
}

static void metaballs_have_a_closed_skin_at_their_value(void **state) {
  (void)state;
  syn_error error;
  const syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_LINEAR);
  for (int round = 0; round < 4; ++round) {
    test_random random = {(uint64_t)round + 1};
    lattice_body b = make_lattice(2 + (uint32_t)round % 2, 2, 3, vec3(2, 2, 2), 7);
    for (uint32_t i = 0; i < b.molecules.count; ++i) b.centers[i] = vec3_add(b.centers[i], random_vec3(&random, 0.5));
    b.molecules.bare = false;
    syn_soft *soft;
    ASSERT_OK(syn_molecules_create(NULL, &b.molecules, &options, &soft, &error));
    syn_trimesh *fine;
    ASSERT_OK(syn_molecules_skin(soft, soft->rest, 0.1, &fine, &error));
    const syn_trimesh *skins[2] = {soft->skin, fine};
    for (int k = 0; k < 2; ++k) {
      syn_health health;
      ASSERT_OK(syn_trimesh_check(skins[k], NULL, &health, &error));
      assert_true(syn_health_fit(&health));
      for (uint32_t v = 0; v < skins[k]->vertex_count; ++v)
        ASSERT_NEAR(field_at(b.centers, b.radii, b.molecules.count, skins[k]->vertices[v]), 0.5625, k ? 0.02 : 0.2);
    }
    syn_trimesh_destroy(fine);
    syn_soft_destroy(soft);
    drop_lattice(&b);
  }
}

/* One ball alone: a sphere of its radius. */
static void one_metaball_is_a_sphere(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *skin;
  const syn_vec3 center = {1, 2, 3};
  const double radius = 2;
  ASSERT_OK(syn_molecule_metaballs(NULL, &center, &radius, 1, 0.1, &skin, &error));
  for (uint32_t v = 0; v < skin->vertex_count; ++v)
    ASSERT_NEAR(vec3_distance(skin->vertices[v], center), radius, 0.003);
  ASSERT_NEAR(syn_trimesh_mass(skin).volume_mm3, 4.0 / 3 * SYN_PI * 8, 0.1);
  syn_trimesh_destroy(skin);
}

/* ---- what is not valid ----------------------------------------------------------------------------------------------
 */

static void surfaces_that_cannot_be_filled_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft;
  syn_trimesh *cube = make_cube(NULL, 1), *open, *two[2], *apart, *inside_out;
  syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_LINEAR);
  options.spacing_mm = 0.2;
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, cube->triangles, 11, &open, &error));
  syn_body body = body_of(open);
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_MESH, "not closed");
  assert_null(soft);
  two[0] = make_block(NULL, vec3(0, 0, 0), vec3(1, 1, 1));
  two[1] = make_block(NULL, vec3(3, 0, 0), vec3(4, 1, 1));
  ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *const *)two, 2, &apart, &error));
  body = body_of(apart);
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_MESH, "2 parts");
  ASSERT_OK(syn_trimesh_mirror(cube, &inside_out, &error));
  syn_triangle turned[12];
  for (int t = 0; t < 12; ++t)
    turned[t] = (syn_triangle){{cube->triangles[t].v[0], cube->triangles[t].v[2], cube->triangles[t].v[1]}};
  syn_trimesh_destroy(inside_out);
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, turned, 12, &inside_out, &error));
  body = body_of(inside_out);
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_MESH, "outward");
  body = body_of(cube);
  options.spacing_mm = 1e-4;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_TOO_LARGE, "spacing_mm");
  options.spacing_mm = (double)NAN;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "spacing_mm");
  options.spacing_mm = 0.2;
  options.relaxing_part = 1.5;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "relaxing_part");
  options.relaxing_part = 0;
  options.anchors = 0;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "anchors");
  options.anchors = 3;
  options.springs = SYN_SPRINGS_MODULI;
  options.material.poisson = 0.499;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "0.495");
  options.material.poisson = 0.3;
  options.springs = SYN_SPRINGS_TETRAHEDRAL;
  ASSERT_FAILS(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error), SYN_BAD_MESH, "tetrahedra");
  for (int k = 0; k < 2; ++k) syn_trimesh_destroy(two[k]);
  syn_trimesh_destroy(apart);
  syn_trimesh_destroy(inside_out);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(cube);
}

static void molecules_that_are_not_valid_are_refused_by_number(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft;
  const syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_LINEAR);
  syn_vec3 centers[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  double radii[3] = {0.5, 0.5, 0.5};
  uint32_t connections[3][2] = {{0, 1}, {1, 2}, {2, 1}};
  syn_molecules m = {0};
  m.centers = centers;
  m.radii_mm = radii;
  m.connections = (const uint32_t(*)[2])connections;
  m.bare = true;
#define REFUSED(part) ASSERT_FAILS(syn_molecules_create(NULL, &m, &options, &soft, &error), SYN_BAD_ARGUMENT, part)
  REFUSED("0 molecule(s)");
  m.count = 1;
  REFUSED("1 molecule(s)");
  m.count = 3;
  REFUSED("molecule 0 has no connection");
  m.connection_count = 1;
  REFUSED("molecule 2 has no connection");
  m.connection_count = 3;
  REFUSED("molecules 1 and 2 are connected twice");
  connections[2][0] = 1;
  connections[2][1] = 1;
  REFUSED("connection 2 joins molecule 1 with itself");
  connections[2][1] = 7;
  REFUSED("connection 2 names molecule 7 of 3");
  m.connection_count = 2;
  centers[2] = centers[1];
  REFUSED("connection 1 has no length");
  centers[2].x = (double)NAN;
  REFUSED("the centre of molecule 2");
  centers[2].x = 1e300;
  REFUSED("the centre of molecule 2");
  centers[2].x = 2;
  radii[1] = 0;
  REFUSED("the radius of molecule 1");
  radii[1] = INFINITY;
  REFUSED("the radius of molecule 1");
  radii[1] = 0.5;
  const double volumes[3] = {1, -1, 1};
  m.volumes_mm3 = volumes;
  REFUSED("the volume of molecule 1");
#undef REFUSED
  m.volumes_mm3 = NULL;
  ASSERT_OK(syn_molecules_create(NULL, &m, &options, &soft, &error));
  double young, elongation;
  ASSERT_FAILS(syn_molecules_pull(soft, vec3(0, 0, 0), 1, 0, &young, &elongation, &error), SYN_BAD_ARGUMENT,
               "direction");
  assert_true(isnan(young));
  ASSERT_FAILS(syn_molecules_pull(soft, vec3(0, 0, 1), 1, 0, &young, &elongation, &error), SYN_BAD_ARGUMENT,
               "no two ends");
  syn_trimesh *skin;
  ASSERT_FAILS(syn_molecules_skin(soft, soft->rest, 1e-6, &skin, &error), SYN_TOO_LARGE, "too many cells");
  syn_soft_destroy(soft);
}

static syn_status fill_attempt(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = with_context(user, context);
  const syn_body body = body_of(&mesh);
  syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_MODULI);
  options.spacing_mm = 0.5;
  syn_soft *soft;
  const syn_status status = syn_soft_create(context, "molecules", &body, &options, &soft, error);
  syn_soft_destroy(soft);
  return status;
}

static syn_status lattice_attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_soft_options options = soft_options(1, 0.3, SYN_SPRINGS_ITERATIVE);
  syn_soft *soft;
  const syn_status status = syn_molecules_create(context, user, &options, &soft, error);
  syn_soft_destroy(soft);
  return status;
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(fill_attempt, cube);
  lattice_body b = make_lattice(2, 2, 2, vec3(1, 1, 1), 3);
  b.molecules.bare = false;
  check_every_allocation(lattice_attempt, &b.molecules);
  drop_lattice(&b);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(molecules_fill_bodies_evenly),
      cmocka_unit_test(the_same_body_is_filled_the_same_way),
      cmocka_unit_test(no_connection_goes_through_a_cleft),
      cmocka_unit_test(strays_in_thin_edges_are_left_out_with_a_warning),
      cmocka_unit_test(the_skin_follows_turns_and_stretches),
      cmocka_unit_test(values_on_the_skin_have_the_weights_of_the_nearest),
      cmocka_unit_test(forces_on_the_skin_do_the_same_work),
      cmocka_unit_test(stress_and_strain_of_a_stretched_bar),
      cmocka_unit_test(metaballs_have_a_closed_skin_at_their_value),
      cmocka_unit_test(one_metaball_is_a_sphere),
      cmocka_unit_test(surfaces_that_cannot_be_filled_are_refused),
      cmocka_unit_test(molecules_that_are_not_valid_are_refused_by_number),
      cmocka_unit_test(every_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
