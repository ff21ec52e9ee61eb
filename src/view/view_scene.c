/* Shows a scene of soft tissue: simulated, and played as deforming bodies. After a change of its file, the next request
 * for the page simulates it again. */
#include <string.h>
#include <sys/stat.h>

#include "report/tissue/simulation_page.h"
#include "view/viewer.h"
#include <synovia/tissue.h>

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Joint files have neither a duration nor an integrator; a file that is not JSON is reported elsewhere. */
bool syn_viewer_names_scene(const syn_hip_input *input) {
  if (!input || !input->joint) return false;
  json_t *root = json_load_file(input->joint, 0, NULL);
  const bool scene = root && (json_object_get(root, "duration_s") || json_object_get(root, "integrator"));
  json_decref(root);
  return scene;
}

syn_status syn_viewer_open_scene(syn_viewer *view, const syn_hip_input *input, syn_error *error) {
  char *file;
  SYN_TRY(syn_arena_text(&view->arena, input->joint, strlen(input->joint), &file, error));
  view->scene_file = file;
  if (input->reading)
    view->scene_reading = *input->reading;
  else
    view->scene_reading = syn_default_read_options();
  return SYN_OK;
}

void syn_viewer_look_at_scene(syn_viewer *view) {
  struct stat now;
  if (stat(view->scene_file, &now) != 0) return; /* deleted: the page stays */
  const syn_view_stamp stamp = {(int64_t)now.st_mtim.tv_sec, (int64_t)now.st_mtim.tv_nsec, (int64_t)now.st_size};
  if (memcmp(&stamp, &view->scene_stamp, sizeof stamp) != 0) view->page_is_old = true;
  view->scene_stamp = stamp;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status play(const syn_viewer *view, syn_tissue_scene *scene, FILE *to, syn_error *error) {
  syn_tissue_run_options how = syn_default_tissue_run_options();
  syn_tissue_run *run;
  syn_provenance provenance;
  how.keep_fields = true;
  SYN_TRY(syn_tissue_scene_run(scene, &how, &run, error));
  syn_status status = syn_viewer_provenance(view, &provenance, error);
  if (status == SYN_OK)
    status = syn_tissue_page_put(&view->context, run, view->scene_file, view->title, &provenance, to, error);
  syn_tissue_run_destroy(run);
  return status;
}

syn_status syn_viewer_put_scene(const syn_viewer *view, FILE *to, syn_error *error) {
  syn_tissue_scene *scene;
  SYN_TRY(syn_tissue_scene_read(&view->context, view->scene_file, &view->scene_reading, &scene, error));
  const syn_status status = play(view, scene, to, error);
  syn_tissue_scene_destroy(scene);
  return status;
}
