/* The ray-sampled table (Maciel 2005, §4.3.1.4 "spherical sliding"; Arbabi 2009, §3.3.1), the ancestor of radial
 * segmenting: every cell of directions stores the first triangle hit by the ray through its middle, and a vertex is
 * compared with the plane of that triangle.
 *
 * Approximate, in constant time per vertex. On a smooth surface the error shrinks with the square of the cells; at an
 * edge of the surface, or where several triangles share a cell, the wrong one may be taken (Arbabi 2009, Fig. 19).
 * Distances are clamped to the range that the triangle of the cell spans. Layers behind the first are ignored. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "collide/published/published.h"
#include "collide/radial/radial.h"
#include "collide/radial/radial_layers.h"
#include "geometry/closest.h"

typedef struct ray_table {
  const syn_context *context;
  const syn_trimesh *mobile;
  radial_table table; /* the exact table, which is sampled, and the planes */
  radial_points points;
  uint32_t *sampled;  /* triangle of each cell, SYN_NONE where its ray hits nothing */
  uint32_t *place_of; /* of each triangle in the table */
  double (*range)[2]; /* of each triangle: how near to the centre it comes, and how far its farthest corner is */
} ray_table;

static void destroy(void *pointer) {
  ray_table *state = pointer;
  syn_radial_table_release(&state->table);
  syn_radial_points_release(&state->points);
  syn_free(state->context, state->sampled);
  syn_free(state->context, state->place_of);
  syn_free(state->context, state->range);
  syn_free(state->context, state);
}

/* Casts one ray through the middle of every cell, from the centre outward or from far away inward. */
static void sample_cells(void *user, size_t begin, size_t end) {
  ray_table *state = user;
  const radial_table *table = &state->table;
  const double start = table->outside ? 1e-20 : 1e20;
  for (size_t cell = begin; cell < end; ++cell) {
    const syn_vec3 unit = syn_radial_cell_middle(&table->grid, (uint32_t)cell);
    state->sampled[cell] = syn_radial_depth(table, vec3_scale(unit, start), SYN_NONE).triangle;
  }
}

static void measure_triangles(ray_table *state) {
  const radial_table *table = &state->table;
  for (uint32_t t = 0; t < table->count; ++t) state->place_of[table->names[t]] = t;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    const uint32_t *v = table->mesh->triangles[t].v;
    const syn_vec3 corners[3] = {table->points[v[0]], table->points[v[1]], table->points[v[2]]};
    const double a = vec3_length(corners[0]), b = vec3_length(corners[1]), c = vec3_length(corners[2]);
    /* The nearest point may be inside the facet. */
    state->range[t][0] = vec3_length(closest_on_triangle(vec3(0, 0, 0), corners));
    state->range[t][1] = max2(a, max2(b, c));
  }
}

enum { CELLS_AT_ONCE = 4096 };

static syn_status build(ray_table *state, const syn_trimesh *fixed, const syn_collide_options *options,
                        syn_error *error) {
  const syn_context *context = state->context;
  const syn_trimesh *mobile = state->mobile;
  SYN_TRY(syn_radial_table_create(context, fixed, options, options->fixed_outside, &state->table, error));
  SYN_TRY(syn_radial_points_create(context, mobile->vertices, mobile->vertex_count, options->center, &state->points,
                                   error));
  state->table.wanted_cells =
      state->table.grid.columns * state->table.grid.rows * state->table.grid.layers; /* constant under deformation */
  SYN_TRY(SYN_NEW(context, &state->sampled, syn_radial_cell_count(&state->table.grid), error));
  SYN_TRY(SYN_NEW(context, &state->range, fixed->triangle_count, error));
  SYN_TRY(SYN_NEW(context, &state->place_of, fixed->triangle_count, error));
  syn_parallel_for(context, syn_radial_cell_count(&state->table.grid), CELLS_AT_ONCE, sample_cells, state);
  measure_triangles(state);
  return syn_radial_warn_of_layers(context, "ray-table", fixed, options, error);
}

static syn_status create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                         const syn_collide_options *options, void **result, syn_error *error) {
  ray_table *state;
  SYN_TRY(syn_radial_check_options(options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &state, 1, error));
  state->context = state->table.context = state->points.context = context;
  state->mobile = mobile->surface;
  const syn_status status = build(state, fixed->surface, options, error);
  if (status != SYN_OK) {
    destroy(state);
    return status;
  }
  syn_radial_warn_of_roles(context, fixed->surface, state->mobile, options);
  *result = state;
  return SYN_OK;
}

/* Updates the positions. A deformation along the rays keeps the samples (Maciel 2005, §4.3.1.4); after any other they
 * are taken again. */
static syn_status update(void *pointer, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  ray_table *state = pointer;
  if (mobile) syn_radial_points_move(&state->points, mobile, state->table.center);
  if (!fixed) return SYN_OK;
  bool kept;
  SYN_TRY(syn_radial_table_update(&state->table, fixed, &kept, error));
  const uint32_t cells = syn_radial_cell_count(&state->table.grid);
  if (!kept) syn_parallel_for(state->context, cells, CELLS_AT_ONCE, sample_cells, state);
  measure_triangles(state);
  return SYN_OK;
}

static size_t scratch(const void *pointer) {
  const ray_table *state = pointer;
  return state->points.count * (sizeof(double) + sizeof(uint32_t));
}

typedef struct ray_job {
  const ray_table *state;
  const radial_field *field;
} ray_job;

static double distance_in_cell(const ray_table *state, uint32_t triangle, syn_vec3 u) {
  const double toward = fabs(radial_ratio(&state->table, state->place_of[triangle], u)); /* u has a radius of 1 */
  const double *range = state->range[triangle];
  return toward > 0 ? min2(max2(1 / toward, range[0]), range[1]) : range[0];
}

static void look_up(void *user, size_t begin, size_t end) {
  const ray_job *job = user;
  const ray_table *state = job->state;
  const radial_field *field = job->field;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t v = state->points.order[i];
    const syn_vec3 p = radial_place(field, state->points.given[v]);
    const double radius = vec3_length(p);
    const syn_vec3 unit = vec3_scale(p, 1 / radius);
    const uint32_t cell = radial_has_direction(radius) ? syn_radial_locate(&state->table.grid, unit) : SYN_NONE;
    const uint32_t triangle = cell != SYN_NONE ? state->sampled[cell] : SYN_NONE;
    field->depth[v] = -INFINITY;
    if (triangle != SYN_NONE)
      field->depth[v] = (state->table.outside ? 1 : -1) * (radius - distance_in_cell(state, triangle, unit));
    if (field->triangle) field->triangle[v] = triangle;
  }
}

static void query(const void *pointer, const syn_pose *pose, void *memory, syn_contacts *result) {
  const ray_table *state = pointer;
  double *depth = memory;
  radial_field field = syn_radial_field_at(&state->table, &state->points, pose);
  field.depth = result->vertex_depth ? result->vertex_depth : depth;
  field.triangle = result->contacts ? (uint32_t *)(void *)(depth + state->points.count) : NULL;
  ray_job job = {state, &field};
  syn_parallel_for(state->context, state->points.count, 1024, look_up, &job);
  const radial_deepest most = syn_radial_find_deepest(field.depth, state->points.count);
  syn_radial_report_vertices(&field, &most, result);
}

const syn_method syn_method_ray_table = {
    .info = {.name = "ray-table",
             .summary = "approximate radial depth from a table of sampled rays, one look-up per vertex",
             .tells_depth = true,
             .tells_field = true,
             .published = true},
    create,
    destroy,
    update,
    scratch,
    query,
    SYN_SIDES_BY_NORMALS};
