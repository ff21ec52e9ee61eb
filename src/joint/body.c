/* Names, materials and mesh files of bodies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/joint.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"
#include "result/value.h"

SYN_ENUM_NAMES(syn_tissue, SYN_TISSUES, [SYN_TISSUE_BONE] = "bone", [SYN_TISSUE_CARTILAGE] = "cartilage",
               [SYN_TISSUE_LABRUM] = "labrum", [SYN_TISSUE_LIGAMENT] = "ligament", [SYN_TISSUE_MUSCLE] = "muscle",
               [SYN_TISSUE_TRANSITION_ZONE] = "transition_zone");
SYN_ENUM_NAMES(syn_contact_kind, SYN_CONTACT_KINDS, [SYN_CONTACT_RADIAL] = "radial",
               [SYN_CONTACT_CURVILINEAR] = "curvilinear", [SYN_CONTACT_BOTH] = "both");

const char *const syn_unit_words[] = {"mm", "cm", "m", NULL};
const double syn_unit_mm[] = {1, 10, 1000};

/* ---- materials ---------------------------------------------------------------------------------------------------
 */

syn_material syn_material_unknown(void) { return (syn_material){NAN, NAN, NAN}; }

syn_material syn_tissue_material(syn_tissue tissue, const char **source) {
  static const struct {
    syn_material material;
    const char *source;
  } known[] = {
      [SYN_TISSUE_BONE] = {{12000, NAN, NAN}, "cortical bone lengthwise: Maciel 2005, section 3.3.2"},
      [SYN_TISSUE_CARTILAGE] = {{12, 0.45, NAN}, "Arbabi 2009, section 4.3.2.3"},
      [SYN_TISSUE_LABRUM] = {{20, 0.4, NAN}, "Arbabi 2009, section 4.3.2.3"},
      [SYN_TISSUE_LIGAMENT] = {{0.8, NAN, NAN}, "along the fibres at rest: Maciel 2005, section 5.4.2"},
      [SYN_TISSUE_MUSCLE] = {{NAN, NAN, 1055}, "thigh: Sundaraj 2004, Table 6.1"},
      [SYN_TISSUE_TRANSITION_ZONE] = {{16, 0.425, NAN}, "mean of cartilage and labrum: no source gives it"},
  };
  _Static_assert(sizeof known / sizeof *known == SYN_TISSUES, "a material for every tissue");
  if (source) *source = known[tissue].source;
  return known[tissue].material;
}

static const char range_source[] = "Maciel 2005, section 3.3.2";
const syn_tissue_range syn_tissue_ranges[SYN_TISSUE_RANGES] = {
    {SYN_TISSUE_BONE, "Young's modulus, cortical, lengthwise", "MPa", 12000, 12000, range_source},
    {SYN_TISSUE_BONE, "Young's modulus, cortical, across", "MPa", 13400, 13400, range_source},
    {SYN_TISSUE_BONE, "Young's modulus, cancellous", "MPa", 390, 390, range_source},
    {SYN_TISSUE_BONE, "strain at failure, cortical", "1", 0.02, 0.02, range_source},
    {SYN_TISSUE_BONE, "strain at failure, cancellous", "1", 0.75, 0.75, range_source},
    {SYN_TISSUE_CARTILAGE, "Young's modulus", "MPa", 0.08, 2.3, range_source},
    {SYN_TISSUE_CARTILAGE, "Poisson's ratio", "1", 0.08, 0.41, range_source},
    {SYN_TISSUE_LIGAMENT, "Young's modulus at rest", "MPa", 1.0, 4.8, range_source},
    {SYN_TISSUE_LIGAMENT, "Young's modulus at 80 % of the strain at failure", "MPa", 76, 285, range_source},
    {SYN_TISSUE_LIGAMENT, "strength, of the hip", "MPa", 2, 6, range_source},
    {SYN_TISSUE_LIGAMENT, "Poisson's ratio", "1", 1.1, 2.0, range_source},
};

syn_material syn_body_material(const syn_body *body) {
  const syn_material typical = syn_tissue_material(body->tissue, NULL);
  syn_material m = body->material;
  if (isnan(m.young_mpa)) m.young_mpa = typical.young_mpa;
  if (isnan(m.poisson)) m.poisson = typical.poisson;
  if (isnan(m.density_kg_m3)) m.density_kg_m3 = typical.density_kg_m3;
  return m;
}

/* ---- one body on its own -----------------------------------------------------------------------------------------
 */

