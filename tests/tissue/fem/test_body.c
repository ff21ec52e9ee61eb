/* Bodies of finite elements as a whole: how they are made and refused, their skin, their memory of stress, large
 * strains against closed forms, and units of any size. */
#include "element_box.h"

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/fem/fem.h"

static syn_soft *make_soft(const element_box *box, const syn_soft_options *options) {
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box->mesh, options, &soft, &error));
  return soft;
}

static syn_tetmesh *tets_of(const element_box *box) {
  syn_error error;
  syn_tetmesh *mesh;
  ASSERT_OK(syn_tetmesh_create(NULL, box->nodes, box->mesh.node_count, (const syn_tet *)(const void *)box->elements,
                               box->mesh.element_count, &mesh, &error));
  return mesh;
}

/* ---- making --------------------------------------------------------------------------------------------------------
 */

static void a_body_becomes_elements(void **state) {
  (void)state;
  syn_error error;
  element_box box = make_element_box(SYN_ELEMENT_TET4, 3, 2, 2, vec3(3, 2, 2));
  syn_tetmesh *mesh = tets_of(&box);
  const syn_body body = {
      .name = "plate", .tissue = SYN_TISSUE_CARTILAGE, .material = syn_material_unknown(), .volume = mesh};
  syn_soft_options options = syn_default_soft_options();
  for (int quadratic = 0; quadratic < 2; ++quadratic) {
    options.quadratic = quadratic;
    options.material.density_kg_m3 = 2000;
    syn_soft *soft;
    ASSERT_OK(syn_soft_create(NULL, "fem", &body, &options, &soft, &error));
    assert_int_equal(syn_soft_node_count(soft), quadratic ? 7 * 5 * 5 : 4 * 3 * 3);
    double mass = 0;
    for (uint32_t i = 0; i < syn_soft_node_count(soft); ++i) mass += syn_soft_masses(soft)[i];
    ASSERT_NEAR(mass, 12 * 2e-9, 1e-20);
    ASSERT_NEAR(soft->material.young_mpa, syn_tissue_material(SYN_TISSUE_CARTILAGE, NULL).young_mpa, 0);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
      assert_true(vec3_equal(syn_soft_rest(soft)[i], mesh->vertices[i]));
    syn_soft_destroy(soft);
  }
  syn_tetmesh_destroy(mesh);
  drop_element_box(&box);
}

static void the_skin_is_closed_and_holds_the_volume(void **state) {
  (void)state;
  syn_error error;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    element_box box = make_element_box((syn_element)element, 3, 2, 1, vec3(3, 2, 1));
    const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
    syn_soft *soft = make_soft(&box, &options);
    syn_health health;
    ASSERT_OK(syn_trimesh_check(syn_soft_skin(soft), NULL, &health, &error));
    assert_true(health.closed && health.outward);
    const uint32_t squares = 2 * (6 + 3 + 2);
    assert_int_equal(syn_soft_skin(soft)->triangle_count, squares * (element == SYN_ELEMENT_TET10 ? 8 : 2));
    ASSERT_NEAR(syn_soft_volume(soft, soft->rest), 6, 1e-12);
    syn_vec3 *x = malloc(soft->node_count * sizeof *x);
    for (uint32_t i = 0; i < soft->node_count; ++i) x[i] = vec3_scale(soft->rest[i], 2);
    ASSERT_NEAR(syn_soft_volume(soft, x), 48, 1e-11);
    free(x);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_FIBRES);
  options.relaxing_part = 0.5;
  options.consistent_mass = true;
  options.quadratic = *(const bool *)user;
  element_box box = make_element_box(SYN_ELEMENT_TET4, 1, 1, 1, vec3(1, 1, 1));
  syn_tetmesh *mesh = tets_of(&box);
  const syn_body body = {.material = syn_material_unknown(), .volume = mesh};
  syn_soft *soft;
  const syn_status status = syn_soft_create(context, "fem", &body, &options, &soft, error);
  syn_soft_destroy(soft);
  syn_tetmesh_destroy(mesh);
  drop_element_box(&box);
  return status;
}

static void any_allocation_may_be_refused(void **state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    bool quadratic = i;
    check_every_allocation(attempt, &quadratic);
  }
}

