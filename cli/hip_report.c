/* A hip's analysis as a report: what limits it in plain words, its bodies with what touches them, its motions. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "hip_report.h"
#include "report/write.h"

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

char *cli_report_text(cli_hip_writing *w, const char *format, ...) {
  char room[512], *copy;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(room, sizeof room, format, arguments);
  va_end(arguments);
  if (syn_arena_text(&w->arena, room, strlen(room), &copy, NULL) == SYN_OK) return copy;
  static char nothing[] = "";
  return nothing;
}

const char *cli_report_hour(cli_hip_writing *w, double hour) {
  char room[16];
  return cli_report_text(w, "%s", cli_hour_words(hour, room));
}

char *cli_report_capital(char *sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = (char)(sentence[0] - 'a' + 'A');
  return sentence;
}

/* ---- landmarks ----------------------------------------------------------------------------------------------------
 */

static void fill_markers(cli_hip_writing *w) {
  const syn_anatomy *anatomy = w->analysis->hip_case->anatomy;
  for (int i = 0; anatomy && i < SYN_LANDMARKS; ++i) {
    const syn_found_point *p = &anatomy->landmarks[i];
    if (p->found == SYN_FOUND_NOT) continue;
    const char *name = syn_landmark_name((syn_landmark)i);
    char *label = cli_report_text(w, "%s", i == SYN_LANDMARK_HEAD_CENTER ? "head centre" : name);
    const bool abbreviated =
        strncmp(name, "asis", 4) == 0 || strncmp(name, "psis", 4) == 0 || strcmp(name, "aiis") == 0;
    for (int k = 0; abbreviated && k < 4; ++k) label[k] = (char)(label[k] - 'a' + 'A');
    for (char *c = label; *c; ++c)
      if (*c == '_') *c = ' ';
    const bool of_pelvis = i >= SYN_LANDMARK_ASIS && i <= SYN_LANDMARK_ISCHIAL_TUBEROSITY;
    w->markers[w->report.marker_count++] = (syn_report_marker){
        name, label, syn_hip_part_name(of_pelvis ? SYN_HIP_PELVIS : SYN_HIP_FEMUR), p->place, p->confidence};
  }
  w->report.markers = w->markers;
}

/* ---- provenance ---------------------------------------------------------------------------------------------------
 */

static syn_status add_input(cli_hip_writing *w, const char *path, const syn_trimesh *mesh, syn_error *error) {
  if (!path || w->report.input_count == CLI_MOST_INPUTS) return SYN_OK;
  char *digits;
  SYN_TRY(SYN_TAKE(&w->arena, &digits, 65, error));
  SYN_TRY(syn_file_sha256(&w->session->context, path, digits, error));
  w->inputs[w->report.input_count++] =
      (syn_report_input){cli_report_text(w, "%s", cli_without_folder(path)), digits, mesh ? mesh->vertex_count : 0,
                         mesh ? mesh->triangle_count : 0};
  return SYN_OK;
}

/* The mesh of a joint file's body, where the body is the whole of a part. */
static const syn_trimesh *mesh_named(const syn_hip *hip, const char *name) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (strcmp(name, syn_hip_part_name((syn_hip_part)i)) == 0) return hip->parts[i];
  return NULL;
}

/* The joint file and its meshes, or the meshes; then those that options name. */
static syn_status fill_inputs(cli_hip_writing *w, syn_error *error) {
  const cli_arguments *arguments = &w->session->arguments;
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const syn_joint *joint = hip_case->joint;
  for (size_t i = 0; i < arguments->operand_count; ++i)
    SYN_TRY(add_input(w, arguments->operands[i], joint->folder ? NULL : hip_case->hip.parts[i], error));
  for (size_t i = 0; i < hip_case->filed_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    const bool full = body->mesh_file[0] == '/' || !joint->folder[0];
    char *path = full ? NULL : cli_path(joint->folder, body->mesh_file);
    const syn_status status =
        add_input(w, full ? body->mesh_file : path, mesh_named(&hip_case->hip, body->name), error);
    free(path);
    SYN_TRY(status);
  }
  for (size_t i = 0; i < arguments->option_count; ++i) {
    const cli_option *option = &arguments->options[i];
    if (!arguments->values[i].given || option->kind != CLI_PATH || strcmp(option->name, "out") == 0 ||
        strcmp(option->name, "csv") == 0 || strcmp(option->name, "save") == 0)
      continue;
    if (strcmp(option->name, "motion") == 0 && syn_motion_series_named(arguments->values[i].text)) continue;
    char part[64];
    snprintf(part, sizeof part, "%s", option->name);
    for (char *c = part; *c; ++c)
      if (*c == '-') *c = '_';
    SYN_TRY(add_input(w, arguments->values[i].text, mesh_named(&hip_case->hip, part), error));
  }
  w->report.inputs = w->inputs;
  return SYN_OK;
}

