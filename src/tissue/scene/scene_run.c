/* Runs a scene from its start or its checkpoint to its end. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/vec.h"
#include "tissue/scene/scene.h"

syn_tissue_run_options syn_default_tissue_run_options(void) { return (syn_tissue_run_options){.cookie = SYN_COOKIE}; }

/* ---- moments --------------------------------------------------------------------------------------------------------
 */

/* Measures the largest displacement and stress of a soft body, and its contact forces, in buffers of its size. */
static syn_status measure_body(const syn_tissue_scene *scene, const syn_scene_item *item, syn_tissue_moment *moment,
                               syn_error *error) {
  const uint32_t count = syn_soft_node_count(item->soft);
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, item->body), *rest = syn_soft_rest(item->soft);
  const bool still = scene->integrator == SYN_INTEGRATOR_STATIC;
  const syn_vec3 *v = still ? NULL : syn_simulation_velocities(scene->simulation, item->body);
  syn_sym3 *stress = NULL;
  syn_vec3 *push = NULL;
  syn_status status = SYN_NEW(scene->context, &stress, count, error);
  if (!status) status = SYN_NEW(scene->context, &push, count, error);
  if (!status) {
    syn_soft_stress(item->soft, x, v, stress, NULL);
    syn_simulation_forces(scene->simulation, item->body, push, NULL);
    for (uint32_t i = 0; i < count; ++i) {
      moment->displacement_mm = max2(moment->displacement_mm, vec3_distance(x[i], rest[i]));
      moment->von_mises_mpa = max2(moment->von_mises_mpa, syn_sym3_von_mises(&stress[i]));
      moment->contact_n += vec3_length(push[i]);
    }
  }
  syn_free(scene->context, stress);
  syn_free(scene->context, push);
  return status;
}

static syn_status measure(const syn_tissue_scene *scene, syn_tissue_moment *moment, syn_error *error) {
  syn_simulation_report r;
  syn_simulation_report_of(scene->simulation, &r);
  *moment = (syn_tissue_moment){.time_s = (double)r.steps * scene->step_s,
                                .kinetic_nmm = r.kinetic,
                                .elastic_nmm = r.elastic,
                                .contact_nmm = r.contact,
                                .volume_mm3 = r.volume_mm3,
                                .depth_mm = r.touching ? r.depth_mm : (double)NAN,
                                .touching = r.touching,
                                .iterations = r.iterations};
  for (size_t i = 0; i < scene->item_count; ++i)
    if (scene->items[i].soft) SYN_TRY(measure_body(scene, &scene->items[i], moment, error));
  return SYN_OK;
}

/* ---- the run --------------------------------------------------------------------------------------------------------
 */

typedef struct running {
  syn_tissue_scene *scene;
  const char *folder; /* NULL: no files */
  syn_tissue_moment *moments;
  size_t count, capacity;
  uint64_t steps, per_frame;
  syn_scene_fields *fields; /* NULL: not stored */
} running;

/* Measures, stores and writes a frame; from its checkpoint the run can be resumed. */
static syn_status add_frame(running *r, syn_error *error) {
  SYN_TRY(SYN_RESERVE(r->scene->context, &r->moments, r->count, 1, &r->capacity, error));
  SYN_TRY(measure(r->scene, &r->moments[r->count], error));
  if (r->fields) SYN_TRY(syn_scene_keep_fields(r->scene, r->count, NULL, r->fields, error));
  if (r->folder) SYN_TRY(syn_scene_write_frame(r->scene, r->folder, r->count, error));
  ++r->count;
  return r->folder ? syn_scene_write_checkpoint(r->scene, r->folder, r->moments, r->count, error) : SYN_OK;
}

static syn_status step_through(running *r, syn_error *error) {
  syn_tissue_scene *scene = r->scene;
  for (uint64_t step = syn_simulation_steps(scene->simulation); step < r->steps; ++step) {
    if (!syn_progress(scene->context, "simulating", (double)step / (double)r->steps))
      return syn_fail(error, SYN_CANCELLED, "the simulation was stopped after step %llu of %llu",
                      (unsigned long long)step, (unsigned long long)r->steps);
    SYN_TRY(syn_tissue_scene_step(scene, error));
    if ((step + 1) % r->per_frame == 0 || step + 1 == r->steps) SYN_TRY(add_frame(r, error));
  }
  return SYN_OK;
}

enum { MOST_FRAMES = 10000 };

