/* Builds hexahedra and faces from the columns of a grid. */
#include <string.h>

#include "pressure/layer/layer.h"

typedef struct builder {
  const layer_side *side;
  syn_layer *layer;
  uint32_t levels; /* nodes of a column */
  uint32_t *soft,
      *rigid; /* of each node of the grid: its lowest node in the layer, towards the bone; SYN_NONE: not in the layer */
} builder;

/* ---- counts and memory ---------------------------------------------------------------------------------------------
 */

/* Counts quads and numbers nodes of one kind, rigid or not. */
static void number_kind(builder *b, bool rigid, uint32_t *numbers, uint32_t levels) {
  const layer_grid *grid = &b->side->grid;
  syn_layer *layer = b->layer;
  for (uint32_t i = 0; i < grid->node_count; ++i) numbers[i] = SYN_NONE;
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    if (grid->kind[q] == LAYER_NONE || (grid->kind[q] == LAYER_RIGID) != rigid) continue;
    layer->element_count += rigid ? 0 : b->levels - 1;
    ++layer->face_count;
    for (int k = 0; k < 4; ++k) {
      uint32_t *number = &numbers[grid->quads[q][k]];
      if (*number != SYN_NONE) continue;
      *number = layer->node_count;
      layer->node_count += levels;
    }
  }
}

static syn_status number_nodes(builder *b, syn_error *error) {
  const layer_grid *grid = &b->side->grid;
  SYN_TRY(SYN_TAKE(grid->arena, &b->soft, grid->node_count, error));
  SYN_TRY(SYN_TAKE(grid->arena, &b->rigid, grid->node_count, error));
  number_kind(b, false, b->soft, b->levels);
  const uint32_t soft = b->layer->node_count;
  number_kind(b, true, b->rigid, 1);
  b->layer->rigid_node_count = b->layer->node_count - soft;
  return SYN_OK;
}

static syn_status take_arrays(const syn_context *context, syn_layer *layer, syn_error *error) {
  SYN_TRY(SYN_NEW(context, &layer->nodes, layer->node_count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &layer->on_bone, layer->node_count, error));
  SYN_TRY(SYN_NEW(context, &layer->elements, 8 * (size_t)layer->element_count, error));
  SYN_TRY(SYN_NEW(context, &layer->element_region, layer->element_count, error));
  SYN_TRY(SYN_NEW(context, &layer->faces, layer->face_count, error));
  SYN_TRY(SYN_NEW(context, &layer->face_element, layer->face_count, error));
  return SYN_NEW(context, &layer->thickness_mm, layer->node_count, error);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------
 */

static void place_nodes(const builder *b) {
  const layer_side *side = b->side;
  for (uint32_t i = 0; i < side->grid.node_count; ++i) {
    const syn_vec3 direction = side->grid.directions[i];
    for (uint32_t level = 0; level < b->levels && b->soft[i] != SYN_NONE; ++level) {
      const double part = (double)level / (b->levels - 1);
      const double radius = (1 - part) * side->bonded[i] + part * side->face[i];
      b->layer->nodes[b->soft[i] + level] = vec3_madd(side->center, radius, direction);
      if (side->held[i]) b->layer->on_bone[b->soft[i] + level] = 1;
    }
    if (b->rigid[i] == SYN_NONE) continue;
    b->layer->nodes[b->rigid[i]] = vec3_madd(side->center, side->face[i], direction);
    b->layer->on_bone[b->rigid[i]] = 1;
  }
}

/* ---- elements and faces --------------------------------------------------------------------------------------------
 */

/* Quads of the grid are counterclockwise from outside: towards the joint space of a head, away from that of a socket.
 */
static uint32_t corner(const builder *b, uint32_t quad, int k) {
  return b->side->grid.quads[quad][b->side->head ? k : 3 - k];
}

static void add_elements(const builder *b, uint32_t quad, uint32_t *count) {
  syn_layer *layer = b->layer;
  const uint8_t region = b->side->grid.kind[quad];
  for (uint32_t level = 0; level + 1 < b->levels; ++level) {
    uint32_t *nodes = layer->elements + 8 * (size_t)*count;
    for (int k = 0; k < 4; ++k) {
      const uint32_t base = b->soft[corner(b, quad, k)] + level;
      nodes[k] = base;
      nodes[4 + k] = base + 1;
      if (level == 0 && region < 2) layer->on_bone[base] = 1;
    }
    layer->element_region[(*count)++] = region;
  }
}

static void add_faces(const builder *b) {
  const layer_grid *grid = &b->side->grid;
  syn_layer *layer = b->layer;
  uint32_t faces = 0, elements = 0;
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    if (grid->kind[q] == LAYER_NONE) continue;
    const bool rigid = grid->kind[q] == LAYER_RIGID;
    if (!rigid) add_elements(b, q, &elements);
    for (int k = 0; k < 4; ++k) {
      const uint32_t node = corner(b, q, k);
      layer->faces[faces][k] = rigid ? b->rigid[node] : b->soft[node] + b->levels - 1;
    }
    layer->face_element[faces++] = rigid ? SYN_NONE : elements - 1;
  }
}

