/* Computes both faces of every column: the bonded face on the bone, and the articular face. */
#include "geometry/fit.h"
#include "pressure/layer/layer.h"

/* Bone of at most this roughness, mm, is smooth enough for contact. */
static const double rough = 0.05;
/* Spread of distances, relative, up to which the middle of the joint space counts as a sphere. */
static const double spherical = 0.05;

/* Kinds of the quads around a node. */
enum { ON_BONE = 1, LABRUM = 2, BARE = 4 };

static uint8_t use_of(uint8_t kind) {
  return kind == LAYER_NONE ? 0 : kind == LAYER_RIGID ? BARE : kind == 2 ? LABRUM : ON_BONE;
}

static syn_status node_uses(const layer_side *side, uint8_t **uses, syn_error *error) {
  const layer_grid *grid = &side->grid;
  SYN_TRY(SYN_TAKE(grid->arena, uses, grid->node_count, error));
  for (uint32_t i = 0; i < grid->node_count; ++i) (*uses)[i] = 0;
  for (uint32_t q = 0; q < grid->quad_count; ++q)
    for (int k = 0; k < 4; ++k) (*uses)[grid->quads[q][k]] |= use_of(grid->kind[q]);
  return SYN_OK;
}

/* ---- what rays hit -------------------------------------------------------------------------------------------------
 */

/* Finds the surface of a body on the side of the joint space. */
static double facing(const layer_side *side, const layer_view *view, syn_vec3 direction) {
  layer_hit hit;
  const bool found = side->head ? syn_layer_last_hit(view, direction, layer_near(side), layer_far(side), &hit)
                                : syn_layer_first_hit(view, direction, layer_near(side), layer_far(side), &hit);
  return found ? hit.radius : (double)NAN;
}

static double cartilage_radius(const layer_side *side, syn_vec3 direction) {
  const double radius = facing(side, &side->cartilage, direction);
  return isnan(radius) ? facing(side, &side->zone, direction) : radius;
}

/* Aims the ray of each node slightly towards the middle of the quads of its own kind, so that nodes on the edge of a
 * body hit the body. */
static syn_status aim_rays(const layer_side *side, const uint8_t *uses, syn_vec3 **aims, syn_error *error) {
  const layer_grid *grid = &side->grid;
  const double hair = 0.01;
  double *count = side->work;
  SYN_TRY(SYN_TAKE(grid->arena, aims, grid->node_count, error));
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    (*aims)[i] = vec3(0, 0, 0);
    count[i] = 0;
  }
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    const uint8_t kind = use_of(grid->kind[q]);
    for (int k = 0; k < 4 && kind; ++k) {
      const uint32_t node = grid->quads[q][k];
      if ((uses[node] & ON_BONE) && kind != ON_BONE) continue;
      (*aims)[node] = vec3_add((*aims)[node], syn_layer_quad_direction(grid, q));
      ++count[node];
    }
  }
  for (uint32_t i = 0; i < grid->node_count; ++i)
    if (count[i] > 0)
      (*aims)[i] = vec3_unit(vec3_lerp(grid->directions[i], vec3_scale((*aims)[i], 1 / count[i]), hair));
  return SYN_OK;
}

static void throw_rays(layer_side *side, const uint8_t *uses, const syn_vec3 *aims) {
  for (uint32_t i = 0; i < side->grid.node_count; ++i) {
    const syn_vec3 direction = aims[i];
    layer_hit hit;
    side->bonded[i] = side->face[i] = NAN;
    if (uses[i] & (ON_BONE | BARE)) side->bonded[i] = facing(side, &side->bone, direction);
    if (uses[i] & ON_BONE) {
      if (side->measured) side->face[i] = cartilage_radius(side, direction);
    } else if (uses[i] & LABRUM) {
      side->face[i] = facing(side, &side->labrum, direction);
      if (syn_layer_last_hit(&side->labrum, direction, layer_near(side), layer_far(side), &hit))
        side->bonded[i] = hit.radius;
    } else if (uses[i] & BARE) {
      side->face[i] = side->bonded[i];
    }
  }
}

/* ---- smooth bone ---------------------------------------------------------------------------------------------------
 */

