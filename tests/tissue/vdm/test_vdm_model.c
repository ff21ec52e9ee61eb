/* The model behind the table of all soft bodies, and what its own functions refuse. */
#include "vdm_twin.h"

#include "base/vec.h"
#include "tissue/soft.h"
#include "tissue/vdm/vdm.h"

enum { MOST = 200 };

static syn_soft_options options_of(syn_vdm_solver solver) {
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){.young_mpa = 1, .poisson = 0.3, .density_kg_m3 = 1055};
  options.bulk_mpa = 0.3;
  options.connectivity_mpa = 0.1;
  options.vdm_solver = solver;
  return options;
}

static syn_soft *make_soft(const syn_trimesh *mesh, const syn_soft_options *options) {
  const syn_body body = {.name = "blob", .material = syn_material_unknown(), .surface = mesh};
  syn_soft *soft;
  syn_error error;
  ASSERT_OK(syn_soft_create(NULL, "vdm", &body, options, &soft, &error));
  return soft;
}

static void nodes_share_area_volume_and_mass(void **state) {
  (void)state;
  test_random random = {1};
  syn_trimesh *mesh = make_blob(NULL, &random, 6, 9, 0.2);
  const syn_soft_options options = options_of(SYN_VDM_LINEAR);
  syn_soft *soft = make_soft(mesh, &options);
  syn_vec3 x[MOST];
  for (int moved = 0; moved < 2; ++moved) {
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
      x[i] = vec3_madd(mesh->vertices[i], moved, random_vec3(&random, 0.05));
    twin_shape twin = measure_twin(mesh, x);
    double areas[MOST], volumes[MOST], area = 0, volume = 0, mass = 0;
    syn_error error;
    ASSERT_OK(syn_vdm_distribution(soft, moved ? x : NULL, areas, volumes, &error));
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      ASSERT_NEAR(areas[i], twin.area[i], 1e-14);
      area += areas[i];
      volume += volumes[i];
      mass += syn_soft_masses(soft)[i];
    }
    ASSERT_NEAR(area, twin.total_area, 1e-12);
    ASSERT_NEAR(volume, twin.volume, 1e-12);
    if (!moved) ASSERT_NEAR(mass, 1055e-12 * twin.volume, 1e-22);
    drop_twin_shape(&twin);
  }
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

/* With a fluid that is only stiffer than the nodes the forces at the solution are not zero, but all along the normals
 * and in one proportion to the areas: the pressure that the slightly compressible fluid does not have there. */
static void forces_vanish_at_the_solution_but_for_the_pressure(void **state) {
  (void)state;
  test_random random = {2};
  for (syn_vdm_solver solver = SYN_VDM_QUASI_LINEAR; solver < SYN_VDM_SOLVERS; ++solver) {
    syn_trimesh *mesh = make_blob(NULL, &random, 7, 10, 0.1);
    const syn_soft_options options = options_of(solver);
    syn_soft *soft = make_soft(mesh, &options);
    syn_error error;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      if (i % 5 == 0) ASSERT_OK(syn_vdm_prescribe(soft, i, SYN_XYZ, SYN_VDM_FIXED, vec3(0, 0, 0), &error));
      if (i % 5 == 2)
        ASSERT_OK(syn_vdm_prescribe(soft, i, SYN_XYZ, SYN_VDM_CONSTRAINED, random_vec3(&random, 0.05), &error));
    }
    syn_vec3 x[MOST], f[MOST];
    syn_vdm_report report;
    ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
    syn_soft_forces(soft, x, NULL, f);
    twin_shape rest = measure_twin(mesh, mesh->vertices), now = measure_twin(mesh, x);
    const twin_shape *used = solver == SYN_VDM_NONLINEAR ? &now : &rest;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      if (i % 5 == 0 || i % 5 == 2) continue;
      /* A/V of the rest stands in all forces; the equations of the shape have its own area. */
      const double scale = rest.total_area / used->total_area;
      const syn_vec3 push = vec3_scale(used->normal[i], report.pressure_mpa * used->area[i] * scale);
      ASSERT_NEAR(vec3_length(vec3_add(f[i], push)), 0, 1e-7);
    }
    drop_twin_shape(&rest);
    drop_twin_shape(&now);
    syn_soft_destroy(soft);
    syn_trimesh_destroy(mesh);
  }
}

