/* Finds holes in the joint surface: rays through them hit the far side of the bone, or nothing. The caller must
 * close them, since closing them here would hide invented surface. */

#include <stdio.h>
#include <string.h>

#include <synovia/mesh.h>
#include <synovia/pressure.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "mesh/derived.h"
#include "pressure/layer/layer.h"

typedef struct hole_count {
  uint32_t holes;
  double widest_mm;
} hole_count;

/* A loop with a marked vertex is a hole; without marks, a loop smaller than the head, since the rim of a sheet is
 * larger. */
static bool is_hole(const syn_trimesh *mesh, const uint8_t *marked, const uint32_t *loop, uint32_t length,
                    double radius, double *width) {
  syn_box box = box_empty();
  bool any = !marked;
  for (uint32_t i = 0; i < length; ++i) {
    box_add(&box, mesh->vertices[loop[i]]);
    any |= marked && marked[loop[i]];
  }
  *width = vec3_distance(box.min, box.max);
  return any && (marked || *width < radius);
}

static syn_status count_holes(const syn_trimesh *mesh, const uint8_t *marked, double radius, hole_count *count,
                              syn_error *error) {
  syn_derived *derived;
  *count = (hole_count){0};
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  for (uint32_t l = 0; l < topology->boundary_loop_count; ++l) {
    const uint32_t first = topology->boundary_loop_start[l], end = topology->boundary_loop_start[l + 1];
    double width;
    if (!is_hole(mesh, marked, topology->boundary_vertices + first, end - first, radius, &width)) continue;
    ++count->holes;
    count->widest_mm = max2(count->widest_mm, width);
  }
  syn_derived_release(derived);
  return SYN_OK;
}

static syn_status check_part(const syn_hip_case *hip_case, syn_hip_part part, const uint8_t *marked, double radius,
                             syn_error *error) {
  const syn_trimesh *mesh = hip_case->hip.parts[part];
  hole_count count;
  if (!mesh) return SYN_OK;
  SYN_TRY(count_holes(mesh, marked, radius, &count, error));
  if (count.holes == 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the joint surface of the %s has %u hole%s, up to %.1f mm wide, where nothing would bear the load; "
                  "close them first, as `synovia mesh repair IN OUT` does",
                  syn_hip_part_name(part), count.holes, count.holes == 1 ? "" : "s", count.widest_mm);
}

/* Returns SYN_BAD_MESH if the joint surface of a bone or a cartilage has holes. */
static syn_status layer_check_holes(const syn_hip_case *hip_case, double radius, syn_error *error) {
  const syn_anatomy *anatomy = hip_case->anatomy;
  if (anatomy && anatomy->lunate_vertices)
    SYN_TRY(check_part(hip_case, SYN_HIP_PELVIS, anatomy->lunate_vertices, radius, error));
  if (anatomy && anatomy->head_vertices)
    SYN_TRY(check_part(hip_case, SYN_HIP_FEMUR, anatomy->head_vertices, radius, error));
  SYN_TRY(check_part(hip_case, SYN_HIP_ACETABULAR_CARTILAGE, NULL, radius, error));
  return check_part(hip_case, SYN_HIP_FEMORAL_CARTILAGE, NULL, radius, error);
}

/* ---- create ---------------------------------------------------------------------------------------------------- */
/* Creates the layers of a hip, from its bodies or its bones. */

SYN_ENUM_NAMES(syn_layer_extent, SYN_EXTENTS, "horseshoe", "whole", "painted");

SYN_ENUM_NAMES(syn_layer_rule, SYN_RULES, "measured", "fill", "constant", "given");

