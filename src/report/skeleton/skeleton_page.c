/* Writes a skeleton as a page and as an animation. Every body has a separate motion, relative to its pose in the first
 * posture, in which the page shows the meshes. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "motion/skeleton.h"
#include "report/display.h"
#include "report/publish_result.h"
#include <synovia/motion.h>

enum { TO_POSTURE = 30, THROUGH_RANGE = 40, MAX_CURVES = 6 };

typedef struct skeleton_writing {
  const syn_skeleton_analysis *analysis;
  syn_page *page;  /* its bodies are those with a mesh, in the first posture */
  size_t *numbers; /* of these bodies in the skeleton */
  syn_pose *back;  /* from the first posture to the frame of their mesh files */
} skeleton_writing;

static const char *body_name(const skeleton_writing *w, size_t body) {
  return w->analysis->skeleton->description.bodies[body].body.name;
}
static bool turns(const skeleton_writing *w, size_t dof) {
  return w->analysis->skeleton->dofs[dof]->kind == SYN_DOF_ROTATION;
}
static double shown(const skeleton_writing *w, size_t dof, double value) {
  return turns(w, dof) ? value * SYN_RADIAN : value;
}
static const char *unit(const skeleton_writing *w, size_t dof) { return turns(w, dof) ? "°" : " mm"; }

