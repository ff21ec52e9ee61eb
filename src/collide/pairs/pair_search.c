#include "collide/pairs/pair_search.h"

#include <string.h>

#include "collide/pairs/point_in_mesh.h"
#include "geometry/closest.h"

/* ---- surfaces ----------------------------------------------------------------------------------------------------
 */

static shell shell_of_triangle(const pair_surface *surface, uint32_t triangle, double margin) {
  const syn_vec3 *t = pair_surface_triangle(surface, triangle);
  double far = 0;
  for (int c = 0; c < 3; ++c) far = max2(far, vec3_distance(t[c], surface->center));
  const double near = vec3_distance(surface->center, closest_on_triangle(surface->center, t));
  if (!(far + margin < 1e30)) return (shell){-INFINITY, INFINITY};
  return (shell){(float)(near - margin - 1e-6 * far), (float)(far * (1 + 1e-6) + margin)};
}

/* Fits the shell of a node, after those of its children. */
static void fit_shell(void *user, uint32_t i) {
  pair_surface *surface = user;
  const syn_box_node *node = &surface->tree->nodes[i];
  if (node->count == 1) {
    surface->shells[i] = shell_of_triangle(surface, node->child, 1e-14 * vec3_length(surface->center));
    return;
  }
  const shell *left = &surface->shells[node->child], *right = left + 1;
  surface->shells[i] =
      (shell){left->near < right->near ? left->near : right->near, left->far > right->far ? left->far : right->far};
}

/* Children come after their parents. */
static void fit_shells(pair_surface *surface) {
  for (uint32_t i = surface->tree->node_count; i-- > 0;)
    if (i != 1) fit_shell(surface, i);
}

/* ---- what is shared ---- */

static bool is_closed(const syn_topology *topology) {
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if ((topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e]) % 2 != 0) return false;
  return topology->edge_count > 0;
}

static syn_status find_components(const syn_trimesh *mesh, pair_shape *shape, syn_error *error) {
  syn_derived *derived;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  shape->closed = is_closed(topology);
  shape->component_count = topology->component_count;
  const syn_status status = SYN_NEW(shape->context, &shape->component_triangle, topology->component_count, error);
  if (status == SYN_OK)
    for (uint32_t t = topology->triangle_count; t-- > 0;)
      shape->component_triangle[topology->triangle_component[t]] = t;
  syn_derived_release(derived);
  return status;
}

static syn_status fill_shape(const syn_trimesh *mesh, pair_shape *shape, syn_error *error) {
  shape->triangle_count = mesh->triangle_count;
  SYN_TRY(SYN_NEW(shape->context, &shape->triangles, mesh->triangle_count, error));
  if (mesh->triangle_count > 0)
    memcpy(shape->triangles, mesh->triangles, mesh->triangle_count * sizeof *shape->triangles);
  SYN_TRY(SYN_NEW(shape->context, &shape->corners, 3 * (size_t)mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) shape->corners[3 * (size_t)t + c] = mesh->vertices[mesh->triangles[t].v[c]];
  SYN_TRY(syn_derive(mesh, &syn_derive_box_tree, &shape->boxes, error));
  shape->tree = shape->boxes->made;
  return find_components(mesh, shape, error);
}

static void destroy_shape(void *made) {
  pair_shape *shape = made;
  syn_box_refit_destroy(shape->refit);
  syn_box_tree_destroy(shape->own_tree);
  syn_derived_release(shape->boxes);
  syn_free(shape->context, shape->triangles);
  syn_free(shape->context, shape->corners);
  syn_free(shape->context, shape->component_triangle);
  syn_free(shape->context, shape);
}

static syn_status make_shape(const syn_trimesh *mesh, void **made, syn_error *error) {
  pair_shape *shape;
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &shape, 1, error));
  shape->context = mesh->context;
  const syn_status status = fill_shape(mesh, shape, error);
  if (status == SYN_OK)
    *made = shape;
  else
    destroy_shape(shape);
  return status;
}

/* ---- following deformations ---- */

static bool is_moved(const syn_vec3 corners[3], const syn_triangle *triangle, const syn_vec3 *vertices) {
  return !vec3_equal(corners[0], vertices[triangle->v[0]]) || !vec3_equal(corners[1], vertices[triangle->v[1]]) ||
         !vec3_equal(corners[2], vertices[triangle->v[2]]);
}

static bool shape_is_at(const void *made, const syn_vec3 *vertices) {
  const pair_shape *shape = made;
  for (uint32_t t = 0; t < shape->triangle_count; ++t)
    if (is_moved(&shape->corners[3 * (size_t)t], &shape->triangles[t], vertices)) return false;
  return true;
}

