/* Repair: runs the steps in order, and reports what they changed. */
#include "mesh/repair/repair.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/repair/weld.h"

syn_repair_options syn_default_repair_options(void) {
  return (syn_repair_options){.drop_degenerate = true, .orient = true, .fill_holes_edges = 32, .cookie = SYN_COOKIE};
}

syn_trimesh syn_builder_view(const syn_builder *b) {
  return (syn_trimesh){.context = b->context,
                       .vertex_count = (uint32_t)b->point_count,
                       .triangle_count = (uint32_t)b->triangle_count,
                       .vertices = b->points,
                       .triangles = b->triangles};
}

/* Keeps the marked points (keep[i] not 0), renumbers the triangles, and returns the count of removed points. */
static uint32_t keep_points(syn_builder *mesh, uint32_t *keep) {
  uint32_t kept = 0;
  for (size_t i = 0; i < mesh->point_count; ++i) {
    if (!keep[i]) continue;
    mesh->points[kept] = mesh->points[i];
    keep[i] = kept++; /* now its new number */
  }
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) mesh->triangles[t].v[c] = keep[mesh->triangles[t].v[c]];
  const uint32_t gone = (uint32_t)mesh->point_count - kept;
  mesh->point_count = kept;
  return gone;
}

syn_status syn_drop_unreferenced(syn_builder *mesh, uint32_t *dropped, syn_error *error) {
  uint32_t *used;
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &used, mesh->point_count, error));
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) used[mesh->triangles[t].v[c]] = 1;
  *dropped = keep_points(mesh, used);
  syn_free(mesh->context, used);
  return SYN_OK;
}

syn_status syn_repair_weld(syn_builder *mesh, double within, uint32_t *welded, syn_error *error) {
  const uint32_t n = (uint32_t)mesh->point_count;
  uint32_t *representative;
  SYN_TRY(SYN_NEW(mesh->context, &representative, n, error));
  syn_status status = within > 0
                          ? syn_weld_within(mesh->context, mesh->points, n, within, representative, welded, error)
                          : syn_weld_exact(mesh->context, mesh->points, n, representative, welded, error);
  if (status == SYN_OK && *welded > 0) {
    for (size_t t = 0; t < mesh->triangle_count; ++t)
      for (int c = 0; c < 3; ++c) mesh->triangles[t].v[c] = representative[mesh->triangles[t].v[c]];
    for (uint32_t i = 0; i < n; ++i) representative[i] = representative[i] == i;
    keep_points(mesh, representative);
  }
  syn_free(mesh->context, representative);
  return status;
}

/* ---- reporting ----------------------------------------------------------------------------------------------------
 */

/* Reports what a step did, if it did anything: "DID 12 MANY HOW" or "DID 1 ONE HOW". */
static void tell(const syn_context *context, const char *did, uint32_t count, const char *one, const char *many,
                 const char *how) {
  if (count > 0) syn_warn(context, "%s %u %s%s", did, count, count == 1 ? one : many, how);
}

/* ---- the steps -------------------------------------------------------------------------------------------------- */

static syn_status weld(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r, syn_error *error) {
  if (o->weld_mm < 0) return SYN_OK;
  char how[64] = " at the same place as another";
  if (o->weld_mm > 0) snprintf(how, sizeof how, " closer than %g mm to another", o->weld_mm);
  SYN_TRY(syn_repair_weld(mesh, o->weld_mm, &r->welded_vertices, error));
  tell(mesh->context, "welded", r->welded_vertices, "vertex", "vertices", how);
  return SYN_OK;
}

static syn_status drop(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r, syn_error *error) {
  if (!o->drop_degenerate) return SYN_OK;
  SYN_TRY(syn_repair_drop(mesh, &r->dropped_degenerate, &r->dropped_duplicate, error));
  SYN_TRY(syn_drop_unreferenced(mesh, &r->dropped_unreferenced, error));
  tell(mesh->context, "dropped", r->dropped_degenerate, "triangle", "triangles", " without area");
  tell(mesh->context, "dropped", r->dropped_duplicate, "triangle", "triangles", " that repeated another");
  tell(mesh->context, "dropped", r->dropped_unreferenced, "unused point", "unused points", "");
  return SYN_OK;
}

static syn_status fill_small_holes(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r,
                                   syn_error *error) {
  if (o->fill_holes_edges == 0) return SYN_OK;
  uint32_t left;
  SYN_TRY(syn_repair_fill(mesh, o->fill_holes_edges, &r->filled_holes, &r->added_triangles, &left, error));
  char how[96];
  snprintf(how, sizeof how, " with %u triangles", r->added_triangles);
  tell(mesh->context, "filled", r->filled_holes, "hole", "holes", how);
  snprintf(how, sizeof how, " open: more than %u edges, or the rim of a single triangle", o->fill_holes_edges);
  tell(mesh->context, "left", left, "boundary loop", "boundary loops", how);
  return SYN_OK;
}

