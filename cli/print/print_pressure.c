/* Contact pressure as text. */
#include <math.h>
#include <stdio.h>

#include "print/print.h"

static const syn_pressure_part *foundation_at(const syn_pressure *p, size_t step) {
  return step < p->foundation_count ? &p->foundation[step].total : NULL;
}

static void print_marks(const cli_session *session, uint64_t marks) {
  for (int mark = 0; mark < SYN_PRESSURE_MARKS; ++mark)
    if (marks >> mark & 1) cli_print(session, " %s", syn_pressure_mark_name((syn_pressure_mark)mark));
}

/* Prints whether the peak is valid, its warnings and its assumptions. */
static void print_doubts(const cli_session *session, const syn_pressure *p) {
  const syn_pressure_part *beside = foundation_at(p, p->worst);
  if (p->invalid_count == p->step_count && p->invalid_count)
    cli_print(session, "  NOT VALID: no pose is, nor this peak; see the warnings\n");
  else if (p->invalid_count)
    cli_print(session, "  NOT VALID: %zu of %zu poses, which do not count for the peak; see the warnings\n",
              (size_t)p->invalid_count, (size_t)p->step_count);
  if (p->steps[p->worst].marks) {
    cli_print(session, "  doubts about the peak:");
    print_marks(session, p->steps[p->worst].marks);
    cli_print(session, "\n");
  }
  if (beside)
    cli_print(session, "  by elastic foundation: peak %.2f MPa, mean %.2f MPa over %.0f mm²\n", beside->peak_mpa,
              beside->mean_mpa, beside->area_mm2);
  if (p->continued_at) cli_print(session, "  continued after step %zu of an earlier run\n", (size_t)p->continued_at);
  if (p->socket.assumed || p->head.assumed) {
    cli_print(session, "  the cartilage was assumed: the scan shows none");
    if (p->assumed_peak_mpa[0] > 0 && p->assumed_peak_mpa[1] > 0)
      cli_print(session, "; peak %.1f MPa with 1 mm on either bone, %.1f MPa with 2 mm", p->assumed_peak_mpa[0],
                p->assumed_peak_mpa[1]);
    cli_print(session, "\n");
  }
  if (p->nearest_hip[0]) {
    cli_print(session, "  nearest hip of the model: %s, %.2f %% of the radius away", p->nearest_hip,
              100 * p->trust.distance);
    if (isfinite(p->trust.error_percent))
      cli_print(session, "; the peak may be off by %.0f %%", p->trust.error_percent);
    cli_print(session, "\n");
  }
}

/* About 31 steps, the worst one among them. */
static void print_steps(const cli_session *session, const syn_pressure *p) {
  enum { SHOWN_STEPS = 31 };
  const size_t every = p->step_count > SHOWN_STEPS ? (p->step_count + SHOWN_STEPS - 1) / SHOWN_STEPS : 1;
  cli_print(session, "\n    at %%  flexion adduction rotation  load N  peak MPa mean MPa area mm²\n");
  for (size_t i = 0; i < p->step_count; ++i) {
    const syn_pressure_step *s = &p->steps[i];
    const double *angles = s->loaded.angles;
    if (i % every != 0 && i + 1 != p->step_count && i != p->worst) continue;
    const syn_vec3 force = s->loaded.force;
    cli_print(session, "  %5.1f", 100 * s->loaded.at);
    for (int axis = 0; axis < 3; ++axis) cli_print_number(session, 9, 1, angles[axis] * SYN_RADIAN);
    cli_print_number(session, 8, 0, sqrt(force.x * force.x + force.y * force.y + force.z * force.z));
    cli_print_number(session, 9, 3, s->total.peak_mpa);
    cli_print_number(session, 9, 3, s->total.mean_mpa);
    cli_print_number(session, 9, 1, s->total.area_mm2);
    if (!syn_pressure_step_is_valid(s)) cli_print(session, "  not valid:");
    print_marks(session, s->marks);
    cli_print(session, "\n");
  }
}

static void print_regions(const cli_session *session, const syn_pressure *p) {
  if (p->socket.region_count <= 1) return;
  cli_print(session, "\nAt the peak:\n");
  for (uint32_t r = 0; r < p->socket.region_count; ++r) {
    const syn_pressure_part *part = &p->steps[p->worst].regions[r];
    if (part->area_mm2 > 0)
      cli_print(session, "  %-16s %7.3f MPa at most, %7.1f mm², %6.1f N\n",
                syn_tissue_name(p->socket.regions[r].tissue), part->peak_mpa, part->area_mm2, part->force_n);
  }
}

static void print_comparison(const cli_session *session, const syn_contact_comparison *c) {
  char text[CLI_POINT];
  cli_print(session, "\nThe first step beside CalculiX:\n");
  cli_print(session, "  displacement  %.4f mm, theirs %.4f mm; apart by %.4f mm at most (at %s), rms %.4f mm\n",
            c->displacement_mm, c->their_displacement_mm, c->displacement_apart_mm,
            cli_point(c->displacement_apart_at, 1, text), c->displacement_rms_mm);
  cli_print(session, "  pressure      %.3f MPa, theirs %.3f MPa; apart by %.3f MPa at most (at %s), rms %.3f MPa\n",
            c->peak_mpa, c->their_peak_mpa, c->pressure_apart_mpa, cli_point(c->pressure_apart_at, 1, text),
            c->pressure_rms_mpa);
}

void cli_print_pressure(const cli_session *session, const syn_pressure *p) {
  const syn_pressure_part *peak = &p->steps[p->worst].total;
  cli_print(session, "Contact pressure of the %s hip by %s: %s\n  peak %.2f MPa", syn_side_name(p->hip_case->hip.side),
            p->method, p->loads.label, peak->peak_mpa);
  if (isfinite(peak->area_mm2)) cli_print(session, ", mean %.2f MPa over %.0f mm²", peak->mean_mpa, peak->area_mm2);
  if (isfinite(peak->force_n)) cli_print(session, ", force %.0f N", peak->force_n);
  if (isfinite(peak->von_mises_mpa)) cli_print(session, ", von Mises %.2f MPa", peak->von_mises_mpa);
  cli_print(session, "\n");
  print_doubts(session, p);
  print_steps(session, p);
  print_regions(session, p);
  if (p->compared) print_comparison(session, &p->comparison);
  cli_print(session, "\nLoad: %s\n", p->loads.source);
}

void cli_print_training(const cli_session *session, const syn_pressure_training *t) {
  cli_print(session, "%zu hips, %zu steps. The peak pressure of each from all others is off by:\n",
            (size_t)t->model->hip_count, (size_t)t->model->step_count);
  for (size_t i = 0; i < t->model->hip_count; ++i)
    cli_print(session, "  %-32s %7.2f %%\n", t->model->names[i], t->errors_percent[i]);
  cli_print(session, "  mean %.2f %%, standard deviation %.2f %%, median %.2f %%\n", t->mean_percent, t->sd_percent,
            t->median_percent);
}
