/* The model "fem": a soft body from a tetrahedral mesh or from elements of any kind. */
#include "tissue/fem/fem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

/* ==== mass ======================================================================================================== */

/* Computes the mass: lumped to the nodes, and the consistent matrix on request. Lumped masses are the diagonal of
 * the consistent matrix scaled to the mass of the element (Hinton, Rock and Zienkiewicz 1976): positive also for
 * quadratic tetrahedra, whose rows add up to negative corner masses. */

/* Integrals of density N_a N_b over one element. */
static void element_mass(const fem_state *fem, const syn_vec3 *rest, uint32_t element, double density,
                         double mass[FEM_NODES][FEM_NODES]) {
  const fem_element *kind = fem->element;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double x[FEM_NODES][3], values[FEM_NODES], gradients[FEM_NODES][3];
  for (int a = 0; a < kind->node_count; ++a) {
    const syn_vec3 p = rest[nodes[a]];
    x[a][0] = p.x, x[a][1] = p.y, x[a][2] = p.z;
  }
  memset(mass, 0, FEM_NODES * sizeof *mass);
  for (int q = 0; q < kind->mass_point_count; ++q) {
    const fem_quadrature *point = &kind->mass_points[q];
    const double volume = point->weight * syn_fem_gradients(kind, point->at, (const double(*)[3])x, gradients);
    kind->shape(point->at, values, NULL);
    for (int a = 0; a < kind->node_count; ++a)
      for (int b = 0; b < kind->node_count; ++b) mass[a][b] += density * volume * values[a] * values[b];
  }
}

static void add_lumped(const fem_state *fem, uint32_t element, const double mass[FEM_NODES][FEM_NODES],
                       double *lumped) {
  const int n = fem->element->node_count;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double whole = 0, diagonal = 0;
  for (int a = 0; a < n; ++a) {
    diagonal += mass[a][a];
    for (int b = 0; b < n; ++b) whole += mass[a][b];
  }
  for (int a = 0; a < n; ++a) lumped[nodes[a]] += mass[a][a] * (whole / diagonal);
}

/* Densities are those of the mesh's materials, or of the body's where they are NULL. */
static syn_status fem_make_mass(syn_soft *soft, fem_state *fem, const syn_material *materials, syn_error *error) {
  const double tonnes_per_mm3 = 1e-12; /* of kg / m3 */
  const int n = fem->element->node_count;
  const size_t pairs = (size_t)(n * (n + 1) / 2);
  if (soft->options.consistent_mass)
    SYN_TRY(SYN_NEW_ZEROED(soft->context, &soft->consistent_mass, syn_block_count(soft->pattern), error));
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    double mass[FEM_NODES][FEM_NODES];
    const double density = materials ? materials[e].density_kg_m3 : soft->material.density_kg_m3;
    element_mass(fem, soft->rest, e, tonnes_per_mm3 * density, mass);
    add_lumped(fem, e, (const double(*)[FEM_NODES])mass, soft->mass);
    const uint32_t *slot = fem->slots + pairs * e;
    for (int a = 0; soft->consistent_mass && a < n; ++a)
      for (int b = a; b < n; ++b) soft->consistent_mass[*slot++] += mass[a][b];
  }
  return SYN_OK;
}

/* ==== elements that are computed ================================================================================== */

/* Selects a share of the elements, for one of several processes; and adds barriers to tissue between bones. */

syn_status syn_fem_choose(syn_soft *soft, bool (*wanted)(const void *user, uint32_t node), const void *user,
                          syn_error *error) {
  fem_state *fem = soft->state;
  if (!fem->chosen) SYN_TRY(SYN_NEW(fem->context, &fem->chosen, fem->element_count, error));
  fem->chosen_count = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    const uint32_t *nodes = fem_nodes_of(fem, e);
    bool any = false;
    for (int a = 0; a < fem->element->node_count && !any; ++a) any = wanted(user, nodes[a]);
    if (any) fem->chosen[fem->chosen_count++] = e;
  }
  return SYN_OK;
}

