/* Checks a report before its page is made, and refuses what a page cannot show. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/page_model.h"

static bool pose_finite(const syn_pose *pose) {
  return vec3_finite(pose->rotation.row[0]) && vec3_finite(pose->rotation.row[1]) &&
         vec3_finite(pose->rotation.row[2]) && vec3_finite(pose->translation);
}

const syn_pose *syn_report_pose(const syn_report_motion *motion, size_t step, size_t body) {
  return motion->body_poses ? &motion->body_poses[body * motion->pose_count + step] : &motion->poses[step];
}

static syn_status check_motion(const syn_report_motion *motion, size_t body_count, syn_error *error) {
  if (!motion->name) return syn_fail(error, SYN_BAD_ARGUMENT, "a motion of the report has no name");
  const size_t bodies = motion->body_poses ? body_count : 1;
  for (size_t i = 0; i < motion->pose_count; ++i)
    for (size_t body = 0; body < bodies; ++body)
      if (!pose_finite(syn_report_pose(motion, i, body)) || !isfinite(motion->along[i]))
        return syn_fail(error, SYN_BAD_ARGUMENT, "pose %zu of the motion %s is not finite, or where it lies along it",
                        i, motion->name);
  return SYN_OK;
}

static const syn_report_motion *motion_named(const syn_report *report, const char *name) {
  for (size_t i = 0; name && i < report->motion_count; ++i)
    if (strcmp(report->motions[i].name, name) == 0) return &report->motions[i];
  return NULL;
}

static syn_status check_steps(const syn_report *report, const syn_report_body *body, const char *name, size_t steps,
                              const char *along, syn_error *error) {
  if (!name) name = "without a name";
  if (steps == 1 && !along) return SYN_OK;
  const syn_report_motion *motion = motion_named(report, along);
  if (!motion)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the field %s of %s has %zu steps along a motion that the report lacks",
                    name, body->body.name, steps);
  if (steps != motion->pose_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the field %s of %s has %zu steps, but the motion %s has %zu poses", name,
                    body->body.name, steps, motion->name, motion->pose_count);
  return SYN_OK;
}

static syn_status check_vectors(const syn_report *report, const syn_report_body *body,
                                const syn_report_vectors *vectors, syn_error *error) {
  SYN_TRY(check_steps(report, body, vectors->name, vectors->steps, vectors->motion, error));
  const size_t count = body->body.surface->vertex_count;
  for (size_t i = 0; vectors->displaces && i < vectors->steps * count; ++i)
    if (!vec3_finite(vectors->values[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the place of vertex %zu of %s at step %zu of %s is not finite",
                      i % count, body->body.name, i / count, vectors->motion ? vectors->motion : "the report");
  return SYN_OK;
}

static syn_status check_image(const syn_report_image *image, syn_error *error) {
  enum { MOST = 4096 };
  const bool good = image->width - 1 < MOST && image->height - 1 < MOST && image->label && image->pixels;
  return good ? SYN_OK
              : syn_fail(error, SYN_BAD_ARGUMENT, "an image of the report needs a label and 1 to 4096 pixels each way");
}

syn_status syn_report_check(const syn_report *report, syn_error *error) {
  if (!report->kind || !report->title) return syn_fail(error, SYN_BAD_ARGUMENT, "a report needs a kind and a title");
  for (size_t i = 0; i < report->image_count; ++i) SYN_TRY(check_image(&report->images[i], error));
  for (size_t i = 0; i < report->motion_count; ++i)
    SYN_TRY(check_motion(&report->motions[i], report->body_count, error));
  for (size_t i = 0; i < report->body_count; ++i) {
    const syn_report_body *body = &report->bodies[i];
    if (!body->body.name || !body->body.surface)
      return syn_fail(error, SYN_BAD_ARGUMENT, "body %zu of the report has no name or no mesh", i);
    for (size_t k = 0; k < body->field_count; ++k) {
      const syn_report_field *field = &body->fields[k];
      SYN_TRY(check_steps(report, body, field->name, field->steps, field->motion, error));
    }
    for (size_t k = 0; k < body->vector_count; ++k) SYN_TRY(check_vectors(report, body, &body->vectors[k], error));
  }
  return SYN_OK;
}
