/* Writes the page of one report: everything is made in memory first, then written at once. */
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "report/hip/computing.h"
#include "report/html.h"
#include "report/page_model.h"
#include "report/page_parts.h"
#include "report/page_write.h"
#include "report/sources.h"
#include "report/svg/plot.h"

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
    syn_svg_envelope(to, r->envelope);
    end_figure(
        to, "How far the femur turns free of contact at each flexion and adduction, with lines at 0, 10, 20 and 30°. "
            "Below 0: it has to turn back. Hatched: no rotation is free.");
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
  SYN_TRY(syn_page_images(w->context, to, r, error));
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
  syn_hip_computing_put(to, &w->computing);
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
  SYN_TRY(syn_hip_computing_add(w->report, w->displays, &w->computing, error));
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
