/* rom --fixed --mobile: how far a body turns about an axis before it touches another one. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/status.h"
#include "base/vec.h"
#include "bodies.h"
#include "mesh.h"
#include "rom.h"

typedef struct range {
  syn_vec3 center, axis;
  syn_event event[2]; /* positive, negative */
} range;

json_t *cli_event_value(const syn_event *event) {
  if (event->kind == SYN_EVENT_NONE) return json_null();
  json_t *value = json_object();
  json_object_set_new(value, "point", syn_json_from_vec3(event->point));
  json_object_set_new(value, "kind", json_string(syn_event_kind_name(event->kind)));
  json_object_set_new(value, "fixed_element", json_integer(event->fixed_element));
  json_object_set_new(value, "mobile_element", json_integer(event->mobile_element));
  return value;
}

static void tell_direction(cli_session *session, const syn_event *event, const char *angle_key, const char *contact_key,
                           char sign) {
  const bool is_free = event->kind == SYN_EVENT_NONE;
  cli_set(session, angle_key, is_free ? json_null() : cli_real(event->angle * CLI_DEGREES));
  cli_set(session, contact_key, cli_event_value(event));
  if (is_free)
    cli_print(session, "%c  free all the way round\n", sign);
  else
    cli_print(session, "%c %8.4f°  %s at %.4f, %.4f, %.4f mm (fixed %u, mobile %u)\n", sign, event->angle * CLI_DEGREES,
              syn_event_kind_name(event->kind), event->point.x, event->point.y, event->point.z, event->fixed_element,
              event->mobile_element);
}

static void tell_overlap(cli_session *session, const syn_penetration *overlap) {
  json_t *value = json_object();
  json_object_set_new(value, "depth_mm", cli_real(overlap->depth_mm));
  json_object_set_new(value, "point", syn_json_from_vec3(overlap->point));
  cli_set(session, "overlap", value);
  cli_set(session, "positive_deg", cli_real(0));
  cli_set(session, "negative_deg", cli_real(0));
  cli_set(session, "positive_contact", json_null());
  cli_set(session, "negative_contact", json_null());
  session->answer_is_no = true;
  cli_print(session, "The bodies overlap before they turn, at %.4f, %.4f, %.4f mm", overlap->point.x, overlap->point.y,
            overlap->point.z);
  if (isfinite(overlap->depth_mm)) cli_print(session, ", %.4f mm deep", overlap->depth_mm);
  cli_print(session, ".\n");
}

static syn_status turn(const syn_trimesh *fixed, const syn_trimesh *mobile, range *r, syn_error *error) {
  syn_rotation *rotation;
  SYN_TRY(syn_rotation_create(fixed, mobile, r->center, &rotation, error));
  void *scratch = malloc(syn_rotation_scratch(rotation) + 1);
  if (scratch) syn_rotation_query(rotation, NULL, r->axis, NULL, scratch, &r->event[0], &r->event[1]);
  free(scratch);
  syn_rotation_destroy(rotation);
  return scratch ? SYN_OK : syn_fail(error, SYN_NO_MEMORY, "there is no memory to turn the body");
}

static syn_status find_range(cli_session *session, const syn_trimesh *fixed, const syn_trimesh *mobile, range *r,
                             syn_error *error) {
  syn_penetration overlap;
  SYN_TRY(syn_penetration_find(fixed, mobile, &r->center, &overlap, error));
  if (overlap.found) {
    tell_overlap(session, &overlap);
    return SYN_OK;
  }
  SYN_TRY(turn(fixed, mobile, r, error));
  cli_set(session, "overlap", json_null());
  tell_direction(session, &r->event[0], "positive_deg", "positive_contact", '+');
  tell_direction(session, &r->event[1], "negative_deg", "negative_contact", '-');
  return SYN_OK;
}

syn_status cli_rom_pair(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  range r = {.center = cli_vector(arguments, "center")};
  syn_trimesh *fixed, *mobile;
  SYN_TRY(cli_direction(arguments, "axis", &r.axis, error));
  SYN_TRY(cli_read_surface(session, cli_text(arguments, "fixed", NULL), &fixed, error));
  syn_status status = cli_read_surface(session, cli_text(arguments, "mobile", NULL), &mobile, error);
  if (status == SYN_OK) {
    status = find_range(session, fixed, mobile, &r, error);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  return status;
}