/* ---- refusing ------------------------------------------------------------------------------------------------------
 */

#define REFUSED(box, options, code, part)                                                                              \
  do {                                                                                                                 \
    syn_error error;                                                                                                   \
    syn_soft *soft_;                                                                                                   \
    ASSERT_FAILS(syn_soft_fem_create(NULL, &(box).mesh, &(options), &soft_, &error), (code), (part));                  \
    assert_null(soft_);                                                                                                \
  } while (0)

static void bad_meshes_are_refused_with_their_place(void **state) {
  (void)state;
  const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    element_box box = make_element_box((syn_element)element, 2, 2, 2, vec3(1, 1, 1));
    const syn_vec3 kept = box.nodes[0];
    box.nodes[0].y = NAN;
    REFUSED(box, options, SYN_BAD_MESH, "node 0 has a place that is not finite");
    box.nodes[0].y = INFINITY;
    REFUSED(box, options, SYN_BAD_MESH, "node 0");
    box.nodes[0] = vec3(0.9, 0.9, 0.9); /* through the opposite side of its elements */
    REFUSED(box, options, SYN_BAD_MESH, "element 0");
    box.nodes[0] = kept;
    const uint32_t node = box.elements[1];
    box.elements[1] = 1000000;
    REFUSED(box, options, SYN_BAD_MESH, "element 0 has node 1000000");
    box.elements[1] = node;
    for (uint32_t i = 0; i < box.mesh.node_count; ++i) box.nodes[i].z = 3;
    REFUSED(box, options, SYN_BAD_MESH, "flat");
    for (uint32_t i = 0; i < box.mesh.node_count; ++i) box.nodes[i] = vec3(0, 0, 0);
    REFUSED(box, options, SYN_BAD_MESH, "flat");
    drop_element_box(&box);
    box = make_element_box((syn_element)element, 2, 2, 2, vec3(1e120, 1e120, 1e120));
    REFUSED(box, options, SYN_BAD_MESH, "element 0");
    box.mesh.element_count = 0;
    REFUSED(box, options, SYN_BAD_MESH, "no elements");
    drop_element_box(&box);
    box = make_element_box((syn_element)element, 2, 1, 1, vec3(1, 1, 1));
    box.mesh.element_count -= element == SYN_ELEMENT_HEX8 ? 1 : 6;
    REFUSED(box, options, SYN_BAD_MESH, "belongs to no element");
    box.mesh.element = SYN_ELEMENTS;
    REFUSED(box, options, SYN_BAD_ARGUMENT, "no element kind");
    drop_element_box(&box);
  }
}

/* One element turned over is an error; all of them are another convention, which is repaired and reported. */
static void a_mesh_that_is_inside_out_is_turned(void **state) {
  (void)state;
  syn_error error;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    element_box box = make_element_box((syn_element)element, 2, 2, 2, vec3(1, 1, 1));
    const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
    for (uint32_t i = 0; i < box.mesh.node_count; ++i) box.nodes[i].x = -box.nodes[i].x;
    syn_soft *soft;
    ASSERT_OK(syn_soft_fem_create(&context, &box.mesh, &options, &soft, &error));
    assert_non_null(strstr(memory.last_warning, "inside out"));
    ASSERT_NEAR(syn_soft_volume(soft, soft->rest), 1, 1e-12);
    syn_soft_destroy(soft);
    assert_int_equal(memory.live, 0);
    drop_element_box(&box);
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  element_box box = make_element_box(SYN_ELEMENT_TET4, 1, 1, 1, vec3(1, 1, 1));
  const syn_soft_options good = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
  syn_soft_options bad = good;
#define WITH(change, part)                                                                                             \
  do {                                                                                                                 \
    bad = good;                                                                                                        \
    change;                                                                                                            \
    REFUSED(box, bad, SYN_BAD_ARGUMENT, part);                                                                         \
  } while (0)
  WITH(bad.material.young_mpa = NAN, "young_mpa");
  WITH(bad.material.young_mpa = 0, "young_mpa");
  WITH(bad.material.poisson = 0.5, "poisson");
  WITH(bad.material.poisson = -1, "poisson");
  WITH(bad.material.density_kg_m3 = -1, "density");
  WITH(bad.material.density_kg_m3 = NAN, "density");
  WITH(bad.law = SYN_LAWS, "there is no law");
  WITH(bad.damping_s = -1, "damping");
  WITH(bad.damping_per_s = NAN, "damping");
  WITH(bad.relaxing_part = 1.5, "relaxing_part");
  WITH((bad.relaxing_part = 0.5, bad.relaxing_s = 0), "relaxing_s");
  WITH(bad.fibre = vec3(1, 0, 0), "fibres need the law 'fibres'");
  WITH(bad.law = SYN_LAW_FIBRES, "needs a direction");
  WITH((bad.law = SYN_LAW_FIBRES, bad.fibre = vec3(NAN, 0, 0)), "needs a direction");
  WITH((bad.law = SYN_LAW_FIBRES, bad.fibre = vec3(1, 0, 0), bad.fibre_mpa = 0.5), "along the fibres");
  WITH(bad.quadratic = true, "quadratic");
  WITH(bad.cookie = 0, "syn_default_soft_options");
  drop_element_box(&box);
}

