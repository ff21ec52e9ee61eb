/* Method "sliding-hash": spherical sliding (Maciel 2005). Each mobile vertex is compared with the triangle stored in
 * the cell of its direction: it has penetrated if it is farther from the centre than the triangle's centre (nearer,
 * where the fixed body is inside).
 *
 * Approximate. Where several triangles share a cell the last one stays; empty cells report no contact; and the
 * depth is wrong by as much as the radius changes between vertex and triangle centre. Kept beside the exact radial
 * method so that its published figures can be repeated. */
#include "collide/published/sliding_hash.h"

#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "collide/published/published.h"
#include "collide/radial/radial_field.h"
#include "collide/radial/radial_layers.h"

uint32_t syn_sliding_cell(uint32_t side, syn_vec3 direction) {
  const double most = side - 1, theta = atan2(direction.y, direction.x),
               phi = acos(max2(-1, min2(direction.z / vec3_length(direction), 1)));
  const double row = theta * most / (2 * SYN_PI) + most / 2, column = phi * most / SYN_PI;
  return (uint32_t)max2(row, 0) * side + (uint32_t)min2(column, most);
}

typedef struct sliding {
  const syn_context *context;
  const syn_trimesh *fixed, *mobile;
  syn_vec3 center;
  bool outside, use_normals;
  uint32_t side;
  size_t overwritten;
  uint32_t *cells;    /* triangle of each cell, SYN_NONE: empty */
  double *radius;     /* of the centre of each triangle */
  syn_vec3 *vertices; /* mobile vertices before the pose */
} sliding;

static void destroy_sliding_hash(void *pointer) {
  sliding *s = pointer;
  syn_free(s->context, s->cells);
  syn_free(s->context, s->radius);
  syn_free(s->context, s->vertices);
  syn_free(s->context, s);
}

/* Fills the table (Algorithm 3). With normals only triangles that face the mobile body take part (Fig. 4.17). */
static void fill_cells(sliding *s, const syn_vec3 *places) {
  s->overwritten = 0;
  for (size_t cell = 0; cell < (size_t)s->side * s->side; ++cell) s->cells[cell] = SYN_NONE;
  for (uint32_t t = 0; t < s->fixed->triangle_count; ++t) {
    const uint32_t *v = s->fixed->triangles[t].v;
    const syn_vec3 a = vec3_sub(places[v[0]], s->center), b = vec3_sub(places[v[1]], s->center),
                   c = vec3_sub(places[v[2]], s->center);
    const syn_vec3 middle = vec3_scale(vec3_add(a, vec3_add(b, c)), 1.0 / 3);
    const double facing = vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), middle);
    s->radius[t] = vec3_length(middle);
    if (!radial_has_direction(s->radius[t]) || (s->use_normals && !(s->outside ? facing < 0 : facing > 0))) continue;
    uint32_t *cell = &s->cells[syn_sliding_cell(s->side, middle)];
    s->overwritten += *cell != SYN_NONE;
    *cell = t;
  }
}

static void set_vertices(sliding *s, const syn_vec3 *vertices) {
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) s->vertices[v] = vertices[v];
}

static syn_status build_table(sliding *s, const syn_collide_options *options, syn_error *error) {
  if (options->table_size > 1u << 26)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a table of %u cells is too large; at most %u", options->table_size,
                    1u << 26);
  s->center = options->center;
  s->outside = options->fixed_outside;
  s->use_normals = options->use_normals;
  /* one cell per triangle, and no fewer than Maciel 2005, §4.3.3.2 */
  const double cells = options->table_size ? options->table_size : max2(s->fixed->triangle_count, 40 * 40);
  s->side = (uint32_t)max2(2, floor(sqrt(cells)));
  SYN_TRY(SYN_NEW(s->context, &s->cells, (size_t)s->side * s->side, error));
  SYN_TRY(SYN_NEW(s->context, &s->radius, s->fixed->triangle_count, error));
  SYN_TRY(SYN_NEW(s->context, &s->vertices, s->mobile->vertex_count, error));
  fill_cells(s, s->fixed->vertices);
  set_vertices(s, s->mobile->vertices);
  return SYN_OK;
}

static syn_status make_sliding(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                               const syn_collide_options *options, void **result, syn_error *error) {
  sliding *s;
  SYN_TRY(SYN_NEW_ZEROED(context, &s, 1, error));
  *s = (sliding){.context = context, .fixed = fixed, .mobile = mobile};
  return syn_method_keep(build_table(s, options, error), s, destroy_sliding_hash, result);
}

