/* Draws still pictures of the bodies, for paper and for pages without scripts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "mesh/remesh/decimate.h"
#include "report/display.h"
#include "report/html.h"
#include "report/page_model.h"
#include "report/page_parts.h"
#include "report/svg/svg.h"

/* Enough for a picture of this size, and few enough for a small page. */
enum { PICTURE_TRIANGLES = 5000, MOST_PICTURES = 3 };

typedef struct picture {
  syn_svg_view view;
  const syn_report_motion *motion; /* its last pose is shown; NULL: bodies in mesh position */
  char label[256];
  syn_svg_body *bodies;   /* in that pose */
  syn_trimesh **deformed; /* by body; NULL if it does not deform */
  syn_memory_stream drawing;
} picture;

typedef struct gallery {
  const syn_context *context;
  const syn_report *report;
  const syn_display *displays;
  syn_trimesh **meshes; /* by body, in mesh position */
  double mm_across;     /* one scale for all */
  picture pictures[MOST_PICTURES];
  size_t picture_count;
} gallery;

static void add(gallery *g, syn_svg_view view, const syn_report_motion *motion, const char *label, const char *more) {
  picture *p = &g->pictures[g->picture_count++];
  *p = (picture){.view = view, .motion = motion};
  snprintf(p->label, sizeof p->label, "%s%s", label, more);
}

/* From the front, the patient's right is on the left of the picture. */
static void choose(gallery *g) {
  const syn_report *r = g->report;
  const syn_report_frame f = syn_report_frame_of(r);
  const bool left = f.side == SYN_SIDE_LEFT;
  const syn_svg_view front = {vec3_neg(f.right), f.up, f.forward};
  const syn_svg_view side =
      left ? (syn_svg_view){vec3_neg(f.forward), f.up, vec3_neg(f.right)} : (syn_svg_view){f.forward, f.up, f.right};
  /* Without a hip the anatomical directions are unknown: only the axes can be named. */
  const char *from_front = r->hip ? "From the front" : r->joint ? "Along the second axis" : "Seen against the y axis";
  const char *from_side = r->joint  ? "Along the first axis"
                          : !r->hip ? "Seen against the x axis"
                          : left    ? "From the patient’s left"
                                    : "From the patient’s right";
  add(g, front, NULL, from_front, "");
  add(g, side, NULL, from_side, "");
  for (size_t i = 0; i < r->motion_count; ++i) {
    const syn_report_motion *m = &r->motions[i];
    if (m->pose_count < 2) continue;
    char quantity[96], more[224];
    snprintf(more, sizeof more, ": %.80s at %s", m->label ? m->label : m->name,
             syn_shown_quantity(m->along[m->pose_count - 1], m->along_unit, quantity));
    add(g, side, m, from_side, more);
    return;
  }
}

/* Returns the displacement of the body during the motion; NULL: none. */
static const syn_report_vectors *displacement(const syn_report_body *body, const syn_report_motion *motion) {
  for (size_t i = 0; motion && i < body->vector_count; ++i) {
    const syn_report_vectors *v = &body->vectors[i];
    if (v->displaces && v->motion && strcmp(v->motion, motion->name) == 0) return v;
  }
  return NULL;
}

/* Returns the body at the end of the motion. */
static syn_status deform(const gallery *g, size_t i, const syn_report_vectors *by, syn_trimesh **mesh,
                         syn_error *error) {
  const syn_display *display = &g->displays[i];
  const size_t last = (by->steps - 1) * g->report->bodies[i].body.surface->vertex_count;
  syn_vec3 *places;
  double ignored;
  SYN_TRY(SYN_NEW(g->context, &places, display->mesh->vertex_count, error));
  for (uint32_t v = 0; v < display->mesh->vertex_count; ++v)
    places[v] = vec3_add(display->mesh->vertices[v], by->values[last + display->source[v]]);
  syn_trimesh *whole;
  syn_status status = syn_trimesh_create(g->context, places, display->mesh->vertex_count, display->mesh->triangles,
                                         display->mesh->triangle_count, &whole, error);
  syn_free(g->context, places);
  SYN_TRY(status);
  status = syn_decimate_mapped(whole, PICTURE_TRIANGLES, false, mesh, NULL, &ignored, error);
  syn_trimesh_destroy(whole);
  return status;
}

