/* congruity: the cartilages of a hip through motions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "bodies.h"
#include "surgery/surgery.h"

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

void cli_print_congruity(const cli_session *session, const syn_congruity_path *p) {
  cli_print(session, "\n%s\n", p->path->label);
  cli_print(session, "  flexion   add.    rot.   contact   above  pressure  even  stress  strain   force\n");
  for (size_t i = 0; i < p->moment_count; ++i) {
    const syn_congruity_moment *m = &p->moments[i];
    const syn_congruity_surface *s = &m->surfaces[SYN_CONGRUITY_ACETABULAR];
    cli_print(session, "  %6.1f° %6.1f° %6.1f° %5.0f mm² %5.0f mm² %7.3f kPa", m->angles.flexion * CLI_DEGREES,
              m->angles.adduction * CLI_DEGREES, m->angles.rotation * CLI_DEGREES, s->contact_mm2, s->above_mm2,
              s->pressure_mpa * 1e3);
    if (isnan(s->even))
      cli_print(session, "     -");
    else
      cli_print(session, " %5.2f", s->even);
    cli_print(session, " %7.3f %5.1f %% %7.3f N\n", s->peak_mpa * 1e3, s->strain * 100, vec3_length(m->force));
  }
  if (!p->complete) cli_print(session, "  there is no equilibrium beyond\n");
}

static void tell(cli_session *session, const syn_congruity *c) {
  cli_set_fields(session, &syn_congruity_record, c);
  cli_print(session, "Cartilages of %g MPa, %u and %u tetrahedra, the femur pressed into the socket by %g mm\n",
            c->options.young_mpa, c->volumes[SYN_CONGRUITY_FEMORAL]->tet_count,
            c->volumes[SYN_CONGRUITY_ACETABULAR]->tet_count, c->options.press_mm);
  for (size_t i = 0; i < c->path_count; ++i) cli_print_congruity(session, &c->paths[i]);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

syn_status cli_take_congruity(const cli_arguments *arguments, syn_congruity_options *o, syn_error *error) {
  o->young_mpa = cli_number(arguments, "young", o->young_mpa);
  o->poisson = cli_number(arguments, "poisson", o->poisson);
  o->edge_mm = cli_number(arguments, "edge", o->edge_mm);
  o->hold_mm = cli_number(arguments, "hold", o->hold_mm);
  o->press_mm = cli_number(arguments, "press", o->press_mm);
  o->threshold_mpa = cli_number(arguments, "threshold", o->threshold_mpa);
  o->step = cli_number(arguments, "step", o->step * CLI_DEGREES) / CLI_DEGREES;
  o->seconds = cli_number(arguments, "seconds", o->seconds);
  o->moving = cli_given(arguments, "moving");
  return cli_given(arguments, "direction") ? cli_direction(arguments, "direction", &o->direction, error) : SYN_OK;
}

static syn_status stage(cli_session *session, const void *what, const syn_provenance *provenance, const char *folder,
                        syn_error *error) {
  const syn_congruity *c = what;
  return syn_congruity_stage(&session->context, c, cli_hip_title(session, c->hip_case, "Congruity"), provenance,
                             session->outbox, folder, error);
}

static syn_status simulate(cli_session *session, const syn_hip_case *hip_case, const char *folder, syn_error *error) {
  syn_congruity_options o = syn_default_congruity_options();
  const char *name = cli_text(&session->arguments, "motion", NULL);
  const syn_hip_path *path = name ? syn_hip_path_named(name) : NULL;
  syn_congruity *congruity;
  SYN_TRY(cli_take_congruity(&session->arguments, &o, error));
  if (path) o.paths = &path, o.path_count = 1;
  SYN_TRY(syn_congruity_create(&session->context, hip_case, &o, &congruity, error));
  tell(session, congruity);
  const syn_status status = folder ? cli_write_page(session, stage, congruity, folder, error) : SYN_OK;
  syn_congruity_destroy(congruity);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) { return cli_run_on_hip(session, simulate, error); }

static const cli_option options[] = {
    {.name = "motion",
     .kind = CLI_CHOICE,
     .value = "NAME",
     .choices = "flexion-extension|abduction-adduction|flexion-rotation",
     .standard = "the first two, one after the other",
     .help = "how the femur moves: two cycles, or 90 degrees of flexion followed by 40 of internal rotation"},
    CLI_CONGRUITY_OPTIONS,
    CLI_HIP_PART_OPTIONS,
    CLI_HIP_OPTIONS,
    CLI_TITLE_OPTION,
    CLI_OUT_OPTION("write report.html, congruity.csv, frames for ParaView and result.json to this folder"),
};

const cli_command cli_congruity = {
    .name = "congruity",
    .summary = "stress, strain and contact of the hip's cartilages through a motion",
    .usage = {"JOINT [--motion NAME] [--press MM] [-o DIR]",
              "PELVIS FEMUR --femoral-cartilage FILE --acetabular-cartilage FILE [-o DIR]"},
    .description =
        "Maciel 2005, §5.4.1. Both cartilages are finite elements, held by their bones; the femur is pressed into the "
        "socket and turned, and the surfaces never cross. A congruent joint has an even stress on a large area. "
        "docs/virtual-hip.md explains the numbers.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
