/* Writes the page of one report: everything is made in memory first, then written at once. */

#include <string.h>

#include "base/base64.h"
#include "base/files/file.h"
#include "base/memory.h"
#include "clinic/hip.h"
#include "report/hip/packed.h"
#include "report/html.h"
#include "report/page.h"
#include "report/page_model.h"
#include "report/page_parts.h"
#include "report/svg/svg.h"

/* ---- page image ------------------------------------------------------------------------------------------------ */
/* Writes grey images as uncompressed bitmaps in the address of an <img>, which every browser reads. */

enum { FILE_HEADER = 14, INFO_HEADER = 40, GREYS = 256, BEFORE_PIXELS = FILE_HEADER + INFO_HEADER + 4 * GREYS };

static void put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = (uint8_t)(value >> 8 * i);
}

/* Rows are stored from the bottom, padded to four bytes. */
static void fill_bitmap(const syn_report_image *image, uint32_t stride, uint8_t *bytes) {
  const uint32_t size = stride * image->height;
  memcpy(bytes, "BM", 2);
  put32(bytes + 2, BEFORE_PIXELS + size);
  put32(bytes + 10, BEFORE_PIXELS);
  uint8_t *info = bytes + FILE_HEADER;
  put32(info, INFO_HEADER);
  put32(info + 4, image->width);
  put32(info + 8, image->height);
  info[12] = 1; /* plane */
  info[14] = 8; /* bits per pixel */
  put32(info + 20, size);
  for (uint32_t grey = 0; grey < GREYS; ++grey) memset(info + INFO_HEADER + 4 * grey, (int)grey, 3);
  for (uint32_t row = 0; row < image->height; ++row)
    memcpy(bytes + BEFORE_PIXELS + (size_t)stride * (image->height - 1 - row),
           image->pixels + (size_t)image->width * row, image->width);
}

static syn_status put_image(const syn_context *context, FILE *to, const syn_report_image *image, syn_error *error) {
  const uint32_t stride = (image->width + 3) / 4 * 4;
  const size_t size = BEFORE_PIXELS + (size_t)stride * image->height, length = syn_base64_length(size);
  uint8_t *bytes = NULL;
  char *text = NULL;
  syn_status status = SYN_NEW_ZEROED(context, &bytes, size, error);
  if (!status) status = SYN_NEW(context, &text, length, error);
  if (!status) {
    fill_bitmap(image, stride, bytes);
    syn_base64_encode(bytes, size, text);
    fprintf(to, "<figure data-plot=\"image\"><img width=\"%u\" height=\"%u\" alt=\"", image->width, image->height);
    syn_html_text(to, image->label);
    fputs("\" src=\"data:image/bmp;base64,", to);
    fwrite(text, 1, length, to);
    fputs("\"><figcaption>", to);
    syn_html_text(to, image->label);
    fputs("</figcaption></figure>\n", to);
  }
  syn_free(context, bytes);
  syn_free(context, text);
  return status;
}

/* Writes the images of the report as <figure data-plot="image">. */
static syn_status page_images(const syn_context *context, FILE *to, const syn_report *report, syn_error *error) {
  for (size_t i = 0; i < report->image_count; ++i) SYN_TRY(put_image(context, to, &report->images[i], error));
  return SYN_OK;
}

/* A page of a scan with 30,000 triangles for each bone needs 0.7 MB; a page beyond this limit would be hard to send. */
static const size_t most_bytes = 3000000;

/* Returns whether this kind of report shows the hip unchanged. */
static bool is_plain(const char *kind) {
  static const char *const kinds[] = {"hip", "demo", "rom", "fai"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(kind, kinds[i]) == 0) return true;
  return false;
}

/* Finds the body that shows each part; returns false if one is missing or has another surface. */
static bool match_parts(const syn_report *report, const syn_display *displays, syn_packed_shown shown[SYN_HIP_PARTS]) {
  size_t parts = 0;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) parts += report->hip->parts[i] != NULL;
  for (size_t i = 0; i < report->body_count; ++i) {
    const syn_body *body = &report->bodies[i].body;
    const syn_hip_part part = syn_hip_part_of_body(body);
    if (part == SYN_HIP_PARTS || report->hip->parts[part] != body->surface) return false;
    shown[part] = (syn_packed_shown){displays[i].source, displays[i].mesh->vertex_count};
  }
  return parts == report->body_count;
}

/* Adds the packed hip to `blobs`, which must be empty. Adds nothing if the page could not use it: without WebAssembly,
 * with a viewer that answers, or if its bodies are not the analysed parts of a hip. */
