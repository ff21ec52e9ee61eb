/* Makes a surface of the foundation: articular faces of a layer, or a rigid mesh, with normals at its nodes. */
#include <string.h>

#include "pressure/foundation/foundation.h"

double syn_foundation_modulus(const syn_material *material) {
  const double e = material->young_mpa, nu = material->poisson;
  if (!(e > 0) || !isfinite(e) || !(nu > -1) || !(nu < 0.5)) return NAN;
  return (1 - nu) * e / ((1 + nu) * (1 - 2 * nu));
}

void syn_foundation_side_release(const syn_context *context, foundation_side *side) {
  syn_free(context, side->source);
  syn_free(context, side->nodes);
  syn_free(context, side->normals);
  syn_free(context, side->thickness_mm);
  syn_free(context, side->give_mm_per_mpa);
  syn_free(context, side->modulus_mpa);
  syn_free(context, side->faces);
  syn_free(context, side->regions);
  *side = (foundation_side){0};
}

/* ---- normals ------------------------------------------------------------------------------------------------------
 */

/* Weights of Max (1999): normals of nodes on a sphere are exact, however irregular the faces. */
static syn_vec3 corner_normal(syn_vec3 at, syn_vec3 next, syn_vec3 previous) {
  const syn_vec3 a = vec3_sub(next, at), b = vec3_sub(previous, at);
  const double weight = vec3_length2(a) * vec3_length2(b);
  return weight > 0 ? vec3_scale(vec3_cross(a, b), 1 / weight) : vec3(0, 0, 0);
}

static void add_face_normals(foundation_side *side, const uint32_t face[4]) {
  const int corners = face[3] == face[2] ? 3 : 4;
  for (int c = 0; c < corners; ++c) {
    const uint32_t at = face[c], next = face[(c + 1) % corners], previous = face[(c + corners - 1) % corners];
    side->normals[at] =
        vec3_add(side->normals[at], corner_normal(side->nodes[at], side->nodes[next], side->nodes[previous]));
  }
}

/* Computes normals away from the centre; an error names a node that cannot have one. */
static syn_status find_normals(foundation_side *side, bool outward, syn_error *error) {
  const char *what = outward ? "head" : "socket";
  uint32_t turned = 0;
  memset(side->normals, 0, side->node_count * sizeof *side->normals);
  for (uint32_t f = 0; f < side->face_count; ++f) add_face_normals(side, side->faces[f]);
  for (uint32_t i = 0; i < side->node_count; ++i) {
    const syn_vec3 unit = vec3_unit(side->normals[i]);
    const double radius = vec3_length(side->nodes[i]);
    if (!(radius > 0) || !(vec3_length2(unit) > 0))
      return syn_fail(error, SYN_BAD_MESH, "node %u of the surface of the %s lies at the centre or has no normal",
                      side->source[i], what);
    side->normals[i] = outward ? unit : vec3_neg(unit);
    if (vec3_dot(side->normals[i], side->nodes[i]) < 0.1 * radius) ++turned;
  }
  if (turned > side->node_count / 2)
    return syn_fail(error, SYN_BAD_MESH,
                    "the surface of the %s faces away from the joint, or the centre is not inside it: %u of %u nodes",
                    what, turned, side->node_count);
  return SYN_OK;
}

enum { RIGID_REGION = 3 }; /* pressure on bare bone is reported in the last region */

/* ---- from a layer -------------------------------------------------------------------------------------------------
 */

static syn_status allocate(const syn_context *context, uint32_t nodes, uint32_t faces, foundation_side *side,
                           syn_error *error) {
  SYN_TRY(SYN_NEW(context, &side->source, nodes, error));
  SYN_TRY(SYN_NEW(context, &side->nodes, nodes, error));
  SYN_TRY(SYN_NEW(context, &side->normals, nodes, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &side->thickness_mm, nodes, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &side->give_mm_per_mpa, nodes, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &side->modulus_mpa, nodes, error));
  SYN_TRY(SYN_NEW(context, &side->faces, faces, error));
  return SYN_NEW_ZEROED(context, &side->regions, faces, error);
}

