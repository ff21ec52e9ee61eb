/* Computes the centre line of neck and upper shaft, and the neck's direction from it.
 *
 * A neck is bent: the line from its narrowest section to the head's centre says little about its base. LibHip, whose
 * tables ours are compared with, therefore fits a line to the neck's part of a centre line, which is the curve from
 * the head's centre down the shaft that stays far from the surface: min integral of 1 / (radius of the largest ball
 * about a point that fits into the bone). Here it is a chain of points. Each may move sideways to a few positions
 * around it; the best combination of all moves is found (dynamic programming along the chain), repeatedly, with
 * decreasing steps. */
#include "base/parallel.h"
#include "clinic/anatomy/femur.h"
#include "collide/surface/surface_tree.h"

enum {
  FEWEST = 8,
  SEGMENTS = 32,
  REACH = 2,
  WIDTH = 2 * REACH + 1,
  CHOICES = WIDTH * WIDTH,
  STAY = CHOICES / 2,
  SWEEPS = 40
};
enum { SAMPLES = 33 };
/* Step in head radii, for the coarsest and the finest chain: a finer chain is already nearer to its optimum. */
static const double FIRST_STEP = 0.16, LAST_STEP = 0.002;
static const double THIN = 0.02; /* ball of a point outside the bone, head radii */
static const double END = 3.6;   /* head radii below the head's centre */

/* A candidate position of a point of the chain, and the best path to it from the chain's start. */
typedef struct choice {
  syn_vec3 place;
  double slowness, cost; /* 1 / radius of the ball; integral */
  int from;              /* choice of the previous point */
} choice;

typedef struct chain {
  const syn_surface_tree *surface;
  double sense, thin;
  syn_vec3 aside; /* unit, across the plane of neck and shaft */
  int segments;
  syn_vec3 place[SEGMENTS + 1];
  choice (*choices)[CHOICES]; /* of each point */
} chain;

/* Evaluates the slowness of a point whose distance from the surface is known to be at most `bound`. */
static double slowness_at(const chain *line, syn_vec3 place, double bound) {
  syn_nearest nearest;
  line->surface->search(line->surface, place, bound * bound * (1 + 1e-9), &nearest);
  const syn_vec3 out = vec3_scale(line->surface->normals[nearest.triangle], line->sense);
  const bool inside = vec3_dot(vec3_sub(nearest.at.point, place), out) >= 0;
  return 1 / max2(inside ? sqrt(nearest.at.distance2) : 0, line->thin);
}

static void offer_choices(const chain *line, int i, double step, choice *choices) {
  const bool end = i == 0 || i == line->segments;
  const syn_vec3 along = end ? vec3(0, 0, 0) : vec3_sub(line->place[i + 1], line->place[i - 1]);
  const syn_vec3 across = end ? vec3(0, 0, 0) : vec3_unit(vec3_cross(line->aside, along));
  syn_nearest nearest;
  line->surface->search(line->surface, line->place[i], INFINITY, &nearest);
  const double radius = sqrt(nearest.at.distance2);
  for (int k = 0; k < CHOICES; ++k) {
    const int column = k % WIDTH - REACH, row = k / WIDTH - REACH;
    const double u = step * column, w = end ? 0 : step * row;
    choices[k].place = vec3_madd(vec3_madd(line->place[i], u, across), w, line->aside);
    choices[k].slowness =
        end && k ? choices[0].slowness : slowness_at(line, choices[k].place, radius + step * REACH * 1.5);
  }
}

/* Finds the cheapest path to a choice; the unmoved choice comes first, so that rounding does not move an optimal chain.
 */
static void arrive(const choice *before, choice *here) {
  here->cost = INFINITY;
  for (int n = 0; n < CHOICES; ++n) {
    const int k = (STAY + n) % CHOICES;
    const double way = vec3_distance(before[k].place, here->place);
    const double cost = before[k].cost + 0.5 * way * (before[k].slowness + here->slowness);
    if (!(cost < here->cost * (1 - 1e-12))) continue;
    here->cost = cost;
    here->from = k;
  }
}

typedef struct offer {
  const chain *line;
  double step;
} offer;

/* Takes nearly all of the computing time. */
static void offer_points(void *user, size_t begin, size_t end) {
  const offer *o = user;
  for (size_t i = begin; i < end; ++i) offer_choices(o->line, (int)i, o->step, o->line->choices[i]);
}

/* Moves the whole chain once (dynamic programming); returns false if it is already optimal. */
static bool improve(chain *line, double step) {
  enum { GRAIN = 3 };
  choice(*choices)[CHOICES] = line->choices;
  offer o = {line, step};
  syn_parallel_for(line->surface->context, (size_t)line->segments + 1, GRAIN, offer_points, &o);
  for (int k = 0; k < CHOICES; ++k) choices[0][k].cost = 0;
  for (int i = 1; i <= line->segments; ++i)
    for (int k = 0; k < CHOICES; ++k) arrive(choices[i - 1], &choices[i][k]);
  bool moved = false;
  for (int i = line->segments, k = STAY; i > 0; k = choices[i][k].from, --i) {
    moved = moved || (i < line->segments && k != STAY);
    line->place[i] = choices[i][k].place;
  }
  return moved;
}

static void relax(chain *line, double radius) {
  const double first = FIRST_STEP * FEWEST / line->segments;
  const double last = LAST_STEP * SEGMENTS * SEGMENTS / (line->segments * line->segments);
  double step = first * radius;
  while (step > last * radius) {
    for (int sweep = 0; sweep < SWEEPS && improve(line, step);) ++sweep;
    step *= 0.5;
  }
}

/* Doubles the count of segments, each of half the length. */
static void refine(chain *line) {
  for (int i = line->segments; i > 0; --i) {
    line->place[2 * i] = line->place[i];
    line->place[2 * i - 1] = vec3_lerp(line->place[i - 1], line->place[i], 0.5);
  }
  line->segments *= 2;
}

