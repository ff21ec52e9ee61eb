/* Finite elements beside closed forms and published figures: bar, cantilever, torsion, Cook's membrane, thick sphere,
 * and motion that keeps its energy. The figures of docs/theory/tissue-fem.md are printed by this program. */
#include "element_box.h"

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/fem/fem.h"

typedef struct solved {
  element_box box;
  syn_soft *soft;
  syn_vec3 *u; /* displacements */
} solved;

/* Makes a body with the linear law, holds what `held_at` says, loads the end at `at_x` and solves. */
static solved solve_box(element_box box, double young, double poisson, uint8_t (*held_at)(syn_vec3 place), double at_x,
                        syn_vec3 (*traction)(syn_vec3 place, const void *user), const void *user) {
  syn_error error;
  solved made = {.box = box};
  const syn_soft_options options = elastic_options(young, poisson, SYN_LAW_LINEAR);
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &made.soft, &error));
  const uint32_t n = box.mesh.node_count;
  syn_vec3 *loads = malloc(n * sizeof *loads);
  uint8_t *held = malloc(n);
  made.u = malloc(n * sizeof *made.u);
  for (uint32_t i = 0; i < n; ++i) held[i] = held_at(box.nodes[i]);
  load_end(&box, at_x, traction, user, loads);
  settle_linear(made.soft, held, loads, made.u);
  free(loads), free(held);
  return made;
}

static void drop_solved(solved *made) {
  syn_soft_destroy(made->soft);
  free(made->u);
  drop_element_box(&made->box);
}

/* The displacement of the node next to a place. */
static syn_vec3 at(const solved *made, syn_vec3 place) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < made->box.mesh.node_count; ++i)
    if (vec3_distance(made->box.nodes[i], place) < vec3_distance(made->box.nodes[best], place)) best = i;
  ASSERT_NEAR(vec3_distance(made->box.nodes[best], place), 0, 1e-6);
  return made->u[best];
}

static const char *label(const element_box *box) {
  return box->mesh.plain ? box->mesh.element == SYN_ELEMENT_HEX8 ? "hex8 plain" : "tet10 plain"
                         : syn_element_name(box->mesh.element);
}

/* ---- bar -----------------------------------------------------------------------------------------------------------
 */

enum { LENGTH = 100, SHORT = 20, WIDTH = 10 }; /* of the beams, mm */

static uint8_t on_rollers(syn_vec3 p) {
  return (uint8_t)((p.x == 0 ? SYN_X : 0) | (p.y == 0 ? SYN_Y : 0) | (p.z == 0 ? SYN_Z : 0));
}

static syn_vec3 pull(syn_vec3 p, const void *user) {
  (void)p;
  return vec3(*(const double *)user, 0, 0);
}

static void a_bar_gets_longer_by_f_l_over_e_a(void **state) {
  (void)state;
  const double stress = 2, young = 1000, exact = stress * LENGTH / young;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int k = 0; k < 2; ++k) {
      const double poisson = k ? 0.4999 : 0.3;
      solved bar = solve_box(make_element_box((syn_element)element, 10, 2, 2, vec3(LENGTH, WIDTH, WIDTH)), young,
                             poisson, on_rollers, LENGTH, pull, &stress);
      const syn_vec3 u = at(&bar, vec3(LENGTH, WIDTH, WIDTH));
      print_message("bar %s nu %g: %.12g mm, closed form %g\n", label(&bar.box), poisson, u.x, exact);
      ASSERT_NEAR(u.x, exact, 1e-9 * exact);
      ASSERT_NEAR(u.y, -poisson * stress / young * WIDTH, 1e-9 * exact);
      drop_solved(&bar);
    }
}

/* ---- cantilever ----------------------------------------------------------------------------------------------------
 */

static uint8_t clamped(syn_vec3 p) { return p.x == 0 ? SYN_XYZ : 0; }

/* A force along z, spread as a parabola over the height, as bending does. */
static syn_vec3 shear(syn_vec3 p, const void *user) {
  const double force = *(const double *)user, height = 2 * p.z / WIDTH - 1;
  return vec3(0, 0, 1.5 * force / (WIDTH * WIDTH) * (1 - height * height));
}

static double deflection(double young, double poisson, double force) {
  const double inertia = pow(WIDTH, 4) / 12, g = young / (2 * (1 + poisson));
  return force * pow(LENGTH, 3) / (3 * young * inertia) + force * LENGTH / (5.0 / 6 * g * WIDTH * WIDTH);
}

