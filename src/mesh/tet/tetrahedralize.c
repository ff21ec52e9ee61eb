/* Fills a surface with tetrahedra by gmsh, in a separate process. gmsh gets the surface as one discrete entity per
 * shell, which it may not remesh; then the surface of its result is compared with the given one. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <synovia/mesh.h>

#include "base/files/file.h"
#include "base/hash_table.h"
#include "base/process.h"
#include "base/text.h"
#include "base/vec.h"
#include "mesh/builder.h"
#include "mesh/repair/nesting.h"

syn_tetrahedralize_options syn_default_tetrahedralize_options(void) {
  return (syn_tetrahedralize_options){.timeout_s = 600, .cookie = SYN_COOKIE};
}

enum { PATH_ROOM = SYN_FOLDER_ROOM + 32 };

typedef struct work {
  const syn_trimesh *surface;
  const syn_context *context;
  const syn_tetrahedralize_options *options;
  const char *program;
  syn_shells shells;
  char folder[SYN_FOLDER_ROOM];
  char surface_path[PATH_ROOM], script_path[PATH_ROOM], volume_path[PATH_ROOM], log_path[PATH_ROOM];
} work;

/* ---- before -------------------------------------------------------------------------------------------------------
 */

static syn_status check_surface(const syn_trimesh *surface, syn_error *error) {
  const syn_check_options options = syn_default_check_options();
  syn_health health;
  SYN_TRY(syn_trimesh_check(surface, &options, &health, error));
  if (surface->triangle_count == 0) return syn_fail(error, SYN_BAD_MESH, "the surface has no triangles");
  if (!health.closed)
    return syn_fail(error, SYN_BAD_MESH, "the surface is open: it has %u boundary edges; repair it first",
                    health.boundary_edges);
  if (!health.manifold)
    return syn_fail(error, SYN_BAD_MESH,
                    "the surface is not manifold: %u edges have more than two triangles, %u vertices touch only in a "
                    "point; repair it first",
                    health.nonmanifold_edges, health.nonmanifold_vertices);
  if (!health.oriented)
    return syn_fail(error, SYN_BAD_MESH, "the triangles do not all face the same side (%u edges); repair it first",
                    health.flipped_edges);
  if (health.degenerate_triangles > 0)
    return syn_fail(error, SYN_BAD_MESH, "the surface has %u triangles without area; repair it first",
                    health.degenerate_triangles);
  if (health.self_intersections > 0)
    return syn_fail(error, SYN_BAD_MESH, "the surface meets itself in %llu pairs of triangles; smooth or edit it there",
                    (unsigned long long)health.self_intersections);
  return SYN_OK;
}

/* ---- what gmsh gets ------------------------------------------------------------------------------------------------
 */

static syn_status name_files(work *w, syn_error *error) {
  SYN_TRY(syn_temporary_folder(w->folder, error));
  snprintf(w->surface_path, PATH_ROOM, "%s/surface.msh", w->folder);
  snprintf(w->script_path, PATH_ROOM, "%s/volume.geo", w->folder);
  snprintf(w->volume_path, PATH_ROOM, "%s/volume.msh", w->folder);
  snprintf(w->log_path, PATH_ROOM, "%s/log", w->folder);
  return SYN_OK;
}

/* The shell of each triangle becomes its surface entity, counted from 1. */
static syn_status write_surface(const work *w, syn_error *error) {
  const syn_trimesh *surface = w->surface;
  double *entity;
  SYN_TRY(SYN_NEW(w->context, &entity, surface->triangle_count, error));
  for (uint32_t t = 0; t < surface->triangle_count; ++t) entity[t] = w->shells.shell[t] + 1.0;
  const syn_field field = {"entity", SYN_ON_TRIANGLES, 1, entity};
  syn_geometry geometry = syn_trimesh_geometry(surface);
  geometry.fields = &field;
  geometry.field_count = 1;
  syn_status status = syn_geometry_write(w->context, &geometry, w->surface_path, NULL, error);
  syn_free(w->context, entity);
  return status;
}

