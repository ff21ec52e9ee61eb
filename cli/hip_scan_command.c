/* hip SCAN: both hips of a label map, a page each and a comparison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hip_command.h"
#include "print.h"

typedef struct asked {
  syn_image_read_options reading;
  syn_hip_scan_options scan;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option options[] = {
    OPT_TEXT("labels", "NAME=ID,…", "as the file names them", INTO(reading.labels),
             "of a label map: which label is what: hip_right=1,femur_right=2,sacrum=5, by number or name in the file"),
    OPT_FLAG("coarse", INTO(scan.coarse), "of a label map: also with voxels of 3 mm and more"),
};
const cli_table cli_scan_options = CLI_TABLE(options);

bool cli_names_scan(const cli_session *session) {
  static const char *const endings[] = {".nii", ".nii.gz", ".hdr", ".img", ".nrrd", ".nhdr", ".mha", ".mhd", ".dcm"};
  const char *path = session->arguments.operands[0];
  struct stat about;
  if (session->arguments.operand_count != 1) return false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (syn_path_ends(path, endings[i])) return true;
  if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return false;
  char *joint = cli_path(path, "joint.json");
  const bool is_scan = access(joint, F_OK) != 0;
  free(joint);
  return is_scan;
}

/* ---- one side --------------------------------------------------------------------------------------------------- */

static syn_status open_side(cli_session *session, const syn_hip_scan *scan, syn_side side, syn_hip_case **hip_case,
                            syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  SYN_TRY(cli_take(&session->arguments, &cli_hip_parts, &input, error));
  SYN_TRY(cli_take(&session->arguments, &cli_hip_options, &input, error));
  input.meshes[SYN_HIP_PELVIS] = scan->pelvis[side];
  input.meshes[SYN_HIP_FEMUR] = scan->femur[side];
  input.reading = &session->reading;
  input.is_smooth = true;
  SYN_TRY(syn_hip_case_create(&session->context, &input, hip_case, error));
  /* The shape counts: a mirrored export turns a left hip into a right one in everything but its name. */
  if ((*hip_case)->hip.side != side)
    syn_warn(&session->context,
             "the labels say that this hip is a %s one, its bones that it is a %s one: the bones count; is the scan "
             "mirrored?",
             syn_side_name(side), syn_side_name((*hip_case)->hip.side));
  return SYN_OK;
}