/* ---- one element, any size -----------------------------------------------------------------------------------------
 */

/* The same shape and strain in other units of length: forces go with its square, energy with its cube. */
static void units_of_any_size_give_the_same_answers(void **state) {
  (void)state;
  static const double sizes[] = {1e-60, 1e-6, 1e6, 1e60};
  const syn_vec3 nodes[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_vec3 moved[4] = {{0.1, 0, 0}, {1.2, 0.1, 0}, {0.1, 0.9, 0.2}, {0, -0.1, 1.3}};
  const uint32_t elements[4] = {0, 1, 2, 3};
  for (int law = 0; law < SYN_LAWS; ++law) {
    const syn_soft_options options = elastic_options(1, 0.3, (syn_law)law);
    syn_vec3 expected[4] = {{0}};
    double energy = 0;
    for (int k = -1; k < 4; ++k) {
      const double size = k < 0 ? 1 : sizes[k];
      syn_error error;
      syn_vec3 rest[4], x[4], f[4];
      for (int i = 0; i < 4; ++i) rest[i] = vec3_scale(nodes[i], size), x[i] = vec3_scale(moved[i], size);
      const syn_fem_mesh mesh = {SYN_ELEMENT_TET4, 4, 1, rest, elements, false, NULL, NULL};
      syn_soft *soft;
      ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
      syn_soft_forces(soft, x, NULL, f);
      if (k < 0) memcpy(expected, f, sizeof f), energy = syn_soft_energy(soft, x);
      for (int i = 0; i < 4; ++i)
        ASSERT_NEAR(vec3_distance(vec3_scale(f[i], 1 / (size * size)), expected[i]), 0, 1e-13);
      ASSERT_NEAR(syn_soft_energy(soft, x) / (size * size * size), energy, 1e-13);
      syn_soft_destroy(soft);
    }
  }
}

/* ---- large strains -------------------------------------------------------------------------------------------------
 */

/* A block stretched to twice its length, free to get thinner, of one law: the width w at which the sides carry nothing
 * solves mu w + p w l = 0 with p = (lambda + mu) (l w^2 - 1) - mu; the pull is mu l + p w^2. */
static void check_stretch(syn_element element, double stretch, double fibre_mpa) {
  element_box box = make_element_box(element, 2, 2, 2, vec3(1, 1, 1));
  const double young = 1, poisson = 0.4, mu = young / (2 * (1 + poisson));
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  syn_soft_options options = elastic_options(young, poisson, fibre_mpa > 0 ? SYN_LAW_FIBRES : SYN_LAW_NEO_HOOKEAN);
  options.fibre = fibre_mpa > 0 ? vec3(7, 0, 0) : vec3(0, 0, 0);
  options.fibre_mpa = fibre_mpa > 0 ? young + fibre_mpa : 0;
  syn_soft *soft = make_soft(&box, &options);
  syn_vec3 *x = malloc(soft->node_count * sizeof *x);
  syn_sym3 *stress = malloc(soft->node_count * sizeof *stress), *strain = malloc(soft->node_count * sizeof *strain);
  uint8_t *held = calloc(soft->node_count, 1);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    const syn_vec3 p = soft->rest[i];
    if (p.x == 0 || p.x == 1) held[i] |= SYN_X;
    if (p.y == 0) held[i] |= SYN_Y;
    if (p.z == 0) held[i] |= SYN_Z;
    x[i] = vec3(stretch * p.x, p.y, p.z);
  }
  settle(soft, held, NULL, x);
  const double width2 = (1 + (mu - mu / stretch) / (lambda + mu)) / stretch;
  const double p = (lambda + mu) * (stretch * width2 - 1) - mu;
  double pull = mu * stretch + p * width2;
  if (stretch > 1) pull += fibre_mpa * (stretch * stretch - 1) / 2 * stretch;
  syn_soft_stress(soft, x, NULL, stress, strain);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    ASSERT_NEAR(x[i].y, soft->rest[i].y * sqrt(width2), 1e-9);
    ASSERT_NEAR(stress[i].xx, pull / width2, 1e-8);
    ASSERT_NEAR(stress[i].yy, 0, 1e-8);
    ASSERT_NEAR(strain[i].xx, stretch - 1, 1e-9);
    ASSERT_NEAR(strain[i].zz, sqrt(width2) - 1, 1e-9);
    ASSERT_NEAR(syn_sym3_von_mises(&stress[i]), fabs(pull / width2), 1e-8);
  }
  free(x), free(stress), free(strain), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void large_stretches_follow_the_closed_form(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    check_stretch((syn_element)element, 2, 0);
    check_stretch((syn_element)element, 0.6, 0);
    check_stretch((syn_element)element, 1.3, 4);
    check_stretch((syn_element)element, 0.8, 4); /* fibres that are slack */
  }
}

