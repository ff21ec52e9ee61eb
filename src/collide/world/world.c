/* Many bodies: bounding boxes select the pairs, colliders query them (Erleben & Sporring 2005, Listing 1.5.1). */
#include <synovia/collide.h>

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "collide/volume/volume.h"
#include "collide/world/sweep.h"

typedef struct world_body {
  syn_body body;
  syn_tetmesh volume; /* a separate handle: two bodies that share a mesh are not a body with itself */
  syn_pose pose;
  syn_box box;      /* in the body's frame */
  syn_vec3 *places; /* current vertex positions; NULL: those of the mesh */
  uint32_t version; /* number of deformations */
} world_body;

/* A pair whose boxes have met. */
typedef struct known_pair {
  sweep_pair pair;
  uint32_t fixed, mobile;
  syn_collider *collider;
  uint32_t version[2]; /* of the fixed and mobile body, as in the collider */
  char *scratch;
  size_t scratch_size;
  syn_contact *contacts;
  size_t capacity;
} known_pair;

struct syn_world {
  const syn_context *context;
  syn_method_info method;
  syn_world_options options;
  double *thresholds;
  world_body **bodies;
  size_t body_capacity;
  uint32_t body_count;
  sweep boxes;
  sweep_pair *ignored;
  size_t ignored_count, ignored_capacity;
  known_pair **known; /* sorted by body numbers */
  size_t known_count, known_capacity;
  known_pair **asked;
  syn_world_pair *answers;
  size_t asked_count, asked_capacity, answer_capacity;
};

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

syn_world_options syn_default_world_options(void) {
  return (syn_world_options){.collide = syn_default_collide_options(), .cookie = SYN_COOKIE};
}

