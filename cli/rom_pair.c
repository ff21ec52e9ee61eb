/* rom --fixed --mobile: how far a body turns about an axis before it touches another one. */
#include <math.h>

#include "base/status.h"
#include "bodies.h"
#include "mesh.h"
#include "rom.h"

static void print_direction(const cli_session *session, const syn_event *event, char sign) {
  if (event->kind == SYN_EVENT_NONE)
    cli_print(session, "%c  free all the way round\n", sign);
  else
    cli_print(session, "%c %8.4f°  %s at %.4f, %.4f, %.4f mm (fixed %u, mobile %u)\n", sign, event->angle * CLI_DEGREES,
              syn_event_kind_name(event->kind), event->point.x, event->point.y, event->point.z, event->fixed_element,
              event->mobile_element);
}

static void print_overlap(const cli_session *session, const syn_penetration *overlap) {
  cli_print(session, "The bodies overlap before they turn, at %.4f, %.4f, %.4f mm", overlap->point.x, overlap->point.y,
            overlap->point.z);
  if (isfinite(overlap->depth_mm)) cli_print(session, ", %.4f mm deep", overlap->depth_mm);
  cli_print(session, ".\n");
}

static void tell(cli_session *session, const syn_turn_range *range) {
  cli_set_fields(session, &syn_turn_range_record, range);
  session->answer_is_no = range->overlap.found;
  if (range->overlap.found) {
    print_overlap(session, &range->overlap);
    return;
  }
  print_direction(session, &range->positive, '+');
  print_direction(session, &range->negative, '-');
}

syn_status cli_rom_pair(cli_session *session, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_trimesh *fixed, *mobile;
  syn_turn_range range;
  syn_vec3 axis;
  SYN_TRY(cli_direction(arguments, "axis", &axis, error));
  SYN_TRY(cli_read_surface(session, cli_text(arguments, "fixed", NULL), &fixed, error));
  syn_status status = cli_read_surface(session, cli_text(arguments, "mobile", NULL), &mobile, error);
  if (status == SYN_OK) {
    status = syn_turn_range_find(fixed, mobile, cli_vector(arguments, "center"), axis, &range, error);
    if (status == SYN_OK) tell(session, &range);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  return status;
}