/* Formats a value for readers. */
static const char *quantity(const skeleton_writing *w, size_t dof, double value) {
  return syn_page_quantity(w->page, shown(w, dof, value), turns(w, dof) ? "°" : "mm");
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static syn_status add_body(skeleton_writing *w, size_t number, const syn_pose *pose, syn_error *error) {
  const size_t shown_number = w->page->report.body_count;
  syn_body body = w->analysis->skeleton->description.bodies[number].body;
  syn_trimesh *made;
  SYN_TRY(syn_trimesh_transform(body.surface, pose, &made, error));
  SYN_TRY(syn_page_keep(w->page, made, error));
  w->numbers[shown_number] = number;
  w->back[shown_number] = syn_pose_inverse(pose);
  body.surface = made;
  body.moves = true;
  syn_report_body *added =
      syn_page_add_body(w->page, (syn_report_body){.body = body, .label = syn_page_text(w->page, "%s", body.name)});
  if (body.tissue == SYN_TISSUE_BONE) syn_report_bone_color(shown_number, added->color);
  return syn_arena_check(&w->page->arena, error);
}

/* Meshes in the first posture of a recording, else at rest. */
static syn_status add_bodies(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t count = a->skeleton->description.body_count;
  syn_pose *joints, *poses;
  double *values;
  SYN_TRY(SYN_TAKE(&w->page->arena, &w->numbers, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &w->back, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &joints, a->skeleton->description.joint_count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &poses, count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &values, a->skeleton->dof_count, error));
  syn_skeleton_rest(a->skeleton, values);
  syn_skeleton_clamp(a->skeleton, values);
  if (a->recording_file) memcpy(values, a->values, a->skeleton->dof_count * sizeof *values);
  syn_skeleton_pose(a->skeleton, values, joints, poses);
  for (size_t i = 0; i < count; ++i)
    if (a->skeleton->description.bodies[i].body.surface) SYN_TRY(add_body(w, i, &poses[i], error));
  if (w->page->report.body_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "no body of this skeleton has a mesh, so that there is nothing to show");
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Adds one posture to a motion of body poses. */
static void put_posture(const skeleton_writing *w, const syn_pose *bodies, syn_pose *poses, size_t count, size_t step) {
  for (size_t i = 0; i < w->page->report.body_count; ++i)
    poses[i * count + step] = syn_pose_compose(&bodies[w->numbers[i]], &w->back[i]);
}

/* Computes poses of a posture that is not among those of the analysis. */
typedef struct mover {
  double *values;
  syn_pose *joints, *bodies;
} mover;

static syn_status make_mover(skeleton_writing *w, mover *m, syn_error *error) {
  const syn_skeleton *skeleton = w->analysis->skeleton;
  SYN_TRY(SYN_TAKE(&w->page->arena, &m->values, skeleton->dof_count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, &m->joints, skeleton->description.joint_count, error));
  return SYN_TAKE(&w->page->arena, &m->bodies, skeleton->description.body_count, error);
}

static syn_status add_motion(skeleton_writing *w, syn_report_motion motion, syn_pose **poses, double **along,
                             syn_report_motion **added, syn_error *error) {
  SYN_TRY(SYN_TAKE(&w->page->arena, poses, motion.pose_count * w->page->report.body_count, error));
  SYN_TRY(SYN_TAKE(&w->page->arena, along, motion.pose_count, error));
  motion.along = *along;
  motion.body_poses = *poses;
  *added = syn_page_add_motion(w->page, motion);
  return SYN_OK;
}

/* Moves from rest to the posture: values interpolated linearly and clamped. */
static syn_status add_posture(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t count = TO_POSTURE + 1;
  const syn_report_motion head = {.name = "posture",
                                  .label = "From rest to the posture",
                                  .pose_count = count,
                                  .along_label = "Way",
                                  .along_unit = "%"};
  syn_report_motion *motion;
  syn_pose *poses;
  double *along;
  mover m;
  SYN_TRY(make_mover(w, &m, error));
  SYN_TRY(add_motion(w, head, &poses, &along, &motion, error));
  for (size_t step = 0; step < count; ++step) {
    const double part = (double)step / TO_POSTURE;
    for (size_t i = 0; i < a->skeleton->dof_count; ++i)
      m.values[i] = (1 - part) * a->skeleton->dofs[i]->rest + part * a->asked[i];
    syn_skeleton_clamp(a->skeleton, m.values);
    if (step + 1 == count) memcpy(m.values, a->start, a->skeleton->dof_count * sizeof *m.values);
    syn_skeleton_pose(a->skeleton, m.values, m.joints, m.bodies);
    put_posture(w, m.bodies, poses, count, step);
    along[step] = 100 * part;
  }
  return SYN_OK;
}

/* Adds the depth of a pair along the recording; 0 where it is free. */
static syn_status add_depths(skeleton_writing *w, size_t pair, syn_report_motion *motion, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const syn_skeleton_pair *p = &a->pairs[pair];
  double *values;
  SYN_TRY(SYN_TAKE(&w->page->arena, &values, a->posture_count, error));
  for (size_t i = 0; i < a->posture_count; ++i) values[i] = fmax(0, a->touches[i * a->pair_count + pair].depth_mm);
  syn_page_add_curve(
      w->page, motion,
      (syn_report_curve){.name = syn_page_text(w->page, "depth_%zu", pair),
                         .label = syn_page_text(w->page, "%s in %s", body_name(w, p->mobile), body_name(w, p->fixed)),
                         .unit = "mm",
                         .values = values});
  return SYN_OK;
}

static bool ever_touches(const syn_skeleton_analysis *a, size_t pair) {
  for (size_t i = 0; i < a->posture_count; ++i)
    if (a->touches[i * a->pair_count + pair].depth_mm > 0) return true;
  return false;
}

static double swing(const syn_skeleton_analysis *a, size_t dof) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < a->posture_count; ++i) {
    low = fmin(low, a->values[i * a->skeleton->dof_count + dof]);
    high = fmax(high, a->values[i * a->skeleton->dof_count + dof]);
  }
  return high - low;
}

/* Returns the rotation with the widest range after `last` (SIZE_MAX: of all); rotations of equal range follow each
 * other in the order of the skeleton. SIZE_MAX: there is none. */
static size_t find_next_rotation(const skeleton_writing *w, size_t last) {
  const syn_skeleton_analysis *a = w->analysis;
  const double below = last == SIZE_MAX ? (double)INFINITY : swing(a, last);
  size_t widest = SIZE_MAX;
  for (size_t i = 0; i < a->skeleton->dof_count; ++i) {
    const double range = turns(w, i) ? swing(a, i) : 0;
    if (!(range > 0) || range > below || (range == below && i <= last)) continue;
    if (widest == SIZE_MAX || range > swing(a, widest)) widest = i;
  }
  return widest;
}

