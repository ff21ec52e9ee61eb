/* Radial segmenting (Arbabi 2009, §3.3), for bodies that slide inside one another around a centre. Exact: the depth of
 * every mobile vertex is measured along the ray from the centre, against every triangle on that ray. radial_table.h
 * defines what counts as penetrating. The centre belongs to the fixed body: a pose may also shift the mobile one. */
#include <math.h>

#include "collide/collider_shells.h"
#include "collide/radial/radial.h"
#include "collide/radial/radial_between.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_layers.h"

radial_deepest syn_radial_find_deepest(const double *depth, uint32_t count) {
  radial_deepest most = radial_none_deep();
  for (uint32_t v = 0; v < count; ++v) {
    radial_note_depth(&most, depth[v], v);
    most.positive += depth[v] > 0;
  }
  return most;
}

/* Replaces the max depth if this one is larger. */
static void syn_radial_tell(syn_contacts *result, double depth, uint32_t element, syn_vec3 point) {
  if (!(depth > result->max_depth_mm)) return;
  result->max_depth_mm = depth;
  result->max_vertex = element;
  result->max_point = point;
}

/* Returns the exit direction of a mobile point: towards the centre if the fixed body is outside. */
static syn_vec3 syn_radial_way_out(const radial_table *fixed, syn_vec3 from_center) {
  return vec3_scale(vec3_unit(from_center), fixed->outside ? -1 : 1);
}

void syn_radial_report_vertices(const radial_field *field, const radial_deepest *most, syn_contacts *result) {
  const radial_table *table = field->table;
  const uint32_t count = field->points->count;
  const syn_vec3 *vertices = field->points->given;
  if (most->vertex == SYN_NONE) return;
  syn_radial_tell(result, most->depth, most->vertex,
                  vec3_add(radial_place(field, vertices[most->vertex]), table->center));
  if (!(most->depth > 0)) return;
  if (!result->contacts) { /* counting alone is fast */
    result->count += most->positive;
    result->penetrating = true;
    return;
  }
  for (uint32_t v = 0; v < count; ++v) {
    if (!(field->depth[v] > 0)) continue;
    const syn_vec3 place = radial_place(field, vertices[v]);
    const syn_contact contact = {.of = SYN_OF_VERTEX_TRIANGLE,
                                 .fixed_element = field->triangle[v],
                                 .mobile_element = v,
                                 .depth_mm = field->depth[v],
                                 .point = vec3_add(place, table->center),
                                 .direction = syn_radial_way_out(table, place)};
    syn_contacts_add(result, &contact);
  }
}

/* Reports the fixed vertices, with the given depths and mobile triangles. */
static void syn_radial_report_fixed(const radial_table *fixed, const double *depth, const uint32_t *triangle,
                                    syn_contacts *result) {
  const uint32_t count = fixed->mesh->vertex_count;
  const radial_deepest most = syn_radial_find_deepest(depth, count);
  if (most.vertex != SYN_NONE)
    syn_radial_tell(result, most.depth, triangle[most.vertex], vec3_add(fixed->points[most.vertex], fixed->center));
  for (uint32_t v = 0; v < count; ++v) {
    if (!(depth[v] > 0)) continue;
    const syn_contact contact = {.of = SYN_OF_TRIANGLE_VERTEX,
                                 .fixed_element = v,
                                 .mobile_element = triangle[v],
                                 .depth_mm = depth[v],
                                 .point = vec3_add(fixed->points[v], fixed->center),
                                 .direction = syn_radial_way_out(fixed, fixed->points[v])};
    syn_contacts_add(result, &contact);
  }
}

typedef struct radial {
  const syn_context *context;
  const syn_trimesh *fixed, *mobile;
  syn_collide_options options;
  radial_table table;   /* of the fixed body */
  radial_points points; /* of the mobile body */
  syn_shells own;       /* with thresholds: only vertices in these ranges of distance matter … */
  radial_points some;   /* … which are these as long as the pose keeps the centre */
  /* both roles: the same with exchanged bodies */
  radial_table mobile_table;
  radial_points fixed_points;
  radial_around around;   /* with neighbours: the table is not rebuilt */
  radial_between between; /* also for both roles, at poses that move the centre */
} radial;

