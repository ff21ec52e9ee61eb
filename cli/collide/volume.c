/* collide --volume: where two bodies interpenetrate, and how much. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "collide/collide.h"
#include "hip.h"

/* ---- output -------------------------------------------------------------------------------------------------------
 */

static void tell_zones(const cli_session *session, const syn_overlap *o) {
  cli_print(session, "  %-16s %10s %10s\n", "triangles", "fixed", "mobile");
  for (int zone = 0; zone < SYN_ZONES; ++zone)
    cli_print(session, "  %-16s %10u %10u\n", syn_zone_name((syn_zone)zone),
              syn_overlap_zone_count(o, false, (syn_zone)zone), syn_overlap_zone_count(o, true, (syn_zone)zone));
}

static void tell(cli_session *session, const syn_overlap *o) {
  cli_set_fields(session, &syn_overlap_record, o);
  cli_print(session, "volume of overlap %.6f mm³\n", o->volume_mm3);
  if (o->volume_mm3 > 0) {
    cli_print(session, "  %-16s %.4f, %.4f, %.4f mm\n", "centroid", o->centroid.x, o->centroid.y, o->centroid.z);
    cli_print(session, "  %-16s %.4f mm² of the fixed, %.4f mm² of the mobile surface\n", "inside", o->fixed_area_mm2,
              o->mobile_area_mm2);
  }
  for (uint32_t i = 0; i < o->loop_count; ++i)
    cli_print(session, "  %-16s %.4f mm, %u points\n", i ? "" : "contour", syn_overlap_loop_mm(o, i),
              o->loop_start[i + 1] - o->loop_start[i]);
  tell_zones(session, o);
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

/* NAME.vtp: the surfaces; NAME_contour.vtp: the contour. */
static syn_status write_meshes(cli_session *session, const syn_overlap *o, const syn_body *fixed,
                               const syn_body *mobile, syn_error *error) {
  const char *path = cli_text(&session->arguments, "out", NULL), *hidden;
  SYN_TRY(cli_stage_file(session, path, &hidden, error));
  SYN_TRY(syn_overlap_write(o, fixed->surface, mobile->surface, hidden, NULL, error));
  cli_made(session, hidden);
  if (o->loop_count == 0) return SYN_OK;
  const char *dot = strrchr(cli_without_folder(path), '.');
  const int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
  char *contour = cli_or_stop(malloc((size_t)stem + sizeof "_contour.vtp"));
  sprintf(contour, "%.*s_contour.vtp", stem, path);
  syn_status status = cli_stage_file(session, contour, &hidden, error);
  free(contour);
  if (status == SYN_OK) status = syn_overlap_write_contour(o, hidden, error);
  if (status == SYN_OK) cli_made(session, hidden);
  return status;
}

static syn_status write_page(cli_session *session, const syn_overlap *o, const syn_body *fixed, const syn_body *mobile,
                             syn_error *error) {
  syn_arena arena = {.context = &session->context};
  syn_provenance provenance;
  const char *hidden;
  SYN_TRY(cli_stage_file(session, cli_text(&session->arguments, "report", NULL), &hidden, error));
  syn_status status = cli_provenance(session, &arena, &provenance, error);
  if (status == SYN_OK)
    status = syn_overlap_report_write(&session->context, o, fixed, mobile,
                                      cli_text(&session->arguments, "title", "Overlap of two bodies"), &provenance,
                                      hidden, error);
  if (status == SYN_OK) cli_made(session, hidden);
  syn_arena_release(&arena);
  return status;
}

/* ---- the command --------------------------------------------------------------------------------------------------
 */

static syn_status measure(cli_session *session, const syn_body *fixed, const syn_body *mobile, const syn_pose *pose,
                          syn_error *error) {
  const cli_arguments *arguments = &session->arguments;
  syn_overlap *overlap;
  SYN_TRY(syn_overlap_create(fixed->surface, mobile->surface, pose, &overlap, error));
  tell(session, overlap);
  syn_status status = cli_given(arguments, "out") ? write_meshes(session, overlap, fixed, mobile, error) : SYN_OK;
  if (status == SYN_OK && cli_given(arguments, "report")) status = write_page(session, overlap, fixed, mobile, error);
  if (status == SYN_OK && (cli_given(arguments, "out") || cli_given(arguments, "report"))) cli_set_files(session);
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
  if (status == SYN_OK && strcmp(fixed.name, mobile.name) == 0) {
    fixed.name = "fixed";
    mobile.name = "mobile";
  }
  if (status == SYN_OK) status = measure(session, &fixed, &mobile, pose, error);
  syn_body_release(&fixed);
  syn_body_release(&mobile);
  return status;
}
