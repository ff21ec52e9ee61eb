/* Computes areas, normals and volume of a shape in one loop over its triangles (Sundaraj 2004, §3.2.2). */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/vec.h"
#include "tissue/vdm/vdm.h"

/* ==== areas and normals =========================================================================================== */

void syn_vdm_measure(const syn_vdm *vdm, const syn_vec3 *x, syn_vdm_shape *shape) {
  memset(shape->area, 0, vdm->node_count * sizeof *shape->area);
  memset(shape->vector, 0, vdm->node_count * sizeof *shape->vector);
  /* Relative to a vertex of the mesh, so that a body far from the origin loses no digits. */
  const syn_vec3 origin = x[vdm->triangles[0].v[0]];
  double area = 0, volume = 0;
  for (uint32_t t = 0; t < vdm->triangle_count; ++t) {
    const uint32_t *v = vdm->triangles[t].v;
    const syn_vec3 a = x[v[0]];
    const syn_vec3 cross = vec3_cross(vec3_sub(x[v[1]], a), vec3_sub(x[v[2]], a));
    const double twice = vec3_length(cross);
    const syn_vec3 sixth = vec3_scale(cross, 1.0 / 6);
    area += twice;
    volume += vec3_dot(vec3_sub(a, origin), sixth);
    for (int c = 0; c < 3; ++c) {
      shape->area[v[c]] += twice * (1.0 / 6);
      shape->vector[v[c]] = vec3_add(shape->vector[v[c]], sixth);
    }
  }
  shape->total_area = area / 2;
  shape->volume = volume;
}

syn_vec3 syn_vdm_normal(const syn_vdm_shape *shape, uint32_t node) { return vec3_unit(shape->vector[node]); }

syn_vec3 syn_vdm_weight(const syn_vdm *vdm, const syn_vec3 *x, double *top) {
  const syn_vec3 weight = vec3_scale(vdm->gravity, vdm->density);
  *top = INFINITY;
  for (uint32_t i = 0; i < vdm->node_count; ++i) *top = min2(*top, vec3_dot(weight, x[i]));
  return weight;
}

/* ==== the model =================================================================================================== */

/* The volume distribution method as a soft body. In time and in contact the fluid is slightly compressible: its
 * pressure follows from the volume of the shape, with a modulus well above those of the nodes. syn_vdm_solve keeps
 * the volume exactly. */

static const double fluid_factor = 100; /* the fluid's modulus, relative to the largest finite one of nodes and pairs */
static const double infinite_factor = 1e4; /* replaces infinite moduli in forces, relative to the same */

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static void destroy(void *state) {
  syn_vdm *vdm = state;
  syn_vdm_inverse_drop(vdm);
  const syn_context *context = vdm->memory.context;
  syn_arena_release(&vdm->memory);
  syn_free(context, vdm);
}

static syn_status check_surface(const syn_trimesh *surface, const char *name, syn_error *error) {
  const syn_check_options options = {.self_intersections = false, .cookie = syn_default_check_options().cookie};
  syn_health health;
  SYN_TRY(syn_trimesh_check(surface, &options, &health, error));
  if (!health.outward)
    return syn_fail(error, SYN_BAD_MESH,
                    "the surface of %s is not closed and outward, as the model vdm needs it (synovia mesh repair)",
                    name);
  if (health.unreferenced_vertices)
    return syn_fail(error, SYN_BAD_MESH, "the surface of %s has %u vertices without triangles (synovia mesh repair)",
                    name, health.unreferenced_vertices);
  return SYN_OK;
}

static syn_status take_skin(const syn_body *body, syn_soft *soft, syn_error *error) {
  const char *name = body->name ? body->name : "the body";
  syn_trimesh *skin;
  if (body->surface && body->surface->triangle_count)
    SYN_TRY(syn_trimesh_create(soft->context, body->surface->vertices, body->surface->vertex_count,
                               body->surface->triangles, body->surface->triangle_count, &skin, error));
  else
    SYN_TRY(syn_tetmesh_surface(body->volume, &skin, NULL, error));
  uint32_t *nodes = NULL;
  syn_status status = check_surface(skin, name, error);
  if (!status) status = SYN_NEW(soft->context, &nodes, skin->vertex_count, error);
  if (status) {
    syn_trimesh_destroy(skin);
    return status;
  }
  for (uint32_t i = 0; i < skin->vertex_count; ++i) nodes[i] = i;
  status = syn_soft_skin_of_nodes(soft, skin, nodes, error);
  syn_free(soft->context, nodes);
  return status;
}