static double cantilever(syn_element element, bool plain, uint32_t across, double poisson) {
  const double force = 1, young = 1000;
  element_box box = make_element_box(element, 10 * across, across, across, vec3(LENGTH, WIDTH, WIDTH));
  box.mesh.plain = plain;
  solved beam = solve_box(box, young, poisson, clamped, LENGTH, shear, &force);
  const double found = at(&beam, vec3(LENGTH, WIDTH / 2.0, WIDTH / 2.0)).z;
  const double exact = deflection(young, poisson, force);
  print_message("cantilever %s, %u across, nu %g: %.6g mm, closed form %.6g (%+.2f %%)\n", label(&box), across, poisson,
                found, exact, 100 * (found / exact - 1));
  drop_solved(&beam);
  return found / exact - 1;
}

/* The clamp also keeps the end from getting thinner, which beam theory does not: with Poisson's ratio 0.3 the body is
 * stiffer by 0.8 %, with 0 it is not. */
static void a_cantilever_bends_by_bernoulli_and_timoshenko(void **state) {
  (void)state;
  const double coarse = cantilever(SYN_ELEMENT_HEX8, false, 4, 0), fine = cantilever(SYN_ELEMENT_HEX8, false, 8, 0);
  assert_true(fabs(fine) < fabs(coarse) / 3);
  assert_true(fabs(cantilever(SYN_ELEMENT_HEX8, false, 8, 0.3)) < 0.01);
  assert_true(fabs(cantilever(SYN_ELEMENT_TET10, false, 2, 0)) < 0.005);
  assert_true(fabs(cantilever(SYN_ELEMENT_TET10, false, 4, 0.3)) < 0.01);
  const double tet_coarse = cantilever(SYN_ELEMENT_TET4, false, 4, 0),
               tet_fine = cantilever(SYN_ELEMENT_TET4, false, 8, 0);
  assert_true(fabs(tet_fine) < fabs(tet_coarse) / 2.5);
}

static void a_cantilever_that_keeps_its_volume_does_not_lock(void **state) {
  (void)state;
  assert_true(fabs(cantilever(SYN_ELEMENT_TET10, false, 2, 0.499)) < 0.03);
  assert_true(fabs(cantilever(SYN_ELEMENT_HEX8, false, 8, 0.499)) < 0.03);
  /* What locks, to compare. */
  assert_true(cantilever(SYN_ELEMENT_HEX8, true, 8, 0.499) < -0.1);
  assert_true(cantilever(SYN_ELEMENT_TET4, false, 8, 0.499) < -0.3);
}

/* ---- torsion -------------------------------------------------------------------------------------------------------
 */

/* Both ends turn as plates that may warp: Saint-Venant's torsion, torque = G J turn / length with J = 0.140577 a^4 for
 * a square (Timoshenko and Goodier 1970, §109). */
static double torsion_of(syn_element element, double length, uint32_t along, uint32_t across) {
  syn_error error;
  const double young = 1000, poisson = 0.3, turn = 1e-3, g = young / (2 * (1 + poisson)), middle = WIDTH / 2.0;
  const double exact = g * 0.14057701 * pow(WIDTH, 4) * turn / length;
  element_box box = make_element_box(element, along, across, across, vec3(length, WIDTH, WIDTH));
  const syn_soft_options options = elastic_options(young, poisson, SYN_LAW_LINEAR);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const uint32_t n = box.mesh.node_count;
  syn_vec3 *x = malloc(n * sizeof *x), *f = malloc(n * sizeof *f);
  uint8_t *held = calloc(n, 1);
  for (uint32_t i = 0; i < n; ++i) {
    const syn_vec3 p = box.nodes[i];
    const bool last = p.x == length, axis = p.x == 0 && fabs(p.y - middle) < 1e-9 && fabs(p.z - middle) < 1e-9;
    x[i] = p;
    if (p.x == 0 || last) held[i] = SYN_Y | SYN_Z;
    if (axis) held[i] = SYN_XYZ;
    if (last) x[i] = vec3(p.x, p.y - turn * (p.z - middle), p.z + turn * (p.y - middle));
  }
  settle(soft, held, NULL, x);
  syn_soft_forces(soft, x, NULL, f);
  double torque = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (box.nodes[i].x == length) torque += f[i].y * (box.nodes[i].z - middle) - f[i].z * (box.nodes[i].y - middle);
  print_message("torsion %s, %u across: %.6g N mm, closed form %.6g (%+.2f %%)\n", label(&box), across, torque, exact,
                100 * (torque / exact - 1));
  free(x), free(f), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&box);
  return torque / exact - 1;
}

