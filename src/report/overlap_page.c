/* Writes the interpenetration of two bodies as a page. */
#include <math.h>

#include "report/page_builder.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Fields of a page are on vertices: each gets the innermost zone of its triangles. */
static syn_status add_zones(syn_page *page, const uint8_t *zones, const syn_trimesh *mesh, syn_report_body *body,
                            syn_error *error) {
  double *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) values[v] = NAN;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      double *value = &values[mesh->triangles[t].v[c]];
      if (!(*value >= zones[t])) *value = zones[t];
    }
  syn_page_add_field(page, body,
                     (syn_report_field){.name = "zone",
                                        .label = "Zone (0 outside, 1 outer, 2 cut, 3 inner, 4 inside)",
                                        .unit = "",
                                        .values = values,
                                        .steps = 1,
                                        .low = 0,
                                        .high = SYN_ZONE_INSIDE});
  return SYN_OK;
}

static syn_status add_bodies(syn_page *page, const syn_overlap *overlap, const syn_body *fixed, const syn_body *mobile,
                             syn_error *error) {
  syn_trimesh *moved;
  SYN_TRY(syn_trimesh_transform(mobile->surface, &overlap->pose, &moved, error));
  SYN_TRY(syn_page_keep(page, moved, error));
  const syn_body *const sides[] = {fixed, mobile};
  const uint8_t *const zones[] = {overlap->fixed_zones, overlap->mobile_zones};
  for (int side = 0; side < 2; ++side) {
    syn_body body = *sides[side];
    if (side) body.surface = moved;
    body.moves = false; /* shown in the overlapping position */
    SYN_TRY(
        add_zones(page, zones[side], body.surface, syn_page_add_body(page, (syn_report_body){.body = body}), error));
  }
  return SYN_OK;
}

/* ---- texts and numbers ------------------------------------------------------------------------------------------- */

static uint32_t contact_elements(const syn_overlap *o, bool mobile) {
  return syn_overlap_zone_count(o, mobile, SYN_ZONE_CUT) + syn_overlap_zone_count(o, mobile, SYN_ZONE_INNER) +
         syn_overlap_zone_count(o, mobile, SYN_ZONE_INSIDE);
}

static void add_findings(syn_page *page, const syn_overlap *o, const char *fixed, const char *mobile) {
  if (!(o->volume_mm3 > 0)) {
    syn_page_add_finding(page, "The bodies do not interpenetrate.", NULL);
    return;
  }
  syn_page_add_finding(page,
                       syn_page_text(page, "%s and %s share a volume of %s about %.1f, %.1f, %.1f mm.", fixed, mobile,
                                     syn_page_quantity(page, o->volume_mm3, "mm³"), o->centroid.x, o->centroid.y,
                                     o->centroid.z),
                       NULL);
  syn_page_add_finding(page,
                       syn_page_text(page, "%s of %s and %s of %s lie inside the other body.",
                                     syn_page_quantity(page, o->fixed_area_mm2, "mm²"), fixed,
                                     syn_page_quantity(page, o->mobile_area_mm2, "mm²"), mobile),
                       NULL);
  syn_page_add_finding(page,
                       syn_page_text(page, "%u and %u triangles are in contact; the surfaces cross in %u loop%s.",
                                     contact_elements(o, false), contact_elements(o, true), o->loop_count,
                                     o->loop_count == 1 ? "" : "s"),
                       NULL);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_overlap(syn_page *page, const syn_overlap *overlap, const syn_body *fixed, const syn_body *mobile,
                              syn_error *error) {
  page->report.subtitle = syn_page_text(page, "%s fixed, %s mobile", fixed->name, mobile->name);
  for (size_t i = 0; i < page->provenance->warning_count; ++i)
    syn_page_add_note(page, page->provenance->warnings[i], NULL);
  add_findings(page, overlap, fixed->name, mobile->name);
  SYN_TRY(add_bodies(page, overlap, fixed, mobile, error));
  SYN_TRY(syn_page_add_record(page, &syn_zone_record, overlap, SYN_ZONES, "Triangles by zone",
                              "Cut: the contour passes through it. Outer and inner: it shares an edge with one that is "
                              "cut (Sundaraj 2004, §5.5).",
                              error));
  if (!overlap->loop_count) return SYN_OK;
  return syn_page_add_record(page, &syn_contour_record, overlap, overlap->loop_count, "Contour of collision", NULL,
                             error);
}

syn_status syn_overlap_report_write(const syn_context *context, const syn_overlap *overlap, const syn_body *fixed,
                                    const syn_body *mobile, const char *title, const syn_provenance *provenance,
                                    const char *path, syn_error *error) {
  if (!fixed->surface || !mobile->surface || fixed->surface->triangle_count != overlap->fixed_count ||
      mobile->surface->triangle_count != overlap->mobile_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the overlap was not made of the surfaces of these bodies");
  syn_page page;
  syn_page_open(&page, context, "overlap", title, provenance);
  const syn_status status = syn_page_write(&page, add_overlap(&page, overlap, fixed, mobile, error), path, error);
  syn_page_close(&page);
  return status;
}