static syn_status hip_computing_add(const syn_report *report, const syn_display *displays, syn_blobs *blobs,
                                    syn_error *error) {
  syn_packed_shown shown[SYN_HIP_PARTS] = {{NULL, 0}};
  unsigned char *bytes;
  size_t size, number;
  if (!*syn_page_wasm || !report->hip || report->live || !is_plain(report->kind)) return SYN_OK;
  if (!report->hip->parts[SYN_HIP_PELVIS] || !report->hip->parts[SYN_HIP_FEMUR]) return SYN_OK;
  if (!match_parts(report, displays, shown)) return SYN_OK;
  SYN_TRY(syn_hip_pack(blobs->context, report->hip, shown, &bytes, &size, error));
  return syn_blobs_add(blobs, bytes, size, &number, error);
}

/* Writes the packed blobs and the WebAssembly; nothing if the hip is too large to send. */
static void hip_computing_put(FILE *to, const syn_blobs *blobs) {
  if (!blobs->count || blobs->items[0].length > most_bytes) return;
  syn_blob_put(to, "hip-", 0, blobs->items[0].text, blobs->items[0].length);
  syn_blob_put(to, "wasm-", 0, syn_page_wasm, strlen(syn_page_wasm));
}

/* ---- page write ------------------------------------------------------------------------------------------------ */

syn_report_options syn_default_report_options(void) {
  return (syn_report_options){.display_triangles = 60000, .cookie = SYN_COOKIE};
}

typedef struct writer {
  const syn_context *context;
  const syn_report *report;
  syn_display *displays; /* by body */
  size_t display_triangles;
  syn_blobs blobs, computing;
  json_t *model;
} writer;

/* ---- drawings ---------------------------------------------------------------------------------------------------- */

static void begin_figure(FILE *to, const char *plot) { fprintf(to, "<figure data-plot=\"%s\">", plot); }
static void end_figure(FILE *to, const char *caption) {
  fprintf(to, "<figcaption>%s</figcaption></figure>\n", caption);
}

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static void put_source(FILE *to, const char *source) {
  const char *link = syn_source_link(source);
  if (link) {
    fputs("<a rel=\"noreferrer\" href=\"", to);
    syn_html_text(to, link);
    fputs("\">", to);
  }
  syn_html_text(to, source);
  if (link) fputs("</a>", to);
}

/* Writes each source once. */
static void put_sources(FILE *to, const syn_report *r) {
  const char *between = " Sources: ";
  for (size_t i = 0; i < r->range_count; ++i) {
    size_t before = 0;
    while (before < i && !same(r->ranges[before].source, r->ranges[i].source)) ++before;
    if (before < i || !r->ranges[i].source) continue;
    fputs(between, to);
    put_source(to, r->ranges[i].source);
    between = "; ";
  }
}

static void put_ranges(FILE *to, const syn_report *r) {
  begin_figure(to, "ranges");
  syn_svg_ranges(to, r);
  fputs(
      "<figcaption>The green band is the published range. Disc: within it; triangle: outside, on the side to which it "
      "points; square: no range is known. Thin line: 95 % of what the number may be, by what is uncertain about it.",
      to);
  put_sources(to, r);
  fputs("</figcaption></figure>\n", to);
}

static bool has_curves(const syn_report *r) {
  for (size_t i = 0; i < r->motion_count; ++i)
    if (r->motions[i].curve_count && r->motions[i].pose_count) return true;
  return false;
}

static bool has_clock(const syn_report *r) {
  for (size_t i = 0; i < r->clock_count; ++i)
    if (syn_report_clock_known(&r->clock[i])) return true;
  return false;
}