/* One volume per outer shell, bounded by it and its cavities. */
static syn_status write_script(const work *w, syn_error *error) {
  char edge[32];
  syn_output output;
  SYN_TRY(syn_output_open(w->context, w->script_path, &output, error));
  fputs("Merge \"surface.msh\";\nMesh.Algorithm3D = 1;\n", output.stream);
  if (w->options->edge_mm > 0) {
    syn_format_double(w->options->edge_mm, edge);
    fprintf(output.stream,
            "Mesh.CharacteristicLengthExtendFromBoundary = 0;\nMesh.CharacteristicLengthMin = %s;\n"
            "Mesh.CharacteristicLengthMax = %s;\n",
            edge, edge);
  }
  for (uint32_t s = 0; s < w->shells.count; ++s) fprintf(output.stream, "Surface Loop(%u) = {%u};\n", s + 1, s + 1);
  for (uint32_t s = 0; s < w->shells.count; ++s) {
    if (w->shells.outer[s] != s) continue;
    fprintf(output.stream, "Volume(%u) = {%u", s + 1, s + 1);
    for (uint32_t c = 0; c < w->shells.count; ++c)
      if (c != s && w->shells.outer[c] == s) fprintf(output.stream, ", %u", c + 1);
    fputs("};\n", output.stream);
  }
  return syn_output_commit(&output, error);
}

/* ---- running it ----------------------------------------------------------------------------------------------------
 */

/* The last line of the log that speaks of an error, else its last line, into `quote`. */
static void quote_log(const work *w, char *quote, size_t size) {
  char *bytes;
  size_t length;
  snprintf(quote, size, "(it said nothing)");
  if (syn_read_file(w->context, w->log_path, &bytes, &length, NULL) != SYN_OK) return;
  syn_text text = syn_text_from(bytes, length, NULL);
  bool found = false;
  for (syn_word line; syn_text_line(&text, &line);) {
    const bool speaks = line.length > 0 && memmem(line.at, line.length, "rror", 4) != NULL;
    if (line.length == 0 || (found && !speaks)) continue;
    found = found || speaks;
    snprintf(quote, size, "%.*s", (int)(line.length < 300 ? line.length : 300), line.at);
  }
  syn_free(w->context, bytes);
}

static syn_status run_gmsh(const work *w, syn_error *error) {
  const char *const arguments[] = {w->program, w->script_path, "-3", "-format",      "msh22",
                                   "-bin",     "-nopopup",     "-o", w->volume_path, NULL};
  const syn_process process = {(char *const *)(uintptr_t)arguments, w->log_path, w->options->timeout_s,
                               "filling with tetrahedra"};
  char quote[320];
  bool started;
  int code;
  syn_error failure = {0};
  syn_status status = syn_run(w->context, &process, &started, &code, &failure);
  if (!started)
    return syn_fail(error, status, "%s: install the package gmsh, or name the program in the options", failure.message);
  if (status != SYN_OK) return syn_fail(error, status, "%s", failure.message);
  const bool wrote = access(w->volume_path, R_OK) == 0;
  if (code == 0 && wrote) return SYN_OK;
  quote_log(w, quote, sizeof quote);
  if (code == 0) return syn_fail(error, SYN_NO_PROGRAM, "%s ended without writing a mesh: %s", w->program, quote);
  return syn_fail(error, SYN_NO_PROGRAM, "%s failed with code %d: %s", w->program, code, quote);
}

/* ---- what comes back -----------------------------------------------------------------------------------------------
 */

static bool same_place(const void *vertices, uint32_t v, const void *place) {
  return memcmp((const syn_vec3 *)vertices + v, place, sizeof(syn_vec3)) == 0;
}

/* Vertices of the surface by their exact coordinates. */
static syn_status make_vertex_table(const syn_trimesh *surface, hash_table *table, syn_error *error) {
  const syn_vec3 *places = surface->vertices;
  SYN_TRY(hash_table_create(surface->context, hash_table_bits(surface->vertex_count), table, error));
  for (uint32_t v = 0; v < surface->vertex_count; ++v)
    hash_table_join(table, hash_place(places[v]), v, same_place, places, &places[v]);
  return SYN_OK;
}

/* Renumbers the result: vertices of the surface keep their numbers; those that gmsh added inside follow. */
static syn_status renumber_filling(const syn_trimesh *surface, const syn_geometry *filled, syn_builder *b,
                                   syn_error *error) {
  hash_table table = {0};
  uint32_t *number = NULL;
  syn_status status = make_vertex_table(surface, &table, error);
  if (status == SYN_OK) status = SYN_NEW(b->context, &number, filled->point_count, error);
  /* The vertices of the surface first. */
  for (uint32_t v = 0; status == SYN_OK && v < surface->vertex_count; ++v)
    status = syn_builder_point(b, surface->vertices[v], error);
  /* Points of gmsh are either among them, or new ones inside. */
  for (size_t i = 0; status == SYN_OK && i < filled->point_count; ++i) {
    const syn_vec3 *place = &filled->points[i];
    number[i] = hash_table_find(&table, hash_place(*place), same_place, surface->vertices, place);
    if (number[i] != SYN_NONE) continue;
    number[i] = (uint32_t)b->point_count;
    status = syn_builder_point(b, filled->points[i], error);
  }
  for (size_t t = 0; status == SYN_OK && t < filled->tet_count; ++t) {
    /* Orient every tetrahedron to positive volume. */
    uint32_t v[4];
    for (int i = 0; i < 4; ++i) v[i] = number[filled->tets[t].v[i]];
    const syn_vec3 o = b->points[v[0]];
    const bool positive = vec3_dot(vec3_cross(vec3_sub(b->points[v[1]], o), vec3_sub(b->points[v[2]], o)),
                                   vec3_sub(b->points[v[3]], o)) > 0;
    status = syn_builder_tet(b, v[0], v[positive ? 1 : 2], v[positive ? 2 : 1], v[3], error);
  }
  syn_free(surface->context, table.slots);
  syn_free(b->context, number);
  return status;
}

