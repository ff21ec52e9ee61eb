/* Writes the analysis of any joint as a report, in the terms of its joint file. */
#include "report/joint/joint_page.h"
#include "clinic/hip.h"
#include "motion/joint_analysis.h"
#include "motion/rom/limit_text.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/publish_result.h"

enum { TO_START = 10, TO_LIMIT = 30 };

typedef struct writing {
  syn_page *page;
  const syn_joint_analysis *analysis;
  const syn_joint_live *live; /* NULL: the page is a file */
} writing;

static bool stopped(const syn_motion_limit *l) { return l->limit.state == SYN_LIMIT_STOPPED; }

/* "tibia_proximal" as "tibia proximal". */
static char *spaced(writing *w, const char *name) {
  char *words = syn_page_text(w->page, "%s", name);
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  return words;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Lists "femur, patella": the fixed or the mobile bodies. */
static const char *list_bodies(writing *w, bool moves) {
  const syn_joint *joint = w->analysis->joint;
  const char *list = "";
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].moves == moves)
      list = syn_page_text(w->page, "%s%s%s", list, list[0] ? ", " : "", spaced(w, joint->bodies[i].name));
  return list;
}

static const char *subtitle(writing *w) {
  const char *kind = syn_joint_kind(w->analysis->joint);
  return syn_page_text(w->page, "%s: %s fixed, %s mobile",
                       strcmp(kind, "other") == 0 ? "Joint" : syn_filled_capital(syn_page_text(w->page, "%s", kind)),
                       list_bodies(w, false), list_bodies(w, true));
}

static const char *limit_sentence(writing *w, const syn_motion_limit *l) {
  const syn_motion *m = l->motion;
  char words[96];
  if (!stopped(l)) return syn_page_text(w->page, "%s: %s.", m->label, syn_motion_limit_words(l, words));
  const double angle = l->limit.angle * SYN_RADIAN;
  const int side = m->source ? syn_range_side(angle, m->low_deg, m->high_deg, 0) : 0;
  const char *where = side < 0 ? "below" : side > 0 ? "above" : "within";
  return syn_page_text(
      w->page, "%s: up to %.0f°, where %s meets %s%s%s%s.", m->label, angle, spaced(w, l->mobile->name),
      spaced(w, l->fixed->name),
      m->source ? syn_page_text(w->page, ", %s the range of %.0f to %.0f° (", where, m->low_deg, m->high_deg) : "",
      m->source ? m->source : "", m->source ? ")" : "");
}

static const char *recorded_sentence(writing *w) {
  const syn_joint_recorded *r = &w->analysis->recorded;
  if (r->first_contact >= r->pose_count)
    return syn_page_text(w->page, "All %zu poses of the recorded motion are free of contact.", r->pose_count);
  return syn_page_text(w->page, "%zu of %zu poses of the recorded motion are free of contact; at %g s %s touches %s.",
                       r->free_count, r->pose_count, r->times_s[r->first_contact], spaced(w, r->mobile->name),
                       spaced(w, r->fixed->name));
}

static const char *depth_sentence(writing *w, const syn_depths *d) {
  if (!(d->curvilinear_max_mm > 0 || d->radial_max_mm > 0))
    return syn_page_text(w->page, "Nothing penetrates along the recorded motion.");
  return syn_page_text(w->page,
                       "Along the recorded motion bodies go up to %.2f mm deep along the turn, and %.2f mm along the "
                       "radius from the centre.",
                       d->curvilinear_max_mm, d->radial_max_mm);
}

static void add_findings(writing *w) {
  const syn_joint_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count; ++i) syn_page_add_finding(w->page, limit_sentence(w, &a->limits[i]), NULL);
  for (size_t i = 0; i < a->overlap_count; ++i)
    syn_page_add_finding(w->page,
                         syn_page_text(w->page, "%s and %s overlap as they lie.",
                                       syn_filled_capital(spaced(w, a->overlaps[i].fixed->name)),
                                       spaced(w, a->overlaps[i].mobile->name)),
                         NULL);
  if (a->recorded.file) syn_page_add_finding(w->page, recorded_sentence(w), NULL);
  if (a->depths) syn_page_add_finding(w->page, depth_sentence(w, a->depths), NULL);
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static void add_bodies(writing *w) {
  const syn_joint *joint = w->analysis->joint;
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_report_body body = {.body = joint->bodies[i],
                                  .label = syn_filled_capital(spaced(w, joint->bodies[i].name))};
    syn_report_body *added = syn_page_add_body(w->page, body);
    for (size_t k = 0; w->live && k < w->live->field_count; ++k) syn_page_add_field(w->page, added, w->live->fields[k]);
  }
}

