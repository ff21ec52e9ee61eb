/* The list of models, and creation and destruction of all soft bodies. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "base/vec.h"
#include "tissue/soft.h"

const syn_soft_model *const syn_soft_models[SYN_SOFT_MODELS] = {&syn_model_molecules, &syn_model_vdm, &syn_model_fem};

/* ---- names and options -------------------------------------------------------------------------------------------
 */

SYN_ENUM_NAMES(syn_spring_rule,
               SYN_SPRING_RULES, [SYN_SPRINGS_MODULI] = "moduli", [SYN_SPRINGS_ITERATIVE] = "iterative",
               [SYN_SPRINGS_LINEAR] = "linear", [SYN_SPRINGS_TETRAHEDRAL] = "tetrahedral",
               [SYN_SPRINGS_PLANE] = "plane", [SYN_SPRINGS_SPACE] = "space", [SYN_SPRINGS_STATISTICAL] = "statistical",
               [SYN_SPRINGS_ANGLES] = "angles", [SYN_SPRINGS_ANGLES_UPDATED] = "angles-updated");

SYN_ENUM_NAMES(syn_law, SYN_LAWS, [SYN_LAW_COROTATIONAL] = "corotational", [SYN_LAW_LINEAR] = "linear",
               [SYN_LAW_NEO_HOOKEAN] = "neo-hookean", [SYN_LAW_FIBRES] = "fibres");

SYN_ENUM_NAMES(syn_vdm_solver, SYN_VDM_SOLVERS, [SYN_VDM_LINEAR] = "linear", [SYN_VDM_QUASI_LINEAR] = "quasi-linear",
               [SYN_VDM_NONLINEAR] = "nonlinear");

syn_soft_options syn_default_soft_options(void) {
  return (syn_soft_options){.material = syn_material_unknown(), .relaxing_s = 1, .anchors = 3, .cookie = SYN_COOKIE};
}

static const char *model_name(const void *user, size_t index) {
  (void)user;
  return syn_soft_models[index]->info.name;
}

static syn_status find_model(const char *name, const syn_soft_model **model, syn_error *error) {
  for (size_t i = 0; i < SYN_SOFT_MODELS; ++i)
    if (strcmp(syn_soft_models[i]->info.name, name) == 0) {
      *model = syn_soft_models[i];
      return SYN_OK;
    }

  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no tissue model '%.40s'.%s", name,
                  syn_did_you_mean(name, model_name, NULL, SYN_SOFT_MODELS, hint));
}

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

syn_status syn_soft_check_material(const syn_material *m, const char *name, syn_error *error) {
  if (!(m->young_mpa > 0) || isinf(m->young_mpa))
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s needs a Young's modulus above 0 MPa (young_mpa)", name);
  if (!(m->poisson > -1 && m->poisson < 0.5))
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s needs a Poisson's ratio above -1 and below 0.5 (poisson)", name);
  if (!(m->density_kg_m3 > 0) || isinf(m->density_kg_m3))
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s needs a density above 0 kg/m3 (density_kg_m3)", name);
  return SYN_OK;
}

/* Completes the material: the options' constants, else the body's, else those of its tissue. Without a body (NULL)
 * the options must have them all. */
static syn_status complete_material(const syn_body *body, const syn_soft_options *options, syn_material *material,
                                    syn_error *error) {
  const syn_material *given = &options->material;
  syn_body asked = body ? *body : (syn_body){.material = syn_material_unknown()};
  if (!isnan(given->young_mpa)) asked.material.young_mpa = given->young_mpa;
  if (!isnan(given->poisson)) asked.material.poisson = given->poisson;
  if (!isnan(given->density_kg_m3)) asked.material.density_kg_m3 = given->density_kg_m3;
  *material = body ? syn_body_material(&asked) : asked.material;
  return syn_soft_check_material(material, body && body->name ? body->name : "the body", error);
}

static syn_status check_meshes(const syn_soft_model *model, const syn_body *body, syn_error *error) {
  const char *name = body->name ? body->name : "the body", *who = model->info.name;
  if (model->info.needs_volume && !(body->volume && body->volume->tet_count))
    return syn_fail(error, SYN_BAD_MESH, "%s has no tetrahedra, which the model %s needs (synovia mesh tet makes them)",
                    name, who);
  if (!body->volume && !(body->surface && body->surface->triangle_count))
    return syn_fail(error, SYN_BAD_MESH, "%s has no mesh", name);
  return SYN_OK;
}

syn_status syn_soft_make(const syn_context *context, const syn_soft_model *model, const syn_body *body,
                         const syn_soft_options *options,
                         syn_status (*fill)(const void *from, syn_soft *soft, syn_error *error), const void *from,
                         syn_soft **soft, syn_error *error) {
  *soft = NULL;
  const syn_soft_options defaults = syn_default_soft_options();
  if (!options) options = &defaults;
  syn_material material;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_soft_options, error));
  SYN_TRY(complete_material(body, options, &material, error));
  syn_soft *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_soft){.context = context, .model = model, .options = *options, .material = material};
  const syn_status status = fill ? fill(from, made, error) : model->create(body, made, error);
  if (status)
    syn_soft_destroy(made);
  else
    *soft = made;
  return status;
}