/* Makes a separate tree, because the shared one belongs to the original mesh. */
static syn_status own_tree(pair_shape *shape, syn_error *error) {
  if (!shape->own_tree) {
    SYN_TRY(syn_box_tree_copy(shape->context, shape->tree, &shape->own_tree, error));
    shape->tree = shape->own_tree;
  }
  return shape->refit ? SYN_OK : syn_box_refit_create(shape->own_tree, &shape->refit, error);
}

/* Lists the triangles with a corner that moved, places them and measures their boxes. */
static uint32_t move_triangles(pair_shape *shape, const syn_vec3 *vertices, uint32_t *moved, syn_box *boxes) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < shape->triangle_count; ++t) {
    syn_vec3 *corners = &shape->corners[3 * (size_t)t];
    if (!is_moved(corners, &shape->triangles[t], vertices)) continue;
    boxes[count] = box_empty();
    for (int c = 0; c < 3; ++c) {
      corners[c] = vertices[shape->triangles[t].v[c]];
      box_add(&boxes[count], corners[c]);
    }
    moved[count++] = t;
  }
  return count;
}

static syn_status move_with(pair_shape *shape, const syn_vec3 *vertices, syn_arena *arena, syn_error *error) {
  uint32_t *moved;
  syn_box *boxes;
  SYN_TRY(SYN_TAKE(arena, &moved, shape->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &boxes, shape->triangle_count, error));
  SYN_TRY(own_tree(shape, error));
  syn_box_refit_some(shape->refit, moved, boxes, move_triangles(shape, vertices, moved, boxes));
  return SYN_OK;
}

static syn_status move_shape(void *made, const syn_vec3 *vertices, syn_error *error) {
  pair_shape *shape = made;
  syn_arena arena = {.context = shape->context};
  const syn_status status = move_with(shape, vertices, &arena, error);
  syn_arena_release(&arena);
  return status;
}

const syn_derivation syn_derive_pair_shape = {SYN_DERIVED_PAIR_SHAPE, make_shape, destroy_shape, move_shape,
                                              shape_is_at};

/* ---- life ---- */

static void take_shape(pair_surface *surface) {
  const pair_shape *shape = surface->shape->made;
  surface->corners = shape->corners;
  surface->tree = shape->tree;
  surface->component_triangle = shape->component_triangle;
}

static syn_status fill_pair_surface(pair_surface *surface, syn_error *error) {
  SYN_TRY(syn_derive(surface->mesh, &syn_derive_pair_shape, &surface->shape, error));
  const pair_shape *shape = surface->shape->made;
  take_shape(surface);
  surface->closed = shape->closed;
  surface->component_count = shape->component_count;
  SYN_TRY(SYN_NEW(surface->context, &surface->shells, surface->tree->node_count, error));
  SYN_TRY(SYN_NEW_ZEROED(surface->context, &surface->due, surface->tree->node_count, error));
  fit_shells(surface);
  return SYN_OK;
}

syn_status syn_pair_surface_create(const syn_context *context, const syn_trimesh *mesh, syn_vec3 center,
                                   const char *which, pair_surface *surface, syn_error *error) {
  *surface = (pair_surface){.context = context, .mesh = mesh, .center = center};
  const syn_status status = fill_pair_surface(surface, error);
  if (status != SYN_OK)
    syn_pair_surface_release(surface);
  else if (!surface->closed)
    syn_warn(context, "the %s surface is open, so that a body wholly inside it is not noticed", which);
  return status;
}

void syn_pair_surface_release(pair_surface *surface) {
  syn_free(surface->context, surface->shells);
  syn_free(surface->context, surface->due);
  syn_derived_release(surface->shape);
  *surface = (pair_surface){0};
}

/* Fits the shells above moved triangles; `due` has a mark for each triangle, then for each node. Returns their count.
 */
static size_t fit_due_shells(pair_surface *surface, const uint8_t *moved) {
  const syn_box_tree *tree = surface->tree;
  uint8_t *due = surface->due;
  size_t touched = 0;
  for (uint32_t i = tree->node_count; i-- > 0;) { /* children come after their parents */
    if (i == 1) continue;
    const syn_box_node *node = &tree->nodes[i];
    due[i] = node->count == 1 ? moved[node->child] : due[node->child] | due[node->child + 1];
    if (!due[i]) continue;
    fit_shell(surface, i);
    ++touched;
  }
  return touched;
}

