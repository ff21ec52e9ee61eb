/* Writes a run of the force loop as a page: the body under the probe around the largest force, and both forces over
 * time. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "report/publish_result.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"
#include "tissue/soft.h"

enum { MAX_FRAMES = 61, AROUND = 24, SETTLE = 3 };

/* The samples of the run shown as frames of the page. */
typedef struct haptics_frames {
  const syn_haptics_sample **samples;
  size_t count;
} haptics_frames;

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static const syn_haptics_sample *largest_sample(const syn_haptics_report *r) {
  const syn_haptics_sample *found = r->samples;
  for (size_t i = 1; i < r->sample_count; ++i)
    if (vec3_length(r->samples[i].force) > vec3_length(found->force)) found = &r->samples[i];
  return found;
}

/* Chooses samples of the simulation, with the largest force in the middle. */
static syn_status choose_frames(syn_page *page, const syn_haptics_report *r, haptics_frames *frames, syn_error *error) {
  const double rate = r->simulation_hz > 0 ? fmin(r->simulation_hz, 60) : 30;
  if (!r->sample_count) return syn_fail(error, SYN_BAD_ARGUMENT, "a run without a single period has no page");
  const int half = MAX_FRAMES / 2;
  double time = fmax(r->samples[0].time_s, largest_sample(r)->time_s - half / rate);
  *frames = (haptics_frames){0};
  SYN_TRY(syn_arena_take(&page->arena, MAX_FRAMES, sizeof *frames->samples, (void **)&frames->samples, error));
  for (size_t i = 0; i < r->sample_count && frames->count < MAX_FRAMES; ++i)
    if (r->samples[i].time_s >= time) {
      frames->samples[frames->count++] = &r->samples[i];
      time = r->samples[i].time_s + 1 / rate;
    }
  return SYN_OK;
}

/* Simulates the body again through these frames. */
static syn_status simulate_frames(const syn_haptics_scene *scene, const haptics_frames *frames, syn_vec3 *moved,
                                  syn_error *error) {
  const syn_trimesh *skin = scene->soft->skin;
  for (int i = 0; i < SETTLE; ++i) SYN_TRY(syn_haptics_update(scene->haptics, frames->samples[0]->tip, NULL, error));
  for (size_t i = 0; i < frames->count; ++i) {
    syn_vec3 *now = moved + i * skin->vertex_count;
    SYN_TRY(syn_haptics_update(scene->haptics, frames->samples[i]->tip, NULL, error));
    syn_soft_skin_points(scene->soft, syn_haptics_positions(scene->haptics), now);
    for (uint32_t v = 0; v < skin->vertex_count; ++v) now[v] = vec3_sub(now[v], skin->vertices[v]);
  }
  return SYN_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Makes a cylinder with the centre of its tip in the origin. */
static syn_status make_probe(syn_page *page, const syn_probe *probe, const syn_trimesh **mesh, syn_error *error) {
  enum { RIM = 2 * AROUND, TIP = RIM, HANDLE };
  const syn_vec3 axis = probe->axis, other = fabs(axis.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const syn_vec3 a = vec3_unit(vec3_cross(axis, other)), b = vec3_cross(axis, a);
  syn_vec3 places[RIM + 2];
  syn_triangle triangles[4 * AROUND];
  syn_trimesh *made;
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
  SYN_TRY(syn_trimesh_create(page->arena.context, places, RIM + 2, triangles, 4 * AROUND, &made, error));
  *mesh = made;
  return syn_page_keep(page, made, error);
}

static syn_status add_bodies(syn_page *page, const syn_haptics_scene *scene, const haptics_frames *frames,
                             syn_error *error) {
  const syn_trimesh *skin = scene->soft->skin, *probe;
  const char *motion = page->report.motions[0].name;
  syn_vec3 *moved;
  SYN_TRY(SYN_TAKE(&page->arena, &moved, skin->vertex_count * frames->count, error));
  SYN_TRY(make_probe(page, &scene->haptics->probe, &probe, error));
  SYN_TRY(simulate_frames(scene, frames, moved, error));
  const syn_body tissue = {.name = "tissue", .tissue = SYN_TISSUE_MUSCLE, .moves = true, .surface = skin};
  syn_report_body *body = syn_page_add_body(page, (syn_report_body){.body = tissue, .label = "Tissue"});
  syn_page_add_vectors(page, body,
                       (syn_report_vectors){"displacement", "Displacement", "mm", moved, frames->count, motion, true});
  syn_page_add_body(page,
                    (syn_report_body){.body = {.name = "probe", .moves = true, .surface = probe}, .label = "Probe"});
  return SYN_OK;
}

/* ---- curves and words -------------------------------------------------------------------------------------------- */

static double loop_force(const void *sample) {
  return vec3_length((*(const syn_haptics_sample *const *)sample)->force);
}
static double body_force(const void *sample) {
  return vec3_length((*(const syn_haptics_sample *const *)sample)->frame_force);
}
static double sample_time(const void *sample) { return (*(const syn_haptics_sample *const *)sample)->time_s; }

/* The tissue is fixed, the probe moves with its tip. */
static syn_status add_touch_motion(syn_page *page, const haptics_frames *frames, syn_error *error) {
  static const syn_page_column forces[] = {
      {.name = "force", .label = "Force of the loop", .unit = "N", .of = loop_force},
      {.name = "body_force", .label = "Force of the whole body", .unit = "N", .of = body_force}};
  static const syn_page_column time = {.of = sample_time};
  const syn_page_rows rows = {frames->samples, frames->count, sizeof *frames->samples};
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, 2 * frames->count, error));
  for (size_t i = 0; i < frames->count; ++i) {
    poses[i] = poses[frames->count + i] = syn_pose_identity();
    poses[frames->count + i].translation = frames->samples[i]->tip;
  }
  syn_report_motion *motion = syn_page_add_motion(page, (syn_report_motion){.name = "touch",
                                                                            .label = "Around the largest force",
                                                                            .pose_count = frames->count,
                                                                            .along_label = "Time",
                                                                            .along_unit = "s",
                                                                            .along = syn_page_values(page, &time, rows),
                                                                            .body_poses = poses});
  syn_page_add_curves(page, motion, forces, 2, rows);
  return SYN_OK;
}

