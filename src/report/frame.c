#include "report/frame.h"

#include "base/vec.h"

static syn_vec3 middle_of_bodies(const syn_report *report) {
  syn_box box = box_empty();
  for (size_t i = 0; i < report->body_count; ++i) {
    if (report->bodies[i].body.surface->vertex_count == 0) continue;
    const syn_box one = syn_trimesh_bounds(report->bodies[i].body.surface);
    box_add(&box, one.min);
    box_add(&box, one.max);
  }
  return box.min.x <= box.max.x ? vec3_lerp(box.min, box.max, 0.5) : vec3(0, 0, 0);
}

syn_report_frame syn_report_frame_of(const syn_report *report) {
  const syn_hip *hip = report->hip;
  syn_report_frame frame = {SYN_SIDE_RIGHT, middle_of_bodies(report), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  if (hip) {
    const double sign = hip->side == SYN_SIDE_LEFT ? -1 : 1; /* see syn_hip_axes */
    frame.side = hip->side;
    if (vec3_finite(hip->center)) frame.center = hip->center;
    frame.right = hip->pelvis_axes.flexion;
    frame.forward = vec3_scale(hip->pelvis_axes.adduction, sign);
    frame.up = vec3_scale(hip->pelvis_axes.rotation, sign);
  }
  if (report->joint) {
    frame.center = report->joint->center;
    frame.right = report->joint->axes.flexion;
    frame.forward = report->joint->axes.adduction;
    frame.up = report->joint->axes.rotation;
  }
  frame.cup = vec3_unit(report->cup_normal);
  if (vec3_equal(frame.cup, vec3(0, 0, 0))) { /* not given: a cup opens outward, down and a little forward */
    const syn_vec3 outward = frame.side == SYN_SIDE_LEFT ? vec3_neg(frame.right) : frame.right;
    frame.cup = vec3_unit(vec3_madd(vec3_madd(vec3_scale(outward, 0.72), -0.62, frame.up), 0.31, frame.forward));
  }
  return frame;
}
