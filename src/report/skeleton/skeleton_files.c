/* The files of a skeleton: report.html and skeleton.glb. */
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "report/filling.h"
#include "report/page_model.h"
#include "report/skeleton/skeleton_page.h"

/* sRGB as glTF has it: linear. */
static float linear(unsigned char part) {
  const double c = part / 255.0;
  return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

/* Ten postures a second without a recording; glTF's times begin at 0 or later. */
static syn_status write_glb(skeleton_writing *w, const char *path, syn_error *error) {
  const syn_report_motion *motion = &w->report.motions[0];
  const bool recorded = w->analysis->recording_file != NULL;
  syn_scene_body *bodies;
  double *times;
  SYN_TRY(SYN_TAKE(&w->arena, &bodies, w->report.body_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &times, motion->pose_count, error));
  for (size_t i = 0; i < motion->pose_count; ++i)
    times[i] = recorded ? motion->along[i] - motion->along[0] : (double)i / 10;
  for (size_t i = 0; i < w->report.body_count; ++i) {
    unsigned char color[3];
    syn_report_body_color(&w->bodies[i], color);
    bodies[i] = (syn_scene_body){.name = w->bodies[i].body.name,
                                 .mesh = w->meshes[i],
                                 .color = {linear(color[0]), linear(color[1]), linear(color[2]), 1},
                                 .keyframes = motion->body_poses + i * motion->pose_count};
  }
  const syn_scene scene = {.name = w->report.title,
                           .bodies = bodies,
                           .body_count = w->report.body_count,
                           .times_s = times,
                           .keyframe_count = motion->pose_count};
  return syn_scene_write(w->context, &scene, path, error);
}

static syn_status write_files(skeleton_writing *w, const char *title, syn_outbox *outbox, const char *hidden,
                              syn_error *error) {
  SYN_TRY(syn_skeleton_fill_page(w, title, error));
  const char *page = syn_filled_text(&w->arena, "%s/report.html", hidden),
             *animation = syn_filled_text(&w->arena, "%s/skeleton.glb", hidden);
  SYN_TRY(syn_arena_check(&w->arena, error));
  SYN_TRY(syn_report_write(w->context, &w->report, NULL, page, error));
  SYN_TRY(syn_outbox_add(outbox, page, error));
  SYN_TRY(write_glb(w, animation, error));
  return syn_outbox_add(outbox, animation, error);
}

syn_status syn_skeleton_stage(const syn_context *context, const syn_skeleton_analysis *analysis, const char *title,
                              const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                              syn_error *error) {
  static const syn_provenance unknown = {0};
  skeleton_writing w = {.context = context,
                        .analysis = analysis,
                        .provenance = provenance ? provenance : &unknown,
                        .arena = {.context = context}};
  const char *hidden;
  syn_status status = syn_outbox_stage(outbox, folder, &hidden, error);
  if (status == SYN_OK) status = syn_skeleton_lay_bodies(&w, error);
  if (status == SYN_OK) status = write_files(&w, title, outbox, hidden, error);
  syn_skeleton_release_bodies(&w);
  syn_arena_release(&w.arena);
  return status;
}

syn_status syn_skeleton_write_files(const syn_context *context, const syn_skeleton_analysis *analysis,
                                    const char *title, const syn_provenance *provenance, const char *folder,
                                    syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(context, NULL, &outbox, error));
  syn_status status = syn_skeleton_stage(context, analysis, title, provenance, outbox, folder, error);
  if (status == SYN_OK) status = syn_outbox_publish(outbox, error);
  syn_outbox_destroy(outbox);
  return status;
}