/* Returns the pose of the mobile bodies after a fraction of the motion. */
static syn_pose pose_along(const syn_joint *joint, const syn_motion *m, double turned) {
  syn_joint_angles angles = m->start;
  double *const about[SYN_JOINT_AXES] = {&angles.flexion, &angles.adduction, &angles.rotation};
  if (m->axis < SYN_JOINT_AXES) {
    *about[m->axis] += m->sign * turned;
    return syn_joint_pose(joint, angles);
  }
  const syn_pose start = syn_joint_pose(joint, angles),
                 turn = syn_pose_about_axis(joint->center, m->vector, m->sign * turned);
  return syn_pose_compose(&turn, &start);
}

/* Moves from neutral to the start of the motion, then to its limit. */
static syn_status add_motion(writing *w, const syn_motion_limit *l, syn_error *error) {
  const syn_joint *joint = w->analysis->joint;
  const syn_motion *m = l->motion;
  const syn_joint_angles from = m->start;
  const size_t before = from.flexion != 0 || from.adduction != 0 || from.rotation != 0 ? TO_START : 0;
  const size_t count = before + TO_LIMIT + 1;
  syn_report_contact *contact;
  syn_pose *poses;
  double *along;
  SYN_TRY(SYN_TAKE(&w->page->arena, &contact, 1, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &along, count, error));
  /* From neutral to the start of the motion. */
  for (size_t i = 0; i < before; ++i) {
    const double part = (double)i / (double)before;
    poses[i] =
        syn_joint_pose(joint, (syn_joint_angles){from.flexion * part, from.adduction * part, from.rotation * part});
    along[i] = 0;
  }
  /* From the start to the limit. */
  for (size_t i = 0; i <= TO_LIMIT; ++i) {
    const double turned = l->limit.angle * (double)i / TO_LIMIT;
    poses[before + i] = pose_along(joint, m, turned);
    along[before + i] = turned * SYN_RADIAN;
  }
  /* The contact at the limit. */
  *contact = (syn_report_contact){.point = l->limit.event.point,
                                  .mobile_point = l->limit.mobile_point,
                                  .fixed = l->fixed->name,
                                  .mobile = l->mobile->name,
                                  .kind = syn_event_kind_name(l->limit.event.kind),
                                  .hour = NAN,
                                  .angle_deg = l->limit.angle * SYN_RADIAN};
  syn_page_add_motion(w->page, (syn_report_motion){.name = m->name,
                                                   .label = m->label,
                                                   .poses = poses,
                                                   .pose_count = count,
                                                   .along_label = m->label,
                                                   .along_unit = "°",
                                                   .along = along,
                                                   .contact = contact});
  return SYN_OK;
}

static void add_depths(writing *w, syn_report_motion *motion, const syn_depths *d) {
  syn_page_add_curve(w->page, motion,
                     (syn_report_curve){"curvilinear_mm", "Depth along the turn", "mm", d->curvilinear_mm});
  syn_page_add_curve(w->page, motion, (syn_report_curve){"radial_mm", "Depth along the radius", "mm", d->radial_mm});
}

