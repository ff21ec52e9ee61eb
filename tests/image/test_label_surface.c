/* Surfaces of labels against closed forms, real bones and a slow twin of the smoothing. */
#include "base/vec.h"
#include "image/label_field.h"
#include "surfaces.h"
#include "voxelise.h"

/* ---- helpers ---------------------------------------------------------------------------------------------------- */

static syn_trimesh *make_shape(const char *name, const syn_shape_value *values, size_t count) {
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_shape_create(NULL, name, values, count, &joint, &error));
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_share(joint->bodies[0].surface, &mesh, &error));
  syn_joint_destroy(joint);
  return mesh;
}

static syn_image_surfaces *make_surfaces(const syn_image *image, const syn_image_surface_options *options) {
  syn_image_surfaces *surfaces;
  syn_error error;
  ASSERT_OK(syn_image_surfaces_create(image, options, &surfaces, &error));
  return surfaces;
}

static void check_sound(const syn_trimesh *mesh) {
  syn_health health;
  syn_error error;
  ASSERT_OK(syn_trimesh_check(mesh, NULL, &health, &error));
  assert_true(health.closed && health.manifold && health.oriented && health.outward);
  assert_int_equal(health.degenerate_triangles, 0);
  assert_int_equal(health.unreferenced_vertices, 0);
  assert_int_equal(health.self_intersections, 0);
}

/* A map of nx * ny * nz voxels of 1 mm. */
static syn_image *make_map(uint32_t nx, uint32_t ny, uint32_t nz, const uint16_t *voxels) {
  const syn_image described = {.kind = SYN_IMAGE_LABELS,
                               .size = {nx, ny, nz},
                               .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                               .voxels = voxels,
                               .oriented = true};
  syn_image *image;
  syn_error error;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  return image;
}

enum { N = 40, VOXELS = N * N * N };
static size_t at(size_t x, size_t y, size_t z) { return x + N * (y + N * z); }

static void add_ball(uint16_t *voxels, double x, double y, double z, double radius, uint16_t value) {
  for (size_t i = 0; i < VOXELS; ++i) {
    const double dx = (double)(i % N) - x, dy = (double)(i / N % N) - y, dz = (double)(i / (N * N)) - z;
    if (dx * dx + dy * dy + dz * dz < radius * radius) voxels[i] = value;
  }
}

/* ---- closed forms ----------------------------------------------------------------------------------------------- */

static void a_ball_comes_back(void **state) {
  (void)state;
  test_random random = {3};
  syn_trimesh *ball = make_shape("sphere", (syn_shape_value[]){{"radius", 24}, {"level", 6}}, 2);
  for (int round = 0; round < 6; ++round) {
    test_grid grid = random_grid(&random, 1 + 0.25 * round);
    if (round == 4) grid.voxel_mm[2] = 1;                                            /* not cubes */
    if (round == 5) grid.pose.rotation.row[1] = vec3_neg(grid.pose.rotation.row[1]); /* a left-handed grid */
    syn_image *image = voxelise((const syn_trimesh *const *)&ball, NULL, 1, &grid);
    syn_image_surfaces *surfaces = make_surfaces(image, NULL);
    assert_int_equal(surfaces->count, 1);
    const syn_label_surface *s = &surfaces->surfaces[0];
    check_sound(s->mesh);
    assert_int_equal(check_closed_manifold(s->mesh), 2);
    const double voxel = fmax(grid.voxel_mm[0], grid.voxel_mm[2]);
    const test_distances off = distances_between(s->mesh, ball);
    const double rms = off.rms / voxel, greatest = off.greatest / voxel;
    print_message("ball, voxel %.2f: rms %.3f, greatest %.3f voxels, stated %.3f\n", voxel, rms, greatest,
                  s->rms_voxel);
    assert_true(rms <= 0.12 && greatest <= 0.6);
    assert_true(s->rms_voxel >= rms);
    ASSERT_NEAR(s->volume_mm3 / (4.0 / 3 * SYN_PI * 24 * 24 * 24), 1, 0.01);
    ASSERT_NEAR(s->volume_mm3 / s->voxel_volume_mm3, 1, 0.015);
    syn_image_surfaces_destroy(surfaces);
    syn_image_destroy(image);
  }
  syn_trimesh_destroy(ball);
}

