/* Method "convex": distance or min translation of the convex hulls of two surfaces, one contact. */
#include <float.h>
#include <string.h>

#include "base/vec.h"
#include "collide/convex/convex.h"
#include "collide/method.h"
#include "geometry/closest.h"
#include "mesh/tree/box_tree.h"

/* One body: its surface with a copy of the vertices, their hull, and a tree to find the triangle at a witness point. */
typedef struct part {
  syn_trimesh mesh;
  syn_vec3 *vertices;
  uint32_t *vertex_of_point; /* points of the hull are the vertices that triangles use, … */
  uint32_t point_count;      /* … the max count of hull vertices under any deformation */
  syn_convex *convex;
  syn_box_tree *tree;
} part;

typedef struct state {
  const syn_context *context;
  part parts[2];  /* fixed, mobile */
  bool warned[2]; /* of concavities: once, not after every update */
  syn_convex_options options;
} state;

static const char *side_name(int side) { return side == 0 ? "fixed" : "mobile"; }

static void release_part(const syn_context *context, part *p) {
  syn_box_tree_destroy(p->tree);
  syn_convex_destroy(p->convex);
  syn_free(context, p->vertex_of_point);
  syn_free(context, p->vertices);
  *p = (part){0};
}

/* Creates the hull of the vertices in use; `points` has space for all. */
static syn_status hull_of_used(part *p, syn_vec3 *points, syn_error *error) {
  uint32_t *number = p->vertex_of_point, count = 0;
  memset(number, 0, p->mesh.vertex_count * sizeof *number);
  for (uint32_t t = 0; t < p->mesh.triangle_count; ++t)
    for (int c = 0; c < 3; ++c) number[p->mesh.triangles[t].v[c]] = 1;
  for (uint32_t v = 0; v < p->mesh.vertex_count; ++v) {
    if (!number[v]) continue;
    points[count] = p->vertices[v];
    number[count++] = v; /* count <= v: only entries already read are overwritten */
  }
  p->point_count = count;
  return syn_convex_create(p->mesh.context, points, count, &p->convex, error);
}

