/* Runs the finite element method and stores its steps. */

#include <stdio.h>
#include <string.h>

#include <synovia/collide.h>

#include "pressure/contact/contact_solid.h"
#include "pressure/layer/layer.h"
#include "pressure/run/pressure_run.h"

/* ---- closed ---------------------------------------------------------------------------------------------------- */
/* Makes layers of closed bodies of cartilage as scanned: filled with quadratic tetrahedra, bonded to the bone where
 * they touch it. */

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
  layer->tissues[0] = SYN_TISSUE_CARTILAGE;
  layer->materials[0] = syn_layer_material(p->hip_case->joint, SYN_TISSUE_CARTILAGE, head);
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

/* ---- bone ------------------------------------------------------------------------------------------------------ */
/* Gives bare bone of a layer finite elements: thin hexahedra behind the rigid faces, all of whose nodes are bonded
 * to the bone. They never deform; but nodes of a face must belong to an element. */

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

/* Gives bare bone of a layer elements that do not deform, as finite elements need them. */
static syn_status pressure_back_bone(syn_layer *layer, syn_error *error) {
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

/* ---- fem steps ------------------------------------------------------------------------------------------------- */

static void keep_stress(const syn_pressure_surface *surface, const syn_sym3 *stress, size_t step) {
  const size_t count = surface->mesh->vertex_count;
  for (size_t i = 0; i < count; ++i)
    surface->von_mises_mpa[step * count + i] = stress ? syn_sym3_von_mises(&stress[surface->nodes[i]]) : (double)NAN;
}

/* Finds the node below each node in its column of hexahedra; NULL for tetrahedra. */
static syn_status find_below(const syn_layer *layer, uint32_t **below, syn_error *error) {
  *below = NULL;
  if (layer->edge_nodes) return SYN_OK;
  SYN_TRY(SYN_NEW(layer->context, below, layer->node_count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) (*below)[i] = SYN_NONE;
  for (size_t e = 0; e < layer->element_count; ++e)
    for (int c = 0; c < 4; ++c) (*below)[layer->elements[8 * e + 4 + c]] = layer->elements[8 * e + c];
  return SYN_OK;
}

/* Returns NAN for tetrahedra, which have no columns. */
static syn_status find_strain(const syn_pressure *p, const pressure_fields *fields, double *strain, syn_error *error) {
  *strain = NAN;
  for (int k = 0; k < 2; ++k) {
    const syn_layer *layer = k ? &p->head : &p->socket;
    uint32_t *below;
    SYN_TRY(find_below(layer, &below, error));
    if (!below) continue;
    const double of_layer =
        syn_pressure_column_strain(layer, below, fields->solution.positions[k], fields->solution.pressure_mpa[k]);
    if (!(*strain >= of_layer)) *strain = of_layer;
    syn_free(p->context, below);
  }
  return SYN_OK;
}

static syn_status keep(void *user, const syn_pressure_step *step, const pressure_fields *fields, syn_error *error) {
  syn_pressure *p = user;
  const size_t at = p->step_count;
  p->steps[at] = *step;
  SYN_TRY(find_strain(p, fields, &p->steps[at].strain, error));
  for (int k = 0; k < 2; ++k) {
    const syn_pressure_surface *s = &p->surfaces[k];
    syn_pressure_keep_field(s, fields->solution.pressure_mpa[k], at, s->pressure_mpa);
    syn_pressure_keep_field(s, fields->solution.gap_mm[k], at, s->gap_mm);
    keep_stress(s, fields->stress[k], at);
  }
  if (fields->comparison) {
    p->compared = true;
    p->comparison = *fields->comparison;
  }
  p->step_count = at + 1;
  return syn_pressure_report_progress(p, error);
}

/* Elements need a mass density, which an equilibrium does not use: any value will do if none is published. */
static void complete(syn_layer *layer) {
  for (uint32_t r = 0; r < layer->region_count; ++r)
    if (isnan(layer->materials[r].density_kg_m3)) layer->materials[r].density_kg_m3 = 1000;
}

static syn_status run_loop(syn_pressure *p, const syn_pressure_options *options, const pressure_resume *resume,
                           syn_error *error) {
  const fem_loop loop = {.context = p->context,
                         .layers = {&p->socket, &p->head},
                         .center = p->hip_case->hip.center,
                         .poses = p->loads.poses,
                         .count = p->loads.count,
                         .options = &options->fem,
                         .resume = resume,
                         .report = keep,
                         .user = p};
  return syn_pressure_fem_run(&loop, error);
}

/* Resumes from a checkpoint. It stays on disk until the results are written: a run may be killed while it writes
 * them. */
static syn_status resume_loop(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  pressure_checkpoint checkpoint = {.pressure = p, .path = options->checkpoint, .ranks = options->fem.contact.ranks};
  syn_status status = syn_pressure_checkpoint_open(&checkpoint, options, options->restart, error);
  if (!status) {
    const pressure_resume resume = syn_pressure_checkpoint_resume(&checkpoint);
    p->continued_at = resume.done;
    status = run_loop(p, options, &resume, error);
  }
  syn_pressure_checkpoint_release(&checkpoint);
  return status;
}

static syn_status run_fem(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  complete(&p->socket);
  complete(&p->head);
  SYN_TRY(pressure_back_bone(&p->socket, error));
  SYN_TRY(pressure_back_bone(&p->head, error));
  return options->checkpoint ? resume_loop(p, options, error) : run_loop(p, options, NULL, error);
}

const pressure_method syn_pressure_by_fem = {.name = "fem", .needs_layers = true, .knows_stress = true, .run = run_fem};