/* Frames are at whole steps. */
static syn_status prepare(running *r, syn_error *error) {
  const double steps = round(r->scene->duration_s / r->scene->step_s),
               per = round(r->scene->frame_s / r->scene->step_s);
  if (steps > 1e12)
    return syn_fail(error, SYN_TOO_LARGE, "%g s in steps of %g s are too many steps", r->scene->duration_s,
                    r->scene->step_s);
  const double frames = ceil(max2(steps, 1) / max2(per, 1));
  if (r->folder && frames > MOST_FRAMES)
    return syn_fail(
        error, SYN_TOO_LARGE,
        "%g s with a frame every %g s are %.0f frames, each with its files, and at most %d are written: enlarge "
        "frame_s or shorten duration_s",
        r->scene->duration_s, r->scene->frame_s, frames, MOST_FRAMES);
  r->steps = steps < 1 ? 1 : (uint64_t)steps;
  r->per_frame = per < 1 ? 1 : (uint64_t)min2(per, steps < 1 ? 1 : steps);
  if (r->folder && strlen(r->folder) + SYN_LONGEST_NAME + 32 > SYN_LONGEST_PATH)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the name of the folder has %zu bytes; files in it would have no names",
                    strlen(r->folder));
  return r->folder ? syn_make_folder(r->folder, error) : SYN_OK;
}

/* Publishes all lists at once, so that a full disk preserves those of an earlier run. */
static syn_status publish_lists(const running *r, syn_error *error) {
  syn_outbox *outbox;
  SYN_TRY(syn_outbox_create(r->scene->context, NULL, &outbox, error));
  syn_status status = syn_scene_stage_lists(r->scene, r->folder, r->moments, r->count, outbox, error);
  if (!status) status = syn_outbox_publish(outbox, error);
  if (status && error) syn_outbox_unhide(outbox, error->file);
  syn_outbox_destroy(outbox);
  return status;
}

/* A run that ends early publishes its frames so far, unless the disk is full. */
static syn_status list_all(const running *r, syn_status status, syn_outbox *outbox, syn_error *error) {
  syn_error second; /* the first failure is the one to report */
  if (!r->folder || status == SYN_IO_ERROR) return status;
  if (!status && outbox) return syn_scene_stage_lists(r->scene, r->folder, r->moments, r->count, outbox, error);
  const syn_status listed = publish_lists(r, status ? &second : error);
  return status ? status : listed;
}

/* Reads the frames before the checkpoint of a resumed run from its files. */
static syn_status begin_fields(running *r, syn_error *error) {
  const size_t total = (size_t)((r->steps + r->per_frame - 1) / r->per_frame) + 1;
  if (!r->fields) return SYN_OK;
  SYN_TRY(syn_scene_begin_fields(r->scene, total, r->fields, error));
  for (size_t i = 0; i < r->count; ++i) SYN_TRY(syn_scene_keep_fields(r->scene, i, r->folder, r->fields, error));
  return SYN_OK;
}

static syn_status run_all(running *r, const syn_tissue_run_options *options, uint64_t *continued_at, syn_error *error) {
  SYN_TRY(prepare(r, error));
  if (r->folder && !options->restart) {
    SYN_TRY(syn_scene_read_checkpoint(r->scene, r->folder, &r->moments, &r->count, error));
    r->capacity = r->count;
  }
  *continued_at = r->count ? syn_simulation_steps(r->scene->simulation) : 0;
  SYN_TRY(begin_fields(r, error));
  if (r->count == 0) SYN_TRY(add_frame(r, error));
  return list_all(r, step_through(r, error), options->outbox, error);
}

/* A run with the data that it owns. */
typedef struct kept_run {
  syn_tissue_run run; /* first */
  syn_scene_fields fields;
} kept_run;

static void fill_run(kept_run *made, const running *r, uint64_t continued_at) {
  const syn_tissue_scene *scene = r->scene;
  made->run = (syn_tissue_run){.context = scene->context,
                               .scene = scene,
                               .step_count = syn_simulation_steps(scene->simulation),
                               .step_s = scene->step_s,
                               .duration_s = scene->duration_s,
                               .integrator = syn_integrator_name(scene->integrator),
                               .moment_count = r->count,
                               .moments = r->moments,
                               .continued_at = continued_at,
                               .kept_count = made->fields.frame_count,
                               .kept = made->fields.frames,
                               .fields = made->fields.of};
}

syn_status syn_tissue_scene_run(syn_tissue_scene *scene, const syn_tissue_run_options *options, syn_tissue_run **run,
                                syn_error *error) {
  *run = NULL;
  const syn_tissue_run_options defaults = syn_default_tissue_run_options();
  if (!options) options = &defaults;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_tissue_run_options, error));
  kept_run *made;
  SYN_TRY(SYN_NEW_ZEROED(scene->context, &made, 1, error));
  made->fields.arena.context = scene->context;
  running r = {.scene = scene, .folder = options->folder, .fields = options->keep_fields ? &made->fields : NULL};
  uint64_t continued_at = 0;
  const syn_status status = run_all(&r, options, &continued_at, error);
  fill_run(made, &r, continued_at);
  if (status)
    syn_tissue_run_destroy(&made->run);
  else
    *run = &made->run;
  return status;
}

void syn_tissue_run_destroy(syn_tissue_run *run) {
  if (!run) return;
  kept_run *made = (kept_run *)run;
  syn_free_const(run->context, run->moments);
  syn_arena_release(&made->fields.arena);
  syn_free(run->context, made);
}
