/* mesh info and mesh check: what a file holds, and whether it is sound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh.h"

/* Everything that is found out about a file. */
typedef struct inspection {
  const char *path;
  syn_geometry geometry;
  syn_trimesh *mesh; /* its triangles, or the surface of its tetrahedra */
  bool self_intersections_asked;
  syn_health health;
  syn_mass mass;
  syn_box bounds;
  syn_tet_quality quality; /* where there are tetrahedra */
} inspection;

/* Points that neither triangles nor tetrahedra use: inner points of a volume are not stray. */
static syn_status count_stray_points(const cli_session *session, const syn_geometry *g, uint32_t *count,
                                     syn_error *error) {
  unsigned char *used;
  SYN_TRY(SYN_NEW_ZEROED(&session->context, &used, g->point_count, error));
  for (size_t i = 0; i < g->triangle_count; ++i)
    for (int k = 0; k < 3; ++k) used[g->triangles[i].v[k]] = 1;
  for (size_t i = 0; i < g->tet_count; ++i)
    for (int k = 0; k < 4; ++k) used[g->tets[i].v[k]] = 1;
  *count = 0;
  for (size_t i = 0; i < g->point_count; ++i) *count += !used[i];
  syn_free(&session->context, used);
  return SYN_OK;
}

static syn_status inspect_tets(cli_session *session, inspection *in, syn_error *error) {
  syn_tetmesh *tets;
  SYN_TRY(syn_tetmesh_from_geometry(&session->context, &in->geometry, &tets, error));
  in->quality = syn_tetmesh_quality(tets);
  syn_tetmesh_destroy(tets);
  return SYN_OK;
}

static syn_status inspect_geometry(cli_session *session, inspection *in, syn_error *error) {
  SYN_TRY(syn_trimesh_from_geometry(&session->context, &in->geometry, &in->mesh, error));
  syn_check_options options = syn_default_check_options();
  options.self_intersections = in->self_intersections_asked;
  SYN_TRY(syn_trimesh_check(in->mesh, &options, &in->health, error));
  in->mass = syn_trimesh_mass(in->mesh);
  in->bounds = syn_trimesh_bounds(in->mesh);
  SYN_TRY(count_stray_points(session, &in->geometry, &in->health.unreferenced_vertices, error));
  return in->geometry.tet_count ? inspect_tets(session, in, error) : SYN_OK;
}

static void release(cli_session *session, inspection *in) {
  syn_trimesh_destroy(in->mesh);
  syn_geometry_free(&session->context, &in->geometry);
}

static syn_status inspect(cli_session *session, inspection *in, syn_error *error) {
  *in = (inspection){.path = session->arguments.operands[0],
                     .self_intersections_asked = !cli_given(&session->arguments, "no-self-intersections")};
  SYN_TRY(syn_geometry_read(&session->context, in->path, &session->reading, &in->geometry, error));
  const syn_status status = inspect_geometry(session, in, error);
  if (status != SYN_OK) release(session, in);
  return cli_blame(status, in->path, error);
}

/* An enclosed volume needs a closed surface whose faces agree. */
static bool has_volume(const inspection *in) { return in->health.closed && in->health.oriented; }