static syn_status take_pairs(syn_vdm *vdm, syn_error *error) {
  syn_topology *topology;
  SYN_TRY(syn_topology_create(vdm->soft->skin, &topology, error));
  uint32_t(*pairs)[2];
  vdm->pair_count = topology->edge_count;
  syn_status status = SYN_TAKE(&vdm->memory, &pairs, vdm->pair_count, error);
  if (!status) memcpy(pairs, topology->edge_vertices, vdm->pair_count * sizeof *pairs);
  vdm->pairs = (const uint32_t(*)[2])pairs;
  syn_topology_destroy(topology);
  return status ? status
                : syn_pattern_create(vdm->soft->context, vdm->node_count, vdm->pairs, vdm->pair_count,
                                     &vdm->soft->pattern, error);
}

static syn_status take_arrays(syn_vdm *vdm, syn_error *error) {
  const size_t n = vdm->node_count, pairs = vdm->pair_count;
  syn_vdm_system *s = &vdm->system;
  const struct {
    void *pointer;
    size_t count, size;
  } arrays[] = {
      {&vdm->connectivity, pairs, sizeof *vdm->connectivity},
      {&vdm->bulk, n, sizeof *vdm->bulk},
      {&vdm->constraint, n, sizeof *vdm->constraint},
      {&vdm->value, n, sizeof *vdm->value},
      {&vdm->rest.area, n, sizeof(double)},
      {&vdm->rest.vector, n, sizeof(syn_vec3)},
      {&vdm->now.area, n, sizeof(double)},
      {&vdm->now.vector, n, sizeof(syn_vec3)},
      {&vdm->trial.area, n, sizeof(double)},
      {&vdm->trial.vector, n, sizeof(syn_vec3)},
      {&s->group, n, sizeof *s->group},
      {&s->start, n + 1, sizeof *s->start},
      {&s->columns, 2 * pairs, sizeof *s->columns},
      {&s->weights, 2 * pairs, sizeof *s->weights},
      {&s->diagonal, n, sizeof *s->diagonal},
      {&s->scale, n, sizeof *s->scale},
      {&s->held, n, sizeof *s->held},
      {&s->free, n, sizeof *s->free},
      {&vdm->load, n, sizeof *vdm->load},
      {&vdm->spread, n, sizeof *vdm->spread},
      {&vdm->right, n, sizeof *vdm->right},
      {&vdm->work[0], n, sizeof(syn_lanes)},
      {&vdm->work[1], n, sizeof(syn_lanes)},
      {&vdm->work[2], n, sizeof(syn_lanes)},
      {&vdm->seen, n, sizeof *vdm->seen},
      {&vdm->stack, n, sizeof *vdm->stack},
      {&vdm->x, n, sizeof *vdm->x},
      {&vdm->net, n, sizeof *vdm->net},
  };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    void *block;
    SYN_TRY(syn_arena_take(&vdm->memory, arrays[i].count, arrays[i].size, &block, error));
    memset(block, 0, arrays[i].count * arrays[i].size);
    memcpy(arrays[i].pointer, &block, sizeof block);
  }
  return SYN_OK;
}

/* Sets the moduli from the options, else from the material: bulk modulus and shear modulus. */
static void fill_moduli(syn_vdm *vdm) {
  const syn_soft *soft = vdm->soft;
  const double young = soft->material.young_mpa, poisson = soft->material.poisson;
  const double bulk = soft->options.bulk_mpa > 0 ? soft->options.bulk_mpa : young / (3 * (1 - 2 * poisson));
  const double pair = soft->options.connectivity_mpa > 0 ? soft->options.connectivity_mpa : young / (2 * (1 + poisson));
  for (uint32_t i = 0; i < vdm->node_count; ++i) vdm->bulk[i] = vec3(bulk, bulk, bulk);
  for (uint32_t p = 0; p < vdm->pair_count; ++p) vdm->connectivity[p] = pair;
  vdm->density = soft->material.density_kg_m3 * 1e-12;
  vdm->stale = true;
}