static void a_torus_has_a_tunnel(void **state) {
  (void)state;
  test_random random = {4};
  syn_trimesh *torus = make_shape("torus", NULL, 0);
  const syn_box box = syn_trimesh_bounds(torus);
  const test_grid grid = random_grid(&random, (box.max.x - box.min.x) / 40);
  syn_image *image = voxelise((const syn_trimesh *const *)&torus, NULL, 1, &grid);
  syn_image_surfaces *surfaces = make_surfaces(image, NULL);
  check_sound(surfaces->surfaces[0].mesh);
  assert_int_equal(surfaces->surfaces[0].tunnels, 1);
  const test_distances off = distances_between(surfaces->surfaces[0].mesh, torus);
  assert_true(off.rms <= 0.12 * grid.voxel_mm[0] && off.p99 <= 0.4 * grid.voxel_mm[0]);
  syn_image_surfaces_destroy(surfaces);
  syn_image_destroy(image);
  syn_trimesh_destroy(torus);
}

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static void islands_and_cavities_are_counted(void **state) {
  (void)state;
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  add_ball(voxels, 15, 15, 15, 10, 7);
  add_ball(voxels, 15, 15, 15, 5, 0);
  add_ball(voxels, 33, 33, 33, 4, 7);
  syn_image *image = make_map(N, N, N, voxels);
  syn_image_surfaces *all = make_surfaces(image, NULL);
  assert_int_equal(all->surfaces[0].islands, 1);
  assert_int_equal(all->surfaces[0].cavities, 1);
  assert_int_equal(all->surfaces[0].tunnels, 0);
  assert_int_equal(all->surfaces[0].removed, 0);
  syn_image_surface_options options = syn_default_image_surface_options();
  options.island_fraction = 0.5;
  syn_image_surfaces *largest = make_surfaces(image, &options);
  assert_int_equal(largest->surfaces[0].removed, 2);
  assert_int_equal(check_closed_manifold(largest->surfaces[0].mesh), 2);
  ASSERT_NEAR(largest->surfaces[0].volume_mm3, 4.0 / 3 * SYN_PI * 1000, 120); /* of voxels that are inside */
  syn_image_surfaces_destroy(all);
  syn_image_surfaces_destroy(largest);
  syn_image_destroy(image);
  free(voxels);
}

static void a_cut_label_is_closed_at_the_edge(void **state) {
  (void)state;
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  for (size_t z = 20; z < N; ++z)
    for (size_t y = 0; y < 20; ++y)
      for (size_t x = 10; x < 30; ++x) voxels[at(x, y, z)] = 1;
  syn_image *image = make_map(N, N, N, voxels);
  syn_image_surfaces *surfaces = make_surfaces(image, NULL);
  const syn_label_surface *s = &surfaces->surfaces[0];
  assert_int_equal(s->closed_at, SYN_LOW_J | SYN_HIGH_K);
  check_sound(s->mesh);
  const syn_box box = syn_trimesh_bounds(s->mesh);
  ASSERT_NEAR(box.min.y, -0.5, 0.1);
  ASSERT_NEAR(box.max.z, N - 0.5, 0.1);
  ASSERT_NEAR(box.min.x, 9.5, 0.1);
  ASSERT_NEAR(s->volume_mm3 / s->voxel_volume_mm3, 1, 0.02);
  syn_image_surfaces_destroy(surfaces);
  syn_image_destroy(image);
  free(voxels);
}

/* ---- neighbours ------------------------------------------------------------------------------------------------- */