static syn_status add_motions(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  const syn_joint_recorded *r = &a->recorded;
  for (size_t i = 0; i < a->limit_count; ++i)
    if (stopped(&a->limits[i])) SYN_TRY(add_motion(w, &a->limits[i], error));
  if (!r->pose_count) return SYN_OK;
  syn_report_motion *recorded = syn_page_add_motion(w->page, (syn_report_motion){.name = "recorded",
                                                                                 .label = "Recorded motion",
                                                                                 .poses = r->poses,
                                                                                 .pose_count = r->pose_count,
                                                                                 .along_label = "Time",
                                                                                 .along_unit = "s",
                                                                                 .along = r->times_s});
  if (a->depths) add_depths(w, recorded, a->depths);
  return SYN_OK;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void add_ranges(writing *w) {
  const syn_joint_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_motion_limit *l = &a->limits[i];
    char words[96];
    syn_page_add_range(
        w->page,
        (syn_report_range){l->motion->name, l->motion->label, "°", l->limit.angle * SYN_RADIAN,
                           stopped(l) ? NULL : syn_page_text(w->page, "%s", syn_motion_limit_words(l, words)),
                           l->motion->low_deg, l->motion->high_deg, l->motion->source, true, l->bands[SYN_BAND_ALL].low,
                           stopped(l) ? l->bands[SYN_BAND_ALL].high : (double)NAN});
  }
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static syn_status add_inputs(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  const syn_joint *joint = a->joint;
  if (a->joint_file) SYN_TRY(syn_page_add_input(w->page, a->joint_file, NULL, error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    const char *file = joint->bodies[i].mesh_file;
    if (!file) continue;
    const bool from_folder = file[0] != '/' && joint->folder && joint->folder[0];
    SYN_TRY(syn_page_add_input(w->page, from_folder ? syn_page_text(w->page, "%s/%s", joint->folder, file) : file,
                               joint->bodies[i].surface, error));
  }
  return a->recorded.file ? syn_page_add_input(w->page, a->recorded.file, NULL, error) : SYN_OK;
}

/* The figure of the envelope names the rotations of limbs; result.json and --csv have that of a joint with other names.
 */
static bool has_limb_names(const syn_joint *joint) {
  static const char *const names[] = {"flexion", "adduction", "internal_rotation"};
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis)
    if (strcmp(syn_joint_direction(joint, axis, 1), names[axis]) != 0) return false;
  return true;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status fill(writing *w, syn_error *error) {
  const syn_joint_analysis *a = w->analysis;
  w->page->report.live = w->live ? w->live->url : NULL;
  w->page->report.subtitle = subtitle(w);
  w->page->report.joint = a->joint;
  add_findings(w);
  syn_page_add_run_notes(w->page);
  syn_page_add_file_notes(w->page, a->joint);
  add_bodies(w);
  SYN_TRY(add_motions(w, error));
  add_ranges(w);
  SYN_TRY(syn_page_add_record(w->page, &syn_joint_limit_record, a->limits, a->limit_count, "Range of motion",
                              "Each angle is the turn from the start of the motion. Exact for the meshes as given.",
                              error));
  if (has_limb_names(a->joint)) w->page->report.envelope = a->envelope;
  if (a->center_bands)
    SYN_TRY(syn_page_add_record(w->page, &syn_joint_shifted_record, a, a->limit_count, "Other centres",
                                syn_page_text(w->page,
                                              "The lowest and the highest angle about the centre and those %g mm to "
                                              "either side along each axis.",
                                              a->center_mm),
                                error));
  return add_inputs(w, error);
}

syn_status syn_joint_page_put(const syn_context *context, const syn_joint_analysis *analysis, const char *title,
                              const syn_provenance *provenance, const syn_joint_live *live, FILE *to,
                              syn_error *error) {
  syn_page page;
  writing w = {.page = &page, .analysis = analysis, .live = live};
  syn_page_open(&page, context, "rom", title, provenance);
  const syn_status status = syn_page_put(&page, fill(&w, error), to, error);
  syn_page_close(&page);
  return status;
}

syn_status syn_joint_page_changes(const syn_context *context, const syn_joint_analysis *analysis,
                                  const syn_provenance *provenance, json_t **value, syn_error *error) {
  syn_page page;
  writing w = {.page = &page, .analysis = analysis};
  syn_page_open(&page, context, NULL, NULL, provenance);
  page.report.joint = analysis->joint;
  add_ranges(&w);
  syn_page_add_run_notes(&page);
  syn_page_add_file_notes(&page, analysis->joint);
  const syn_status status = syn_page_changes(&page, value, error);
  syn_page_close(&page);
  return status;
}

static syn_status add_joint(syn_publication *to, const void *result, syn_error *error) {
  writing w = {.page = &to->page, .analysis = result};
  return fill(&w, error);
}

const syn_published_kind syn_published_joint = {
    .record = &syn_joint_record, .kind = "rom", .command = "rom", .title = "Joint", .add = add_joint};
