/* Surfaces of the labels of a map: field, marching tetrahedra, pieces, simplification; one label per task. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "image/label_march.h"
#include "image/label_pieces.h"
#include "image/label_simplify.h"
#include "result/value.h"

/* Edges of a simplified surface are at most this long, in voxels: fits to vertices need them everywhere. */
static const double longest_edge = 3;

syn_image_surface_options syn_default_image_surface_options(void) {
  return (syn_image_surface_options){.smooth_voxels = 1.2, .tolerance_voxels = 0.05, .cookie = SYN_COOKIE};
}

/* Of surfaces whose voxels agree, in voxels: the greatest on voxelised bones of five people at 0.8 to 2 mm
 * (docs/evidence/images.md). */
static const double usual_rms = 0.14;

typedef struct surfacing {
  const syn_image *image;
  const syn_image_surface_options *options;
  syn_image_surfaces *made;
  const syn_label **labels; /* that compete: one for each of made->surfaces */
} surfacing;

/* ---- one label -------------------------------------------------------------------------------------------------- */

/* From lattice coordinates to mm. */
static void place_vertices(const syn_image *image, const syn_label_field *field, syn_builder *surface) {
  for (size_t v = 0; v < surface->point_count; ++v) {
    const syn_vec3 p = surface->points[v];
    syn_vec3 at = image->origin;
    for (int a = 0; a < 3; ++a) at = vec3_madd(at, vec3_at(p, a) + field->low[a], image->step[a]);
    surface->points[v] = at;
  }
  const double handed = vec3_dot(vec3_cross(image->step[0], image->step[1]), image->step[2]);
  for (size_t t = 0; handed < 0 && t < surface->triangle_count; ++t) {
    uint32_t *v = surface->triangles[t].v;
    const uint32_t second = v[1];
    v[1] = v[2], v[2] = second;
  }
}

static unsigned faces_touched(const syn_image *image, const syn_label *label) {
  unsigned faces = 0;
  for (int a = 0; a < 3; ++a) {
    if (label->first[a] == 0) faces |= (unsigned)SYN_LOW_I << 2 * a;
    if (label->last[a] + 1 == image->size[a]) faces |= (unsigned)SYN_HIGH_I << 2 * a;
  }
  return faces;
}

static double voxel_volume(const syn_image *image) {
  return fabs(vec3_dot(vec3_cross(image->step[0], image->step[1]), image->step[2]));
}

/* Vertices without a triangle go; `fixed` follows. */
static void drop_unused(syn_label_march *march, uint32_t *number) {
  syn_builder *b = &march->builder;
  memset(number, 255, b->point_count * sizeof *number);
  for (size_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) number[b->triangles[t].v[c]] = 0;
  uint32_t count = 0;
  for (size_t v = 0; v < b->point_count; ++v) {
    if (number[v] == SYN_NONE) continue;
    b->points[count] = b->points[v];
    march->fixed[count] = march->fixed[v];
    number[v] = count++;
  }
  b->point_count = count;
  for (size_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) b->triangles[t].v[c] = number[b->triangles[t].v[c]];
}

static syn_status finish_pieces(syn_arena *arena, const surfacing *s, syn_label_march *march, syn_label_surface *about,
                                syn_error *error) {
  SYN_TRY(syn_label_pieces(arena, &march->builder, s->options->island_fraction, about, error));
  if (!about->removed) return SYN_OK;
  uint32_t *number;
  SYN_TRY(SYN_TAKE(arena, &number, march->builder.point_count, error));
  drop_unused(march, number);
  return SYN_OK;
}

static void measure_surface(const surfacing *s, syn_label_surface *about) {
  const syn_mass mass = syn_trimesh_mass(about->mesh);
  about->volume_mm3 = mass.volume_mm3;
  double voxel = 1; /* of the true resolution, as a cube */
  for (int a = 0; a < 3; ++a) voxel *= cbrt(s->made->resolution_mm[a]);
  const double share = (double)about->disagreements * voxel_volume(s->image) / (voxel * mass.area_mm2);
  about->rms_voxel = usual_rms + 2 * share;
}

