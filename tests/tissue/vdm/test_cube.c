/* The cube of Sundaraj 2004, §3.4: pressed along z with its bottom fixed. 386 nodes: with the pressure, 387 unknowns in
 * each direction. */
#include "vdm_twin.h"

#include "base/vec.h"
#include "tissue/vdm/vdm.h"

static const double edge = 40;
enum { CELLS = 8, NODES = 6 * CELLS * CELLS + 2 };

typedef struct cube {
  syn_joint *shape;
  syn_soft *soft;
  const syn_trimesh *mesh;
} cube;

static cube make(syn_vdm_solver solver, double bulk, double connectivity) {
  cube made;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "cube", NULL, 0, &made.shape, &error));
  syn_soft_options options = syn_default_soft_options();
  options.bulk_mpa = bulk;
  options.connectivity_mpa = connectivity;
  options.vdm_solver = solver;
  syn_body body = made.shape->bodies[0];
  body.material = (syn_material){.young_mpa = 1, .poisson = 0.3, .density_kg_m3 = 1055};
  ASSERT_OK(syn_soft_create(NULL, "vdm", &body, &options, &made.soft, &error));
  made.mesh = syn_soft_skin(made.soft);
  assert_int_equal(made.mesh->vertex_count, NODES);
  return made;
}

static void drop(cube *c) {
  syn_soft_destroy(c->soft);
  syn_joint_destroy(c->shape);
}

static uint32_t node_at(const cube *c, double x, double y, double z) {
  for (uint32_t i = 0; i < NODES; ++i)
    if (vec3_distance(c->mesh->vertices[i], vec3(x * edge / 2, y * edge / 2, z * edge / 2)) < 1e-9) return i;
  fail_msg("no node at %g %g %g", x, y, z);
  return 0;
}

/* The top goes down by `depth`; the bottom stays. */
static void press(const cube *c, double depth) {
  syn_error error;
  for (uint32_t i = 0; i < NODES; ++i) {
    const double z = c->mesh->vertices[i].z;
    if (z < -edge / 2 + 1e-9) ASSERT_OK(syn_vdm_prescribe(c->soft, i, SYN_XYZ, SYN_VDM_FIXED, vec3(0, 0, 0), &error));
    if (z > edge / 2 - 1e-9)
      ASSERT_OK(syn_vdm_prescribe(c->soft, i, SYN_XYZ, SYN_VDM_CONSTRAINED, vec3(0, 0, -depth), &error));
  }
}

/* How far A on the top, B on the side y and C on the side x move outward. */
typedef struct moves {
  double a, b, c;
} moves;

static moves press_and_look(const cube *c, syn_vdm_solver solver, double depth) {
  syn_error error;
  syn_vec3 x[NODES];
  syn_vdm_report report;
  press(c, depth);
  ASSERT_OK(syn_vdm_solve(c->soft, x, &report, &error));
  ASSERT_NEAR(syn_soft_volume(c->soft, x) / (edge * edge * edge), 1 + report.volume_error, 1e-12);
  if (solver != SYN_VDM_LINEAR) ASSERT_NEAR(report.volume_error, 0, 1e-6);
  const uint32_t a = node_at(c, 0, 0, 1), b = node_at(c, 0, 1, 0), d = node_at(c, 1, 0, 0);
  const moves seen = {x[a].z - edge / 2, x[b].y - edge / 2, x[d].x - edge / 2};
  print_message("pressed by %.1f mm: A %.4f, B %.4f, C %.4f mm; pressure %.5f MPa, volume %+.2g, %u iterations\n",
                depth, seen.a, seen.b, seen.c, report.pressure_mpa, report.volume_error, report.iterations);
  return seen;
}

static void set_bulk(const cube *c, syn_vec3 bulk) {
  syn_error error;
  syn_vec3 all[NODES];
  for (uint32_t i = 0; i < NODES; ++i) all[i] = bulk;
  ASSERT_OK(syn_vdm_set_moduli(c->soft, all, NULL, &error));
}

/* Fig. 3.8. */
static void the_bulk_modulus_prefers_directions(void **state) {
  (void)state;
  for (syn_vdm_solver solver = 0; solver < SYN_VDM_SOLVERS; ++solver) {
    print_message("%s\n", syn_vdm_solver_name(solver));
    cube c = make(solver, 0.3, 0.004);
    for (double depth = 1; depth <= 4; depth += 1) {
      set_bulk(&c, vec3(0.3, 0.3, 0.3));
      const moves same = press_and_look(&c, solver, depth);
      assert_true(same.b > 0);
      ASSERT_NEAR(same.b, same.c, 1e-3 * same.b);
      set_bulk(&c, vec3(INFINITY, 0.3, 0.3));
      const moves stiff = press_and_look(&c, solver, depth);
      ASSERT_NEAR(stiff.c, 0, 1e-12);
      assert_true(stiff.b > 1.5 * same.b);
      set_bulk(&c, vec3(0.3, 0.15, 0.3));
      const moves preferred = press_and_look(&c, solver, depth);
      assert_true(preferred.b > 1.1 * same.b && preferred.c < 0.9 * same.c);
      ASSERT_NEAR(same.a, -depth, 1e-12);
      ASSERT_NEAR(stiff.a, -depth, 1e-12);
      ASSERT_NEAR(preferred.a, -depth, 1e-12);
    }
    drop(&c);
  }
}

