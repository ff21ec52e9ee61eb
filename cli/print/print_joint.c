/* A joint of any kind as text: limits of its motions, and its bodies in one pose. */
#include <math.h>
#include <string.h>

#include "print/print.h"

static void print_limit(const cli_session *session, const syn_motion_limit *m) {
  char text[96], band[96];
  syn_band_words(&m->limit, &m->bands[SYN_BAND_ALL], m->stopped_part, syn_motion_max_deg(m->motion), band);
  cli_print(session, "  ");
  cli_print_padded(session, m->motion->label, 36);
  if (m->limit.state != SYN_LIMIT_STOPPED) {
    cli_print(session, "    %s%s%s\n", syn_motion_limit_words(m, text), band[0] ? ": " : "", band);
    return;
  }
  cli_print(session, " %7.2f°  ", m->limit.angle * SYN_RADIAN);
  cli_print_spaced(session, m->mobile->name);
  cli_print(session, " on ");
  cli_print_spaced(session, m->fixed->name);
  if (band[0]) cli_print(session, ", %s", band);
  if (m->motion->source)
    cli_print(session, "  (range: %.6g to %.6g, %s)", m->motion->low_deg, m->motion->high_deg, m->motion->source);
  if (m->limit.start_overlaps) cli_print(session, "  the start itself collides");
  cli_print(session, "\n");
}

static void print_overlap(const cli_session *session, const syn_joint_overlap *o) {
  char text[CLI_POINT];
  cli_print(session, "%s and %s overlap as they lie, at %s mm", o->fixed->name, o->mobile->name,
            cli_point(o->overlap.point, 2, text));
  if (isfinite(o->overlap.depth_mm)) cli_print(session, ", %.3f mm deep", o->overlap.depth_mm);
  cli_print(session, ".\n");
}

void cli_print_joint(const cli_session *session, const syn_joint_analysis *a) {
  const char *kind = syn_joint_kind(a->joint);
  const syn_joint_recorded *r = &a->recorded;
  cli_print(session, "Range of motion of the %s:\n", strcmp(kind, "other") == 0 ? "joint" : kind);
  for (size_t i = 0; i < a->limit_count; ++i) print_limit(session, &a->limits[i]);
  if (a->overlap_count) cli_print(session, "\n");
  for (size_t i = 0; i < a->overlap_count; ++i) print_overlap(session, &a->overlaps[i]);
  if (!r->file) return;
  cli_print(session, "\n%s: %zu of %zu poses are free of contact", cli_without_folder(r->file), (size_t)r->free_count,
            (size_t)r->pose_count);
  if (r->first_contact < r->pose_count)
    cli_print(session, "; at %.6g s %s touches %s", r->times_s[r->first_contact], r->mobile->name, r->fixed->name);
  cli_print(session, ".\n");
}

void cli_print_pairs(const cli_session *session, const syn_joint_collision *pairs, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const syn_contacts *c = &pairs[i].collision->contacts;
    char text[32];
    cli_print(session, "%s ", pairs[i].mobile->name);
    if (pairs[i].collision->self)
      cli_print(session, "with itself");
    else
      cli_print(session, "and %s", pairs[i].fixed->name);
    cli_print(session, ": %s, %s contacts", c->penetrating ? "penetrating" : "apart", syn_count_text(c->count, text));
    if (isfinite(c->max_depth_mm))
      cli_print(session, ", %s %.4f mm", c->max_depth_mm > 0 ? "deepest" : "nearest", fabs(c->max_depth_mm));
    cli_print(session, "\n");
  }
}