static syn_status remove_islands(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r,
                                 syn_error *error) {
  if (!(o->island_fraction > 0)) return SYN_OK;
  SYN_TRY(syn_repair_islands(mesh, o->island_fraction, &r->removed_islands, &r->removed_triangles, error));
  if (r->removed_islands == 0) return SYN_OK;
  uint32_t points;
  char how[128];
  SYN_TRY(syn_drop_unreferenced(mesh, &points, error));
  snprintf(how, sizeof how, " (%u triangles, %u points) of less than %g of the largest part's area",
           r->removed_triangles, points, o->island_fraction);
  tell(mesh->context, "removed", r->removed_islands, "island", "islands", how);
  return SYN_OK;
}

/* Orients before and after filling: holes are filled along the faces, which must agree before. Only after filling can a
 * closed part be oriented outward, or inward as a cavity. */
static syn_status orient_around(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r, uint8_t *turned,
                                syn_error *error) {
  const size_t known = mesh->triangle_count;
  uint32_t one_sided = 0;
  if (o->orient) SYN_TRY(syn_repair_orient(mesh, turned, known, &one_sided, error));
  SYN_TRY(fill_small_holes(mesh, o, r, error));
  if (o->orient && r->filled_holes > 0) SYN_TRY(syn_repair_orient(mesh, turned, known, &one_sided, error));
  for (size_t t = 0; t < known; ++t) r->flipped += turned[t];
  tell(mesh->context, "turned over", r->flipped, "triangle", "triangles",
       " so that faces agree, outward on closed parts and inward on cavities");
  tell(mesh->context, "found", one_sided, "one-sided part", "one-sided parts", " whose faces cannot be made to agree");
  return SYN_OK;
}

static syn_status orient_and_fill(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r,
                                  syn_error *error) {
  uint8_t *turned;
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &turned, mesh->triangle_count, error));
  syn_status status = orient_around(mesh, o, r, turned, error);
  syn_free(mesh->context, turned);
  return status;
}

/* Runs all steps. Holes that touch at a vertex are filled one by one while they still share it, which joins the fans
 * around the vertex again. Fans that are still separate afterwards get separate vertices. */
static syn_status run_repair(syn_builder *mesh, const syn_repair_options *o, syn_repair_report *r, syn_error *error) {
  uint32_t at_edges, at_vertices;
  SYN_TRY(weld(mesh, o, r, error));
  SYN_TRY(drop(mesh, o, r, error));
  SYN_TRY(syn_repair_split(mesh, false, &at_edges, error));
  SYN_TRY(orient_and_fill(mesh, o, r, error));
  SYN_TRY(syn_repair_split(mesh, true, &at_vertices, error));
  r->split_nonmanifold = at_edges + at_vertices;
  tell(mesh->context, "cut the surface apart where it was not manifold: added", r->split_nonmanifold, "vertex",
       "vertices", "");
  return remove_islands(mesh, o, r, error);
}

static syn_status check_options(const syn_repair_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_repair_options, error));
  if (!isfinite(options->weld_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the welding distance must be a number, not %g", options->weld_mm);
  if (!(options->island_fraction >= 0 && options->island_fraction <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the island fraction must lie between 0 and 1, not be %g",
                    options->island_fraction);
  return SYN_OK;
}

static syn_status copy_mesh(const syn_trimesh *mesh, syn_builder *b, syn_error *error) {
  SYN_TRY(SYN_RESERVE(b->context, &b->points, 0, mesh->vertex_count, &b->point_capacity, error));
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, 0, mesh->triangle_count, &b->triangle_capacity, error));
  if (mesh->vertex_count) memcpy(b->points, mesh->vertices, mesh->vertex_count * sizeof *b->points);
  if (mesh->triangle_count) memcpy(b->triangles, mesh->triangles, mesh->triangle_count * sizeof *b->triangles);
  b->point_count = mesh->vertex_count;
  b->triangle_count = mesh->triangle_count;
  return SYN_OK;
}

syn_status syn_trimesh_repair(const syn_trimesh *mesh, const syn_repair_options *options, syn_trimesh **repaired,
                              syn_repair_report *report, syn_error *error) {
  const syn_repair_options standard = syn_default_repair_options();
  syn_repair_report ignored;
  if (!options) options = &standard;
  if (!report) report = &ignored;
  *repaired = NULL;
  *report = (syn_repair_report){0};
  SYN_TRY(check_options(options, error));
  if (mesh->triangle_count > SYN_NONE / 3)
    return syn_fail(error, SYN_TOO_LARGE, "%u triangles are more than repair can number the corners of",
                    mesh->triangle_count);
  syn_builder builder = {.context = mesh->context};
  syn_status status = copy_mesh(mesh, &builder, error);
  if (status == SYN_OK) status = run_repair(&builder, options, report, error);
  if (status == SYN_OK) return syn_builder_trimesh(&builder, repaired, error);
  syn_builder_release(&builder);
  return status;
}
