/* Whatever the coordinates, from denormals to 1e300, every question about two bodies ends in good time with an error or
 * with an answer that names elements which are there. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <synovia/synovia.h>

#include "base/vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { POINTS = 96, CELLS = 192 };

/* ---- from bytes to bodies ------------------------------------------------------------------------------------------
 */

typedef struct input {
  const uint8_t *bytes;
  size_t left;
} input;

static uint8_t take(input *in) {
  if (in->left == 0) return 0;
  --in->left;
  return *in->bytes++;
}

/* Mostly ordinary numbers; others of any magnitude, and those that are no numbers. */
static double number(input *in) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 5e-324, 1e300, -1e300, 1e12, 1e-12};
  const uint8_t kind = take(in), low = take(in);
  const double plain = ((int)take(in) * 256 + low - 32768) / 1024.0;
  if (kind < 200) return kind % 4 == 0 ? round(plain) : plain;
  if (kind < 208) return odd[kind - 200];
  return plain * pow(10, (double)((int)take(in) - 128) * 2.5);
}

static double finite_number(input *in) {
  const double x = number(in);
  return isfinite(x) ? x : 0;
}

static syn_vec3 finite_point(input *in) {
  const double x = finite_number(in), y = finite_number(in);
  return vec3(x, y, finite_number(in));
}

typedef struct cells {
  syn_vec3 points[POINTS];
  syn_triangle triangles[CELLS];
  syn_tet tets[CELLS];
  uint32_t point_count, triangle_count, tet_count;
} cells;

/* Rings about the z axis with a pole at either end, closed and outward. */
static void add_ball(cells *c, uint32_t rings, uint32_t sectors, double radius) {
  const uint32_t south = rings * sectors, north = south + 1;
  for (uint32_t r = 0; r < rings; ++r)
    for (uint32_t s = 0; s < sectors; ++s) {
      const double theta = SYN_PI * (r + 1) / (rings + 1), phi = 2 * SYN_PI * s / sectors;
      c->points[r * sectors + s] =
          vec3(radius * sin(theta) * cos(phi), radius * sin(theta) * sin(phi), -radius * cos(theta));
    }
  c->points[south] = vec3(0, 0, -radius);
  c->points[north] = vec3(0, 0, radius);
  c->point_count = north + 1;
  for (uint32_t s = 0; s < sectors; ++s) {
    const uint32_t next = (s + 1) % sectors, last = (rings - 1) * sectors;
    c->triangles[c->triangle_count++] = (syn_triangle){{south, next, s}};
    c->triangles[c->triangle_count++] = (syn_triangle){{north, last + s, last + next}};
    for (uint32_t r = 0; r + 1 < rings; ++r) {
      const uint32_t a = r * sectors + s, b = r * sectors + next;
      c->triangles[c->triangle_count++] = (syn_triangle){{a, b, b + sectors}};
      c->triangles[c->triangle_count++] = (syn_triangle){{a, b + sectors, a + sectors}};
    }
  }
}

/* Tetrahedra around a common corner, over the triangles that are there. */
static void fill(cells *c) {
  const uint32_t middle = c->point_count++;
  c->points[middle] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < c->triangle_count; ++t) {
    const uint32_t *v = c->triangles[t].v;
    c->tets[c->tet_count++] = (syn_tet){{v[0], v[1], v[2], middle}};
  }
}

static void add_soup(input *in, cells *c) {
  c->point_count = 4 + take(in) % 20;
  for (uint32_t i = 0; i < c->point_count; ++i) c->points[i] = finite_point(in);
  c->triangle_count = take(in) % 32;
  for (uint32_t t = 0; t < c->triangle_count; ++t)
    for (int k = 0; k < 3; ++k) c->triangles[t].v[k] = take(in) % c->point_count;
  c->tet_count = take(in) % 16;
  for (uint32_t t = 0; t < c->tet_count; ++t)
    for (int k = 0; k < 4; ++k) c->tets[t].v[k] = take(in) % c->point_count;
}

static void make_cells(input *in, cells *c) {
  const uint8_t shape = take(in);
  *c = (cells){.point_count = 0};
  if (shape % 4 == 0) {
    add_soup(in, c);
  } else {
    add_ball(c, 1 + shape / 4 % 6, 3 + shape / 32, 1 + take(in) / 16.0);
    fill(c);
  }
  const double scale = shape % 4 == 3 ? finite_number(in) : 1;
  for (uint32_t i = 0; i < c->point_count; ++i) c->points[i] = vec3_scale(c->points[i], scale);
  for (uint8_t edits = take(in) % 8; edits > 0; --edits) c->points[take(in) % c->point_count] = finite_point(in);
  for (uint32_t i = 0; i < c->point_count; ++i)
    if (!vec3_finite(c->points[i])) c->points[i] = vec3(0, 0, 0);
}

