#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/files/sealed_file.h"
#include "base/vec.h"
#include "tissue/scene/scene.h"
#include "tissue/simulation/simulation.h"

/* ==== fields of some frames ======================================================================================= */

/* The fields of some frames, stored for a page. */
typedef struct syn_scene_fields {
  syn_arena arena; /* release it */
  size_t *frames;  /* indices among the moments */
  size_t frame_count;
  syn_tissue_body *of;    /* the bodies with their fields, */
  syn_scene_frame *frame; /* which are in these arrays, frame by frame */
} syn_scene_fields;

/* Chosen: a page with at most this many frames and values stays below 100 MB. */
enum { MAX_FRAMES = 101, MIN_FRAMES = 11, MAX_VALUES = 4000000 };

/* All frames, or the maximum count for a page, evenly spaced; always the first and the last. */
static size_t page_frame_count(const syn_tissue_scene *scene, size_t total) {
  size_t vertices = 1, count = total;
  for (size_t i = 0; i < scene->store->item_count; ++i)
    if (scene->store->items[i].soft) vertices += scene->store->items[i].soft->skin->vertex_count;
  if (count > MAX_FRAMES) count = MAX_FRAMES;
  if (count > MAX_VALUES / vertices) count = MAX_VALUES / vertices;
  return count >= MIN_FRAMES ? count : total < MIN_FRAMES ? total : MIN_FRAMES;
}

/* Chooses the frames among `total`. */
static syn_status scene_begin_fields(const syn_tissue_scene *scene, size_t total, syn_scene_fields *fields,
                                     syn_error *error) {
  syn_arena *arena = &fields->arena;
  fields->frame_count = page_frame_count(scene, total);
  SYN_TRY(SYN_TAKE(arena, &fields->frames, fields->frame_count, error));
  SYN_TRY(SYN_TAKE(arena, &fields->of, scene->store->item_count, error));
  SYN_TRY(SYN_TAKE(arena, &fields->frame, scene->store->item_count, error));
  for (size_t i = 0; i < fields->frame_count; ++i)
    fields->frames[i] = fields->frame_count > 1 ? i * (total - 1) / (fields->frame_count - 1) : 0;
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    const syn_soft *soft = scene->store->items[i].soft;
    const size_t count = soft ? soft->skin->vertex_count * fields->frame_count : 0;
    syn_scene_frame *of = &fields->frame[i];
    fields->of[i] = scene->bodies[i];
    if (!soft) continue;
    SYN_TRY(SYN_TAKE(arena, &of->displacement, count, error));
    SYN_TRY(SYN_TAKE(arena, &of->contact_n, count, error));
    SYN_TRY(SYN_TAKE(arena, &of->von_mises_mpa, count, error));
    fields->of[i].displacement_mm = of->displacement;
    fields->of[i].contact_n = of->contact_n;
    fields->of[i].von_mises_mpa = of->von_mises_mpa;
  }
  return SYN_OK;
}

static syn_status keep_step(const syn_tissue_scene *scene, size_t step, const char *folder, syn_scene_fields *fields,
                            syn_error *error) {
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    const syn_scene_item *item = &scene->store->items[i];
    if (!item->soft) continue;
    const size_t from = step * item->soft->skin->vertex_count;
    const syn_scene_frame *of = &fields->frame[i];
    const syn_scene_frame now = {of->displacement + from, of->contact_n + from, of->von_mises_mpa + from};
    SYN_TRY(folder ? syn_scene_read_frame(scene, item, folder, fields->frames[step], &now, error)
                   : syn_scene_find_frame(scene, item, &now, error));
  }
  return SYN_OK;
}

/* Stores this frame if it is chosen: from the simulation, or from the files in `folder` if that is not NULL. */
static syn_status scene_keep_fields(const syn_tissue_scene *scene, size_t frame, const char *folder,
                                    syn_scene_fields *fields, syn_error *error) {
  for (size_t step = 0; step < fields->frame_count; ++step)
    if (fields->frames[step] == frame) SYN_TRY(keep_step(scene, step, folder, fields, error));
  return SYN_OK;
}

/* ==== checkpoint ================================================================================================== */

/* Writes and reads checkpoints: the state and the moments so far, as in memory. A checkpoint of another scene,
 * version or machine is not used, nor a damaged one. */

/* Changes with the layout of the file. */
static const char MAGIC[8] = "SYNCHK3";

typedef struct header {
  char magic[8], digits[72], version[16];
  uint64_t order; /* 1 in this machine's byte order */
  uint64_t state_count, moment_count;
} header;