/* A symmetric stand-in: what displacements take by it is, but for the differences of neighbours' areas and of normals'
 * lengths, what they take by the forces. */
static void the_stiffness_is_nearly_that_of_the_forces(void **state) {
  (void)state;
  test_random random = {3};
  syn_trimesh *mesh = make_blob(NULL, &random, 4, 5, 0.2);
  const syn_soft_options options = options_of(SYN_VDM_LINEAR);
  syn_soft *soft = make_soft(mesh, &options);
  const uint32_t n = mesh->vertex_count;
  const size_t blocks = syn_block_count(soft->pattern);
  double(*k)[9] = calloc(blocks, sizeof *k);
  soft->model->stiffness(soft->state, mesh->vertices, 0, true, k);
  syn_vec3 x[MOST], up[MOST], down[MOST], y[MOST], row[MOST];
  const double factor = soft->model->wide(soft->state, mesh->vertices, row);
  for (int round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < n; ++i) x[i] = random_vec3(&random, 1);
    syn_block_multiply(soft->pattern, (const double(*)[9])k, x, y);
    double work = 0, of_forces = 0, wide = 0;
    for (uint32_t i = 0; i < n; ++i) {
      work += vec3_dot(x[i], y[i]);
      wide += vec3_dot(x[i], row[i]);
      up[i] = vec3_madd(mesh->vertices[i], 1e-5, x[i]);
      down[i] = vec3_madd(mesh->vertices[i], -1e-5, x[i]);
    }
    syn_vec3 f[MOST], g[MOST];
    syn_soft_forces(soft, up, NULL, f);
    syn_soft_forces(soft, down, NULL, g);
    for (uint32_t i = 0; i < n; ++i) of_forces -= vec3_dot(x[i], vec3_sub(f[i], g[i])) / 2e-5;
    work += factor * wide * wide;
    assert_true(work > 0.8 * of_forces && work < 1.2 * of_forces);
  }
  free(k);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

/* Two bodies at once, as all soft bodies are simulated: equilibrium is that of syn_vdm_solve but for the fluid's
 * compressibility, which is 1 / 100 of that of the nodes, and for its direction, which follows the shape here. */
static void simulations_find_the_same_equilibrium(void **state) {
  (void)state;
  test_random random = {9};
  for (syn_vdm_solver solver = SYN_VDM_QUASI_LINEAR; solver < SYN_VDM_SOLVERS; ++solver) {
    syn_trimesh *mesh = make_blob(NULL, &random, 8, 12, 0.1);
    const syn_soft_options options = options_of(solver);
    syn_soft *bodies[2] = {make_soft(mesh, &options), make_soft(mesh, &options)};
    syn_simulation_options stepping = syn_default_simulation_options();
    stepping.integrator = SYN_INTEGRATOR_STATIC;
    syn_simulation *simulation;
    syn_error error;
    ASSERT_OK(syn_simulation_create(NULL, &stepping, &simulation, &error));
    for (uint32_t b = 0; b < 2; ++b) {
      uint32_t body;
      ASSERT_OK(syn_simulation_add_soft(simulation, bodies[b], NULL, &body, &error));
      for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        if (fabs(mesh->vertices[i].z) < 0.6) continue;
        const syn_vec3 way = vec3(0, 0, mesh->vertices[i].z > 0 ? -0.05 * (b + 1) : 0);
        ASSERT_OK(syn_vdm_prescribe(bodies[b], i, SYN_XYZ, SYN_VDM_CONSTRAINED, way, &error));
        ASSERT_OK(syn_simulation_prescribe(simulation, body, i, 7, SYN_NONE, &error));
        syn_simulation_move_node(simulation, body, i, vec3_add(mesh->vertices[i], way));
      }
    }
    ASSERT_OK(syn_simulation_step(simulation, &error));
    syn_tissue_step report;
    syn_simulation_report(simulation, &report);
    assert_true(report.iterations < 20);
    for (uint32_t b = 0; b < 2; ++b) {
      syn_vec3 x[MOST];
      ASSERT_OK(syn_vdm_solve(bodies[b], x, NULL, &error));
      const syn_vec3 *y = syn_simulation_positions(simulation, b);
      for (uint32_t i = 0; i < mesh->vertex_count; ++i)
        ASSERT_NEAR(vec3_distance(x[i], y[i]), 0, 0.05 * 0.05 * (b + 1));
      ASSERT_NEAR(syn_soft_volume(bodies[b], y) / syn_soft_volume(bodies[b], x), 1, 2e-3);
    }
    syn_simulation_destroy(simulation);
    for (int b = 0; b < 2; ++b) syn_soft_destroy(bodies[b]);
    syn_trimesh_destroy(mesh);
  }
}

