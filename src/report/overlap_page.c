/* Where two bodies interpenetrate, as a page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "report/filling.h"
#include "report/shown.h"
#include <synovia/report.h>

typedef struct writing {
  const syn_overlap *overlap;
  const syn_body *sides[2]; /* fixed, mobile */
  syn_arena arena;
  syn_report report;
  syn_report_body bodies[2];
  syn_report_field fields[2];
  syn_report_table tables[2];
  const char *summary[3];
  syn_trimesh *moved; /* the mobile body where it overlaps */
} writing;

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

/* A page has fields on vertices: each gets the innermost zone of its triangles. */
static syn_status fill_zones(writing *w, int side, const syn_trimesh *mesh, syn_error *error) {
  const uint8_t *zones = side ? w->overlap->mobile_zones : w->overlap->fixed_zones;
  double *values;
  SYN_TRY(SYN_TAKE(&w->arena, &values, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) values[v] = NAN;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      double *value = &values[mesh->triangles[t].v[c]];
      if (!(*value >= zones[t])) *value = zones[t];
    }
  w->fields[side] = (syn_report_field){.name = "zone",
                                       .label = "Zone (0 outside, 1 outer, 2 cut, 3 inner, 4 inside)",
                                       .unit = "",
                                       .values = values,
                                       .steps = 1,
                                       .low = 0,
                                       .high = SYN_ZONE_INSIDE};
  return SYN_OK;
}

static syn_status fill_bodies(writing *w, syn_error *error) {
  SYN_TRY(syn_trimesh_transform(w->sides[1]->surface, &w->overlap->pose, &w->moved, error));
  for (int side = 0; side < 2; ++side) {
    syn_body body = *w->sides[side];
    if (side) body.surface = w->moved;
    body.moves = false; /* it lies where it is shown */
    SYN_TRY(fill_zones(w, side, body.surface, error));
    w->bodies[side] = (syn_report_body){.body = body, .fields = &w->fields[side], .field_count = 1};
  }
  w->report.bodies = w->bodies;
  w->report.body_count = 2;
  return SYN_OK;
}

/* ---- words and numbers --------------------------------------------------------------------------------------------
 */

static uint32_t contact_elements(const syn_overlap *o, bool mobile) {
  return syn_overlap_zone_count(o, mobile, SYN_ZONE_CUT) + syn_overlap_zone_count(o, mobile, SYN_ZONE_INNER) +
         syn_overlap_zone_count(o, mobile, SYN_ZONE_INSIDE);
}

static void fill_summary(writing *w) {
  const syn_overlap *o = w->overlap;
  char room[2][96];
  w->report.summary = w->summary;
  if (!(o->volume_mm3 > 0)) {
    w->summary[w->report.summary_count++] = "The bodies do not interpenetrate.";
    return;
  }
  w->summary[w->report.summary_count++] =
      text(w, "%s and %s share a volume of %s about %.1f, %.1f, %.1f mm.", w->sides[0]->name, w->sides[1]->name,
           syn_shown_quantity(o->volume_mm3, "mm³", room[0]), o->centroid.x, o->centroid.y, o->centroid.z);
  w->summary[w->report.summary_count++] =
      text(w, "%s of %s and %s of %s lie inside the other body.", syn_shown_quantity(o->fixed_area_mm2, "mm²", room[0]),
           w->sides[0]->name, syn_shown_quantity(o->mobile_area_mm2, "mm²", room[1]), w->sides[1]->name);
  w->summary[w->report.summary_count++] =
      text(w, "%u and %u triangles are in contact; the surfaces cross in %u loop%s.", contact_elements(o, false),
           contact_elements(o, true), o->loop_count, o->loop_count == 1 ? "" : "s");
}

static syn_status fill_tables(writing *w, syn_error *error) {
  SYN_TRY(
      syn_filled_table(&w->arena, &syn_zone_record, w->overlap, SYN_ZONES, "Triangles by zone",
                       "Cut: the contour passes through it. Outer and inner: it shares an edge with one that is cut "
                       "(Sundaraj 2004, §5.5).",
                       &w->tables[0], error));
  SYN_TRY(syn_filled_table(&w->arena, &syn_contour_record, w->overlap, w->overlap->loop_count, "Contour of collision",
                           NULL, &w->tables[1], error));
  w->report.tables = w->tables;
  w->report.table_count = w->overlap->loop_count > 0 ? 2 : 1;
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(writing *w, const char *title, const syn_provenance *provenance, syn_error *error) {
  w->report.kind = "overlap";
  w->report.title = title;
  w->report.subtitle = text(w, "%s fixed, %s mobile", w->sides[0]->name, w->sides[1]->name);
  if (provenance) {
    w->report.command = provenance->command;
    w->report.date = provenance->date;
    w->report.notes = provenance->warnings;
    w->report.note_count = provenance->warning_count;
  }
  fill_summary(w);
  SYN_TRY(fill_bodies(w, error));
  SYN_TRY(fill_tables(w, error));
  return syn_arena_check(&w->arena, error);
}

syn_status syn_overlap_report_write(const syn_context *context, const syn_overlap *overlap, const syn_body *fixed,
                                    const syn_body *mobile, const char *title, const syn_provenance *provenance,
                                    const char *path, syn_error *error) {
  if (!fixed->surface || !mobile->surface || fixed->surface->triangle_count != overlap->fixed_count ||
      mobile->surface->triangle_count != overlap->mobile_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the overlap was not made of the surfaces of these bodies");
  writing w = {.overlap = overlap, .sides = {fixed, mobile}, .arena = {.context = context}};
  syn_status status = fill(&w, title, provenance, error);
  if (status == SYN_OK) status = syn_report_write(context, &w.report, NULL, path, error);
  syn_trimesh_destroy(w.moved);
  syn_arena_release(&w.arena);
  return status;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------
 */

syn_status syn_overlap_stage(const syn_overlap *overlap, const syn_body *fixed, const syn_body *mobile,
                             syn_outbox *outbox, const char *path, syn_error *error) {
  const char *hidden, *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  const size_t stem = dot ? (size_t)(dot - path) : strlen(path);
  char contour[SYN_LONGEST_PATH];
  SYN_TRY(syn_outbox_stage_file(outbox, path, &hidden, error));
  SYN_TRY(syn_overlap_write(overlap, fixed->surface, mobile->surface, hidden, NULL, error));
  SYN_TRY(syn_outbox_add(outbox, hidden, error));
  if (overlap->loop_count == 0) return SYN_OK;
  if (snprintf(contour, sizeof contour, "%.*s_contour.vtp", (int)stem, path) >= (int)sizeof contour)
    return syn_fail_at(error, SYN_BAD_ARGUMENT, path, 0, -1, "this name is too long");
  SYN_TRY(syn_outbox_stage_file(outbox, contour, &hidden, error));
  SYN_TRY(syn_overlap_write_contour(overlap, hidden, error));
  return syn_outbox_add(outbox, hidden, error);
}