/* For small strains, Young's modulus along the fibres is what was asked for, and that of the tissue across them. */
static void fibres_have_the_modulus_that_is_asked(void **state) {
  (void)state;
  const syn_vec3 along[] = {{1, 0, 0}, {0, 1, 0}};
  for (int k = 0; k < 2; ++k) {
    element_box box = make_element_box(SYN_ELEMENT_HEX8, 2, 2, 2, vec3(1, 1, 1));
    syn_soft_options options = elastic_options(0.4, 0.3, SYN_LAW_FIBRES);
    options.fibre = along[k];
    options.fibre_mpa = 0.8;
    syn_soft *soft = make_soft(&box, &options);
    syn_vec3 *x = malloc(soft->node_count * sizeof *x);
    syn_sym3 *stress = malloc(soft->node_count * sizeof *stress);
    uint8_t *held = calloc(soft->node_count, 1);
    const double strain = 1e-5;
    for (uint32_t i = 0; i < soft->node_count; ++i) {
      const syn_vec3 p = soft->rest[i];
      held[i] = (p.x == 0 || p.x == 1 ? SYN_X : 0) | (p.y == 0 ? SYN_Y : 0) | (p.z == 0 ? SYN_Z : 0);
      x[i] = vec3((1 + strain) * p.x, p.y, p.z);
    }
    settle(soft, held, NULL, x);
    syn_soft_stress(soft, x, NULL, stress, NULL);
    ASSERT_NEAR(stress[0].xx / strain, k == 0 ? 0.8 : 0.4, 1e-4);
    free(x), free(stress), free(held);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

/* Each element with fibres of its own costs what it costs alone. */
static void every_element_may_have_its_own_fibres(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    test_random random = {(uint64_t)element + 7};
    element_box box = make_element_box((syn_element)element, 2, 1, 1, vec3(2, 1, 1));
    const uint32_t n = box.mesh.node_count, each = syn_element_nodes[(syn_element)element];
    syn_vec3 *fibres = malloc(box.mesh.element_count * sizeof *fibres), *x = malloc(n * sizeof *x);
    for (uint32_t i = 0; i < n; ++i) x[i] = vec3_add(box.nodes[i], random_vec3(&random, 0.05));
    for (uint32_t e = 0; e < box.mesh.element_count; ++e) fibres[e] = random_vec3(&random, 3);
    syn_soft_options options = elastic_options(0.4, 0.3, SYN_LAW_FIBRES);
    options.fibre_mpa = 5;
    options.fibre = vec3(0, 0, 0);
    box.mesh.fibres = fibres;
    syn_soft *whole = make_soft(&box, &options);
    double sum = 0;
    for (uint32_t e = 0; e < box.mesh.element_count; ++e) {
      syn_vec3 nodes[10], places[10];
      uint32_t numbers[10];
      syn_error error;
      syn_soft *one;
      for (uint32_t a = 0; a < each; ++a) {
        const uint32_t node = box.elements[each * e + a];
        nodes[a] = box.nodes[node], places[a] = x[node], numbers[a] = a;
      }
      const syn_fem_mesh mesh = {(syn_element)element, each, 1, nodes, numbers, false, NULL, NULL};
      options.fibre = fibres[e];
      ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &one, &error));
      sum += syn_soft_energy(one, places);
      syn_soft_destroy(one);
    }
    ASSERT_NEAR(syn_soft_energy(whole, x), sum, 1e-12 * sum);
    syn_soft_destroy(whole);
    fibres[0] = vec3(0, 0, 0);
    syn_error error;
    options.fibre = vec3(0, 0, 0);
    assert_int_equal(syn_soft_fem_create(NULL, &box.mesh, &options, &whole, &error), SYN_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "element 0"));
    free(fibres), free(x);
    drop_element_box(&box);
  }
}

