/* Shows a joint that is not a hip: its bodies by name; its centre may be moved. */
#include <string.h>

#include "report/joint/joint_page.h"
#include "view/viewer.h"

/* ---- opening ----------------------------------------------------------------------------------------------------- */

syn_status syn_viewer_names_joint(const syn_viewer *view, const syn_hip_input *input, bool *joint, syn_error *error) {
  syn_context quiet = view->context; /* warnings were given when the joint was opened */
  syn_joint *read;
  quiet.warn = NULL;
  *joint = false;
  if (!input || !input->joint) return SYN_OK;
  SYN_TRY(syn_joint_read(&quiet, input->joint, &read, error));
  *joint = !syn_joint_is_hip(read);
  syn_joint_destroy(read);
  return SYN_OK;
}

syn_status syn_viewer_open_joint(syn_viewer *view, const syn_hip_input *input, syn_error *error) {
  syn_joint_input how = syn_default_joint_input();
  char *file;
  bool of_hip = input->landmarks || input->side || input->as_scanned;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) of_hip = of_hip || input->parts[i];
  if (of_hip)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "parts, landmarks and side of a hip are given, but the joint file is that of another joint");
  how.joint = input->joint;
  how.center = input->center;
  how.reading = input->reading;
  SYN_TRY(syn_arena_text(&view->arena, input->joint, strlen(input->joint), &file, error));
  view->joint_file = file;
  return syn_joint_open(&view->context, &how, &view->joint, error);
}

syn_status syn_viewer_analyse_joint(syn_viewer *view, syn_error *error) {
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_analysis *analysis;
  syn_view_poser *poser;
  what.bands.draws = 0; /* as for a hip: the page opens without delay */
  SYN_TRY(syn_joint_analysis_create(&view->context, view->joint, &what, &analysis, error));
  const syn_status status = syn_view_poser_create_joint(&view->context, analysis, view->displays, &poser, error);
  if (status != SYN_OK) {
    syn_joint_analysis_destroy(analysis);
    return status;
  }
  analysis->joint_file = view->joint_file;
  syn_view_poser_destroy(view->poser);
  syn_joint_analysis_destroy(view->joint_analysis);
  view->joint_analysis = analysis;
  view->poser = poser;
  return SYN_OK;
}

/* ---- editing ----------------------------------------------------------------------------------------------------- */

syn_status syn_viewer_edit_joint(syn_viewer *view, const syn_json *root, json_t **answer, syn_error *error) {
  const syn_json center = syn_json_member(root, "center"), marker = syn_json_member(root, "marker");
  const syn_vec3 before = view->joint->center;
  syn_provenance provenance;
  syn_vec3 place;
  if (!center.value) return syn_json_fail(&marker, error, "this joint has no landmarks; only its centre can be placed");
  SYN_TRY(syn_viewer_read_place(&center, before, &place, error));
  view->joint->center = place;
  const syn_status status = syn_viewer_analyse_joint(view, error);
  if (status != SYN_OK) {
    view->joint->center = before;
    return status;
  }
  view->page_is_old = true;
  SYN_TRY(syn_viewer_provenance(view, &provenance, error));
  return syn_joint_page_changes(&view->context, view->joint_analysis, &provenance, answer, error);
}