/* Barrier energy density at the volume 0, relative to the bulk modulus: bone on bone. With a weaker one thin tissue
 * folds before it resists. */
static const double barrier_at_zero = 20;

static void add_barrier(fem_material *m) { m->barrier = barrier_at_zero * m->bulk / (FEM_SQUEEZED * FEM_SQUEEZED); }

void syn_fem_add_barriers(syn_soft *soft) {
  fem_state *fem = soft->state;
  if (fem->law_name != SYN_LAW_NEO_HOOKEAN || fem->tets) return;
  add_barrier(&fem->material);
  for (uint32_t e = 0; fem->materials && e < fem->element_count; ++e) add_barrier(&fem->materials[e]);
}

uint32_t syn_fem_squeezed(const syn_soft *soft, const syn_vec3 *x) {
  const fem_state *fem = soft->state;
  uint32_t count = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    bool squeezed = false;
    syn_fem_evaluate(fem, e, x, NULL, FEM_ENERGY, &work);
    for (int q = 0; q < fem->element->point_count; ++q) squeezed = squeezed || work.at[q].dilatation < FEM_SQUEEZED - 1;
    count += squeezed;
  }
  return count;
}

/* ==== the model =================================================================================================== */

/* ---- options -------------------------------------------------------------------------------------------------------
 */