static syn_status place_bodies(const gallery *g, picture *p, syn_error *error) {
  SYN_TRY(SYN_NEW(g->context, &p->bodies, g->report->body_count, error));
  SYN_TRY(SYN_NEW_ZEROED(g->context, &p->deformed, g->report->body_count, error));
  for (size_t i = 0; i < g->report->body_count; ++i) {
    const syn_report_body *body = &g->report->bodies[i];
    const syn_report_motion *motion = body->body.moves ? p->motion : NULL;
    const syn_report_vectors *by = displacement(body, p->motion);
    if (by) SYN_TRY(deform(g, i, by, &p->deformed[i], error));
    p->bodies[i] =
        (syn_svg_body){.mesh = by ? p->deformed[i] : g->meshes[i],
                       .pose = motion ? *syn_report_pose(motion, motion->pose_count - 1, i) : syn_pose_identity()};
    syn_report_body_color(body, p->bodies[i].color);
  }
  return SYN_OK;
}

static void put_swatches(FILE *to, const syn_report *report) {
  for (size_t i = 0; i < report->body_count; ++i) {
    unsigned char color[3];
    syn_report_body_color(&report->bodies[i], color);
    fprintf(to,
            " <span class=\"named\"><svg class=\"swatch\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect width=\"1\" "
            "height=\"1\" fill=\"#%02x%02x%02x\"/></svg>",
            color[0], color[1], color[2]);
    syn_html_text(to, report->bodies[i].label ? report->bodies[i].label : report->bodies[i].body.name);
    fputs("</span>", to);
  }
}

static syn_status draw(void *user, size_t i, syn_error *error) {
  gallery *g = user;
  picture *p = &g->pictures[i];
  SYN_TRY(syn_memory_open(&p->drawing, error));
  const syn_status status = syn_svg_draw(g->context, p->drawing.stream, p->bodies, g->report->body_count, &p->view,
                                         g->mm_across, p->label, error);
  const syn_status closed = syn_memory_close(&p->drawing, status == SYN_OK ? error : NULL);
  return status != SYN_OK ? status : closed;
}

static void put_picture(const gallery *g, size_t i, FILE *to) {
  const picture *p = &g->pictures[i];
  fputs("<figure data-plot=\"view\">", to);
  fwrite(p->drawing.bytes, 1, p->drawing.size, to);
  fputs("<figcaption>", to);
  syn_html_text(to, p->label);
  if (i == 0) {
    fputs(".", to);
    put_swatches(to, g->report);
  }
  fputs("</figcaption></figure>\n", to);
}

static syn_status put_pictures(gallery *g, FILE *to, syn_error *error) {
  for (size_t i = 0; i < g->picture_count; ++i) {
    picture *p = &g->pictures[i];
    SYN_TRY(place_bodies(g, p, error));
    g->mm_across = fmax(g->mm_across, syn_svg_mm_across(p->bodies, g->report->body_count, &p->view));
  }
  if (!(g->mm_across > 0) || !isfinite(g->mm_across)) return SYN_OK;
  SYN_TRY(syn_parallel_tasks(g->context, g->picture_count, draw, g, error));
  for (size_t i = 0; i < g->picture_count; ++i) put_picture(g, i, to);
  return SYN_OK;
}

static syn_status make_mesh(void *user, size_t i, syn_error *error) {
  const gallery *g = user;
  double ignored;
  return syn_decimate_mapped(g->displays[i].mesh, PICTURE_TRIANGLES, false, &g->meshes[i], NULL, &ignored, error);
}

static void release(gallery *g) {
  for (size_t i = 0; i < g->picture_count; ++i) {
    picture *p = &g->pictures[i];
    for (size_t k = 0; p->deformed && k < g->report->body_count; ++k) syn_trimesh_destroy(p->deformed[k]);
    syn_free(g->context, p->deformed);
    syn_free(g->context, p->bodies);
    free(p->drawing.bytes);
  }
  for (size_t i = 0; g->meshes && i < g->report->body_count; ++i) syn_trimesh_destroy(g->meshes[i]);
  syn_free(g->context, g->meshes);
}

syn_status syn_page_views(const syn_context *context, FILE *to, const syn_report *report, const syn_display *displays,
                          syn_error *error) {
  gallery g = {.context = context, .report = report, .displays = displays};
  SYN_TRY(SYN_NEW_ZEROED(context, &g.meshes, report->body_count, error));
  syn_status status = syn_parallel_tasks(context, report->body_count, make_mesh, &g, error);
  if (status == SYN_OK) {
    choose(&g);
    status = put_pictures(&g, to, error);
  }
  release(&g);
  return status;
}
