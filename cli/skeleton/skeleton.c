/* skeleton: a tree of joints in a posture or through a recorded motion, and what its bodies do there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "hip.h"
#include "joint.h"
#include "output.h"

enum { NAME_WIDTH = 34 };

/* ---- the tree -----------------------------------------------------------------------------------------------------
 */

static bool turns(const syn_skeleton_analysis *a, size_t dof) {
  return a->skeleton->dofs[dof]->kind == SYN_DOF_ROTATION;
}
static double shown(const syn_skeleton_analysis *a, size_t dof, double value) {
  return turns(a, dof) ? value * CLI_DEGREES + 0.0 : value;
}
static const char *unit(const syn_skeleton_analysis *a, size_t dof) { return turns(a, dof) ? "°" : " mm"; }
static const char *body_name(const syn_skeleton_analysis *a, size_t body) {
  return a->skeleton->description.bodies[body].body.name;
}

static int depth_of(const syn_skeleton *skeleton, size_t joint) {
  const char *parent = skeleton->description.joints[joint].parent;
  return parent ? 1 + depth_of(skeleton, syn_skeleton_joint_named(skeleton, parent)) : 0;
}

/* The names of the Dofs that narrow the range, as the result has them. */
static void print_modifiers(const cli_session *session, const syn_skeleton_analysis *a, size_t dof) {
  const syn_dof *self = a->skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  if (self->modifier_count == 0) return;
  const bool narrowed = range.lower > self->lower || range.upper < self->upper, follows = range.lower == range.upper;
  cli_print(session, "  %s", follows ? "follows" : narrowed ? "narrowed by" : "may be narrowed by");
  for (size_t i = 0; i < self->modifier_count; ++i) cli_print(session, "%s %s", i ? "," : "", self->modifiers[i].by);
}

static void print_dof(const cli_session *session, const syn_skeleton_analysis *a, size_t dof, int indent) {
  const syn_dof *self = a->skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  const syn_dof_state state = syn_skeleton_state(a->skeleton, dof, a->start);
  cli_print(session, "%*s%s%*s %9.2f%s", indent, "", self->name, cli_padding(self->name, NAME_WIDTH - indent), "",
            shown(a, dof, a->start[dof]), unit(a, dof));
  cli_print(session, "  of %g to %g%s", shown(a, dof, range.lower), shown(a, dof, range.upper), unit(a, dof));
  if (range.lower != self->lower || range.upper != self->upper)
    cli_print(session, " (limits %g to %g)", shown(a, dof, self->lower), shown(a, dof, self->upper));
  print_modifiers(session, a, dof);
  if (self->slides) cli_print(session, "  slides");
  if (state != SYN_DOF_COMFORTABLE) cli_print(session, "  %s", syn_dof_state_name(state));
  if (a->start[dof] != a->asked[dof] && range.lower < range.upper)
    cli_print(session, "  clamped from %g%s", shown(a, dof, a->asked[dof]), unit(a, dof));
  cli_print(session, "\n");
}

static void print_joint(const cli_session *session, const syn_skeleton_analysis *a, size_t joint, size_t first_dof) {
  const syn_skeleton_description *d = &a->skeleton->description;
  const syn_skeleton_joint *j = &d->joints[joint];
  const int indent = 2 * depth_of(a->skeleton, joint);
  size_t bodies = 0;
  cli_print(session, "%*s%s: %s", indent, "", j->name, syn_joint_type_name(j->type));
  if (j->anatomical) cli_print(session, " (%s)", j->anatomical);
  for (size_t i = 0; i < d->body_count; ++i)
    if (strcmp(d->bodies[i].joint, j->name) == 0)
      cli_print(session, "%s%s", bodies++ ? ", " : "; carries ", d->bodies[i].body.name);
  cli_print(session, "\n");
  for (size_t i = 0; i < j->dof_count; ++i) print_dof(session, a, first_dof + i, indent + 2);
}

static void print_tree(const cli_session *session, const syn_skeleton_analysis *a) {
  const syn_skeleton_description *d = &a->skeleton->description;
  size_t dof = 0;
  cli_print(session, "%s: %zu joint%s, %zu degree%s of freedom, %zu bod%s\n", d->name[0] ? d->name : "Skeleton",
            d->joint_count, d->joint_count == 1 ? "" : "s", a->skeleton->dof_count,
            a->skeleton->dof_count == 1 ? "" : "s", d->body_count, d->body_count == 1 ? "y" : "ies");
  for (size_t i = 0; i < d->joint_count; ++i) {
    print_joint(session, a, i, dof);
    dof += d->joints[i].dof_count;
  }
}