/* Checks that the surface is the given one, and that every tet has volume. */
static syn_status check_result(const work *w, const syn_tetmesh *mesh, syn_error *error) {
  syn_trimesh *outside;
  uint32_t *origin;
  SYN_TRY(syn_tetmesh_surface(mesh, &outside, &origin, error));
  const uint32_t given = w->surface->triangle_count, found = outside->triangle_count;
  bool same = found == given;
  for (uint32_t v = 0; v < outside->vertex_count; ++v) same = same && origin[v] < w->surface->vertex_count;
  syn_free(mesh->context, origin);
  syn_trimesh_destroy(outside);
  if (!same)
    return syn_fail(error, SYN_NO_PROGRAM,
                    "%s changed the surface: %u triangles were given, %u bound its tetrahedra; remesh or repair the "
                    "surface where triangles are very thin or nearly touch",
                    w->program, given, found);
  const syn_tet_quality quality = syn_tetmesh_quality(mesh);
  if (quality.inverted > 0)
    return syn_fail(error, SYN_NO_PROGRAM, "%s made %u tetrahedra without volume; remesh or repair the surface",
                    w->program, quality.inverted);
  return SYN_OK;
}

static syn_status read_result(const work *w, syn_tetmesh **mesh, syn_error *error) {
  syn_geometry filled;
  char quote[320];
  SYN_TRY(syn_geometry_read(w->context, w->volume_path, NULL, &filled, error));
  syn_builder builder = {.context = w->context};
  syn_status status;
  if (filled.tet_count == 0) {
    quote_log(w, quote, sizeof quote);
    status = syn_fail(error, SYN_NO_PROGRAM, "%s made no tetrahedra: %s", w->program, quote);
  } else {
    status = renumber_filling(w->surface, &filled, &builder, error);
  }
  syn_geometry_free(w->context, &filled);
  if (status == SYN_OK) status = syn_builder_tetmesh(&builder, mesh, error);
  syn_builder_release(&builder);
  if (status != SYN_OK) return status;
  status = check_result(w, *mesh, error);
  if (status != SYN_OK) {
    syn_tetmesh_destroy(*mesh);
    *mesh = NULL;
  }
  return status;
}

static syn_status fill_surface(work *w, syn_tetmesh **mesh, syn_error *error) {
  SYN_TRY(check_surface(w->surface, error));
  SYN_TRY(syn_shells_find(w->surface, &w->shells, error));
  SYN_TRY(name_files(w, error));
  SYN_TRY(write_surface(w, error));
  SYN_TRY(write_script(w, error));
  SYN_TRY(run_gmsh(w, error));
  return read_result(w, mesh, error);
}

static void warn_of_flat_tets(const syn_context *context, const syn_tetmesh *mesh) {
  const double worst = syn_tetmesh_quality(mesh).min_quality;
  if (worst < 0.01)
    syn_warn(context,
             "some tetrahedra are nearly flat (worst quality %.3g): the surface's triangles are kept, thin ones as "
             "well; `synovia mesh smooth` makes them rounder",
             worst);
}

syn_status syn_trimesh_tetrahedralize(const syn_trimesh *surface, const syn_tetrahedralize_options *options,
                                      syn_tetmesh **mesh, syn_error *error) {
  const syn_tetrahedralize_options standard = syn_default_tetrahedralize_options();
  *mesh = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_tetrahedralize_options, error));
  if (!(options->edge_mm >= 0) || !isfinite(options->edge_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the edge length must be 0 or a positive number, not %g",
                    options->edge_mm);
  if (!(options->timeout_s > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the timeout must be a positive number, not %g", options->timeout_s);
  work w = {.surface = surface,
            .context = surface->context,
            .options = options,
            .program = options->program ? options->program : "gmsh"};
  syn_status status = fill_surface(&w, mesh, error);
  if (status == SYN_OK) warn_of_flat_tets(w.context, *mesh);
  syn_shells_release(w.context, &w.shells);
  syn_remove_folder(w.folder);
  return status;
}