static bool needs_between(const radial *state) { return state->options.both_roles || state->options.between_vertices; }

static void destroy_radial(void *pointer) {
  radial *state = pointer;
  syn_radial_table_release(&state->table);
  syn_radial_points_release(&state->points);
  syn_radial_points_release(&state->some);
  syn_radial_table_release(&state->mobile_table);
  syn_radial_points_release(&state->fixed_points);
  syn_radial_between_release(&state->between);
  syn_free(state->context, state->around.now);
  syn_free(state->context, state);
}

static bool is_own(const void *user, uint32_t vertex) {
  const radial *state = user;
  const double distance = vec3_length(state->points.given[vertex]);
  return shells_may_hold(&state->own, distance, shells_slack(state->options.center, distance));
}

static syn_status build_tables(radial *state, syn_error *error) {
  const syn_trimesh *fixed = state->fixed, *mobile = state->mobile;
  const syn_collide_options *options = &state->options;
  const bool outside = options->fixed_outside;
  SYN_TRY(syn_radial_table_create(state->context, fixed, options, outside, &state->table, error));
  SYN_TRY(syn_radial_points_create(state->context, mobile->vertices, mobile->vertex_count, options->center,
                                   &state->points, error));
  if (options->neighbours > 0) {
    state->around.neighbours = options->neighbours;
    SYN_TRY(SYN_NEW(state->context, &state->around.now, fixed->vertex_count, error));
    syn_radial_around_move(&state->around, fixed->vertices, fixed->vertex_count, options->center);
  }
  if (state->own.count > 0) {
    SYN_TRY(syn_radial_points_like(&state->points, &state->some, error));
    syn_radial_points_pick(&state->points, is_own, state, &state->some);
  }
  if (options->both_roles) {
    SYN_TRY(syn_radial_table_create(state->context, mobile, options, !outside, &state->mobile_table, error));
    SYN_TRY(syn_radial_points_create(state->context, fixed->vertices, fixed->vertex_count, options->center,
                                     &state->fixed_points, error));
  }
  if (needs_between(state))
    SYN_TRY(syn_radial_between_create(&state->table, mobile, options->between_vertices, &state->between, error));
  return SYN_OK;
}

syn_status syn_radial_create_part(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  const syn_collide_options *options, const syn_shells *own, void **result,
                                  syn_error *error) {
  radial *state;
  SYN_TRY(syn_radial_check_options(options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &state, 1, error));
  state->context = state->table.context = state->points.context = state->some.context = state->mobile_table.context =
      state->fixed_points.context = state->between.context = context;
  state->fixed = fixed->surface;
  state->mobile = mobile->surface;
  state->options = *options;
  if (own) state->own = *own;
  SYN_TRY(syn_method_keep(build_tables(state, error), state, destroy_radial, result));
  syn_radial_warn_of_roles(context, state->fixed, state->mobile, options);
  return SYN_OK;
}

static syn_status create_radial(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                const syn_collide_options *options, void **result, syn_error *error) {
  return syn_radial_create_part(context, fixed, mobile, options, NULL, result, error);
}

static syn_status update_radial(void *pointer, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  radial *state = pointer;
  const bool both = state->options.both_roles;
  const syn_vec3 center = state->options.center;
  if (mobile && both) SYN_TRY(syn_radial_table_update(&state->mobile_table, mobile, NULL, error));
  if (mobile) syn_radial_points_move(&state->points, mobile, center);
  if (mobile && state->own.count > 0) syn_radial_points_pick(&state->points, is_own, state, &state->some);
  if (fixed && state->around.neighbours > 0)
    syn_radial_around_move(&state->around, fixed, state->fixed->vertex_count, center);
  else if (fixed)
    SYN_TRY(syn_radial_table_update(&state->table, fixed, NULL, error));
  if (fixed && both) syn_radial_points_move(&state->fixed_points, fixed, center);
  if (fixed && needs_between(state)) syn_radial_between_update(&state->between, &state->table);
  return SYN_OK;
}

/* Returns the bytes of scratch: layers of the fixed vertices, depths of the mobile and the fixed ones, triangles of
 * both. */