/* Vertices of the marched surface in the boxes of crossing triangles, and a voxel around, stay. */
static void fix_around(const syn_builder *surface, const syn_trimesh *mesh, const syn_triangle_pair *pairs,
                       size_t count, double voxel_mm, uint8_t *fixed) {
  for (size_t i = 0; i < 2 * count; ++i) {
    const uint32_t *t = mesh->triangles[i % 2 ? pairs[i / 2].b : pairs[i / 2].a].v;
    syn_box box = box_empty();
    for (int c = 0; c < 3; ++c) box_add(&box, mesh->vertices[t[c]]);
    for (size_t v = 0; v < surface->point_count; ++v) {
      const syn_vec3 p = surface->points[v];
      bool inside = true;
      for (int a = 0; a < 3; ++a)
        inside &= vec3_at(p, a) > vec3_at(box.min, a) - voxel_mm && vec3_at(p, a) < vec3_at(box.max, a) + voxel_mm;
      fixed[v] |= inside;
    }
  }
}

static syn_status copy_surface(const syn_builder *from, syn_builder *copy, syn_error *error) {
  *copy = (syn_builder){.context = from->context};
  SYN_TRY(syn_builder_size(copy, from->point_count, from->triangle_count, 0, error));
  memcpy(copy->points, from->points, from->point_count * sizeof *from->points);
  memcpy(copy->triangles, from->triangles, from->triangle_count * sizeof *from->triangles);
  return SYN_OK;
}

static syn_status simplify_once(const surfacing *s, const syn_label_march *march, double voxel_mm, syn_trimesh **mesh,
                                syn_error *error) {
  syn_arena arena = {.context = s->made->context};
  syn_builder copy;
  syn_status status = copy_surface(&march->builder, &copy, error);
  if (status == SYN_OK)
    status = syn_label_simplify(&arena, &copy, march->fixed, s->options->tolerance_voxels * voxel_mm,
                                longest_edge * voxel_mm, error);
  syn_arena_release(&arena);
  if (status == SYN_OK) return syn_builder_trimesh(&copy, mesh, error);
  syn_builder_release(&copy);
  return status;
}

/* Simplifies, and again with what came to cross itself left as it was marched, where nothing crosses. */
static syn_status simplify(const surfacing *s, syn_label_march *march, double voxel_mm, syn_trimesh **mesh,
                           syn_error *error) {
  enum { TRIES = 6, PAIRS = 256 };
  syn_triangle_pair pairs[PAIRS];
  for (int i = 0; march->builder.triangle_count > 0; ++i) {
    uint64_t count;
    SYN_TRY(simplify_once(s, march, voxel_mm, mesh, error));
    SYN_TRY(syn_trimesh_self_intersections(*mesh, pairs, PAIRS, &count, error));
    if (count == 0 || i == TRIES) break;
    fix_around(&march->builder, *mesh, pairs, count < PAIRS ? count : PAIRS, (i + 1) * voxel_mm, march->fixed);
    syn_trimesh_destroy(*mesh);
    *mesh = NULL;
  }
  return SYN_OK;
}

static syn_status march_label(syn_arena *arena, const surfacing *s, size_t i, syn_label_march *march,
                              syn_error *error) {
  syn_label_surface *about = &s->made->surfaces[i];
  double sigma[3], finest = INFINITY;
  for (int a = 0; a < 3; ++a) {
    sigma[a] = s->options->smooth_voxels * s->made->resolution_mm[a] / s->made->voxel_mm[a];
    finest = fmin(finest, s->made->resolution_mm[a]);
  }
  syn_label_field field;
  SYN_TRY(syn_label_field_start(arena, s->image, s->labels[i], s->labels, s->made->count, sigma, &field, error));
  if (s->options->apart)
    field.gap =
        0.7 * SYN_FIELD_LEAST; /* both sides together more than the least value: the sum of two fields is below 0 */
  SYN_TRY(syn_label_march_run(arena, &field, march, error));
  place_vertices(s->image, &field, &march->builder);
  SYN_TRY(finish_pieces(arena, s, march, about, error));
  about->disagreements = field.disagreements;
  return simplify(s, march, finest, &about->mesh, error);
}

