/* Collisions, distances, overlaps, turns and recorded motions as text. */
#include <math.h>

#include "print/print.h"

void cli_print_collision(const cli_session *session, const syn_collision *collision) {
  const syn_contacts *c = &collision->contacts;
  const syn_sliding_counts *table = &collision->sliding;
  char text[CLI_POINT], counts[3][32];
  cli_print(session, "%s: %s, %s contacts\n", collision->method.name, c->penetrating ? "penetrating" : "apart",
            syn_count_text(c->count, counts[0]));
  if (isfinite(c->max_depth_mm))
    cli_print(session, "  %s          %.6f mm\n", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
  if (c->max_vertex != SYN_NONE)
    cli_print(session, "  mobile element   %zu at %s mm\n", (size_t)c->max_vertex, cli_point(c->max_point, 4, text));
  if (table->side)
    cli_print(session,
              "  table            %zu × %zu cells, %s of them empty; %s triangles overwritten; %s distance tests\n",
              (size_t)table->side, (size_t)table->side, syn_count_text(table->empty, counts[0]),
              syn_count_text(table->overwritten, counts[1]), syn_count_text(table->tests, counts[2]));
}

void cli_print_clearance(const cli_session *session, const syn_clearance *clearance) {
  const double distance = clearance->distance_mm;
  char text[CLI_POINT];
  cli_print(session, "%.6f mm %s\n", fabs(distance),
            distance > 0   ? "apart"
            : distance < 0 ? "deep in each other"
                           : "apart: the surfaces meet");
  cli_print(session, "  A  %s (triangle %u)\n", cli_point(clearance->point_fixed, 4, text), clearance->fixed_triangle);
  cli_print(session, "  B  %s (triangle %u)\n", cli_point(clearance->point_mobile, 4, text),
            clearance->mobile_triangle);
}

void cli_print_overlap(const cli_session *session, const syn_overlap *overlap) {
  char text[CLI_POINT];
  cli_print(session, "volume of overlap %.6f mm³\n", overlap->volume_mm3);
  if (overlap->volume_mm3 > 0) {
    cli_print(session, "  centroid         %s mm\n", cli_point(overlap->centroid, 4, text));
    cli_print(session, "  inside           %.4f mm² of the fixed, %.4f mm² of the mobile surface\n",
              overlap->fixed_area_mm2, overlap->mobile_area_mm2);
  }
  for (uint32_t i = 0; i < overlap->loop_count; ++i)
    cli_print(session, "  %s          %.4f mm, %u points\n", i ? "       " : "contour", syn_overlap_loop_mm(overlap, i),
              (unsigned)(overlap->loop_start[i + 1] - overlap->loop_start[i]));
  cli_print(session, "  triangles             fixed     mobile\n");
  for (int zone = 0; zone < SYN_ZONES; ++zone)
    cli_print(session, "  %-16s %10zu %10zu\n", syn_zone_name((syn_zone)zone),
              (size_t)syn_overlap_zone_count(overlap, false, (syn_zone)zone),
              (size_t)syn_overlap_zone_count(overlap, true, (syn_zone)zone));
}

static void print_turn(const cli_session *session, char sign, const syn_event *event) {
  char text[CLI_POINT];
  if (event->kind == SYN_EVENT_NONE)
    cli_print(session, "%c  free all the way round\n", sign);
  else
    cli_print(session, "%c %8.4f°  %s at %s mm (fixed %u, mobile %u)\n", sign, event->angle * SYN_RADIAN,
              syn_event_kind_name(event->kind), cli_point(event->point, 4, text), event->fixed_element,
              event->mobile_element);
}

void cli_print_turn_range(const cli_session *session, const syn_turn_range *range) {
  char text[CLI_POINT];
  if (range->overlap.found) {
    cli_print(session, "The bodies overlap before they turn, at %s mm", cli_point(range->overlap.point, 4, text));
    if (isfinite(range->overlap.depth_mm)) cli_print(session, ", %.4f mm deep", range->overlap.depth_mm);
    cli_print(session, ".\n");
    return;
  }
  print_turn(session, '+', &range->positive);
  print_turn(session, '-', &range->negative);
}

static void print_position(const cli_session *session, const char *what, syn_vec3 position) {
  cli_print(session, "  %-6s", what);
  cli_print_number(session, 10, 3, position.x);
  cli_print_number(session, 10, 3, position.y);
  cli_print_number(session, 10, 3, position.z);
}

void cli_print_motion_center(const cli_session *session, const syn_motion_center *m) {
  char text[CLI_POINT];
  cli_print(session, "Recorded motion of %zu poses, which turns by %.2f°:\n", (size_t)m->pose_count,
            m->turn * SYN_RADIAN);
  if (m->has_center) {
    print_position(session, "centre", m->center);
    cli_print(session, "  residual %.3f mm, certain to %.3f mm (confidence %.2f)\n", m->residual_mm, m->center_sd_mm,
              syn_motion_confidence(m->center_sd_mm));
  } else {
    cli_print(session, "  centre -- the motion turns too little, or about one axis only\n");
  }
  if (m->has_axis) {
    print_position(session, "axis", m->axis_point);
    cli_print(session, "  towards %s; residual %.3f mm, certain to %.3f mm; %.1f %% of the turning is about it\n",
              cli_point(m->axis, 4, text), m->axis_residual_mm, m->axis_sd_mm, 100 * m->axis_share);
  } else {
    cli_print(session, "  axis   -- the motion turns by less than 5 degrees\n");
  }
}
