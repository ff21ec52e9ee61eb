/* A beam with one end fixed and the other one moved, against finite elements (Sundaraj 2004, §3.4, Fig. 3.11 to 3.14).
 * The twin: linear tetrahedra, small displacements, conjugate gradients without a matrix. */
#include "support.h"

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/vdm/vdm.h"

static double length; /* of the beam under test */
static const double half = 5, poisson = 0.45;

/* ---- finite elements ----------------------------------------------------------------------------------------------
 */

typedef struct elements {
  const syn_tetmesh *mesh;
  syn_vec3 (*gradients)[4];
  double *volumes;
} elements;

static elements make_elements(const syn_tetmesh *mesh) {
  elements e = {mesh, calloc(mesh->tet_count, sizeof *e.gradients), calloc(mesh->tet_count, sizeof *e.volumes)};
  assert_true(e.gradients && e.volumes);
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    syn_vec3 side[3], *g = e.gradients[t];
    for (int k = 0; k < 3; ++k)
      side[k] = vec3_sub(mesh->vertices[mesh->tets[t].v[k + 1]], mesh->vertices[mesh->tets[t].v[0]]);
    const double six = vec3_dot(vec3_cross(side[0], side[1]), side[2]);
    e.volumes[t] = six / 6;
    for (int k = 0; k < 3; ++k) {
      g[k + 1] = vec3_scale(vec3_cross(side[(k + 1) % 3], side[(k + 2) % 3]), 1 / six);
      g[0] = vec3_sub(g[0], g[k + 1]);
    }
  }
  return e;
}

/* Forces of displacements, for a shear modulus of 1. */
static void forces(const elements *e, const syn_vec3 *u, syn_vec3 *f) {
  const double lame = 2 * poisson / (1 - 2 * poisson);
  memset(f, 0, e->mesh->vertex_count * sizeof *f);
  for (uint32_t t = 0; t < e->mesh->tet_count; ++t) {
    const uint32_t *v = e->mesh->tets[t].v;
    double h[3][3] = {{0}};
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) h[i][j] += vec3_at(u[v[k]], i) * vec3_at(e->gradients[t][k], j);
    const double spread = lame * (h[0][0] + h[1][1] + h[2][2]);
    for (int k = 0; k < 4; ++k) {
      double push[3];
      for (int i = 0; i < 3; ++i) {
        push[i] = spread * vec3_at(e->gradients[t][k], i);
        for (int j = 0; j < 3; ++j) push[i] += (h[i][j] + h[j][i]) * vec3_at(e->gradients[t][k], j);
      }
      f[v[k]] = vec3_madd(f[v[k]], e->volumes[t], vec3(push[0], push[1], push[2]));
    }
  }
}

static bool is_end(syn_vec3 p) { return p.x < 1e-9 || p.x > length - 1e-9; }

/* u has the displacements of the ends and gets all others. */
static void solve_elements(const elements *e, syn_vec3 *u) {
  const uint32_t n = e->mesh->vertex_count;
  syn_vec3 *r = calloc(n, sizeof *r), *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
  double square = 0, first = 0;
  forces(e, u, r);
  for (uint32_t i = 0; i < n; ++i) {
    r[i] = p[i] = is_end(e->mesh->vertices[i]) ? vec3(0, 0, 0) : vec3_neg(r[i]);
    first = square += vec3_length2(r[i]);
  }
  for (int step = 0; step < 5000 && square > 1e-20 * first; ++step) {
    double slope = 0, next = 0;
    forces(e, p, q);
    for (uint32_t i = 0; i < n; ++i) {
      if (is_end(e->mesh->vertices[i])) q[i] = vec3(0, 0, 0);
      slope += vec3_dot(p[i], q[i]);
    }
    for (uint32_t i = 0; i < n; ++i) {
      u[i] = vec3_madd(u[i], square / slope, p[i]);
      r[i] = vec3_madd(r[i], -square / slope, q[i]);
      next += vec3_length2(r[i]);
    }
    for (uint32_t i = 0; i < n; ++i) p[i] = vec3_madd(r[i], next / square, p[i]);
    square = next;
  }
  free(r);
  free(p);
  free(q);
}

/* ---- volume distribution ------------------------------------------------------------------------------------------
 */

typedef enum load { STRETCH, BEND, TWIST, LOADS } load;
static const char *const names[LOADS] = {"stretch", "bend", "twist"};