static syn_status update_with(pair_surface *surface, const syn_vec3 *vertices, syn_arena *arena, size_t *touched,
                              syn_error *error) {
  const syn_trimesh *mesh = surface->mesh;
  uint8_t *moved;
  bool any = false;
  *touched = 0;
  SYN_TRY(SYN_TAKE(arena, &moved, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    any |= moved[t] = is_moved(pair_surface_triangle(surface, t), &mesh->triangles[t], vertices);
  if (!any) return SYN_OK;
  SYN_TRY(syn_derive_moved(mesh, &syn_derive_pair_shape, vertices, &surface->shape, error));
  take_shape(surface);
  *touched = fit_due_shells(surface, moved);
  return SYN_OK;
}

syn_status syn_pair_surface_update(pair_surface *surface, const syn_vec3 *vertices, size_t *touched, syn_error *error) {
  syn_arena arena = {.context = surface->context};
  size_t ignored;
  const syn_status status = update_with(surface, vertices, &arena, touched ? touched : &ignored, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- searches ----------------------------------------------------------------------------------------------------
 */

static syn_vec3 normal_of(const syn_vec3 t[3]) { return vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0])); }

/* Computes where the edges of `t` cross the plane at `at`: two points, or fewer if the triangle only touches it. */
static int plane_crossings(const syn_vec3 t[3], syn_vec3 at, syn_vec3 normal, syn_vec3 out[3]) {
  double height[3];
  int count = 0;
  for (int c = 0; c < 3; ++c) height[c] = vec3_dot(normal, vec3_sub(t[c], at));
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3;
    if ((height[c] > 0) != (height[d] > 0)) out[count++] = vec3_lerp(t[c], t[d], height[c] / (height[c] - height[d]));
  }
  return count;
}

/* The middle of the common segment: of the four ends of the segments that the two triangles have on their common line,
 * the two in between bound it. Where there is no such line, the middle of the mobile triangle. */
static syn_vec3 common_point(const syn_vec3 fixed[3], const syn_vec3 mobile[3]) {
  const syn_vec3 n = normal_of(fixed), m = normal_of(mobile), line = vec3_cross(n, m);
  const syn_vec3 middle = vec3_scale(vec3_add(mobile[0], vec3_add(mobile[1], mobile[2])), 1.0 / 3);
  syn_vec3 ends[6];
  if (plane_crossings(mobile, fixed[0], n, ends) != 2 || plane_crossings(fixed, mobile[0], m, ends + 2) != 2)
    return middle;
  for (int i = 1; i < 4; ++i)
    for (int j = i; j > 0 && vec3_dot(line, ends[j]) < vec3_dot(line, ends[j - 1]); --j) {
      const syn_vec3 swap = ends[j];
      ends[j] = ends[j - 1];
      ends[j - 1] = swap;
    }
  const syn_vec3 point = vec3_lerp(ends[1], ends[2], 0.5);
  return vec3_finite(point) ? point : middle;
}

bool syn_pair_search_report(pair_search *search, uint32_t fixed, uint32_t mobile, const syn_vec3 moved[3]) {
  const syn_contact contact = {.of = SYN_OF_TRIANGLE_TRIANGLE,
                               .fixed_element = fixed,
                               .mobile_element = mobile,
                               .depth_mm = NAN,
                               .point = common_point(pair_surface_triangle(search->fixed, fixed), moved)};
  syn_contacts_add(search->result, &contact);
  return !search->result->first_only;
}

/* Returns whether one body contains the other. The surfaces do not meet, so that every component of one is on one side
 * of the other. */
static bool one_inside_other(const pair_search *search) {
  const pair_surface *fixed = search->fixed, *mobile = search->mobile;
  if (fixed->closed)
    for (uint32_t i = 0; i < mobile->component_count; ++i) {
      const syn_vec3 point =
          syn_pose_point(search->pose, *pair_surface_triangle(mobile, mobile->component_triangle[i]));
      if (syn_point_in_mesh(fixed->tree, fixed->corners, NULL, point) != SYN_OUTSIDE) return true;
    }
  if (mobile->closed)
    for (uint32_t i = 0; i < fixed->component_count; ++i)
      if (syn_point_in_mesh(mobile->tree, mobile->corners, search->pose,
                            *pair_surface_triangle(fixed, fixed->component_triangle[i])) != SYN_OUTSIDE)
        return true;
  return false;
}

void syn_pair_search_finish(pair_search *search) {
  syn_contacts *result = search->result;
  syn_contacts_sort(result);
  if (result->count == 0 && one_inside_other(search)) {
    result->penetrating = true;
    result->max_depth_mm = NAN;
  }
}