syn_status syn_soft_create(const syn_context *context, const char *model, const syn_body *body,
                           const syn_soft_options *options, syn_soft **soft, syn_error *error) {
  *soft = NULL;
  const syn_soft_model *found = NULL;
  SYN_TRY(syn_check_context(context, error));
  if (options) SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_soft_options, error));
  SYN_TRY(find_model(model, &found, error));
  SYN_TRY(check_meshes(found, body, error));
  return syn_soft_make(context, found, body, options, NULL, NULL, soft, error);
}

void syn_soft_destroy(syn_soft *soft) {
  if (!soft) return;
  if (soft->state) soft->model->destroy(soft->state);
  syn_pattern_destroy(soft->pattern);
  syn_trimesh_destroy(soft->skin);
  void *const blocks[] = {soft->rest,       soft->mass,         soft->consistent_mass,   soft->skin_start,
                          soft->skin_nodes, soft->skin_weights, soft->skin_value_weights};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(soft->context, blocks[i]);
  syn_free(soft->context, soft);
}

syn_status syn_soft_alloc_nodes(syn_soft *soft, uint32_t node_count, syn_error *error) {
  soft->node_count = node_count;
  syn_status status = SYN_NEW(soft->context, &soft->rest, node_count, error);
  return status ? status : SYN_NEW_ZEROED(soft->context, &soft->mass, node_count, error);
}

syn_status syn_soft_skin_of_nodes(syn_soft *soft, syn_trimesh *skin, const uint32_t *nodes, syn_error *error) {
  soft->skin = skin;
  const uint32_t count = skin->vertex_count;
  syn_status status = SYN_NEW(soft->context, &soft->skin_start, (size_t)count + 1, error);
  if (!status) status = SYN_NEW(soft->context, &soft->skin_nodes, count, error);
  if (!status) status = SYN_NEW(soft->context, &soft->skin_weights, count, error);
  if (status) return status;
  for (uint32_t i = 0; i < count; ++i) {
    soft->skin_start[i] = i;
    soft->skin_nodes[i] = nodes[i];
    soft->skin_weights[i] = 1;
  }
  soft->skin_start[count] = count;
  return SYN_OK;
}

void syn_soft_add_inertia(const syn_soft *soft, double scale, const syn_vec3 *a, syn_vec3 *f) {
  const double *mass = soft->consistent_mass ? soft->consistent_mass : soft->mass;
  for (uint32_t row = 0; row < soft->node_count; ++row) {
    const uint32_t start = soft->consistent_mass ? soft->pattern->row_start[row] : row;
    const uint32_t end = soft->consistent_mass ? soft->pattern->row_start[row + 1] : row + 1;
    f[row] = vec3_madd(f[row], scale * mass[start], a[row]);
    for (uint32_t k = start + 1; k < end; ++k) {
      const uint32_t column = soft->pattern->columns[k];
      f[row] = vec3_madd(f[row], scale * mass[k], a[column]);
      f[column] = vec3_madd(f[column], scale * mass[k], a[row]);
    }
  }
}

double syn_soft_kinetic(const syn_soft *soft, const syn_vec3 *v) {
  double sum = 0;
  for (uint32_t i = 0; i < soft->node_count && !soft->consistent_mass; ++i)
    sum += 0.5 * soft->mass[i] * vec3_length2(v[i]);
  for (uint32_t row = 0; row < soft->node_count && soft->consistent_mass; ++row)
    for (uint32_t k = soft->pattern->row_start[row]; k < soft->pattern->row_start[row + 1]; ++k) {
      const uint32_t column = soft->pattern->columns[k];
      sum += (column == row ? 0.5 : 1) * soft->consistent_mass[k] * vec3_dot(v[row], v[column]);
    }
  return sum;
}

/* ---- questions --------------------------------------------------------------------------------------------------
 */

uint32_t syn_soft_node_count(const syn_soft *soft) { return soft->node_count; }
const syn_vec3 *syn_soft_rest(const syn_soft *soft) { return soft->rest; }
const double *syn_soft_masses(const syn_soft *soft) { return soft->mass; }
const syn_trimesh *syn_soft_skin(const syn_soft *soft) { return soft->skin; }

void syn_soft_forces(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  memset(f, 0, soft->node_count * sizeof *f);
  if (soft->model->force) soft->model->force(soft->state, x, v, f);
}

double syn_soft_energy(const syn_soft *soft, const syn_vec3 *x) {
  return soft->model->energy ? soft->model->energy(soft->state, x) : (double)NAN;
}

void syn_soft_stress(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain) {
  soft->model->stress(soft->state, x, v, stress, strain);
}

