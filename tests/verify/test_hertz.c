/* Hertz's contact by finite elements: R 8 mm, E 1000 MPa, nu 0.3 on a rigid plane, 60 pi N. The same mesh goes to
 * CalculiX where that is installed: ours must not err more, and take at most a tenth of its time. */
#include "hertz_mesh.h"

#include <time.h>

#include "base/vec.h"
#include "element_box.h"
#include "pressure/contact/contact_solid.h"
#include "solve/block_matrix.h"

static const double R = 8, E = 1000, NU = 0.3, FORCE = 60 * SYN_PI, A = 1.0096, DELTA = 0.12742, P0 = 88.29;

typedef struct outcome {
  double peak, radius, approach, seconds;
} outcome;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The radius of Hertz's distribution that has the same force and the same mean square: nodes alone tell it to a whole
 * face only. A quarter has four corners of a face each, so that the sum over all corners is the whole. */
static double radius_of(const hertz_mesh *ball, const double *p) {
  double sum = 0, square = 0;
  for (uint32_t f = 0; f < ball->face_count; ++f) {
    const uint32_t *n = &ball->faces[4 * f];
    const syn_vec3 *x = ball->nodes;
    const double area = vec3_length(vec3_cross(vec3_sub(x[n[2]], x[n[0]]), vec3_sub(x[n[3]], x[n[1]]))) / 2;
    for (int a = 0; a < 4; ++a) sum += p[n[a]] * area, square += p[n[a]] * p[n[a]] * area;
  }
  return sqrt(9 * sum * sum / (8 * SYN_PI * square));
}

/* A quarter, on a plane that is one face. `input` (may be NULL) is written for CalculiX. */
static outcome press(const hertz_mesh *ball, const char *input) {
  const syn_soft_options options = elastic_options(E, NU, SYN_LAW_LINEAR);
  const syn_vec3 plane[4] = {{-1, -1, 0}, {200, -1, 0}, {200, 200, 0}, {-1, 200, 0}};
  const uint32_t face[4] = {0, 1, 2, 3};
  const syn_contact_body fixed = {.node_count = 4, .nodes = plane, .face_count = 1, .face_nodes = 4, .faces = face};
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = SYN_X | SYN_Y, .force = {0, 0, -FORCE / 4}};
  syn_contact_options how = syn_default_contact_options();
  how.small = true; /* as Hertz */
  syn_error error;
  syn_soft *soft;
  syn_contact_problem *problem;
  const double start = now();
  ASSERT_OK(syn_soft_fem_create(NULL, &ball->mesh, &options, &soft, &error));
  const syn_contact_body mobile = {
      .soft = soft, .held = ball->held, .face_count = ball->face_count, .face_nodes = 4, .faces = ball->faces};
  ASSERT_OK(syn_contact_problem_create(NULL, &fixed, &mobile, &how, &problem, &error));
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  outcome o = {.seconds = now() - start, .approach = -syn_contact_problem_solution(problem).shift.z};
  const double *p = syn_contact_problem_solution(problem).pressure_mpa[1];
  for (uint32_t i = 0; i < ball->mesh.node_count; ++i) o.peak = fmax(o.peak, p[i]);
  o.radius = radius_of(ball, p);
  ASSERT_NEAR(4 * syn_contact_problem_solution(problem).force.z, FORCE, 1e-3 * FORCE);
  print_message("%u nodes: peak %.3f MPa (%+.2f %%), radius %.4f mm (%+.2f %%), approach %.5f mm (%+.2f %%); %u "
                "iterations, %.2f s\n",
                ball->mesh.node_count, o.peak, 100 * (o.peak / P0 - 1), o.radius, 100 * (o.radius / A - 1), o.approach,
                100 * (o.approach / DELTA - 1), syn_contact_problem_solution(problem).iterations, o.seconds);
  if (input) ASSERT_OK(syn_contact_problem_write(problem, &load, input, &error));
  syn_contact_problem_destroy(problem);
  syn_soft_destroy(soft);
  return o;
}

static void hertz_is_met_and_approached(void **state) {
  (void)state;
  double before[2] = {1, 1};
  outcome o = {0};
  for (uint32_t k = 0; k < 3; ++k) {
    static const uint32_t across[3] = {14, 18, 21}, fine[3] = {7, 9, 12}, deep[3] = {13, 16, 19};
    hertz_mesh body = make_hertz_body(R, 100, across[k], fine[k], 1.2, deep[k]);
    assert_true(body.mesh.node_count <= 10000);
    o = press(&body, NULL);
    const double errors[2] = {fabs(o.peak / P0 - 1), fabs(o.radius / A - 1)};
    for (int i = 0; i < 2; ++i) assert_true(errors[i] < before[i]), before[i] = errors[i];
    drop_hertz_mesh(&body);
  }
  ASSERT_NEAR(o.peak, P0, 0.02 * P0);
  ASSERT_NEAR(o.radius, A, 0.02 * A);
  ASSERT_NEAR(o.approach, DELTA, 0.02 * DELTA);
}

