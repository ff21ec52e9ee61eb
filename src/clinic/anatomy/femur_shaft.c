/* Fits the shaft: the straight line nearest to the centroids of the sections of the diaphysis, below the trochanters
 * and, in a whole femur, above the flare to the condyles. */
#include "clinic/anatomy/femur.h"
#include "geometry/small_matrix.h"

enum { SECTIONS = 25, ROUNDS = 12 };

typedef struct line {
  syn_vec3 point, axis; /* up */
} line;

syn_vec3 syn_long_direction(const syn_vec3 *points, int count, syn_vec3 mean) {
  syn_tensor moments = {{0}};
  for (int i = 0; i < count; ++i) tensor_add(&moments, 1, vec3_sub(points[i], mean));
  return syn_main_direction(&moments);
}

/* Makes a first guess from distances to the head's centre: the line through the middles of the surface's nearer and
 * farther part, both beyond the trochanters. */
static bool guess(const syn_femur *femur, line *shaft) {
  const syn_bone_mesh *bone = &femur->bone;
  const syn_vec3 center = femur->head.sphere.center;
  const double radius = femur->head.sphere.radius_mm;
  double furthest = 0, weight[2] = {0};
  syn_vec3 sum[2] = {{0}};
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v)
    if (bone->areas[v] > 0) furthest = max2(furthest, vec3_distance(bone->mesh->vertices[v], center));
  const double first = min2(3.2 * radius, 0.6 * furthest);
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v) {
    const double distance = vec3_distance(bone->mesh->vertices[v], center);
    if (!(bone->areas[v] > 0) || distance < first) continue;
    const int far = distance > 0.5 * (first + furthest);
    weight[far] += bone->areas[v];
    sum[far] = vec3_madd(sum[far], bone->areas[v], vec3_sub(bone->mesh->vertices[v], center));
  }
  if (!(weight[0] > 0 && weight[1] > 0)) return false;
  shaft->point = vec3_madd(center, 1 / weight[0], sum[0]);
  shaft->axis = vec3_unit(vec3_sub(shaft->point, vec3_madd(center, 1 / weight[1], sum[1])));
  return furthest > 3 * radius;
}

static double lowest(const syn_femur *femur, const line *shaft) {
  double length = 0;
  for (uint32_t v = 0; v < femur->bone.mesh->vertex_count; ++v)
    if (femur->bone.areas[v] > 0)
      length = max2(length, vec3_dot(vec3_sub(femur->head.sphere.center, femur->bone.mesh->vertices[v]), shaft->axis));
  return length;
}

/* Returns the point of the line `below` the head's centre. */
static syn_vec3 at_height(const syn_femur *femur, const line *shaft, double below) {
  const double now = vec3_dot(vec3_sub(femur->head.sphere.center, shaft->point), shaft->axis);
  return vec3_madd(shaft->point, now - below, shaft->axis);
}

/* One iteration: sections across the line, and a new line through their centroids. Returns false if too few belong to
 * the shaft. */
static bool improve(syn_femur *femur, line *shaft) {
  const double radius = femur->head.sphere.radius_mm;
  femur->length = lowest(femur, shaft);
  /* The range of the diaphysis; a long bone ends at the flare to the condyles. */
  const double end = femur->length > 12 * radius ? 0.65 * femur->length : femur->length - 0.4 * radius;
  const double begin = min2(2.4 * radius, end - 1.2 * radius);
  if (begin < 2 * radius) return false;
  syn_section sections[SECTIONS];
  double least = INFINITY;
  for (int i = 0; i < SECTIONS; ++i) {
    const syn_vec3 point = at_height(femur, shaft, begin + (end - begin) * i / (SECTIONS - 1));
    sections[i] = syn_bone_section(&femur->bone, point, shaft->axis, 2 * radius, NULL);
    if (sections[i].area > 0) least = min2(least, sections[i].area);
  }
  /* Fit a line to the centroids of sections not much wider than the smallest. */
  syn_vec3 centroids[SECTIONS], mean = {0};
  int count = 0;
  for (int i = 0; i < SECTIONS; ++i) {
    if (!(sections[i].area > 0) || sections[i].area > 1.5 * least) continue;
    centroids[count++] = sections[i].centroid;
    mean = vec3_add(mean, vec3_sub(sections[i].centroid, shaft->point));
  }
  if (count < SECTIONS / 3) return false;
  const syn_vec3 point = vec3_madd(shaft->point, 1.0 / count, mean), axis = syn_long_direction(centroids, count, point);
  *shaft = (line){point, vec3_dot(axis, shaft->axis) < 0 ? vec3_neg(axis) : axis};
  femur->diaphysis_area = least;
  return true;
}

void syn_femur_shaft(syn_femur *femur) {
  line shaft;
  if (!guess(femur, &shaft)) return;
  for (int round = 0; round < ROUNDS; ++round) {
    const line last = shaft;
    if (!improve(femur, &shaft)) return;
    if (vec3_distance(last.axis, shaft.axis) < 1e-7) break;
  }
  femur->anatomy->has_shaft = true;
  femur->anatomy->shaft_axis = shaft.axis;
  femur->anatomy->shaft_point = shaft.point;
  femur->length = lowest(femur, &shaft);
  femur->medial = syn_across(vec3_sub(femur->head.sphere.center, shaft.point), shaft.axis);
}