static syn_status check_options(const syn_soft_options *o, syn_error *error) {
  if ((unsigned)o->law >= SYN_LAWS) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no law %d", (int)o->law);
  if (!(o->damping_per_s >= 0 && o->damping_s >= 0) || isinf(o->damping_per_s) || isinf(o->damping_s))
    return syn_fail(error, SYN_BAD_ARGUMENT, "damping must not be negative (damping_per_s %g, damping_s %g)",
                    o->damping_per_s, o->damping_s);
  if (!(o->relaxing_part >= 0 && o->relaxing_part <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the part that relaxes must be from 0 to 1, not %g (relaxing_part)",
                    o->relaxing_part);
  if (o->relaxing_part > 0 && !(o->relaxing_s > 0 && isfinite(o->relaxing_s)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the time of relaxation must be above 0 s, not %g (relaxing_s)",
                    o->relaxing_s);
  return SYN_OK;
}

static syn_status set_fibres(const syn_soft *soft, bool by_element, fem_material *material, syn_error *error) {
  const syn_soft_options *o = &soft->options;
  const syn_vec3 direction = vec3_unit(o->fibre);
  const bool given = by_element || !vec3_equal(o->fibre, vec3(0, 0, 0));
  if (o->law != SYN_LAW_FIBRES) {
    if (!given) return SYN_OK;
    return syn_fail(error, SYN_BAD_ARGUMENT, "fibres need the law 'fibres', not '%s'", syn_law_name(o->law));
  }
  if (!by_element && vec3_equal(direction, vec3(0, 0, 0)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the law 'fibres' needs a direction of finite length (fibre)");
  const double more = o->fibre_mpa - soft->material.young_mpa;
  if (o->fibre_mpa != 0 && !(more >= 0 && isfinite(more)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "Young's modulus along the fibres (%g MPa) must not be below that of the tissue (%g MPa)",
                    o->fibre_mpa, soft->material.young_mpa);
  material->fibre[0] = direction.x, material->fibre[1] = direction.y, material->fibre[2] = direction.z;
  material->fibre_mpa = o->fibre_mpa != 0 ? more : 0;
  return SYN_OK;
}

/* Splits the bulk modulus into parts on local and on mean dilatations: see fem.h. */
static void set_moduli(const syn_fem_mesh *mesh, double young, double poisson, fem_material *m) {
  m->mu = young / (2 * (1 + poisson));
  m->lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  m->bulk = young / (3 * (1 - 2 * poisson));
  const double easy = 13.0 / 6 * m->mu; /* at Poisson's ratio 0.3 */
  m->bulk_here = mesh->plain || mesh->element == SYN_ELEMENT_TET4 ? m->bulk
                 : mesh->element == SYN_ELEMENT_TET10             ? min2(m->bulk, easy)
                                                                  : 0;
  m->bulk_mean = m->bulk - m->bulk_here;
}

static syn_status set_material(const syn_soft *soft, fem_state *fem, const syn_fem_mesh *mesh, syn_error *error) {
  const syn_soft_options *o = &soft->options;
  SYN_TRY(check_options(o, error));
  fem->law_name = o->law;
  fem->law = syn_fem_law_of(o->law);
  set_moduli(mesh, soft->material.young_mpa, soft->material.poisson, &fem->material);
  fem->damping_per_s = o->damping_per_s;
  fem->damping_s = o->damping_s;
  fem->relaxing_part = o->relaxing_part;
  fem->relaxing_s = o->relaxing_s;
  return set_fibres(soft, mesh->fibres, &fem->material, error);
}

static syn_status set_element_fibre(syn_vec3 along, uint32_t element, fem_material *m, syn_error *error) {
  const syn_vec3 direction = vec3_unit(along);
  if (!vec3_finite(direction) || vec3_equal(direction, vec3(0, 0, 0)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the fibres of element %u need a direction of finite length", element);
  m->fibre[0] = direction.x, m->fibre[1] = direction.y, m->fibre[2] = direction.z;
  return SYN_OK;
}

/* Sets materials that differ between elements. */
static syn_status set_element_materials(fem_state *fem, const syn_fem_mesh *mesh, syn_error *error) {
  char name[40];
  SYN_TRY(SYN_NEW(fem->context, &fem->materials, fem->element_count, error));
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_material *m = &fem->materials[e];
    *m = fem->material;
    if (mesh->fibres) SYN_TRY(set_element_fibre(mesh->fibres[e], e, m, error));
    if (!mesh->materials) continue;
    const syn_material *given = &mesh->materials[e];
    snprintf(name, sizeof name, "element %u", e);
    SYN_TRY(syn_soft_check_material(given, name, error));
    set_moduli(mesh, given->young_mpa, given->poisson, m);
  }
  return SYN_OK;
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static void destroy(void *state) {
  fem_state *fem = state;
  void *const blocks[] = {fem->nodes, fem->gradients, fem->weights,   fem->node_volume, fem->slots,
                          fem->tets,  fem->relaxed,   fem->materials, fem->chosen};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(fem->context, blocks[i]);
  syn_free(fem->context, fem);
}

static syn_status measure_nodes(fem_state *fem, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(fem->context, &fem->node_volume, fem->node_count, error));
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    double volume = 0;
    for (int q = 0; q < fem->element->point_count; ++q) volume += fem->weights[fem_point(fem, e, q)];
    for (int a = 0; a < fem->element->node_count; ++a) fem->node_volume[fem_nodes_of(fem, e)[a]] += volume;
  }
  return SYN_OK;
}

/* Only linear tetrahedra of one material have constraints for XPBD. */
static const syn_soft_model without_constraints;

static syn_status build(syn_soft *soft, const syn_fem_mesh *mesh, syn_error *error) {
  fem_state *fem;
  SYN_TRY(SYN_NEW_ZEROED(soft->context, &fem, 1, error));
  soft->state = fem;
  fem->context = soft->context;
  fem->soft = soft;
  SYN_TRY(set_material(soft, fem, mesh, error));
  SYN_TRY(syn_fem_take_mesh(soft, fem, mesh, error));
  if (mesh->fibres || mesh->materials) SYN_TRY(set_element_materials(fem, mesh, error));
  SYN_TRY(syn_fem_make_pattern(soft, fem, error));
  SYN_TRY(fem_make_mass(soft, fem, mesh->materials, error));
  SYN_TRY(measure_nodes(fem, error));
  SYN_TRY(syn_fem_make_skin(soft, fem, error));
  if (fem->relaxing_part > 0)
    SYN_TRY(SYN_NEW_ZEROED(fem->context, &fem->relaxed, 6 * fem_point(fem, fem->element_count, 0), error));
  if (fem->element->node_count != 4 || fem->materials) {
    soft->model = &without_constraints;
    return SYN_OK;
  }
  soft->constraint_count = (size_t)syn_fem_constraints_per_tet(fem) * fem->element_count;
  return syn_fem_make_tets(fem, error);
}

static syn_status create_of_hexahedra(const syn_tetmesh *volume, syn_soft *soft, syn_error *error) {
  enum { CORNERS = 8 };
  syn_arena work = {.context = soft->context};
  uint32_t *corners, tets = 0;
  bool only = !soft->options.quadratic;
  for (uint32_t c = 0; c < volume->cell_count; ++c) {
    only = only && volume->cells[c].kind == SYN_CELL_IS_HEXAHEDRON;
    tets += volume->cells[c].tet_count;
  }
  if (!only || tets != volume->tet_count || tets == 0)
    return syn_fail(error, SYN_BAD_MESH, "only a mesh of hexahedra and nothing else keeps them, as linear elements");
  syn_status status = SYN_TAKE(&work, &corners, CORNERS * (size_t)volume->cell_count, error);
  if (!status) {
    for (size_t c = 0; c < volume->cell_count; ++c)
      memcpy(corners + CORNERS * c, volume->cells[c].v, CORNERS * sizeof *corners);
    const syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                               .node_count = volume->vertex_count,
                               .element_count = volume->cell_count,
                               .nodes = volume->vertices,
                               .elements = corners};
    status = build(soft, &mesh, error);
  }
  syn_arena_release(&work);
  return status;
}

static syn_status create(const syn_body *body, syn_soft *soft, syn_error *error) {
  const syn_tetmesh *volume = body->volume;
  if (soft->options.hexahedra) return create_of_hexahedra(volume, soft, error);
  _Static_assert(sizeof *volume->tets == 4 * sizeof(uint32_t), "tets are four numbers each");
  const syn_fem_mesh linear = {.element = SYN_ELEMENT_TET4,
                               .node_count = volume->vertex_count,
                               .element_count = volume->tet_count,
                               .nodes = volume->vertices,
                               .elements = &volume->tets->v[0]};
  if (!soft->options.quadratic) return build(soft, &linear, error);
  syn_arena work = {.context = soft->context};
  syn_fem_mesh quadratic;
  syn_status status = syn_fem_make_quadratic(&work, &linear, &quadratic, error);
  if (!status) status = build(soft, &quadratic, error);
  syn_arena_release(&work);
  return status;
}

static syn_status build_given(const void *mesh, syn_soft *soft, syn_error *error) { return build(soft, mesh, error); }

syn_status syn_soft_fem_create(const syn_context *context, const syn_fem_mesh *mesh, const syn_soft_options *options,
                               syn_soft **soft, syn_error *error) {
  *soft = NULL;
  if (options && options->quadratic)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a mesh of elements says itself whether it is quadratic");
  return syn_soft_make(context, &syn_model_fem, NULL, options, build_given, mesh, soft, error);
}

/* ---- the tables ----------------------------------------------------------------------------------------------------
 */

#define SHARED_PARTS                                                                                                   \
  .info = {.name = "fem",                                                                                              \
           .summary = "finite elements: tetrahedra and hexahedra with linear and hyperelastic laws",                   \
           .needs_volume = true,                                                                                       \
           .moves = true},                                                                                             \
  .create = create, .destroy = destroy, .force = syn_fem_force, .energy = syn_fem_energy,                              \
  .stiffness = syn_fem_stiffness, .advance = syn_fem_advance, .stress = syn_fem_stress, .history = syn_fem_history,    \
  .face_shares = syn_fem_face_shares

const syn_soft_model syn_model_fem = {SHARED_PARTS, .project = syn_fem_project};
static const syn_soft_model without_constraints = {SHARED_PARTS};
