/* Results of a haptic loop: fields, curves and images. */
#include <math.h>
#include <string.h>

#include <synovia/tissue.h>

#include "base/files/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "mesh/io/xml.h"
#include "result/value.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"

/* ==== fields ====================================================================================================== */

static const syn_result_field timing_fields[] = {
    MEMBER(syn_haptics_times, p50_us, "p50_us", "Median", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, p99_us, "p99_us", "99 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, p999_us, "p999_us", "99.9 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, max_us, "max_us", "Longest", "us", FILE_ONLY)};
static const syn_record timing_record = RECORD_OF(syn_haptics_times, "timing", timing_fields);

GET(soft_model, syn_haptics_result, value_text(at->scene->soft->model->info.name))
GET(soft_nodes, syn_haptics_result, value_count(syn_soft_node_count(at->scene->soft)))
GET(near_points, syn_haptics_result, value_count(at->scene->haptics->points))
GET(published_simulation, syn_haptics_result,
    value_real(at->scene->built_in ? at->scene->built_in->published_simulation_hz : (double)NAN))
GET(published_force, syn_haptics_result,
    value_real(at->scene->built_in ? at->scene->built_in->published_force_hz : (double)NAN))

static const syn_result_field haptics_fields[] = {
    MEMBER(syn_haptics_scene, name, "name", "Scene", "", FILE_ONLY, THROUGH(syn_haptics_result, scene)),
    FIELD(TEXT, "model", "Model", "", FILE_ONLY, soft_model),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY, soft_nodes),
    MEMBER(syn_haptics_scene, held_nodes, "held_nodes", "Nodes that are held", "", FILE_ONLY,
           THROUGH(syn_haptics_result, scene)),
    MEMBER(syn_haptics_result, device, "device", "Device", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.rate_hz, "rate_hz", "Rate of forces", "Hz", FILE_ONLY),
    MEMBER(syn_haptics_result, report.late, "late", "Periods missed", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.computing.p999_us, "p999_us", "Computing time, 99.9 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_result, report.force_n, "force_n", "Largest force", "N", FILE_ONLY),
    MEMBER(syn_haptics_result, report.seconds, "seconds", "Time", "s", FILE_ONLY),
    MEMBER(syn_haptics_result, report.periods, "periods", "Periods", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.frames, "frames", "Frames of the simulation", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.simulation_hz, "simulation_hz", "Rate of the simulation", "Hz", FILE_ONLY),
    FIELD(INTEGER, "points", "Points near the probe", "", FILE_ONLY, near_points),
    MEMBER(syn_haptics_result, report.left_off, "left_off", "Points left off", "", FILE_ONLY),
    PART(syn_haptics_result, report.computing, timing_record, "computing", "Computing time", FILE_ONLY),
    PART(syn_haptics_result, report.waking, timing_record, "waking", "Lateness of waking up", FILE_ONLY),
    MEMBER(syn_haptics_result, report.has_priority, "has_priority", "Real-time priority", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.has_locked_memory, "has_locked_memory", "Locked memory", "", FILE_ONLY),
    FIELD(REAL, "published_simulation_hz", "Published rate of the simulation", "Hz", FILE_ONLY, published_simulation),
    FIELD(REAL, "published_force_hz", "Published rate of forces", "Hz", FILE_ONLY, published_force)};

const syn_record syn_haptics_record = RECORD_OF(syn_haptics_result, "haptics", haptics_fields);

/* ==== files ======================================================================================================= */

/* Writes the results of a run to a folder: the curve of the force, and the deformed image. */

typedef syn_status write_content(const syn_haptics_result *result, FILE *stream, syn_error *error);

static syn_status write_file(const syn_haptics_result *result, const char *folder, const char *name,
                             write_content *content, syn_error *error) {
  char path[SYN_LONGEST_PATH];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the name of the folder is too long");
  syn_output out;
  SYN_TRY(syn_output_open(result->scene->context, path, &out, error));
  const syn_status status = content(result, out.stream, error);
  if (!status) return syn_output_commit(&out, error);
  syn_output_discard(&out);
  return status;
}

/* ---- the curve ------------------------------------------------------------------------------------------------------
 */

/* Writes a recording in the format of input trajectories, which have numbers only. */
static syn_status write_table(const syn_haptics_result *result, FILE *stream, syn_error *error) {
  (void)error; /* write errors are reported by the file */
  fprintf(stream, "time,x,y,z,force_x_n,force_y_n,force_z_n,body_x_n,body_y_n,body_z_n\n");
  for (size_t i = 0; i < result->report.sample_count; ++i) {
    const syn_haptics_sample *s = &result->report.samples[i];
    fprintf(stream, "%.6g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", s->time_s, s->tip.x, s->tip.y, s->tip.z,
            s->force.x, s->force.y, s->force.z, s->frame_force.x, s->frame_force.y, s->frame_force.z);
  }
  return SYN_OK;
}

enum { WIDTH = 900, HEIGHT = 420, LEFT = 70, BOTTOM = 50, TOP = 30, RIGHT = 20 };

typedef struct axes {
  double time_s, force_n; /* maxima of the axes */
} axes;

static double across(const axes *a, double time_s) { return LEFT + (WIDTH - LEFT - RIGHT) * time_s / a->time_s; }
static double up(const axes *a, double force_n) {
  return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * force_n / a->force_n;
}

