#include "report/svg/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "report/html.h"

/* The side of the picture in units of the SVG, and in cells of the visibility grid. */
enum { PICTURE = 6000, GRID = 900, MARGIN = 60, ROUNDS = 3 };

typedef struct face {
  double x[3], y[3], z[3];   /* in units of the SVG; z grows toward the viewer */
  uint32_t body, number;     /* `number` is set where faces are sorted */
  float light;               /* 0 to 1 */
  uint32_t covered, nearest; /* cells of the grid that it covers, and those where it is the nearest face */
} face;

typedef struct picture {
  const syn_context *context;
  face *faces;
  size_t count, capacity;
  double scale;    /* units of the SVG per mm */
  syn_vec3 origin; /* projected point at the upper left corner of the picture */
} picture;

/* ---- projection -------------------------------------------------------------------------------------------------- */

static syn_vec3 project(const syn_svg_view *view, syn_vec3 p) {
  return vec3(vec3_dot(p, view->right), -vec3_dot(p, view->up), vec3_dot(p, view->toward));
}

static syn_box projected_bounds(const syn_svg_body *bodies, size_t count, const syn_svg_view *view) {
  syn_box box = box_empty();
  for (size_t b = 0; b < count; ++b)
    for (uint32_t i = 0; i < bodies[b].mesh->vertex_count; ++i)
      box_add(&box, project(view, syn_pose_point(&bodies[b].pose, bodies[b].mesh->vertices[i])));
  return box;
}

/* Light comes from above, a little from the left and from the viewer; a min brightness keeps faces from being black. */
static float light_on(syn_vec3 normal, const syn_svg_view *view) {
  const syn_vec3 lamp =
      vec3_unit(vec3_add(vec3_scale(view->toward, 1), vec3_madd(vec3_scale(view->up, 0.7), -0.5, view->right)));
  const double direct = fmax(0, vec3_dot(normal, lamp)), facing = fmax(0, vec3_dot(normal, view->toward));
  return (float)fmin(1, 0.28 + 0.55 * direct + 0.22 * facing);
}

/* Adds the faces of a body that face the viewer. */
static syn_status add_body(picture *p, const syn_svg_body *body, uint32_t number, const syn_svg_view *view,
                           syn_error *error) {
  const syn_trimesh *mesh = body->mesh;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = syn_pose_point(&body->pose, mesh->vertices[mesh->triangles[t].v[k]]);
    const syn_vec3 normal = vec3_unit(vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
    if (!(vec3_dot(normal, view->toward) > 0)) continue;
    SYN_TRY(SYN_RESERVE(p->context, &p->faces, p->count, 1, &p->capacity, error));
    face *f = &p->faces[p->count++];
    *f = (face){.body = number, .light = light_on(normal, view)};
    for (int k = 0; k < 3; ++k) {
      const syn_vec3 q = project(view, corner[k]);
      f->x[k] = (q.x - p->origin.x) * p->scale;
      f->y[k] = (q.y - p->origin.y) * p->scale;
      f->z[k] = q.z * p->scale;
    }
  }
  return SYN_OK;
}

/* ---- visibility -------------------------------------------------------------------------------------------------- */

/* A depth buffer with the nearest face per cell, so that hidden faces are not written. */
typedef struct grid {
  float *depth;      /* valid where a cell has a face */
  uint32_t *nearest; /* SYN_NONE: no face */
} grid;

static int clamp_cell(double x) { return x < 0 ? 0 : x > GRID - 1 ? GRID - 1 : (int)x; }

/* Narrows a row of cells, beginning at `x0`, to the cells in which `slope` times the position plus `at` is not
 * negative, plus two cells for rounding. A slope below `least` is ignored. */
static void narrow(double slope, double at, double least, double x0, int *left, int *right) {
  if (fabs(slope) <= least) return;
  const double x = x0 - 0.5 - at / slope;
  if (slope > 0 && x - 2 > *left) *left = x - 2 < *right ? (int)(x - 2) : *right + 1;
  if (slope < 0 && x + 2 < *right) *right = x + 2 > *left ? (int)(x + 2) : *left - 1;
}