/* Smooths until the bone's roughness and steps are removed, each time over smooth_mm at most. */
static double smooth_radii(const layer_side *side, double *radii) {
  const double length = side->maker->options.smooth_mm / side->maker->options.edge_mm;
  double moved = 0;
  for (int round = 0; round < 4 && length > 0; ++round) {
    if (syn_layer_roughness(&side->grid, &side->around, radii) < rough) break;
    const double by = syn_layer_smooth(&side->grid, &side->around, 4 * length * length, radii, side->work);
    moved = sqrt(moved * moved + by * by);
  }
  return moved;
}

/* ---- thickness -----------------------------------------------------------------------------------------------------
 */

/* Computes the cosine between the ray and the normal of a face, at every node: a thickness along the normal is
 * longer along the ray. */
static void find_cosines(const layer_side *side, const double *radii, double *cosine) {
  const layer_grid *grid = &side->grid;
  syn_vec3 *normals = (syn_vec3 *)(void *)side->work; /* three numbers for each node */
  for (uint32_t i = 0; i < grid->node_count; ++i) normals[i] = vec3(0, 0, 0);
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    syn_vec3 p[4];
    if (grid->kind[q] >= 2) continue;
    for (int k = 0; k < 4; ++k) p[k] = vec3_scale(grid->directions[grid->quads[q][k]], radii[grid->quads[q][k]]);
    const syn_vec3 normal = vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[1]));
    for (int k = 0; k < 4; ++k) normals[grid->quads[q][k]] = vec3_add(normals[grid->quads[q][k]], normal);
  }
  for (uint32_t i = 0; i < grid->node_count; ++i)
    cosine[i] = max2(0.5, vec3_dot(vec3_unit(normals[i]), grid->directions[i]));
}

/* Finds the surface on the other side of the joint space. */
static double opposite_radius(const layer_side *opposite, syn_vec3 direction) {
  return opposite->measured ? cartilage_radius(opposite, direction) : facing(opposite, &opposite->bone, direction);
}

/* Joint space along the ray; a cartilage on the other side takes half of it. */
static double space_at(const layer_side *side, const layer_side *opposite, uint32_t node) {
  const double other = opposite_radius(opposite, side->grid.directions[node]);
  const double space = side->head ? other - side->bonded[node] : side->bonded[node] - other;
  return opposite->measured && side->maker->options.rule != SYN_RULE_FILL ? space : 0.5 * space;
}

static double given_at(const layer_side *side, syn_vec3 direction) {
  const syn_layer_options *options = &side->maker->options;
  const double *values = side->head ? options->femur_thickness_mm : options->pelvis_thickness_mm;
  layer_hit hit;
  const bool found = side->head ? syn_layer_last_hit(&side->bone, direction, layer_near(side), layer_far(side), &hit)
                                : syn_layer_first_hit(&side->bone, direction, layer_near(side), layer_far(side), &hit);
  if (!found) return NAN;
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += hit.weight[k] * values[side->bone.mesh->triangles[hit.triangle].v[k]];
  return sum;
}

/* Distance from the side's centre to the sphere in the middle of the joint space. */
static double sphere_at(const layer_maker *maker, syn_vec3 direction) {
  const double along = vec3_dot(direction, maker->sphere_center);
  const double square =
      maker->sphere_radius * maker->sphere_radius - vec3_length2(maker->sphere_center) + along * along;
  return square > 0 ? along + sqrt(square) : (double)NAN;
}

/* Thickness by rule: along the normal if the caller gives it, along the ray if it follows from the joint space. */
static double thickness_at(const layer_side *side, const layer_side *opposite, uint32_t node, double cosine) {
  const layer_maker *maker = side->maker;
  const syn_vec3 direction = side->grid.directions[node];
  const double sign = side->head ? 1 : -1;
  if (maker->options.rule == SYN_RULE_CONSTANT) return maker->options.thickness_mm / cosine;
  if (maker->options.rule == SYN_RULE_GIVEN) return given_at(side, direction) / cosine;
  if (maker->sphere_radius > 0) return sign * (sphere_at(maker, direction) - side->bonded[node]);
  return max2(space_at(side, opposite, node), maker->options.min_thickness_mm);
}

