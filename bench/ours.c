#include "ours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"

bool bench_has_method(const char *name) {
  for (size_t i = 0; i < syn_method_count(); ++i)
    if (strcmp(syn_method_at(i).name, name) == 0) return true;
  return false;
}

static void *must(void *block) {
  if (!block) abort();
  return block;
}

/* ---- colliders ----------------------------------------------------------------------------------------------------
 */

typedef struct collider_state {
  syn_context one_thread; /* the scene's, but for that */
  syn_collider *collider;
  void *scratch;
  syn_contacts contacts;
  bool pairs;
} collider_state;

static void *open_collider(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  syn_collide_options options = syn_default_collide_options();
  options.center = scene->center;
  options.axis = scene->axis;
  options.angle = scene->angle;
  options.between_vertices = self->variant & BENCH_BETWEEN;
  if (self->variant >> 4 & 15) options.mapping = (syn_mapping)(self->variant >> 4 & 15);
  options.table_size =
      (uint32_t)(self->variant >> 8) * (scene->fixed.surface ? scene->fixed.surface->triangle_count : 0);
  options.thresholds_mm = &scene->threshold_mm;
  options.threshold_count = scene->threshold_mm > 0 ? 1 : 0;
  collider_state *s = must(calloc(1, sizeof *s));
  s->one_thread = *syn_context_or_default(scene->context);
  s->one_thread.threads = 1;
  const syn_context *context = self->variant & BENCH_ONE_THREAD ? &s->one_thread : scene->context;
  if (syn_collider_create(context, self->detail, &scene->fixed, &scene->mobile, &options, &s->collider, error) !=
      SYN_OK) {
    free(s);
    return NULL;
  }
  s->scratch = must(malloc(syn_collider_scratch(s->collider) + 1));
  s->pairs = self->variant & BENCH_PAIRS;
  s->contacts.first_only = !(self->variant & (BENCH_FIELD | BENCH_PAIRS));
  if (self->variant & BENCH_FIELD)
    s->contacts.vertex_depth = must(calloc(scene->mobile.surface->vertex_count + 1, sizeof(double)));
  return s;
}

static void close_collider(void *state) {
  collider_state *s = state;
  syn_collider_destroy(s->collider);
  free(s->scratch);
  free(s->contacts.contacts);
  free(s->contacts.vertex_depth);
  free(s);
}

static void ask_collider(void *state, const syn_pose *pose, bench_answer *answer) {
  collider_state *s = state;
  syn_collider_query(s->collider, pose, s->scratch, &s->contacts);
  if (s->pairs && s->contacts.count > s->contacts.capacity) { /* only while warming up */
    s->contacts.capacity = s->contacts.count + s->contacts.count / 2;
    free(s->contacts.contacts);
    s->contacts.contacts = must(malloc(s->contacts.capacity * sizeof *s->contacts.contacts));
    syn_collider_query(s->collider, pose, s->scratch, &s->contacts);
  }
  answer->depth_mm = s->contacts.max_depth_mm;
  answer->count = s->contacts.count;
}

bench_contender bench_collider(const char *method, const char *query, int asked_for) {
  return (bench_contender){.name = "synovia",
                           .detail = method,
                           .query = query,
                           .variant = asked_for,
                           .open = open_collider,
                           .ask = ask_collider,
                           .close = close_collider};
}

syn_status bench_compare_fields(const bench_scene *scene, const bench_contender *a, const bench_contender *b,
                                size_t *differ, syn_error *error) {
  *differ = 0;
  collider_state *left = open_collider(a, scene, error);
  if (!left) return error->code;
  collider_state *right = open_collider(b, scene, error);
  for (size_t p = 0; right && p < scene->pose_count; ++p) {
    bench_answer answer;
    ask_collider(left, &scene->poses[p], &answer);
    ask_collider(right, &scene->poses[p], &answer);
    for (uint32_t v = 0; v < scene->mobile.surface->vertex_count; ++v)
      *differ += memcmp(&left->contacts.vertex_depth[v], &right->contacts.vertex_depth[v], sizeof(double)) != 0;
  }
  close_collider(left);
  if (!right) return error->code;
  close_collider(right);
  return SYN_OK;
}

/* ---- clearance ----------------------------------------------------------------------------------------------------
 */

typedef struct clearance_state {
  syn_distance *distance;
  void *scratch;
} clearance_state;

static void *open_clearance(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  syn_distance *distance;
  if (syn_distance_create(scene->fixed.surface, scene->mobile.surface, NULL, &distance, error) != SYN_OK) return NULL;
  clearance_state *s = must(malloc(sizeof *s));
  *s = (clearance_state){distance, must(malloc(syn_distance_scratch(distance) + 1))};
  return s;
}

static void close_clearance(void *state) {
  clearance_state *s = state;
  syn_distance_destroy(s->distance);
  free(s->scratch);
  free(s);
}

static void ask_clearance(void *state, const syn_pose *pose, bench_answer *answer) {
  clearance_state *s = state;
  syn_clearance clearance;
  /* without the last answer: the same pose is asked again and again here, and would be known */
  syn_distance_query(s->distance, pose, NULL, s->scratch, &clearance);
  answer->depth_mm = -clearance.distance_mm;
}

const bench_contender bench_clearance = {.name = "synovia",
                                         .detail = "clearance",
                                         .query = "clearance",
                                         .open = open_clearance,
                                         .ask = ask_clearance,
                                         .close = close_clearance};

/* ---- rotation events ----------------------------------------------------------------------------------------------
 */

typedef struct rotation_state {
  syn_rotation *rotation;
  void *scratch;
  syn_vec3 axis;
} rotation_state;

static void *open_rotation(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  syn_rotation *rotation;
  if (syn_rotation_create(scene->fixed.surface, scene->mobile.surface, scene->center, &rotation, error) != SYN_OK)
    return NULL;
  rotation_state *s = must(malloc(sizeof *s));
  *s = (rotation_state){rotation, must(malloc(syn_rotation_scratch(rotation) + 1)), scene->axis};
  return s;
}

static void close_rotation(void *state) {
  rotation_state *s = state;
  syn_rotation_destroy(s->rotation);
  free(s->scratch);
  free(s);
}

static void ask_rotation(void *state, const syn_pose *pose, bench_answer *answer) {
  rotation_state *s = state;
  syn_event positive, negative;
  syn_rotation_query(s->rotation, pose, s->axis, NULL, s->scratch, &positive, &negative);
  answer->turn_deg[0] = positive.angle * 180 / SYN_PI;
  answer->turn_deg[1] = negative.angle * 180 / SYN_PI;
}

const bench_contender bench_rotation_events = {.name = "synovia",
                                               .detail = "events",
                                               .query = "rotation",
                                               .open = open_rotation,
                                               .ask = ask_rotation,
                                               .close = close_rotation};