/* Rasterises a face, and updates for all faces the number of cells in which they are the nearest. */
static void put_in_grid(grid *g, face *faces, uint32_t number) {
  face *f = &faces[number];
  /* The triangle in cells of the grid, from its first vertex. */
  const double cell = (double)PICTURE / GRID;
  const double x0 = f->x[0] / cell, y0 = f->y[0] / cell;
  const double ax = f->x[1] / cell - x0, ay = f->y[1] / cell - y0, bx = f->x[2] / cell - x0, by = f->y[2] / cell - y0;
  const double area = ax * by - ay * bx, way = area > 0 ? 1 : -1;
  f->covered = f->nearest = 0;
  if (area == 0) return;
  const int left = clamp_cell(fmin(x0, fmin(x0 + ax, x0 + bx))), right = clamp_cell(fmax(x0, fmax(x0 + ax, x0 + bx)));
  const int top = clamp_cell(fmin(y0, fmin(y0 + ay, y0 + by))), low = clamp_cell(fmax(y0, fmax(y0 + ay, y0 + by)));
  for (int y = top; y <= low; ++y) {
    const double py = y + 0.5 - y0, py_bx = py * bx, ax_py = ax * py;
    const double least = 1e-12 * (fabs(ax * by) + fabs(ay * bx) + fabs(py_bx) + fabs(ax_py));
    /* Narrow the row to the triangle's three edges. */
    int from = left, to = right;
    narrow(way * by, -way * py_bx, least, x0, &from, &to);
    narrow(-way * ay, way * ax_py, least, x0, &from, &to);
    narrow(way * (ay - by), way * (area + py_bx - ax_py), least, x0, &from, &to);
    for (int x = from; x <= to; ++x) {
      /* Skip cells whose barycentric coordinates are outside. */
      const double px = x + 0.5 - x0, u = (px * by - py_bx) / area;
      if (u < 0 || u > 1) continue;
      const double v = (ax_py - ay * px) / area;
      if (v < 0 || u + v > 1) continue;
      ++f->covered;
      const float z = (float)(f->z[0] + u * (f->z[1] - f->z[0]) + v * (f->z[2] - f->z[0]));
      const size_t at = (size_t)y * GRID + (size_t)x;
      /* Depth test: a nearer face takes the cell from the previous one. */
      if (g->nearest[at] != SYN_NONE) {
        if (z <= g->depth[at]) continue;
        --faces[g->nearest[at]].nearest;
      }
      ++f->nearest;
      g->depth[at] = z;
      g->nearest[at] = number;
    }
  }
}

/* Counts, for every face, the cells in which it is the nearest. */
static void count_seen(picture *p, grid *g) {
  memset(g->nearest, 0xff, (size_t)GRID * GRID * sizeof *g->nearest); /* SYN_NONE */
  for (size_t i = 0; i < p->count; ++i) put_in_grid(g, p->faces, (uint32_t)i);
}

/* Returns one of the four quarters of a face: quarter k < 3 keeps vertex k, the last is the middle one. */
static face quarter_of(const face *f, int k) {
  face q = *f;
  for (int i = 0; i < 3; ++i) {
    const int a = k == 3 ? i : k, b = k == 3 ? (i + 1) % 3 : i;
    q.x[i] = (f->x[a] + f->x[b]) / 2;
    q.y[i] = (f->y[a] + f->y[b]) / 2;
    q.z[i] = (f->z[a] + f->z[b]) / 2;
  }
  return q;
}

/* A partly hidden face has no correct place in the drawing order: it is split into four. */
static syn_status split_half_hidden(picture *p, syn_error *error) {
  const size_t count = p->count;
  for (size_t i = 0; i < count; ++i) {
    const face whole = p->faces[i];
    if (whole.nearest == 0 || whole.nearest == whole.covered) continue;
    SYN_TRY(SYN_RESERVE(p->context, &p->faces, p->count, 3, &p->capacity, error));
    for (int k = 0; k < 3; ++k) p->faces[p->count++] = quarter_of(&whole, k);
    p->faces[i] = quarter_of(&whole, 3);
  }
  return SYN_OK;
}

