/* The same bodies in CalculiX (program ccx, Debian calculix-ccx): the test writes its input from the very nodes,
 * elements, holds and loads, and compares displacements. Skipped where ccx is not installed. */
#include "element_box.h"

#include "base/vec.h"
#include "solve/block_matrix.h"

enum { LENGTH = 100, WIDTH = 10 };

static bool has_ccx(void) { return system("command -v ccx > /dev/null 2>&1") == 0; }

static const char *const kinds[SYN_ELEMENTS] = {
    [SYN_ELEMENT_TET4] = "C3D4", [SYN_ELEMENT_TET10] = "C3D10", [SYN_ELEMENT_HEX8] = "C3D8"};

typedef struct task {
  element_box box;
  double young, poisson;
  bool large; /* displacements: strains of Green, else small ones */
  uint8_t *held;
  syn_vec3 *loads;
} task;

/* CalculiX reads 20 characters of a number: twelve digits leave space for sign and exponent. */
static void write_loads(FILE *to, const task *t) {
  fprintf(to, "*BOUNDARY\n");
  for (uint32_t i = 0; i < t->box.mesh.node_count; ++i)
    for (int k = 0; k < 3; ++k)
      if (t->held[i] >> k & 1) fprintf(to, "%u,%d,%d\n", i + 1, k + 1, k + 1);
  fprintf(to, t->large ? "*STEP,NLGEOM,INC=100\n*STATIC\n0.25,1.\n" : "*STEP\n*STATIC\n");
  fprintf(to, "*CLOAD\n");
  for (uint32_t i = 0; i < t->box.mesh.node_count; ++i)
    for (int k = 0; k < 3; ++k) {
      const double force = vec3_at(t->loads[i], k);
      if (force != 0) fprintf(to, "%u,%d,%.12g\n", i + 1, k + 1, force);
    }
  fprintf(to, "*NODE PRINT,NSET=NALL\nU\n*END STEP\n");
}

static void write_input(const char *path, const task *t) {
  const syn_fem_mesh *mesh = &t->box.mesh;
  const uint32_t each = syn_element_nodes[mesh->element];
  FILE *to = fopen(path, "w");
  assert_non_null(to);
  fprintf(to, "*NODE,NSET=NALL\n");
  for (uint32_t i = 0; i < mesh->node_count; ++i)
    fprintf(to, "%u,%.12g,%.12g,%.12g\n", i + 1, mesh->nodes[i].x, mesh->nodes[i].y, mesh->nodes[i].z);
  fprintf(to, "*ELEMENT,TYPE=%s,ELSET=ALL\n", kinds[mesh->element]);
  for (uint32_t e = 0; e < mesh->element_count; ++e) {
    fprintf(to, "%u", e + 1);
    for (uint32_t a = 0; a < each; ++a) fprintf(to, ",%u", mesh->elements[each * e + a] + 1);
    fprintf(to, "\n");
  }
  fprintf(to, "*MATERIAL,NAME=M\n*ELASTIC\n%.12g,%.12g\n*SOLID SECTION,ELSET=ALL,MATERIAL=M\n", t->young, t->poisson);
  write_loads(to, t);
  fclose(to);
}

/* The displacements that the file of results has for its last increment. */
static void read_displacements(const char *path, uint32_t count, syn_vec3 *u) {
  char line[256];
  FILE *from = fopen(path, "r");
  assert_non_null(from);
  uint32_t found = 0;
  while (fgets(line, sizeof line, from)) {
    unsigned node;
    syn_vec3 d;
    if (strstr(line, "displacements")) found = 0;
    if (sscanf(line, "%u %lf %lf %lf", &node, &d.x, &d.y, &d.z) != 4) continue;
    assert_true(node >= 1 && node <= count);
    u[node - 1] = d;
    ++found;
  }
  fclose(from);
  assert_int_equal(found, count);
}

static void run_ccx(const task *t, syn_vec3 *u) {
  char command[1200], input[600], results[600];
  const char *stem = temporary_path("beam");
  snprintf(input, sizeof input, "%s.inp", stem);
  snprintf(results, sizeof results, "%s.dat", stem);
  remove(results);
  write_input(input, t);
  /* It leaves files where it runs. */
  const char *name = strrchr(stem, '/') + 1;
  snprintf(command, sizeof command, "cd '%.*s' && ccx -i '%s' > '%s.log' 2>&1", (int)(name - stem), stem, name, name);
  if (system(command) != 0) fail_msg("ccx failed on %s", input);
  read_displacements(results, t->box.mesh.node_count, u);
}

static syn_vec3 shear(syn_vec3 p, const void *user) {
  (void)p;
  return vec3(0, 0, *(const double *)user / (WIDTH * WIDTH));
}

static task make_task(syn_element element, uint32_t across, double poisson, double force) {
  task t = {.box = make_element_box(element, 8 * across, across, across, vec3(LENGTH, WIDTH, WIDTH)),
            .young = 1000,
            .poisson = poisson};
  const uint32_t n = t.box.mesh.node_count;
  t.held = malloc(n);
  t.loads = malloc(n * sizeof *t.loads);
  for (uint32_t i = 0; i < n; ++i) t.held[i] = t.box.nodes[i].x == 0 ? SYN_XYZ : 0;
  load_end(&t.box, LENGTH, shear, &force, t.loads);
  return t;
}

static void drop_task(task *t) {
  free(t->held);
  free(t->loads);
  drop_element_box(&t->box);
}