/* Infinite B_ij: A_i L_i = A_j L_j, as ever stiffer pairs have it. */
static void stiff_pairs_tie_nodes_together(void **state) {
  (void)state;
  test_random random = {4};
  syn_trimesh *mesh = make_blob(NULL, &random, 6, 8, 0.2);
  const syn_soft_options options = options_of(SYN_VDM_QUASI_LINEAR);
  syn_soft *tied = make_soft(mesh, &options), *stiff = make_soft(mesh, &options);
  uint32_t count;
  const uint32_t(*pairs)[2] = syn_vdm_pairs(tied, &count);
  double infinite[3 * MOST], large[3 * MOST], areas[MOST];
  for (uint32_t p = 0; p < count; ++p) {
    const bool tie = random_below(&random, 4) == 0;
    infinite[p] = tie ? (double)INFINITY : 0.1;
    large[p] = tie ? 1e7 : 0.1;
  }
  syn_error error;
  syn_vec3 x[MOST], y[MOST];
  ASSERT_OK(syn_vdm_set_moduli(tied, NULL, infinite, &error));
  ASSERT_OK(syn_vdm_set_moduli(stiff, NULL, large, &error));
  ASSERT_OK(syn_vdm_prescribe(tied, 0, SYN_XYZ, SYN_VDM_CONSTRAINED, vec3(0.1, 0.2, 0.1), &error));
  ASSERT_OK(syn_vdm_prescribe(stiff, 0, SYN_XYZ, SYN_VDM_CONSTRAINED, vec3(0.1, 0.2, 0.1), &error));
  ASSERT_OK(syn_vdm_solve(tied, x, NULL, &error));
  ASSERT_OK(syn_vdm_solve(stiff, y, NULL, &error));
  ASSERT_OK(syn_vdm_distribution(tied, NULL, areas, NULL, &error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) ASSERT_NEAR(vec3_distance(x[i], y[i]), 0, 1e-5);
  for (uint32_t p = 0; p < count; ++p) {
    if (!isinf(infinite[p])) continue;
    const uint32_t i = pairs[p][0], j = pairs[p][1];
    const syn_vec3 wi = vec3_scale(vec3_sub(x[i], mesh->vertices[i]), areas[i]);
    const syn_vec3 wj = vec3_scale(vec3_sub(x[j], mesh->vertices[j]), areas[j]);
    ASSERT_NEAR(vec3_distance(wi, wj), 0, 1e-13);
  }
  syn_soft_destroy(tied);
  syn_soft_destroy(stiff);
  syn_trimesh_destroy(mesh);
}

/* Nodes without ties to neighbours: B_i A_i L_i / V_i = p + d g h_i along each normal. */
static void weight_bulges_the_bottom(void **state) {
  (void)state;
  test_random random = {5};
  syn_trimesh *mesh = make_blob(NULL, &random, 8, 12, 0);
  const syn_soft_options options = options_of(SYN_VDM_LINEAR);
  syn_soft *soft = make_soft(mesh, &options);
  uint32_t count;
  syn_vdm_pairs(soft, &count);
  double none[4 * MOST] = {0};
  syn_error error;
  syn_vdm_report report;
  syn_vec3 x[MOST];
  ASSERT_OK(syn_vdm_set_moduli(soft, NULL, none, &error));
  ASSERT_OK(syn_vdm_set_gravity(soft, vec3(0, 0, -9.81e6), &error));
  ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
  twin_shape rest = measure_twin(mesh, mesh->vertices);
  double top = -INFINITY;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) top = fmax(top, mesh->vertices[i].z);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const double pressure = report.pressure_mpa + 1055e-12 * 9.81e6 * (top - mesh->vertices[i].z);
    const double along = pressure * rest.volume / rest.total_area / 0.3;
    ASSERT_NEAR(vec3_distance(x[i], vec3_madd(mesh->vertices[i], along, rest.normal[i])), 0, 1e-14);
  }
  drop_twin_shape(&rest);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

