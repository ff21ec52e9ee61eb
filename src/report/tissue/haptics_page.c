/* A run of the force loop as a page: the body under the probe around the largest force, and both forces over time. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/filling.h"
#include "tissue/haptics/haptics.h"
#include "tissue/soft.h"
#include <synovia/report.h>

enum { MOST_FRAMES = 61, AROUND = 24, SETTLE = 3, BODIES = 2, CURVES = 2, SENTENCES = 3 };

typedef struct writing {
  const syn_haptics_result *result;
  syn_arena arena;
  syn_report report;
  const syn_haptics_sample **samples; /* one for each frame of the page */
  size_t frame_count;
  syn_report_body bodies[BODIES];
  syn_report_vectors moved;
  syn_report_curve curves[CURVES];
  syn_report_motion motion;
  syn_trimesh *probe;
  const char *summary[SENTENCES];
  syn_report_image images[2];
  uint8_t *pixels[2];
} writing;

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)

/* ---- frames -------------------------------------------------------------------------------------------------------
 */

static const syn_haptics_sample *largest(const syn_haptics_report *r) {
  const syn_haptics_sample *found = r->samples;
  for (size_t i = 1; i < r->sample_count; ++i)
    if (vec3_length(r->samples[i].force) > vec3_length(found->force)) found = &r->samples[i];
  return found;
}

/* As the simulation had them, the largest force in the middle. */
static syn_status choose_frames(writing *w, syn_error *error) {
  const syn_haptics_report *r = &w->result->report;
  const double rate = r->simulation_hz > 0 ? fmin(r->simulation_hz, 60) : 30;
  if (!r->sample_count) return syn_fail(error, SYN_BAD_ARGUMENT, "a run without a single period has no page");
  const int half = MOST_FRAMES / 2;
  double time = fmax(r->samples[0].time_s, largest(r)->time_s - half / rate);
  SYN_TRY(syn_arena_take(&w->arena, MOST_FRAMES, sizeof *w->samples, (void **)&w->samples, error));
  for (size_t i = 0; i < r->sample_count && w->frame_count < MOST_FRAMES; ++i)
    if (r->samples[i].time_s >= time) {
      w->samples[w->frame_count++] = &r->samples[i];
      time = r->samples[i].time_s + 1 / rate;
    }
  return SYN_OK;
}

/* The body is led through these frames again. */
static syn_status simulate(writing *w, syn_vec3 *moved, syn_error *error) {
  const syn_haptics_scene *scene = w->result->scene;
  const syn_trimesh *skin = scene->soft->skin;
  for (int i = 0; i < SETTLE; ++i) SYN_TRY(syn_haptics_frame(scene->haptics, w->samples[0]->tip, error));
  for (size_t i = 0; i < w->frame_count; ++i) {
    syn_vec3 *now = moved + i * skin->vertex_count;
    SYN_TRY(syn_haptics_frame(scene->haptics, w->samples[i]->tip, error));
    syn_soft_skin_points(scene->soft, syn_haptics_positions(scene->haptics), now);
    for (uint32_t v = 0; v < skin->vertex_count; ++v) now[v] = vec3_sub(now[v], skin->vertices[v]);
  }
  return SYN_OK;
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

/* The cylinder with the centre of its tip in the origin. */
static syn_status make_probe(writing *w, syn_error *error) {
  enum { RIM = 2 * AROUND, TIP = RIM, HANDLE };
  const syn_probe *probe = &w->result->scene->haptics->options.probe;
  const syn_vec3 axis = probe->axis, other = fabs(axis.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const syn_vec3 a = vec3_unit(vec3_cross(axis, other)), b = vec3_cross(axis, a);
  syn_vec3 places[RIM + 2];
  syn_triangle triangles[4 * AROUND];
  places[TIP] = vec3(0, 0, 0);
  places[HANDLE] = vec3_scale(axis, probe->length_mm);
  for (uint32_t i = 0; i < AROUND; ++i) {
    const uint32_t next = (i + 1) % AROUND;
    const double turn = 2 * SYN_PI * i / AROUND;
    const syn_vec3 out = vec3_madd(vec3_scale(a, probe->radius_mm * cos(turn)), probe->radius_mm * sin(turn), b);
    places[i] = out;
    places[AROUND + i] = vec3_add(out, places[HANDLE]);
    triangles[4 * i] = (syn_triangle){{TIP, next, i}};
    triangles[4 * i + 1] = (syn_triangle){{HANDLE, AROUND + i, AROUND + next}};
    triangles[4 * i + 2] = (syn_triangle){{i, next, AROUND + i}};
    triangles[4 * i + 3] = (syn_triangle){{next, AROUND + next, AROUND + i}};
  }
  return syn_trimesh_create(w->arena.context, places, RIM + 2, triangles, 4 * AROUND, &w->probe, error);
}

static syn_status fill_bodies(writing *w, syn_error *error) {
  const syn_trimesh *skin = w->result->scene->soft->skin;
  syn_vec3 *moved;
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&w->arena, &moved, skin->vertex_count * w->frame_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, BODIES * w->frame_count, error));
  SYN_TRY(make_probe(w, error));
  SYN_TRY(simulate(w, moved, error));
  w->moved = (syn_report_vectors){"displacement", "Displacement", "mm", moved, w->frame_count, w->motion.name, true};
  w->bodies[0] =
      (syn_report_body){.body = {.name = "tissue", .tissue = SYN_TISSUE_MUSCLE, .moves = true, .surface = skin},
                        .label = "Tissue",
                        .vectors = &w->moved,
                        .vector_count = 1};
  w->bodies[1] = (syn_report_body){.body = {.name = "probe", .moves = true, .surface = w->probe}, .label = "Probe"};
  for (size_t i = 0; i < w->frame_count; ++i) {
    poses[i] = poses[w->frame_count + i] = syn_pose_identity();
    poses[w->frame_count + i].translation = w->samples[i]->tip;
  }
  w->motion.body_poses = poses;
  w->report.bodies = w->bodies;
  w->report.body_count = BODIES;
  return SYN_OK;
}