static syn_pose make_pose(input *in) {
  const uint8_t kind = take(in);
  syn_pose pose = syn_pose_identity();
  if (kind % 4 == 1) {
    const syn_vec3 axis = vec3(take(in) + 1, take(in) - 128, take(in) - 128);
    pose = syn_pose_about_axis(vec3(0, 0, 0), axis, take(in) / 16.0);
  }
  if (kind % 4 == 2) pose.rotation.row[take(in) % 3].y = number(in);
  if (kind & 4) pose.translation = vec3(number(in), number(in), number(in));
  return pose;
}

/* ---- questions -----------------------------------------------------------------------------------------------------
 */

typedef struct pair {
  syn_context context;
  cells *cells[2];
  syn_trimesh *surfaces[2];
  syn_tetmesh *volumes[2];
  syn_pose pose;
} pair;

static void check(bool promise) {
  if (!promise) abort();
}

static void check_status(syn_status status, const syn_error *error) {
  check(status == SYN_OK || (error->code == status && error->message[0] != 0));
}

static uint32_t elements(const pair *p, int body, syn_contact_of of) {
  const syn_trimesh *s = p->surfaces[body];
  const syn_tetmesh *v = p->volumes[body];
  switch (of) {
  case SYN_OF_VERTEX_TRIANGLE: return body == 0 ? s->triangle_count : s->vertex_count;
  case SYN_OF_TRIANGLE_VERTEX: return body == 0 ? s->vertex_count : s->triangle_count;
  case SYN_OF_TRIANGLE_TRIANGLE: return s->triangle_count;
  case SYN_OF_VERTEX_TET: return body == 0 ? v->tet_count : v->vertex_count;
  case SYN_OF_TET_TET: return v->tet_count;
  case SYN_OF_BALL_BALL: return s->vertex_count;
  case SYN_OF_FACE_TET: return body == 0 ? 4 * v->tet_count : v->tet_count;
  case SYN_OF_TET_FACE: return body == 0 ? v->tet_count : 4 * v->tet_count;
  case SYN_OF_FIXED_SELF: return (body == 0 ? 1 : 4) * p->volumes[0]->tet_count;
  case SYN_OF_MOBILE_SELF: return (body == 0 ? 1 : 4) * p->volumes[1]->tet_count;
  case SYN_CONTACT_OF_KINDS: break;
  }
  return 0;
}

static void check_contacts(const pair *p, const syn_contacts *result) {
  for (size_t i = 0; i < result->count && i < result->capacity; ++i) {
    const syn_contact *c = &result->contacts[i];
    check(c->fixed_element < elements(p, 0, c->of));
    check(c->mobile_element < elements(p, 1, c->of));
    check(strlen(syn_contact_of_name(c->of)) > 0);
  }
}

static void query_collider(const pair *p, const syn_collider *collider) {
  enum { ROOM = 64 };
  syn_contact contacts[ROOM];
  double depth[POINTS];
  syn_contacts result = {.contacts = contacts, .capacity = ROOM, .vertex_depth = depth};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  const syn_status status = syn_collider_query(collider, &p->pose, scratch, &result);
  check((status == SYN_OK) == (syn_pose_check(&p->pose, NULL) == SYN_OK));
  check(status == SYN_OK || result.count == 0);
  check_contacts(p, &result);
  free(scratch);
}

static void ask_collider(input *in, const pair *p, const char *method) {
  const uint8_t flags = take(in);
  const double thresholds[2] = {take(in) / 32.0, 9};
  syn_collide_options options = syn_default_collide_options();
  options.center = flags & 1 ? vec3(0, 0, 0) : vec3(number(in), number(in), number(in));
  options.fixed_outside = flags & 2;
  options.both_roles = flags & 4;
  options.between_vertices = flags & 8;
  options.angle = flags & 16 ? number(in) : 0;
  options.mapping = (syn_mapping)(1 + take(in) % 3);
  options.table_size = take(in);
  options.thresholds_mm = thresholds;
  options.threshold_count = 2;
  if (flags & 32) options.ball_radius_mm = number(in);
  if (flags & 64) options.reach_mm = number(in);
  const uint8_t rings = take(in);
  if (rings % 4 == 3) options.neighbours = rings / 4;
  const uint8_t more = take(in);
  options.use_normals = !(more & 1);
  options.with_self = more & 2;
  options.sheets = more & 4;
  if (more & 8) options.axis = vec3(number(in), number(in), number(in));
  if (more & 16) options.convex_algorithm = SYN_CONVEX_GJK;
  const bool self = flags & 128;
  const syn_body fixed = {.surface = p->surfaces[0], .volume = p->volumes[self]},
                 mobile = {.surface = p->surfaces[1], .volume = p->volumes[1]};
  syn_collider *collider;
  syn_error error;
  const syn_status status = syn_collider_create(&p->context, method, &fixed, &mobile, &options, &collider, &error);
  check_status(status, &error);
  if (status != SYN_OK) return;
  pair asked = *p;
  if (self) asked.volumes[0] = asked.volumes[1];
  query_collider(&asked, collider);
  syn_vec3 moved[POINTS];
  memcpy(moved, p->cells[1]->points, p->cells[1]->point_count * sizeof *moved);
  moved[take(in) % p->cells[1]->point_count] = vec3(number(in), number(in), number(in));
  check_status(syn_collider_update(collider, NULL, moved, &error), &error);
  query_collider(&asked, collider);
  syn_collider_destroy(collider);
}

