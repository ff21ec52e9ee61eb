/* Writes and reads checkpoints: the state and the moments so far, as in memory. A checkpoint of another scene,
 * version or machine is not used, nor a damaged one. */
#include <stdio.h>
#include <string.h>

#include "base/files/sealed_file.h"
#include "tissue/scene/scene.h"

/* Changes with the layout of the file. */
static const char MAGIC[8] = "SYNCHK2";

typedef struct header {
  char magic[8], digits[72], version[16];
  uint64_t order; /* 1 in this machine's byte order */
  uint64_t state_count, moment_count;
} header;

static header make_header(const syn_tissue_scene *scene, size_t moment_count) {
  header h = {.order = 1, .moment_count = moment_count};
  h.state_count = syn_simulation_state_count(scene->simulation);
  memcpy(h.magic, MAGIC, sizeof h.magic);
  memcpy(h.digits, scene->digits, sizeof scene->digits);
  snprintf(h.version, sizeof h.version, "%s", syn_version());
  return h;
}

static void path_of(const char *folder, char path[SYN_LONGEST_PATH]) {
  snprintf(path, SYN_LONGEST_PATH, "%s/checkpoint", folder);
}

syn_status syn_scene_write_checkpoint(const syn_tissue_scene *scene, const char *folder,
                                      const syn_tissue_moment *moments, size_t count, syn_error *error) {
  const header h = make_header(scene, count);
  char path[SYN_LONGEST_PATH];
  path_of(folder, path);
  double *state;
  syn_sealed_output out;
  SYN_TRY(SYN_NEW(scene->context, &state, h.state_count, error));
  syn_simulation_get_state(scene->simulation, state);
  const syn_status status = syn_sealed_open(scene->context, path, &out, error);
  if (!status) {
    fwrite(&h, sizeof h, 1, out.stream);
    fwrite(state, sizeof *state, h.state_count, out.stream);
    fwrite(moments, sizeof *moments, count, out.stream);
  }
  syn_free(scene->context, state);
  return status ? status : syn_sealed_commit(&out, error);
}

static bool fits(const syn_tissue_scene *scene, const char *bytes, size_t size, header *found) {
  if (size < sizeof *found) return false;
  memcpy(found, bytes, sizeof *found);
  const header expected = make_header(scene, found->moment_count);
  return memcmp(found, &expected, sizeof *found) == 0 && found->moment_count > 0 &&
         found->moment_count < SIZE_MAX / 256 &&
         size == sizeof *found + found->state_count * sizeof(double) + found->moment_count * sizeof(syn_tissue_moment);
}

syn_status syn_scene_read_checkpoint(const syn_tissue_scene *scene, const char *folder, syn_tissue_moment **moments,
                                     size_t *count, syn_error *error) {
  char path[SYN_LONGEST_PATH], *bytes;
  size_t size;
  bool is_whole;
  header found;
  *moments = NULL;
  *count = 0;
  path_of(folder, path);
  const syn_status status = syn_sealed_read(scene->context, path, &bytes, &size, &is_whole, error);
  if (status == SYN_NOT_FOUND) return SYN_OK;
  SYN_TRY(status);
  syn_status done = SYN_OK;
  if (!is_whole || !fits(scene, bytes, size, &found))
    syn_warn(scene->context, "%s is damaged, or of another scene or version: the simulation starts from the begin",
             path);
  else if (!(done = SYN_NEW(scene->context, moments, found.moment_count, error))) {
    const char *at = bytes + sizeof found;
    double *state; /* the bytes may be unaligned */
    done = SYN_NEW(scene->context, &state, found.state_count, error);
    if (!done) {
      memcpy(state, at, found.state_count * sizeof *state);
      syn_simulation_set_state(scene->simulation, state);
      memcpy(*moments, at + found.state_count * sizeof *state, found.moment_count * sizeof **moments);
      *count = found.moment_count;
      syn_free(scene->context, state);
    }
  }
  syn_free(scene->context, bytes);
  return done;
}
