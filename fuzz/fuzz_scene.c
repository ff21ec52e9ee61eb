/* Scenes of soft tissue, with the bodies that they describe. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  syn_tissue_scene *scene;
  SYN_TRY(syn_tissue_scene_read(context, path, NULL, &scene, error));
  syn_tissue_scene_destroy(scene);
  return SYN_OK;
}