/* How the moved end goes: by a tenth of the length, or by 0.3 rad. */
static syn_vec3 moved(load kind, double part, syn_vec3 p) {
  if (p.x < length / 2) return vec3(0, 0, 0);
  const double by = part * (kind == TWIST ? 0.3 : 0.1 * length);
  return kind == STRETCH ? vec3(by, 0, 0) : kind == BEND ? vec3(0, 0, by) : vec3(0, -by * p.z, by * p.y);
}

/* Edges along the beam are fibres; the others have that part of their strength, and the nodes a ten thousandth. */
static syn_soft *make_beam(const syn_body *body, double across) {
  syn_error error;
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){.young_mpa = 1, .poisson = poisson, .density_kg_m3 = 1055};
  options.bulk_mpa = 1e-4;
  options.vdm_solver = SYN_VDM_QUASI_LINEAR;
  syn_soft *soft;
  ASSERT_OK(syn_soft_create(NULL, "vdm", body, &options, &soft, &error));
  uint32_t count;
  const uint32_t(*pairs)[2] = syn_vdm_pairs(soft, &count);
  const syn_vec3 *rest = syn_soft_rest(soft);
  double *connectivity = calloc(count, sizeof *connectivity);
  assert_non_null(connectivity);
  for (uint32_t p = 0; p < count; ++p) {
    const syn_vec3 way = vec3_sub(rest[pairs[p][1]], rest[pairs[p][0]]);
    connectivity[p] = fabs(way.x) > 0.999 * vec3_length(way) ? 1 : across;
  }
  ASSERT_OK(syn_vdm_set_moduli(soft, NULL, connectivity, &error));
  free(connectivity);
  return soft;
}

static uint32_t vertex_at(const syn_vec3 *points, uint32_t count, syn_vec3 place) {
  for (uint32_t i = 0; i < count; ++i)
    if (vec3_distance(points[i], place) < 1e-9) return i;
  fail_msg("no vertex at %g %g %g", place.x, place.y, place.z);
  return 0;
}

/* How much the lengths of the displacements of three points differ over five steps. */
typedef struct difference {
  double mean;       /* without sign, of the imposed displacement */
  double systematic; /* with its sign, of the mean displacement by finite elements: what all curves have in common */
} difference;

static difference compare(const elements *e, syn_soft *soft, load kind) {
  syn_error error;
  syn_vdm_report report;
  const syn_trimesh *skin = syn_soft_skin(soft);
  syn_vec3 *u = calloc(e->mesh->vertex_count, sizeof *u), *x = calloc(skin->vertex_count, sizeof *x);
  assert_true(u && x);
  for (uint32_t i = 0; i < e->mesh->vertex_count; ++i) u[i] = moved(kind, 1, e->mesh->vertices[i]);
  solve_elements(e, u);
  double sum = 0, sum_signed = 0, sum_moved = 0;
  for (int step = 1; step <= 5; ++step) {
    const double part = step / 5.0, imposed = part * (kind == TWIST ? 0.3 * half : 0.1 * length);
    for (uint32_t i = 0; i < skin->vertex_count; ++i)
      if (is_end(skin->vertices[i]))
        ASSERT_OK(
            syn_vdm_prescribe(soft, i, SYN_XYZ, SYN_VDM_CONSTRAINED, moved(kind, part, skin->vertices[i]), &error));
    ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
    ASSERT_NEAR(report.volume_error, 0, 1e-6);
    for (int q = 1; q <= 3; ++q) {
      const syn_vec3 place = vec3(length * q / 4, half, 0);
      const uint32_t a = vertex_at(skin->vertices, skin->vertex_count, place);
      const uint32_t b = vertex_at(e->mesh->vertices, e->mesh->vertex_count, place);
      const double by_elements = part * vec3_length(u[b]), off = vec3_length(vec3_sub(x[a], place)) - by_elements;
      sum += fabs(off) / imposed;
      sum_signed += off / imposed;
      sum_moved += by_elements / imposed;
    }
  }
  free(u);
  free(x);
  return (difference){sum / 15, sum_signed / sum_moved};
}

static syn_joint *make_shape(double of_length) {
  const syn_shape_value values[] = {
      {"length", of_length}, {"cells-x", of_length / 2.5}, {"cells-y", 4}, {"cells-z", 4}};
  syn_joint *shape;
  syn_error error;
  length = of_length;
  ASSERT_OK(syn_shape_create(NULL, "beam", values, 4, &shape, &error));
  return shape;
}