/* ---- consistent mass -----------------------------------------------------------------------------------------------
 */

/* One implicit step: mass times the change of velocity over the step is the force at its end, with the matrix that the
 * body has; and kinetic energy is that of the matrix. */
static void implicit_steps_use_the_mass_of_the_body(void **state) {
  (void)state;
  syn_error error;
  const double step = 1e-3;
  for (int consistent = 0; consistent < 2; ++consistent) {
    element_box box = make_element_box(SYN_ELEMENT_TET10, 2, 1, 1, vec3(20, 10, 10));
    syn_soft_options options = elastic_options(0.1, 0.3, SYN_LAW_COROTATIONAL);
    options.consistent_mass = consistent;
    syn_soft *soft = make_soft(&box, &options);
    const uint32_t n = soft->node_count;
    syn_simulation *s;
    syn_simulation_options how = syn_default_simulation_options();
    how.step_s = step;
    uint32_t body;
    ASSERT_OK(syn_simulation_create(NULL, &how, &s, &error));
    ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
    syn_vec3 *x = malloc(n * sizeof *x), *v = malloc(n * sizeof *v), *r = malloc(n * sizeof *r),
             *f = malloc(n * sizeof *f);
    double kinetic = 0, most = 0;
    for (uint32_t i = 0; i < n; ++i) {
      x[i] = vec3(1.1 * soft->rest[i].x, soft->rest[i].y, soft->rest[i].z);
      v[i] = vec3(0, 0, 5 * soft->rest[i].x);
    }
    syn_simulation_set_motion(s, body, x, v);
    ASSERT_OK(syn_simulation_step(s, &error));
    const syn_vec3 *after = syn_simulation_velocities(s, body);
    syn_soft_forces(soft, syn_simulation_positions(s, body), NULL, f);
    /* The slow way: every pair of nodes. */
    for (uint32_t i = 0; i < n; ++i) {
      r[i] = vec3(0, 0, 0);
      for (uint32_t k = 0; k < n; ++k) {
        const uint32_t slot = consistent ? syn_pattern_find(soft->pattern, i < k ? i : k, i < k ? k : i) : SYN_NONE;
        const double mass = !consistent ? (i == k) * soft->mass[i] : slot == SYN_NONE ? 0 : soft->consistent_mass[slot];
        r[i] = vec3_madd(r[i], mass / step, vec3_sub(after[k], v[k]));
        kinetic += mass / 2 * vec3_dot(after[i], after[k]);
      }
      most = fmax(most, vec3_length(f[i]));
    }
    for (uint32_t i = 0; i < n; ++i) ASSERT_NEAR(vec3_distance(r[i], f[i]), 0, 1e-6 * most);
    syn_tissue_step report;
    syn_simulation_report(s, &report);
    ASSERT_NEAR(report.kinetic_nmm, kinetic, 1e-12 * kinetic);
    free(x), free(v), free(r), free(f);
    syn_simulation_destroy(s);
    how.integrator = SYN_INTEGRATOR_SYMPLECTIC;
    ASSERT_OK(syn_simulation_create(NULL, &how, &s, &error));
    if (consistent)
      ASSERT_FAILS(syn_simulation_add_soft(s, soft, NULL, &body, &error), SYN_BAD_ARGUMENT,
                   "symplectic steps need masses");
    else
      ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
    syn_simulation_destroy(s);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

/* ---- memory --------------------------------------------------------------------------------------------------------
 */

/* A stretch held from the start: the stress falls from the whole to 1 - g of it as exp(-t / tau), whatever the step. A
 * turn of the whole body changes nothing. */
static void stress_relaxes_as_a_standard_linear_solid(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      element_box box = make_element_box((syn_element)element, 1, 1, 1, vec3(1, 1, 1));
      syn_soft_options options = elastic_options(1, 0.3, (syn_law)law);
      options.relaxing_part = 0.6;
      options.relaxing_s = 2;
      syn_soft *soft = make_soft(&box, &options);
      const uint32_t n = soft->node_count;
      syn_vec3 *x = malloc(n * sizeof *x), *turned = malloc(n * sizeof *turned), *f = malloc(n * sizeof *f);
      syn_sym3 *first = malloc(n * sizeof *first), *stress = malloc(n * sizeof *stress);
      const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, -1, 2), law == SYN_LAW_LINEAR ? 0 : 1.1);
      for (uint32_t i = 0; i < n; ++i) {
        const syn_vec3 p = soft->rest[i];
        x[i] = vec3(1.05 * p.x + 0.02 * p.y, 0.98 * p.y, p.z);
        turned[i] = syn_pose_point(&pose, x[i]);
      }
      syn_soft_stress(soft, x, NULL, first, NULL);
      double time = 0;
      for (int k = 1; k < 30; ++k) {
        const double step = 0.01 * k * k;
        soft->model->advance(soft->state, k % 2 ? x : turned, step);
        time += step;
        syn_soft_stress(soft, x, NULL, stress, NULL);
        const double left = 1 - 0.6 * (1 - exp(-time / 2));
        ASSERT_NEAR(stress[0].xx, left * first[0].xx, 1e-12);
        ASSERT_NEAR(stress[0].xy, left * first[0].xy, 1e-12);
      }
      double sum = 0; /* the stress that has relaxed is free of rigid turns: no forces of its own together */
      syn_soft_forces(soft, turned, NULL, f);
      for (uint32_t i = 0; i < n; ++i) sum += f[i].x + f[i].y + f[i].z;
      ASSERT_NEAR(sum, 0, 1e-12);
      free(x), free(turned), free(f), free(first), free(stress);
      syn_soft_destroy(soft);
      drop_element_box(&box);
    }
}