static void stress_is_equation_3_29(void **state) {
  (void)state;
  test_random random = {6};
  syn_trimesh *mesh = make_blob(NULL, &random, 5, 7, 0.2);
  const syn_soft_options options = options_of(SYN_VDM_LINEAR);
  syn_soft *soft = make_soft(mesh, &options);
  twin_shape rest = measure_twin(mesh, mesh->vertices);
  syn_vec3 x[MOST], stress[MOST];
  syn_sym3 tensors[MOST], strains[MOST];
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) x[i] = vec3_add(mesh->vertices[i], random_vec3(&random, 0.1));
  syn_vdm_stress(soft, x, stress);
  syn_soft_stress(soft, x, NULL, tensors, strains);
  uint32_t count;
  const uint32_t(*pairs)[2] = syn_vdm_pairs(soft, &count);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    syn_vec3 net = vec3_scale(vec3_sub(x[i], mesh->vertices[i]), rest.area[i]);
    for (uint32_t p = 0; p < count; ++p)
      if (pairs[p][0] == i || pairs[p][1] == i) {
        const uint32_t j = pairs[p][0] + pairs[p][1] - i;
        net = vec3_madd(net, -rest.area[j], vec3_sub(x[j], mesh->vertices[j]));
      }
    net = vec3_scale(net, 0.3 / (rest.area[i] * rest.volume / rest.total_area));
    ASSERT_NEAR(vec3_distance(net, stress[i]), 0, 1e-13);
    ASSERT_NEAR(tensors[i].yy, stress[i].y, 1e-15);
    ASSERT_NEAR(strains[i].zz * 0.3, stress[i].z, 1e-15);
    assert_true(tensors[i].xy == 0 && tensors[i].yz == 0 && tensors[i].zx == 0);
  }
  drop_twin_shape(&rest);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  test_random random = {7};
  syn_error error;
  syn_soft *soft;
  syn_trimesh *mesh = make_blob(NULL, &random, 4, 5, 0.1), *soup = make_soup(NULL, &random, 9, 5);
  syn_soft_options options = options_of(SYN_VDM_LINEAR);
  const syn_body open = {.name = "soup", .material = syn_material_unknown(), .surface = soup};
  ASSERT_FAILS(syn_soft_create(NULL, "vdm", &open, &options, &soft, &error), SYN_BAD_MESH, "closed");
  options.bulk_mpa = -1;
  const syn_body body = {.name = "blob", .material = syn_material_unknown(), .surface = mesh};
  ASSERT_FAILS(syn_soft_create(NULL, "vdm", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "moduli");
  options = options_of((syn_vdm_solver)9);
  ASSERT_FAILS(syn_soft_create(NULL, "vdm", &body, &options, &soft, &error), SYN_BAD_ARGUMENT, "solver");
  options = options_of(SYN_VDM_NONLINEAR);
  soft = make_soft(mesh, &options);
  syn_vec3 bulk[MOST] = {{0}}, x[MOST];
  ASSERT_OK(syn_vdm_set_moduli(soft, bulk, NULL, &error));
  ASSERT_FAILS(syn_vdm_solve(soft, x, NULL, &error), SYN_BAD_ARGUMENT, "nothing holds");
  ASSERT_OK(syn_vdm_prescribe(soft, 3, SYN_XYZ, SYN_VDM_FIXED, vec3(0, 0, 0), &error));
  ASSERT_OK(syn_vdm_solve(soft, x, NULL, &error));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    ASSERT_OK(syn_vdm_prescribe(soft, i, SYN_XYZ, SYN_VDM_CONSTRAINED, vec3_scale(mesh->vertices[i], 0.1), &error));
  ASSERT_FAILS(syn_vdm_solve(soft, x, NULL, &error), SYN_BAD_ARGUMENT, "volume");
  bulk[2].y = -1;
  ASSERT_FAILS(syn_vdm_set_moduli(soft, bulk, NULL, &error), SYN_BAD_ARGUMENT, "node 2");
  bulk[2].y = NAN;
  ASSERT_FAILS(syn_vdm_set_moduli(soft, bulk, NULL, &error), SYN_BAD_ARGUMENT, "node 2");
  ASSERT_FAILS(syn_vdm_prescribe(soft, MOST, 7, SYN_VDM_FREE, vec3(0, 0, 0), &error), SYN_BAD_ARGUMENT, "no node");
  ASSERT_FAILS(syn_vdm_prescribe(soft, 0, 8, SYN_VDM_FREE, vec3(0, 0, 0), &error), SYN_BAD_ARGUMENT, "axes");
  ASSERT_FAILS(syn_vdm_prescribe(soft, 0, 7, SYN_VDM_CONTACT, vec3(0, NAN, 0), &error), SYN_BAD_ARGUMENT, "value");
  ASSERT_FAILS(syn_vdm_set_gravity(soft, vec3(INFINITY, 0, 0), &error), SYN_BAD_ARGUMENT, "gravity");
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(soup);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  const syn_soft_options options = options_of(SYN_VDM_QUASI_LINEAR);
  const syn_body body = {.name = "blob", .material = syn_material_unknown(), .surface = &mesh};
  syn_soft *soft;
  syn_status status = syn_soft_create(context, "vdm", &body, &options, &soft, error);
  if (status) return status;
  syn_vec3 x[MOST];
  double areas[MOST];
  status = syn_vdm_solve(soft, x, NULL, error);
  if (!status) status = syn_vdm_prescribe(soft, 1, SYN_X, SYN_VDM_CONSTRAINED, vec3(0.01, 0, 0), error);
  if (!status) status = syn_vdm_solve(soft, x, NULL, error); /* by an update */
  if (!status) status = syn_vdm_distribution(soft, x, areas, NULL, error);
  syn_soft_destroy(soft);
  return status;
}

static void memory_may_be_refused(void **state) {
  (void)state;
  test_random random = {8};
  syn_trimesh *mesh = make_blob(NULL, &random, 4, 5, 0.1);
  check_every_allocation(attempt, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_share_area_volume_and_mass),
      cmocka_unit_test(forces_vanish_at_the_solution_but_for_the_pressure),
      cmocka_unit_test(the_stiffness_is_nearly_that_of_the_forces),
      cmocka_unit_test(simulations_find_the_same_equilibrium),
      cmocka_unit_test(stiff_pairs_tie_nodes_together),
      cmocka_unit_test(weight_bulges_the_bottom),
      cmocka_unit_test(stress_is_equation_3_29),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(memory_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
