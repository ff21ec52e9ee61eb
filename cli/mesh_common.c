#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "mesh.h"

syn_status cli_read_surface(cli_session *session, const char *path, syn_trimesh **mesh, syn_error *error) {
  syn_geometry geometry;
  SYN_TRY(syn_geometry_read(&session->context, path, &session->reading, &geometry, error));
  if (geometry.tet_count)
    syn_warn(&session->context, "%s: only the surface is used, %zu tetrahedra are left out", path, geometry.tet_count);
  if (geometry.field_count) syn_warn(&session->context, "%s: %zu fields are left out", path, geometry.field_count);
  const syn_status status = syn_trimesh_from_geometry(&session->context, &geometry, mesh, error);
  syn_geometry_free(&session->context, &geometry);
  return cli_blame(status, path, error);
}

syn_status cli_blame(syn_status status, const char *path, syn_error *error) {
  if (status == SYN_BAD_MESH && !error->file[0]) snprintf(error->file, sizeof error->file, "%s", path);
  return status;
}

syn_status cli_write_result(cli_session *session, const syn_geometry *geometry, const char *path,
                            const syn_write_options *options, syn_error *error) {
  const char *hidden;
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  SYN_TRY(cli_write(session, geometry, hidden, options, error));
  const struct {
    const char *key, *word;
    size_t count;
  } rows[] = {{"vertices", "vertices", geometry->point_count},
              {"triangles", "triangles", geometry->triangle_count},
              {"tets", "tetrahedra", geometry->tet_count}};
  char text[160] = "", count[32];
  for (size_t i = 0, used = 0; i < sizeof rows / sizeof *rows; ++i) {
    cli_set(session, rows[i].key, json_integer((json_int_t)rows[i].count));
    if (i && !rows[i].count) continue;
    snprintf(text + used, sizeof text - used, "%s%s %s", i ? ", " : "", cli_count(rows[i].count, count), rows[i].word);
    used = strlen(text);
  }
  cli_set_files(session);
  cli_print(session, "%s: %s\n", path, text);
  return SYN_OK;
}

json_t *cli_tet_quality(const syn_tet_quality *q) {
  const double degrees = 180 / SYN_PI;
  json_t *value = json_object();
  json_object_set_new(value, "volume_mm3", cli_real(q->volume_mm3));
  json_object_set_new(value, "min_volume_mm3", cli_real(q->min_volume_mm3));
  json_object_set_new(value, "inverted", json_integer(q->inverted));
  json_object_set_new(value, "min_quality", cli_real(q->min_quality));
  json_object_set_new(value, "mean_quality", cli_real(q->mean_quality));
  json_object_set_new(value, "min_dihedral_deg", cli_real(q->min_dihedral * degrees));
  json_object_set_new(value, "max_dihedral_deg", cli_real(q->max_dihedral * degrees));
  return value;
}

/* Does the path end in one of the endings, which are separated by blanks? */
static bool ends_in_one(const char *path, const char *endings) {
  char ending[32];
  while (*endings) {
    const size_t length = strcspn(endings, " ");
    snprintf(ending, sizeof ending, "%.*s", (int)length, endings);
    if (syn_path_ends(path, ending)) return true;
    endings += length + strspn(endings + length, " ");
  }
  return false;
}

bool cli_written_format(const char *path, const char *name, syn_format_info *info) {
  for (size_t i = 0; i < syn_format_count(); ++i) {
    *info = syn_format_at(i);
    if (info->writes && (name ? strcmp(info->name, name) == 0 : ends_in_one(path, info->extensions))) return true;
  }
  return false;
}

syn_status cli_check_written_format(const char *name, syn_error *error) {
  syn_format_info info;
  if (!name || cli_written_format("", name, &info)) return SYN_OK;
  char known[256] = "";
  for (size_t i = 0; i < syn_format_count(); ++i) {
    info = syn_format_at(i);
    const size_t used = strlen(known);
    if (info.writes) snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", info.name);
  }
  return syn_fail(error, SYN_BAD_ARGUMENT, "'%.40s' is not a format that can be written; there are %s", name, known);
}

/* ---- health in words ----------------------------------------------------------------------------------------------
 */

bool cli_fit(const syn_health *health) {
  return health->closed && health->manifold && health->oriented && health->outward && health->self_intersections == 0 &&
         !health->self_intersections_stopped;
}

__attribute__((format(printf, 2, 3))) static void add(json_t *list, const char *format, ...) {
  char sentence[320];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  json_array_append_new(list, cli_string(sentence));
}

/* "1 triangle" or "3,200 triangles", then what is wrong and, where there is any, the advice. */
static void add_count(json_t *list, uint64_t count, const char *one, const char *many, const char *wrong,
                      const char *advice) {
  char text[32];
  if (count)
    add(list, "%s %s%s%s%s", cli_count(count, text), count == 1 ? one : many, wrong, advice ? "; " : "",
        advice ? advice : "");
}

static void add_openings(json_t *list, const syn_health *h, bool repaired) {
  char edges[32], loops[32];
  if (h->closed) return;
  if (h->boundary_edges)
    add(list, "not closed: %s boundary edge%s in %s hole%s; %s", cli_count(h->boundary_edges, edges),
        h->boundary_edges == 1 ? "" : "s", cli_count(h->boundary_loops, loops), h->boundary_loops == 1 ? "" : "s",
        repaired ? "a larger --fill closes large holes, --islands 0.01 removes loose pieces"
                 : "`synovia mesh repair --fill N` fills holes of up to N edges");
  else
    add(list, "there are no triangles");
}

static void add_branchings(json_t *list, const syn_health *h) {
  add_count(list, h->nonmanifold_edges, "edge", "edges", " with more than two triangles",
            "`synovia mesh repair` cuts the sheets apart");
  add_count(list, h->nonmanifold_vertices, "vertex", "vertices", " where separate sheets touch in a point",
            "`synovia mesh repair` gives each sheet its own");
  add_count(list, h->flipped_edges, "edge", "edges", " along which neighbouring triangles face opposite ways",
            "`synovia mesh repair` turns them");
  if (h->closed && h->oriented && !h->outward)
    add(list, "inside out: the faces point inward; `synovia mesh repair` turns them");
}

static void add_blemishes(json_t *list, const syn_health *h, bool repaired) {
  add_count(list, h->self_intersections, "pair", "pairs",
            repaired ? " of triangles cut through each other, or touch where sheets were cut apart"
                     : " of triangles cut through each other",
            "`synovia mesh smooth` may help, else edit the mesh there");
  if (h->self_intersections_stopped)
    add(list, "so many triangles lie over one another that not all pairs were looked at; drop the doubled ones");
  add_count(list, h->degenerate_triangles, "triangle", "triangles", " without area",
            repaired ? NULL : "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_triangles, "triangle", "triangles", " present twice",
            "`synovia mesh repair` drops them");
  add_count(list, h->duplicate_vertices, "vertex", "vertices", " at the very place of another",
            repaired ? NULL : "`synovia mesh repair` joins them");
  add_count(list, h->unreferenced_vertices, "vertex", "vertices", " in no triangle",
            "`synovia mesh repair` drops them");
}

static json_t *problems(const syn_health *health, bool repaired) {
  json_t *list = json_array();
  add_openings(list, health, repaired);
  add_branchings(list, health);
  add_blemishes(list, health, repaired);
  return list;
}

json_t *cli_problems(const syn_health *health) { return problems(health, false); }

json_t *cli_problems_left(const syn_health *health) { return problems(health, true); }