static double torsion(syn_element element, uint32_t across) {
  /* a twist is not linear, but linear along it */
  return torsion_of(element, LENGTH, element == SYN_ELEMENT_TET4 ? 10 * across : 4, across);
}

static void torsion_is_saint_venants(void **state) {
  (void)state;
  const double coarse = torsion(SYN_ELEMENT_HEX8, 8), fine = torsion(SYN_ELEMENT_HEX8, 16);
  assert_true(fabs(fine) < 0.01 && fabs(fine) < fabs(coarse) / 3.5);
  const double quadratic = torsion(SYN_ELEMENT_TET10, 4);
  assert_true(fabs(quadratic) < 0.01 && fabs(torsion(SYN_ELEMENT_TET10, 8)) < fabs(quadratic) / 5);
  const double tet_coarse = torsion(SYN_ELEMENT_TET4, 4), tet_fine = torsion(SYN_ELEMENT_TET4, 8);
  assert_true(fabs(tet_fine) < fabs(tet_coarse) / 3);
}

/* ---- order of convergence ------------------------------------------------------------------------------------------
 */

/* Bending by an end force with Poisson's ratio 0 has an exact polynomial (Timoshenko and Goodier 1970, §21):
 * displacements at the left end are prescribed as it says, warping included. The error is measured over all nodes. */
static syn_vec3 exact_bending(syn_vec3 p) {
  const double force = 1, young = 1000, depth = WIDTH, inertia = pow(WIDTH, 4) / 12, z = p.z - depth / 2;
  const double scale = force / (6 * young * inertia), l = SHORT;
  return vec3(-scale * z * ((6 * l - 3 * p.x) * p.x + 2 * (z * z - depth * depth / 4)), 0,
              scale * (depth * depth * p.x + (3 * l - p.x) * p.x * p.x));
}

static double bending_error(syn_element element, uint32_t across) {
  syn_error error;
  const double force = 1;
  element_box box = make_element_box(element, 2 * across, across, across, vec3(SHORT, WIDTH, WIDTH));
  const syn_soft_options options = elastic_options(1000, 0, SYN_LAW_LINEAR);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const uint32_t n = box.mesh.node_count;
  syn_vec3 *x = malloc(n * sizeof *x), *loads = malloc(n * sizeof *loads);
  uint8_t *held = calloc(n, 1);
  for (uint32_t i = 0; i < n; ++i) {
    held[i] = box.nodes[i].x == 0 ? SYN_XYZ : 0;
    x[i] = held[i] ? vec3_add(box.nodes[i], exact_bending(box.nodes[i])) : box.nodes[i];
  }
  load_end(&box, SHORT, shear, &force, loads);
  settle(soft, held, loads, x);
  double sum = 0, whole = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const syn_vec3 u = exact_bending(box.nodes[i]);
    sum += vec3_length2(vec3_sub(vec3_sub(x[i], box.nodes[i]), u));
    whole += vec3_length2(u);
  }
  free(x), free(loads), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&box);
  return sqrt(sum / whole);
}

static void errors_fall_with_the_order_of_the_element(void **state) {
  (void)state;
  static const double orders[SYN_ELEMENTS] = {
      [SYN_ELEMENT_TET4] = 1.5, [SYN_ELEMENT_TET10] = 2.7, [SYN_ELEMENT_HEX8] = 1.8};
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    const uint32_t first = element == SYN_ELEMENT_TET10 ? 1 : 4;
    double errors[3];
    for (uint32_t k = 0; k < 3; ++k) errors[k] = bending_error((syn_element)element, first << k);
    const double order = log2(errors[1] / errors[2]);
    print_message("bending %s: errors %.3g, %.3g, %.3g; order %.2f\n", syn_element_name((syn_element)element),
                  errors[0], errors[1], errors[2], order);
    assert_true(order > orders[element]);
  }
}

/* Half of the cantilever of Poisson's ratio 0, beside its plane of symmetry. */
static uint8_t clamped_half(syn_vec3 p) { return p.x == 0 ? SYN_XYZ : p.y == 0 ? SYN_Y : 0; }