static syn_status fill(syn_vdm *vdm, syn_error *error) {
  syn_soft *soft = vdm->soft;
  SYN_TRY(syn_soft_alloc_nodes(soft, vdm->node_count, error));
  memcpy(soft->rest, soft->skin->vertices, vdm->node_count * sizeof *soft->rest);
  SYN_TRY(take_pairs(vdm, error));
  SYN_TRY(take_arrays(vdm, error));
  syn_vdm_measure(vdm, soft->rest, &vdm->rest);
  for (uint32_t i = 0; i < vdm->node_count; ++i)
    if (!(vdm->rest.area[i] > 0))
      return syn_fail(error, SYN_BAD_MESH, "the triangles around vertex %u have no area (synovia mesh repair)", i);
  fill_moduli(vdm);
  for (uint32_t i = 0; i < vdm->node_count; ++i)
    soft->mass[i] = vdm->density * vdm->rest.area[i] * vdm->rest.volume / vdm->rest.total_area;
  memcpy(vdm->x, soft->rest, vdm->node_count * sizeof *vdm->x);
  return SYN_OK;
}

static syn_status create(const syn_body *body, syn_soft *soft, syn_error *error) {
  if (isnan(soft->options.bulk_mpa) || soft->options.bulk_mpa < 0 || isnan(soft->options.connectivity_mpa) ||
      soft->options.connectivity_mpa < 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the moduli of nodes and pairs must be 0 MPa or more");
  if ((unsigned)soft->options.vdm_solver >= SYN_VDM_SOLVERS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no such solver of the model vdm");
  SYN_TRY(take_skin(body, soft, error));
  syn_vdm *vdm;
  SYN_TRY(SYN_NEW_ZEROED(soft->context, &vdm, 1, error));
  soft->state = vdm;
  vdm->soft = soft;
  vdm->memory.context = soft->context;
  vdm->node_count = soft->skin->vertex_count;
  vdm->triangle_count = soft->skin->triangle_count;
  vdm->triangles = soft->skin->triangles;
  return fill(vdm, error);
}

/* ---- forces -------------------------------------------------------------------------------------------------------
 */

static double finite_or(double modulus, double instead) { return isfinite(modulus) ? modulus : instead; }

static double largest_modulus(const syn_vdm *vdm) {
  double most = 0;
  for (uint32_t i = 0; i < vdm->node_count; ++i)
    for (int c = 0; c < 3; ++c) most = max2(most, finite_or(vec3_at(vdm->bulk[i], c), 0));
  for (uint32_t p = 0; p < vdm->pair_count; ++p) most = max2(most, finite_or(vdm->connectivity[p], 0));
  return most;
}

static syn_vec3 bulk_of(const syn_vdm *vdm, uint32_t node, double instead) {
  const syn_vec3 b = vdm->bulk[node];
  return vec3(finite_or(b.x, instead), finite_or(b.y, instead), finite_or(b.z, instead));
}

/* Areas of the equations: they depend on the shape only in the nonlinear analysis. */
static const double *areas(const syn_vdm *vdm) {
  return vdm->soft->options.vdm_solver == SYN_VDM_NONLINEAR ? vdm->now.area : vdm->rest.area;
}

/* Adds -A/V S w, w being the areas times `moved`. */
static void add_elastic(const syn_vdm *vdm, const double *area, const syn_vec3 *moved, const syn_vec3 *from,
                        double factor, syn_vec3 *f) {
  const double stiff = infinite_factor * largest_modulus(vdm);
  const double scale = -factor * vdm->rest.total_area / vdm->rest.volume;
  const syn_vec3 zero = vec3(0, 0, 0);
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const syn_vec3 b = bulk_of(vdm, i, stiff), l = vec3_sub(moved[i], from ? from[i] : zero);
    f[i] = vec3_madd(f[i], scale * area[i], vec3(b.x * l.x, b.y * l.y, b.z * l.z));
  }
  for (uint32_t p = 0; p < vdm->pair_count; ++p) {
    const uint32_t i = vdm->pairs[p][0], j = vdm->pairs[p][1];
    const syn_vec3 wi = vec3_scale(vec3_sub(moved[i], from ? from[i] : zero), area[i]);
    const syn_vec3 wj = vec3_scale(vec3_sub(moved[j], from ? from[j] : zero), area[j]);
    const syn_vec3 pull = vec3_scale(vec3_sub(wi, wj), scale * finite_or(vdm->connectivity[p], stiff));
    f[i] = vec3_add(f[i], pull);
    f[j] = vec3_sub(f[j], pull);
  }
}

static void force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  const syn_vdm *vdm = state;
  const syn_soft *soft = vdm->soft;
  syn_vdm_shape now = vdm->now; /* its arrays are the body's: one thread at a time */
  syn_vdm_measure(vdm, x, &now);
  const double *area = areas(vdm);
  add_elastic(vdm, area, x, soft->rest, 1, f);
  const double fluid = fluid_factor * largest_modulus(vdm);
  const double pressure = fluid * (vdm->rest.volume - now.volume) / vdm->rest.volume;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    f[i] = vec3_madd(f[i], pressure * now.area[i], syn_vdm_normal(&now, i));
    if (v) f[i] = vec3_madd(f[i], -soft->options.damping_per_s * soft->mass[i], v[i]);
  }
  if (v && soft->options.damping_s > 0) add_elastic(vdm, vdm->rest.area, v, NULL, soft->options.damping_s, f);
}