/* Starts from the head's centre along the neck to the shaft, and down. */
static void begin(chain *line, const syn_femur *femur) {
  const syn_anatomy *anatomy = femur->anatomy;
  const double radius = femur->head.sphere.radius_mm, below = min2(END * radius, femur->length - 0.4 * radius);
  const syn_vec3 head = femur->head.sphere.center, up = anatomy->shaft_axis;
  const syn_vec3 outward = vec3_sub(anatomy->shaft_point, head);
  const syn_vec3 elbow_on_neck = vec3_madd(head,
                                           -vec3_dot(vec3_sub(head, anatomy->shaft_point), femur->medial) /
                                               vec3_dot(anatomy->neck_axis, femur->medial),
                                           anatomy->neck_axis);
  const syn_vec3 elbow =
      vec3_madd(anatomy->shaft_point, vec3_dot(vec3_sub(elbow_on_neck, anatomy->shaft_point), up), up);
  const syn_vec3 end = vec3_madd(anatomy->shaft_point, -vec3_dot(outward, up) - below, up);
  line->aside = vec3_unit(vec3_cross(up, anatomy->neck_axis));
  line->segments = FEWEST;
  for (int i = 0; i <= FEWEST; ++i) {
    const double t = 2.0 * i / FEWEST;
    line->place[i] = t < 1 ? vec3_lerp(head, elbow, t) : vec3_lerp(elbow, end, t - 1);
  }
}

static double chain_length(const chain *line) {
  double length = 0;
  for (int i = 0; i < line->segments; ++i) length += vec3_distance(line->place[i], line->place[i + 1]);
  return length;
}

/* Returns the point of the chain at an arc length from its start. */
static syn_vec3 chain_at(const chain *line, double length) {
  int i = 0;
  double piece = vec3_distance(line->place[0], line->place[1]);
  while (i + 1 < line->segments && length > piece) {
    length -= piece;
    ++i;
    piece = vec3_distance(line->place[i], line->place[i + 1]);
  }
  return vec3_lerp(line->place[i], line->place[i + 1], piece > 0 ? min2(length / piece, 1) : 0);
}

/* Finds the arc length of the chain up to the plane across the neck axis at the neck's base, by bisection. */
static double length_of_neck(const chain *line, const syn_femur *femur) {
  double low = 0, high = chain_length(line);
  for (int round = 0; round < 50; ++round) {
    const double middle = 0.5 * (low + high);
    const syn_vec3 off = vec3_sub(femur->head.sphere.center, chain_at(line, middle));
    *(vec3_dot(off, femur->anatomy->neck_axis) < femur->neck_base ? &low : &high) = middle;
  }
  return low;
}

static syn_vec3 direction_of_neck(const chain *line, const syn_femur *femur) {
  const double length = length_of_neck(line, femur);
  const syn_vec3 axis = femur->anatomy->neck_axis, head = femur->head.sphere.center;
  syn_vec3 points[SAMPLES], sum = {0};
  for (int i = 0; i < SAMPLES; ++i) {
    points[i] = chain_at(line, length * i / (SAMPLES - 1));
    sum = vec3_add(sum, vec3_sub(points[i], head));
  }
  const syn_vec3 along = syn_long_direction(points, SAMPLES, vec3_madd(head, 1.0 / SAMPLES, sum));
  return vec3_dot(along, axis) < 0 ? vec3_neg(along) : along;
}

/* Returns a surface without the left-out components, which may be inside the bone; the mesh itself if there are none.
 */
static syn_status take_bone(const syn_femur *femur, syn_trimesh **kept, syn_error *error) {
  const syn_trimesh *mesh = femur->bone.mesh;
  syn_triangle *triangles;
  uint32_t count = 0;
  *kept = NULL;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) count += femur->bone.kept[t];
  if (count == mesh->triangle_count) return SYN_OK;
  SYN_TRY(SYN_NEW(mesh->context, &triangles, count, error));
  count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (femur->bone.kept[t]) triangles[count++] = mesh->triangles[t];
  const syn_status status =
      syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, triangles, count, kept, error);
  syn_free(mesh->context, triangles);
  return status;
}

static syn_status find_direction(const syn_surface_tree *surface, const syn_femur *femur, syn_vec3 *direction,
                                 syn_error *error) {
  const double radius = femur->head.sphere.radius_mm;
  chain line = {.surface = surface, .sense = femur->bone.sense, .thin = THIN * radius};
  SYN_TRY(SYN_NEW(surface->context, &line.choices, SEGMENTS + 1, error));
  begin(&line, femur);
  relax(&line, radius);
  while (line.segments < SEGMENTS) {
    refine(&line);
    relax(&line, radius);
  }
  *direction = direction_of_neck(&line, femur);
  syn_free(surface->context, line.choices);
  return SYN_OK;
}

syn_status syn_femur_centerline(syn_femur *femur, syn_error *error) {
  syn_anatomy *anatomy = femur->anatomy;
  /* Reject a neck axis parallel to the shaft. */
  if (!anatomy->has_neck || !anatomy->has_shaft || !(vec3_dot(anatomy->neck_axis, femur->medial) > 0.1)) return SYN_OK;
  syn_trimesh *bone;
  syn_derived *surface;
  SYN_TRY(take_bone(femur, &bone, error));
  syn_status status = syn_derive(bone ? bone : femur->bone.mesh, &syn_derive_surface, &surface, error);
  if (status == SYN_OK) {
    status = find_direction(derived_surface(surface), femur, &anatomy->neck_line, error);
    syn_derived_release(surface);
  }
  syn_trimesh_destroy(bone);
  return status;
}