/* What decides where the answer goes or how fast it comes is no part of how it came about. */
static bool matters(const char *option) {
  static const char *const others[] = {"threads", "json", "quiet", "out", "title", "port"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (strcmp(option, others[i]) == 0) return false;
  return true;
}

/* As typed, without folders. */
static void fill_command(cli_hip_writing *w) {
  const cli_arguments *arguments = &w->session->arguments;
  const char *command = cli_report_text(w, "synovia %s", w->session->command_name);
  for (size_t i = 0; i < arguments->operand_count; ++i)
    command = cli_report_text(w, "%s %s", command, cli_without_folder(arguments->operands[i]));
  for (size_t i = 0; i < arguments->option_count; ++i) {
    const char *text = arguments->values[i].text;
    if (!arguments->values[i].given || !matters(arguments->options[i].name)) continue;
    command = cli_report_text(w, "%s --%s%s%s", command, arguments->options[i].name, text && *text ? " " : "",
                              text ? cli_without_folder(text) : "");
  }
  w->report.command = command;
}

static syn_status fill_provenance(cli_hip_writing *w, syn_error *error) {
  fill_command(w);
  char date[32];
  w->report.date = cli_report_text(w, "%s", cli_date(date));
  return fill_inputs(w, error);
}

/* ---- the report ---------------------------------------------------------------------------------------------------
 */

static void fill_frame(cli_hip_writing *w) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  w->report.hip = &hip_case->hip;
  w->report.cup_normal =
      hip_case->anatomy && hip_case->anatomy->has_rim ? hip_case->anatomy->rim_normal : vec3(0, 0, 0);
}

static syn_status fill(cli_hip_writing *w, const char *kind, const char *title, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  w->report.kind = kind;
  w->report.title = title;
  w->report.subtitle =
      cli_report_text(w, "%s hip, centre %s%s", hip_case->hip.side == SYN_SIDE_LEFT ? "Left" : "Right",
                      strcmp(hip_case->center_method, "given") == 0 ? "" : "by ", hip_case->center_method);
  w->report.envelope = w->analysis->envelope;
  w->report.live = w->live ? w->live->url : NULL;
  fill_frame(w);
  cli_report_fill_summary(w);
  SYN_TRY(cli_report_fill_notes(w, error));
  SYN_TRY(cli_report_fill_bodies(w, error));
  cli_report_fill_ranges(w);
  fill_markers(w);
  SYN_TRY(cli_report_fill_motions(w, error));
  SYN_TRY(cli_report_fill_tables(w, error));
  return fill_provenance(w, error);
}

static cli_hip_writing begin(cli_session *session, const syn_hip_analysis *analysis, const cli_live *live) {
  return (cli_hip_writing){
      .session = session, .analysis = analysis, .live = live, .arena = {.context = &session->context}};
}

syn_status cli_hip_report(cli_session *session, const syn_hip_analysis *analysis, const char *kind, const char *title,
                          const char *path, syn_error *error) {
  cli_hip_writing w = begin(session, analysis, NULL);
  syn_status status = fill(&w, kind, title, error);
  if (status == SYN_OK) status = syn_report_write(&session->context, &w.report, NULL, path, error);
  if (status == SYN_OK) cli_made(session, path);
  syn_arena_release(&w.arena);
  return status;
}

syn_status cli_hip_page(cli_session *session, const syn_hip_analysis *analysis, const char *title, const cli_live *live,
                        FILE *to, syn_error *error) {
  cli_hip_writing w = begin(session, analysis, live);
  syn_status status = fill(&w, "hip", title, error);
  if (status == SYN_OK) status = syn_report_put(&session->context, &w.report, NULL, to, error);
  syn_arena_release(&w.arena);
  return status;
}

syn_status cli_hip_changes(cli_session *session, const syn_hip_analysis *analysis, json_t **value, syn_error *error) {
  cli_hip_writing w = begin(session, analysis, NULL);
  fill_frame(&w);
  cli_report_fill_ranges(&w);
  fill_markers(&w);
  syn_status status = cli_report_fill_notes(&w, error);
  if (status == SYN_OK) status = syn_report_changes(&session->context, &w.report, value, error);
  syn_arena_release(&w.arena);
  return status;
}
