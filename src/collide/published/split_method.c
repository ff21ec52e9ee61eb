/* The sliding/striking split (Arbabi 2009, §3.6.3): parts of the mobile body near the centre slide, parts far from it
 * strike. Each range of distances from the centre has its method, radial or cylindrical, which tests the vertices in
 * this range; a contact belongs to the method of the range that it is in. */
#include <math.h>

#include "base/vec.h"
#include "collide/collider_shells.h"
#include "collide/published/published.h"

extern const syn_method syn_method_radial, syn_method_cylindrical;

enum { SLIDING, STRIKING, PARTS };

typedef struct split {
  const syn_context *context;
  syn_vec3 center;
  double *thresholds;
  size_t threshold_count;
  uint32_t vertex_count;
  syn_vec3 *vertices; /* mobile vertices before the pose, */
  uint8_t *part_at;   /* and the part of each, valid while the pose keeps the centre; PARTS: too close to a threshold */
  size_t contact_capacity;
  void *parts[PARTS]; /* states of the methods */
} split;

static const syn_method *const methods[PARTS] = {[SLIDING] = &syn_method_radial, [STRIKING] = &syn_method_cylindrical};

/* Returns the method of a position: the thresholds alternate between sliding and striking. */
static int part_of(const split *s, syn_vec3 place) {
  const syn_shells all = {.thresholds = s->thresholds, .count = s->threshold_count};
  return shells_passed(&all, vec3_distance(place, s->center)) % 2 ? STRIKING : SLIDING;
}

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

static syn_status set_thresholds(split *s, const syn_collide_options *options, syn_error *error) {
  s->threshold_count = options->threshold_count;
  if (s->threshold_count == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the split method needs a threshold: the distance from the centre where sliding ends");
  SYN_TRY(SYN_NEW(s->context, &s->thresholds, s->threshold_count, error));
  for (size_t i = 0; i < s->threshold_count; ++i) {
    const double threshold = s->thresholds[i] = options->thresholds_mm[i];
    if (!(threshold >= 0) || (i > 0 && threshold < s->thresholds[i - 1]))
      return syn_fail(error, SYN_BAD_ARGUMENT,
                      "threshold %zu of the split method is %g mm; thresholds are not negative and ascend", i + 1,
                      threshold);
  }
  return SYN_OK;
}

static void set_vertices(split *s, const syn_vec3 *vertices) {
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    const double distance = vec3_distance(vertices[v], s->center), slack = shells_slack(s->center, distance);
    const syn_shells other = {s->thresholds, s->threshold_count, 1 - part_of(s, vertices[v])};
    s->vertices[v] = vertices[v];
    s->part_at[v] = (uint8_t)(shells_may_hold(&other, distance, slack) ? PARTS : 1 - other.part);
  }
}

/* Creates both methods. The search between vertices starts from the depth of the deepest vertex, so that both methods
 * then need the depths of all vertices. */
static syn_status create_parts(split *s, const syn_body *fixed, const syn_body *mobile,
                               const syn_collide_options *options, syn_error *error) {
  const syn_shells sliding = {s->thresholds, s->threshold_count, SLIDING},
                   striking = {s->thresholds, s->threshold_count, STRIKING};
  const bool all = options->between_vertices;
  SYN_TRY(syn_radial_create_part(s->context, fixed, mobile, options, all ? NULL : &sliding, &s->parts[SLIDING], error));
  return syn_cylindrical_create_part(s->context, fixed, mobile, options, all ? NULL : &striking, &s->parts[STRIKING],
                                     error);
}

static syn_status fill_split(split *s, const syn_body *fixed, const syn_body *mobile,
                             const syn_collide_options *options, syn_error *error) {
  s->center = options->center;
  s->vertex_count = mobile->surface->vertex_count;
  s->contact_capacity = s->vertex_count;
  /* The exchanged role adds at most one contact per fixed vertex, the edges at most one per mobile edge. */
  if (options->both_roles || options->between_vertices) s->contact_capacity += fixed->surface->vertex_count;
  if (options->between_vertices) s->contact_capacity += 3 * (size_t)mobile->surface->triangle_count;
  SYN_TRY(set_thresholds(s, options, error));
  SYN_TRY(SYN_NEW(s->context, &s->vertices, s->vertex_count, error));
  SYN_TRY(SYN_NEW(s->context, &s->part_at, s->vertex_count, error));
  set_vertices(s, mobile->surface->vertices);
  return create_parts(s, fixed, mobile, options, error);
}

static void destroy_split(void *state) {
  split *s = state;
  for (int part = 0; part < PARTS; ++part)
    if (s->parts[part]) methods[part]->destroy(s->parts[part]);
  syn_free(s->context, s->thresholds);
  syn_free(s->context, s->vertices);
  syn_free(s->context, s->part_at);
  syn_free(s->context, s);
}

