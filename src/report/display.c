#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "mesh/remesh/decimate.h"
#include "mesh/remesh/meshopt_memory.h"
#include "report/display.h"

/* ---- distance of the surfaces ------------------------------------------------------------------------------------ */

/* Points of one surface, and the distance of each to the other one. */
typedef struct places {
  const syn_trimesh *mesh;
  const syn_surface_tree *other;
  bool middles; /* points are centres of triangles; else vertices */
  double *distance2;
} places;

static syn_vec3 middle_of(const syn_trimesh *mesh, size_t t) {
  const uint32_t *v = mesh->triangles[t].v;
  syn_vec3 sum = vec3_scale(mesh->vertices[v[0]], 1.0 / 3);
  for (int c = 1; c < 3; ++c) sum = vec3_madd(sum, 1.0 / 3, mesh->vertices[v[c]]);
  return sum;
}

static void measure_places(void *user, size_t begin, size_t end) {
  const places *p = user;
  for (size_t i = begin; i < end; ++i) {
    syn_nearest nearest;
    const syn_vec3 place = p->middles ? middle_of(p->mesh, i) : p->mesh->vertices[i];
    p->other->search(p->other, place, INFINITY, &nearest);
    p->distance2[i] = nearest.at.distance2;
  }
}

/* Raises *farthest to the distance of `mesh` from `other`. */
static syn_status add_distance(const syn_context *context, const syn_trimesh *mesh, const syn_trimesh *other,
                               bool middles, double *farthest, syn_error *error) {
  enum { GRAIN = 256 };
  const size_t count = middles ? mesh->triangle_count : mesh->vertex_count;
  places p = {.mesh = mesh, .middles = middles};
  syn_derived *surface;
  SYN_TRY(syn_derive(other, &syn_derive_surface, &surface, error));
  p.other = derived_surface(surface);
  const syn_status status = SYN_NEW(context, &p.distance2, count, error);
  if (status == SYN_OK) {
    syn_parallel_for(context, count, GRAIN, measure_places, &p);
    for (size_t i = 0; i < count; ++i) *farthest = fmax(*farthest, sqrt(p.distance2[i]));
  }
  syn_free(context, p.distance2);
  syn_derived_release(surface);
  return status;
}

/* Measures both ways: removed vertices are farthest from the new surface, centres of new triangles farthest from the
 * old one. */