/* A ball that is not large beside the contact has Hertz's pressure, but its middle comes nearer by less, since the
 * force on its other end counts, too (Tatara 1991, Eq. 4). */
static void a_real_ball_comes_nearer_by_less(void **state) {
  (void)state;
  hertz_mesh ball = make_hertz_ball(R, 18, 11, 1.2, 17);
  const outcome o = press(&ball, NULL);
  const double far = A * A + 4 * R * R;
  const double less = FORCE / (SYN_PI * E) * (2 * (1 + NU) * R * R / pow(far, 1.5) + (1 - NU * NU) / sqrt(far));
  print_message("approach by Tatara %.5f mm\n", DELTA - less);
  ASSERT_NEAR(o.peak, P0, 0.02 * P0);
  ASSERT_NEAR(o.radius, A, 0.02 * A);
  ASSERT_NEAR(o.approach, DELTA - less, 0.01 * DELTA);
  drop_hertz_mesh(&ball);
}

/* ---- a closed surface ----------------------------------------------------------------------------------------------
 */

enum { RINGS = 8, AROUND = 6 * RINGS };

typedef struct revolution {
  syn_vec3 *vertices;
  syn_triangle *triangles;
  uint32_t vertex_count, triangle_count;
} revolution;

/* Triangles between two rings of `a` and `b` vertices: the one that lags gets the next. */
static void join(revolution *r, uint32_t first, uint32_t a, uint32_t second, uint32_t b, bool down) {
  for (uint32_t i = 0, k = 0; i < a || k < b;) {
    const bool outer = i == a || (k < b && (uint64_t)(k + 1) * a <= (uint64_t)(i + 1) * b);
    const uint32_t from = first + i % a, to = second + k % b, next = outer ? second + (k + 1) % b : first + (i + 1) % a;
    const syn_triangle t = {{from, down ? next : to, down ? to : next}};
    if (next != from && next != to) r->triangles[r->triangle_count++] = t; /* a ring may be one vertex */
    if (outer)
      ++k;
    else
      ++i;
  }
}

static uint32_t add_ring(revolution *r, uint32_t count, double radius, double z) {
  const uint32_t first = r->vertex_count;
  for (uint32_t i = 0; i < count; ++i)
    r->vertices[r->vertex_count++] =
        vec3(radius * cos(2 * SYN_PI * i / count), radius * sin(2 * SYN_PI * i / count), z);
  return first;
}

/* The lower half of a ball, fine where it touches: rings of 6, 12, … vertices, then as many in rings that grow. The
 * flat top is bonded. */
static syn_trimesh *half_ball(double fine_mm, bool **bonded) {
  revolution r = {malloc(20000 * sizeof *r.vertices), malloc(40000 * sizeof *r.triangles), 0, 0};
  uint32_t before = add_ring(&r, 1, 0, 0), count = 1;
  double angle = 0;
  const double step = fine_mm / R / RINGS;
  for (int ring = 1;; ++ring) {
    const double grown = angle * (1 + 2 * SYN_PI / AROUND), next = ring <= RINGS ? ring * step : grown;
    angle = next > 0.95 * SYN_PI / 2 ? SYN_PI / 2 : next;
    const uint32_t now_count = ring < RINGS ? 6 * (uint32_t)ring : AROUND;
    const uint32_t at = add_ring(&r, now_count, R * sin(angle), R * (1 - cos(angle)));
    join(&r, before, count, at, now_count, true);
    before = at, count = now_count;
    if (angle == SYN_PI / 2) break;
  }
  const uint32_t top = before;
  for (int ring = RINGS - 1; ring >= 0; --ring) {
    const uint32_t now_count = ring > 0 ? 6 * (uint32_t)ring : 1, at = add_ring(&r, now_count, R * ring / RINGS, R);
    join(&r, before, count, at, now_count, true);
    before = at, count = now_count;
  }
  syn_error error;
  syn_trimesh *surface;
  ASSERT_OK(syn_trimesh_create(NULL, r.vertices, r.vertex_count, r.triangles, r.triangle_count, &surface, &error));
  *bonded = calloc(r.vertex_count, sizeof **bonded);
  for (uint32_t i = top; i < r.vertex_count; ++i) (*bonded)[i] = true;
  free(r.vertices), free(r.triangles);
  return surface;
}

/* As radius_of, over a whole ball of quadratic triangles: their pressure is linear, and integrated as such. */
static double radius_of_faces(const contact_solid *ball, const double *p) {
  const syn_vec3 *x = syn_soft_rest(ball->soft);
  double sum = 0, square = 0;
  for (uint32_t f = 0; f < ball->body.face_count; ++f) {
    const uint32_t *n = &ball->faces[6 * f];
    const double area = vec3_length(vec3_cross(vec3_sub(x[n[1]], x[n[0]]), vec3_sub(x[n[2]], x[n[0]]))) / 2;
    const double u = p[n[0]], v = p[n[1]], w = p[n[2]];
    sum += (u + v + w) * area / 3;
    square += (u * u + v * v + w * w + u * v + v * w + w * u) * area / 6;
  }
  return sqrt(9 * sum * sum / (8 * SYN_PI * square));
}

