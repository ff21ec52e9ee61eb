/* Shows the labrum of one case coloured by both depths, with the femur at the end of the motion (Arbabi 2009, Fig. 61).
 */
#include <math.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "study/study_page_number.h"

enum { STEPS = 30, FIELDS = 2 };

/* Depths of 0 have no colour. */
static syn_status take_field(syn_study_page *page, const double *depths, size_t count, const double **shown,
                             syn_error *error) {
  double *values;
  SYN_TRY(SYN_TAKE(&page->arena, &values, count, error));
  for (size_t i = 0; i < count; ++i) values[i] = depths[i] > 0 ? depths[i] : (double)NAN;
  *shown = values;
  return SYN_OK;
}

static syn_status take_mesh(syn_study_page *page, const syn_trimesh *mesh, const syn_pose *pose, syn_trimesh **kept,
                            syn_error *error) {
  SYN_TRY(syn_trimesh_transform(mesh, pose, kept, error));
  page->meshes[page->mesh_count++] = *kept;
  return SYN_OK;
}

static syn_status add_bodies(syn_study_page *page, const char *label, const syn_hip *hip, const syn_fai *fai,
                             const syn_pose *last, syn_error *error) {
  const syn_trimesh *labrum = hip->parts[SYN_HIP_LABRUM], *femur = hip->parts[SYN_HIP_FEMUR];
  const syn_pose still = syn_pose_identity();
  const double *curvilinear, *radial;
  syn_trimesh *shown[2];
  syn_report_body *bodies;
  syn_report_field *fields;
  SYN_TRY(SYN_TAKE(&page->arena, &bodies, 2, error));
  SYN_TRY(SYN_TAKE(&page->arena, &fields, FIELDS, error));
  SYN_TRY(take_field(page, fai->labrum_depth_mm, labrum->vertex_count, &curvilinear, error));
  SYN_TRY(take_field(page, fai->labrum_radial_mm, labrum->vertex_count, &radial, error));
  SYN_TRY(take_mesh(page, labrum, &still, &shown[0], error));
  SYN_TRY(take_mesh(page, femur, last, &shown[1], error));
  const char *names[FIELDS] = {syn_study_page_text(page, "%s: depth along the turn", label),
                               syn_study_page_text(page, "%s: depth along the radius", label)};
  fields[0] = (syn_report_field){"curvilinear_depth", names[0], "mm", curvilinear, 1, NULL, 0, 0};
  fields[1] = (syn_report_field){"radial_depth", names[1], "mm", radial, 1, NULL, 0, 0};
  bodies[0] = (syn_report_body){.body = {.name = "labrum", .tissue = SYN_TISSUE_LABRUM, .surface = shown[0]},
                                .label = syn_study_page_text(page, "Labrum, %s", label),
                                .fields = fields,
                                .field_count = FIELDS};
  bodies[1] = (syn_report_body){.body = {.name = "femur", .tissue = SYN_TISSUE_BONE, .surface = shown[1]},
                                .label = "Femur, sitting"};
  page->report.bodies = bodies;
  page->report.body_count = 2;
  return SYN_OK;
}

static syn_status show_labrum(syn_study_page *page, const char *label, const syn_hip *hip, bool bone_only,
                              syn_error *error) {
  const syn_motion_series *series = syn_motion_series_named("stand_to_sit");
  syn_fai_options options = syn_default_fai_options();
  syn_pose poses[STEPS + 1];
  syn_fai *fai;
  if (!hip->parts[SYN_HIP_LABRUM] || !hip->parts[SYN_HIP_FEMUR]) return SYN_OK;
  options.bone_only = bone_only;
  options.between_vertices = false; /* the vertices are coloured */
  syn_motion_series_poses(series, hip, STEPS, poses);
  SYN_TRY(syn_fai_create(&page->quiet, hip, poses, STEPS + 1, &options, &fai, error));
  const syn_status status =
      fai->labrum_depth_mm && fai->labrum_radial_mm ? add_bodies(page, label, hip, fai, &poses[STEPS], error) : SYN_OK;
  syn_fai_destroy(fai);
  return status;
}

static syn_status open_and_show(syn_study_page *page, const char *folder, const syn_study_case *it, const char *label,
                                syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  syn_error why = {.byte = -1};
  SYN_TRY(
      syn_study_path(&page->arena, folder, syn_study_page_text(page, "%s/joint.json", it->name), &input.joint, error));
  page->quiet = *syn_context_or_default(page->content->context); /* the case has already given the warnings */
  page->quiet.warn = NULL;
  if (syn_hip_case_create(&page->quiet, &input, &hip_case, &why) != SYN_OK) {
    if (why.code != SYN_NO_MEMORY) return SYN_OK; /* the folder holds results only */
    *error = why;
    return SYN_NO_MEMORY;
  }
  const syn_status status = show_labrum(page, label, &hip_case->hip, it->bone_only, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

syn_status syn_study_page_labrum(syn_study_page *page, const char *folder, syn_error *error) {
  const syn_study *study = page->content->shown.study;
  for (size_t k = 0; folder && k < study->plan_count && !page->mesh_count; ++k) {
    const syn_plan_row *labrum = study->plans[k].labrum;
    const size_t i = labrum ? syn_plan_case_at(page, &study->plans[k].grid, labrum->cell) : SIZE_MAX;
    if (i != SIZE_MAX) SYN_TRY(open_and_show(page, folder, &study->cases[i], labrum->label, error));
  }
  return SYN_OK;
}