static header make_header(const syn_tissue_scene *scene, size_t moment_count) {
  header h = {.order = 1, .moment_count = moment_count};
  h.state_count = syn_simulation_get_state(scene->simulation, NULL);
  memcpy(h.magic, MAGIC, sizeof h.magic);
  memcpy(h.digits, scene->store->digits, sizeof scene->store->digits);
  snprintf(h.version, sizeof h.version, "%s", syn_version());
  return h;
}

static void path_of(const char *folder, char path[SYN_LONGEST_PATH]) {
  snprintf(path, SYN_LONGEST_PATH, "%s/checkpoint", folder);
}

static syn_status scene_write_checkpoint(const syn_tissue_scene *scene, const char *folder,
                                         const syn_tissue_step *moments, size_t count, syn_error *error) {
  const header h = make_header(scene, count);
  char path[SYN_LONGEST_PATH];
  path_of(folder, path);
  double *state;
  syn_sealed_output out;
  SYN_TRY(SYN_NEW(scene->store->context, &state, h.state_count, error));
  syn_simulation_get_state(scene->simulation, state);
  const syn_status status = syn_sealed_open(scene->store->context, path, &out, error);
  if (!status) {
    fwrite(&h, sizeof h, 1, out.stream);
    fwrite(state, sizeof *state, h.state_count, out.stream);
    fwrite(moments, sizeof *moments, count, out.stream);
  }
  syn_free(scene->store->context, state);
  return status ? status : syn_sealed_commit(&out, error);
}

static bool fits(const syn_tissue_scene *scene, const char *bytes, size_t size, header *found) {
  if (size < sizeof *found) return false;
  memcpy(found, bytes, sizeof *found);
  const header expected = make_header(scene, found->moment_count);
  return memcmp(found, &expected, sizeof *found) == 0 && found->moment_count > 0 &&
         found->moment_count < SIZE_MAX / 256 &&
         size == sizeof *found + found->state_count * sizeof(double) + found->moment_count * sizeof(syn_tissue_step);
}

/* Reads a checkpoint of this scene. count is 0 and *moments NULL if there is none; else the caller frees *moments. */
static syn_status scene_read_checkpoint(const syn_tissue_scene *scene, const char *folder, syn_tissue_step **moments,
                                        size_t *count, syn_error *error) {
  char path[SYN_LONGEST_PATH], *bytes;
  size_t size;
  bool is_whole;
  header found;
  *moments = NULL;
  *count = 0;
  path_of(folder, path);
  const syn_status status = syn_sealed_read(scene->store->context, path, &bytes, &size, &is_whole, error);
  if (status == SYN_NOT_FOUND) return SYN_OK;
  SYN_TRY(status);
  syn_status done = SYN_OK;
  if (!is_whole || !fits(scene, bytes, size, &found))
    syn_warn(scene->store->context,
             "%s is damaged, or of another scene or version: the simulation starts from the begin", path);
  else if (!(done = SYN_NEW(scene->store->context, moments, found.moment_count, error))) {
    const char *at = bytes + sizeof found;
    double *state; /* the bytes may be unaligned */
    done = SYN_NEW(scene->store->context, &state, found.state_count, error);
    if (!done) {
      memcpy(state, at, found.state_count * sizeof *state);
      syn_simulation_set_state(scene->simulation, state);
      memcpy(*moments, at + found.state_count * sizeof *state, found.moment_count * sizeof **moments);
      *count = found.moment_count;
      syn_free(scene->store->context, state);
    }
  }
  syn_free(scene->store->context, bytes);
  return done;
}

/* ==== the run ===================================================================================================== */

/* Runs a scene from its start or its checkpoint to its end. */

syn_tissue_run_options syn_default_tissue_run_options(void) { return (syn_tissue_run_options){.cookie = SYN_COOKIE}; }

/* ---- moments --------------------------------------------------------------------------------------------------------
 */