/* Surfaces that share a wall have no volume in common, beyond that of the nudge with which it is measured; those apart
 * do not meet at all. */
static void check_apart(const syn_trimesh *a, const syn_trimesh *b, bool apart) {
  syn_error error;
  if (apart) {
    syn_clearance clearance;
    ASSERT_OK(syn_clearance_find(a, b, NULL, NULL, &clearance, &error));
    if (clearance.crossing || !(clearance.distance_mm > 0))
      fail_msg("neighbours are %g mm apart", clearance.distance_mm);
    return;
  }
  syn_overlap *overlap;
  ASSERT_OK(syn_overlap_create(a, b, NULL, &overlap, &error));
  if (!(overlap->volume_mm3 < 1e-3)) fail_msg("neighbours share %g mm^3", overlap->volume_mm3);
  syn_overlap_destroy(overlap);
}

static void check_all_apart(const uint16_t *voxels, double tolerance, bool apart) {
  syn_image *image = make_map(N, N, N, voxels);
  syn_image_surface_options options = syn_default_image_surface_options();
  options.tolerance_voxels = tolerance;
  options.apart = apart;
  syn_image_surfaces *s = make_surfaces(image, &options);
  for (size_t i = 0; i < s->count; ++i) {
    if (!s->surfaces[i].mesh) continue;
    syn_health health;
    syn_error error;
    ASSERT_OK(syn_trimesh_check(s->surfaces[i].mesh, NULL, &health, &error));
    assert_true(health.closed && health.manifold && health.oriented);
    assert_int_equal(health.self_intersections, 0);
    for (size_t j = 0; j < i; ++j)
      if (s->surfaces[j].mesh) check_apart(s->surfaces[i].mesh, s->surfaces[j].mesh, apart);
  }
  syn_image_surfaces_destroy(s);
  syn_image_destroy(image);
}

static void check_both_ways(const uint16_t *voxels) {
  check_all_apart(voxels, 0.05, false);
  check_all_apart(voxels, 0.05, true);
  check_all_apart(voxels, 0, true);
}

static void neighbours_never_cross(void **state) {
  (void)state;
  test_random random = {5};
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  /* A ball in a socket that it touches here and there, and three balls that meet. */
  add_ball(voxels, 20, 20, 20, 17, 1);
  add_ball(voxels, 20.3, 19.8, 21.2, 12, 2);
  for (size_t i = 0; i < VOXELS; ++i)
    if (i / (N * N) > 24 && voxels[i] == 1) voxels[i] = 0;
  check_both_ways(voxels);
  memset(voxels, 0, VOXELS * sizeof *voxels);
  add_ball(voxels, 14, 14, 20, 10, 1);
  add_ball(voxels, 26, 14, 20, 10, 2);
  add_ball(voxels, 20, 26, 20, 10, 3);
  check_both_ways(voxels);
  /* Blobs of noise, and noise itself. */
  memset(voxels, 0, VOXELS * sizeof *voxels);
  for (int i = 0; i < 60; ++i)
    add_ball(voxels, random_between(&random, 0, N), random_between(&random, 0, N), random_between(&random, 0, N),
             random_between(&random, 1, 9), (uint16_t)random_below(&random, 4));
  check_both_ways(voxels);
  memset(voxels, 0, VOXELS * sizeof *voxels);
  for (size_t z = 5; z < 20; ++z)
    for (size_t y = 5; y < 20; ++y)
      for (size_t x = 5; x < 20; ++x) voxels[at(x, y, z)] = (uint16_t)random_below(&random, 3);
  check_both_ways(voxels);
  free(voxels);
}