static syn_status make_surface(void *user, size_t i, syn_error *error) {
  surfacing *s = user;
  syn_label_surface *about = &s->made->surfaces[i];
  syn_arena arena = {.context = s->made->context};
  syn_label_march march = {.builder = {.context = s->made->context}};
  const syn_status status = march_label(&arena, s, i, &march, error);
  syn_arena_release(&arena);
  syn_label_march_release(&march);
  if (status == SYN_OK && about->mesh) measure_surface(s, about);
  return status;
}

/* ---- all labels ------------------------------------------------------------------------------------------------- */

static syn_status check_options(const syn_image *image, const syn_image_surface_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_image_surface_options, error));
  if (!image->voxels) return syn_fail(error, SYN_BAD_ARGUMENT, "surfaces are made of a label map, and this is a scan");
  if (!(options->smooth_voxels >= 0.3 && options->smooth_voxels <= 3))
    return syn_fail(error, SYN_BAD_ARGUMENT, "labels are smoothed by 0.3 to 3 voxels, not %g", options->smooth_voxels);
  if (!(options->tolerance_voxels >= 0 && options->tolerance_voxels <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the tolerance is 0 to 1 voxel, not %g", options->tolerance_voxels);
  for (size_t i = 0; options->labels && i < options->label_count; ++i)
    if (options->labels[i] >= image->label_count)
      return syn_fail(error, SYN_BAD_ARGUMENT, "there is no label %u: the image has %zu", options->labels[i],
                      image->label_count);
  return SYN_OK;
}

/* Lists the labels that have voxels. */
static syn_status list_labels(surfacing *s, syn_arena *arena, syn_error *error) {
  syn_image_surfaces *made = s->made;
  const bool all = !s->options->labels;
  const size_t count = all ? s->image->label_count : s->options->label_count;
  SYN_TRY(SYN_NEW_ZEROED(made->context, &made->surfaces, count, error));
  SYN_TRY(SYN_TAKE(arena, &s->labels, count, error));
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = all ? (uint32_t)i : s->options->labels[i];
    const syn_label *label = &s->image->labels[number];
    if (label->voxel_count == 0) continue;
    s->labels[made->count] = label;
    made->surfaces[made->count++] =
        (syn_label_surface){.name = label->name,
                            .label = number,
                            .voxel_volume_mm3 = (double)label->voxel_count * voxel_volume(s->image),
                            .closed_at = faces_touched(s->image, label)};
  }
  return SYN_OK;
}

static void warn_of_surface(const syn_context *context, const syn_label_surface *surface) {
  if (!surface->mesh) syn_warn(context, "label '%s' is too small or thin for a surface: it is left out", surface->name);
  if (surface->removed)
    syn_warn(context, "label '%s': %u islands and cavities are left out", surface->name, surface->removed);
}

static syn_status make_all(surfacing *s, syn_arena *arena, syn_error *error) {
  syn_image_surfaces *made = s->made;
  SYN_TRY(syn_image_share(s->image, &made->image, error));
  s->image = made->image; /* names and labels are those of the reference */
  for (int a = 0; a < 3; ++a) made->voxel_mm[a] = vec3_length(s->image->step[a]);
  SYN_TRY(syn_image_resolution_find(s->image, made->resolution_mm, error));
  SYN_TRY(list_labels(s, arena, error));
  SYN_TRY(syn_parallel_tasks(made->context, made->count, make_surface, s, error));
  for (size_t i = 0; i < made->count; ++i) warn_of_surface(made->context, &made->surfaces[i]);
  return SYN_OK;
}