/* Stray points of a scan are no vertices of its surface; the nodes of a volume are all counted, as solvers do. */
static size_t vertices_of(const inspection *in) {
  return in->geometry.point_count - (in->geometry.tet_count ? 0 : in->health.unreferenced_vertices);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------
 */

static json_t *fields_value(const syn_geometry *g) {
  json_t *list = json_array();
  for (size_t i = 0; i < g->field_count; ++i) {
    json_t *field = json_object();
    json_object_set_new(field, "name", cli_string(g->fields[i].name));
    json_object_set_new(field, "on", json_string(syn_field_on_name(g->fields[i].on)));
    json_object_set_new(field, "components", json_integer(g->fields[i].components));
    json_array_append_new(list, field);
  }
  return list;
}

static const char *space_name(syn_space space) {
  return space == SYN_SPACE_LPS ? "LPS" : space == SYN_SPACE_RAS ? "RAS" : NULL;
}

static void set_counts(cli_session *session, const inspection *in) {
  const syn_geometry *g = &in->geometry;
  const char *space = space_name(g->space);
  cli_set(session, "file", cli_string(in->path));
  cli_set(session, "format", g->format ? json_string(g->format) : json_null());
  cli_set(session, "vertices", json_integer((json_int_t)vertices_of(in)));
  cli_set(session, "points", json_integer((json_int_t)g->point_count));
  cli_set(session, "triangles", json_integer(in->mesh->triangle_count));
  cli_set(session, "tets", json_integer((json_int_t)g->tet_count));
  cli_set(session, "cells", json_integer((json_int_t)g->triangle_count + (json_int_t)g->tet_count));
  cli_set(session, "space", space ? json_string(space) : json_null());
  cli_set(session, "fields", fields_value(g));
}

static void set_health(cli_session *session, const inspection *in) {
  const syn_health *h = &in->health;
  cli_set(session, "closed", json_boolean(h->closed));
  cli_set(session, "manifold", json_boolean(h->manifold));
  cli_set(session, "oriented", json_boolean(h->oriented));
  cli_set(session, "outward", json_boolean(h->outward));
  cli_set(session, "components", json_integer(h->components));
  cli_set(session, "genus", h->genus >= 0 ? json_integer(h->genus) : json_null());
  cli_set(session, "boundary_edges", json_integer(h->boundary_edges));
  cli_set(session, "boundary_loops", json_integer(h->boundary_loops));
  cli_set(session, "nonmanifold_edges", json_integer(h->nonmanifold_edges));
  cli_set(session, "nonmanifold_vertices", json_integer(h->nonmanifold_vertices));
  cli_set(session, "flipped_edges", json_integer(h->flipped_edges));
  cli_set(session, "degenerate_triangles", json_integer(h->degenerate_triangles));
  cli_set(session, "duplicate_triangles", json_integer(h->duplicate_triangles));
  cli_set(session, "duplicate_vertices", json_integer(h->duplicate_vertices));
  cli_set(session, "unreferenced_vertices", json_integer(h->unreferenced_vertices));
  cli_set(session, "self_intersections",
          in->self_intersections_asked ? json_integer((json_int_t)h->self_intersections) : json_null());
  cli_set(session, "self_intersections_stopped", json_boolean(h->self_intersections_stopped));
  cli_set(session, "fit", json_boolean(cli_fit(h)));
  cli_set(session, "problems", cli_problems(h));
}

static void set_measures(cli_session *session, const inspection *in) {
  cli_set(session, "volume_mm3", has_volume(in) ? cli_real(in->mass.volume_mm3) : json_null());
  cli_set(session, "area_mm2", cli_real(in->mass.area_mm2));
  cli_set(session, "bounds", cli_box(&in->bounds));
  if (in->geometry.tet_count) cli_set(session, "tet_quality", cli_tet_quality(&in->quality));
}

/* ---- as text ------------------------------------------------------------------------------------------------------
 */

static void print_row(const cli_session *session, const char *label, const char *text) {
  cli_print(session, "  %-20s%s\n", label, text);
}

static void print_count(const cli_session *session, const char *label, uint64_t count) {
  char text[32];
  print_row(session, label, cli_count(count, text));
}

static void print_tets(const cli_session *session, const inspection *in) {
  const syn_tet_quality *q = &in->quality;
  const double degrees = 180 / SYN_PI;
  char text[160];
  print_count(session, "tetrahedra", in->geometry.tet_count);
  snprintf(text, sizeof text, "%.10g mm³, %u inverted", q->volume_mm3, q->inverted);
  print_row(session, "  volume", text);
  snprintf(text, sizeof text, "worst %.3f, mean %.3f (1 is regular), dihedral angles %.1f° to %.1f°", q->min_quality,
           q->mean_quality, q->min_dihedral * degrees, q->max_dihedral * degrees);
  print_row(session, "  quality", text);
}

static void print_bounds(const cli_session *session, const syn_box *b) {
  char text[200];
  if (!(b->min.x <= b->max.x)) return;
  snprintf(text, sizeof text, "%.6g, %.6g, %.6g to %.6g, %.6g, %.6g", b->min.x, b->min.y, b->min.z, b->max.x, b->max.y,
           b->max.z);
  print_row(session, "bounds", text);
  const syn_vec3 size = vec3_sub(b->max, b->min);
  snprintf(text, sizeof text, "%.4g × %.4g × %.4g mm%s", size.x, size.y, size.z,
           fmax(size.x, fmax(size.y, size.z)) < 2 ? " (so small: a file in metres? then add --units m)" : "");
  print_row(session, "size", text);
}

static void print_problems(const cli_session *session, const inspection *in, const char *path) {
  json_t *problems = cli_problems(&in->health), *problem;
  size_t index;
  if (cli_fit(&in->health))
    cli_print(session, "fit for contact: closed, manifold, oriented outward%s\n",
              in->self_intersections_asked ? ", free of self-intersections"
                                           : " (self-intersections were not looked for)");
  else
    cli_print(session, "%s is not fit for contact:\n", path);
  json_array_foreach(problems, index, problem) cli_print(session, "  - %s\n", json_string_value(problem));
  json_decref(problems);
}

static void print_info(const cli_session *session, const inspection *in) {
  const syn_health *h = &in->health;
  const char *space = space_name(in->geometry.space);
  char text[64];
  cli_print(session, "%s (%s%s%s)\n", in->path, in->geometry.format ? in->geometry.format : "mesh", space ? ", " : "",
            space ? space : "");
  print_count(session, "vertices", vertices_of(in));
  print_count(session, in->geometry.triangle_count ? "triangles" : "surface triangles", in->mesh->triangle_count);
  if (in->geometry.tet_count) print_tets(session, in);
  print_count(session, "components", h->components);
  print_row(session, "closed", h->closed ? "yes" : "no");
  print_row(session, "manifold", h->manifold ? "yes" : "no");
  print_row(session, "oriented", !h->oriented ? "no" : h->outward ? "yes, outward" : h->closed ? "yes, inward" : "yes");
  if (h->genus >= 0) print_count(session, "handles (genus)", (uint64_t)h->genus);
  if (h->self_intersections_stopped) {
    snprintf(text, sizeof text, "%llu or more (counting stopped)", (unsigned long long)h->self_intersections);
    print_row(session, "self-intersections", text);
  } else if (in->self_intersections_asked) {
    print_count(session, "self-intersections", h->self_intersections);
  }
  snprintf(text, sizeof text, "%.10g mm²", in->mass.area_mm2);
  print_row(session, "area", text);
  snprintf(text, sizeof text, "%.10g mm³", in->mass.volume_mm3);
  print_row(session, "volume", has_volume(in) ? text : "none: the surface encloses nothing");
  print_bounds(session, &in->bounds);
  for (size_t i = 0; i < in->geometry.field_count; ++i) print_row(session, "field", in->geometry.fields[i].name);
  print_problems(session, in, "this mesh");
}

/* ---- the commands -------------------------------------------------------------------------------------------------
 */

static syn_status run_info(cli_session *session, syn_error *error) {
  inspection in;
  SYN_TRY(inspect(session, &in, error));
  set_counts(session, &in);
  set_health(session, &in);
  set_measures(session, &in);
  print_info(session, &in);
  release(session, &in);
  return SYN_OK;
}

static syn_status run_check(cli_session *session, syn_error *error) {
  inspection in;
  SYN_TRY(inspect(session, &in, error));
  set_health(session, &in);
  cli_print(session, "%s: ", in.path);
  print_problems(session, &in, "it");
  session->answer_is_no = !cli_fit(&in.health);
  release(session, &in);
  return SYN_OK;
}

static const cli_option options[] = {
    {.name = "no-self-intersections",
     .kind = CLI_FLAG,
     .help = "do not look for triangles that cut through each other, which takes the most time"},
};

const cli_command cli_mesh_info = {
    .name = "mesh info",
    .summary = "counts, health and measures of a mesh file",
    .usage = {"FILE [--no-self-intersections]"},
    .description =
        "Reads any mesh format and says what is in it: counts, whether the surface is closed, manifold and oriented, "
        "what is wrong with it, area, volume and bounds. The exit code is 0 whenever the file could be read; `synovia "
        "mesh check` is the same question with a yes or no.\n\nA file of tetrahedra is answered with its surface and "
        "the quality of its elements. Vertices of a surface are the points in use; `points` counts all of them. The "
        "volume is that "
        "of a closed, oriented surface; otherwise there is none "
        "(null).",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_info,
};

const cli_command cli_mesh_check = {
    .name = "mesh check",
    .summary = "is a mesh fit for contact? exit code 1 when it is not",
    .usage = {"FILE [--no-self-intersections]"},
    .description = "Fit means closed, manifold, oriented outward and free of self-intersections.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_check,
};