static double half_cantilever(syn_element element, uint32_t across) {
  const double force = 1, young = 1000;
  solved beam = solve_box(make_element_box(element, 10 * across, across / 2, across, vec3(LENGTH, WIDTH / 2.0, WIDTH)),
                          young, 0, clamped_half, LENGTH, shear, &force);
  const double found = at(&beam, vec3(LENGTH, 0, WIDTH / 2.0)).z;
  drop_solved(&beam);
  return found / deflection(young, 0, force) - 1;
}

/* Ends that may warp make the torque one of a short bar, too. */
static double short_torsion(syn_element element, uint32_t across) { return torsion_of(element, WIDTH, across, across); }

/* Three meshes, each twice as fine as the one before: the finest is within a hundredth of the closed form, the errors
 * fall with the order of the element, and what they fall to is the closed form. */
static void every_element_reaches_the_closed_forms(void **state) {
  (void)state;
  static const struct {
    const char *what;
    double (*error_of)(syn_element element, uint32_t across);
    syn_element element;
    uint32_t first;
    double order;
  } rows[] = {{"cantilever", half_cantilever, SYN_ELEMENT_TET4, 6, 1.8},
              {"cantilever", half_cantilever, SYN_ELEMENT_HEX8, 2, 1.8},
              {"cantilever", half_cantilever, SYN_ELEMENT_TET10, 2, 0}, /* 0.02 % and less: what the clamp does */
              {"torsion", short_torsion, SYN_ELEMENT_TET4, 8, 1.8},
              {"torsion", short_torsion, SYN_ELEMENT_HEX8, 4, 1.8},
              {"torsion", short_torsion, SYN_ELEMENT_TET10, 2, 2.7}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    double e[3];
    for (uint32_t i = 0; i < 3; ++i) e[i] = rows[k].error_of(rows[k].element, rows[k].first << i);
    const double order = log2(fabs(e[1] / e[2])), limit = (4 * e[2] - e[1]) / 3; /* extrapolated with order 2 */
    print_message("%s %s, %u, %u, %u across: %+.3f, %+.3f, %+.3f %%; order %.2f; extrapolated %+.3f %%\n", rows[k].what,
                  syn_element_name(rows[k].element), rows[k].first, 2 * rows[k].first, 4 * rows[k].first, 100 * e[0],
                  100 * e[1], 100 * e[2], order, 100 * limit);
    assert_true(fabs(e[2]) < 0.01 && order > rows[k].order && fabs(limit) < 0.002);
  }
}

/* ---- Cook's membrane -----------------------------------------------------------------------------------------------
 */

static syn_vec3 lift(syn_vec3 p, const void *user) {
  (void)p, (void)user;
  return vec3(0, 1.0 / 16, 0);
}

static uint8_t clamped_in_plane(syn_vec3 p) { return p.x == 0 ? SYN_XYZ : SYN_Z; }

/* Plane strain, G 0.375, force 1 on the right end: the middle of the end rises. */
static double cook(syn_element element, bool plain, uint32_t n, double poisson) {
  element_box box = make_element_box(element, n, n, 1, vec3(1, 1, 1));
  box.mesh.plain = plain;
  for (uint32_t i = 0; i < box.mesh.node_count; ++i) {
    const double s = box.nodes[i].x, t = box.nodes[i].y;
    box.nodes[i] = vec3(48 * s, 44 * s + t * (44 - 28 * s), box.nodes[i].z);
  }
  solved membrane = solve_box(box, 0.75 * (1 + poisson), poisson, clamped_in_plane, 48, lift, NULL);
  const double found = at(&membrane, vec3(48, 52, 0)).y;
  print_message("Cook %s, %u x %u, nu %g: %.4f mm\n", label(&box), n, n, poisson, found);
  drop_solved(&membrane);
  return found;
}

/* lambda = 7500: 16.4326 mm in the middle of the end (Krysl, FinEALE, Cook_3D_strain: quadratic triangles,
 * extrapolated). */