/* Omits hidden faces, and splits those that are partly hidden. */
static syn_status find_seen(picture *p, syn_error *error) {
  const size_t cells = (size_t)GRID * GRID;
  grid g = {0};
  syn_status status = SYN_NEW(p->context, &g.depth, cells, error);
  if (status == SYN_OK) status = SYN_NEW(p->context, &g.nearest, cells, error);
  for (int round = 0; status == SYN_OK && round < ROUNDS; ++round) {
    const size_t before = p->count;
    if (round > 0) status = split_half_hidden(p, error);
    if (round > 0 && p->count == before) break; /* nothing was split: the counts would be the same */
    if (status == SYN_OK) count_seen(p, &g);
  }
  syn_free(p->context, g.depth);
  syn_free(p->context, g.nearest);
  return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static double face_depth(const face *f) { return f->z[0] + f->z[1] + f->z[2]; }

/* Far faces first; equal depths are ordered by number, so that the file is the same on every platform. */
/* Faces of a plane side have equal depth: without the number their order would depend on qsort. */
static int compare_depth(const void *a, const void *b) {
  const face *f = a, *g = b;
  const double df = face_depth(f), dg = face_depth(g);
  if (df != dg) return df < dg ? -1 : 1;
  if (f->x[0] != g->x[0]) return f->x[0] < g->x[0] ? -1 : 1;
  if (f->y[0] != g->y[0]) return f->y[0] < g->y[0] ? -1 : 1;
  return (f->number > g->number) - (f->number < g->number);
}

static void put_face(FILE *to, const face *f, const syn_svg_body *bodies) {
  unsigned color[3];
  for (int i = 0; i < 3; ++i)
    color[i] = (unsigned)lround(bodies[f->body].color[i] * pow((double)f->light, 0.8)); /* a soft roll-off looks matt */
  long x[3], y[3];
  for (int k = 0; k < 3; ++k) {
    x[k] = lround(f->x[k]);
    y[k] = lround(f->y[k]);
  }
  fprintf(to, "<path color='#%02x%02x%02x' d='M%ld %ldl%ld %ld %ld %ldz'/>\n", color[0], color[1], color[2], x[0], y[0],
          x[1] - x[0], y[1] - y[0], x[2] - x[1], y[2] - y[1]);
}

static void put_picture(FILE *to, const picture *p, const syn_svg_body *bodies, const char *label) {
  fputs("<svg role='img' aria-label='", to);
  syn_html_text(to, label);
  fprintf(to,
          "' viewBox='0 0 %d %d' xmlns='http://www.w3.org/2000/svg'>\n"
          "<g fill='currentColor' stroke='currentColor' stroke-width='18' stroke-linejoin='round'>\n",
          PICTURE, PICTURE);
  for (size_t i = 0; i < p->count; ++i)
    if (p->faces[i].nearest) put_face(to, &p->faces[i], bodies);
  fputs("</g></svg>\n", to);
}

double syn_svg_mm_across(const syn_svg_body *bodies, size_t count, const syn_svg_view *view) {
  const syn_box box = projected_bounds(bodies, count, view);
  return fmax(box.max.x - box.min.x, box.max.y - box.min.y) * PICTURE / (PICTURE - 2 * MARGIN);
}

syn_status syn_svg_draw(const syn_context *context, FILE *to, const syn_svg_body *bodies, size_t count,
                        const syn_svg_view *view, double mm_across, const char *label, syn_error *error) {
  if (!(mm_across > 0) || !isfinite(mm_across)) return syn_fail(error, SYN_BAD_MESH, "there is nothing to draw");
  const syn_box box = projected_bounds(bodies, count, view);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  picture p = {.context = context,
               .scale = PICTURE / mm_across,
               .origin = vec3(middle.x - mm_across / 2, middle.y - mm_across / 2, 0)};
  syn_status status = SYN_OK;
  for (size_t i = 0; status == SYN_OK && i < count; ++i) status = add_body(&p, &bodies[i], (uint32_t)i, view, error);
  if (status == SYN_OK) status = find_seen(&p, error);
  if (status == SYN_OK) {
    for (size_t i = 0; i < p.count; ++i) p.faces[i].number = (uint32_t)i;
    if (p.count) qsort(p.faces, p.count, sizeof *p.faces, compare_depth);
    put_picture(to, &p, bodies, label);
  }
  syn_free(context, p.faces);
  return status;
}
