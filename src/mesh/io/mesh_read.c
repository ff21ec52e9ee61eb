/* Reads any format: selects the format, lets it fill a builder, and checks the result. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/files/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "mesh/io/foreign_file.h"
#include "mesh/io/format.h"
#include "mesh/io/soup.h"
#include "mesh/trimesh.h"

syn_read_options syn_default_read_options(void) {
  return (syn_read_options){.scale = 1, .weld = true, .space = SYN_SPACE_LPS, .cookie = SYN_COOKIE};
}

syn_status syn_source_fail(const syn_source *source, size_t byte, syn_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(error, SYN_BAD_FORMAT, source->name, 0, (int64_t)byte, format, arguments);
  va_end(arguments);
  return status;
}

syn_space syn_space_in_text(const char *text, size_t length) {
  for (const char *at = text, *end = text + length; (at = memchr(at, 'S', (size_t)(end - at))) != NULL; ++at) {
    const size_t left = (size_t)(end - at);
    if (left >= 9 && memcmp(at, "SPACE=LPS", 9) == 0) return SYN_SPACE_LPS;
    if (left >= 9 && memcmp(at, "SPACE=RAS", 9) == 0) return SYN_SPACE_RAS;
  }
  return SYN_SPACE_UNKNOWN;
}

/* The content decides if it can, since a name may be wrong. The format given by the name is tried first, so that of two
 * formats whose contents look alike the expected one wins. */
static const syn_format *recognise_content(const syn_source *source) {
  for (size_t i = 0; i < syn_formats_count; ++i) {
    const syn_format *f = syn_formats[i];
    if (f->read && syn_name_fits(source->name, f->info.extensions) && (!f->sniff || f->sniff(source))) return f;
  }
  for (size_t i = 0; i < syn_formats_count; ++i)
    if (syn_formats[i]->read && syn_formats[i]->sniff && syn_formats[i]->sniff(source)) return syn_formats[i];
  return NULL;
}

/* Recognises the format by the name, which gives the best error message. */
static const syn_format *recognise_name(const syn_source *source) {
  for (size_t i = 0; i < syn_formats_count; ++i)
    if (syn_formats[i]->read && syn_name_fits(source->name, syn_formats[i]->info.extensions)) return syn_formats[i];
  return NULL;
}

static syn_status find_format(const syn_source *source, const syn_format **format, syn_error *error) {
  const char *wanted = source->options->format;
  if (wanted) {
    for (size_t i = 0; i < syn_formats_count; ++i)
      if (syn_formats[i]->read && strcmp(syn_formats[i]->info.name, wanted) == 0) {
        *format = syn_formats[i];
        return SYN_OK;
      }
    return syn_fail(error, SYN_BAD_ARGUMENT, "'%s' is not a format that can be read", wanted);
  }
  if (source->size == 0) return syn_fail_at(error, SYN_BAD_FORMAT, source->name, 0, 0, "the file is empty");
  *format = recognise_content(source);
  if (*format) return SYN_OK;
  SYN_TRY(syn_refuse_foreign(source, error));
  *format = recognise_name(source);
  return *format ? SYN_OK : syn_refuse_unknown(source, error);
}

/* Rotates the normals with the surface. Only fields named as normals are rotated: formats do not mark which other
 * triples are vectors. */
static void turn_fields(const syn_source *source, const syn_builder *b) {
  for (size_t i = 0; i < b->field_count; ++i) {
    const syn_field *field = &b->fields[i];
    if (field->components != 3) continue;
    if (strncasecmp(field->name, "normal", 6) != 0) {
      syn_warn(source->context, "%s: the file was turned from RAS to LPS or back, but its field '%s' was not",
               source->name, field->name);
      continue;
    }
    double *values = (double *)(uintptr_t)field->values; /* owned by the builder */
    const size_t count = field->on == SYN_ON_POINTS      ? b->point_count
                         : field->on == SYN_ON_TRIANGLES ? b->triangle_count
                                                         : b->tet_count;
    for (size_t k = 0; k < count; ++k) {
      values[3 * k] = -values[3 * k];
      values[3 * k + 1] = -values[3 * k + 1];
    }
  }
}

/* LPS and RAS differ by half a turn about z. */
static void apply_options(const syn_source *source, syn_builder *b) {
  const syn_read_options *options = source->options;
  const bool turn = b->space != SYN_SPACE_UNKNOWN && options->space != SYN_SPACE_UNKNOWN && b->space != options->space;
  if (!turn && options->scale == 1) return;
  const double across = turn ? -options->scale : options->scale, along = options->scale;
  for (size_t i = 0; i < b->point_count; ++i)
    b->points[i] = vec3(b->points[i].x * across, b->points[i].y * across, b->points[i].z * along);
  if (!turn) return;
  b->space = options->space;
  turn_fields(source, b);
}

/* Checks that indices are in range, as in every geometry. Coordinates that are not finite are checked by the mesh. */
static syn_status check_content(const syn_source *source, const syn_builder *b, syn_error *error) {
  syn_status status = syn_validate_cells(b->triangle_count ? b->triangles->v : NULL, 3, b->triangle_count,
                                         b->point_count, "triangle", error);
  if (status == SYN_OK)
    status =
        syn_validate_cells(b->tet_count ? b->tets->v : NULL, 4, b->tet_count, b->point_count, "tetrahedron", error);
  if (status != SYN_OK && error) {
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return syn_fail_at(error, SYN_BAD_FORMAT, source->name, 0, -1, "%s", message);
  }
  return status;
}