/* Adds the rotations with the widest range. */
static syn_status add_rotations(skeleton_writing *w, syn_report_motion *motion, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  size_t widest = SIZE_MAX;
  while (motion->curve_count < MAX_CURVES) {
    widest = find_next_rotation(w, widest);
    if (widest == SIZE_MAX) return SYN_OK;
    double *values;
    SYN_TRY(SYN_TAKE(&w->page->arena, &values, a->posture_count, error));
    for (size_t i = 0; i < a->posture_count; ++i)
      values[i] = a->values[i * a->skeleton->dof_count + widest] * SYN_RADIAN;
    const char *name = a->skeleton->dofs[widest]->name;
    syn_page_add_curve(w->page, motion, (syn_report_curve){name, name, "°", values});
    SYN_TRY(syn_arena_check(&w->page->arena, error));
  }
  return SYN_OK;
}

static syn_status add_recorded(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const size_t body_count = a->skeleton->description.body_count;
  const syn_report_motion head = {.name = "recorded",
                                  .label = "Recorded motion",
                                  .pose_count = a->posture_count,
                                  .along_label = "Time",
                                  .along_unit = "s"};
  syn_report_motion *motion;
  syn_pose *poses;
  double *along;
  SYN_TRY(add_motion(w, head, &poses, &along, &motion, error));
  for (size_t i = 0; i < a->posture_count; ++i) {
    put_posture(w, a->bodies + i * body_count, poses, a->posture_count, i);
    along[i] = a->times_s[i];
  }
  for (size_t i = 0; a->touches && i < a->pair_count && motion->curve_count < MAX_CURVES; ++i)
    if (ever_touches(a, i)) SYN_TRY(add_depths(w, i, motion, error));
  return motion->curve_count ? SYN_OK : add_rotations(w, motion, error);
}