static void cooks_membrane_does_not_lock(void **state) {
  (void)state;
  const double published = 16.4326, poisson = 0.5 * 7500 / 7500.375;
  ASSERT_NEAR(cook(SYN_ELEMENT_HEX8, false, 16, poisson), published, 0.02 * published);
  ASSERT_NEAR(cook(SYN_ELEMENT_HEX8, false, 32, poisson), published, 0.01 * published);
  ASSERT_NEAR(cook(SYN_ELEMENT_TET10, false, 16, poisson), published, 0.01 * published);
  assert_true(cook(SYN_ELEMENT_HEX8, true, 16, poisson) < 0.7 * published);
  const double quadratic = cook(SYN_ELEMENT_TET10, false, 24, 0.4999);
  ASSERT_NEAR(cook(SYN_ELEMENT_HEX8, false, 32, 0.4999), quadratic, 0.01 * quadratic);
}

/* ---- sphere --------------------------------------------------------------------------------------------------------
 */

static uint8_t symmetric(syn_vec3 p) {
  return (uint8_t)((p.x == 0 ? SYN_X : 0) | (p.y == 0 ? SYN_Y : 0) | (p.z == 0 ? SYN_Z : 0));
}

enum { INNER = 10, OUTER = 20 };

/* An eighth of a spherical shell: three blocks, one around each axis, that share the nodes where they meet. In each,
 * the first two coordinates of the block are slopes against the axis and the third is the radius. */
static syn_vec3 shell_point(int patch, syn_vec3 p) {
  const double a = tan(SYN_PI / 4 * p.x), b = tan(SYN_PI / 4 * p.y), r = INNER + (OUTER - INNER) * p.z;
  syn_vec3 d = patch == 0 ? vec3(1, a, b) : patch == 1 ? vec3(b, 1, a) : vec3(a, b, 1);
  return vec3_scale(vec3_unit(d), r);
}

static element_box make_shell(syn_element element, uint32_t around, uint32_t layers) {
  element_box shell = {.mesh.element = element};
  const uint32_t each = syn_element_nodes[element];
  for (int patch = 0; patch < 3; ++patch) {
    element_box block = make_element_box(element, around, around, layers, vec3(1, 1, 1));
    const uint32_t total = each * block.mesh.element_count;
    uint32_t *number = malloc(block.mesh.node_count * sizeof *number), before = shell.mesh.node_count;
    shell.nodes = realloc(shell.nodes, (shell.mesh.node_count + block.mesh.node_count) * sizeof *shell.nodes);
    shell.elements =
        realloc(shell.elements, ((size_t)each * shell.mesh.element_count + total) * sizeof *shell.elements);
    for (uint32_t i = 0; i < block.mesh.node_count; ++i) {
      const syn_vec3 p = block.nodes[i], place = shell_point(patch, p);
      number[i] = SYN_NONE;
      if (p.x > 0.999 || p.y > 0.999) /* where blocks meet */
        for (uint32_t k = 0; k < before && number[i] == SYN_NONE; ++k)
          if (vec3_distance(shell.nodes[k], place) < 1e-9) number[i] = k;
      if (number[i] == SYN_NONE) shell.nodes[number[i] = shell.mesh.node_count++] = place;
    }
    for (uint32_t i = 0; i < total; ++i)
      shell.elements[(size_t)each * shell.mesh.element_count + i] = number[block.elements[i]];
    shell.mesh.element_count += block.mesh.element_count;
    free(number);
    drop_element_box(&block);
  }
  shell.mesh.nodes = shell.nodes;
  shell.mesh.elements = shell.elements;
  return shell;
}

/* Von Mises' stress at the nodes between the surfaces against the difference of hoop and radial stress, p a^3 b^3 3 / 2
 * /
 * ((b^3 - a^3) r^3): the largest error, in parts of it. */
static double stress_error(const syn_soft *soft, const element_box *shell, const syn_vec3 *u, double pressure) {
  const double a3 = pow(INNER, 3), b3 = pow(OUTER, 3);
  syn_vec3 *x = malloc(soft->node_count * sizeof *x);
  syn_sym3 *stress = malloc(soft->node_count * sizeof *stress);
  double most = 0;
  for (uint32_t i = 0; i < soft->node_count; ++i) x[i] = vec3_add(shell->nodes[i], u[i]);
  syn_soft_stress(soft, x, NULL, stress, NULL);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    const double r = vec3_length(shell->nodes[i]);
    if (r < INNER + 1e-6 || r > OUTER - 1e-6) continue;
    most = fmax(most, fabs(syn_sym3_von_mises(&stress[i]) / (pressure * a3 * b3 * 1.5 / ((b3 - a3) * r * r * r)) - 1));
  }
  free(x), free(stress);
  return most;
}