/* A ball as a scan would have it: a closed surface, which gmsh fills with quadratic tetrahedra. */
static void a_closed_surface_meets_hertz(void **state) {
  (void)state;
  if (system("command -v gmsh > /dev/null 2>&1") != 0) SKIP("gmsh is not installed");
  syn_error error;
  bool *bonded;
  syn_trimesh *surface = half_ball(1.3, &bonded);
  contact_solid_options options = syn_default_contact_solid_options();
  options.material = (syn_material){E, NU, 1000};
  options.law = SYN_LAW_LINEAR;
  options.bonded = bonded;
  contact_solid ball;
  ASSERT_OK(syn_solid_create(NULL, surface, &options, &ball, &error));
  const syn_vec3 plane[4] = {{-99, -99, 0}, {99, -99, 0}, {99, 99, 0}, {-99, 99, 0}};
  const uint32_t face[4] = {0, 1, 2, 3};
  const syn_contact_body fixed = {.node_count = 4, .nodes = plane, .face_count = 1, .face_nodes = 4, .faces = face};
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = SYN_X | SYN_Y, .force = {0, 0, -FORCE}};
  syn_contact_options how = syn_default_contact_options();
  how.small = true;
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &fixed, &ball.body, &how, &problem, &error));
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  const double *p = syn_contact_problem_solution(problem).pressure_mpa[1];
  double peak = 0;
  for (uint32_t i = 0; i < ball.node_count; ++i) peak = fmax(peak, p[i]);
  const double radius = radius_of_faces(&ball, p), approach = -syn_contact_problem_solution(problem).shift.z,
               far = A * A + 4 * R * R;
  const double less = FORCE / (SYN_PI * E) * (2 * (1 + NU) * R * R / pow(far, 1.5) + (1 - NU * NU) / sqrt(far));
  print_message("%u nodes, %u tetrahedra (%u straight): peak %.3f MPa (%+.2f %%), radius %.4f mm (%+.2f %%), approach "
                "%.5f mm (%+.2f %% of Tatara's); %u iterations\n",
                ball.node_count, ball.element_count, ball.straightened, peak, 100 * (peak / P0 - 1), radius,
                100 * (radius / A - 1), approach, 100 * (approach / (DELTA - less) - 1),
                syn_contact_problem_solution(problem).iterations);
  ASSERT_NEAR(peak, P0, 0.02 * P0);
  ASSERT_NEAR(radius, A, 0.02 * A);
  ASSERT_NEAR(approach, DELTA - less, 0.02 * DELTA);
  syn_contact_problem_destroy(problem);
  syn_solid_release(&ball);
  syn_trimesh_destroy(surface);
  free(bonded);
}

/* The largest pressure at a point of the slave's faces in the file of results. */
static double peak_of(const char *path) {
  char line[256];
  FILE *from = fopen(path, "r");
  assert_non_null(from);
  double peak = 0;
  bool there = false;
  while (fgets(line, sizeof line, from)) {
    unsigned element, face;
    double pressure, first, second;
    there |= strstr(line, "contact stress") != NULL;
    if (there && sscanf(line, "%u %u %lf %lf %lf", &element, &face, &pressure, &first, &second) == 5)
      peak = fmax(peak, pressure);
  }
  fclose(from);
  return peak;
}

static void calculix_takes_ten_times_as_long_and_errs_more(void **state) {
  (void)state;
  if (system("command -v ccx > /dev/null 2>&1") != 0) SKIP("ccx (CalculiX) is not installed");
  char input[600], results[600], command[1400];
  const char *stem = temporary_path("hertz");
  snprintf(input, sizeof input, "%s.inp", stem);
  snprintf(results, sizeof results, "%s.dat", stem);
  hertz_mesh body = make_hertz_body(R, 100, 14, 7, 1.2, 13);
  const outcome ours = press(&body, input);
  const char *name = strrchr(stem, '/') + 1;
  snprintf(command, sizeof command, "cd '%.*s' && ccx -i '%s' > '%s.log' 2>&1", (int)(name - stem), stem, name, name);
  const double start = now();
  if (system(command) != 0) fail_msg("ccx failed on %s", input);
  const double theirs = now() - start, peak = peak_of(results);
  print_message("CalculiX: peak %.3f MPa (%+.2f %%), %.2f s: %.0f times ours\n", peak, 100 * (peak / P0 - 1), theirs,
                theirs / ours.seconds);
  assert_true(fabs(ours.peak / P0 - 1) <= fabs(peak / P0 - 1));
  assert_true(peak > 0.8 * P0 && peak < 1.2 * P0); /* it solved the same problem */
  drop_hertz_mesh(&body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hertz_is_met_and_approached),
      cmocka_unit_test(a_real_ball_comes_nearer_by_less),
      cmocka_unit_test(a_closed_surface_meets_hertz),
      cmocka_unit_test(calculix_takes_ten_times_as_long_and_errs_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
