/* Gives bare bone of a layer finite elements: thin hexahedra behind the rigid faces, all of whose nodes are bonded
 * to the bone. They never deform; but nodes of a face must belong to an element. */
#include <string.h>

#include "pressure/run/run.h"

#define BEHIND_MM 0.2

/* Numbers the nodes behind those of rigid faces (SYN_NONE for other nodes). Returns their count. */
static uint32_t number_backs(const syn_layer *layer, uint32_t *back, uint32_t *faces) {
  uint32_t count = 0;
  *faces = 0;
  for (uint32_t i = 0; i < layer->node_count; ++i) back[i] = SYN_NONE;
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    if (layer->face_element[f] != SYN_NONE) continue;
    ++*faces;
    for (int c = 0; c < 4; ++c)
      if (back[layer->faces[f][c]] == SYN_NONE) back[layer->faces[f][c]] = layer->node_count + count++;
  }
  return count;
}

static syn_status grow(syn_layer *layer, uint32_t nodes, uint32_t elements, syn_error *error) {
  const syn_context *context = layer->context;
  const size_t n = (size_t)layer->node_count + nodes, e = (size_t)layer->element_count + elements;
  SYN_TRY(syn_reallocate(context, (void **)&layer->nodes, n, sizeof *layer->nodes, error));
  SYN_TRY(syn_reallocate(context, (void **)&layer->on_bone, n, sizeof *layer->on_bone, error));
  SYN_TRY(syn_reallocate(context, (void **)&layer->thickness_mm, n, sizeof *layer->thickness_mm, error));
  SYN_TRY(syn_reallocate(context, (void **)&layer->elements, 8 * e, sizeof *layer->elements, error));
  return syn_reallocate(context, (void **)&layer->element_region, e, sizeof *layer->element_region, error);
}

/* Places a node behind each node, against the mean normal of its rigid faces. */
static void place_backs(syn_layer *layer, const uint32_t *back, uint32_t old_count) {
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    const uint32_t *v = layer->faces[f];
    if (layer->face_element[f] != SYN_NONE) continue;
    const syn_vec3 normal = vec3_unit(
        vec3_cross(vec3_sub(layer->nodes[v[2]], layer->nodes[v[0]]), vec3_sub(layer->nodes[v[3]], layer->nodes[v[1]])));
    for (int c = 0; c < 4; ++c) layer->nodes[back[v[c]]] = vec3_add(layer->nodes[back[v[c]]], normal);
  }
  for (uint32_t i = 0; i < old_count; ++i) {
    if (back[i] == SYN_NONE) continue;
    layer->nodes[back[i]] = vec3_madd(layer->nodes[i], -BEHIND_MM, vec3_unit(layer->nodes[back[i]]));
    layer->on_bone[back[i]] = 1;
    layer->thickness_mm[back[i]] = NAN;
  }
}

static void add_elements(syn_layer *layer, const uint32_t *back) {
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    if (layer->face_element[f] != SYN_NONE) continue;
    uint32_t *element = &layer->elements[8 * (size_t)layer->element_count];
    for (int c = 0; c < 4; ++c) {
      element[c] = back[layer->faces[f][c]];
      element[4 + c] = layer->faces[f][c];
    }
    layer->element_region[layer->element_count] = 0;
    layer->face_element[f] = layer->element_count++;
  }
}

syn_status syn_pressure_back_bone(syn_layer *layer, syn_error *error) {
  uint32_t *back, elements;
  const uint32_t old_count = layer->node_count;
  SYN_TRY(SYN_NEW(layer->context, &back, old_count, error));
  const uint32_t added = number_backs(layer, back, &elements);
  syn_status status = layer->element_count && added ? grow(layer, added, elements, error) : SYN_OK;
  if (status == SYN_OK && layer->element_count && added) {
    memset(&layer->nodes[old_count], 0, added * sizeof *layer->nodes);
    layer->node_count += added;
    place_backs(layer, back, old_count);
    add_elements(layer, back);
  }
  syn_free(layer->context, back);
  return status;
}