/* Lame's solution: u = p a^3 / (b^3 - a^3) ((1 - 2 nu) r + (1 + nu) b^3 / (2 r^2)) / E. */
static double sphere(syn_element element, bool plain, uint32_t around, uint32_t layers) {
  syn_error error;
  const double pressure = 0.5, young = 10, poisson = 0.4999, a3 = pow(INNER, 3), b3 = pow(OUTER, 3);
  element_box shell = make_shell(element, around, layers);
  shell.mesh.plain = plain;
  const syn_soft_options options = elastic_options(young, poisson, SYN_LAW_LINEAR);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &shell.mesh, &options, &soft, &error));
  const uint32_t n = shell.mesh.node_count;
  syn_vec3 *loads = malloc(n * sizeof *loads), *u = malloc(n * sizeof *u);
  uint8_t *held = malloc(n);
  for (uint32_t i = 0; i < n; ++i) held[i] = symmetric(shell.nodes[i]);
  press_sphere(&shell, INNER, pressure, loads);
  settle_linear(soft, held, loads, u);
  double mean = 0, most = 0;
  uint32_t inside = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const double r = vec3_length(shell.nodes[i]);
    const double exact = pressure * a3 / (b3 - a3) * ((1 - 2 * poisson) * r + (1 + poisson) * b3 / (2 * r * r)) / young;
    const double radial = vec3_dot(u[i], shell.nodes[i]) / r;
    if (r < INNER + 1e-6) mean += radial, ++inside;
    most = fmax(most, fabs(radial / exact - 1));
  }
  const double exact =
      pressure * a3 / (b3 - a3) * ((1 - 2 * poisson) * INNER + (1 + poisson) * b3 / (2.0 * INNER * INNER)) / young;
  print_message("sphere %s, %u around, %u layers: %.5f mm inside, closed form %.5f (%+.2f %%), worst node %.2f %%\n",
                label(&shell), around, layers, mean / inside, exact, 100 * (mean / inside / exact - 1), 100 * most);
  if (!plain && element != SYN_ELEMENT_TET4) {
    const double stress = stress_error(soft, &shell, u, pressure);
    print_message("  von Mises' stress at inner nodes: within %.2f %%\n", 100 * stress);
    assert_true(stress < 0.06);
  }
  free(loads), free(u), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&shell);
  return mean / inside / exact - 1;
}

static void a_thick_sphere_grows_as_lame_says(void **state) {
  (void)state;
  assert_true(fabs(sphere(SYN_ELEMENT_HEX8, false, 6, 6)) < 0.02);
  assert_true(fabs(sphere(SYN_ELEMENT_HEX8, false, 10, 10)) < 0.01);
  assert_true(fabs(sphere(SYN_ELEMENT_TET10, false, 4, 4)) < 0.01);
  assert_true(sphere(SYN_ELEMENT_HEX8, true, 6, 6) < -0.2);
  assert_true(sphere(SYN_ELEMENT_TET4, false, 6, 6) < -0.2);
}

/* ---- large strains -------------------------------------------------------------------------------------------------
 */

/* The volume of the elements; that of the skin has flat triangles for curved faces. */
static double inner_volume(const syn_soft *soft, const syn_vec3 *x) {
  const fem_state *fem = soft->state;
  double sum = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    syn_fem_evaluate(fem, e, x, NULL, FEM_ENERGY, &work);
    sum += work.volume * (1 + work.mean); /* the dilatation of this law is J - 1 */
  }
  return sum;
}

/* A block between plates that it sticks to, pressed together by a quarter, neo-Hookean, nu 0.4999: the force, and the
 * volume as a part of that at rest. */
static double pressed_block(syn_element element, uint32_t cells, double *volume) {
  syn_error error;
  element_box box = make_element_box(element, cells, cells, cells, vec3(10, 10, 10));
  const syn_soft_options options = elastic_options(1, 0.4999, SYN_LAW_NEO_HOOKEAN);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const uint32_t n = soft->node_count;
  syn_vec3 *x = malloc(n * sizeof *x), *f = malloc(n * sizeof *f);
  uint8_t *held = calloc(n, 1);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = soft->rest[i];
    held[i] = x[i].z == 0 || x[i].z == 10 ? SYN_XYZ : 0;
  }
  for (int step = 0; step < 5; ++step) {
    for (uint32_t i = 0; i < n; ++i) x[i].z *= (1 - 0.05 * (step + 1)) / (1 - 0.05 * step);
    settle(soft, held, NULL, x);
  }
  syn_soft_forces(soft, x, NULL, f);
  double force = 0;
  for (uint32_t i = 0; i < n; ++i) force += box.nodes[i].z == 10 ? f[i].z : 0;
  *volume = inner_volume(soft, x) / 1000;
  print_message("block pressed by a quarter, %s, %u cells: %.4f N, volume %.6f\n", label(&box), cells, force, *volume);
  free(x), free(f), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&box);
  return force;
}