/* ---- curves and words ---------------------------------------------------------------------------------------------
 */

static syn_status fill_motion(writing *w, syn_error *error) {
  double *along, *loop, *body;
  SYN_TRY(SYN_TAKE(&w->arena, &along, w->frame_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &loop, w->frame_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &body, w->frame_count, error));
  for (size_t i = 0; i < w->frame_count; ++i) {
    along[i] = w->samples[i]->time_s;
    loop[i] = vec3_length(w->samples[i]->force);
    body[i] = vec3_length(w->samples[i]->frame_force);
  }
  w->curves[0] = (syn_report_curve){"force", "Force of the loop", "N", loop};
  w->curves[1] = (syn_report_curve){"body_force", "Force of the whole body", "N", body};
  w->motion = (syn_report_motion){.name = "touch",
                                  .label = "Around the largest force",
                                  .pose_count = w->frame_count,
                                  .along_label = "Time",
                                  .along_unit = "s",
                                  .along = along,
                                  .curves = w->curves,
                                  .curve_count = CURVES};
  w->report.motions = &w->motion;
  w->report.motion_count = 1;
  return SYN_OK;
}

static void fill_words(writing *w) {
  const syn_haptics_result *result = w->result;
  const syn_haptics_report *r = &result->report;
  w->report.subtitle = text(w, "%s, %u nodes; device: %s", syn_soft_model_name(result->scene->soft),
                            syn_soft_node_count(result->scene->soft), result->device);
  w->summary[0] = text(w, "The largest force is %s N, after %.4g s.", syn_filled_three_digits(&w->arena, r->force_n),
                       largest(r)->time_s);
  w->summary[1] = text(w, "Forces come at %.0f Hz, frames of the body at %.0f Hz; %llu of %llu periods were missed.",
                       r->rate_hz, r->simulation_hz, (unsigned long long)r->late, (unsigned long long)r->periods);
  w->summary[2] = text(w, "999 of 1000 forces take less than %.0f µs.", r->computing.p999_us);
  w->report.summary = w->summary;
  w->report.summary_count = SENTENCES;
}

/* What the ultrasound shows as the probe touches, and at the largest force. */
static syn_status fill_images(writing *w, syn_error *error) {
  static const char *const labels[] = {"Ultrasound image as the probe touches",
                                       "Ultrasound image at the largest force"};
  const syn_haptics_image *image = &w->result->scene->image;
  for (int i = 0; i < 2; ++i) {
    SYN_TRY(syn_haptics_picture(w->result, i == 1, &w->pixels[i], error));
    w->images[i] = (syn_report_image){labels[i], image->width, image->height, w->pixels[i]};
  }
  w->report.images = w->images;
  w->report.image_count = 2;
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(writing *w, const char *title, const syn_provenance *provenance, syn_error *error) {
  syn_filled_head(&w->report, "haptics", title ? title : syn_filled_capital(text(w, "%s", w->result->scene->name)),
                  NULL, provenance);
  w->report.notes = provenance->warnings;
  w->report.note_count = provenance->warning_count;
  SYN_TRY(choose_frames(w, error));
  SYN_TRY(fill_motion(w, error));
  SYN_TRY(fill_bodies(w, error));
  SYN_TRY(fill_images(w, error));
  fill_words(w);
  return syn_arena_check(&w->arena, error);
}

/* With the page, so that all of them appear or none. */
static syn_status stage_files(writing *w, const char *hidden, syn_outbox *outbox, syn_error *error) {
  static const char *const names[] = {"force.csv", "force.svg", "image-pressed.pgm", "image-rest.pgm"};
  SYN_TRY(syn_haptics_result_write(w->result, hidden, error));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *path = text(w, "%s/%s", hidden, names[i]);
    SYN_TRY(syn_arena_check(&w->arena, error));
    SYN_TRY(syn_outbox_add(outbox, path, error));
  }
  return SYN_OK;
}

syn_status syn_haptics_page_stage(const syn_haptics_result *result, const char *title, const syn_provenance *provenance,
                                  syn_outbox *outbox, const char *folder, syn_error *error) {
  writing w = {.result = result, .arena = {.context = result->scene->context}};
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  const char *path = text(&w, "%s/report.html", hidden);
  syn_status status = stage_files(&w, hidden, outbox, error);
  if (status == SYN_OK) status = fill(&w, title, syn_filled_provenance(provenance), error);
  if (status == SYN_OK) status = syn_report_write(w.arena.context, &w.report, NULL, path, error);
  if (status == SYN_OK) status = syn_outbox_add(outbox, path, error);
  syn_trimesh_destroy(w.probe);
  for (int i = 0; i < 2; ++i) syn_free(w.arena.context, w.pixels[i]);
  syn_arena_release(&w.arena);
  return status;
}