static void ask_distance(const pair *p) {
  syn_distance *distance;
  syn_error error;
  const syn_status status = syn_distance_create(p->surfaces[0], p->surfaces[1], NULL, &distance, &error);
  check_status(status, &error);
  if (status != SYN_OK) return;
  void *scratch = malloc(syn_distance_scratch(distance) + 1);
  syn_clearance clearance;
  if (syn_distance_query(distance, &p->pose, NULL, scratch, &clearance) == SYN_OK) {
    check(isfinite(clearance.distance_mm));
    check(clearance.fixed_triangle < p->surfaces[0]->triangle_count);
    check(clearance.mobile_triangle < p->surfaces[1]->triangle_count);
  } else {
    check(isnan(clearance.distance_mm));
  }
  free(scratch);
  syn_distance_destroy(distance);
}

static void ask_rotation(input *in, const pair *p) {
  syn_rotation *rotation;
  syn_error error;
  const syn_vec3 center = vec3(number(in), number(in), number(in)), axis = vec3(number(in), number(in), number(in));
  const syn_status status = syn_rotation_create(p->surfaces[0], p->surfaces[1], center, &rotation, &error);
  check_status(status, &error);
  if (status != SYN_OK) return;
  void *scratch = malloc(syn_rotation_scratch(rotation) + 1);
  syn_event event[2];
  if (syn_rotation_query(rotation, &p->pose, axis, NULL, scratch, &event[0], &event[1]) == SYN_OK)
    for (int d = 0; d < 2; ++d) check(event[d].angle >= 0 && event[d].angle <= 2 * SYN_PI);
  syn_rotation_meets(rotation, &p->pose, scratch);
  free(scratch);
  syn_rotation_destroy(rotation);
}

static void ask_overlap(const pair *p) {
  syn_overlap *overlap;
  syn_error error;
  check_status(syn_overlap_create(p->surfaces[0], p->surfaces[1], &p->pose, &overlap, &error), &error);
  syn_overlap_destroy(overlap);
}

static void ask_convex(input *in, const pair *p) {
  syn_convex *convex[2] = {NULL, NULL};
  syn_error error;
  syn_convex_options options = syn_default_convex_options();
  options.algorithm = take(in) % 2 ? SYN_CONVEX_GJK : SYN_CONVEX_ALTERNATING;
  syn_status status = SYN_OK;
  for (int i = 0; i < 2 && status == SYN_OK; ++i) {
    status = syn_convex_create(&p->context, p->cells[i]->points, p->cells[i]->point_count, &convex[i], &error);
    check_status(status, &error);
  }
  if (status == SYN_OK) {
    void *scratch = malloc(syn_convex_scratch(convex[0], convex[1]) + 1);
    syn_convex_result result;
    if (syn_convex_query(convex[0], convex[1], &p->pose, &options, NULL, scratch, &result) == SYN_OK)
      check(isfinite(result.distance_mm));
    free(scratch);
  }
  for (int i = 0; i < 2; ++i) syn_convex_destroy(convex[i]);
}

static void ask_step(input *in, const pair *p) {
  syn_vec3 after[POINTS];
  syn_step_event event;
  syn_error error;
  const cells *c = p->cells[1];
  for (uint32_t i = 0; i < c->point_count; ++i) after[i] = syn_pose_point(&p->pose, c->points[i]);
  if (take(in) % 2) after[take(in) % c->point_count] = vec3(number(in), number(in), number(in));
  const syn_status status = syn_step_event_find(p->surfaces[0], NULL, p->surfaces[1], after, &event, &error);
  check_status(status, &error);
  if (status == SYN_OK) check(event.time >= 0 && event.time <= 1);
}

static void ask_locator(input *in, const pair *p) {
  syn_tet_locator *locator;
  syn_error error;
  const syn_status status = syn_tet_locator_create(p->volumes[0], &locator, &error);
  check_status(status, &error);
  if (status != SYN_OK) return;
  for (int i = 0; i < 4; ++i) {
    double weights[4];
    const uint32_t tet = syn_tet_locator_query(locator, finite_point(in), weights);
    check(tet == SYN_NONE || tet < p->volumes[0]->tet_count);
  }
  syn_tet_locator_destroy(locator);
}

