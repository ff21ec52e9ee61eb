#include "clinic/hip.h"
#include "report/hip/hip_page.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

enum { TO_START = 10, TO_LIMIT = 30 };

const char *syn_page_hip_name(syn_page *page, syn_side side, const char *title) {
  return syn_page_text(page, "%s%s%s hip", title ? title : "", title && *title ? ", " : "", syn_side_name(side));
}

void syn_page_show_hip(syn_page *page, const syn_hip_case *c, const char *words) {
  page->report.subtitle = syn_page_text(page, "%s hip, %s", c->hip.side == SYN_SIDE_LEFT ? "Left" : "Right", words);
  page->report.hip = &c->hip;
  page->report.cup_normal = c->anatomy && c->anatomy->has_rim ? c->anatomy->rim_normal : vec3(0, 0, 0);
}

void syn_page_add_hip_parts(syn_page *page, const syn_hip *hip) {
  static const char *const labels[SYN_HIP_PARTS] = {
      [SYN_HIP_PELVIS] = "Pelvis",
      [SYN_HIP_FEMUR] = "Femur",
      [SYN_HIP_LABRUM] = "Labrum",
      [SYN_HIP_FEMORAL_CARTILAGE] = "Femoral cartilage",
      [SYN_HIP_ACETABULAR_CARTILAGE] = "Acetabular cartilage",
      [SYN_HIP_TRANSITION_ZONE] = "Transition zone",
  };
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    const syn_body body = {.name = syn_hip_part_name(part),
                           .tissue = syn_hip_part_tissue(part),
                           .moves = syn_hip_part_moves(part),
                           .surface = hip->parts[i]};
    if (body.surface) syn_page_add_body(page, (syn_report_body){.body = body, .label = labels[i]});
  }
}

/* ---- notes and inputs -------------------------------------------------------------------------------------------- */

void syn_page_add_hip_notes(syn_page *page, const syn_hip_assumed *assumed) {
  syn_page_add_run_notes(page);
  for (size_t i = 0; i < SYN_HIP_ASSUMPTIONS; ++i) {
    if (!syn_hip_assumes(assumed, i)) continue;
    const syn_value text = syn_hip_assumption(assumed, i);
    syn_page_add_note(page, syn_page_text(page, "%s", syn_value_text(&text)), syn_hip_assumption_about(i));
  }
  syn_page_add_file_notes(page, assumed->hip_case->joint);
}

/* Returns the path of a body; in a joint file it is relative to the folder of that file. */
static const char *body_path(syn_page *page, const syn_hip_case *hip_case, size_t i) {
  const syn_joint *joint = hip_case->joint;
  const char *file = joint->bodies[i].mesh_file;
  const bool from_folder = i < hip_case->filed_count && file[0] != '/' && joint->folder && joint->folder[0];
  return from_folder ? syn_page_text(page, "%s/%s", joint->folder, file) : file;
}

syn_status syn_page_add_hip_inputs(syn_page *page, const syn_hip_case *hip_case, const char *series, syn_error *error) {
  const syn_joint *joint = hip_case->joint;
  if (hip_case->joint_file) SYN_TRY(syn_page_add_input(page, hip_case->joint_file, NULL, error));
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].mesh_file)
      SYN_TRY(syn_page_add_input(page, body_path(page, hip_case, i), joint->bodies[i].surface, error));
  if (hip_case->landmarks_file) SYN_TRY(syn_page_add_input(page, hip_case->landmarks_file, NULL, error));
  if (series && !syn_motion_series_named(series)) SYN_TRY(syn_page_add_input(page, series, NULL, error));
  return SYN_OK;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static syn_hip_angles part_way(syn_hip_angles to, double t) {
  return (syn_hip_angles){to.flexion * t, to.adduction * t, to.rotation * t};
}

static double *angle_of(syn_hip_angles *angles, syn_hip_axis axis) {
  return axis == SYN_AXIS_FLEXION     ? &angles->flexion
         : axis == SYN_AXIS_ADDUCTION ? &angles->adduction
                                      : &angles->rotation;
}

syn_hip_angles syn_hip_angles_along(const syn_motion *motion, double turned) {
  syn_hip_angles angles = motion->start;
  *angle_of(&angles, motion->axis) += motion->sign * turned;
  return angles;
}