/* The largest difference at any node, and of the ends, in parts of the largest displacement. */
static double difference(const task *t, const char *name, const syn_vec3 *ours, const syn_vec3 *theirs) {
  double most = 0, apart = 0;
  uint32_t end = 0;
  for (uint32_t i = 0; i < t->box.mesh.node_count; ++i) {
    if (vec3_length(theirs[i]) > most) most = vec3_length(theirs[i]), end = i;
    apart = fmax(apart, vec3_distance(ours[i], theirs[i]));
  }
  print_message("%s %s, nu %g: ours %.6g mm, CalculiX %.6g mm; largest difference %.4f %%\n", name,
                syn_element_name(t->box.mesh.element), t->poisson, vec3_length(ours[end]), most, 100 * apart / most);
  return apart / most;
}

static double compare_linear(syn_element element, bool plain, uint32_t across, double poisson) {
  syn_error error;
  task t = make_task(element, across, poisson, 1);
  t.box.mesh.plain = plain;
  const uint32_t n = t.box.mesh.node_count;
  const syn_soft_options options = elastic_options(t.young, t.poisson, SYN_LAW_LINEAR);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &t.box.mesh, &options, &soft, &error));
  syn_vec3 *ours = malloc(n * sizeof *ours), *theirs = malloc(n * sizeof *theirs);
  settle_linear(soft, t.held, t.loads, ours);
  run_ccx(&t, theirs);
  const double apart = difference(&t, plain ? "beam, plain" : "beam", ours, theirs);
  free(ours), free(theirs);
  syn_soft_destroy(soft);
  drop_task(&t);
  return apart;
}

static void a_beam_is_that_of_calculix(void **state) {
  (void)state;
  if (!has_ccx()) SKIP("ccx (CalculiX) is not installed");
  assert_true(compare_linear(SYN_ELEMENT_TET4, false, 3, 0.3) < 1e-4);
  assert_true(compare_linear(SYN_ELEMENT_TET10, false, 2, 0.3) < 1e-4); /* no mean up to 0.3 */
  assert_true(compare_linear(SYN_ELEMENT_TET10, true, 2, 0.45) < 1e-4);
  assert_true(compare_linear(SYN_ELEMENT_HEX8, true, 4, 0.3) < 1e-4); /* CalculiX has no mean in C3D8 */
}

static double largest(const syn_vec3 *u, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; ++i) most = fmax(most, vec3_length(u[i]));
  return most;
}

/* Our hexahedra with mean dilatation have no twin in CalculiX: the ends of a fine beam beside its quadratic elements.
 */
static void hexahedra_come_to_the_same_beam(void **state) {
  (void)state;
  if (!has_ccx()) SKIP("ccx (CalculiX) is not installed");
  syn_error error;
  task hexes = make_task(SYN_ELEMENT_HEX8, 8, 0.3, 1), tets = make_task(SYN_ELEMENT_TET10, 2, 0.3, 1);
  const uint32_t n = hexes.box.mesh.node_count, m = tets.box.mesh.node_count;
  const syn_soft_options options = elastic_options(hexes.young, hexes.poisson, SYN_LAW_LINEAR);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &hexes.box.mesh, &options, &soft, &error));
  syn_vec3 *ours = malloc(n * sizeof *ours), *theirs = malloc(m * sizeof *theirs);
  settle_linear(soft, hexes.held, hexes.loads, ours);
  run_ccx(&tets, theirs);
  const double end = largest(ours, n), other = largest(theirs, m);
  print_message("beam of 8 hexahedra across: %.6g mm, CalculiX C3D10 %.6g mm (%+.3f %%)\n", end, other,
                100 * (end / other - 1));
  ASSERT_NEAR(end, other, 0.005 * other);
  free(ours), free(theirs);
  syn_soft_destroy(soft);
  drop_task(&hexes);
  drop_task(&tets);
}

/* Bending by a quarter of the length: CalculiX has Hooke's law between Green's strain and the second stress, ours is
 * linear in a frame that turns; for strains of a few per cent the two are the same. */
static void a_beam_bent_far_is_that_of_calculix(void **state) {
  (void)state;
  if (!has_ccx()) SKIP("ccx (CalculiX) is not installed");
  syn_error error;
  task t = make_task(SYN_ELEMENT_TET10, 2, 0.3, 80);
  t.large = true;
  const uint32_t n = t.box.mesh.node_count;
  const syn_soft_options options = elastic_options(t.young, t.poisson, SYN_LAW_COROTATIONAL);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &t.box.mesh, &options, &soft, &error));
  syn_vec3 *ours = malloc(n * sizeof *ours), *theirs = malloc(n * sizeof *theirs), *part = malloc(n * sizeof *part);
  memcpy(ours, soft->rest, n * sizeof *ours);
  for (int k = 1; k <= 10; ++k) { /* the load grows, so that Newton's iteration stays near */
    for (uint32_t i = 0; i < n; ++i) part[i] = vec3_scale(t.loads[i], 0.1 * k);
    settle(soft, t.held, part, ours);
  }
  for (uint32_t i = 0; i < n; ++i) ours[i] = vec3_sub(ours[i], soft->rest[i]);
  run_ccx(&t, theirs);
  assert_true(difference(&t, "beam bent far", ours, theirs) < 0.005);
  free(ours), free(theirs), free(part);
  syn_soft_destroy(soft);
  drop_task(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_beam_is_that_of_calculix),
      cmocka_unit_test(hexahedra_come_to_the_same_beam),
      cmocka_unit_test(a_beam_bent_far_is_that_of_calculix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
