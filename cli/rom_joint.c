/* rom JOINT: the motions of a joint that is not a hip, by the names of its file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "bodies.h"
#include "hip.h"
#include "joint.h"

enum { LABEL_WIDTH = 36 };

/* ---- which motions ------------------------------------------------------------------------------------------------
 */

/* --motion a,b and the words after the joint file, as texts in the arena. */
static syn_status take_motions(cli_arguments *arguments, syn_arena *arena, syn_joint_analysis_options *what,
                               syn_error *error) {
  const char *list = cli_text(arguments, "motion", ""), **names;
  SYN_TRY(syn_arena_take(arena, strlen(list) + arguments->operand_count, sizeof *names, (void **)&names, error));
  what->motions = names;
  for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
    const size_t length = strcspn(list, ", ");
    char *name;
    SYN_TRY(syn_arena_text(arena, list, length, &name, error));
    names[what->motion_count++] = name;
    list += length;
  }
  for (size_t i = 1; i < arguments->operand_count; ++i) names[what->motion_count++] = arguments->operands[i];
  arguments->operand_count = 1;
  return SYN_OK;
}

/* Options that only make sense of a hip. */
static syn_status refuse_hip_options(const cli_arguments *arguments, syn_error *error) {
  static const char *const of_hip[] = {"map",
                                       "step",
                                       "sweep",
                                       "slack",
                                       "csv",
                                       "labrum",
                                       "femoral-cartilage",
                                       "acetabular-cartilage",
                                       "transition-zone",
                                       "side",
                                       "as-scanned",
                                       "landmarks"};
  for (size_t i = 0; i < sizeof of_hip / sizeof *of_hip; ++i)
    if (cli_given(arguments, of_hip[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for hips; this joint is none", of_hip[i]);
  return SYN_OK;
}

/* ---- output -------------------------------------------------------------------------------------------------------
 */

static void print_limit(const cli_session *session, const syn_joint_limit *l) {
  const syn_joint_motion *motion = l->motion;
  char words[96];
  cli_print(session, "  %s%*s ", motion->label, cli_padding(motion->label, LABEL_WIDTH), "");
  if (syn_hip_limit_state(&l->limit) != SYN_LIMIT_STOPPED) {
    cli_print(session, "   %s\n", syn_hip_limit_words(&l->limit, words));
    return;
  }
  cli_print(session, "%7.2f°  %s on %s", syn_hip_limit_deg(&l->limit), l->mobile->name, l->fixed->name);
  if (motion->source) cli_print(session, "  (range: %g to %g, %s)", motion->low_deg, motion->high_deg, motion->source);
  cli_print(session, "%s\n", l->limit.start_overlaps ? "  the start itself collides" : "");
}

static void print_overlap(const cli_session *session, const syn_joint_overlap *o) {
  cli_print(session, "%s and %s overlap as they lie, at %.2f, %.2f, %.2f mm", o->fixed->name, o->mobile->name,
            o->overlap.point.x, o->overlap.point.y, o->overlap.point.z);
  if (isfinite(o->overlap.depth_mm)) cli_print(session, ", %.3f mm deep", o->overlap.depth_mm);
  cli_print(session, ".\n");
}

static void print_recorded(const cli_session *session, const syn_joint_recorded *r) {
  cli_print(session, "\n%s: %zu of %zu poses are free of contact", cli_without_folder(r->file), r->free_count,
            r->pose_count);
  if (r->first_contact < r->pose_count)
    cli_print(session, "; at %g s %s touches %s", r->times_s[r->first_contact], r->mobile->name, r->fixed->name);
  cli_print(session, ".\n");
}

static void tell(cli_session *session, const syn_joint_analysis *a) {
  const char *kind = syn_joint_kind(a->joint);
  cli_set_fields(session, &syn_joint_record, a);
  cli_print(session, "Range of motion of the %s:\n", strcmp(kind, "other") == 0 ? "joint" : kind);
  for (size_t i = 0; i < a->limit_count; ++i) print_limit(session, &a->limits[i]);
  if (a->overlap_count) cli_print(session, "\n");
  for (size_t i = 0; i < a->overlap_count; ++i) print_overlap(session, &a->overlaps[i]);
  if (a->recorded.file) print_recorded(session, &a->recorded);
}

/* --title, else the name of the joint, else its kind. */
static syn_status write_page(cli_session *session, const syn_joint_analysis *a, const char *folder, syn_error *error) {
  const char *kind = syn_joint_kind(a->joint), *name = a->joint->name;
  char standard[96];
  snprintf(standard, sizeof standard, "Range of motion of a %s", strcmp(kind, "other") == 0 ? "joint" : kind);
  return cli_write_joint_page(session, a, cli_text(&session->arguments, "title", name[0] ? name : standard), folder,
                              error);
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status analyse(cli_session *session, syn_arena *arena, syn_joint_analysis **analysis, syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_input input = syn_default_joint_input();
  syn_vec3 center;
  SYN_TRY(refuse_hip_options(arguments, error));
  SYN_TRY(take_motions(arguments, arena, &what, error));
  if (!what.motion_count) what.motions = NULL;
  what.recording = cli_text(arguments, "recording", NULL);
  input.joint = arguments->operands[0];
  input.reading = &session->reading;
  if (cli_given(arguments, "center")) {
    center = cli_vector(arguments, "center");
    input.center = &center;
  }
  return syn_joint_analyse(&session->context, &input, &what, analysis, error);
}

syn_status cli_rom_joint(cli_session *session, syn_error *error) {
  const char *folder = cli_text(&session->arguments, "out", NULL);
  syn_arena arena = {.context = &session->context};
  syn_joint_analysis *analysis = NULL;
  syn_status status = folder ? cli_stage(session, folder, NULL, error) : SYN_OK;
  if (status == SYN_OK) status = analyse(session, &arena, &analysis, error);
  if (status == SYN_OK) tell(session, analysis);
  if (status == SYN_OK && folder) status = write_page(session, analysis, folder, error);
  syn_joint_analysis_destroy(analysis);
  syn_arena_release(&arena);
  return status;
}