syn_layer_options syn_default_layer_options(void) {
  return (syn_layer_options){.edge_mm = 2,
                             .layers = 3,
                             .thickness_mm = 2,
                             .min_thickness_mm = 0.3,
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
  SYN_TRY(check_number(options->edge_mm, 0.2, 10, "edge_mm", error));
  SYN_TRY(check_number(options->layers, 1, 16, "the number", error));
  SYN_TRY(check_number(options->thickness_mm, 0.1, 10, "thickness_mm", error));
  SYN_TRY(check_number(options->min_thickness_mm, 0.05, 2, "min_thickness_mm", error));
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
static syn_status layer_side_open(layer_maker *maker, bool head, layer_side *side, syn_error *error) {
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

static void layer_side_release(layer_side *side) {
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

/* ---- layer files ----------------------------------------------------------------------------------------------- */
/* Reads layers whose thickness or extent comes from files. */

/* Reads the first field of one component on points; it belongs to `geometry`. */
static syn_status read_values(const syn_context *context, const char *path, const char *what, const syn_trimesh *bone,
                              const syn_read_options *reading, syn_geometry *geometry, const double **values,
                              syn_error *error) {
  if (!path) return SYN_OK;
  SYN_TRY(syn_geometry_read(context, path, reading, geometry, error));
  const double *found = NULL;
  for (size_t i = 0; i < geometry->field_count && !found; ++i)
    if (geometry->fields[i].on == SYN_ON_POINTS && geometry->fields[i].components == 1)
      found = geometry->fields[i].values;
  *values = found;
  if (found && bone && geometry->point_count == bone->vertex_count) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "%s needs the mesh of the bone with one number on each of its %u vertices, but this file has %s",
                     what, bone ? bone->vertex_count : 0,
                     found ? "another number of vertices" : "no field of one number on points");
}

static syn_status read_all(const syn_context *context, const syn_hip *hip, syn_geometry held[4], syn_layer_options *o,
                           syn_error *error) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  SYN_TRY(read_values(context, o->pelvis_thickness_file, "pelvis-thickness", pelvis, o->reading, &held[0],
                      &o->pelvis_thickness_mm, error));
  SYN_TRY(read_values(context, o->femur_thickness_file, "femur-thickness", femur, o->reading, &held[1],
                      &o->femur_thickness_mm, error));
  SYN_TRY(read_values(context, o->pelvis_region_file, "pelvis-region", pelvis, o->reading, &held[2], &o->pelvis_painted,
                      error));
  SYN_TRY(read_values(context, o->femur_region_file, "femur-region", femur, o->reading, &held[3], &o->femur_painted,
                      error));
  if (o->pelvis_thickness_mm || o->femur_thickness_mm) o->rule = SYN_RULE_GIVEN;
  if (o->pelvis_painted || o->femur_painted) o->extent = SYN_EXTENT_PAINTED;
  return SYN_OK;
}

/* ---- all -----------------------------------------------------------------------------------------------------------
 */

static syn_status make_sides(layer_maker *maker, layer_side *socket, layer_side *head, syn_error *error) {
  SYN_TRY(layer_side_open(maker, false, socket, error));
  SYN_TRY(layer_side_open(maker, true, head, error));
  SYN_TRY(syn_layer_socket_grid(socket, error));
  SYN_TRY(syn_layer_head_grid(head, error));
  const bool fill = maker->options.rule == SYN_RULE_FILL;
  if (fill || !(socket->measured || head->measured)) SYN_TRY(syn_layer_middle_sphere(maker, socket, head, error));
  SYN_TRY(syn_layer_faces(socket, head, error));
  return syn_layer_faces(head, socket, error);
}

/* With all values at hand. */
static syn_status create_layers(const syn_context *context, const syn_hip_case *hip_case,
                                const syn_layer_options *options, syn_layer *socket, syn_layer *head,
                                syn_error *error) {
  layer_maker maker = {.arena.context = context, .hip_case = hip_case, .options = *options};
  layer_side socket_side = {0}, head_side = {0};
  SYN_TRY(check_options(options, error));
  maker.radius = head_radius(hip_case);
  SYN_TRY(check_hip(hip_case, maker.radius, error));
  SYN_TRY(layer_check_holes(hip_case, maker.radius, error));
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
  layer_side_release(&socket_side);
  layer_side_release(&head_side);
  syn_arena_release(&maker.arena);
  return status;
}

syn_status syn_hip_layers_create(const syn_context *context, const syn_hip_case *hip_case,
                                 const syn_layer_options *options, syn_layer *socket, syn_layer *head,
                                 syn_error *error) {
  syn_layer_options with_values = options ? *options : syn_default_layer_options();
  syn_geometry held[4] = {0};
  *socket = *head = (syn_layer){0};
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(&with_values, syn_default_layer_options, error));
  syn_status status = read_all(context, &hip_case->hip, held, &with_values, error);
  if (status == SYN_OK) status = create_layers(context, hip_case, &with_values, socket, head, error);
  for (size_t i = 0; i < 4; ++i) syn_geometry_free(context, &held[i]);
  return status;
}

void syn_layer_release(syn_layer *layer) {
  const syn_context *context = layer->context;
  syn_free(context, layer->nodes);
  syn_free(context, layer->on_bone);
  syn_free(context, layer->elements);
  syn_free(context, layer->element_region);
  syn_free(context, layer->faces);
  syn_free(context, layer->edge_nodes);
  syn_free(context, layer->face_element);
  syn_free(context, layer->thickness_mm);
  *layer = (syn_layer){0};
}