static syn_status check_options(const syn_method_info *method, const syn_world_options *options, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_world_options, error));
  SYN_TRY(SYN_CHECK_OPTIONS(&options->collide, syn_default_collide_options, error));
  SYN_TRY(syn_check_point(options->collide.center, "the centre", error));
  if (!(options->margin_mm >= 0) || !isfinite(options->margin_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the margin of a world is %g mm; give 0 or more", options->margin_mm);
  const double radius = options->collide.ball_radius_mm;
  if (strcmp(method->name, "spheres") == 0 && (!(radius > 0) || !isfinite(radius)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the radius of the balls must be positive, not %g mm; set ball_radius_mm",
                    radius);
  if (options->self && !method->needs_volume)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the method '%s' does not look for bodies that run into themselves: take hash or buckettree",
                    method->name);
  return SYN_OK;
}

/* Copies the thresholds: colliders are created later, when the caller's array may be gone. */
static syn_status keep_thresholds(syn_world *world, syn_error *error) {
  syn_collide_options *options = &world->options.collide;
  if (options->threshold_count == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(world->context, &world->thresholds, options->threshold_count, error));
  memcpy(world->thresholds, options->thresholds_mm, options->threshold_count * sizeof *world->thresholds);
  options->thresholds_mm = world->thresholds;
  return SYN_OK;
}

syn_status syn_world_create(const syn_context *context, const char *method, const syn_world_options *options,
                            syn_world **world, syn_error *error) {
  const syn_world_options standard = syn_default_world_options();
  syn_method_info info;
  syn_world *made;
  *world = NULL;
  if (!options) options = &standard;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(syn_method_find(method, &info, error));
  SYN_TRY(check_options(&info, options, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = made->boxes.context = context;
  made->method = info;
  made->options = *options;
  const syn_status status = keep_thresholds(made, error);
  if (status == SYN_OK)
    *world = made;
  else
    syn_world_destroy(made);
  return status;
}

static void destroy_pair(const syn_context *context, known_pair *pair) {
  syn_collider_destroy(pair->collider);
  syn_free(context, pair->scratch);
  syn_free(context, pair->contacts);
  syn_free(context, pair);
}

static void destroy_body(const syn_context *context, world_body *body) {
  syn_free(context, body->places);
  syn_free(context, body);
}

void syn_world_destroy(syn_world *world) {
  if (!world) return;
  const syn_context *context = world->context;
  for (size_t i = 0; i < world->known_count; ++i) destroy_pair(context, world->known[i]);
  for (uint32_t i = 0; i < world->body_count; ++i) destroy_body(context, world->bodies[i]);
  syn_sweep_release(&world->boxes);
  void *const blocks[] = {world->thresholds, world->bodies, world->ignored, world->known, world->asked, world->answers};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(context, blocks[i]);
  syn_free(context, world);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static uint32_t vertex_count(const syn_world *world, const world_body *body) {
  return world->method.needs_volume ? body->body.volume->vertex_count : body->body.surface->vertex_count;
}

static const syn_vec3 *places_of(const syn_world *world, const world_body *body) {
  if (body->places) return body->places;
  return world->method.needs_volume ? body->body.volume->vertices : body->body.surface->vertices;
}

static syn_status check_places(const syn_world *world, const world_body *body, const syn_vec3 *places,
                               syn_error *error) {
  return world->method.needs_volume ? syn_check_volume(body->body.volume, places, "given", error)
                                    : syn_check_surface(body->body.surface, places, "given", error);
}

static void measure_box(const syn_world *world, world_body *body) {
  const syn_vec3 *places = places_of(world, body);
  body->box = box_empty();
  for (uint32_t i = 0; i < vertex_count(world, body); ++i) box_add(&body->box, places[i]);
}

/* Returns the margin of a body's box: covers poses that are rigid only to six digits, the radius of balls, and half of
 * the query margin. */
static double widening(const syn_world *world, const world_body *body) {
  const double size = vec3_distance(body->box.min, body->box.max),
               middle = vec3_length(vec3_scale(vec3_add(body->box.min, body->box.max), 0.5)),
               ball = strcmp(world->method.name, "spheres") == 0 ? world->options.collide.ball_radius_mm : 0;
  return 1e-5 * (size + middle) + 1e-12 * vec3_length(body->pose.translation) + ball + world->options.margin_mm / 2;
}

static syn_box box_in_world(const syn_world *world, const world_body *body) {
  if (!(body->box.min.x <= body->box.max.x)) return box_empty();
  return box_placed(&body->box, &body->pose, widening(world, body));
}

static syn_status check_mesh(const syn_world *world, const syn_body *body, syn_error *error) {
  if (world->method.needs_volume ? body->volume != NULL : body->surface != NULL) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the method '%s' needs a %s of every body; %s has none", world->method.name,
                  world->method.needs_volume ? "tetrahedral mesh" : "surface", body->name ? body->name : "this one");
}

static syn_status enter(syn_world *world, world_body *made, syn_error *error) {
  SYN_TRY(check_places(world, made, places_of(world, made), error));
  SYN_TRY(SYN_RESERVE(world->context, &world->bodies, world->body_count, 1, &world->body_capacity, error));
  measure_box(world, made);
  const syn_box box = box_in_world(world, made);
  SYN_TRY(syn_sweep_add(&world->boxes, &box, error));
  world->bodies[world->body_count++] = made;
  return SYN_OK;
}

syn_status syn_world_add(syn_world *world, const syn_body *body, uint32_t *number, syn_error *error) {
  world_body *made;
  *number = SYN_NONE;
  SYN_TRY(check_mesh(world, body, error));
  SYN_TRY(SYN_NEW_ZEROED(world->context, &made, 1, error));
  *made = (world_body){.body = *body, .pose = syn_pose_identity()};
  if (body->volume) {
    made->volume = *body->volume;
    made->body.volume = &made->volume;
  }
  const syn_status status = enter(world, made, error);
  if (status == SYN_OK)
    *number = world->body_count - 1;
  else
    destroy_body(world->context, made);
  return status;
}

static syn_status find_body(const syn_world *world, uint32_t number, world_body **body, syn_error *error) {
  if (number >= world->body_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the world has %u bodies, and none of number %u", world->body_count,
                    number);
  *body = world->bodies[number];
  return SYN_OK;
}

static void move_box(syn_world *world, uint32_t number) {
  const syn_box box = box_in_world(world, world->bodies[number]);
  syn_sweep_move(&world->boxes, number, &box);
}

syn_status syn_world_place(syn_world *world, uint32_t number, const syn_pose *pose, syn_error *error) {
  world_body *body = NULL;
  SYN_TRY(find_body(world, number, &body, error));
  SYN_TRY(syn_pose_check(pose, error));
  body->pose = pose ? *pose : syn_pose_identity();
  move_box(world, number);
  return SYN_OK;
}

syn_status syn_world_deform(syn_world *world, uint32_t number, const syn_vec3 *vertices, syn_error *error) {
  world_body *body = NULL;
  SYN_TRY(find_body(world, number, &body, error));
  const uint32_t count = vertex_count(world, body);
  if (!vertices) vertices = world->method.needs_volume ? body->body.volume->vertices : body->body.surface->vertices;
  SYN_TRY(check_places(world, body, vertices, error));
  if (!body->places) SYN_TRY(SYN_NEW(world->context, &body->places, count, error));
  if (count > 0) memmove(body->places, vertices, count * sizeof *vertices);
  ++body->version;
  measure_box(world, body);
  move_box(world, number);
  return SYN_OK;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------
 */

static int compare_pairs(sweep_pair a, sweep_pair b) {
  if (a.low != b.low) return a.low < b.low ? -1 : 1;
  return (a.high > b.high) - (a.high < b.high);
}

static bool ignored_comes_after(const void *a, const void *b) {
  return compare_pairs(*(const sweep_pair *)a, *(const sweep_pair *)b) > 0;
}

static bool known_comes_after(const void *a, const void *b) {
  return compare_pairs((*(known_pair *const *)a)->pair, (*(known_pair *const *)b)->pair) > 0;
}

syn_status syn_world_ignore(syn_world *world, uint32_t a, uint32_t b, syn_error *error) {
  world_body *body = NULL;
  SYN_TRY(find_body(world, a, &body, error));
  SYN_TRY(find_body(world, b, &body, error));
  SYN_TRY(SYN_RESERVE(world->context, &world->ignored, world->ignored_count, 1, &world->ignored_capacity, error));
  world->ignored[world->ignored_count++] = a < b ? (sweep_pair){a, b} : (sweep_pair){b, a};
  heap_sort(world->ignored, world->ignored_count, sizeof *world->ignored, ignored_comes_after);
  return SYN_OK;
}

static bool is_ignored(const syn_world *world, sweep_pair pair) {
  size_t low = 0, high = world->ignored_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_pairs(world->ignored[middle], pair) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < world->ignored_count && compare_pairs(world->ignored[low], pair) == 0;
}

/* Finds the pair among the first `count` known ones, which are sorted. */
static known_pair *find_known(const syn_world *world, size_t count, sweep_pair pair) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_pairs(world->known[middle]->pair, pair) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && compare_pairs(world->known[low]->pair, pair) == 0 ? world->known[low] : NULL;
}

static syn_status add_known(syn_world *world, sweep_pair pair, known_pair **made, syn_error *error) {
  const bool swap = world->bodies[pair.low]->body.moves && !world->bodies[pair.high]->body.moves;
  SYN_TRY(SYN_RESERVE(world->context, &world->known, world->known_count, 1, &world->known_capacity, error));
  SYN_TRY(SYN_NEW_ZEROED(world->context, made, 1, error));
  (*made)->pair = pair;
  (*made)->fixed = swap ? pair.high : pair.low;
  (*made)->mobile = swap ? pair.low : pair.high;
  world->known[world->known_count++] = *made;
  return SYN_OK;
}

/* Chooses the pairs to query: a body with itself before its pairs with others. */
static syn_status choose_pair(syn_world *world, size_t sorted, sweep_pair pair, syn_error *error) {
  known_pair *known = find_known(world, sorted, pair);
  if (is_ignored(world, pair)) return SYN_OK;
  if (!known) SYN_TRY(add_known(world, pair, &known, error));
  SYN_TRY(SYN_RESERVE(world->context, &world->asked, world->asked_count, 1, &world->asked_capacity, error));
  world->asked[world->asked_count++] = known;
  return SYN_OK;
}

static syn_status choose_pairs(syn_world *world, size_t sorted, syn_error *error) {
  const sweep *boxes = &world->boxes;
  size_t next = 0;
  for (uint32_t body = 0; body < world->body_count; ++body) {
    if (world->options.self) SYN_TRY(choose_pair(world, sorted, (sweep_pair){body, body}, error));
    for (; next < boxes->pair_count && boxes->pairs[next].low == body; ++next)
      SYN_TRY(choose_pair(world, sorted, boxes->pairs[next], error));
  }
  return SYN_OK;
}

static syn_status find_pairs(syn_world *world, syn_error *error) {
  const size_t sorted = world->known_count;
  world->asked_count = 0;
  SYN_TRY(syn_sweep_pairs(&world->boxes, error));
  const syn_status status = choose_pairs(world, sorted, error);
  /* also after a failure: added pairs must be found later */
  if (world->known_count > sorted) heap_sort(world->known, world->known_count, sizeof *world->known, known_comes_after);
  return status;
}

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

/* Creates the collider from the meshes, then updates it to the current vertex positions. */
static syn_status bring_up_to_date(const syn_world *world, known_pair *pair, syn_error *error) {
  const world_body *fixed = world->bodies[pair->fixed], *mobile = world->bodies[pair->mobile];
  if (!pair->collider)
    SYN_TRY(syn_collider_create(world->context, world->method.name, &fixed->body, &mobile->body,
                                &world->options.collide, &pair->collider, error));
  const bool fixed_moved = pair->version[0] != fixed->version, mobile_moved = pair->version[1] != mobile->version;
  if (!fixed_moved && !mobile_moved) return SYN_OK;
  SYN_TRY(syn_collider_update(pair->collider, fixed_moved ? fixed->places : NULL, mobile_moved ? mobile->places : NULL,
                              error));
  pair->version[0] = fixed->version;
  pair->version[1] = mobile->version;
  return SYN_OK;
}

static syn_status prepare_pair(syn_world *world, known_pair *pair, size_t most, syn_error *error) {
  SYN_TRY(bring_up_to_date(world, pair, error));
  const size_t scratch = syn_collider_scratch(pair->collider);
  if (scratch > pair->scratch_size)
    SYN_TRY(SYN_RESERVE(world->context, &pair->scratch, 0, scratch, &pair->scratch_size, error));
  if (most > pair->capacity) SYN_TRY(SYN_RESERVE(world->context, &pair->contacts, 0, most, &pair->capacity, error));
  return SYN_OK;
}

typedef struct question {
  const syn_world *world;
  size_t most;
} question;

static void to_world(const syn_pose *fixed, syn_contacts *result) {
  const size_t listed = result->count < result->capacity ? result->count : result->capacity;
  for (size_t i = 0; i < listed; ++i) {
    result->contacts[i].point = syn_pose_point(fixed, result->contacts[i].point);
    result->contacts[i].direction = syn_pose_direction(fixed, result->contacts[i].direction);
  }
  if (result->max_vertex != SYN_NONE) result->max_point = syn_pose_point(fixed, result->max_point);
}

/* Queries a pair. If the fixed body has the identity pose, the relative pose is not rounded twice. */
static void ask_pair(const question *q, size_t i) {
  const known_pair *pair = q->world->asked[i];
  const world_body *fixed = q->world->bodies[pair->fixed], *mobile = q->world->bodies[pair->mobile];
  const syn_pose identity = syn_pose_identity();
  syn_world_pair *answer = &q->world->answers[i];
  *answer = (syn_world_pair){pair->fixed, pair->mobile, {.contacts = pair->contacts, .capacity = q->most}};
  const bool at_home = memcmp(&fixed->pose, &identity, sizeof identity) == 0;
  const syn_pose back = syn_pose_inverse(&fixed->pose);
  const syn_pose pose = at_home ? mobile->pose : syn_pose_compose(&back, &mobile->pose);
  syn_collider_query(pair->collider, &pose, pair->scratch, &answer->contacts);
  if (!at_home) to_world(&fixed->pose, &answer->contacts);
}

static void ask_pairs(void *user, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) ask_pair(user, i);
}

static syn_status check_poses(const syn_world *world, syn_error *error) {
  for (size_t i = 0; i < world->asked_count; ++i) {
    const syn_pose back = syn_pose_inverse(&world->bodies[world->asked[i]->fixed]->pose);
    const syn_pose pose = syn_pose_compose(&back, &world->bodies[world->asked[i]->mobile]->pose);
    SYN_TRY(syn_pose_check(&pose, error));
  }
  return SYN_OK;
}

syn_status syn_world_query(syn_world *world, size_t most_contacts, const syn_world_pair **pairs, size_t *count,
                           syn_error *error) {
  *pairs = NULL;
  *count = 0;
  SYN_TRY(find_pairs(world, error));
  SYN_TRY(check_poses(world, error));
  for (size_t i = 0; i < world->asked_count; ++i) SYN_TRY(prepare_pair(world, world->asked[i], most_contacts, error));
  if (world->asked_count > world->answer_capacity)
    SYN_TRY(SYN_RESERVE(world->context, &world->answers, 0, world->asked_count, &world->answer_capacity, error));
  question q = {world, most_contacts};
  syn_parallel_for(world->context, world->asked_count, 1, ask_pairs, &q);
  *pairs = world->answers;
  *count = world->asked_count;
  return SYN_OK;
}
