#include "walk.h"

#include <stdlib.h>

enum { MOST = 50000 };

typedef struct walk_state {
  syn_contact_walk *walk;
  const syn_tetmesh *fixed, *mobile;
  size_t count;
  syn_contact contacts[MOST]; /* of the last pose */
} walk_state;

static void close_walk(void *state) {
  walk_state *s = state;
  syn_contact_walk_destroy(s->walk);
  free(s);
}

static syn_status begin(walk_state *s, const bench_scene *scene, syn_error *error) {
  syn_collider *collider;
  syn_status status =
      syn_collider_create(scene->context, "buckettree", &scene->fixed, &scene->mobile, NULL, &collider, error);
  if (status != SYN_OK) return status;
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  if (!scratch) abort();
  syn_contacts result = {.contacts = s->contacts, .capacity = MOST};
  status = syn_collider_query(collider, scene->poses, scratch, &result);
  s->count = result.count < MOST ? result.count : MOST;
  free(scratch);
  syn_collider_destroy(collider);
  return status;
}

static void *open_walk(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  walk_state *s = calloc(1, sizeof *s);
  if (!s) abort();
  s->fixed = scene->fixed.volume;
  s->mobile = scene->mobile.volume;
  if (syn_contact_walk_create(scene->context, s->fixed, s->mobile, &s->walk, error) == SYN_OK &&
      begin(s, scene, error) == SYN_OK)
    return s;
  close_walk(s);
  return NULL;
}

static void ask_walk(void *state, const syn_pose *pose, bench_answer *answer) {
  walk_state *s = state;
  syn_contacts result = {.contacts = s->contacts, .capacity = MOST, .last = s->contacts, .last_count = s->count};
  if (syn_contact_walk_step(s->walk, s->fixed->vertices, s->mobile->vertices, pose, &result, NULL) != SYN_OK) abort();
  s->count = result.count < MOST ? result.count : MOST;
  answer->depth_mm = result.max_depth_mm;
  answer->count = result.count;
}

bench_contender bench_walk(const char *query) {
  return (bench_contender){.name = "synovia",
                           .detail = "contact walk",
                           .query = query,
                           .open = open_walk,
                           .ask = ask_walk,
                           .close = close_walk};
}
