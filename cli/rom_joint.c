/* rom JOINT: computes the motions of a joint that is not a hip, by the names of its file. */
#include <stdio.h>
#include <string.h>

#include "hip_command.h"
#include "print/print.h"
static syn_status analyse(cli_session *session, const cli_rom_asked *asked, syn_joint_analysis **analysis,
                          syn_error *error) {
  cli_arguments *arguments = &session->arguments;
  syn_joint_analysis_options what = syn_default_joint_analysis_options();
  syn_joint_input input = syn_default_joint_input();
  const char *of_hip = cli_first_given(arguments, "map step sweep slack csv labrum femoral-cartilage "
                                                  "acetabular-cartilage transition-zone side as-scanned landmarks");
  if (of_hip) return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is for hips; this joint is none", of_hip);
  const cli_words names = cli_gather_words(arguments, "motion", 1);
  const syn_vec3 center = cli_given(arguments, "center") ? cli_vector(arguments, "center") : (syn_vec3){0};
  what.motions = names.count ? names.names : NULL;
  what.motion_count = names.count;
  what.bands = asked->what.bands;
  what.recording = asked->recording;
  input.joint = arguments->operands[0];
  input.reading = &session->reading;
  if (cli_given(arguments, "center")) input.center = &center;
  return syn_joint_analyse(&session->context, &input, &what, analysis, error);
}

syn_status cli_rom_joint(cli_session *session, const cli_rom_asked *asked, syn_error *error) {
  syn_joint_analysis *a;
  char title[96];
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, NULL, error));
  SYN_TRY(analyse(session, asked, &a, error));
  cli_set_fields(session, &syn_joint_record, a);
  cli_print_joint(session, a);
  const char *kind = syn_joint_kind(a->joint), *name = a->joint->name;
  snprintf(title, sizeof title, "Range of motion of a %s", strcmp(kind, "other") == 0 ? "joint" : kind);
  const syn_status status = cli_publish_titled(session, &syn_joint_record, a,
                                               cli_text(&session->arguments, "title", name[0] ? name : title), error);
  syn_joint_analysis_destroy(a);
  return status;
}