/* Draws steps for the frames of the body, a line for the loop. */
static void draw_curve(FILE *stream, const syn_haptics_report *r, const axes *a, bool body, const char *colour) {
  enum { MOST = 4000 };
  const size_t every = r->sample_count / MOST + 1;
  fprintf(stream, "<polyline fill='none' stroke='%s' stroke-width='1.5' points='", colour);
  for (size_t i = 0; i < r->sample_count; i += every)
    fprintf(stream, "%.2f,%.2f ", across(a, r->samples[i].time_s),
            up(a, vec3_length(body ? r->samples[i].frame_force : r->samples[i].force)));
  fprintf(stream, "'/>\n");
}

static syn_status write_curve(const syn_haptics_result *result, FILE *stream, syn_error *error) {
  (void)error;
  const syn_haptics_report *r = &result->report;
  const char *title = syn_context_or_default(result->scene->context)->title;
  axes a = {.time_s = r->sample_count ? r->samples[r->sample_count - 1].time_s : 1, .force_n = 0};
  for (size_t i = 0; i < r->sample_count; ++i)
    a.force_n = max2(a.force_n, max2(vec3_length(r->samples[i].force), vec3_length(r->samples[i].frame_force)));
  if (!(a.time_s > 0)) a.time_s = 1;
  if (!(a.force_n > 0)) a.force_n = 1;
  fprintf(stream,
          "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='14'>\n"
          "<title>",
          WIDTH, HEIGHT);
  syn_xml_write_escaped(stream, title ? title : result->scene->name);
  fprintf(stream, "</title>\n<rect width='%d' height='%d' fill='white'/>\n", WIDTH, HEIGHT);
  for (int i = 0; i <= 4; ++i) {
    const double force = a.force_n * i / 4, time = a.time_s * i / 4;
    fprintf(stream, "<path d='M%d %.2fH%d' stroke='#ddd'/><text x='%d' y='%.2f' text-anchor='end'>%.3g N</text>\n",
            LEFT, up(&a, force), WIDTH - RIGHT, LEFT - 6, up(&a, force) + 5, force);
    fprintf(stream, "<text x='%.2f' y='%d' text-anchor='middle'>%.3g s</text>\n", across(&a, time),
            HEIGHT - BOTTOM + 22, time);
  }
  draw_curve(stream, r, &a, true, "#c60");
  draw_curve(stream, r, &a, false, "#036");
  fprintf(stream,
          "<text x='%d' y='20' fill='#036'>force loop, %.0f Hz</text>"
          "<text x='%d' y='20' fill='#c60'>whole body, %.0f Hz</text>\n</svg>\n",
          LEFT, r->rate_hz, LEFT + 200, r->simulation_hz);
  return SYN_OK;
}

/* ---- images ---------------------------------------------------------------------------------------------------------
 */

/* Returns the sample with the largest force, or the first in contact. */
static const syn_haptics_sample *find_sample(const syn_haptics_report *r, bool largest) {
  const syn_haptics_sample *found = &r->samples[0];
  for (size_t i = 0; i < r->sample_count; ++i) {
    const double force = vec3_length(r->samples[i].force);
    if (!largest && force > 0) return &r->samples[i];
    if (largest && force > vec3_length(found->force)) found = &r->samples[i];
  }
  return found;
}

syn_status syn_haptics_picture(const syn_haptics_result *result, bool pressed, uint8_t **pixels, syn_error *error) {
  const syn_haptics_scene *scene = result->scene;
  const syn_vec3 tip = find_sample(&result->report, pressed)->tip;
  *pixels = NULL;
  SYN_TRY(syn_haptics_update(scene->haptics, tip, NULL, error));
  SYN_TRY(SYN_NEW(scene->context, pixels, (size_t)scene->image.width * scene->image.height, error));
  return syn_haptics_draw(scene->haptics, &scene->image, tip, *pixels, error);
}

static syn_status write_image(const syn_haptics_result *result, FILE *stream, bool pressed, syn_error *error) {
  const syn_haptics_scene *scene = result->scene;
  uint8_t *pixels;
  const syn_status status = syn_haptics_picture(result, pressed, &pixels, error);
  if (!status) {
    fputs("P5\n", stream);
    syn_put_title(scene->context, stream, "# ", "\n");
    fprintf(stream, "%u %u\n255\n", scene->image.width, scene->image.height);
    fwrite(pixels, 1, (size_t)scene->image.width * scene->image.height, stream);
  }
  syn_free(scene->context, pixels);
  return status;
}

static syn_status write_pressed(const syn_haptics_result *result, FILE *stream, syn_error *error) {
  return write_image(result, stream, true, error);
}

static syn_status write_rest(const syn_haptics_result *result, FILE *stream, syn_error *error) {
  return write_image(result, stream, false, error);
}

syn_status syn_haptics_result_write(const syn_haptics_result *result, const char *folder, syn_error *error) {
  if (result->report.sample_count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the run has no periods to write");
  SYN_TRY(syn_make_folder(folder, error));
  SYN_TRY(write_file(result, folder, "force.csv", write_table, error));
  SYN_TRY(write_file(result, folder, "force.svg", write_curve, error));
  SYN_TRY(write_file(result, folder, "image-pressed.pgm", write_pressed, error));
  return write_file(result, folder, "image-rest.pgm", write_rest, error);
}
