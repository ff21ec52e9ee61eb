/* Creates the layers of a hip, from its bodies or its bones. */
#include <stdio.h>

#include "base/names.h"
#include "pressure/layer/layer.h"

SYN_ENUM_NAMES(syn_layer_extent, SYN_EXTENTS, "horseshoe", "whole", "painted");

SYN_ENUM_NAMES(syn_layer_rule, SYN_RULES, "measured", "fill", "constant", "given");

syn_layer_options syn_default_layer_options(void) {
  return (syn_layer_options){.edge_mm = 2,
                             .layers = 3,
                             .thickness_mm = 2,
                             .least_mm = 0.3,
                             .smooth_mm = 4,
                             .rigid_mm = 30,
                             .cookie = SYN_COOKIE};
}

/* ---- what is asked -------------------------------------------------------------------------------------------------
 */

static syn_status check_number(double value, double least, double most, const char *name, syn_error *error) {
  if (value >= least && value <= most) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%s of the layers is %g: it must be between %g and %g", name, value, least,
                  most);
}

static syn_status check_options(const syn_layer_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_layer_options, error));
  SYN_TRY(check_number(options->edge_mm, 0.2, 10, "edge_mm", error));
  SYN_TRY(check_number(options->layers, 1, 16, "the number", error));
  SYN_TRY(check_number(options->thickness_mm, 0.1, 10, "thickness_mm", error));
  SYN_TRY(check_number(options->least_mm, 0.05, 2, "least_mm", error));
  SYN_TRY(check_number(options->smooth_mm, 0, 20, "smooth_mm", error));
  SYN_TRY(check_number(options->labrum_mm, 0, 15, "labrum_mm", error));
  SYN_TRY(check_number(options->rigid_mm, 0, 60, "rigid_mm", error));
  if (options->rule == SYN_RULE_GIVEN && !(options->pelvis_thickness_mm && options->femur_thickness_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the thickness is to be given by vertex, but that of the %s is missing",
                    options->pelvis_thickness_mm ? "femur" : "pelvis");
  if (options->extent == SYN_EXTENT_PAINTED && !(options->pelvis_painted && options->femur_painted))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the cartilage is to be painted, but that of the %s is not",
                    options->pelvis_painted ? "femur" : "pelvis");
  return SYN_OK;
}

/* Without anatomy the head's radius is that of its cartilage. */
static double head_radius(const syn_hip_case *hip_case) {
  const syn_trimesh *cartilage = hip_case->hip.parts[SYN_HIP_FEMORAL_CARTILAGE];
  double sum = 0;
  if (hip_case->anatomy && hip_case->anatomy->head.radius_mm > 0) return hip_case->anatomy->head.radius_mm;
  for (uint32_t v = 0; cartilage && v < cartilage->vertex_count; ++v)
    sum += vec3_distance(cartilage->vertices[v], hip_case->hip.center) / cartilage->vertex_count;
  return sum;
}

static syn_status check_hip(const syn_hip_case *hip_case, double radius, syn_error *error) {
  const syn_hip *hip = &hip_case->hip;
  const syn_anatomy *anatomy = hip_case->anatomy;
  if (!hip->parts[SYN_HIP_PELVIS] || !hip->parts[SYN_HIP_FEMUR])
    return syn_fail(error, SYN_BAD_MESH, "cartilage grows on both bones, but the %s is missing",
                    hip->parts[SYN_HIP_PELVIS] ? "femur" : "pelvis");
  if (!(radius > 0))
    return syn_fail(error, SYN_BAD_MESH, "no femoral head was found, and the joint has no femoral cartilage instead");
  if (!hip->parts[SYN_HIP_ACETABULAR_CARTILAGE] && !(anatomy && anatomy->has_rim && anatomy->lunate_vertices))
    return syn_fail(error, SYN_BAD_MESH,
                    "the pelvis has no rim that could be found, and the joint has no acetabular cartilage instead");
  if (!hip->parts[SYN_HIP_FEMORAL_CARTILAGE] && !(anatomy && anatomy->head_vertices))
    return syn_fail(error, SYN_BAD_MESH, "no femoral head was found, and the joint has no femoral cartilage instead");
  return SYN_OK;
}

/* ---- sides ---------------------------------------------------------------------------------------------------------
 */