static void add_words(syn_page *page, const syn_haptics_result *result) {
  const syn_haptics_report *r = &result->report;
  page->report.subtitle = syn_page_text(page, "%s, %u nodes; device: %s", result->scene->soft->model->info.name,
                                        syn_soft_node_count(result->scene->soft), result->device);
  syn_page_add_finding(page,
                       syn_page_text(page, "The largest force is %s N, after %.4g s.",
                                     syn_page_digits(page, r->force_n), largest_sample(r)->time_s),
                       NULL);
  syn_page_add_finding(
      page,
      syn_page_text(page, "Forces come at %.0f Hz, frames of the body at %.0f Hz; %llu of %llu periods were missed.",
                    r->rate_hz, r->simulation_hz, (unsigned long long)r->late, (unsigned long long)r->periods),
      NULL);
  syn_page_add_finding(page, syn_page_text(page, "999 of 1000 forces take less than %.0f µs.", r->computing.p999_us),
                       NULL);
  for (size_t i = 0; i < page->provenance->warning_count; ++i)
    syn_page_add_note(page, page->provenance->warnings[i], NULL);
}

/* Adds the ultrasound images at first contact and at the largest force. */
static syn_status add_images(syn_page *page, const syn_haptics_result *result, syn_error *error) {
  static const char *const labels[] = {"Ultrasound image as the probe touches",
                                       "Ultrasound image at the largest force"};
  const syn_haptics_image *image = &result->scene->image;
  const size_t size = (size_t)image->width * image->height;
  for (int i = 0; i < 2; ++i) {
    uint8_t *pixels, *kept;
    SYN_TRY(SYN_TAKE(&page->arena, &kept, size, error));
    SYN_TRY(syn_haptics_picture(result, i == 1, &pixels, error));
    memcpy(kept, pixels, size);
    syn_free(page->arena.context, pixels);
    syn_page_add_image(page, (syn_report_image){labels[i], image->width, image->height, kept});
  }
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_touch(syn_publication *to, const void *run, syn_error *error) {
  const syn_haptics_result *result = run;
  syn_page *page = &to->page;
  haptics_frames frames;
  if (!page->report.title) page->report.title = syn_filled_capital(syn_page_text(page, "%s", result->scene->name));
  SYN_TRY(choose_frames(page, &result->report, &frames, error));
  SYN_TRY(add_touch_motion(page, &frames, error));
  SYN_TRY(add_bodies(page, result->scene, &frames, error));
  add_words(page, result);
  return add_images(page, result, error);
}

static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  static const char *const names[] = {"force.csv", "force.svg", "image-pressed.pgm", "image-rest.pgm"};
  if (!to->hidden || !(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_haptics_result_write(result, to->hidden, error));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *path;
    SYN_TRY(syn_publication_path(to, names[i], &path, error));
    SYN_TRY(syn_publication_add(to, path, error));
  }
  return SYN_OK;
}

/* The page continues the simulation, so the other files are written first. */
const syn_published_kind syn_published_haptics = {.record = &syn_haptics_record,
                                                  .kind = "haptics",
                                                  .command = "haptics",
                                                  .files_first = true,
                                                  .add = add_touch,
                                                  .write = write_files};