static syn_status put_plots(FILE *to, const writer *w, syn_error *error) {
  const syn_report *r = w->report;
  fputs("<section id=\"plots\" aria-label=\"Drawings\">\n", to);
  SYN_TRY(syn_page_views(w->context, to, r, w->displays, error));
  if (r->range_count) put_ranges(to, r);
  if (has_clock(r)) {
    begin_figure(to, "clock");
    syn_svg_clock(to, r->clock, r->clock_count);
    end_figure(
        to, "The rim of the acetabulum as a clock face, seen from outside into the cup: 12 is superior, 3 anterior "
            "on either side. A bar is as long as what is missing to the published range; dashed: no range is known.");
  }
  if (r->envelope && r->envelope->flexion_count && r->envelope->adduction_count) {
    begin_figure(to, "envelope");
    syn_svg_envelope(to, r->envelope, syn_report_has_places(r));
    end_figure(
        to,
        syn_report_has_places(r)
            ? "How far the femur turns free of contact at each flexion and adduction, with lines at 0, 10, 20 and "
              "30°. Below 0: it has to turn back. Hatched: no rotation is free."
            : "How far the mobile bodies rotate free of contact at each flexion and adduction, with lines at 0, 10, "
              "20 and 30°. Below 0: they have to rotate back. Hatched: no rotation is free.");
  }
  if (has_curves(r)) {
    begin_figure(to, "curves");
    syn_svg_curves(to, r->motions, r->motion_count);
    end_figure(to, "Along the motions. A gap: the value is not known.");
  }
  if (r->map_count) {
    begin_figure(to, "maps");
    syn_svg_maps(to, r->maps, r->map_count);
    end_figure(to, "Light is high, dark is low, each map on a scale of its own.");
  }
  SYN_TRY(page_images(w->context, to, r, error));
  fputs("</section>\n", to);
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status put_page(FILE *to, const writer *w, syn_error *error) {
  const syn_report *r = w->report;
  syn_page_begin(to, r->title, r->subtitle);
  if (r->subtitle) {
    fputs("<p class=\"subtitle\">", to);
    syn_html_text(to, r->subtitle);
    fputs("</p>\n", to);
  }
  if (r->note_count) /* before the numbers that they concern */
    fprintf(to, "<p class=\"noted\"><a href=\"#notes\">%zu %s</a></p>\n", r->note_count,
            r->note_count == 1 ? "assumption or warning" : "assumptions and warnings");
  syn_page_sentences(to, r->summary, r->summary_count, r->verdict_count);
  syn_page_notes(to, r->notes, r->note_count, "h2");
  syn_page_end_header(to);
  SYN_TRY(put_plots(to, w, error));
  fputs("<section id=\"tables\" aria-label=\"Tables\">\n", to);
  for (size_t i = 0; i < r->table_count; ++i) syn_page_table(to, r, &r->tables[i]);
  fputs("</section>\n", to);
  syn_page_provenance(to, r, w->displays, w->model);
  SYN_TRY(syn_page_model(to, w->model, error));
  for (size_t i = 0; i < w->blobs.count; ++i) syn_blob_put(to, "", i, w->blobs.items[i].text, w->blobs.items[i].length);
  hip_computing_put(to, &w->computing);
  syn_page_end(to);
  return SYN_OK;
}

/* The time-dependent data of a body grows with its vertices times its poses: limits the product. */
static size_t triangles_of(const writer *w, const syn_report_body *body) {
  enum { LEAST_TRIANGLES = 4000, MOST_IN_TIME = 1000000 };
  size_t steps = 0;
  for (size_t i = 0; i < body->vector_count; ++i) steps += body->vectors[i].displaces ? body->vectors[i].steps : 0;
  const size_t most = steps ? MOST_IN_TIME / steps : w->display_triangles;
  const size_t kept = most > LEAST_TRIANGLES ? most : LEAST_TRIANGLES;
  return kept < w->display_triangles ? kept : w->display_triangles;
}

static syn_status make_displays(writer *w, syn_error *error) {
  const size_t count = w->report->body_count;
  syn_arena arena = {.context = w->context};
  const syn_trimesh **surfaces;
  size_t *triangles;
  syn_status status = SYN_NEW_ZEROED(w->context, &w->displays, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &surfaces, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &triangles, count, error);
  if (status == SYN_OK) {
    for (size_t i = 0; i < count; ++i) {
      surfaces[i] = w->report->bodies[i].body.surface;
      triangles[i] = triangles_of(w, &w->report->bodies[i]);
    }
    status = syn_displays_make(w->context, surfaces, triangles, count, w->displays, error);
  }
  syn_arena_release(&arena);
  return status;
}

static syn_status make(writer *w, syn_error *error) {
  if (!syn_progress(w->context, "preparing the report", 0))
    return syn_fail(error, SYN_CANCELLED, "the report was stopped");
  SYN_TRY(make_displays(w, error));
  SYN_TRY(syn_report_model(w->report, w->displays, &w->blobs, &w->model, error));
  SYN_TRY(hip_computing_add(w->report, w->displays, &w->computing, error));
  SYN_TRY(syn_blobs_pack(&w->computing, error));
  return syn_blobs_pack(&w->blobs, error);
}

static void release(writer *w) {
  for (size_t i = 0; w->displays && i < w->report->body_count; ++i) syn_display_release(w->context, &w->displays[i]);
  syn_free(w->context, w->displays);
  syn_blobs_release(&w->blobs);
  syn_blobs_release(&w->computing);
  json_decref(w->model);
}

syn_status syn_report_put(const syn_context *context, const syn_report *report, const syn_report_options *options,
                          FILE *to, syn_error *error) {
  const syn_report_options standard = syn_default_report_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_report_options, error));
  SYN_TRY(syn_report_check(report, error));
  writer w = {.context = context,
              .report = report,
              .display_triangles = options->display_triangles,
              .blobs = {.context = context},
              .computing = {.context = context}};
  syn_status status = make(&w, error);
  if (status == SYN_OK) status = put_page(to, &w, error);
  release(&w);
  return status;
}

syn_status syn_report_write(const syn_context *context, const syn_report *report, const syn_report_options *options,
                            const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  const syn_status status = syn_report_put(context, report, options, output.stream, error);
  if (status == SYN_OK) return syn_output_commit(&output, error);
  syn_output_discard(&output);
  return status;
}