syn_status syn_image_surfaces_create(const syn_image *image, const syn_image_surface_options *options,
                                     syn_image_surfaces **surfaces, syn_error *error) {
  const syn_image_surface_options standard = syn_default_image_surface_options();
  *surfaces = NULL;
  if (!options) options = &standard;
  SYN_TRY(check_options(image, options, error));
  surfacing s = {.image = image, .options = options};
  SYN_TRY(SYN_NEW_ZEROED(image->context, &s.made, 1, error));
  s.made->context = image->context;
  syn_arena arena = {.context = image->context};
  const syn_status status = make_all(&s, &arena, error);
  syn_arena_release(&arena);
  if (status != SYN_OK) {
    syn_image_surfaces_destroy(s.made);
    return status;
  }
  *surfaces = s.made;
  return SYN_OK;
}

void syn_image_surfaces_destroy(syn_image_surfaces *surfaces) {
  if (!surfaces) return;
  for (size_t i = 0; i < surfaces->count; ++i) syn_trimesh_destroy(surfaces->surfaces[i].mesh);
  syn_free(surfaces->context, surfaces->surfaces);
  syn_image_destroy(surfaces->image);
  syn_free(surfaces->context, surfaces);
}

/* ---- fields ----------------------------------------------------------------------------------------------------- */

static const char *face_at(const void *closed_at, size_t number) {
  static const char *const names[] = {"low i", "high i", "low j", "high j", "low k", "high k"};
  unsigned faces = *(const unsigned *)closed_at;
  for (int face = 0; face < 6; ++face)
    if (faces >> face & 1 && number-- == 0) return names[face];
  return "";
}
static size_t count_faces(unsigned faces) {
  size_t count = 0;
  for (; faces; faces &= faces - 1) ++count;
  return count;
}
GET(closed_at, syn_label_surface, value_texts(face_at, &at->closed_at, count_faces(at->closed_at)))
GET(vertices, syn_label_surface, at->mesh ? value_count(at->mesh->vertex_count) : value_none())
GET(triangles, syn_label_surface, at->mesh ? value_count(at->mesh->triangle_count) : value_none())

static const syn_result_field surface_fields[] = {
    MEMBER(syn_label_surface, name, "name", "Label", "", PRINTED),
    FIELD(INTEGER, "vertices", "Vertices", "", FILE_ONLY, vertices),
    FIELD(INTEGER, "triangles", "Triangles", "", PRINTED, triangles),
    MEMBER(syn_label_surface, rms_voxel, "rms_voxel", "Within, voxels", "", PRINTED),
    MEMBER(syn_label_surface, volume_mm3, "volume_mm3", "Volume", "mm³", PRINTED),
    MEMBER(syn_label_surface, voxel_volume_mm3, "voxel_volume_mm3", "of its voxels", "mm³", PRINTED),
    MEMBER(syn_label_surface, islands, "islands", "Islands", "", PRINTED),
    MEMBER(syn_label_surface, cavities, "cavities", "Cavities", "", PRINTED),
    MEMBER(syn_label_surface, tunnels, "tunnels", "Tunnels", "", PRINTED),
    MEMBER(syn_label_surface, removed, "removed", "Left out", "", FILE_ONLY),
    FIELD(TEXTS, "closed_at", "Closed at", "", FILE_ONLY, closed_at)};
const syn_record syn_label_surface_record = RECORD_OF(syn_label_surface, "label_surface", surface_fields);

static double number_at(const void *numbers, size_t i) { return ((const double *)numbers)[i]; }
GET(voxel_mm, syn_image_surfaces, value_numbers(number_at, at->voxel_mm, 3))
GET(resolution_mm, syn_image_surfaces, value_numbers(number_at, at->resolution_mm, 3))

static const syn_result_field surfaces_fields[] = {
    FIELD(NUMBERS, "grid_mm", "Voxels of the grid", "mm", FILE_ONLY, voxel_mm),
    FIELD(NUMBERS, "resolution_mm", "Voxels of the labels", "mm", FILE_ONLY, resolution_mm),
    LIST_OF(syn_image_surfaces, surfaces, count, syn_label_surface_record, "labels", "Labels", FILE_ONLY)};
const syn_record syn_image_surfaces_record = RECORD_OF(syn_image_surfaces, "image_surfaces", surfaces_fields);
