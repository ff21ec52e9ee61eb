/* A centre or a landmark put elsewhere: what follows from it is found anew, and taken over when all of it could be. */
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "view.h"

static const double nearest_mm = 1000; /* to the centre: an edit lies on the body of one person */

/* The head gets its room about the new centre, as it had about the old one. */
static syn_status seat(cli_view_state *view, syn_hip_case *changed, syn_error *error) {
  const bool seats = changed->anatomy && changed->femur == changed->hip.parts[SYN_HIP_FEMUR] &&
                     !cli_given(&view->session->arguments, "as-scanned");
  if (!seats) return SYN_OK;
  return syn_hip_seat(&view->session->context, &changed->hip, changed->anatomy, &changed->hip.seat, error);
}

/* Measures, limits and everything that poses ask for; then `changed` takes the place of the case. */
static syn_status take_over(cli_view_state *view, syn_hip_case *changed, syn_error *error) {
  cli_hip_analysis next;
  cli_poser *poser;
  SYN_TRY(seat(view, changed, error));
  SYN_TRY(cli_examine_hip(view->session, changed, &next, error));
  /* what takes long stays as it was until the page is made anew */
  cli_hip_analysis joined = view->analysis;
  joined.has_measures = next.has_measures;
  joined.measures = next.measures;
  joined.overlap = next.overlap;
  joined.limits = next.limits;
  joined.roms = next.roms;
  const cli_hip_analysis before = view->analysis;
  const syn_hip_case case_before = *view->hip_case;
  view->analysis = joined;
  *view->hip_case = *changed;
  const syn_status status = cli_poser_create(view->session, &view->analysis, view->displays, &poser, error);
  if (status != SYN_OK) {
    view->analysis = before;
    *view->hip_case = case_before;
    cli_release_hip_analysis(view->session, &next);
    return status;
  }
  cli_hip_roms old = before.roms;
  cli_release_roms(&old);
  cli_poser_destroy(view->poser);
  view->poser = poser;
  view->page_is_old = true;
  return SYN_OK;
}

static syn_status read_place(const cli_view_state *view, const syn_json *place, syn_vec3 *point, syn_error *error) {
  SYN_TRY(syn_json_vec3(place, point, error));
  if (vec3_length(vec3_sub(*point, view->hip_case->hip.center)) <= nearest_mm) return SYN_OK;
  return syn_json_fail(place, error, "must lie within a metre of the joint");
}

/* ---- centre -------------------------------------------------------------------------------------------------------
 */

static syn_status move_center(cli_view_state *view, syn_vec3 center, syn_error *error) {
  syn_hip_case changed = *view->hip_case;
  changed.hip.center = center;
  changed.center_method = "given";
  return take_over(view, &changed, error);
}

/* ---- landmarks ----------------------------------------------------------------------------------------------------
 */

/* Anatomy with the landmarks that were given before, and this one. The centre stays where it is. */
static syn_status find_anatomy(cli_view_state *view, syn_landmark which, syn_vec3 point, syn_anatomy **anatomy,
                               syn_error *error) {
  const syn_hip_case *hip_case = view->hip_case;
  syn_found_point given[SYN_LANDMARKS];
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    given[i] = hip_case->anatomy->landmarks[i];
    if (given[i].found != SYN_FOUND_GIVEN) given[i] = (syn_found_point){.found = SYN_FOUND_NOT};
  }
  given[which] = (syn_found_point){SYN_FOUND_GIVEN, point, 1};
  syn_anatomy_options options = syn_default_anatomy_options();
  options.side = &hip_case->hip.side;
  options.center = &hip_case->hip.center;
  options.given = given;
  return syn_anatomy_find(&view->session->context, hip_case->hip.parts[SYN_HIP_PELVIS], hip_case->femur, &options,
                          anatomy, error);
}

static syn_status move_landmark(cli_view_state *view, syn_landmark which, syn_vec3 point, syn_error *error) {
  syn_hip_case changed = *view->hip_case;
  SYN_TRY(find_anatomy(view, which, point, &changed.anatomy, error));
  syn_anatomy *old = view->hip_case->anatomy;
  changed.hip.pelvis_axes =
      changed.hip.parts[SYN_HIP_PELVIS] ? changed.anatomy->pelvis_axes : changed.anatomy->femur_axes;
  changed.hip.femur_axes =
      changed.hip.parts[SYN_HIP_FEMUR] ? changed.anatomy->femur_axes : changed.anatomy->pelvis_axes;
  changed.center_method = "given";
  syn_status status = syn_centers_find(&view->session->context, changed.hip.parts[SYN_HIP_PELVIS], changed.femur,
                                       changed.anatomy, NULL, 0, &changed.centers, error);
  if (status == SYN_OK) status = take_over(view, &changed, error);
  syn_anatomy_destroy(status == SYN_OK ? old : changed.anatomy);
  return status;
}

static syn_status edit_landmark(cli_view_state *view, const syn_json *root, syn_error *error) {
  const syn_anatomy *anatomy = view->hip_case->anatomy;
  const syn_json marker = syn_json_member(root, "marker"), place = syn_json_member(root, "point");
  const char *name;
  syn_vec3 point;
  SYN_TRY(syn_json_text(&marker, &name, error));
  SYN_TRY(read_place(view, &place, &point, error));
  const syn_landmark which = syn_landmark_named(name);
  if (which == SYN_LANDMARKS || !anatomy || anatomy->landmarks[which].found == SYN_FOUND_NOT)
    return syn_json_fail(&marker, error, "there is no landmark '%.60s' on these bones", name);
  if (anatomy->pelvis_frame == SYN_FRAME_GIVEN)
    return syn_json_fail(&marker, error,
                         "the joint file gives the axes themselves, so landmarks have no say: take \"frame\" out of it "
                         "to place them");
  return move_landmark(view, which, point, error);
}

/* ---- the request --------------------------------------------------------------------------------------------------
 */

syn_status cli_view_edit(cli_view_state *view, const json_t *request, json_t **answer, syn_error *error) {
  static const char *const center_keys[] = {"center", NULL}, *const marker_keys[] = {"marker", "point", NULL};
  const syn_json root = syn_json_root((json_t *)(uintptr_t)request, NULL);
  SYN_TRY(syn_json_expect_object(&root, error));
  const syn_json center = syn_json_member(&root, "center");
  SYN_TRY(syn_json_only_keys(&root, center.value ? center_keys : marker_keys, error));
  cli_view_warn_afresh(view);
  if (center.value) {
    syn_vec3 place;
    SYN_TRY(read_place(view, &center, &place, error));
    SYN_TRY(move_center(view, place, error));
  } else
    SYN_TRY(edit_landmark(view, &root, error));
  return cli_hip_changes(view->session, &view->analysis, answer, error);
}