static syn_status create_split(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                               const syn_collide_options *options, void **state, syn_error *error) {
  split *s;
  SYN_TRY(SYN_NEW_ZEROED(context, &s, 1, error));
  s->context = context;
  return syn_method_keep(fill_split(s, fixed, mobile, options, error), s, destroy_split, state);
}

static syn_status update_split(void *state, const syn_vec3 *fixed_vertices, const syn_vec3 *mobile_vertices,
                               syn_error *error) {
  split *s = state;
  for (int part = 0; part < PARTS; ++part)
    SYN_TRY(methods[part]->update(s->parts[part], fixed_vertices, mobile_vertices, error));
  if (mobile_vertices) set_vertices(s, mobile_vertices);
  return SYN_OK;
}

/* ---- query ----------------------------------------------------------------------------------------------------------
 */

/* The result of one method, in the caller's scratch. */
typedef struct telling {
  syn_contacts result;
  size_t next; /* contact to look at */
} telling;

static size_t aligned(size_t bytes) { return (bytes + 15) & ~(size_t)15; }
static size_t contact_bytes(const split *s) { return aligned(s->contact_capacity * sizeof(syn_contact)); }
static size_t depth_bytes(const split *s) { return aligned(s->vertex_count * sizeof(double)); }

static size_t scratch_bytes(const void *state) {
  const split *s = state;
  size_t most = 0;
  for (int part = 0; part < PARTS; ++part) {
    const size_t bytes = methods[part]->scratch(s->parts[part]);
    if (bytes > most) most = bytes;
  }
  return PARTS * (contact_bytes(s) + depth_bytes(s)) + most;
}

static telling query_part(const split *s, int part, const syn_pose *pose, char *scratch) {
  char *own = scratch + (size_t)part * (contact_bytes(s) + depth_bytes(s));
  telling told = {.result = {.contacts = (void *)own,
                             .capacity = s->contact_capacity,
                             .vertex_depth = (void *)(own + contact_bytes(s)),
                             .max_depth_mm = -INFINITY,
                             .max_vertex = SYN_NONE}};
  methods[part]->query(s->parts[part], pose, scratch + PARTS * (contact_bytes(s) + depth_bytes(s)), &told.result);
  return told;
}

/* Returns the next contact in the distance range of the part, or NULL. */
static const syn_contact *next_contact(const split *s, int part, telling *told) {
  for (; told->next < told->result.count; ++told->next)
    if (part_of(s, told->result.contacts[told->next].point) == part) return &told->result.contacts[told->next];
  return NULL;
}

static bool comes_before(const syn_contact *a, const syn_contact *b) {
  return a->mobile_element != b->mobile_element ? a->mobile_element < b->mobile_element
                                                : a->fixed_element <= b->fixed_element;
}

/* Merges two sorted lists; the result is sorted. */
static void merge_contacts(const split *s, telling told[PARTS], syn_contacts *result) {
  for (;;) {
    const syn_contact *sliding = next_contact(s, SLIDING, &told[SLIDING]);
    const syn_contact *striking = next_contact(s, STRIKING, &told[STRIKING]);
    if (!sliding && !striking) return;
    const bool first = !striking || (sliding && comes_before(sliding, striking));
    syn_contacts_add(result, first ? sliding : striking);
    ++told[first ? SLIDING : STRIKING].next;
  }
}

/* Returns whether the pose keeps the centre in place, and with it all distances from it. */
static bool keeps_center(const split *s, const syn_pose *pose) {
  return vec3_distance(syn_pose_point(pose, s->center), s->center) <= 1e-12 * (1 + vec3_length(s->center));
}

static void query_split(const void *state, const syn_pose *pose, void *scratch, syn_contacts *result) {
  const split *s = state;
  const bool kept = keeps_center(s, pose);
  telling told[PARTS];
  /* Query both methods, then keep the contacts in the range of each. */
  for (int part = 0; part < PARTS; ++part) told[part] = query_part(s, part, pose, scratch);
  merge_contacts(s, told, result);
  /* The depth of each vertex is that of the method of its range. */
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    int part = kept ? s->part_at[v] : PARTS;
    if (part == PARTS) part = part_of(s, syn_pose_point(pose, s->vertices[v]));
    const double depth = told[part].result.vertex_depth[v];
    if (result->vertex_depth) result->vertex_depth[v] = depth;
    if (!(depth > result->max_depth_mm))
      continue; /* penetrating vertices are already among the contacts: this one is a clearance */
    result->max_depth_mm = depth;
    result->max_vertex = v;
    result->max_point = syn_pose_point(pose, s->vertices[v]);
  }
}

const syn_method syn_method_split = {
    .info = {.name = "split",
             .summary = "radial depth where parts near the centre slide, arcs along the turn where far parts strike",
             .tells_depth = true,
             .tells_field = true,
             .published = true},
    .create = create_split,
    .destroy = destroy_split,
    .update = update_split,
    .scratch = scratch_bytes,
    .query = query_split,
    .sides = SYN_SIDES_ALWAYS,
};
