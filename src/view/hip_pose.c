#include "view/hip_pose.h"
#include "clinic/hip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

static const double degrees = 180 / SYN_PI; /* per radian */
static const double farthest_mm = 1e6;      /* max translation of a body in a pose */
/* Below this the clearance reads 0.00 mm: bodies stopped just before their contact show its position. */
static const double touching_mm = 0.005;

syn_pose_field syn_view_pose_field(const char *name) {
  static const char *const names[SYN_POSE_FIELDS] = {
      [SYN_POSE_DEPTH] = SYN_VIEW_DEPTH, [SYN_POSE_RADIAL] = SYN_VIEW_RADIAL};
  syn_pose_field field = 0;
  while (field < SYN_POSE_FIELDS && strcmp(name, names[field]) != 0) ++field;
  return field;
}

syn_status syn_view_read_pose(const double rows[12], syn_pose *pose, syn_error *error) {
  double matrix[16] = {[15] = 1};
  memcpy(matrix, rows, 12 * sizeof *rows);
  SYN_TRY(syn_pose_from_matrix(matrix, pose, error));
  const syn_vec3 t = pose->translation;
  if (fabs(t.x) <= farthest_mm && fabs(t.y) <= farthest_mm && fabs(t.z) <= farthest_mm) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "matrix takes the bodies farther away than a kilometre");
}

void syn_view_report_limit(const char *name, const char *label, const syn_limit *limit, const char *words,
                           syn_answer *to) {
  const bool stopped = limit->state == SYN_LIMIT_STOPPED;
  syn_answer_number(to, name, label, "°", limit->angle * SYN_RADIAN, stopped ? NULL : words);
}

void syn_view_report_motion(const syn_hip *hip, syn_pose_query *query, const syn_pose *pose, syn_answer *to) {
  static const struct {
    const char *name, *label;
  } ways[3][2] = {
      {{"free_flexion", "Free flexion"}, {"free_extension", "Free extension"}},
      {{"free_adduction", "Free adduction"}, {"free_abduction", "Free abduction"}},
      {{"free_internal_rotation", "Free internal rotation"}, {"free_external_rotation", "Free external rotation"}},
  };
  const syn_hip_angles angles = syn_hip_angles_of(hip, pose);
  syn_answer_number(to, "flexion", "Flexion", "°", angles.flexion * degrees, NULL);
  syn_answer_number(to, "adduction", "Adduction", "°", angles.adduction * degrees, NULL);
  syn_answer_number(to, "rotation", "Internal rotation", "°", angles.rotation * degrees, NULL);
  syn_limit limits[3][2];
  if (!syn_pose_query_limits(query, pose, limits)) return;
  for (int i = 0; i < 6; ++i) {
    const syn_limit *limit = &limits[i / 2][i % 2];
    char words[96];
    syn_view_report_limit(ways[i / 2][i % 2].name, ways[i / 2][i % 2].label, limit, syn_hip_limit_words(limit, words),
                          to);
  }
}

void syn_view_report_clearance(const char *mobile, const char *fixed, const syn_clearance *c, syn_answer *to) {
  char name[288], label[288];
  snprintf(name, sizeof name, "clearance_%.120s_%.120s", mobile, fixed);
  snprintf(label, sizeof label, "Clearance, %.120s to %.120s", mobile, fixed);
  for (char *at = label; *at; ++at)
    if (*at == '_') *at = ' ';
  syn_answer_number(to, name, label, "mm", c->distance_mm, NULL);
  if (c->distance_mm < touching_mm) syn_answer_contact(to, c->point_fixed);
}

void syn_view_report_clearances(syn_pose_query *query, const syn_pose *pose, syn_answer *to) {
  size_t count;
  const syn_joint_clearance *pairs = syn_pose_query_clearances(query, pose, &count);
  for (size_t i = 0; i < count; ++i)
    syn_view_report_clearance(syn_hip_part_name((syn_hip_part)pairs[i].mobile),
                              syn_hip_part_name((syn_hip_part)pairs[i].fixed), &pairs[i].clearance, to);
}