/* Moves from neutral to the start of the test, then along its last axis to the limit. */
static syn_status motion_poses(syn_page *page, const syn_hip *hip, const syn_motion *motion, double limit,
                               syn_pose **poses, double **along, size_t *count, syn_error *error) {
  const bool moves_first = motion->start.flexion != 0 || motion->start.adduction != 0 || motion->start.rotation != 0;
  const size_t before = moves_first ? TO_START : 0;
  *count = before + TO_LIMIT + 1;
  SYN_TRY(SYN_TAKE(&page->arena, poses, *count, error));
  SYN_TRY(SYN_TAKE(&page->arena, along, *count, error));
  for (size_t i = 0; i < before; ++i) {
    (*poses)[i] = syn_hip_pose(hip, part_way(motion->start, (double)i / (double)before));
    (*along)[i] = 0;
  }
  for (size_t i = 0; i <= TO_LIMIT; ++i) {
    const double turned = limit * (double)i / TO_LIMIT;
    (*poses)[before + i] = syn_hip_pose(hip, syn_hip_angles_along(motion, turned));
    (*along)[before + i] = turned * SYN_RADIAN;
  }
  return SYN_OK;
}

syn_status syn_page_add_limit_motion(syn_page *page, const syn_hip *hip, const syn_hip_motion_limit *l,
                                     syn_error *error) {
  const syn_motion *motion = l->motion;
  const syn_limit *limit = &l->limit;
  if (limit->state != SYN_LIMIT_STOPPED) return SYN_OK;
  syn_report_contact *contact;
  syn_pose *poses;
  double *along;
  size_t count;
  SYN_TRY(SYN_TAKE(&page->arena, &contact, 1, error));
  SYN_TRY(motion_poses(page, hip, motion, limit->angle, &poses, &along, &count, error));
  *contact = (syn_report_contact){.point = limit->event.point,
                                  .mobile_point = limit->mobile_point,
                                  .fixed = syn_hip_part_name(limit->fixed),
                                  .mobile = syn_hip_part_name(limit->mobile),
                                  .kind = syn_event_kind_name(limit->event.kind),
                                  .hour = l->hour,
                                  .angle_deg = limit->angle * SYN_RADIAN};
  syn_page_add_motion(page, (syn_report_motion){.name = motion->name,
                                                .label = motion->label,
                                                .poses = poses,
                                                .pose_count = count,
                                                .along_label = motion->label,
                                                .along_unit = "°",
                                                .along = along,
                                                .contact = contact});
  return SYN_OK;
}

/* Published ranges are bone to bone: with soft tissue they are compared with the limit of the bones alone. */
static void add_range(syn_page *page, const syn_hip_motion_limit *l, bool has_soft) {
  const syn_motion *motion = l->motion;
  const bool by_bones = motion->source && has_soft;
  const syn_limit *limit = by_bones ? &l->bones : &l->limit;
  const bool stopped = limit->state == SYN_LIMIT_STOPPED;
  char words[96];
  syn_page_add_range(
      page,
      (syn_report_range){motion->name, by_bones ? syn_page_text(page, "%s, bones alone", motion->label) : motion->label,
                         "°", limit->angle * SYN_RADIAN,
                         stopped ? NULL : syn_page_text(page, "%s", syn_hip_limit_words(limit, words)), motion->low_deg,
                         motion->high_deg, motion->source, true, l->bands[SYN_BAND_ALL].low,
                         stopped ? l->bands[SYN_BAND_ALL].high : (double)NAN});
}

/* Returns by how much the bones alone fall short of the published range. */
static double short_by(const syn_hip_motion_limit *l) {
  const double angle = l->bones.angle * SYN_RADIAN;
  if (!l->motion->source || !isfinite(angle)) return (double)NAN;
  return syn_range_side(angle, l->motion->low_deg, l->motion->high_deg, 0) < 0 ? l->motion->low_deg - angle : 0;
}

void syn_page_add_limit_range(syn_page *page, const syn_hip_motion_limit *l, bool has_soft) {
  const double angle = l->limit.angle * SYN_RADIAN;
  add_range(page, l, has_soft);
  if (isfinite(angle) && isfinite(l->hour))
    syn_page_add_clock_mark(page, (syn_report_clock_mark){l->hour, angle, l->motion->label, "°", short_by(l)});
}
