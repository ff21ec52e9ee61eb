/* Writes a result as files: the page, the answer, tables, meshes and animations, all or none. */
#include "report/publish_result.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/files/outbox.h"
#include "base/json.h"
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
  SYN_TRY(syn_page_write(&to->page, SYN_OK, path, error));
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