static void a_pressed_block_keeps_its_volume_and_does_not_lock(void **state) {
  (void)state;
  double volume;
  const double hexes = pressed_block(SYN_ELEMENT_HEX8, 8, &volume);
  ASSERT_NEAR(volume, 1, 2e-3);
  const double tets = pressed_block(SYN_ELEMENT_TET10, 4, &volume);
  ASSERT_NEAR(volume, 1, 2e-3);
  ASSERT_NEAR(tets, hexes, 0.03 * hexes);
}

/* ---- motion --------------------------------------------------------------------------------------------------------
 */

/* Ten thousand steps of symplectic Euler: kinetic energy with the mean of the velocities before and after, as positions
 * lie between them in time. */
static void check_drift(syn_element element, syn_law law) {
  syn_error error;
  element_box box = make_element_box(element, 4, 1, 1, vec3(40, 10, 10));
  const syn_soft_options options = elastic_options(1, 0.3, law);
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  const uint32_t n = soft->node_count;
  syn_vec3 *x = malloc(n * sizeof *x), *v = calloc(n, sizeof *v), *f = malloc(n * sizeof *f);
  const double step = element == SYN_ELEMENT_TET10 ? 5e-6 : 1.5e-5;
  for (uint32_t i = 0; i < n; ++i)
    x[i] = vec3_add(soft->rest[i], vec3(0.02 * soft->rest[i].x, 0, 1e-3 * soft->rest[i].x * soft->rest[i].x));
  double first = 0, most = 0;
  for (int k = 0; k <= 10000; ++k) {
    double energy = syn_soft_energy(soft, x);
    syn_soft_forces(soft, x, NULL, f);
    for (uint32_t i = 0; i < n; ++i) {
      const syn_vec3 before = v[i];
      v[i] = vec3_madd(v[i], step / soft->mass[i] * (k == 0 ? 0.5 : 1), f[i]);
      energy += soft->mass[i] / 2 * vec3_length2(k == 0 ? before : vec3_scale(vec3_add(before, v[i]), 0.5));
    }
    if (k == 0) first = energy;
    most = fmax(most, fabs(energy / first - 1));
    for (uint32_t i = 0; i < n; ++i) x[i] = vec3_madd(x[i], step, v[i]);
  }
  print_message("motion %s, %s: energy within %.3f %% over 10,000 steps of %g s\n", syn_element_name(element),
                syn_law_name(law), 100 * most, step);
  assert_true(most < 0.01);
  free(x), free(v), free(f);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void motion_without_damping_keeps_its_energy(void **state) {
  (void)state;
  check_drift(SYN_ELEMENT_TET4, SYN_LAW_COROTATIONAL);
  check_drift(SYN_ELEMENT_TET4, SYN_LAW_NEO_HOOKEAN);
  check_drift(SYN_ELEMENT_HEX8, SYN_LAW_COROTATIONAL);
  check_drift(SYN_ELEMENT_TET10, SYN_LAW_COROTATIONAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bar_gets_longer_by_f_l_over_e_a),
      cmocka_unit_test(a_cantilever_bends_by_bernoulli_and_timoshenko),
      cmocka_unit_test(a_cantilever_that_keeps_its_volume_does_not_lock),
      cmocka_unit_test(torsion_is_saint_venants),
      cmocka_unit_test(errors_fall_with_the_order_of_the_element),
      cmocka_unit_test(every_element_reaches_the_closed_forms),
      cmocka_unit_test(cooks_membrane_does_not_lock),
      cmocka_unit_test(a_thick_sphere_grows_as_lame_says),
      cmocka_unit_test(a_pressed_block_keeps_its_volume_and_does_not_lock),
      cmocka_unit_test(motion_without_damping_keeps_its_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