double syn_sym3_von_mises(const syn_sym3 *s) {
  const double a = s->xx - s->yy, b = s->yy - s->zz, c = s->zz - s->xx;
  const double shear = s->xy * s->xy + s->yz * s->yz + s->zx * s->zx;
  return sqrt((a * a + b * b + c * c) / 2 + 3 * shear);
}

/* ==== skin ======================================================================================================== */

/* Couples the skin with the nodes: displacements of the nodes move it, and its forces are distributed to them, with
 * the same weights. */

static syn_vec3 skin_point(const syn_soft *soft, const syn_vec3 *x, uint32_t vertex) {
  syn_vec3 point = soft->skin->vertices[vertex];
  for (uint32_t k = soft->skin_start[vertex]; k < soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = soft->skin_nodes[k];
    point = vec3_madd(point, soft->skin_weights[k], vec3_sub(x[node], soft->rest[node]));
  }
  return point;
}

void syn_soft_skin_points(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *points) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) points[i] = skin_point(soft, x, i);
}

void syn_soft_skin_forces(const syn_soft *soft, const syn_vec3 *skin_forces, syn_vec3 *f) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i)
    for (uint32_t k = soft->skin_start[i]; k < soft->skin_start[i + 1]; ++k) {
      const uint32_t node = soft->skin_nodes[k];
      f[node] = vec3_madd(f[node], soft->skin_weights[k], skin_forces[i]);
    }
}

static void add_weighted(syn_sym3 *sum, double weight, const syn_sym3 *value) {
  sum->xx += weight * value->xx;
  sum->yy += weight * value->yy;
  sum->zz += weight * value->zz;
  sum->xy += weight * value->xy;
  sum->yz += weight * value->yz;
  sum->zx += weight * value->zx;
}

void syn_soft_skin_values(const syn_soft *soft, const syn_sym3 *values, syn_sym3 *on_skin) {
  const double *weights = soft->skin_value_weights ? soft->skin_value_weights : soft->skin_weights;
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) {
    on_skin[i] = (syn_sym3){0};
    for (uint32_t k = soft->skin_start[i]; k < soft->skin_start[i + 1]; ++k)
      add_weighted(&on_skin[i], weights[k], &values[soft->skin_nodes[k]]);
  }
}

double syn_soft_volume(const syn_soft *soft, const syn_vec3 *x) {
  /* Relative to the first vertex, so that a body far from the origin loses no digits. */
  if (soft->skin->triangle_count == 0) return 0;
  const syn_vec3 origin = skin_point(soft, x, soft->skin->triangles[0].v[0]);
  double sum = 0;
  for (uint32_t t = 0; t < soft->skin->triangle_count; ++t) {
    syn_vec3 corners[3];
    for (int c = 0; c < 3; ++c) corners[c] = vec3_sub(skin_point(soft, x, soft->skin->triangles[t].v[c]), origin);
    sum += vec3_dot(corners[0], vec3_cross(corners[1], corners[2]));
  }
  return sum / 6;
}

/* ==== shares of faces ============================================================================================= */

/* Computes the surface area of nodes, if the faces are triangles between nodes. */

/* A third of a triangle belongs to each corner: the integral of a linear shape function. */
static void share_skin(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing) {
  const syn_trimesh *skin = soft->skin;
  for (uint32_t t = 0; t < skin->triangle_count; ++t) {
    uint32_t nodes[3];
    bool all = true;
    for (int c = 0; c < 3; ++c) {
      nodes[c] = soft->skin_nodes[soft->skin_start[skin->triangles[t].v[c]]];
      all &= chosen[nodes[c]];
    }
    if (!all) continue;
    const syn_vec3 a = soft->rest[nodes[0]], b = soft->rest[nodes[1]], c = soft->rest[nodes[2]];
    const syn_vec3 twice = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    for (int k = 0; k < 3; ++k) {
      areas[nodes[k]] += vec3_length(twice) / 6;
      facing[nodes[k]] = vec3_madd(facing[nodes[k]], 1.0 / 6, twice);
    }
  }
}

/* The vertices of the skin of molecules are not nodes. */
static bool skin_is_of_nodes(const syn_soft *soft) {
  for (uint32_t i = 0; i < soft->skin->vertex_count; ++i)
    if (soft->skin_start[i + 1] - soft->skin_start[i] != 1) return false;
  return true;
}

syn_status syn_soft_face_shares(const syn_soft *soft, const bool *chosen, double *areas_mm2, syn_vec3 *facing_mm2,
                                syn_error *error) {
  memset(areas_mm2, 0, soft->node_count * sizeof *areas_mm2);
  memset(facing_mm2, 0, soft->node_count * sizeof *facing_mm2);
  if (soft->model->face_shares) return soft->model->face_shares(soft, chosen, areas_mm2, facing_mm2, error);
  if (soft->model != &syn_model_molecules && skin_is_of_nodes(soft)) share_skin(soft, chosen, areas_mm2, facing_mm2);
  return SYN_OK;
}
