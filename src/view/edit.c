/* Edits a centre or a landmark: computes all dependent results, and keeps them only if all could be computed. */
#include "base/json.h"
#include "base/vec.h"
#include "clinic/anatomy/landmarks.h"
#include "report/hip/hip_page.h"
#include "view/viewer.h"

static const double nearest_mm = 1000; /* to the centre: an edit must be on the body of one person */

/* Updates measures, limits and all that pose queries need to the current case. Long computations are left for the next
 * build of the page. */
static syn_status take_over(syn_viewer *view, syn_error *error) {
  syn_hip_analysis_options quick = syn_default_hip_analysis_options();
  syn_hip_analysis *next, *before = view->analysis;
  syn_view_poser *poser;
  quick.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  SYN_TRY(syn_hip_analysis_create(&view->context, view->hip_case, &quick, &next, error));
  const syn_status status = syn_view_poser_create(&view->context, next, view->displays, &poser, error);
  if (status != SYN_OK) {
    syn_hip_analysis_destroy(next);
    return status;
  }
  /* The slow results stay those of the old analysis. */
  next->envelope = before->envelope;
  next->impingement = before->impingement;
  next->effect = before->effect;
  before->envelope = NULL;
  before->impingement = (syn_impingement){0};
  before->effect = NULL;
  syn_view_poser_destroy(view->poser);
  syn_hip_analysis_destroy(before);
  view->analysis = next;
  view->poser = poser;
  view->page_is_old = true;
  return SYN_OK;
}

syn_status syn_viewer_read_place(const syn_json *place, syn_vec3 center, syn_vec3 *point, syn_error *error) {
  SYN_TRY(syn_json_vec3(place, point, error));
  if (vec3_length(vec3_sub(*point, center)) <= nearest_mm) return SYN_OK;
  return syn_json_fail(place, error, "must lie within a metre of the joint");
}

/* ---- centre ------------------------------------------------------------------------------------------------------ */

static syn_status move_center(syn_viewer *view, syn_vec3 center, syn_error *error) {
  const syn_hip_case before = *view->hip_case;
  SYN_TRY(syn_hip_case_set_center(view->hip_case, center, error));
  const syn_status status = take_over(view, error);
  if (status != SYN_OK) *view->hip_case = before;
  return status;
}

/* ---- landmarks --------------------------------------------------------------------------------------------------- */

static syn_status move_landmark(syn_viewer *view, syn_landmark which, syn_vec3 point, syn_error *error) {
  const syn_hip_case before = *view->hip_case;
  syn_anatomy *replaced;
  SYN_TRY(syn_hip_case_set_landmark(view->hip_case, which, point, &replaced, error));
  const syn_status status = take_over(view, error);
  if (status == SYN_OK) {
    syn_anatomy_destroy(replaced);
  } else {
    syn_anatomy_destroy(view->hip_case->anatomy);
    *view->hip_case = before;
  }
  return status;
}

static syn_status edit_landmark(syn_viewer *view, const syn_json *root, syn_error *error) {
  const syn_anatomy *anatomy = view->hip_case->anatomy;
  const syn_json marker = syn_json_member(root, "marker"), place = syn_json_member(root, "point");
  const char *name;
  syn_vec3 point;
  SYN_TRY(syn_json_text(&marker, &name, error));
  SYN_TRY(syn_viewer_read_place(&place, view->hip_case->hip.center, &point, error));
  const syn_landmark which = syn_landmark_named(name);
  if (which == SYN_LANDMARKS || !anatomy || anatomy->landmarks[which].found == SYN_FOUND_NOT)
    return syn_json_fail(&marker, error, "there is no landmark '%.60s' on these bones", name);
  if (anatomy->pelvis_frame == SYN_FRAME_GIVEN)
    return syn_json_fail(&marker, error,
                         "the joint file gives the axes themselves, so landmarks have no say: take \"frame\" out of it "
                         "to place them");
  return move_landmark(view, which, point, error);
}

/* ---- the request ------------------------------------------------------------------------------------------------- */

static syn_status carry_out(syn_viewer *view, const syn_json *root, json_t **answer, syn_error *error) {
  if (view->joint) return syn_viewer_edit_joint(view, root, answer, error);
  const syn_json center = syn_json_member(root, "center");
  if (center.value) {
    syn_vec3 place;
    SYN_TRY(syn_viewer_read_place(&center, view->hip_case->hip.center, &place, error));
    SYN_TRY(move_center(view, place, error));
  } else
    SYN_TRY(edit_landmark(view, root, error));
  syn_provenance provenance;
  SYN_TRY(syn_viewer_provenance(view, &provenance, error));
  return syn_hip_page_changes(&view->context, view->analysis, &provenance, answer, error);
}

syn_status syn_viewer_edit(syn_viewer *view, const json_t *request, json_t **answer, syn_error *error) {
  static const char *const center_keys[] = {"center", NULL}, *const marker_keys[] = {"marker", "point", NULL};
  const syn_json root = syn_json_root((json_t *)(uintptr_t)request, NULL);
  SYN_TRY(syn_json_expect_object(&root, error));
  const syn_json center = syn_json_member(&root, "center");
  SYN_TRY(syn_json_only_keys(&root, center.value ? center_keys : marker_keys, error));
  syn_view_texts before;
  syn_status status = syn_view_warnings_renew(&view->warnings, &before, error);
  if (status == SYN_OK) status = carry_out(view, &root, answer, error);
  syn_view_warnings_settle(&view->warnings, &before, status == SYN_OK);
  return status;
}
