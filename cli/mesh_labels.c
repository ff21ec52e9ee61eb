/* mesh labels: makes the surfaces of a label map. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_command.h"
#include "output.h"
#include "print.h"

typedef struct asked {
  syn_image_read_options reading;
  syn_image_surface_options surfaces;
} asked;
#define INTO(FIELD) CLI_INTO(asked, FIELD)
static const cli_option options[] = {
    OPT_TEXT("labels", "NAME=ID,…", "as the file names them", INTO(reading.labels),
             "which label is what: femur_left=2,pelvis=1+3; a label may be given by number or by its name in the file"),
    OPT_NUMBER("smooth", "VOXELS", "", 0.3, 3, "1.25", INTO(surfaces.smooth_voxels),
               "width of the smoothing, in voxels"),
    OPT_NUMBER("tolerance", "VOXELS", "", 0, 1, "0.05", INTO(surfaces.tolerance_voxels),
               "deviation at which triangles are joined, in voxels; 0: none are"),
    OPT_NUMBER("islands", "FRACTION", "", 0, 1, "0", INTO(surfaces.island_fraction),
               "leave out pieces smaller than this fraction of the largest, and all cavities"),
    OPT_TEXT("format", "NAME", "ply", 0, "format of the files"),
    OPT_OUT("labels-output", "folder for the surfaces"),
};

/* NAME.ply with the name of the label, without characters that file systems or shells mind. Two labels of one name get
 * their number. */
static void name_file(const syn_image_surfaces *made, size_t number, const char *ending, char *file, size_t size) {
  const char *name = made->surfaces[number].name;
  bool twice = !name[0] || name[0] == '.';
  for (size_t i = 0; i < made->count; ++i) twice |= i != number && strcmp(made->surfaces[i].name, name) == 0;
  char kept[160];
  size_t length = 0;
  for (; name[length] && length + 1 < sizeof kept; ++length) {
    const unsigned char c = (unsigned char)name[length];
    kept[length] = (char)(isalnum(c) || c >= 0x80 || strchr("._-", c) ? c : '_');
  }
  kept[length] = 0;
  if (twice)
    snprintf(file, size, "%s_%u%s", kept, (unsigned)made->image->labels[made->surfaces[number].label].value, ending);
  else
    snprintf(file, size, "%s%s", kept, ending);
}

static syn_status write_surfaces(cli_session *session, const syn_image_surfaces *made, syn_error *error) {
  const char *hidden;
  char ending[24], file[256];
  snprintf(ending, sizeof ending, ".%s", cli_text(&session->arguments, "format", "ply"));
  syn_format_info info;
  SYN_TRY(syn_format_find(ending, cli_text(&session->arguments, "format", "ply"), &info, error));
  SYN_TRY(syn_outbox_stage(session->outbox, session->folder, &hidden, error));
  syn_status status = SYN_OK;
  for (size_t i = 0; i < made->count && status == SYN_OK; ++i) {
    if (!made->surfaces[i].mesh) continue;
    syn_geometry geometry = syn_trimesh_geometry(made->surfaces[i].mesh);
    geometry.space = SYN_SPACE_LPS;
    name_file(made, i, ending, file, sizeof file);
    char *path = cli_path(hidden, file);
    status = syn_geometry_write(&session->context, &geometry, path, NULL, error);
    if (status == SYN_OK) cli_made(session, path);
    free(path);
  }
  if (status == SYN_OK) cli_set_files(session);
  return status;
}

static syn_status tell(cli_session *session, const syn_image *image, const asked *a, syn_error *error) {
  syn_image_surfaces *made;
  SYN_TRY(syn_image_surfaces_create(image, &a->surfaces, &made, error));
  cli_set_fields(session, &syn_image_surfaces_record, made);
  char *table = cli_or_stop(syn_record_table(&syn_label_surface_record, made->surfaces, made->count, 0));
  cli_print(session, "Voxels of %.3g x %.3g x %.3g mm\n%s", made->resolution_mm[0], made->resolution_mm[1],
            made->resolution_mm[2], table);
  free(table);
  const syn_status status = write_surfaces(session, made, error);
  syn_image_surfaces_destroy(made);
  return status;
}

static syn_status run(cli_session *session, syn_error *error) {
  asked a = {syn_default_image_read_options(), syn_default_image_surface_options()};
  syn_image *image;
  SYN_TRY(cli_take(&session->arguments, &session->command->options, &a, error));
  SYN_TRY(syn_image_read(&session->context, session->arguments.operands[0], &a.reading, &image, error));
  const syn_status status = tell(session, image, &a, error);
  syn_image_destroy(image);
  return status;
}

const cli_command cli_mesh_labels = {
    .name = "mesh labels",
    .summary = "surfaces of a label map: NIfTI, NRRD, a folder of masks",
    .usage = {"SCAN [--labels NAME=ID,…] [-o DIR]"},
    .description =
        "One closed surface for each label, in LPS mm. Neighbours share their wall and never cross. Islands, cavities "
        "and tunnels are counted; a label that the scan cuts off is closed there. `rms_voxel` says within how many "
        "voxels (root of the mean square) the surface lies of the bone, if the labels are right.",
    .options = CLI_TABLE(options),
    .operands = {1, 1},
    .run = run,
    .folder = "labels-output",
};