static syn_status measure_error(const syn_context *context, const syn_trimesh *analysed, syn_display *display,
                                syn_error *error) {
  if (display->mesh->triangle_count == 0) return SYN_OK;
  SYN_TRY(add_distance(context, analysed, display->mesh, false, &display->error_mm, error));
  return add_distance(context, display->mesh, analysed, true, &display->error_mm, error);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Orders triangles for a vertex cache, and vertices by their first use, so that differences between neighbours become
 * small. */
static syn_status order(const syn_context *context, syn_display *display, syn_error *error) {
  const syn_trimesh *mesh = display->mesh;
  const size_t corners = 3 * (size_t)mesh->triangle_count, vertices = mesh->vertex_count;
  syn_arena arena = {.context = context};
  syn_triangle *triangles;
  syn_vec3 *shown;
  uint32_t *remap, *source = NULL;
  syn_trimesh *ordered = NULL;
  syn_meshopt_memory memory = {0};
  syn_status status = SYN_TAKE(&arena, &triangles, mesh->triangle_count + 1, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &remap, vertices + 1, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &shown, vertices + 1, error);
  if (status == SYN_OK) status = SYN_NEW(context, &source, vertices, error);
  if (status == SYN_OK) status = syn_meshopt_reserve(context, vertices, corners / 3, &memory, error);
  if (status == SYN_OK) {
    size_t used = 0;
    if (corners) {
      syn_meshopt_begin(&memory);
      meshopt_optimizeVertexCache(triangles->v, mesh->triangles->v, corners, vertices);
      used = meshopt_optimizeVertexFetchRemap(remap, triangles->v, corners, vertices);
      syn_meshopt_end();
      for (size_t i = 0; i < corners; ++i) triangles[i / 3].v[i % 3] = remap[triangles[i / 3].v[i % 3]];
      for (size_t v = 0; v < vertices; ++v) {
        if (remap[v] == SYN_NONE) continue; /* not used by any triangle */
        shown[remap[v]] = mesh->vertices[v];
        source[remap[v]] = display->source[v];
      }
    }
    status = syn_trimesh_create(context, shown, used, triangles, corners / 3, &ordered, error);
  }
  syn_meshopt_release(&memory);
  syn_arena_release(&arena);
  if (status != SYN_OK) {
    syn_free(context, source);
    return status;
  }
  syn_trimesh_destroy(display->mesh);
  syn_free(context, display->source);
  display->mesh = ordered;
  display->source = source;
  return SYN_OK;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

typedef struct making {
  const syn_context *context;
  const syn_trimesh *const *analysed;
  const size_t *most_triangles;
  syn_display *displays;
} making;

static bool has_less(const making *m, size_t i) {
  return m->displays[i].mesh && m->displays[i].mesh->triangle_count < m->analysed[i]->triangle_count;
}

static syn_status decimate(void *user, size_t i, syn_error *error) {
  const making *m = user;
  syn_display *display = &m->displays[i];
  if (!m->analysed[i]) return SYN_OK;
  const size_t most = m->most_triangles[i];
  syn_trimesh view = *m->analysed[i];
  view.context = m->context; /* this call owns what it allocates */
  SYN_TRY(syn_decimate_mapped(&view, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, false, &display->mesh,
                              &display->source, &display->error_mm, error));
  if (!has_less(m, i) || display->mesh->triangle_count == 0) return SYN_OK;
  syn_derived *surface; /* for distances to it: prepared here, since several are measured at once */
  SYN_TRY(syn_derive(display->mesh, &syn_derive_surface, &surface, error));
  syn_derived_release(surface);
  return SYN_OK;
}

static syn_status order_one(void *user, size_t i, syn_error *error) {
  const making *m = user;
  return m->displays[i].mesh ? order(m->context, &m->displays[i], error) : SYN_OK;
}

syn_status syn_displays_make(const syn_context *context, const syn_trimesh *const *analysed,
                             const size_t *most_triangles, size_t count, syn_display *displays, syn_error *error) {
  making m = {context, analysed, most_triangles, displays};
  for (size_t i = 0; i < count; ++i) displays[i] = (syn_display){0};
  syn_status status = syn_parallel_tasks(context, count, decimate, &m, error);
  for (size_t i = 0; i < count && status == SYN_OK; ++i)
    if (has_less(&m, i)) status = measure_error(context, analysed[i], &displays[i], error);
  if (status == SYN_OK) status = syn_parallel_tasks(context, count, order_one, &m, error);
  for (size_t i = 0; i < count && status != SYN_OK; ++i) syn_display_release(context, &displays[i]);
  return status;
}

void syn_display_release(const syn_context *context, syn_display *display) {
  syn_trimesh_destroy(display->mesh);
  syn_free(context, display->source);
  *display = (syn_display){0};
}

/* The first two are for fixed and mobile bones. */
static const unsigned char bones[][3] = {{222, 226, 230}, {240, 219, 184}, {198, 214, 196},
                                         {226, 200, 190}, {190, 206, 226}, {224, 214, 160}};
static const unsigned char moving_cartilage[3] = {132, 200, 168};
static const unsigned char tissues[][3] = {[SYN_TISSUE_CARTILAGE] = {110, 178, 214},
                                           [SYN_TISSUE_LABRUM] = {226, 120, 96},
                                           [SYN_TISSUE_LIGAMENT] = {214, 196, 120},
                                           [SYN_TISSUE_MUSCLE] = {176, 84, 84},
                                           [SYN_TISSUE_TRANSITION_ZONE] = {168, 149, 155}};

void syn_report_body_color(const syn_report_body *body, unsigned char color[3]) {
  const bool given = body->color[0] || body->color[1] || body->color[2];
  const unsigned char *tissue = tissues[body->body.tissue];
  if (body->body.tissue == SYN_TISSUE_BONE) tissue = bones[body->body.moves];
  if (body->body.tissue == SYN_TISSUE_CARTILAGE && body->body.moves) tissue = moving_cartilage;
  memcpy(color, given ? body->color : tissue, 3);
}

void syn_report_bone_color(size_t number, unsigned char color[3]) {
  memcpy(color, bones[number % (sizeof bones / sizeof *bones)], 3);
}

void syn_report_scene_color(const syn_report_body *body, float color[4]) {
  unsigned char srgb[3];
  syn_report_body_color(body, srgb);
  for (int i = 0; i < 3; ++i) {
    const double c = srgb[i] / 255.0;
    color[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  color[3] = 1;
}

static syn_vec3 middle_of_bodies(const syn_report *report) {
  syn_box box = box_empty();
  for (size_t i = 0; i < report->body_count; ++i) {
    if (report->bodies[i].body.surface->vertex_count == 0) continue;
    const syn_box one = syn_trimesh_bounds(report->bodies[i].body.surface);
    box_add(&box, one.min);
    box_add(&box, one.max);
  }
  return box.min.x <= box.max.x ? vec3_lerp(box.min, box.max, 0.5) : vec3(0, 0, 0);
}

syn_report_frame syn_report_frame_of(const syn_report *report) {
  const syn_hip *hip = report->hip;
  syn_report_frame frame = {SYN_SIDE_RIGHT, middle_of_bodies(report), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  if (hip) {
    const double sign = hip->side == SYN_SIDE_LEFT ? -1 : 1; /* see syn_hip_axes */
    frame.side = hip->side;
    if (vec3_finite(hip->center)) frame.center = hip->center;
    frame.right = hip->pelvis_axes.flexion;
    frame.forward = vec3_scale(hip->pelvis_axes.adduction, sign);
    frame.up = vec3_scale(hip->pelvis_axes.rotation, sign);
  }
  if (report->joint) {
    frame.center = report->joint->center;
    frame.right = report->joint->axes.flexion;
    frame.forward = report->joint->axes.adduction;
    frame.up = report->joint->axes.rotation;
  }
  frame.cup = vec3_unit(report->cup_normal);
  if (vec3_equal(frame.cup, vec3(0, 0, 0))) { /* not given: a cup opens outward, down and a little forward */
    const syn_vec3 outward = frame.side == SYN_SIDE_LEFT ? vec3_neg(frame.right) : frame.right;
    frame.cup = vec3_unit(vec3_madd(vec3_madd(vec3_scale(outward, 0.72), -0.62, frame.up), 0.31, frame.forward));
  }
  return frame;
}
