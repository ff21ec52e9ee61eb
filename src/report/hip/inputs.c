/* The files that an analysis was made from. */
#include <string.h>

#include "report/hip/hip_writing.h"

static syn_status add_input(syn_hip_writing *w, syn_report_input *inputs, const char *path, const syn_trimesh *mesh,
                            syn_error *error) {
  SYN_TRY(syn_filled_input(&w->arena, path, mesh, &inputs[w->report.input_count], error));
  ++w->report.input_count;
  return SYN_OK;
}

/* A body of a joint file has a path from the folder of that file. */
static const char *body_path(syn_hip_writing *w, size_t i) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const syn_joint *joint = hip_case->joint;
  const char *file = joint->bodies[i].mesh_file;
  const bool from_folder = i < hip_case->filed_count && file[0] != '/' && joint->folder && joint->folder[0];
  return from_folder ? hip_text(w, "%s/%s", joint->folder, file) : file;
}

syn_status syn_hip_fill_inputs(syn_hip_writing *w, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const syn_joint *joint = hip_case->joint;
  const char *series = w->analysis->impingement.series;
  syn_report_input *inputs;
  SYN_TRY(SYN_TAKE(&w->arena, &inputs, joint->body_count + 3, error));
  w->report.inputs = inputs;
  if (hip_case->joint_file) SYN_TRY(add_input(w, inputs, hip_case->joint_file, NULL, error));
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].mesh_file) SYN_TRY(add_input(w, inputs, body_path(w, i), joint->bodies[i].surface, error));
  if (hip_case->landmarks_file) SYN_TRY(add_input(w, inputs, hip_case->landmarks_file, NULL, error));
  if (series && !syn_motion_series_named(series)) SYN_TRY(add_input(w, inputs, series, NULL, error));
  return SYN_OK;
}