/* Moves from one end of a Dof to the other. The contact is that of the upper end, or of the lower one. */
static syn_status add_range(skeleton_writing *w, size_t number, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  const syn_skeleton_dof_range *r = &a->ranges[number];
  const syn_skeleton_stop *stop = r->upper.by_contact ? &r->upper : &r->lower;
  const size_t count = THROUGH_RANGE + 1;
  const char *name = a->skeleton->dofs[r->dof]->name;
  const syn_report_motion head = {.name = syn_page_text(w->page, "range_%s", name),
                                  .label = syn_page_text(w->page, "Range of %s", name),
                                  .pose_count = count,
                                  .along_label = name,
                                  .along_unit = turns(w, r->dof) ? "°" : "mm"};
  syn_report_contact *contact;
  syn_report_motion *motion;
  syn_pose *poses;
  double *along;
  mover m;
  SYN_TRY(make_mover(w, &m, error));
  SYN_TRY(add_motion(w, head, &poses, &along, &motion, error));
  /* Poses from the lower to the upper end; other Dofs as at the start. */
  for (size_t step = 0; step < count; ++step) {
    const double part = (double)step / THROUGH_RANGE;
    memcpy(m.values, a->start, a->skeleton->dof_count * sizeof *m.values);
    m.values[r->dof] = (1 - part) * r->lower.value + part * r->upper.value;
    syn_skeleton_clamp(a->skeleton, m.values);
    syn_skeleton_pose(a->skeleton, m.values, m.joints, m.bodies);
    put_posture(w, m.bodies, poses, count, step);
    along[step] = shown(w, r->dof, m.values[r->dof]);
  }
  /* The contact that ends the range, if one does. */
  if (!stop->by_contact) return SYN_OK;
  SYN_TRY(SYN_TAKE(&w->page->arena, &contact, 1, error));
  *contact = (syn_report_contact){.point = stop->point,
                                  .mobile_point = stop->point,
                                  .fixed = body_name(w, a->pairs[stop->pair].fixed),
                                  .mobile = body_name(w, a->pairs[stop->pair].mobile),
                                  .kind = stop->touch != SYN_EVENT_NONE ? syn_event_kind_name(stop->touch)
                                                                        : syn_contact_of_name(stop->of),
                                  .hour = NAN,
                                  .angle_deg = shown(w, r->dof, stop->value)};
  motion->contact = contact;
  return SYN_OK;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static const char *stop_words(skeleton_writing *w, const syn_skeleton_dof_range *r, const syn_skeleton_stop *stop) {
  const syn_skeleton_pair *pair = stop->by_contact ? &w->analysis->pairs[stop->pair] : NULL;
  const char *value = quantity(w, r->dof, stop->value);
  if (!pair) return syn_page_text(w->page, "%s, the end of its range", value);
  return syn_page_text(w->page, "%s, where %s meets %s", value, body_name(w, pair->mobile), body_name(w, pair->fixed));
}

static const char *range_sentence(skeleton_writing *w, const syn_skeleton_dof_range *r) {
  return syn_page_text(w->page, "%s goes up to %s, and down to %s.", w->analysis->skeleton->dofs[r->dof]->name,
                       stop_words(w, r, &r->upper), stop_words(w, r, &r->lower));
}

static const char *clamp_sentence(skeleton_writing *w, size_t dof) {
  const syn_skeleton_analysis *a = w->analysis;
  const char *name = a->skeleton->dofs[dof]->name;
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  if (a->skeleton->dofs[dof]->modifier_count > 0 && range.lower == range.upper && !a->recording_file)
    return syn_page_text(w->page, "%s follows %s: %s.", name, a->skeleton->dofs[dof]->modifiers[0].by,
                         quantity(w, dof, a->start[dof]));
  if (a->recording_file)
    return syn_page_text(w->page, "%s was brought back into its range in %zu of %zu postures.", name, a->clamped[dof],
                         a->posture_count);
  return syn_page_text(w->page, "%s is %.4g%s instead of %.4g%s, which its range in force does not allow.", name,
                       shown(w, dof, a->start[dof]), unit(w, dof), shown(w, dof, a->asked[dof]), unit(w, dof));
}

static const char *contact_sentence(skeleton_writing *w) {
  const syn_skeleton_analysis *a = w->analysis;
  const char *roles = a->both_roles ? " in both roles" : "";
  const size_t free_count = a->free_count, pair = a->deepest[0];
  if (a->recording_file)
    return syn_page_text(w->page, "%zu of %zu postures of the recorded motion are free of contact (method %s%s).",
                         free_count, a->posture_count, a->method, roles);
  if (pair == SIZE_MAX)
    return syn_page_text(w->page, "No bodies touch in the posture (method %s%s).", a->method, roles);
  const double depth = a->touches[pair].depth_mm;
  return syn_page_text(w->page, "%s and %s touch in the posture%s (method %s%s).", body_name(w, a->pairs[pair].mobile),
                       body_name(w, a->pairs[pair].fixed),
                       isfinite(depth) ? syn_page_text(w->page, ", %s deep", syn_page_quantity(w->page, depth, "mm"))
                                       : "",
                       a->method, roles);
}

static void add_words(skeleton_writing *w) {
  const syn_skeleton_analysis *a = w->analysis;
  if (a->touches) syn_page_add_finding(w->page, contact_sentence(w), NULL);
  for (size_t i = 0; i < a->range_count; ++i) syn_page_add_finding(w->page, range_sentence(w, &a->ranges[i]), NULL);
  for (size_t i = 0; i < a->skeleton->dof_count; ++i)
    if (a->clamped[i]) syn_page_add_finding(w->page, clamp_sentence(w, i), NULL);
  syn_page_add_run_notes(w->page);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Returns the posture with the max depth; the table lists its touching pairs. */
static size_t worst_posture(const syn_skeleton_analysis *a) {
  size_t worst = 0;
  double most = -INFINITY;
  for (size_t i = 0; a->deepest && i < a->posture_count; ++i) {
    const size_t pair = a->deepest[i];
    if (pair == SIZE_MAX || !(a->touches[i * a->pair_count + pair].depth_mm > most)) continue;
    most = a->touches[i * a->pair_count + pair].depth_mm;
    worst = i;
  }
  return worst;
}

static syn_status add_contacts(skeleton_writing *w, syn_error *error) {
  static const syn_report_column columns[] = {{"fixed", "Fixed", "", false},
                                              {"mobile", "Mobile", "", false},
                                              {"contacts", "Contacts", "", true},
                                              {"depth", "Deepest", "mm", true}};
  const syn_skeleton_analysis *a = w->analysis;
  const size_t posture = worst_posture(a);
  const syn_skeleton_touch *touches = a->touches + posture * a->pair_count;
  syn_report_table head = {
      .name = "contacts",
      .title = a->recording_file
                   ? syn_page_text(w->page, "Contacts at %g s, where they are deepest", a->times_s[posture])
                   : "Contacts in the posture",
      .columns = columns,
      .column_count = sizeof columns / sizeof *columns};
  syn_report_cell *cell;
  for (size_t i = 0; i < a->pair_count; ++i) head.row_count += touches[i].touching;
  SYN_TRY(syn_page_add_table(w->page, head, &cell, error));
  for (size_t i = 0; i < a->pair_count; ++i) {
    if (!touches[i].touching) continue;
    *cell++ = syn_filled_words(body_name(w, a->pairs[i].fixed));
    *cell++ = syn_filled_words(body_name(w, a->pairs[i].mobile));
    *cell++ = syn_filled_number((double)touches[i].contact_count);
    *cell++ = syn_filled_number(touches[i].depth_mm);
  }
  return SYN_OK;
}

static syn_status add_tables(skeleton_writing *w, syn_error *error) {
  const syn_skeleton_analysis *a = w->analysis;
  if (a->touches) SYN_TRY(add_contacts(w, error));
  if (a->range_count)
    SYN_TRY(syn_page_add_record(w->page, &syn_skeleton_range_record, a, a->range_count, "Ranges until contact",
                                "From the posture, one Dof at a time.", error));
  return syn_page_add_record(w->page, &syn_skeleton_dof_record, a, a->skeleton->dof_count, "Degrees of freedom",
                             "The range in force is what limits and modifiers leave in the posture.", error);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_skeleton(syn_publication *to, const void *result, syn_error *error) {
  skeleton_writing w = {.analysis = result, .page = &to->page};
  const syn_skeleton_analysis *a = w.analysis;
  const syn_skeleton *skeleton = a->skeleton;
  syn_report *report = &to->page.report;
  SYN_TRY(add_bodies(&w, error));
  if (!report->title) report->title = skeleton->description.name[0] ? skeleton->description.name : "A skeleton";
  report->subtitle =
      syn_page_text(&to->page, "Skeleton of %zu joints, %zu degrees of freedom and %zu bodies",
                    skeleton->description.joint_count, skeleton->dof_count, skeleton->description.body_count);
  SYN_TRY(a->recording_file ? add_recorded(&w, error) : add_posture(&w, error));
  for (size_t i = 0; i < a->range_count; ++i) SYN_TRY(add_range(&w, i, error));
  add_words(&w);
  SYN_TRY(add_tables(&w, error));
  if (a->skeleton->file) SYN_TRY(syn_page_add_input(&to->page, a->skeleton->file, NULL, error));
  return a->recording_file ? syn_page_add_input(&to->page, a->recording_file, NULL, error) : SYN_OK;
}

/* ---- the animation ----------------------------------------------------------------------------------------------- */

/* Animates the page's bodies in its first motion: ten postures a second without a recording; glTF's times begin at 0 or
 * later. */
static syn_status write_animation(syn_publication *to, const void *result, syn_error *error) {
  const syn_skeleton_analysis *a = result;
  const syn_report *report = &to->page.report;
  const syn_report_motion *motion = &report->motions[0];
  syn_scene_body *bodies;
  const char *path;
  double *times;
  if (!(to->options->what & SYN_PUBLISH_FILES) || !report->motion_count) return SYN_OK;
  SYN_TRY(SYN_TAKE(&to->page.arena, &bodies, report->body_count, error));
  SYN_TRY(SYN_TAKE(&to->page.arena, &times, motion->pose_count, error));
  for (size_t i = 0; i < motion->pose_count; ++i)
    times[i] = a->recording_file ? motion->along[i] - motion->along[0] : (double)i / 10;
  for (size_t i = 0; i < report->body_count; ++i) {
    bodies[i] = (syn_scene_body){.name = report->bodies[i].body.name,
                                 .mesh = report->bodies[i].body.surface,
                                 .keyframes = motion->body_poses + i * motion->pose_count};
    syn_report_scene_color(&report->bodies[i], bodies[i].color);
  }
  const syn_scene scene = {.name = report->title,
                           .bodies = bodies,
                           .body_count = report->body_count,
                           .times_s = times,
                           .keyframe_count = motion->pose_count};
  SYN_TRY(syn_publication_path(to, "skeleton.glb", &path, error));
  SYN_TRY(syn_scene_write(to->page.arena.context, &scene, path, error));
  return syn_publication_add(to, path, error);
}

const syn_published_kind syn_published_skeleton = {.record = &syn_skeleton_record,
                                                   .kind = "skeleton",
                                                   .command = "skeleton",
                                                   .add = add_skeleton,
                                                   .write = write_animation};