/* Where two labels fill the space between them, their walls are the same to the bit. */
static void a_wall_is_shared(void **state) {
  (void)state;
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  add_ball(voxels, 20, 20, 20, 15, 1);
  for (size_t i = 0; i < VOXELS; ++i)
    if (voxels[i] && (i % N) + (i / N % N) / 3 > 26) voxels[i] = 2;
  syn_image *image = make_map(N, N, N, voxels);
  syn_image_surfaces *s = make_surfaces(image, NULL);
  const syn_trimesh *a = s->surfaces[0].mesh, *b = s->surfaces[1].mesh;
  size_t same = 0;
  for (uint32_t i = 0; i < a->vertex_count; ++i)
    for (uint32_t j = 0; j < b->vertex_count; ++j) same += vec3_equal(a->vertices[i], b->vertices[j]);
  assert_true(same > 500);
  syn_image_surfaces_destroy(s);
  syn_image_destroy(image);
  free(voxels);
}

/* ---- the smoothing's twin --------------------------------------------------------------------------------------- */

/* The indicator of a value, smoothed at a voxel by the sum over all voxels near it; beyond the image its last voxels
 * go on. */
static double smooth_slowly(const syn_label_field *f, const uint16_t *voxels, uint16_t value, const int32_t p[3]) {
  const int32_t r = f->radius[0];
  double sum = 0;
  for (int32_t dz = -r; dz <= r; ++dz)
    for (int32_t dy = -r; dy <= r; ++dy)
      for (int32_t dx = -r; dx <= r; ++dx) {
        size_t q[3];
        const int32_t moved[3] = {p[0] + dx, p[1] + dy, p[2] + dz};
        for (int a = 0; a < 3; ++a) q[a] = (size_t)(moved[a] < 0 ? 0 : moved[a] >= N ? N - 1 : moved[a]);
        if (voxels[at(q[0], q[1], q[2])] == value)
          sum += f->kernel[0][dx + r] * f->kernel[1][dy + r] * f->kernel[2][dz + r];
      }
  return sum;
}

static void the_field_is_that_of_a_slow_twin(void **state) {
  (void)state;
  test_random random = {6};
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  for (int i = 0; i < 40; ++i)
    add_ball(voxels, random_between(&random, 0, N), random_between(&random, 0, N), random_between(&random, 0, N),
             random_between(&random, 2, 9), (uint16_t)random_below(&random, 4));
  syn_image *image = make_map(N, N, N, voxels);
  syn_arena arena = {0};
  syn_label_field f;
  syn_error error;
  const syn_label *labels[3] = {&image->labels[0], &image->labels[1], &image->labels[2]};
  ASSERT_OK(syn_label_field_start(&arena, image, labels[0], labels, 3, (const double[3]){1, 1, 1}, &f, &error));
  double *values = malloc((size_t)f.size[0] * (size_t)f.size[1] * sizeof *values);
  uint8_t *near = malloc((size_t)f.size[0] * (size_t)f.size[1]);
  size_t checked = 0;
  for (int32_t k = 0; k < f.size[2]; ++k) {
    syn_label_field_slice(&f, k, values, near);
    for (int32_t y = 0; y < f.size[1]; y += 2) {
      const syn_row_range row = syn_label_field_row(&f, y, k);
      for (int32_t x = row.from; x <= row.to; ++x) {
        const int32_t p[3] = {x + f.low[0], y + f.low[1], k + f.low[2]};
        if (p[0] < 0 || p[1] < 0 || p[2] < 0 || p[0] >= N || p[1] >= N || p[2] >= N) continue;
        double smooth[4], most = 0;
        for (uint16_t v = 0; v < 4; ++v) smooth[v] = smooth_slowly(&f, voxels, v, p);
        for (uint16_t v = 0; v < 4; ++v)
          if (v != labels[0]->value) most = fmax(most, smooth[v]);
        const double difference = smooth[labels[0]->value] - most, value = values[y * f.size[0] + x];
        if (fabs(difference) > 1e-9 && (difference > 0) != (value > 0))
          fail_msg("the field is %g where the indicators differ by %g", value, difference);
        checked += fabs(difference) < 0.5;
      }
    }
  }
  print_message("%zu voxels near the surface\n", checked);
  assert_true(checked > 300);
  free(near);
  free(values);
  syn_arena_release(&arena);
  syn_image_destroy(image);
  free(voxels);
}