/* ---- motion, contacts and ranges ----------------------------------------------------------------------------------
 */

static void print_motion(const cli_session *session, const syn_skeleton_analysis *a) {
  cli_print(session, "\n%s: %zu postures, %zu of %zu Dofs move\n", cli_without_folder(a->recording_file),
            a->posture_count, a->column_count, a->skeleton->dof_count);
  for (size_t i = 0; i < a->skeleton->dof_count; ++i)
    if (a->clamped[i])
      cli_print(session, "  %s brought into its range in %zu postures\n", a->skeleton->dofs[i]->name, a->clamped[i]);
}

/* A pair over all postures: how often it touches, and where it is deepest. */
static void print_pair(const cli_session *session, const syn_skeleton_analysis *a, size_t pair) {
  const syn_skeleton_touch *t = NULL;
  size_t count = 0, deepest = 0;
  char words[32];
  for (size_t i = 0; i < a->posture_count; ++i) {
    const syn_skeleton_touch *now = &a->touches[i * a->pair_count + pair];
    if (!now->touching) continue;
    if (!count++ || now->depth_mm > t->depth_mm) t = now, deepest = i;
  }
  if (!t) return;
  cli_print(session, "  %s and %s", body_name(a, a->pairs[pair].mobile), body_name(a, a->pairs[pair].fixed));
  if (a->recording_file) cli_print(session, " in %zu postures; at %g s", count, a->times_s[deepest]);
  cli_print(session, ": %s contact%s", syn_count_words(t->contact_count, words), t->contact_count == 1 ? "" : "s");
  if (isfinite(t->depth_mm)) cli_print(session, ", deepest %.4f mm", t->depth_mm);
  if (isfinite(t->point.x)) cli_print(session, " at %.2f, %.2f, %.2f", t->point.x, t->point.y, t->point.z);
  cli_print(session, "\n");
}

static void print_contacts(const cli_session *session, const syn_skeleton_analysis *a) {
  cli_print(session, "\n%zu of %zu posture%s free of contact (%s, %zu pair%s)\n", syn_skeleton_free_postures(a),
            a->posture_count, a->posture_count == 1 ? "" : "s", a->method, a->pair_count,
            a->pair_count == 1 ? "" : "s");
  for (size_t i = 0; i < a->pair_count; ++i) print_pair(session, a, i);
}

static void print_stop(const cli_session *session, const syn_skeleton_analysis *a, const syn_skeleton_dof_range *r,
                       const syn_skeleton_stop *stop, const char *way) {
  cli_print(session, "  %s to %9.4f%s", way, shown(a, r->dof, stop->value), unit(a, r->dof));
  if (stop->by_contact)
    cli_print(session, "  %s on %s at %.2f, %.2f, %.2f\n", body_name(a, a->pairs[stop->pair].mobile),
              body_name(a, a->pairs[stop->pair].fixed), stop->point.x, stop->point.y, stop->point.z);
  else
    cli_print(session, "  the end of its range, without contact\n");
}

static void print_range(const cli_session *session, const syn_skeleton_analysis *a, const syn_skeleton_dof_range *r) {
  cli_print(session, "\nRange of %s from %g%s%s:\n", a->skeleton->dofs[r->dof]->name, shown(a, r->dof, r->start),
            unit(a, r->dof), r->exact ? "" : ", followed in steps");
  print_stop(session, a, r, &r->upper, "up  ");
  print_stop(session, a, r, &r->lower, "down");
}

static void tell(cli_session *session, const syn_skeleton_analysis *a) {
  cli_set_fields(session, &syn_skeleton_record, a);
  print_tree(session, a);
  if (a->recording_file) print_motion(session, a);
  if (a->touches) print_contacts(session, a);
  for (size_t i = 0; i < a->range_count; ++i) print_range(session, a, &a->ranges[i]);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

/* The names of --rom, with commas between. */
static syn_status take_ranges(const cli_arguments *arguments, syn_arena *arena, syn_skeleton_analysis_options *what,
                              syn_error *error) {
  const char *list = cli_text(arguments, "rom", ""), **names;
  SYN_TRY(syn_arena_take(arena, strlen(list) + 1, sizeof *names, (void **)&names, error));
  what->ranges = names;
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    char *name;
    SYN_TRY(syn_arena_text(arena, list, length, &name, error));
    names[what->range_count++] = name;
    list += length;
  }
  return SYN_OK;
}