static syn_status check_layer(const syn_layer *layer, double moduli[4], syn_error *error) {
  if (layer->face_count == 0) return syn_fail(error, SYN_BAD_MESH, "a layer of the joint has no articular faces");
  for (uint32_t r = 0; r < layer->region_count; ++r) {
    const syn_material *m = &layer->materials[r];
    moduli[r] = syn_foundation_modulus(m);
    if (isnan(moduli[r]))
      return syn_fail(error, SYN_BAD_ARGUMENT,
                      "an elastic foundation needs Young's modulus above 0 and Poisson's ratio below 0.5; the %s of "
                      "the layer has %g MPa and %g",
                      syn_tissue_name(layer->tissues[r]), m->young_mpa, m->poisson);
  }
  return SYN_OK;
}

/* Sets the modulus of a node to the mean of those of the faces around it that have tissue behind them. */
static void find_moduli(const syn_layer *layer, foundation_side *side, const double moduli[4]) {
  double *counts = side->thickness_mm; /* until the thickness is filled in */
  for (uint32_t f = 0; f < side->face_count; ++f)
    for (int c = 0; c < 4 && layer->face_element[f] != SYN_NONE; ++c) {
      side->modulus_mpa[side->faces[f][c]] += moduli[side->regions[f]];
      counts[side->faces[f][c]] += 1;
    }
  for (uint32_t i = 0; i < side->node_count; ++i)
    side->modulus_mpa[i] = counts[i] > 0 ? side->modulus_mpa[i] / counts[i] : 1;
}

/* Nodes of rigid faces only have no tissue below them. */
static syn_status find_thickness(const syn_layer *layer, foundation_side *side, syn_error *error) {
  for (uint32_t i = 0; i < side->node_count; ++i) {
    const bool rigid = !(side->thickness_mm[i] > 0);
    side->thickness_mm[i] = rigid ? 0 : layer->thickness_mm[side->source[i]];
    if (!rigid && !(side->thickness_mm[i] > 0))
      return syn_fail(error, SYN_BAD_MESH, "the layer has no thickness at node %u", side->source[i]);
  }
  return SYN_OK;
}

/* ---- tissue without bone behind it --------------------------------------------------------------------------------
 */

/* Finds whether the column below each node of the side ends on bone; `below` is the node under each node of the
 * layer. */
static void find_backed(const syn_layer *layer, const foundation_side *side, uint32_t *below, bool *backed) {
  for (uint32_t i = 0; i < layer->node_count; ++i) below[i] = SYN_NONE;
  for (uint32_t e = 0; e < layer->element_count; ++e)
    for (int c = 0; c < 4; ++c) below[layer->elements[8 * (size_t)e + 4 + c]] = layer->elements[8 * (size_t)e + c];
  for (uint32_t i = 0; i < side->node_count; ++i) {
    uint32_t at = side->source[i];
    for (uint32_t steps = 0; below[at] != SYN_NONE && steps < layer->element_count; ++steps) at = below[at];
    backed[i] = layer->on_bone[at] != 0;
  }
}

/* A free rim, such as a labrum, deforms as a ring (E t / R^2) and as a plate clamped at the edge of the bone (8 D /
 * x^4, of a uniform pressure at the distance x): pressure per mm. */
static double stiffness_of_rim(const syn_layer *layer, const foundation_side *side, uint32_t i, double x) {
  const syn_material *m = &layer->materials[layer->region_count - 1];
  const double t = side->thickness_mm[i], r2 = vec3_length2(side->nodes[i]);
  const double plate = m->young_mpa * t * t * t / (12 * (1 - m->poisson * m->poisson));
  return m->young_mpa * t / r2 + 8 * plate / (x * x * x * x);
}