/* Half of the height is far beyond what areas at rest are good for. */
static void the_volume_is_kept_in_large_deformations(void **state) {
  (void)state;
  for (int stiff = 0; stiff < 2; ++stiff) {
    cube c = make(SYN_VDM_NONLINEAR, 0.3, stiff ? 0.3 : 0.004);
    for (double depth = 2; depth <= 20; depth += 2) {
      const moves seen = press_and_look(&c, SYN_VDM_NONLINEAR, depth);
      assert_true(seen.b > 0 && seen.c > 0);
    }
    drop(&c);
  }
}

/* Fig. 3.10: A in the middle of the upper edge of the side y, B in the middle of the side, C in the middle of its
 * lowest row above the bottom. */
static void stress_is_as_published(void **state) {
  (void)state;
  cube c = make(SYN_VDM_NONLINEAR, 0.3, 0.1);
  const uint32_t at[3] = {node_at(&c, 0, 1, 1), node_at(&c, 0, 1, 0), node_at(&c, 0, 1, -0.75)};
  syn_error error;
  syn_vec3 x[NODES], stress[NODES];
  for (double depth = 1; depth <= 4; depth += 1) {
    press(&c, depth);
    ASSERT_OK(syn_vdm_solve(c.soft, x, NULL, &error));
    syn_vdm_stress(c.soft, x, stress);
    syn_vec3 s[3];
    for (int i = 0; i < 3; ++i) {
      s[i] = vec3(fabs(stress[at[i]].x), fabs(stress[at[i]].y), fabs(stress[at[i]].z));
      print_message("%.0f mm, %c: %.5f %.5f %.5f MPa\n", depth, "ABC"[i], s[i].x, s[i].y, s[i].z);
    }
    for (int i = 0; i < 3; ++i) assert_true(s[i].x < 0.02 * max2(s[i].y, s[i].z));
    assert_true(s[2].z < 0.05 * s[0].z);             /* C: almost none along z */
    assert_true(s[0].y < s[1].y && s[0].y < s[2].y); /* A: least along y */
    assert_true(s[1].y > s[2].y);
  }
  drop(&c);
}

/* One direction of the matrix as printed with the areas' vectors split into components, and as we read it. */
static int rank_in(const vdm_twin *twin, const twin_shape *rest, int axis, bool split, bool fixed) {
  enum { SIZE = NODES + 1 };
  double *k = calloc((size_t)SIZE * SIZE, sizeof *k);
  assert_non_null(k);
  for (uint32_t i = 0; i < NODES; ++i) {
    const double volume = rest->area[i] * rest->volume / rest->total_area;
    double *row = &k[(size_t)i * SIZE];
    const double own = split ? vec3_at(rest->vector[i], axis) : rest->area[i];
    row[i] += own / volume;
    for (uint32_t p = 0; p < twin->pair_count; ++p) {
      if (twin->pairs[p][0] != i && twin->pairs[p][1] != i) continue;
      const uint32_t j = twin->pairs[p][0] + twin->pairs[p][1] - i;
      row[i] += own / volume;
      row[j] -= (split ? vec3_at(rest->vector[j], axis) : rest->area[j]) / volume;
    }
    row[NODES] = split ? -1 : -vec3_at(rest->normal[i], axis);
    k[(size_t)NODES * SIZE + i] = split ? own : own * vec3_at(rest->normal[i], axis);
    if (fixed && twin->mesh->vertices[i].z < -edge / 2 + 1e-9) row[i] = 100;
  }
  const int rank = rank_of(k, SIZE);
  free(k);
  return rank;
}

static void the_printed_matrix_is_singular_and_ours_is_not(void **state) {
  (void)state;
  cube c = make(SYN_VDM_LINEAR, 1, 1);
  vdm_twin twin = make_vdm_twin(c.soft, 1, 1);
  twin_shape rest = measure_twin(c.mesh, c.mesh->vertices);
  for (int fixed = 0; fixed < 2; ++fixed) {
    int printed[3], ours[3];
    for (int axis = 0; axis < 3; ++axis) {
      printed[axis] = rank_in(&twin, &rest, axis, true, fixed);
      ours[axis] = rank_in(&twin, &rest, axis, false, fixed);
      assert_true(printed[axis] < NODES + 1);
      assert_int_equal(ours[axis], NODES + 1);
    }
    print_message("%s, rank of %d in x, y, z: printed %d %d %d, ours %d %d %d\n", fixed ? "bottom fixed" : "free",
                  NODES + 1, printed[0], printed[1], printed[2], ours[0], ours[1], ours[2]);
  }
  drop_twin_shape(&rest);
  drop_vdm_twin(&twin);
  drop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bulk_modulus_prefers_directions),
      cmocka_unit_test(the_volume_is_kept_in_large_deformations),
      cmocka_unit_test(stress_is_as_published),
      cmocka_unit_test(the_printed_matrix_is_singular_and_ours_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