static void what_does_not_relax_has_no_history(void **state) {
  (void)state;
  element_box box = make_element_box(SYN_ELEMENT_HEX8, 2, 1, 1, vec3(1, 1, 1));
  syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
  size_t count;
  syn_soft *soft = make_soft(&box, &options);
  assert_null(soft->model->history(soft->state, &count));
  assert_int_equal(count, 0);
  syn_soft_destroy(soft);
  options.relaxing_part = 1;
  soft = make_soft(&box, &options);
  assert_non_null(soft->model->history(soft->state, &count));
  assert_int_equal(count, 2 * 8 * 6);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_becomes_elements),
      cmocka_unit_test(the_skin_is_closed_and_holds_the_volume),
      cmocka_unit_test(any_allocation_may_be_refused),
      cmocka_unit_test(bad_meshes_are_refused_with_their_place),
      cmocka_unit_test(a_mesh_that_is_inside_out_is_turned),
      cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(units_of_any_size_give_the_same_answers),
      cmocka_unit_test(large_stretches_follow_the_closed_form),
      cmocka_unit_test(fibres_have_the_modulus_that_is_asked),
      cmocka_unit_test(every_element_may_have_its_own_fibres),
      cmocka_unit_test(implicit_steps_use_the_mass_of_the_body),
      cmocka_unit_test(stress_relaxes_as_a_standard_linear_solid),
      cmocka_unit_test(what_does_not_relax_has_no_history),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
