/* The list of all methods, and the create, update and query calls that they share. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/order.h"
#include "base/text.h"
#include "collide/magnitude.h"
#include "collide/method.h"
#include "collide/published/published.h"
#include "mesh/facing.h"

extern const syn_method syn_method_radial;
extern const syn_method syn_method_cylindrical;
extern const syn_method syn_method_distance;
extern const syn_method syn_method_proximity;
extern const syn_method syn_method_obb;
extern const syn_method syn_method_aabb;
extern const syn_method syn_method_buckettree;
extern const syn_method syn_method_convex;

static const syn_method *const methods[] = {
    &syn_method_radial,   &syn_method_ray_table, &syn_method_sliding_hash,   &syn_method_cylindrical, &syn_method_split,
    &syn_method_distance, &syn_method_proximity, &syn_method_proximity_walk, &syn_method_obb,         &syn_method_aabb,
    &syn_method_spheres,  &syn_method_hash,      &syn_method_buckettree,     &syn_method_convex,      NULL,
};
enum { METHODS = sizeof methods / sizeof *methods - 1 };

struct syn_collider {
  const syn_context *context;
  const syn_method *method;
  void *state;
  syn_body fixed, mobile; /* the caller's meshes, against which updates and results are checked */
};

SYN_ENUM_NAMES(
    syn_contact_of,
    SYN_CONTACT_OF_KINDS, [SYN_OF_VERTEX_TRIANGLE] = "vertex-triangle", [SYN_OF_TRIANGLE_VERTEX] = "triangle-vertex",
    [SYN_OF_TRIANGLE_TRIANGLE] = "triangle-triangle", [SYN_OF_VERTEX_TET] = "vertex-tet", [SYN_OF_TET_TET] = "tet-tet",
    [SYN_OF_BALL_BALL] = "ball-ball", [SYN_OF_FACE_TET] = "face-tet", [SYN_OF_TET_FACE] = "tet-face",
    [SYN_OF_FIXED_SELF] = "fixed-self", [SYN_OF_MOBILE_SELF] = "mobile-self");

SYN_ENUM_NAMES(syn_mapping, SYN_MAPPINGS, [SYN_MAPPING_SPHERICAL] = "spherical", [SYN_MAPPING_CARTESIAN] = "cartesian",
               [SYN_MAPPING_UNIFORM] = "uniform");

size_t syn_method_count(void) { return METHODS; }

syn_method_info syn_method_at(size_t index) {
  assert(index < syn_method_count());
  return methods[index]->info;
}

static const char *method_name(const void *user, size_t index) {
  (void)user;
  return methods[index]->info.name;
}

syn_status syn_method_find(const char *name, syn_method_info *info, syn_error *error) {
  for (size_t i = 0; i < METHODS; ++i)
    if (strcmp(methods[i]->info.name, name) == 0) {
      *info = methods[i]->info;
      return SYN_OK;
    }
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no method '%.40s'.%s `synovia collide --method list` lists them.",
                  name, syn_did_you_mean(name, method_name, NULL, METHODS, hint));
}

bool syn_method_is_about_center(const char *name) {
  static const char *const about[] = {"radial", "ray-table", "sliding-hash", "cylindrical", "split"};
  for (size_t i = 0; i < sizeof about / sizeof *about; ++i)
    if (strcmp(about[i], name) == 0) return true;
  return false;
}

syn_collide_options syn_default_collide_options(void) {
  return (syn_collide_options){.axis = {0, 0, 1},
                               .fixed_outside = true,
                               .use_normals = true,
                               .mapping = SYN_MAPPING_UNIFORM,
                               .reach_mm = INFINITY,
                               .ball_radius_mm = 1,
                               .cookie = SYN_COOKIE};
}

/* Checks vertex positions: those of the mesh, or new ones. */
static syn_status check_places(const syn_method *method, const syn_body *body, const syn_vec3 *places,
                               const char *which, syn_error *error) {
  if (method->info.needs_volume)
    return syn_check_volume(body->volume, places ? places : body->volume->vertices, which, error);
  return syn_check_surface(body->surface, places ? places : body->surface->vertices, which, error);
}

static syn_status check_body(const syn_method *method, const syn_body *body, const char *which, syn_error *error) {
  if (method->info.needs_volume ? body->volume != NULL : body->surface != NULL)
    return check_places(method, body, NULL, which, error);
  return syn_fail(error, SYN_BAD_ARGUMENT, "the method '%s' needs a %s of the %s body", method->info.name,
                  method->info.needs_volume ? "tetrahedral mesh" : "surface", which);
}

static syn_status check_neighbours(const syn_method *method, const syn_collide_options *options, syn_error *error) {
  enum { MOST = 64 };
  if (options->neighbours == 0) return SYN_OK;
  if (method != &syn_method_cylindrical && method != &syn_method_radial)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the method '%s' has no neighbouring cells; radial and cylindrical do",
                    method->info.name);
  if (options->neighbours > MOST)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%u neighbouring cells to each side are too many; at most %d",
                    options->neighbours, MOST);
  if (options->both_roles || options->between_vertices)
    return syn_fail(
        error, SYN_BAD_ARGUMENT,
        "neighbouring cells are looked at for mobile vertices alone, not in both roles or between vertices");
  return SYN_OK;
}