/* ---- stiffness ----------------------------------------------------------------------------------------------------
 */

/* The fluid couples all nodes: its pressure decreases when any of them moves outward. */
static double wide(const void *state, const syn_vec3 *x, syn_vec3 *row) {
  const syn_vdm *vdm = state;
  syn_vdm_shape now = vdm->now;
  syn_vdm_measure(vdm, x, &now);
  memcpy(row, now.vector, vdm->node_count * sizeof *row);
  return fluid_factor * largest_modulus(vdm) / vdm->rest.volume;
}

/* A/V S times the areas is not symmetric if neighbours have different areas. With the square root of the areas on
 * both sides it is, and has the same eigenvalues. */
static void stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]) {
  (void)definite; /* always definite */
  const syn_vdm *vdm = state;
  const syn_soft *soft = vdm->soft;
  syn_vdm_shape now = vdm->now;
  syn_vdm_measure(vdm, x, &now);
  const double *area = areas(vdm), stiff = infinite_factor * largest_modulus(vdm);
  const double scale = vdm->rest.total_area / vdm->rest.volume * (1 + per_s * soft->options.damping_s);
  memset(blocks, 0, syn_block_count(soft->pattern) * sizeof *blocks);
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const syn_vec3 b = bulk_of(vdm, i, stiff);
    double *block = blocks[soft->pattern->row_start[i]];
    for (int c = 0; c < 3; ++c)
      block[4 * c] += scale * area[i] * vec3_at(b, c) + per_s * soft->options.damping_per_s * soft->mass[i];
  }
  for (uint32_t p = 0; p < vdm->pair_count; ++p) {
    const uint32_t i = vdm->pairs[p][0], j = vdm->pairs[p][1]; /* i < j */
    const double pair = scale * finite_or(vdm->connectivity[p], stiff);
    double *between = blocks[syn_pattern_find(soft->pattern, i, j)];
    double *at_i = blocks[soft->pattern->row_start[i]], *at_j = blocks[soft->pattern->row_start[j]];
    for (int c = 0; c < 9; c += 4) {
      at_i[c] += pair * area[i];
      at_j[c] += pair * area[j];
      between[c] -= pair * sqrt(area[i] * area[j]);
    }
  }
}