/* Contacts are followed from those of "buckettree", or from contacts that may be of other bodies altogether. */
static void start_walk(input *in, const pair *p, const syn_body bodies[2], syn_contacts *result) {
  syn_collider *collider;
  if (take(in) % 2) {
    for (size_t i = 0; i < result->capacity / 2; ++i)
      result->contacts[result->count++] = (syn_contact){.of = (syn_contact_of)(take(in) % SYN_CONTACT_OF_KINDS),
                                                        .fixed_element = take(in) % 4 ? take(in) : SYN_NONE,
                                                        .mobile_element = take(in) % 4 ? take(in) : SYN_NONE};
    return;
  }
  if (syn_collider_create(&p->context, "buckettree", &bodies[0], &bodies[1], NULL, &collider, NULL) != SYN_OK) return;
  query_collider(p, collider);
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_collider_query(collider, &p->pose, scratch, result);
  free(scratch);
  syn_collider_destroy(collider);
}

static void move_some(input *in, const cells *c, syn_vec3 *moved) {
  memcpy(moved, c->points, c->point_count * sizeof *moved);
  for (uint8_t moves = take(in) % 8; moves > 0; --moves)
    moved[take(in) % c->point_count] = vec3(number(in), number(in), number(in));
}

static void ask_walk(input *in, const pair *p) {
  enum { ROOM = 64 };
  syn_contact contacts[ROOM];
  syn_contacts result = {.contacts = contacts, .capacity = ROOM};
  pair asked = *p;
  const uint8_t steps = take(in) % 4;
  if (take(in) % 2) asked.volumes[0] = asked.volumes[1];
  const syn_body bodies[2] = {{.volume = asked.volumes[0]}, {.volume = asked.volumes[1]}};
  syn_contact_walk *walk;
  syn_error error;
  const syn_status status = syn_contact_walk_create(&p->context, bodies[0].volume, bodies[1].volume, &walk, &error);
  check_status(status, &error);
  if (status != SYN_OK) return;
  start_walk(in, &asked, bodies, &result);
  for (uint8_t k = 0; k <= steps; ++k) {
    syn_vec3 moved[POINTS];
    move_some(in, p->cells[1], moved);
    result.last = contacts;
    result.last_count = result.count < ROOM ? result.count : ROOM;
    const syn_status walked = syn_contact_walk_step(walk, NULL, moved, &p->pose, &result, &error);
    check_status(walked, &error);
    if (walked != SYN_OK) break;
    check_contacts(&asked, &result);
  }
  syn_contact_walk_destroy(walk);
}

static void ask_anatomy(const pair *p) {
  syn_anatomy *anatomy;
  syn_error error;
  check_status(syn_anatomy_create(&p->context, p->surfaces[0], p->surfaces[1], NULL, &anatomy, &error), &error);
  syn_anatomy_destroy(anatomy);
}

static void ask_health(const pair *p) {
  syn_health health;
  syn_error error;
  check_status(syn_trimesh_check(p->surfaces[0], NULL, &health, &error), &error);
}

/* ---- all of it -----------------------------------------------------------------------------------------------------
 */

static void ask(input *in, const pair *p, uint8_t question) {
  const uint8_t methods = (uint8_t)syn_method_count(), others = 9;
  question %= methods + others;
  if (question < methods) ask_collider(in, p, syn_method_at(question).name);
  switch (question - methods) {
  case 0: ask_distance(p); break;
  case 1: ask_rotation(in, p); break;
  case 2: ask_overlap(p); break;
  case 3: ask_convex(in, p); break;
  case 4: ask_step(in, p); break;
  case 5: ask_locator(in, p); break;
  case 6: ask_anatomy(p); break;
  case 7: ask_health(p); break;
  case 8: ask_walk(in, p); break;
  default: break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input in = {bytes, size};
  const uint8_t question = take(&in);
  static cells made[2];
  pair p = {.context = syn_default_context(), .cells = {&made[0], &made[1]}};
  syn_error error;
  p.context.threads = 1;
  for (int i = 0; i < 2; ++i) {
    const cells *c = &made[i];
    make_cells(&in, &made[i]);
    check(syn_trimesh_create(&p.context, c->points, c->point_count, c->triangles, c->triangle_count, &p.surfaces[i],
                             &error) == SYN_OK);
    check(syn_tetmesh_create(&p.context, c->points, c->point_count, c->tets, c->tet_count, &p.volumes[i], &error) ==
          SYN_OK);
  }
  p.pose = make_pose(&in);
  ask(&in, &p, question);
  for (int i = 0; i < 2; ++i) {
    syn_trimesh_destroy(p.surfaces[i]);
    syn_tetmesh_destroy(p.volumes[i]);
  }
  return 0;
}