static syn_status analyse(cli_session *session, syn_arena *arena, syn_skeleton_analysis **analysis, syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_skeleton_analysis_options what = syn_default_skeleton_analysis_options();
  syn_skeleton_input input = syn_default_skeleton_input();
  input.skeleton = arguments->operands[0];
  input.meshes = cli_text(arguments, "meshes", NULL);
  input.reading = &session->reading;
  what.posture = cli_text(arguments, "set", NULL);
  what.recording = cli_text(arguments, "motion", NULL);
  what.mm_per_unit = cli_number(arguments, "motion-unit", 0);
  what.unclamped = cli_given(arguments, "unclamped");
  what.method = cli_text(arguments, "method", NULL);
  what.colliding.reach_mm = cli_number(arguments, "reach", what.colliding.reach_mm);
  what.bodies = cli_given(arguments, "out");
  SYN_TRY(take_ranges(arguments, arena, &what, error));
  return syn_skeleton_analyse(&session->context, &input, &what, analysis, error);
}

static syn_status run(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_arena arena = {.context = &session->context};
  syn_skeleton_analysis *a = NULL;
  syn_status status = folder ? cli_stage(session, folder, NULL, error) : SYN_OK;
  if (status == SYN_OK) status = analyse(session, &arena, &a, error);
  if (status == SYN_OK) tell(session, a);
  if (status == SYN_OK && folder) {
    const char *name = a->skeleton->description.name;
    status = cli_write_skeleton(session, a, cli_text(&session->arguments, "title", name[0] ? name : "A skeleton"),
                                folder, error);
  }
  syn_skeleton_analysis_destroy(a);
  syn_arena_release(&arena);
  return status;
}

static const cli_option options[] = {
    {.name = "set",
     .kind = CLI_TEXT,
     .value = "DOF=VALUE,…",
     .standard = "all at rest",
     .help =
         "the posture: degrees or mm, or per cent of the range in force, as in knee_angle_r=90 or knee_angle_r=50%"},
    {.name = "motion",
     .kind = CLI_PATH,
     .value = "FILE",
     .help = "a recorded motion, .mot, .sto or CSV; columns with the names of Dofs move them"},
    {.name = "motion-unit",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 1e-6,
     .max = 1e6,
     .standard = "1000 for .mot and .sto, else 1",
     .help = "the unit of lengths in the recorded motion"},
    {.name = "unclamped", .kind = CLI_FLAG, .help = "use values beyond the range in force unchanged"},
    {.name = "meshes",
     .kind = CLI_PATH,
     .value = "DIR",
     .standard = "that of the skeleton file",
     .help = "folder of the mesh files that the skeleton names"},
    {.name = "method",
     .kind = CLI_TEXT,
     .value = "NAME",
     .help = "collide the bodies in every posture by this method; `synovia collide --method list` lists them"},
    {.name = "reach",
     .kind = CLI_NUMBER,
     .value = "MM",
     .unit = "mm",
     .min = 0,
     .max = 1e6,
     .standard = "20",
     .help = "bodies farther apart than this are not measured"},
    {.name = "rom",
     .kind = CLI_TEXT,
     .value = "DOF,…",
     .help = "how far these Dofs go either way, one at a time, before bodies touch"},
    CLI_OUT_OPTION("write report.html, skeleton.glb and result.json to this folder"),
    {.name = "title", .kind = CLI_TEXT, .value = "TEXT", .help = "title of the report"},
};

const cli_command cli_skeleton = {
    .name = "skeleton",
    .summary = "a tree of joints in a posture or motion: ranges in force, contacts of its bodies, how far a Dof goes",
    .usage = {"FILE [--set DOF=VALUE,…] [--motion FILE] [--method NAME] [--rom DOF,…] [--meshes DIR] [-o DIR]"},
    .description =
        "FILE is a skeleton file: see docs/skeleton.md, examples/leg.json and examples/body.json. Angles are in "
        "degrees, lengths in mm. Each Dof is printed with its value and the range in force: its own limits, "
        "narrowed by the modifiers of other Dofs. Values beyond it are clamped, and that is said. Meshes are "
        "read only where --method, --rom or -o need them.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