/* Checks that the triangles face outward. Open surfaces pass: they have a front and a back, but no inside. */
static syn_status check_facing(const syn_trimesh *surface, const char *which, syn_error *error) {
  syn_derived *derived;
  SYN_TRY(syn_derive(surface, &syn_derive_facing, &derived, error));
  const syn_facing facing = *derived_facing(derived);
  syn_derived_release(derived);
  if (facing.inside_out_count == 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s surface is inside out: in %u of its closed parts the triangles face inward (triangle %u is "
                  "one), so that the outside would count as the inside; `synovia mesh repair` turns them outward",
                  which, facing.inside_out_count, facing.inside_out_triangle);
}

/* Checks the orientation of surfaces for every method that needs it to find the inside of a body. */
static syn_status check_sides(const syn_method *method, const syn_body *fixed, const syn_body *mobile,
                              const syn_collide_options *options, syn_error *error) {
  if (method->sides == SYN_SIDES_IGNORED || (method->sides == SYN_SIDES_BY_NORMALS && !options->use_normals))
    return SYN_OK;
  SYN_TRY(check_facing(fixed->surface, "fixed", error));
  const bool exchanged =
      options->both_roles || (options->between_vertices && syn_method_is_about_center(method->info.name));
  return exchanged ? check_facing(mobile->surface, "mobile", error) : SYN_OK;
}

syn_status syn_collider_create(const syn_context *context, const char *name, const syn_body *fixed,
                               const syn_body *mobile, const syn_collide_options *options, syn_collider **collider,
                               syn_error *error) {
  const syn_collide_options standard = syn_default_collide_options();
  *collider = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_collide_options, error));
  const syn_method *const *method = methods;
  while (*method && strcmp((*method)->info.name, name) != 0) ++method;
  if (!*method) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no collision method named '%s'", name);
  if (options->with_self && *method != &syn_method_buckettree)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the method '%s' does not look for bodies that run into themselves (with_self); buckettree does",
                    name);
  SYN_TRY(check_neighbours(*method, options, error));
  SYN_TRY(check_body(*method, fixed, "fixed", error));
  SYN_TRY(check_body(*method, mobile, "mobile", error));
  SYN_TRY(syn_check_point(options->center, "the centre", error));
  SYN_TRY(check_sides(*method, fixed, mobile, options, error));
  syn_collider *made;
  SYN_TRY(SYN_NEW(context, &made, 1, error));
  *made = (syn_collider){.context = context, .method = *method, .fixed = *fixed, .mobile = *mobile};
  syn_status status = (*method)->create(context, fixed, mobile, options, &made->state, error);
  if (status != SYN_OK) {
    syn_free(context, made);
    return status;
  }
  *collider = made;
  return SYN_OK;
}

void syn_collider_destroy(syn_collider *collider) {
  if (!collider) return;
  collider->method->destroy(collider->state);
  syn_free(collider->context, collider);
}

syn_status syn_collider_update(syn_collider *collider, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                               syn_error *error) {
  if (fixed_vertices) SYN_TRY(check_places(collider->method, &collider->fixed, fixed_vertices, "fixed", error));
  if (mobile_vertices) SYN_TRY(check_places(collider->method, &collider->mobile, mobile_vertices, "mobile", error));
  return collider->method->update(collider->state, fixed_vertices, mobile_vertices, error);
}

size_t syn_collider_scratch(const syn_collider *collider) {
  return collider->method->scratch ? collider->method->scratch(collider->state) : 0;
}

/* Clears the result on failure, so that an earlier one cannot be mistaken for it. */
static syn_status no_answer(const syn_collider *collider, syn_status status, syn_contacts *result) {
  const syn_body *mobile = &collider->mobile;
  const uint32_t count =
      collider->method->info.needs_volume ? mobile->volume->vertex_count : mobile->surface->vertex_count;
  result->max_depth_mm = NAN;
  if (result->vertex_depth && collider->method->info.tells_field)
    for (uint32_t i = 0; i < count; ++i) result->vertex_depth[i] = NAN;
  return status;
}

syn_status syn_collider_query(const syn_collider *collider, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const syn_pose identity = syn_pose_identity();
  result->count = 0;
  result->penetrating = false;
  result->max_depth_mm = -INFINITY;
  result->max_vertex = SYN_NONE;
  result->max_point = (syn_vec3){0, 0, 0};
  const syn_status status = syn_pose_check(pose, NULL);
  if (status != SYN_OK) return no_answer(collider, status, result);
  collider->method->query(collider->state, pose ? pose : &identity, scratch, result);
  return SYN_OK;
}

syn_status syn_method_keep(syn_status status, void *made, void (*destroy)(void *state), void **state) {
  if (status == SYN_OK)
    *state = made;
  else
    destroy(made);
  return status;
}

void syn_contacts_add(syn_contacts *result, const syn_contact *contact) {
  if (result->contacts && result->count < result->capacity) result->contacts[result->count] = *contact;
  ++result->count;
  result->penetrating = true;
  if (isnan(contact->depth_mm)) {
    if (result->max_vertex == SYN_NONE) result->max_depth_mm = contact->depth_mm;
  } else if (contact->depth_mm > result->max_depth_mm) {
    result->max_depth_mm = contact->depth_mm;
    result->max_vertex = contact->mobile_element;
    result->max_point = contact->point;
  }
}

static inline uint64_t contact_key(const syn_contact *contact) {
  return (uint64_t)contact->mobile_element << 32 | contact->fixed_element;
}

/* Orders contacts by mobile element, fixed element and kind; no two contacts agree in all three. */
static bool comes_after_contact(const void *one, const void *other) {
  const syn_contact *a = one, *b = other;
  const uint64_t key_a = contact_key(a), key_b = contact_key(b);
  return key_a != key_b ? key_a > key_b : a->of > b->of;
}

/* Sorts in place, because qsort may allocate. */
void syn_contacts_sort(syn_contacts *result) {
  syn_contact *contacts = result->contacts;
  if (!contacts) return;
  const size_t count = result->count < result->capacity ? result->count : result->capacity;
  heap_sort(contacts, count, sizeof *contacts, comes_after_contact);
}