static void a_beam_moves_as_finite_elements_do(void **state) {
  (void)state;
  syn_joint *shape = make_shape(30);
  elements e = make_elements(shape->bodies[0].volume);
  static const struct { double published, ours; } rows[LOADS] = {{0.05, 0.025}, {0.02, 0.055}, {0.05, 0.01}};
  syn_soft *soft = make_beam(&shape->bodies[0], 1e-3);
  for (load kind = 0; kind < LOADS; ++kind) {
    const double found = compare(&e, soft, kind).mean;
    print_message("%s: %.2f %% of the imposed displacement from finite elements; published %.0f %%\n", names[kind],
                  100 * found, 100 * rows[kind].published);
    assert_true(found < rows[kind].ours);
  }
  free(e.gradients);
  free(e.volumes);
  syn_soft_destroy(soft);
  syn_joint_destroy(shape);
}

/* Sundaraj gives no rule from Young's modulus to moduli of nodes and pairs. One number is free here, what pairs across
 * the beam have of those along it. It is chosen by the twist alone: stretch and bend are then predicted. */
static void a_part_fitted_to_the_twist_predicts_stretch_and_bend(void **state) {
  (void)state;
  static const double parts[] = {1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
  enum { PARTS = sizeof parts / sizeof *parts };
  syn_joint *shape = make_shape(30);
  elements e = make_elements(shape->bodies[0].volume);
  double found[PARTS][LOADS];
  size_t best = 0;
  for (size_t i = 0; i < PARTS; ++i) {
    syn_soft *soft = make_beam(&shape->bodies[0], parts[i]);
    for (load kind = 0; kind < LOADS; ++kind) found[i][kind] = compare(&e, soft, kind).mean;
    print_message("pairs across %g of those along: stretch %.2f, bend %.2f, twist %.2f %%\n", parts[i],
                  100 * found[i][STRETCH], 100 * found[i][BEND], 100 * found[i][TWIST]);
    if (found[i][TWIST] < found[best][TWIST]) best = i;
    syn_soft_destroy(soft);
  }
  print_message("by the twist alone %g: stretch %.2f and bend %.2f %% predicted\n", parts[best],
                100 * found[best][STRETCH], 100 * found[best][BEND]);
  assert_true(found[best][TWIST] < 0.01 && found[best][STRETCH] < 0.05 && found[best][BEND] < 0.055);
  free(e.gradients);
  free(e.volumes);
  syn_joint_destroy(shape);
}

/* The text speaks of a "systematic increase" of "the average error of the curves ... for all the test points". Of a
 * beam twice as long as wide, with pairs across it of 0.075 of those along it, it is what was published. */
static void the_systematic_error_is_the_published_one(void **state) {
  (void)state;
  syn_joint *shape = make_shape(20);
  elements e = make_elements(shape->bodies[0].volume);
  static const double published[LOADS] = {0.05, 0.02, 0.05};
  syn_soft *soft = make_beam(&shape->bodies[0], 0.075);
  for (load kind = 0; kind < LOADS; ++kind) {
    const double found = compare(&e, soft, kind).systematic;
    print_message("%s: %+.2f %% in common; published %.0f %%\n", names[kind], 100 * found, 100 * published[kind]);
    ASSERT_NEAR(fabs(found), published[kind], 0.01);
  }
  free(e.gradients);
  free(e.volumes);
  syn_soft_destroy(soft);
  syn_joint_destroy(shape);
}

/* The thesis does not give the beam's size. What the skin's straight middle line misses is the curve of a beam, and
 * that is the smaller the more a beam shears instead of bending. */
static void bending_hangs_on_how_slender_the_beam_is(void **state) {
  (void)state;
  static const double lengths[] = {10, 20, 30, 40, 60};
  double last = 0;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    syn_joint *shape = make_shape(lengths[i]);
    elements e = make_elements(shape->bodies[0].volume);
    syn_soft *soft = make_beam(&shape->bodies[0], 1e-3);
    const double found = compare(&e, soft, BEND).mean;
    print_message("%.0f mm by 10 mm by 10 mm, bent: %.2f %%\n", lengths[i], 100 * found);
    assert_true(found > last && (i > 0 || found < 0.02)); /* the published 2 % where it is as short as wide */
    last = found;
    free(e.gradients);
    free(e.volumes);
    syn_soft_destroy(soft);
    syn_joint_destroy(shape);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_beam_moves_as_finite_elements_do),
                                     cmocka_unit_test(a_part_fitted_to_the_twist_predicts_stretch_and_bend),
                                     cmocka_unit_test(the_systematic_error_is_the_published_one),
                                     cmocka_unit_test(bending_hangs_on_how_slender_the_beam_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
