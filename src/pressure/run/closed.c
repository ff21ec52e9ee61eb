/* Makes layers of closed bodies of cartilage as scanned: filled with quadratic tetrahedra, bonded to the bone where
 * they touch it. */
#include <stdio.h>
#include <string.h>

#include <synovia/collide.h>

#include "pressure/contact/contact_solid.h"
#include "pressure/layer/layer.h"
#include "pressure/run/run.h"

/* Sets the thickness at each corner of a face: its distance from the bone. */
static syn_status find_thickness(const syn_trimesh *bone, syn_layer *layer, syn_error *error) {
  syn_surface *surface;
  syn_surface_point *nearest = NULL;
  SYN_TRY(syn_surface_create(bone, &surface, error));
  syn_status status = SYN_NEW(layer->context, &nearest, layer->node_count, error);
  if (!status && syn_surface_nearest(surface, layer->nodes, layer->node_count, nearest))
    status = syn_fail(error, SYN_BAD_MESH, "the cartilage has coordinates that cannot be measured");
  for (uint32_t i = 0; !status && i < layer->node_count; ++i) layer->thickness_mm[i] = NAN;
  for (uint32_t f = 0; !status && f < layer->face_count; ++f)
    for (int c = 0; c < 3; ++c) {
      const uint32_t i = layer->faces[f][c];
      layer->thickness_mm[i] = nearest[i].distance_mm;
    }
  syn_free(layer->context, nearest);
  syn_surface_destroy(surface);
  return status;
}

static void divide_faces(const contact_solid *solid, syn_layer *layer) {
  for (uint32_t f = 0; f < solid->face_count; ++f) {
    const uint32_t *from = solid->faces + 6 * (size_t)f;
    memcpy(layer->faces[f], from, 3 * sizeof *from);
    layer->faces[f][3] = from[2];
    memcpy(layer->edge_nodes[f], from + 3, 3 * sizeof *from);
  }
}

/* Moves what both have in common from the solid to the layer. */
static syn_status take_solid(contact_solid *solid, syn_layer *layer, syn_error *error) {
  const syn_context *context = layer->context;
  layer->node_count = solid->node_count;
  layer->element_count = solid->element_count;
  layer->face_count = solid->face_count;
  SYN_TRY(SYN_NEW_ZEROED(context, &layer->on_bone, solid->node_count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &layer->thickness_mm, solid->node_count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &layer->element_region, solid->element_count, error));
  SYN_TRY(SYN_NEW(context, &layer->faces, solid->face_count, error));
  SYN_TRY(SYN_NEW(context, &layer->edge_nodes, solid->face_count, error));
  for (uint32_t i = 0; i < solid->node_count; ++i) layer->on_bone[i] = solid->held[i] != 0;
  divide_faces(solid, layer);
  layer->nodes = solid->nodes;
  layer->elements = solid->elements;
  layer->face_element = solid->face_element;
  solid->nodes = NULL;
  solid->elements = NULL;
  solid->face_element = NULL;
  return SYN_OK;
}

static syn_status check_bond(const contact_solid *solid, const char *where, syn_error *error) {
  if (solid->bonded_faces > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the cartilage of the %s lies nowhere on its bone: nothing would hold it",
                  where);
}

static syn_status make_layer(const syn_pressure *p, bool head, syn_layer *layer, syn_error *error) {
  const syn_trimesh *const *parts = p->hip_case->hip.parts;
  const syn_trimesh *cartilage = parts[head ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_ACETABULAR_CARTILAGE];
  const char *where = head ? "head" : "socket";
  contact_solid solid;
  if (!cartilage) return syn_fail(error, SYN_BAD_ARGUMENT, "the joint has no body of cartilage on the %s", where);
  contact_solid_options options = syn_default_contact_solid_options();
  options.bone = parts[head ? SYN_HIP_FEMUR : SYN_HIP_PELVIS];
  *layer = (syn_layer){.context = p->context, .moves = head, .region_count = 1};
  layer->regions[0].tissue = SYN_TISSUE_CARTILAGE;
  layer->regions[0].material = syn_layer_material(p->hip_case->joint, SYN_TISSUE_CARTILAGE, head);
  SYN_TRY(syn_solid_fill(p->context, cartilage, &options, &solid, error));
  syn_status status = check_bond(&solid, where, error);
  snprintf(layer->note, sizeof layer->note,
           "The cartilage of the %s is the joint's closed body, filled with %u quadratic tetrahedra.", where,
           solid.element_count);
  if (!status) status = take_solid(&solid, layer, error);
  if (!status) status = find_thickness(options.bone, layer, error);
  syn_solid_release(&solid);
  return status;
}

syn_status syn_pressure_closed_layers(syn_pressure *p, syn_error *error) {
  const syn_trimesh *const *parts = p->hip_case->hip.parts;
  SYN_TRY(make_layer(p, false, &p->socket, error));
  SYN_TRY(make_layer(p, true, &p->head, error));
  if (parts[SYN_HIP_LABRUM] || parts[SYN_HIP_TRANSITION_ZONE])
    syn_warn(p->context, "only cartilage is filled: the labrum takes no part in the contact");
  return SYN_OK;
}