syn_status syn_body_read(const syn_context *context, const char *path, bool needs_volume,
                         const syn_read_options *options, syn_body *body, syn_error *error) {
  syn_trimesh *surface = NULL;
  syn_tetmesh *volume = NULL;
  *body = (syn_body){.material = syn_material_unknown()};
  if (needs_volume) {
    SYN_TRY(syn_tetmesh_read(context, path, options, &volume, error));
    const syn_status status = syn_tetmesh_surface(volume, &surface, NULL, error);
    if (status != SYN_OK) {
      syn_tetmesh_destroy(volume);
      return status;
    }
  } else
    SYN_TRY(syn_trimesh_read_surface(context, path, options, &surface, error));
  body->surface = surface;
  body->volume = volume;
  return SYN_OK;
}

void syn_body_release(syn_body *body) {
  syn_trimesh_destroy((syn_trimesh *)(uintptr_t)body->surface);
  syn_tetmesh_destroy((syn_tetmesh *)(uintptr_t)body->volume);
  body->surface = NULL;
  body->volume = NULL;
}

/* ---- the mesh of a body of a joint ------------------------------------------------------------------------------- */

static syn_status mesh_path(const char *folder, const syn_body *body, syn_arena *arena, char **path, syn_error *error) {
  if (body->mesh_file[0] == '/' || !folder[0])
    return syn_arena_text(arena, body->mesh_file, strlen(body->mesh_file), path, error);
  const size_t size = strlen(folder) + 1 + strlen(body->mesh_file) + 1;
  SYN_TRY(SYN_TAKE(arena, path, size, error));
  snprintf(*path, size, "%s/%s", folder, body->mesh_file);
  return SYN_OK;
}

syn_status syn_folder_of(syn_arena *arena, const char *file, const char **folder, syn_error *error) {
  const char *slash = strrchr(file, '/');
  char *text;
  SYN_TRY(syn_arena_text(arena, file, !slash ? 0 : slash == file ? 1 : (size_t)(slash - file), &text, error));
  *folder = text;
  return SYN_OK;
}

syn_status syn_body_load(const syn_context *context, const char *folder, const syn_read_options *options,
                         syn_body *body, syn_error *error) {
  syn_arena arena = {.context = context};
  syn_trimesh *surface = NULL;
  syn_tetmesh *volume = NULL;
  char *path;
  syn_status status = mesh_path(folder ? folder : "", body, &arena, &path, error);
  if (status == SYN_OK) status = syn_meshes_read(context, path, options, &surface, &volume, error);
  body->surface = surface;
  body->volume = volume;
  syn_arena_release(&arena);
  return status;
}

/* Moves meshes that were just read by the offset of the joint file. */
syn_status syn_body_shift(const syn_context *context, syn_body *body, syn_error *error) {
  const syn_trimesh *surface = body->surface;
  const syn_tetmesh *volume = body->volume;
  syn_pose pose = syn_pose_identity();
  pose.translation = body->offset;
  if (vec3_equal(body->offset, vec3(0, 0, 0))) return SYN_OK;
  if (surface) {
    syn_trimesh *moved;
    SYN_TRY(syn_trimesh_transform(surface, &pose, &moved, error));
    syn_trimesh_destroy((syn_trimesh *)(uintptr_t)surface);
    body->surface = moved;
  }
  if (!volume) return SYN_OK;
  syn_vec3 *places;
  syn_tetmesh *moved;
  SYN_TRY(SYN_NEW(context, &places, volume->vertex_count, error));
  for (uint32_t v = 0; v < volume->vertex_count; ++v) places[v] = vec3_add(volume->vertices[v], body->offset);
  const syn_status status =
      syn_tetmesh_create(context, places, volume->vertex_count, volume->tets, volume->tet_count, &moved, error);
  syn_free(context, places);
  if (status != SYN_OK) return status;
  syn_tetmesh_destroy((syn_tetmesh *)(uintptr_t)volume);
  body->volume = moved;
  return SYN_OK;
}

/* ---- as a field table -------------------------------------------------------------------------------------------- */

GET(body_vertices, syn_body,
    at->volume    ? value_count(at->volume->vertex_count)
    : at->surface ? value_count(at->surface->vertex_count)
                  : value_none())
GET(body_tets, syn_body, at->volume ? value_count(at->volume->tet_count) : value_none())
GET(body_triangles, syn_body, at->surface && !at->volume ? value_count(at->surface->triangle_count) : value_none())
static const syn_result_field body_fields[] = {
    MEMBER(syn_body, name, "name", "Body", "", FILE_ONLY),
    FIELD(INTEGER, "vertices", "Vertices", "", FILE_ONLY, body_vertices),
    FIELD(INTEGER, "tets", "Tetrahedra", "", FILE_ONLY | SYN_OPTIONAL, body_tets),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY | SYN_OPTIONAL, body_triangles)};
const syn_record syn_body_record = RECORD_OF(syn_body, "body", body_fields);
