/* Computes the frames of joints and bodies from a posture. */
#include "base/vec.h"
#include "motion/skeleton.h"

syn_pose syn_skeleton_joint_place(const syn_skeleton_joint *joint) {
  const syn_vec3 zero = {0, 0, 0}, *row = joint->place.rotation.row;
  const bool given = !vec3_equal(row[0], zero) || !vec3_equal(row[1], zero) || !vec3_equal(row[2], zero) ||
                     !vec3_equal(joint->place.translation, zero);
  return given ? joint->place : syn_pose_identity();
}

void syn_skeleton_rest(const syn_skeleton *skeleton, double *values) {
  for (size_t i = 0; i < skeleton->dof_count; ++i) values[i] = skeleton->dofs[i]->rest;
}

/* Returns the parameter of the sliding curve (Maciel 2005, §2.4.3), which follows the value of the Dof within its
 * current range. A Dof that follows others has a range of a single value; its position between the Dof's own limits
 * then counts. */
static double slide_parameter(const syn_skeleton *skeleton, size_t index, const double *values) {
  const syn_dof *dof = skeleton->dofs[index];
  syn_range range = syn_skeleton_range(skeleton, index, values);
  if (!(range.lower < range.upper)) range = (syn_range){dof->lower, dof->upper};
  const double width = range.upper - range.lower;
  return width > 0 ? min2(max2((values[index] - range.lower) / width, 0), 1) : 0;
}

static syn_vec3 bezier(const syn_vec3 points[4], double t) {
  const double s = 1 - t;
  syn_vec3 place = vec3_scale(points[0], s * s * s);
  place = vec3_madd(place, 3 * s * s * t, points[1]);
  place = vec3_madd(place, 3 * s * t * t, points[2]);
  return vec3_madd(place, t * t * t, points[3]);
}

/* The local instance matrix of a Dof (Maciel 2005, §2.4.3 and §2.4.4): to its frame, along the sliding curve, then the
 * movement itself. */
static syn_pose dof_matrix(const syn_skeleton *skeleton, size_t index, const double *values) {
  const syn_dof *dof = skeleton->dofs[index];
  const double value = values[index];
  syn_pose movement = syn_pose_identity();
  if (dof->kind == SYN_DOF_ROTATION)
    movement = syn_pose_about_axis(vec3(0, 0, 0), dof->axis, value);
  else
    movement.translation = vec3_scale(dof->axis, value);
  if (dof->slides)
    movement.translation = vec3_add(movement.translation, bezier(dof->slide, slide_parameter(skeleton, index, values)));
  return syn_pose_compose(&dof->place, &movement);
}

/* Equations 2.3 to 2.5, with matrices that act on columns: the root's is leftmost. */
void syn_skeleton_pose(const syn_skeleton *skeleton, const double *values, syn_pose *joints, syn_pose *bodies) {
  const syn_skeleton_description *d = &skeleton->description;
  size_t dof = 0;
  for (size_t i = 0; i < d->joint_count; ++i) {
    joints[i] = d->joints[i].place;
    if (skeleton->joint_parents[i] != SIZE_MAX)
      joints[i] = syn_pose_compose(&joints[skeleton->joint_parents[i]], &joints[i]);
    for (size_t k = 0; k < d->joints[i].dof_count; ++k) {
      const syn_pose local = dof_matrix(skeleton, dof++, values);
      joints[i] = syn_pose_compose(&joints[i], &local);
    }
  }
  for (size_t i = 0; bodies && i < d->body_count; ++i)
    bodies[i] = syn_pose_compose(&joints[skeleton->body_joints[i]], &d->bodies[i].place);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

enum { LEVELS = 256 };

/* Collects the joints of the levels `first` to first + LEVELS - 1 on the path from the root, which is level 0, to
 * `joint`, which is level `last`. */
static void take_levels(const syn_skeleton *skeleton, size_t joint, size_t last, size_t first, size_t way[LEVELS]) {
  for (size_t level = last;; --level, joint = skeleton->joint_parents[joint]) {
    if (level < first + LEVELS) way[level - first] = joint;
    if (level == first) return;
  }
}

/* Computes the frame of a joint after all Dofs before `dof`, from the root on as in syn_skeleton_pose. A tree may be as
 * deep as it has joints, so the path is kept in pieces. */
static syn_pose frame_before(const syn_skeleton *skeleton, size_t joint, size_t dof, const double *values) {
  const struct syn_skeleton_store *store = skeleton->store;
  syn_pose frame = syn_pose_identity();
  size_t last = 0, way[LEVELS];
  for (size_t up = joint; skeleton->joint_parents[up] != SIZE_MAX; up = skeleton->joint_parents[up]) ++last;
  for (size_t level = 0; level <= last; ++level) {
    if (level % LEVELS == 0) take_levels(skeleton, joint, last, level, way);
    const size_t here = way[level % LEVELS];
    const syn_skeleton_joint *one = &skeleton->description.joints[here];
    const size_t end = here == joint ? dof : store->first_dofs[here] + one->dof_count;
    frame = level ? syn_pose_compose(&frame, &one->place) : one->place;
    for (size_t i = store->first_dofs[here]; i < end; ++i) {
      const syn_pose local = dof_matrix(skeleton, i, values);
      frame = syn_pose_compose(&frame, &local);
    }
  }
  return frame;
}

void syn_skeleton_axis(const syn_skeleton *skeleton, size_t dof, const double *values, syn_vec3 *point,
                       syn_vec3 *direction) {
  const syn_dof *self = skeleton->dofs[dof];
  const syn_pose above = frame_before(skeleton, skeleton->dof_joints[dof], dof, values),
                 frame = syn_pose_compose(&above, &self->place);
  const syn_vec3 at = self->slides ? bezier(self->slide, slide_parameter(skeleton, dof, values)) : vec3(0, 0, 0);
  if (point) *point = syn_pose_point(&frame, at);
  if (direction) *direction = syn_pose_direction(&frame, self->axis);
}

bool syn_skeleton_joint_carries(const syn_skeleton *skeleton, size_t joint, size_t other) {
  while (other != SIZE_MAX && other != joint) other = skeleton->joint_parents[other];
  return other == joint;
}

/* ---- recordings -------------------------------------------------------------------------------------------------- */

size_t syn_skeleton_columns(const syn_skeleton *skeleton, const syn_recording *recording, size_t *columns) {
  size_t found = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    columns[i] = syn_recording_column_named(recording, skeleton->dofs[i]->name);
    found += columns[i] != SIZE_MAX;
  }
  return found;
}

double syn_skeleton_recorded(const syn_dof *dof, const syn_recording *recording, size_t column, size_t row,
                             double mm_per_unit) {
  const double radians = recording->in_degrees ? SYN_PI / 180 : 1;
  return recording->values[row * recording->column_count + column] *
         (dof->kind == SYN_DOF_ROTATION ? radians : mm_per_unit);
}

size_t syn_skeleton_follow(const syn_skeleton *skeleton, const syn_recording *recording, size_t row, double mm_per_unit,
                           double *values) {
  size_t found = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t column = syn_recording_column_named(recording, skeleton->dofs[i]->name);
    if (column == SIZE_MAX) continue;
    values[i] = syn_skeleton_recorded(skeleton->dofs[i], recording, column, row, mm_per_unit);
    ++found;
  }
  return found;
}