/* ---- resolution ------------------------------------------------------------------------------------------------- */

static void stairs_show_the_true_resolution(void **state) {
  (void)state;
  syn_error error;
  double mm[3];
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels), *finer = calloc(VOXELS, sizeof *finer);
  add_ball(voxels, 10.2, 9.7, 10.1, 8.3, 1);
  for (size_t z = 0; z < N; ++z)
    for (size_t y = 0; y < N; ++y)
      for (size_t x = 0; x < N; ++x) finer[at(x, y, z)] = voxels[at(x / 2, y / 2, (size_t)((double)z / 1.5))];
  syn_image *image = make_map(N, N, N, finer);
  ASSERT_OK(syn_image_resolution_find(image, mm, &error));
  ASSERT_NEAR(mm[0], 2, 0.2);
  ASSERT_NEAR(mm[1], 2, 0.2);
  ASSERT_NEAR(mm[2], 1.5, 0.2);
  syn_image_destroy(image);
  add_ball(voxels, 20, 20, 20, 15, 1);
  image = make_map(N, N, N, voxels);
  ASSERT_OK(syn_image_resolution_find(image, mm, &error));
  for (int a = 0; a < 3; ++a) ASSERT_NEAR(mm[a], 1, 0);
  syn_image_destroy(image);
  /* A box has steps in two planes only, and shows nothing. */
  memset(voxels, 0, VOXELS * sizeof *voxels);
  for (size_t z = 5; z < 35; ++z)
    for (size_t y = 5; y < 35; ++y)
      for (size_t x = 5; x < 35; ++x) voxels[at(x, y, z)] = 1;
  image = make_map(N, N, N, voxels);
  ASSERT_OK(syn_image_resolution_find(image, mm, &error));
  for (int a = 0; a < 3; ++a) ASSERT_NEAR(mm[a], 1, 0);
  syn_image_destroy(image);
  free(finer);
  free(voxels);
}

/* ---- bones ------------------------------------------------------------------------------------------------------ */

static void bones_come_back(void **state) {
  (void)state;
  static const char *const files[] = {"vsd_NC/z013/Femur_R.ply", "vsd_NC/z013/Hip_R.ply"};
  SLOW_UNDER_SANITIZERS();
  syn_error error;
  test_random random = {8};
  syn_trimesh *bones[2];
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, files[i]);
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bones[i], &error));
  }
  const test_grid grid = random_grid(&random, 1.5);
  syn_image *image = voxelise((const syn_trimesh *const *)bones, NULL, 2, &grid);
  syn_image_surfaces *surfaces = make_surfaces(image, NULL);
  for (int i = 0; i < 2; ++i) {
    const syn_label_surface *s = &surfaces->surfaces[i];
    const test_distances there = distances_between(s->mesh, bones[i]), back = distances_between(bones[i], s->mesh);
    check_sound(s->mesh);
    print_message("%s: rms %.3f and back %.3f, 99 %% %.3f and %.3f voxels; stated %.3f\n", files[i], there.rms / 1.5,
                  back.rms / 1.5, there.p99 / 1.5, back.p99 / 1.5, s->rms_voxel);
    assert_true(there.rms <= 0.12 * 1.5 && there.p99 <= 0.4 * 1.5 && back.p99 <= 0.4 * 1.5);
    assert_true(back.rms <= (i == 0 ? 0.12 : 0.13) * 1.5); /* the hip bone has edges as thin as a voxel */
    assert_true(s->rms_voxel * 1.5 >= there.rms && s->rms_voxel * 1.5 >= back.rms);
  }
  check_apart(surfaces->surfaces[0].mesh, surfaces->surfaces[1].mesh, false);
  syn_image_surfaces_destroy(surfaces);
  syn_image_destroy(image);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(bones[i]);
}