/* Measures the largest displacement and stress of a soft body, and its contact forces, in buffers of its size. */
static syn_status measure_body(const syn_tissue_scene *scene, const syn_scene_item *item, syn_tissue_step *moment,
                               syn_error *error) {
  const uint32_t count = syn_soft_node_count(item->soft);
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, item->body), *rest = syn_soft_rest(item->soft);
  const bool still = scene->integrator == SYN_INTEGRATOR_STATIC;
  const syn_vec3 *v = still ? NULL : syn_simulation_velocities(scene->simulation, item->body);
  syn_sym3 *stress = NULL;
  syn_vec3 *push = NULL;
  syn_status status = SYN_NEW(scene->store->context, &stress, count, error);
  if (!status) status = SYN_NEW(scene->store->context, &push, count, error);
  if (!status) {
    syn_soft_stress(item->soft, x, v, stress, NULL);
    syn_simulation_forces(scene->simulation, item->body, push, NULL);
    for (uint32_t i = 0; i < count; ++i) {
      moment->displacement_mm = max2(moment->displacement_mm, vec3_distance(x[i], rest[i]));
      moment->von_mises_mpa = max2(moment->von_mises_mpa, syn_sym3_von_mises(&stress[i]));
      moment->contact_n += vec3_length(push[i]);
    }
  }
  syn_free(scene->store->context, stress);
  syn_free(scene->store->context, push);
  return status;
}

static syn_status measure(const syn_tissue_scene *scene, syn_tissue_step *moment, syn_error *error) {
  syn_simulation_report(scene->simulation, moment);
  moment->time_s = (double)moment->step * scene->step_s;
  moment->contact_n = moment->von_mises_mpa = moment->displacement_mm = 0;
  for (size_t i = 0; i < scene->store->item_count; ++i)
    if (scene->store->items[i].soft) SYN_TRY(measure_body(scene, &scene->store->items[i], moment, error));
  return SYN_OK;
}

/* ---- the run --------------------------------------------------------------------------------------------------------
 */

typedef struct running {
  syn_tissue_scene *scene;
  const char *folder; /* NULL: no files */
  syn_tissue_step *moments;
  size_t count, capacity;
  uint64_t steps, per_frame;
  syn_scene_fields *fields; /* NULL: not stored */
} running;

/* Measures, stores and writes a frame; from its checkpoint the run can be resumed. */
static syn_status add_frame(running *r, syn_error *error) {
  SYN_TRY(SYN_RESERVE(r->scene->store->context, &r->moments, r->count, 1, &r->capacity, error));
  SYN_TRY(measure(r->scene, &r->moments[r->count], error));
  if (r->fields) SYN_TRY(scene_keep_fields(r->scene, r->count, NULL, r->fields, error));
  if (r->folder) SYN_TRY(syn_scene_write_frame(r->scene, r->folder, r->count, error));
  ++r->count;
  return r->folder ? scene_write_checkpoint(r->scene, r->folder, r->moments, r->count, error) : SYN_OK;
}

static syn_status step_through(running *r, syn_error *error) {
  syn_tissue_scene *scene = r->scene;
  for (uint64_t step = scene->simulation->steps; step < r->steps; ++step) {
    if (!syn_progress(scene->store->context, "simulating", (double)step / (double)r->steps))
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
  SYN_TRY(syn_outbox_create(r->scene->store->context, NULL, &outbox, error));
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
  SYN_TRY(scene_begin_fields(r->scene, total, r->fields, error));
  for (size_t i = 0; i < r->count; ++i) SYN_TRY(scene_keep_fields(r->scene, i, r->folder, r->fields, error));
  return SYN_OK;
}

static syn_status run_all(running *r, const syn_tissue_run_options *options, uint64_t *continued_at, syn_error *error) {
  SYN_TRY(prepare(r, error));
  if (r->folder && !options->restart) {
    SYN_TRY(scene_read_checkpoint(r->scene, r->folder, &r->moments, &r->count, error));
    r->capacity = r->count;
  }
  *continued_at = r->count ? r->scene->simulation->steps : 0;
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
  made->run = (syn_tissue_run){.context = scene->store->context,
                               .scene = scene,
                               .step_count = scene->simulation->steps,
                               .step_s = scene->step_s,
                               .duration_s = scene->duration_s,
                               .integrator = syn_integrator_name(scene->integrator),
                               .moment_count = r->count,
                               .moments = r->moments,
                               .continued_at = continued_at,
                               .kept_count = made->fields.frame_count,
                               .kept = made->fields.frames,
                               .body_count = scene->body_count,
                               .bodies = made->fields.of ? made->fields.of : scene->bodies};
}

syn_status syn_tissue_scene_run(syn_tissue_scene *scene, const syn_tissue_run_options *options, syn_tissue_run **run,
                                syn_error *error) {
  *run = NULL;
  const syn_tissue_run_options defaults = syn_default_tissue_run_options();
  if (!options) options = &defaults;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_tissue_run_options, error));
  kept_run *made;
  SYN_TRY(SYN_NEW_ZEROED(scene->store->context, &made, 1, error));
  made->fields.arena.context = scene->store->context;
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