static syn_status analyse_side(cli_session *session, const syn_hip_scan *scan, syn_side side, syn_error *error) {
  syn_hip_case *hip_case;
  syn_hip_analysis *analysis;
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  const char *hidden;
  SYN_TRY(cli_take(&session->arguments, &cli_band_options, &what.bands, error));
  if (!cli_given(&session->arguments, "voxel")) what.bands.voxel_mm = scan->voxel_mm;
  if (session->folder) SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  SYN_TRY(open_side(session, scan, side, &hip_case, error));
  syn_status status = syn_hip_analysis_create(&session->context, hip_case, &what, &analysis, error);
  if (status == SYN_OK) {
    const char *title = cli_hip_title(session, hip_case, side == SYN_SIDE_LEFT ? "Left hip" : "Right hip");
    cli_print(session, "\n");
    status = cli_publish_hip(session, analysis, true, "hip", title, error);
    syn_hip_analysis_destroy(analysis);
  }
  syn_hip_case_destroy(hip_case);
  return status;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

/* One hip as a session of its own within this one: its result is an item of `hips`, its folder one of DIR. */
static syn_status run_side(cli_session *session, const syn_hip_scan *scan, syn_side side, char *folder, json_t *hips,
                           syn_error *error) {
  const char *whole_folder = session->folder;
  json_t *whole = session->result;
  session->folder = folder;
  session->result = json_object();
  cli_set(session, "side", json_string(syn_side_name(side)));
  const syn_status status = analyse_side(session, scan, side, error);
  json_array_append_new(hips, session->result);
  session->result = whole;
  session->folder = whole_folder;
  return status;
}

static syn_status compare_sides(cli_session *session, char *const folders[SYN_SIDES], syn_error *error) {
  const char *hidden, *pages[SYN_SIDES];
  char *paths[SYN_SIDES];
  for (int side = 0; side < SYN_SIDES; ++side) {
    SYN_TRY(syn_outbox_stage(session->outbox, folders[side], &hidden, error));
    paths[side] = cli_path(hidden, "report.html");
    pages[side] = paths[side];
  }
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  char *page = cli_path(hidden, "comparison.html");
  const syn_status status = syn_report_compare(&session->context, pages, SYN_SIDES,
                                               cli_text(&session->arguments, "title", "Both hips"), page, error);
  if (status == SYN_OK) cli_made(session, page);
  free(page);
  for (int side = 0; side < SYN_SIDES; ++side) free(paths[side]);
  return status;
}

/* `report` is the comparison, or the only page. */
static syn_status finish(cli_session *session, char *const folders[SYN_SIDES], const bool done[SYN_SIDES],
                         syn_error *error) {
  const bool both = done[SYN_SIDE_RIGHT] && done[SYN_SIDE_LEFT];
  if (!session->folder) return SYN_OK;
  if (both) SYN_TRY(compare_sides(session, folders, error));
  char *page = both ? cli_path(session->folder, "comparison.html")
                    : cli_path(folders[done[SYN_SIDE_LEFT] ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT], "report.html");
  const syn_status status = cli_write_answer(session, page, error);
  free(page);
  return status;
}

static syn_status run_sides(cli_session *session, const syn_hip_scan *scan, syn_error *error) {
  char *folders[SYN_SIDES];
  bool done[SYN_SIDES] = {false};
  json_t *hips = json_array();
  syn_status status = SYN_OK;
  for (int side = 0; side < SYN_SIDES; ++side) folders[side] = cli_path(session->folder, syn_side_name((syn_side)side));
  for (int side = 0; side < SYN_SIDES && status == SYN_OK; ++side) {
    done[side] = scan->pelvis[side] != NULL;
    if (done[side])
      status = run_side(session, scan, (syn_side)side, folders[side], hips, error);
    else if (!cli_given(&session->arguments, "side"))
      syn_warn(&session->context, "no %s hip: %s side", syn_side_name((syn_side)side), scan->why_not[side]);
  }
  cli_set(session, "hips", hips);
  cli_set_record(session, "scan", &syn_hip_scan_record, scan);
  if (status == SYN_OK) status = finish(session, folders, done, error);
  for (int side = 0; side < SYN_SIDES; ++side) free(folders[side]);
  return status;
}

/* What belongs to one hip cannot be given for both. */
static syn_status check_single(const cli_arguments *arguments, syn_error *error) {
  static const char *const single[] = {
      "center", "landmarks", "labrum", "femoral-cartilage", "acetabular-cartilage", "transition-zone"};
  for (size_t i = 0; i < sizeof single / sizeof *single && !cli_given(arguments, "side"); ++i)
    if (cli_given(arguments, single[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s belongs to one hip: say which by --side", single[i]);
  return SYN_OK;
}

static void print_scan(const cli_session *session, const syn_hip_scan *scan) {
  const syn_image_surfaces *s = scan->surfaces;
  char *table = cli_or_stop(syn_record_table(&syn_label_surface_record, s->surfaces, s->count, 0));
  cli_print(session, "Labels, made with voxels of %.3g x %.3g x %.3g mm:\n%s", s->resolution_mm[0], s->resolution_mm[1],
            s->resolution_mm[2], table);
  free(table);
}

syn_status cli_run_on_scan(cli_session *session, syn_error *error) {
  static const char *const parts[] = {"femur", "hip_bone", "pelvis", "sacrum"};
  static const syn_side sides[] = {SYN_SIDE_LEFT, SYN_SIDE_RIGHT};
  cli_arguments *arguments = &session->arguments;
  asked a = {syn_default_image_read_options(), syn_default_hip_scan_options()};
  syn_image *image;
  syn_hip_scan *scan;
  SYN_TRY(check_single(arguments, error));
  SYN_TRY(cli_take(arguments, &cli_scan_options, &a, error));
  if (cli_given(arguments, "side")) a.scan.side = &sides[cli_is(arguments, "side", "right")];
  a.reading.parts = parts;
  a.reading.part_count = sizeof parts / sizeof *parts;
  if (session->folder) {
    const char *hidden;
    SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  }
  SYN_TRY(syn_image_read(&session->context, arguments->operands[0], &a.reading, &image, error));
  const syn_status status = syn_hip_scan_create(image, &a.scan, &scan, error);
  syn_image_destroy(image);
  SYN_TRY(status);
  print_scan(session, scan);
  const syn_status ran = run_sides(session, scan, error);
  syn_hip_scan_destroy(scan);
  return ran;
}
