/* A skeleton in use as text: its tree, the posture, contacts and ranges. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hip_command.h"
#include "print.h"

static const char *body_name(const syn_skeleton_analysis *a, size_t body) {
  return a->skeleton->description.bodies[body].body.name;
}
static bool turns(const syn_skeleton_analysis *a, size_t dof) {
  return a->skeleton->dofs[dof]->kind == SYN_DOF_ROTATION;
}
/* In the unit of the Dof. */
static double in_unit(const syn_skeleton_analysis *a, size_t dof, double value) {
  return turns(a, dof) ? value * SYN_RADIAN : value;
}
static const char *unit_of(const syn_skeleton_analysis *a, size_t dof) { return turns(a, dof) ? "°" : " mm"; }

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

enum { MOST_LEVELS_SHOWN = 32 }; /* indented further, a line is nothing to read */
static int depth_of(const syn_skeleton *skeleton, size_t joint) {
  int depth = 0;
  for (; skeleton->joint_parents[joint] != SIZE_MAX && depth < MOST_LEVELS_SHOWN; ++depth)
    joint = skeleton->joint_parents[joint];
  return depth;
}

static void print_range_in_force(const cli_session *session, const syn_skeleton_analysis *a, size_t dof) {
  const syn_dof *d = a->skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  const bool narrowed = range.lower > d->lower || range.upper < d->upper;
  cli_print(session, "  of %.6g to %.6g%s", in_unit(a, dof, range.lower), in_unit(a, dof, range.upper),
            unit_of(a, dof));
  if (range.lower != d->lower || range.upper != d->upper)
    cli_print(session, " (limits %.6g to %.6g)", in_unit(a, dof, d->lower), in_unit(a, dof, d->upper));
  if (d->modifier_count)
    cli_print(session, "  %s",
              range.lower == range.upper ? "follows"
              : narrowed                 ? "narrowed by"
                                         : "may be narrowed by");
  for (size_t i = 0; i < d->modifier_count; ++i) cli_print(session, "%s %s", i ? "," : "", d->modifiers[i].by);
}

static void print_dof(const cli_session *session, const syn_skeleton_analysis *a, size_t dof, int indent) {
  const syn_dof *d = a->skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  const syn_dof_state state = syn_skeleton_state(a->skeleton, dof, a->start);
  cli_print(session, "%*s%-*s %9.2f%s", indent, "", indent < 34 ? 34 - indent : 0, d->name,
            in_unit(a, dof, a->start[dof]), unit_of(a, dof));
  print_range_in_force(session, a, dof);
  if (d->slides) cli_print(session, "  slides");
  if (strcmp(syn_dof_state_name(state), "comfortable") != 0) cli_print(session, "  %s", syn_dof_state_name(state));
  if (a->start[dof] != a->asked[dof] && range.lower < range.upper)
    cli_print(session, "  clamped from %.6g%s", in_unit(a, dof, a->asked[dof]), unit_of(a, dof));
  cli_print(session, "\n");
}