/* ---- rules of the house ----------------------------------------------------------------------------------------- */

static void threads_change_nothing(void **state) {
  (void)state;
  uint16_t *voxels = calloc(VOXELS, sizeof *voxels);
  add_ball(voxels, 14, 14, 20, 11, 1);
  add_ball(voxels, 26, 14, 20, 10, 2);
  add_ball(voxels, 20, 26, 20, 9, 3);
  syn_image *image = make_map(N, N, N, voxels);
  syn_context contexts[2] = {syn_default_context(), syn_default_context()}; /* as long as what they made */
  syn_image_surfaces *made[2];
  for (int i = 0; i < 2; ++i) {
    contexts[i].threads = i == 0 ? 1 : 5;
    syn_image view = *image;
    view.context = &contexts[i];
    made[i] = make_surfaces(&view, NULL);
  }
  for (size_t i = 0; i < 3; ++i) {
    const syn_trimesh *a = made[0]->surfaces[i].mesh, *b = made[1]->surfaces[i].mesh;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
    assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
  }
  for (int i = 0; i < 2; ++i) syn_image_surfaces_destroy(made[i]);
  syn_image_destroy(image);
  free(voxels);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_image *image = NULL;
  syn_image_surfaces *surfaces = NULL;
  syn_status status = syn_image_create(context, user, &image, error);
  if (status == SYN_OK) status = syn_image_surfaces_create(image, NULL, &surfaces, error);
  syn_image_surfaces_destroy(surfaces);
  syn_image_destroy(image);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  uint16_t voxels[12 * 12 * 12] = {0};
  for (int z = 3; z < 9; ++z)
    for (int y = 3; y < 9; ++y)
      for (int x = 3; x < 9; ++x) voxels[x + 12 * (y + 12 * z)] = x < 6 ? 1 : 2;
  syn_image described = {.kind = SYN_IMAGE_LABELS,
                         .size = {12, 12, 12},
                         .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         .voxels = voxels,
                         .oriented = true};
  check_every_allocation(attempt, &described);
}

static void senseless_options_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_image_surfaces *surfaces;
  uint16_t voxels[27] = {[13] = 1};
  syn_image *image = make_map(3, 3, 3, voxels);
  const uint32_t none = 5;
  syn_image_surface_options options = {0};
  ASSERT_FAILS(syn_image_surfaces_create(image, &options, &surfaces, &error), SYN_BAD_ARGUMENT, "syn_default_image");
  options = syn_default_image_surface_options();
  options.smooth_voxels = 9;
  ASSERT_FAILS(syn_image_surfaces_create(image, &options, &surfaces, &error), SYN_BAD_ARGUMENT, "smoothed");
  options = syn_default_image_surface_options();
  options.labels = &none;
  options.label_count = 1;
  ASSERT_FAILS(syn_image_surfaces_create(image, &options, &surfaces, &error), SYN_BAD_ARGUMENT, "no label 5");
  syn_image_surfaces *one = make_surfaces(image, NULL); /* a single voxel: with or without a surface, but no failure */
  assert_int_equal(one->count, 1);
  syn_image_surfaces_destroy(one);
  syn_image_destroy(image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_comes_back),
      cmocka_unit_test(a_torus_has_a_tunnel),
      cmocka_unit_test(islands_and_cavities_are_counted),
      cmocka_unit_test(a_cut_label_is_closed_at_the_edge),
      cmocka_unit_test(neighbours_never_cross),
      cmocka_unit_test(a_wall_is_shared),
      cmocka_unit_test(the_field_is_that_of_a_slow_twin),
      cmocka_unit_test(stairs_show_the_true_resolution),
      cmocka_unit_test(bones_come_back),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
      cmocka_unit_test(senseless_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
