/* Shows a scene of soft tissue: simulated, and played as deforming bodies. After a change of its file, the next request
 * for the page simulates it again. */

#include <string.h>
#include <sys/stat.h>

#include <synovia/tissue.h>

#include "joint/joint_store.h"
#include "report/joint/joint_page.h"
#include "report/tissue/simulation_page.h"
#include "view/viewer.h"

/* ---- view joint ------------------------------------------------------------------------------------------------ */
/* Shows a joint that is not a hip: its bodies by name; its centre may be moved. */

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

/* ---- view scene ------------------------------------------------------------------------------------------------ */

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Joint files have neither a duration nor an integrator; a file that is not JSON is reported elsewhere. */
bool syn_viewer_names_scene(const syn_hip_input *input) {
  if (!input || !input->joint) return false;
  json_t *root = json_load_file(input->joint, 0, NULL);
  const bool scene = root && (json_object_get(root, "duration_s") || json_object_get(root, "integrator"));
  json_decref(root);
  return scene;
}

syn_status syn_viewer_open_scene(syn_viewer *view, const syn_hip_input *input, syn_error *error) {
  char *file;
  SYN_TRY(syn_arena_text(&view->arena, input->joint, strlen(input->joint), &file, error));
  view->scene_file = file;
  if (input->reading)
    view->scene_reading = *input->reading;
  else
    view->scene_reading = syn_default_read_options();
  return SYN_OK;
}

void syn_viewer_look_at_scene(syn_viewer *view) {
  struct stat now;
  if (stat(view->scene_file, &now) != 0) return; /* deleted: the page stays */
  const syn_view_stamp stamp = {(int64_t)now.st_mtim.tv_sec, (int64_t)now.st_mtim.tv_nsec, (int64_t)now.st_size};
  if (memcmp(&stamp, &view->scene_stamp, sizeof stamp) != 0) view->page_is_old = true;
  view->scene_stamp = stamp;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status play(const syn_viewer *view, syn_tissue_scene *scene, FILE *to, syn_error *error) {
  syn_tissue_run_options how = syn_default_tissue_run_options();
  syn_tissue_run *run;
  syn_provenance provenance;
  how.keep_fields = true;
  SYN_TRY(syn_tissue_scene_run(scene, &how, &run, error));
  syn_status status = syn_viewer_provenance(view, &provenance, error);
  if (status == SYN_OK)
    status = syn_tissue_page_put(&view->context, run, view->scene_file, view->title, &provenance, to, error);
  syn_tissue_run_destroy(run);
  return status;
}

syn_status syn_viewer_put_scene(const syn_viewer *view, FILE *to, syn_error *error) {
  syn_tissue_scene *scene;
  SYN_TRY(syn_tissue_scene_read(&view->context, view->scene_file, &view->scene_reading, &scene, error));
  const syn_status status = play(view, scene, to, error);
  syn_tissue_scene_destroy(scene);
  return status;
}