static syn_status fill_part(part *p, const char *which, const syn_vec3 *vertices, syn_error *error) {
  const syn_context *context = p->mesh.context;
  syn_vec3 *points;
  if (p->mesh.triangle_count == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the %s surface has no triangles, so that it has no hull", which);
  SYN_TRY(SYN_NEW(context, &p->vertices, p->mesh.vertex_count, error));
  memcpy(p->vertices, vertices, p->mesh.vertex_count * sizeof *vertices);
  p->mesh.vertices = p->vertices;
  SYN_TRY(SYN_NEW(context, &p->vertex_of_point, p->mesh.vertex_count, error));
  SYN_TRY(SYN_NEW(context, &points, p->mesh.vertex_count, error));
  const syn_status status = hull_of_used(p, points, error);
  syn_free(context, points);
  SYN_TRY(status);
  return syn_box_tree_of_mesh(&p->mesh, &p->tree, error);
}

/* Warns, once per body, that its concavities are filled. */
static void warn_of_hollows(state *s, int side) {
  const part *p = &s->parts[side];
  if (s->warned[side]) return;
  const syn_trimesh hull = {.vertex_count = p->convex->vertex_count,
                            .triangle_count = p->convex->triangle_count,
                            .vertices = p->convex->vertices,
                            .triangles = p->convex->triangles};
  const double full = syn_trimesh_mass(&hull).volume_mm3, volume = syn_trimesh_mass(&p->mesh).volume_mm3;
  if (!(fabs(full - volume) > 1e-6 * full)) return;
  s->warned[side] = true;
  syn_warn(p->mesh.context,
           "the %s surface is not convex or not closed: method 'convex' takes its hull, of %.6g mm3 instead of %.6g",
           side_name(side), full, volume);
}

static syn_status make_part(const syn_context *context, const syn_trimesh *surface, const syn_vec3 *vertices, int side,
                            part *made, syn_error *error) {
  *made = (part){.mesh = *surface};
  made->mesh.context = context;
  const syn_status status = fill_part(made, side_name(side), vertices, error);
  if (status != SYN_OK) release_part(context, made);
  return status;
}

static void destroy(void *data) {
  state *s = data;
  release_part(s->context, &s->parts[0]);
  release_part(s->context, &s->parts[1]);
  syn_free(s->context, s);
}

static syn_status create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                         const syn_collide_options *options, void **data, syn_error *error) {
  state *s;
  if (options->convex_algorithm < 0 || options->convex_algorithm >= SYN_CONVEX_ALGORITHMS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no convex algorithm number %d", (int)options->convex_algorithm);
  SYN_TRY(SYN_NEW_ZEROED(context, &s, 1, error));
  s->context = context;
  s->options = syn_default_convex_options();
  s->options.algorithm = options->convex_algorithm;
  const syn_trimesh *surfaces[2] = {fixed->surface, mobile->surface};
  syn_status status = SYN_OK;
  for (int side = 0; side < 2 && status == SYN_OK; ++side)
    status = make_part(context, surfaces[side], surfaces[side]->vertices, side, &s->parts[side], error);
  if (status != SYN_OK) {
    destroy(s);
    return status;
  }
  for (int side = 0; side < 2; ++side) warn_of_hollows(s, side);
  *data = s;
  return SYN_OK;
}

/* Both new parts exist before an old one is destroyed. */
static syn_status update(void *data, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                         syn_error *error) {
  state *s = data;
  const syn_vec3 *vertices[2] = {fixed_vertices, mobile_vertices};
  part made[2] = {0};
  syn_status status = SYN_OK;
  for (int side = 0; side < 2 && status == SYN_OK; ++side)
    if (vertices[side]) status = make_part(s->context, &s->parts[side].mesh, vertices[side], side, &made[side], error);
  for (int side = 0; side < 2; ++side) {
    if (status == SYN_OK && made[side].convex) {
      const part old = s->parts[side];
      s->parts[side] = made[side];
      made[side] = old;
      warn_of_hollows(s, side);
    }
    release_part(s->context, &made[side]);
  }
  return status;
}

static size_t scratch(const void *data) {
  const state *s = data;
  return syn_convex_scratch_for(s->parts[0].point_count, s->parts[1].point_count);
}

/* ---- queries -----------------------------------------------------------------------------------------------------
 */

typedef struct search {
  const syn_trimesh *mesh;
  syn_vec3 point;
  double distance;
  uint32_t triangle;
} search;

static bool visit(void *user, uint32_t triangle) {
  search *s = user;
  const uint32_t *v = s->mesh->triangles[triangle].v;
  const syn_vec3 corners[3] = {s->mesh->vertices[v[0]], s->mesh->vertices[v[1]], s->mesh->vertices[v[2]]};
  const double distance = vec3_distance(s->point, closest_on_triangle(s->point, corners));
  if (distance < s->distance || (distance == s->distance && triangle < s->triangle)) {
    s->distance = distance;
    s->triangle = triangle;
  }
  return true;
}

/* Returns the triangle nearest to a point of the hull: at the point on a convex surface, else beside the concavity. */
static uint32_t nearest_triangle(const part *p, syn_vec3 point) {
  double around = 1e-9 * (vec3_length(point) + p->convex->radius) + DBL_MIN;
  for (; isfinite(around); around *= 8) {
    search s = {.mesh = &p->mesh, .point = point, .distance = INFINITY, .triangle = SYN_NONE};
    const syn_vec3 half = {around, around, around};
    const syn_box box = {vec3_sub(point, half), vec3_add(point, half)};
    syn_box_tree_overlaps(p->tree, &box, visit, &s);
    if (s.distance <= around) return s.triangle;
  }
  return SYN_NONE; /* only for a pose that is not finite */
}

static uint32_t mesh_vertex(const part *p, uint32_t vertex) {
  return p->vertex_of_point[p->convex->point_of_vertex[vertex]];
}

static void query(const void *data, const syn_pose *pose, void *memory, syn_contacts *result) {
  const state *s = data;
  const part *fixed = &s->parts[0], *mobile = &s->parts[1];
  syn_convex_result found;
  syn_convex_query(fixed->convex, mobile->convex, pose, &s->options, NULL, memory, &found);
  const syn_pose back = syn_pose_inverse(pose);
  syn_contact contact = {.depth_mm = -found.distance_mm, .point = found.point_b, .direction = found.direction};
  /* The features that carry the witness points decide the kind of the contact. */
  contact.of = found.count_b == 1   ? SYN_OF_VERTEX_TRIANGLE
               : found.count_a == 1 ? SYN_OF_TRIANGLE_VERTEX
                                    : SYN_OF_TRIANGLE_TRIANGLE;
  contact.fixed_element = contact.of == SYN_OF_TRIANGLE_VERTEX ? mesh_vertex(fixed, found.feature_a[0])
                                                               : nearest_triangle(fixed, found.point_a);
  contact.mobile_element = contact.of == SYN_OF_VERTEX_TRIANGLE
                               ? mesh_vertex(mobile, found.feature_b[0])
                               : nearest_triangle(mobile, syn_pose_point(&back, found.point_b));
  /* Separated bodies report only the clearance. */
  if (found.exit == SYN_CONVEX_COLLIDING) {
    syn_contacts_add(result, &contact);
  } else {
    result->max_depth_mm = contact.depth_mm;
    result->max_vertex = contact.mobile_element;
    result->max_point = contact.point;
  }
}

const syn_method syn_method_convex = {{.name = "convex",
                                       .summary = "distance, or the least translation that parts them, of two convex "
                                                  "bodies (hulls are taken); one contact",
                                       .tells_depth = true},
                                      create,
                                      destroy,
                                      update,
                                      scratch,
                                      query,
                                      SYN_SIDES_IGNORED};