static size_t scratch(const void *pointer) {
  const radial *state = pointer;
  const size_t points = (size_t)state->points.count + state->fixed_points.count;
  return points * (sizeof(double) + sizeof(uint32_t)) + state->fixed_points.count * sizeof(radial_layers);
}

/* Returns whether the pose keeps the centre in place, so that the table of the mobile body can be used. */
static bool keeps_center(const radial *state, const syn_pose *pose) {
  const syn_vec3 center = state->options.center;
  return vec3_distance(syn_pose_point(pose, center), center) <= 1e-12 * (1 + vec3_length(center));
}

static void query_fixed_vertices(const radial *state, const syn_pose *pose, radial_layers *layers, double *depth,
                                 uint32_t *triangle, syn_contacts *result) {
  if (keeps_center(state, pose)) {
    const syn_pose back = syn_pose_inverse(pose);
    radial_field field = syn_radial_field_at(&state->mobile_table, &state->fixed_points, &back);
    field.depth = depth;
    field.triangle = triangle;
    syn_radial_field_compute(&field);
  } else {
    const radial_field field = syn_radial_field_at(&state->table, &state->points, pose);
    syn_radial_exchanged_depths(&state->between, &field, layers, depth, triangle);
  }
  syn_radial_report_fixed(&state->table, depth, triangle, result);
}

static void query_between(const radial *state, const syn_pose *pose, syn_contacts *result) {
  const radial_field field = syn_radial_field_at(&state->table, &state->points, pose);
  const radial_deep_point deep = syn_radial_deepest_between(&state->between, &field, result->max_depth_mm);
  if (deep.mobile_triangle == SYN_NONE) return;
  const syn_contact contact = {.of = SYN_OF_TRIANGLE_TRIANGLE,
                               .fixed_element = deep.fixed_triangle,
                               .mobile_element = deep.mobile_triangle,
                               .depth_mm = deep.depth,
                               .point = vec3_add(deep.point, state->options.center),
                               .direction = syn_radial_way_out(&state->table, deep.point)};
  syn_radial_tell(result, deep.depth, deep.mobile_triangle, contact.point);
  if (deep.depth > 0) syn_contacts_add(result, &contact);
}

/* Computes depths; of vertices selected by thresholds only, and the others are free. */
static radial_deepest compute(const radial *state, const syn_pose *pose, const radial_field *field) {
  if (state->around.neighbours > 0) return syn_radial_around_compute(field, &state->around);
  if (state->own.count == 0 || !keeps_center(state, pose)) return syn_radial_field_compute(field);
  for (uint32_t v = 0; v < state->points.count; ++v) field->depth[v] = -INFINITY;
  radial_field part = *field;
  part.points = &state->some;
  return syn_radial_field_compute(&part);
}

static void query_radial(const void *pointer, const syn_pose *pose, void *memory, syn_contacts *result) {
  const radial *state = pointer;
  const size_t mobile = state->points.count, fixed = state->fixed_points.count;
  radial_layers *layers = memory; /* the largest type first, so that each is aligned */
  double *depth = (double *)(void *)(layers + fixed);
  uint32_t *triangle = (uint32_t *)(void *)(depth + mobile + fixed);
  radial_field field = syn_radial_field_at(&state->table, &state->points, pose);
  field.depth = result->vertex_depth ? result->vertex_depth : depth;
  field.triangle = result->contacts ? triangle : NULL;
  const radial_deepest most = compute(state, pose, &field);
  syn_radial_report_vertices(&field, &most, result);
  if (state->options.both_roles) query_fixed_vertices(state, pose, layers, depth + mobile, triangle + mobile, result);
  if (state->options.between_vertices) query_between(state, pose, result);
  if (needs_between(state)) syn_contacts_sort(result);
}

const syn_method syn_method_radial = {
    .info =
        {.name = "radial",
         .summary =
             "exact depth of every mobile vertex along the ray from the centre, for bodies that slide in one another",
         .tells_depth = true,
         .tells_field = true},
    create_radial,
    destroy_radial,
    update_radial,
    scratch,
    query_radial,
    SYN_SIDES_BY_NORMALS};