extern const syn_format syn_format_stl;

/* `fields_count`: the fields of points are wanted, not only the surface. */
static syn_status parse_source(const syn_source *source, bool fields_count, syn_geometry *geometry, syn_error *error) {
  const syn_format *format;
  SYN_TRY(find_format(source, &format, error));
  syn_builder builder = {.context = source->context};
  syn_status status = format->read(source, &builder, error);
  if (status == SYN_OK) status = check_content(source, &builder, error);
  /* Corners of an STL are joined while they are read, which takes less memory. */
  const bool joined = format == &syn_format_stl;
  if (status == SYN_OK && source->options->weld && !joined)
    status = syn_join_soup(source, fields_count, &builder, error);
  if (status != SYN_OK) {
    syn_builder_release(&builder);
    return status;
  }
  apply_options(source, &builder);
  syn_builder_finish(&builder, geometry);
  geometry->format = format->info.name;
  return SYN_OK;
}

static syn_status check_options(const syn_read_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_read_options, error));
  if (!(options->scale > 0) || !isfinite(options->scale))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the scale must be a positive number, not %g", options->scale);
  return SYN_OK;
}

syn_status syn_geometry_parse(const syn_context *context, const void *bytes, size_t size, const char *name,
                              const syn_read_options *options, syn_geometry *geometry, syn_error *error) {
  const syn_read_options standard = syn_default_read_options();
  *geometry = (syn_geometry){0};
  if (!options) options = &standard;
  SYN_TRY(check_options(options, error));
  const syn_source source = {context, name ? name : "memory", false, bytes, size, options};
  return parse_source(&source, true, geometry, error);
}

static syn_status read_file_of_mesh(const syn_context *context, const char *path, const syn_read_options *options,
                                    bool fields_count, syn_geometry *geometry, syn_error *error) {
  const syn_read_options standard = syn_default_read_options();
  *geometry = (syn_geometry){0};
  if (!options) options = &standard;
  SYN_TRY(check_options(options, error));
  char *bytes;
  size_t size;
  syn_status status = syn_read_file(context, path, &bytes, &size, error);
  if (status != SYN_OK) return status == SYN_NOT_FOUND ? syn_refuse_image_folder(status, path, error) : status;
  const syn_source source = {context, path, true, bytes, size, options};
  status = parse_source(&source, fields_count, geometry, error);
  syn_free(context, bytes);
  return status;
}

syn_status syn_geometry_read(const syn_context *context, const char *path, const syn_read_options *options,
                             syn_geometry *geometry, syn_error *error) {
  return read_file_of_mesh(context, path, options, true, geometry, error);
}

syn_status syn_name_the_file(syn_status status, const char *path, syn_error *error) {
  if (status != SYN_OK && error && !error->file[0]) {
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    syn_fail_at(error, status, path, 0, -1, "%s", message);
  }
  return status;
}

static syn_status take_meshes(const syn_context *context, const syn_geometry *geometry, syn_trimesh **surface,
                              syn_tetmesh **volume, syn_error *error) {
  if (surface) SYN_TRY(syn_trimesh_from_geometry(context, geometry, surface, error));
  if (!volume || (surface && geometry->tet_count == 0)) return SYN_OK;
  const syn_status status = syn_tetmesh_from_geometry(context, geometry, volume, error);
  if (status != SYN_OK && surface) {
    syn_trimesh_destroy(*surface);
    *surface = NULL;
  }
  return status;
}

syn_status syn_meshes_read(const syn_context *context, const char *path, const syn_read_options *options,
                           syn_trimesh **surface, syn_tetmesh **volume, syn_error *error) {
  syn_geometry geometry;
  if (surface) *surface = NULL;
  if (volume) *volume = NULL;
  SYN_TRY(read_file_of_mesh(context, path, options, false, &geometry, error));
  const syn_status status = take_meshes(context, &geometry, surface, volume, error);
  syn_geometry_free(context, &geometry);
  return syn_name_the_file(status, path, error);
}

syn_status syn_trimesh_read(const syn_context *context, const char *path, const syn_read_options *options,
                            syn_trimesh **mesh, syn_error *error) {
  return syn_meshes_read(context, path, options, mesh, NULL, error);
}

syn_status syn_tetmesh_read(const syn_context *context, const char *path, const syn_read_options *options,
                            syn_tetmesh **mesh, syn_error *error) {
  return syn_meshes_read(context, path, options, NULL, mesh, error);
}

syn_status syn_trimesh_read_surface(const syn_context *context, const char *path, const syn_read_options *options,
                                    syn_trimesh **mesh, syn_error *error) {
  syn_geometry geometry;
  *mesh = NULL;
  SYN_TRY(read_file_of_mesh(context, path, options, false, &geometry, error));
  if (geometry.tet_count)
    syn_warn(context, "%s: only the surface is used, %zu tetrahedra are left out", path, geometry.tet_count);
  if (geometry.field_count) syn_warn(context, "%s: %zu fields are left out", path, geometry.field_count);
  const syn_status status = syn_trimesh_from_geometry(context, &geometry, mesh, error);
  syn_geometry_free(context, &geometry);
  return syn_name_the_file(status, path, error);
}

void syn_doubt_units(const syn_context *context, const syn_box *boxes, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i) largest = max2(largest, vec3_distance(boxes[i].min, boxes[i].max));
  if (largest > 0 && largest < 1)
    syn_warn(context,
             "the bodies are at most %.3g mm across: if their files are in metres, give --units m; answers in mm are "
             "wrong by "
             "that factor",
             largest);
}