/* Places faces by rule, over smoothed bone. After the first round normals are those of the face itself. */
static syn_status place_faces(layer_side *side, const layer_side *opposite, const uint8_t *uses, syn_error *error) {
  const syn_layer_options *options = &side->maker->options;
  const double length = 2 * options->smooth_mm / options->edge_mm;
  double *thickness, *cosine;
  SYN_TRY(SYN_TAKE(side->grid.arena, &thickness, side->grid.node_count, error));
  SYN_TRY(SYN_TAKE(side->grid.arena, &cosine, side->grid.node_count, error));
  for (int round = 0; round < 3; ++round) {
    find_cosines(side, round ? side->face : side->bonded, cosine);
    for (uint32_t i = 0; i < side->grid.node_count; ++i)
      thickness[i] = uses[i] & ON_BONE ? thickness_at(side, opposite, i, cosine[i]) : (double)NAN;
    const uint32_t filled = syn_layer_fill(&side->grid, &side->around, thickness, side->work);
    if (round == 0) side->interpolated += filled;
    if (options->rule <= SYN_RULE_FILL && !(side->maker->sphere_radius > 0))
      syn_layer_smooth(&side->grid, &side->around, 4 * length * length, thickness, side->work);
    for (uint32_t i = 0; i < side->grid.node_count; ++i)
      if (uses[i] & ON_BONE) side->face[i] = side->bonded[i] + (side->head ? 1 : -1) * thickness[i];
  }
  return SYN_OK;
}

/* Moves the bone where the tissue would be thinner than the minimum thickness: articular faces stay smooth. */
static void keep_least(layer_side *side, const uint8_t *uses) {
  const double sign = side->head ? 1 : -1;
  for (uint32_t i = 0; i < side->grid.node_count; ++i) {
    if (!(uses[i] & (ON_BONE | LABRUM)) || isnan(side->face[i])) continue;
    /* A free edge needs more than a bonded layer, or its elements fold. */
    const double least = (uses[i] & ON_BONE ? 1 : 2) * side->maker->options.min_thickness_mm;
    const double missing = least - sign * (side->face[i] - side->bonded[i]);
    if (!(missing > 1e-9)) continue;
    side->bonded[i] = side->face[i] - sign * least;
    ++side->thickened;
    side->max_added = max2(side->max_added, missing);
  }
}

/* ---- labrum --------------------------------------------------------------------------------------------------------
 */

/* Interpolates the labrum outward from the rim where it was not scanned. A labrum without a scan has the section of
 * Arbabi 2009, §4.3.2.2: a triangle of 2.5 mm at the rim of a head of 25 mm. */
static syn_status finish_labrum(layer_side *side, const uint8_t *uses, syn_error *error) {
  const layer_maker *maker = side->maker;
  const layer_grid *grid = &side->grid;
  layer_neighbours around;
  uint32_t first = grid->rings - 1;
  SYN_TRY(syn_layer_neighbours_find(grid, 2, 2, &around, error));
  for (uint32_t q = 0; q < grid->quad_count; ++q)
    if (grid->kind[q] == 2 && grid->ring_of[q] < first) first = grid->ring_of[q];
  syn_layer_fill(grid, &around, side->face, side->work);
  for (uint32_t i = 0; i < grid->rings * grid->columns; ++i) {
    if ((uses[i] & (ON_BONE | LABRUM)) != LABRUM) continue;
    const uint32_t ring = i / grid->columns;
    if (ring == first) side->held[i] = 1;
    const double part = (double)(ring - first) / (grid->rings - 1 - first);
    if (!side->labrum.mesh) side->bonded[i] = side->face[i] + 0.1 * maker->radius * (1 - part);
    if (isnan(side->bonded[i])) side->bonded[i] = side->face[i];
  }
  return SYN_OK;
}

/* ---- bare bone -----------------------------------------------------------------------------------------------------
 */

/* Removes faces of bone that rays missed, or that fold away from the joint. */
static void drop_missing(layer_side *side) {
  layer_grid *grid = &side->grid;
  for (uint32_t q = 0; q < grid->quad_count; ++q)
    for (int k = 0; k < 4 && grid->kind[q] == LAYER_RIGID; ++k)
      if (isnan(side->face[grid->quads[q][k]])) grid->kind[q] = LAYER_NONE;
}

/* ---- both sides ----------------------------------------------------------------------------------------------------
 */