/* ---- stress -------------------------------------------------------------------------------------------------------
 */

/* Change of a node's volume minus that of its neighbours (Eq. 3.29): per V_i. */
static void net_change(const syn_vdm *vdm, const syn_vdm_shape *shape, const syn_vec3 *x, syn_vec3 *net) {
  const syn_vec3 *rest = vdm->soft->rest;
  for (uint32_t i = 0; i < vdm->node_count; ++i) net[i] = vec3_scale(vec3_sub(x[i], rest[i]), shape->area[i]);
  for (uint32_t p = 0; p < vdm->pair_count; ++p) {
    const uint32_t i = vdm->pairs[p][0], j = vdm->pairs[p][1];
    net[i] = vec3_madd(net[i], -shape->area[j], vec3_sub(x[j], rest[j]));
    net[j] = vec3_madd(net[j], -shape->area[i], vec3_sub(x[i], rest[i]));
  }
  const double height = vdm->rest.volume / shape->total_area;
  for (uint32_t i = 0; i < vdm->node_count; ++i) net[i] = vec3_scale(net[i], 1 / (shape->area[i] * height));
}

static const syn_vdm_shape *stress_shape(const syn_vdm *vdm, const syn_vec3 *x, syn_vdm_shape *now) {
  if (vdm->soft->options.vdm_solver != SYN_VDM_NONLINEAR) return &vdm->rest;
  *now = vdm->now;
  syn_vdm_measure(vdm, x, now);
  return now;
}

static double stress_at(double bulk, double net, double reaction) { return isfinite(bulk) ? bulk * net : reaction; }

void syn_vdm_stress(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *stress_mpa) {
  const syn_vdm *vdm = soft->state;
  syn_vdm_shape now;
  const syn_vdm_shape *shape = stress_shape(vdm, x, &now);
  net_change(vdm, shape, x, stress_mpa);
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const syn_vec3 b = vdm->bulk[i], push = vec3_scale(syn_vdm_normal(shape, i), vdm->pressure);
    stress_mpa[i] = vec3(stress_at(b.x, stress_mpa[i].x, push.x), stress_at(b.y, stress_mpa[i].y, push.y),
                         stress_at(b.z, stress_mpa[i].z, push.z));
  }
}

static void stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stresses, syn_sym3 *strain) {
  (void)v;
  const syn_vdm *vdm = state;
  syn_vdm_shape now;
  const syn_vdm_shape *shape = stress_shape(vdm, x, &now);
  syn_vec3 *net = vdm->net;
  if (stresses) {
    syn_vdm_stress(vdm->soft, x, net);
    for (uint32_t i = 0; i < vdm->node_count; ++i)
      stresses[i] = (syn_sym3){.xx = net[i].x, .yy = net[i].y, .zz = net[i].z};
  }
  if (!strain) return;
  net_change(vdm, shape, x, net);
  for (uint32_t i = 0; i < vdm->node_count; ++i) strain[i] = (syn_sym3){.xx = net[i].x, .yy = net[i].y, .zz = net[i].z};
}

const syn_soft_model syn_model_vdm = {
    .info = {.name = "vdm",
             .summary = "volume distribution: an elastic skin around a fluid that keeps its volume (Sundaraj 2004)",
             .moves = true},
    .create = create,
    .destroy = destroy,
    .force = force,
    .stiffness = stiffness,
    .wide = wide,
    .stress = stress,
};

/* ==== settings ==================================================================================================== */

SYN_ENUM_NAMES(syn_vdm_constraint, SYN_VDM_CONSTRAINTS, [SYN_VDM_FREE] = "free", [SYN_VDM_CONTACT] = "contact",
               [SYN_VDM_FIXED] = "fixed", [SYN_VDM_CONSTRAINED] = "constrained");

syn_status syn_vdm_of(const syn_soft *soft, syn_vdm **vdm, syn_error *error) {
  *vdm = soft->model == &syn_model_vdm ? soft->state : NULL;
  if (*vdm) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the body is of the model %s, not of vdm", soft->model->info.name);
}

/* ---- questions ----------------------------------------------------------------------------------------------------
 */

