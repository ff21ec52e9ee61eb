/* The files of a resection: report.html, resection.csv, and the bone that is left. */
#include "report/surgery/resection_page.h"

static syn_status write_bone(resection_writing *w, const syn_resection_step *s, const char *path, syn_outbox *outbox,
                             syn_error *error) {
  const syn_field field = {"removed_mm", SYN_ON_POINTS, 1, s->removed_mm};
  syn_geometry geometry = syn_trimesh_geometry(s->bone);
  geometry.fields = &field;
  geometry.field_count = 1;
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_geometry_write(w->hip.context, &geometry, path, NULL, error));
  return syn_outbox_add(outbox, path, error);
}

static syn_status write_bones(resection_writing *w, bool every_cut, const char *hidden, syn_outbox *outbox,
                              syn_error *error) {
  const syn_resection *r = w->resection;
  const char *bone = syn_hip_part_name(syn_resection_part(r->options.kind));
  for (size_t i = 1; every_cut && i < r->step_count; ++i)
    SYN_TRY(write_bone(w, &r->steps[i], hip_text(&w->hip, "%s/%s_cut_%.2fmm.ply", hidden, bone, r->steps[i].depth_mm),
                       outbox, error));
  return write_bone(w, &r->steps[r->step_count - 1], hip_text(&w->hip, "%s/%s_cut.ply", hidden, bone), outbox, error);
}

static syn_status write_files(resection_writing *w, bool every_cut, const char *title, syn_outbox *outbox,
                              const char *hidden, syn_error *error) {
  syn_context named;
  SYN_TRY(syn_hip_name_files(&w->hip, title, &named, error));
  SYN_TRY(syn_resection_fill_page(w, title, error));
  const char *page = hip_text(&w->hip, "%s/report.html", hidden),
             *table = hip_text(&w->hip, "%s/resection.csv", hidden);
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_report_write(w->hip.context, &w->hip.report, NULL, page, error));
  SYN_TRY(syn_outbox_add(outbox, page, error));
  SYN_TRY(syn_resection_write_csv(w->hip.context, w->resection, table, error));
  SYN_TRY(syn_outbox_add(outbox, table, error));
  return write_bones(w, every_cut, hidden, outbox, error);
}

syn_status syn_resection_stage(const syn_context *context, const syn_resection *resection, bool every_cut,
                               const char *title, const syn_provenance *provenance, syn_outbox *outbox,
                               const char *folder, syn_error *error) {
  resection_writing w;
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_resection_begin(&w, context, resection, provenance);
  const syn_status status = write_files(&w, every_cut, title, outbox, hidden, error);
  syn_arena_release(&w.hip.arena);
  return status;
}

syn_status syn_resection_write_files(const syn_context *context, const syn_resection *resection, bool every_cut,
                                     const char *title, const syn_provenance *provenance, const char *folder,
                                     syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = syn_resection_stage(context, resection, every_cut, title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}