static syn_status create_sliding_hash(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                      const syn_collide_options *options, void **result, syn_error *error) {
  SYN_TRY(syn_radial_check_options(options, error));
  SYN_TRY(make_sliding(context, fixed->surface, mobile->surface, options, result, error));
  const syn_status status = syn_radial_warn_of_layers(context, "sliding-hash", fixed->surface, options, error);
  if (status != SYN_OK) {
    destroy_sliding_hash(*result);
    return status;
  }
  syn_radial_warn_of_roles(context, fixed->surface, mobile->surface, options);
  return SYN_OK;
}

/* Updates the positions and refills the table. A deformation along the rays would keep it, but testing for that costs
 * as much as filling. */
static syn_status update_sliding_hash(void *pointer, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  (void)error;
  sliding *s = pointer;
  if (fixed) fill_cells(s, fixed);
  if (mobile) set_vertices(s, mobile);
  return SYN_OK;
}

/* ---- looking up ----------------------------------------------------------------------------------------------------
 */

typedef struct look_up {
  const sliding *s;
  const syn_pose *pose;
  double *depth;
  uint32_t *triangle;
} look_up;

/* Tests vertices against their cells (Algorithm 4). */
static void look_at_vertices(void *user, size_t begin, size_t end) {
  const look_up *job = user;
  const sliding *s = job->s;
  for (size_t v = begin; v < end; ++v) {
    const syn_vec3 at = vec3_sub(syn_pose_point(job->pose, s->vertices[v]), s->center);
    const double radius = vec3_length(at);
    const uint32_t triangle = radial_has_direction(radius) ? s->cells[syn_sliding_cell(s->side, at)] : SYN_NONE;
    job->triangle[v] = triangle;
    job->depth[v] = triangle == SYN_NONE ? (double)-INFINITY : (s->outside ? 1 : -1) * (radius - s->radius[triangle]);
  }
}

static void look_up_cells(const sliding *s, const syn_pose *pose, double *depth, uint32_t *triangle) {
  look_up job = {s, pose, depth, triangle};
  syn_parallel_for(s->context, s->mobile->vertex_count, 1024, look_at_vertices, &job);
}

static size_t scratch(const void *pointer) {
  return ((const sliding *)pointer)->mobile->vertex_count * (sizeof(double) + sizeof(uint32_t));
}

static void query_sliding_hash(const void *pointer, const syn_pose *pose, void *memory, syn_contacts *result) {
  const sliding *s = pointer;
  double *depth = memory;
  uint32_t *triangle = (uint32_t *)(void *)(depth + s->mobile->vertex_count);
  look_up_cells(s, pose, depth, triangle);
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) {
    if (result->vertex_depth) result->vertex_depth[v] = depth[v];
    if (!(depth[v] > 0 || depth[v] > result->max_depth_mm)) continue;
    const syn_vec3 at = syn_pose_point(pose, s->vertices[v]);
    const syn_vec3 out = vec3_scale(vec3_unit(vec3_sub(at, s->center)), s->outside ? -1 : 1);
    if (depth[v] > 0) {
      syn_contacts_add(result, &(syn_contact){SYN_OF_VERTEX_TRIANGLE, triangle[v], v, depth[v], at, out});
    } else {
      result->max_depth_mm = depth[v];
      result->max_vertex = v;
      result->max_point = at;
    }
  }
}

/* ---- counting ------------------------------------------------------------------------------------------------------
 */

static syn_status count(const sliding *s, const syn_pose *pose, syn_sliding_counts *counts, syn_error *error) {
  double *depth;
  *counts = (syn_sliding_counts){.side = s->side, .overwritten = s->overwritten};
  SYN_TRY(SYN_NEW(s->context, &depth, 2 * (size_t)s->mobile->vertex_count, error));
  look_up_cells(s, pose, depth, (uint32_t *)(void *)(depth + s->mobile->vertex_count));
  for (size_t cell = 0; cell < (size_t)s->side * s->side; ++cell) counts->empty += s->cells[cell] == SYN_NONE;
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) counts->tests += isfinite(depth[v]);
  syn_free(s->context, depth);
  return SYN_OK;
}

syn_status syn_sliding_count(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                             const syn_collide_options *options, const syn_pose *pose, syn_sliding_counts *counts,
                             syn_error *error) {
  const syn_pose identity = syn_pose_identity();
  const syn_collide_options standard = syn_default_collide_options();
  void *s;
  SYN_TRY(make_sliding(context, fixed, mobile, options ? options : &standard, &s, error));
  const syn_status status = count(s, pose ? pose : &identity, counts, error);
  destroy_sliding_hash(s);
  return status;
}

const syn_method syn_method_sliding_hash = {
    .info = {.name = "sliding-hash",
             .summary = "approximate radial depth from a hash of triangle centres, one look-up per vertex",
             .tells_depth = true,
             .tells_field = true,
             .published = true},
    create_sliding_hash,
    destroy_sliding_hash,
    update_sliding_hash,
    scratch,
    query_sliding_hash,
    SYN_SIDES_BY_NORMALS};