/* Measures the thickness along the normal of the articular face. */
static syn_status measure_thickness(const builder *b, syn_error *error) {
  syn_layer *layer = b->layer;
  syn_vec3 *normals;
  SYN_TRY(SYN_TAKE(b->side->grid.arena, &normals, layer->node_count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) {
    normals[i] = vec3(0, 0, 0);
    layer->thickness_mm[i] = NAN;
  }
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    const uint32_t *v = layer->faces[f];
    if (layer->face_element[f] == SYN_NONE) continue;
    const syn_vec3 normal =
        vec3_cross(vec3_sub(layer->nodes[v[2]], layer->nodes[v[0]]), vec3_sub(layer->nodes[v[3]], layer->nodes[v[1]]));
    for (int k = 0; k < 4; ++k) normals[v[k]] = vec3_add(normals[v[k]], normal);
  }
  for (uint32_t i = 0; i < b->side->grid.node_count; ++i) {
    if (b->soft[i] == SYN_NONE) continue;
    const uint32_t top = b->soft[i] + b->levels - 1;
    const double length = fabs(b->side->face[i] - b->side->bonded[i]);
    layer->thickness_mm[top] = length * fabs(vec3_dot(vec3_unit(normals[top]), b->side->grid.directions[i]));
  }
  return SYN_OK;
}

/* ---- regions -------------------------------------------------------------------------------------------------------
 */

syn_material syn_layer_material(const syn_joint *joint, syn_tissue tissue, bool moves) {
  for (size_t i = 0; joint && i < joint->body_count; ++i)
    if (joint->bodies[i].tissue == tissue && joint->bodies[i].moves == moves)
      return syn_body_material(&joint->bodies[i]);
  return syn_tissue_material(tissue, NULL);
}

static void set_regions(const builder *b) {
  static const syn_tissue tissues[] = {SYN_TISSUE_CARTILAGE, SYN_TISSUE_TRANSITION_ZONE, SYN_TISSUE_LABRUM};
  const bool head = b->side->head;
  b->layer->region_count = head ? 1 : 3;
  for (uint32_t i = 0; i < b->layer->region_count; ++i) {
    b->layer->tissues[i] = tissues[i];
    b->layer->materials[i] = syn_layer_material(b->side->maker->hip_case->joint, tissues[i], head);
  }
}

static void set_report(const builder *b) {
  const layer_side *side = b->side;
  syn_layer *layer = b->layer;
  layer->moves = side->head;
  layer->assumed = side->maker->options.rule != SYN_RULE_MEASURED || !side->measured;
  layer->interpolated = side->interpolated;
  layer->thickened = side->thickened;
  layer->max_added_mm = side->max_added;
  layer->separated = side->separated;
  layer->overlap_mm = side->deepest;
  layer->smoothed_mm = side->smoothed;
}

syn_status syn_layer_build(const syn_context *context, const layer_side *side, syn_layer *layer, syn_error *error) {
  builder b = {.side = side, .layer = layer, .levels = side->maker->options.layers + 1};
  *layer = (syn_layer){.context = context};
  SYN_TRY(number_nodes(&b, error));
  SYN_TRY(take_arrays(context, layer, error));
  place_nodes(&b);
  add_faces(&b);
  set_regions(&b);
  set_report(&b);
  SYN_TRY(measure_thickness(&b, error));
  syn_layer_check(layer);
  return SYN_OK;
}
