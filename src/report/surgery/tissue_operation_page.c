/* What pages about the soft tissue of a hip share. */
#include "report/surgery/tissue_operation_page.h"

void syn_tissue_begin(tissue_writing *w, const syn_context *context, const syn_hip_case *hip_case,
                      const syn_provenance *provenance) {
  *w = (tissue_writing){.shown = *hip_case};
  w->analysis = (syn_hip_analysis){.context = context, .hip_case = &w->shown};
  w->hip = (syn_hip_writing){.context = context,
                             .analysis = &w->analysis,
                             .provenance = syn_filled_provenance(provenance),
                             .arena = {.context = context}};
}

syn_status syn_tissue_fill_page(tissue_writing *w, const char *title, const char *subtitle, syn_error *error) {
  const syn_hip_case *c = &w->shown;
  syn_filled_head(&w->hip.report, "surgery", title, NULL, w->hip.provenance);
  w->hip.report.subtitle = hip_text(&w->hip, "%s hip, %s", c->hip.side == SYN_SIDE_LEFT ? "Left" : "Right", subtitle);
  w->hip.report.hip = &c->hip;
  w->hip.report.cup_normal = c->anatomy && c->anatomy->has_rim ? c->anatomy->rim_normal : vec3(0, 0, 0);
  SYN_TRY(syn_hip_fill_notes(&w->hip, error));
  SYN_TRY(syn_hip_fill_bodies(&w->hip, error));
  return syn_hip_fill_inputs(&w->hip, error);
}

syn_report_body *syn_tissue_body(tissue_writing *w, const syn_trimesh *surface) {
  size_t i = 0;
  while (w->hip.bodies[i].body.surface != surface) ++i;
  return &w->hip.bodies[i];
}

syn_status syn_tissue_write_page(tissue_writing *w, const char *hidden, syn_outbox *outbox, syn_error *error) {
  const char *page = hip_text(&w->hip, "%s/report.html", hidden);
  SYN_TRY(syn_arena_check(&w->hip.arena, error));
  SYN_TRY(syn_report_write(w->hip.context, &w->hip.report, NULL, page, error));
  return syn_outbox_add(outbox, page, error);
}

syn_status syn_tissue_publish(const syn_context *context, tissue_stage *stage, const void *object, const char *title,
                              const syn_provenance *provenance, const char *folder, syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = stage(context, object, title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}