syn_status syn_vdm_distribution(const syn_soft *soft, const syn_vec3 *x, double *areas_mm2, double *volumes_mm3,
                                syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  syn_vdm_shape shape = vdm->rest;
  syn_arena work = {soft->context, NULL, false};
  syn_status status = SYN_OK;
  if (x) {
    status = SYN_TAKE(&work, &shape.area, vdm->node_count, error);
    if (!status) status = SYN_TAKE(&work, &shape.vector, vdm->node_count, error);
    if (!status) syn_vdm_measure(vdm, x, &shape);
  }
  if (!status && areas_mm2) memcpy(areas_mm2, shape.area, vdm->node_count * sizeof *areas_mm2);
  for (uint32_t i = 0; !status && volumes_mm3 && i < vdm->node_count; ++i)
    volumes_mm3[i] = shape.area[i] * shape.volume / shape.total_area;
  syn_arena_release(&work);
  return status;
}

const uint32_t (*syn_vdm_pairs(const syn_soft *soft, uint32_t *count))[2] {
  syn_vdm *vdm;
  *count = 0;
  if (syn_vdm_of(soft, &vdm, NULL)) return NULL;
  *count = vdm->pair_count;
  return vdm->pairs;
}

/* ---- moduli -------------------------------------------------------------------------------------------------------
 */

syn_status syn_vdm_set_moduli(syn_soft *soft, const syn_vec3 *bulk_mpa, const double *connectivity_mpa,
                              syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  for (uint32_t i = 0; bulk_mpa && i < vdm->node_count; ++i)
    if (!(bulk_mpa[i].x >= 0 && bulk_mpa[i].y >= 0 && bulk_mpa[i].z >= 0))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the bulk modulus of node %u is not 0 MPa or more", i);
  for (uint32_t p = 0; connectivity_mpa && p < vdm->pair_count; ++p)
    if (!(connectivity_mpa[p] >= 0))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the connectivity of nodes %u and %u is not 0 MPa or more",
                      vdm->pairs[p][0], vdm->pairs[p][1]);
  if (bulk_mpa) memcpy(vdm->bulk, bulk_mpa, vdm->node_count * sizeof *bulk_mpa);
  if (connectivity_mpa) memcpy(vdm->connectivity, connectivity_mpa, vdm->pair_count * sizeof *connectivity_mpa);
  vdm->stale = true;
  return SYN_OK;
}

syn_status syn_vdm_set_gravity(syn_soft *soft, syn_vec3 gravity_mm_s2, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  if (!vec3_finite(gravity_mm_s2)) return syn_fail(error, SYN_BAD_ARGUMENT, "gravity is not finite");
  vdm->gravity = gravity_mm_s2;
  return SYN_OK;
}

/* ---- constraints --------------------------------------------------------------------------------------------------
 */

static void prescribe_node(syn_vdm *vdm, uint32_t node, unsigned axes, syn_vdm_constraint constraint, syn_vec3 value) {
  double *const to[3] = {&vdm->value[node].x, &vdm->value[node].y, &vdm->value[node].z};
  for (int c = 0; c < 3; ++c) {
    if (!(axes >> c & 1)) continue;
    vdm->constraint[node][c] = (uint8_t)constraint;
    *to[c] = vec3_at(value, c);
  }
}

syn_status syn_vdm_prescribe(syn_soft *soft, uint32_t node, unsigned axes, syn_vdm_constraint constraint,
                             syn_vec3 value, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  if (node >= vdm->node_count && node != SYN_NONE)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no node %u; the body has %u", node, vdm->node_count);
  if (axes > SYN_XYZ || constraint >= SYN_VDM_CONSTRAINTS || !vec3_finite(value))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the constraint of node %u is not one: check its axes, kind and value",
                    node);
  const uint32_t first = node == SYN_NONE ? 0 : node, end = node == SYN_NONE ? vdm->node_count : node + 1;
  for (uint32_t i = first; i < end; ++i) prescribe_node(vdm, i, axes, constraint, value);
  return SYN_OK;
}