/* Rays start at the centre of rotation of the femur, which is in the socket at the centre plus the shift `seat`. */
syn_status syn_layer_side_open(layer_maker *maker, bool head, layer_side *side, syn_error *error) {
  const syn_hip *hip = &maker->hip_case->hip;
  const syn_trimesh *const *parts = hip->parts;
  *side = (layer_side){.maker = maker, .head = head, .grid.arena = &maker->arena};
  side->center = head ? hip->center : vec3_add(hip->center, hip->seat);
  const syn_hip_part cartilage = head ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_ACETABULAR_CARTILAGE;
  side->measured = parts[cartilage] != NULL;
  SYN_TRY(syn_layer_view_open(parts[head ? SYN_HIP_FEMUR : SYN_HIP_PELVIS], side->center, &side->bone, error));
  SYN_TRY(syn_layer_view_open(parts[cartilage], side->center, &side->cartilage, error));
  if (head) return SYN_OK;
  SYN_TRY(syn_layer_view_open(parts[SYN_HIP_TRANSITION_ZONE], side->center, &side->zone, error));
  return syn_layer_view_open(parts[SYN_HIP_LABRUM], side->center, &side->labrum, error);
}

void syn_layer_side_release(layer_side *side) {
  syn_layer_view_release(&side->bone);
  syn_layer_view_release(&side->cartilage);
  syn_layer_view_release(&side->zone);
  syn_layer_view_release(&side->labrum);
}

/* ---- the sentence for reports --------------------------------------------------------------------------------------
 */

static void write_note(const layer_side *side, syn_layer *layer) {
  const layer_maker *maker = side->maker;
  const char *where = side->head ? "head" : "socket";
  if (maker->options.rule == SYN_RULE_CONSTANT)
    snprintf(layer->note, sizeof layer->note, "The cartilage of the %s was assumed to be %g mm thick everywhere.",
             where, maker->options.thickness_mm);
  else if (maker->options.rule == SYN_RULE_GIVEN)
    snprintf(layer->note, sizeof layer->note, "The thickness of the cartilage of the %s was given by vertex.", where);
  else if (side->measured && maker->options.rule == SYN_RULE_MEASURED)
    snprintf(layer->note, sizeof layer->note, "The cartilage of the %s is that of the joint's bodies.", where);
  else if (maker->sphere_radius > 0)
    snprintf(layer->note, sizeof layer->note,
             "The cartilage of the %s was assumed: the joint space is filled up to a sphere of %.1f mm radius in its "
             "middle; no scan shows its thickness.",
             where, maker->sphere_radius);
  else
    snprintf(layer->note, sizeof layer->note,
             "The cartilage of the %s was assumed: it fills half of the joint space; no scan shows its thickness.",
             where);
}

/* ---- all -----------------------------------------------------------------------------------------------------------
 */

static syn_status make_sides(layer_maker *maker, layer_side *socket, layer_side *head, syn_error *error) {
  SYN_TRY(syn_layer_side_open(maker, false, socket, error));
  SYN_TRY(syn_layer_side_open(maker, true, head, error));
  SYN_TRY(syn_layer_socket_grid(socket, error));
  SYN_TRY(syn_layer_head_grid(head, error));
  const bool fill = maker->options.rule == SYN_RULE_FILL;
  if (fill || !(socket->measured || head->measured)) SYN_TRY(syn_layer_middle_sphere(maker, socket, head, error));
  SYN_TRY(syn_layer_faces(socket, head, error));
  return syn_layer_faces(head, socket, error);
}

syn_status syn_hip_layers_create(const syn_context *context, const syn_hip_case *hip_case,
                                 const syn_layer_options *options, syn_layer *socket, syn_layer *head,
                                 syn_error *error) {
  layer_maker maker = {.arena.context = context, .hip_case = hip_case};
  layer_side socket_side = {0}, head_side = {0};
  *socket = *head = (syn_layer){0};
  SYN_TRY(syn_check_context(context, error));
  maker.options = options ? *options : syn_default_layer_options();
  SYN_TRY(check_options(&maker.options, error));
  maker.radius = head_radius(hip_case);
  SYN_TRY(check_hip(hip_case, maker.radius, error));
  SYN_TRY(syn_layer_check_holes(hip_case, maker.radius, error));
  syn_status status = make_sides(&maker, &socket_side, &head_side, error);
  if (status == SYN_OK) status = syn_layer_build(context, &socket_side, socket, error);
  if (status == SYN_OK) status = syn_layer_build(context, &head_side, head, error);
  if (status == SYN_OK) {
    write_note(&socket_side, socket);
    write_note(&head_side, head);
  } else {
    syn_layer_release(socket);
    syn_layer_release(head);
  }
  syn_layer_side_release(&socket_side);
  syn_layer_side_release(&head_side);
  syn_arena_release(&maker.arena);
  return status;
}