static void print_tree(const cli_session *session, const syn_skeleton_analysis *a) {
  const syn_skeleton_description *d = &a->skeleton->description;
  size_t dof = 0;
  for (size_t j = 0; j < d->joint_count; ++j) {
    const syn_skeleton_joint *joint = &d->joints[j];
    const int indent = 2 * depth_of(a->skeleton, j);
    const char *between = "; carries ";
    cli_print(session, "%*s%s: %s", indent, "", joint->name, syn_joint_type_name(joint->type));
    if (joint->anatomical && joint->anatomical[0]) cli_print(session, " (%s)", joint->anatomical);
    for (size_t b = 0; b < d->body_count; ++b) {
      if (strcmp(d->bodies[b].joint, joint->name) != 0) continue;
      cli_print(session, "%s%s", between, body_name(a, b));
      between = ", ";
    }
    cli_print(session, "\n");
    for (size_t i = 0; i < joint->dof_count; ++i) print_dof(session, a, dof++, indent + 2);
  }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* A pair over all postures: how often it touches, and where it is deepest, the first of equals. */
static void print_pair(const cli_session *session, const syn_skeleton_analysis *a, size_t pair) {
  char text[CLI_POINT], count[32];
  size_t deepest = SIZE_MAX, postures = 0;
  for (size_t i = pair; i < a->posture_count * a->pair_count; i += a->pair_count) {
    if (!a->touches[i].touching) continue;
    ++postures;
    if (deepest == SIZE_MAX || a->touches[i].depth_mm > a->touches[deepest].depth_mm) deepest = i;
  }
  if (deepest == SIZE_MAX) return;
  const syn_skeleton_touch *touch = &a->touches[deepest];
  cli_print(session, "  %s and %s", body_name(a, a->pairs[pair].mobile), body_name(a, a->pairs[pair].fixed));
  if (a->recording_file)
    cli_print(session, " in %zu postures; at %.6g s", postures, a->times_s[deepest / a->pair_count]);
  cli_print(session, ": %s contact%s", syn_count_text(touch->contact_count, count), cli_plural(touch->contact_count));
  if (isfinite(touch->depth_mm)) cli_print(session, ", deepest %.4f mm", touch->depth_mm);
  if (isfinite(touch->point.x)) cli_print(session, " at %s", cli_point(touch->point, 2, text));
  cli_print(session, "\n");
}

static void print_contacts(const cli_session *session, const syn_skeleton_analysis *a) {
  if (!a->touches) return;
  cli_print(session, "\n%zu of %zu posture%s free of contact (%s%s, %zu pair%s)\n", a->free_count, a->posture_count,
            cli_plural(a->posture_count), a->method, a->both_roles ? " in both roles" : "", a->pair_count,
            cli_plural(a->pair_count));
  for (size_t pair = 0; pair < a->pair_count; ++pair) print_pair(session, a, pair);
}

static void print_motion(const cli_session *session, const syn_skeleton_analysis *a) {
  if (!a->recording_file) return;
  cli_print(session, "\n%s: %zu postures, %zu of %zu Dofs move\n", cli_without_folder(a->recording_file),
            a->posture_count, a->column_count, (size_t)a->skeleton->dof_count);
  for (size_t i = 0; i < a->skeleton->dof_count; ++i)
    if (a->clamped[i])
      cli_print(session, "  %s brought into its range in %zu postures\n", a->skeleton->dofs[i]->name, a->clamped[i]);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void print_stop(const cli_session *session, const syn_skeleton_analysis *a, const syn_skeleton_dof_range *range,
                       bool is_upper) {
  const syn_skeleton_stop *stop = is_upper ? &range->upper : &range->lower;
  char text[CLI_POINT];
  cli_print(session, "  %s to %9.4f%s  ", is_upper ? "up  " : "down", in_unit(a, range->dof, stop->value),
            unit_of(a, range->dof));
  if (stop->by_contact && stop->pair != SIZE_MAX)
    cli_print(session, "%s on %s at %s\n", body_name(a, a->pairs[stop->pair].mobile),
              body_name(a, a->pairs[stop->pair].fixed), cli_point(stop->point, 2, text));
  else
    cli_print(session, "the end of its range, without contact\n");
}

static void print_ranges(const cli_session *session, const syn_skeleton_analysis *a) {
  char text[32];
  for (size_t i = 0; i < a->range_count; ++i) {
    const syn_skeleton_dof_range *range = &a->ranges[i];
    cli_print(session, "\nRange of %s from %.6g%s%s:\n", a->skeleton->dofs[range->dof]->name,
              in_unit(a, range->dof, range->start), unit_of(a, range->dof), range->exact ? "" : ", followed in steps");
    print_stop(session, a, range, true);
    print_stop(session, a, range, false);
  }
  for (size_t b = 0; a->range_count && a->left_out && b < a->skeleton->description.body_count; ++b)
    if (a->left_out[b])
      cli_print(session, "the joint surface of %s (%s triangles) ends no range\n", body_name(a, b),
                syn_count_text(a->left_out[b], text));
}

static void print_skeleton(const cli_session *session, const syn_skeleton_analysis *a) {
  const syn_skeleton_description *d = &a->skeleton->description;
  cli_print(session, "%s: %zu joint%s, %zu degree%s of freedom, %zu %s\n", d->name[0] ? d->name : "Skeleton",
            (size_t)d->joint_count, cli_plural(d->joint_count), (size_t)a->skeleton->dof_count,
            cli_plural(a->skeleton->dof_count), (size_t)d->body_count, d->body_count == 1 ? "body" : "bodies");
  print_tree(session, a);
  print_motion(session, a);
  print_contacts(session, a);
  print_ranges(session, a);
}

/* ---- skeleton command ------------------------------------------------------------------------------------------ */
/* skeleton: poses a tree of joints by a posture or a recorded motion, and finds contacts of its bodies. */

typedef struct asked {
  syn_skeleton_analysis_options what;
  cli_words ranges;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option skeleton_options[] = {
    OPT_TEXT("set", "DOF=VALUE,…", "all at rest", INTO(what.posture),
             "the posture: degrees or mm, or per cent of the range in force, as in knee_angle_r=90 or "
             "knee_angle_r=50%"),
    OPT_PATH("motion", "FILE", NULL, INTO(what.recording),
             "a recorded motion, .mot, .sto or CSV; columns with the names of Dofs move them"),
    OPT_MM("motion-unit", 1e-6, 1e6, "1000 for .mot and .sto, else 1", INTO(what.mm_per_unit),
           "the unit of lengths in the recorded motion"),
    OPT_FLAG("unclamped", INTO(what.unclamped), "use values beyond the range in force unchanged"),
    OPT_PATH("meshes", "DIR", "that of the skeleton file", INTO(what.meshes),
             "folder of the mesh files that the skeleton names"),
    OPT_TEXT(
        "method", "NAME", NULL, INTO(what.method),
        "collide the bodies in every posture by this method, in both roles: vertices of either body in the other, as "
        "`collide --both-roles` does; `synovia collide --method list` lists them"),
    OPT_MM("reach", 0, 1e6, "20", INTO(what.colliding.reach_mm), "bodies farther apart than this are not measured"),
    OPT_THRESHOLDS(
        "for the method split: nearer than this to the joint that carries the mobile body they slide, farther "
        "they strike"),
    OPT_TEXT(
        "rom", "DOF,…", NULL, INTO(ranges),
        "how far these Dofs go either way, one at a time, before bodies touch; joint surfaces (\"articular\" in the "
        "skeleton file) glide and end no Dof"),
    OPT_OUT(NULL, "write report.html, skeleton.glb and result.json to this folder"),
    OPT_TEXT("title", "TEXT", NULL, 0, "title of the report"),
};

static syn_status run_skeleton(cli_session *session, syn_error *error) {
  asked a = {.what = syn_default_skeleton_analysis_options()};
  syn_skeleton *skeleton;
  syn_skeleton_analysis *analysis;
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  a.what.reading = &session->reading;
  a.what.colliding.thresholds_mm = cli_numbers(&session->arguments, "threshold");
  a.what.colliding.threshold_count = cli_number_count(&session->arguments, "threshold");
  a.what.bodies = session->folder != NULL;
  a.what.ranges = a.ranges.names;
  a.what.range_count = a.ranges.count;
  SYN_TRY(syn_skeleton_read(&session->context, session->arguments.operands[0], &skeleton, error));
  syn_status status = syn_skeleton_analysis_create(&session->context, skeleton, &a.what, &analysis, error);
  if (status == SYN_OK) {
    cli_set_fields(session, &syn_skeleton_record, analysis);
    print_skeleton(session, analysis);
    status = cli_publish_titled(session, &syn_skeleton_record, analysis, cli_text(&session->arguments, "title", NULL),
                                error);
    syn_skeleton_analysis_destroy(analysis);
  }
  syn_skeleton_destroy(skeleton);
  return status;
}

const cli_command cli_skeleton = {
    .name = "skeleton",
    .summary = "a tree of joints in a posture or motion: ranges in force, contacts of its bodies, how far a Dof goes",
    .usage = {"FILE [--set DOF=VALUE,…] [--motion FILE] [--method NAME] [--rom DOF,…] [--meshes DIR] [-o DIR]"},
    .description = "FILE is a skeleton file: see docs/skeleton.md, examples/leg.json and examples/body.json. Angles "
                   "are in degrees, lengths in mm. Each Dof is printed with its value and the range in force: its own "
                   "limits, narrowed by the modifiers of other Dofs. Values beyond it are clamped, and that is said. "
                   "Meshes are read only where --method, --rom or -o need them.",
    .options = CLI_TABLE(skeleton_options),
    .operands = {1, 1},
    .run = run_skeleton,
};