static void find_give(const syn_layer *layer, foundation_side *side, const bool *backed) {
  for (uint32_t i = 0; i < side->node_count; ++i) {
    double nearest2 = INFINITY;
    if (backed[i]) continue;
    for (uint32_t k = 0; k < side->node_count; ++k)
      if (backed[k]) nearest2 = min2(nearest2, vec3_length2(vec3_sub(side->nodes[k], side->nodes[i])));
    if (isfinite(nearest2)) side->give_mm_per_mpa[i] = 1 / stiffness_of_rim(layer, side, i, sqrt(nearest2));
  }
}

static syn_status find_free_rim(const syn_context *context, const syn_layer *layer, foundation_side *side,
                                syn_error *error) {
  syn_arena arena = {.context = context};
  uint32_t *below;
  bool *backed;
  syn_status status = SYN_TAKE(&arena, &below, layer->node_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &backed, side->node_count, error);
  if (status == SYN_OK) {
    find_backed(layer, side, below, backed);
    find_give(layer, side, backed);
  }
  syn_arena_release(&arena);
  return status;
}

static syn_status fill_from_layer(const syn_context *context, const syn_layer *layer, syn_vec3 center, uint32_t *number,
                                  const double moduli[4], foundation_side *side, syn_error *error) {
  for (uint32_t i = 0; i < layer->node_count; ++i) number[i] = SYN_NONE;
  for (uint32_t f = 0; f < layer->face_count; ++f)
    for (int c = 0; c < 4; ++c)
      if (number[layer->faces[f][c]] == SYN_NONE) number[layer->faces[f][c]] = side->node_count++;
  SYN_TRY(allocate(context, side->node_count, layer->face_count, side, error));
  side->face_count = layer->face_count;
  side->source_count = layer->node_count;
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    for (int c = 0; c < 4; ++c) side->faces[f][c] = number[layer->faces[f][c]];
    const uint32_t behind = layer->face_element[f];
    side->regions[f] = behind == SYN_NONE ? RIGID_REGION : layer->element_region[behind];
  }
  for (uint32_t i = 0; i < layer->node_count; ++i)
    if (number[i] != SYN_NONE) {
      side->source[number[i]] = i;
      side->nodes[number[i]] = vec3_sub(layer->nodes[i], center);
    }
  find_moduli(layer, side, moduli);
  SYN_TRY(find_thickness(layer, side, error));
  return find_free_rim(context, layer, side, error);
}

syn_status syn_foundation_side_of_layer(const syn_context *context, const syn_layer *layer, syn_vec3 center,
                                        bool outward, foundation_side *side, syn_error *error) {
  double moduli[4];
  uint32_t *number;
  SYN_TRY(check_layer(layer, moduli, error));
  SYN_TRY(SYN_NEW(context, &number, layer->node_count, error));
  const syn_status status = fill_from_layer(context, layer, center, number, moduli, side, error);
  syn_free(context, number);
  SYN_TRY(status);
  return find_normals(side, outward, error);
}

/* ---- from a rigid mesh --------------------------------------------------------------------------------------------
 */

syn_status syn_foundation_side_of_mesh(const syn_context *context, const syn_trimesh *mesh, syn_vec3 center,
                                       bool outward, foundation_side *side, syn_error *error) {
  if (mesh->triangle_count == 0) return syn_fail(error, SYN_BAD_MESH, "the rigid surface has no triangles");
  side->node_count = side->source_count = mesh->vertex_count;
  side->face_count = mesh->triangle_count;
  SYN_TRY(allocate(context, side->node_count, side->face_count, side, error));
  for (uint32_t i = 0; i < side->node_count; ++i) {
    side->source[i] = i;
    side->nodes[i] = vec3_sub(mesh->vertices[i], center);
    side->modulus_mpa[i] = 1;
  }
  for (uint32_t f = 0; f < side->face_count; ++f) {
    const uint32_t *v = mesh->triangles[f].v;
    memcpy(side->faces[f], (uint32_t[4]){v[0], v[1], v[2], v[2]}, sizeof side->faces[f]);
  }
  return find_normals(side, outward, error);
}
