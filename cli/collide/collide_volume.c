/* collide --volume: computes the region and volume of interpenetration of two bodies. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collide/collide.h"
#include "hip_command.h"
#include "print/print.h"

static syn_status write_page(cli_session *session, const syn_overlap *o, const syn_body *fixed, const syn_body *mobile,
                             syn_error *error) {
  const char *hidden;
  SYN_TRY(syn_outbox_stage_file(session->outbox, cli_text(&session->arguments, "report", NULL), &hidden, error));
  SYN_TRY(syn_overlap_report_write(&session->context, o, fixed, mobile,
                                   cli_text(&session->arguments, "title", "Overlap of two bodies"),
                                   cli_provenance(session), hidden, error));
  cli_made(session, hidden);
  return SYN_OK;
}

/* FILE with both surfaces and their zones, and beside it the contour, if there is one, as FILE_contour.vtp. */
static syn_status write_surfaces(cli_session *session, const syn_overlap *o, const syn_body *fixed,
                                 const syn_body *mobile, syn_error *error) {
  const char *hidden, *path = session->folder, *dot = strrchr(cli_without_folder(path), '.');
  SYN_TRY(syn_outbox_stage_file(session->outbox, path, &hidden, error));
  SYN_TRY(syn_overlap_write(o, fixed->surface, mobile->surface, hidden, NULL, error));
  cli_made(session, hidden);
  if (o->loop_count == 0) return SYN_OK;
  char *contour = NULL;
  if (asprintf(&contour, "%.*s_contour.vtp", dot ? (int)(dot - path) : (int)strlen(path), path) < 0) contour = NULL;
  syn_status status = syn_outbox_stage_file(session->outbox, cli_or_stop(contour), &hidden, error);
  if (status == SYN_OK) status = syn_overlap_write_contour(o, hidden, error);
  if (status == SYN_OK) cli_made(session, hidden);
  free(contour);
  return status;
}

static syn_status measure(cli_session *session, const syn_body *fixed, const syn_body *mobile, const syn_pose *pose,
                          syn_error *error) {
  const bool report = cli_given(&session->arguments, "report");
  syn_overlap *overlap;
  SYN_TRY(syn_overlap_create(fixed->surface, mobile->surface, pose, &overlap, error));
  cli_set_fields(session, &syn_overlap_record, overlap);
  cli_print_overlap(session, overlap);
  syn_status status = session->folder ? write_surfaces(session, overlap, fixed, mobile, error) : SYN_OK;
  if (status == SYN_OK && report) status = write_page(session, overlap, fixed, mobile, error);
  if (status == SYN_OK && (session->folder || report)) cli_set_files(session);
  syn_overlap_destroy(overlap);
  return status;
}

static syn_status read_side(cli_session *session, const char *option, syn_body *body, syn_error *error) {
  const char *path = cli_text(&session->arguments, option, NULL);
  SYN_TRY(syn_body_read(&session->context, path, false, &session->reading, body, error));
  body->name = cli_without_folder(path);
  return SYN_OK;
}

syn_status cli_collide_volume(cli_session *session, const syn_pose *pose, syn_error *error) {
  syn_body fixed = {0}, mobile = {0};
  if (cli_given(&session->arguments, "method") || cli_given(&session->arguments, "threshold"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--volume has a method of its own; leave --method and --threshold away");
  if (cli_given(&session->arguments, "self"))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--volume is of two bodies, not of one with itself");
  syn_status status = read_side(session, "fixed", &fixed, error);
  if (status == SYN_OK) status = read_side(session, "mobile", &mobile, error);
  if (status == SYN_OK) cli_doubt_units(session, &fixed, &mobile);
  if (status == SYN_OK && strcmp(fixed.name, mobile.name) == 0) {
    fixed.name = "fixed";
    mobile.name = "mobile";
  }
  if (status == SYN_OK) status = measure(session, &fixed, &mobile, pose, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}