/* Separates cartilages that overlap as scanned: both move by half of the overlap. */
static void part_faces(layer_side *side, const layer_side *opposite, const uint8_t *uses) {
  const double sign = side->head ? 1 : -1;
  for (uint32_t i = 0; i < side->grid.node_count; ++i) {
    if (!(uses[i] & ON_BONE)) continue;
    const double overlap = sign * (side->face[i] - cartilage_radius(opposite, side->grid.directions[i]));
    if (!(overlap > 1e-6)) continue;
    side->face[i] -= sign * 0.5 * overlap;
    ++side->separated;
    side->deepest = max2(side->deepest, overlap);
  }
}

syn_status syn_layer_middle_sphere(layer_maker *maker, const layer_side *socket, const layer_side *head,
                                   syn_error *error) {
  const layer_grid *grid = &socket->grid;
  uint8_t *uses;
  syn_vec3 *points;
  uint32_t count = 0;
  SYN_TRY(node_uses(socket, &uses, error));
  SYN_TRY(SYN_TAKE(grid->arena, &points, grid->node_count, error));
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    if (!(uses[i] & ON_BONE)) continue;
    const double outer = facing(socket, &socket->bone, grid->directions[i]);
    const double inner = facing(head, &head->bone, grid->directions[i]);
    if (!isnan(outer + inner)) points[count++] = vec3_scale(grid->directions[i], 0.5 * (outer + inner));
  }
  if (count < 16) return SYN_OK;
  const sphere_spread fit = syn_fit_sphere(points, count, points[0]);
  if (!(fit.spread < spherical)) return SYN_OK;
  maker->sphere_center = fit.center;
  for (uint32_t i = 0; i < count; ++i) maker->sphere_radius += vec3_distance(points[i], fit.center) / count;
  return SYN_OK;
}

/* ---- all -----------------------------------------------------------------------------------------------------------
 */

static syn_status place_on_bone(layer_side *side, const layer_side *opposite, const uint8_t *uses, syn_error *error) {
  const bool by_body = side->measured && side->maker->options.rule == SYN_RULE_MEASURED;
  SYN_TRY(syn_layer_neighbours_find(&side->grid, 0, 1, &side->around, error));
  side->interpolated += syn_layer_fill(&side->grid, &side->around, side->bonded, side->work);
  side->smoothed = smooth_radii(side, side->bonded);
  if (!by_body) return place_faces(side, opposite, uses, error);
  side->interpolated += syn_layer_fill(&side->grid, &side->around, side->face, side->work);
  smooth_radii(side, side->face);
  return SYN_OK;
}

syn_status syn_layer_faces(layer_side *side, const layer_side *opposite, syn_error *error) {
  uint8_t *uses;
  syn_vec3 *aims;
  const uint32_t nodes = side->grid.node_count;
  SYN_TRY(node_uses(side, &uses, error));
  SYN_TRY(SYN_TAKE(side->grid.arena, &side->bonded, nodes, error));
  SYN_TRY(SYN_TAKE(side->grid.arena, &side->face, nodes, error));
  SYN_TRY(SYN_TAKE(side->grid.arena, &side->held, nodes, error));
  SYN_TRY(SYN_TAKE(side->grid.arena, &side->work, 3 * (size_t)nodes, error));
  for (uint32_t i = 0; i < nodes; ++i) side->held[i] = 0;
  /* Radii where rays hit the bodies, then faces by rule */
  SYN_TRY(aim_rays(side, uses, &aims, error));
  throw_rays(side, uses, aims);
  SYN_TRY(place_on_bone(side, opposite, uses, error));
  if (!side->head) SYN_TRY(finish_labrum(side, uses, error));
  if (side->measured && opposite->measured && side->maker->options.rule == SYN_RULE_MEASURED)
    part_faces(side, opposite, uses);
  /* Minimum thickness, then checks */
  keep_least(side, uses);
  drop_missing(side);
  for (uint32_t i = 0; i < nodes; ++i)
    if ((uses[i] & (ON_BONE | LABRUM)) && isnan(side->face[i] + side->bonded[i]))
      return syn_fail(error, SYN_BAD_MESH,
                      "no bone is seen from the centre of the joint where the %s has its cartilage",
                      side->head ? "head" : "socket");
  return SYN_OK;
}
