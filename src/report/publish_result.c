/* Writes a result as files: the page, the answer, tables, meshes and animations, all or none. */

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/outbox.h"
#include "base/json.h"
#include "report/page_builder.h"
#include "report/publish_result.h"
#include "result/record_json.h"

syn_publish_options syn_default_publish_options(void) {
  return (syn_publish_options){.what = SYN_PUBLISH_EVERYTHING, .cookie = SYN_COOKIE};
}

static const syn_published_kind *const kinds[] = {
    &syn_published_hip,       &syn_published_joint,    &syn_published_skeleton,     &syn_published_simulation,
    &syn_published_haptics,   &syn_published_pressure, &syn_published_congruity,    &syn_published_resection,
    &syn_published_osteotomy, &syn_published_graft,    &syn_published_ligament_rom, &syn_published_ligament_stiffness};

static const syn_published_kind *kind_of(const syn_record *record) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i]->record == record) return kinds[i];
  return NULL;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

syn_status syn_publication_path(syn_publication *to, const char *name, const char **path, syn_error *error) {
  *path = syn_page_text(&to->page, "%s/%s", to->hidden, name);
  return syn_arena_check(&to->page.arena, error);
}

syn_status syn_publication_add(syn_publication *to, const char *path, syn_error *error) {
  return syn_outbox_add(to->outbox, path, error);
}

syn_status syn_publication_add_series(syn_publication *to, const syn_publication_series *series, syn_error *error) {
  const char **paths, *list;
  SYN_TRY(syn_arena_take(&to->page.arena, series->count, sizeof *paths, (void **)&paths, error));
  for (size_t i = 0; i < series->count; ++i) {
    const char *name = syn_page_text(&to->page, "%s_%04zu.vtu", series->stem, i);
    SYN_TRY(syn_publication_path(to, name, &paths[i], error));
    SYN_TRY(series->write(&to->files, series->of, i, paths[i], error));
    SYN_TRY(syn_publication_add(to, paths[i], error));
  }
  SYN_TRY(syn_publication_path(to, syn_page_text(&to->page, "%s.pvd", series->stem), &list, error));
  SYN_TRY(syn_pvd_write(&to->files, list, series->times, paths, series->count, error));
  return syn_publication_add(to, list, error);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static json_t *list_of(const char *const *texts, size_t count) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < count; ++i) syn_json_append(list, syn_text_to_json(texts[i]), &failed);
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

/* Writes result.json: the record of the result in the common envelope of answers. */
static syn_status write_answer(syn_publication *to, const syn_published_kind *kind, const void *result,
                               syn_error *error) {
  const char *path, *title = to->options->title;
  SYN_TRY(syn_publication_path(to, "result.json", &path, error));
  json_t *value = syn_record_to_json(kind->record, result, 0);
  json_t *warnings = list_of(to->page.provenance->warnings, to->page.provenance->warning_count);
  const bool named = value && (!title || json_object_set_new(value, "title", syn_text_to_json(title)) == 0);
  json_t *answer = named && warnings ? syn_answer_to_json(kind->command, value, warnings, NULL) : NULL;
  const syn_status status =
      answer ? syn_json_write(to->page.arena.context, answer, path, error) : syn_fail_memory(error, sizeof *answer);
  json_decref(answer);
  json_decref(warnings);
  json_decref(value);
  return status == SYN_OK ? syn_publication_add(to, path, error) : status;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status write_page(syn_publication *to, const syn_published_kind *kind, const void *result,
                             syn_error *error) {
  const char *path;
  SYN_TRY(kind->add(to, result, error));
  for (size_t i = 0; i < to->options->input_count; ++i)
    SYN_TRY(syn_page_add_input(&to->page, to->options->inputs[i].file, to->options->inputs[i].mesh, error));
  SYN_TRY(syn_publication_path(to, "report.html", &path, error));
  SYN_TRY(syn_page_finish(&to->page, SYN_OK, path, error));
  return syn_publication_add(to, path, error);
}

static syn_status write_all(syn_publication *to, const syn_published_kind *kind, const void *result, syn_error *error) {
  const unsigned what = to->options->what;
  const bool page = to->hidden && (what & SYN_PUBLISH_PAGE);
  if (page && !kind->files_first) SYN_TRY(write_page(to, kind, result, error));
  if (kind->write) SYN_TRY(kind->write(to, result, error));
  if (page && kind->files_first) SYN_TRY(write_page(to, kind, result, error));
  return to->hidden && (what & SYN_PUBLISH_RESULT) ? write_answer(to, kind, result, error) : SYN_OK;
}

static syn_status stage_all(const syn_context *context, const syn_published_kind *kind, const void *result,
                            const syn_publish_options *options, syn_outbox *outbox, const char *folder,
                            syn_error *error) {
  syn_publication to = {.options = options, .outbox = outbox, .files = *syn_context_or_default(context)};
  if (folder) SYN_TRY(syn_outbox_stage(outbox, folder, &to.hidden, error));
  syn_page_open(&to.page, context, options->kind ? options->kind : kind->kind,
                options->title ? options->title : kind->title, options->provenance);
  if (kind->name_files) to.files.title = kind->name_files(&to, result);
  syn_status status = syn_arena_check(&to.page.arena, error);
  if (status == SYN_OK) status = write_all(&to, kind, result, error);
  syn_page_close(&to.page);
  return status;
}

syn_status syn_publish(const syn_context *context, const syn_record *record, const void *result,
                       const syn_publish_options *options, const char *folder, syn_error *error) {
  const syn_publish_options standard = syn_default_publish_options();
  const syn_published_kind *kind = kind_of(record);
  syn_outbox *outbox;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_publish_options, error));
  if (!kind) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no page for a record \"%s\"", record->name);
  if (options->outbox) return stage_all(context, kind, result, options, options->outbox, folder, error);
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = stage_all(context, kind, result, options, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}

/* ---- overlap page ---------------------------------------------------------------------------------------------- */
/* Writes the interpenetration of two bodies as a page. */

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
  const syn_status status = syn_page_finish(&page, add_overlap(&page, overlap, fixed, mobile, error), path, error);
  syn_page_close(&page);
  return status;
}
