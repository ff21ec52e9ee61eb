/* Computes plane sections of a bone, one closed curve at a time. */
#include <stdlib.h>

#include "clinic/anatomy/bone_mesh.h"

/* Returns the height of a vertex above the plane. */
static double height(const syn_bone_mesh *bone, uint32_t v) {
  return vec3_dot(vec3_sub(bone->mesh->vertices[v], bone->point), bone->normal);
}

/* Returns whether the ends of the edge from vertex c are on different sides. */
static bool edge_crosses(const syn_bone_mesh *bone, uint32_t t, int c) {
  const uint32_t *v = bone->mesh->triangles[t].v;
  return (height(bone, v[c]) >= 0) != (height(bone, v[(c + 1) % 3]) >= 0);
}

static bool triangle_crosses(const syn_bone_mesh *bone, uint32_t t) {
  const uint32_t *v = bone->mesh->triangles[t].v;
  const bool a = height(bone, v[0]) >= 0, b = height(bone, v[1]) >= 0, c = height(bone, v[2]) >= 0;
  return a != b || b != c;
}

/* Returns the point where the edge from vertex c crosses the plane; computed from its lower end, so that both triangles
 * get the same point. */
static syn_vec3 edge_pierces(const syn_bone_mesh *bone, uint32_t t, int c) {
  const uint32_t *v = bone->mesh->triangles[t].v;
  uint32_t low = v[c], high = v[(c + 1) % 3];
  if (height(bone, low) >= 0) low = v[(c + 1) % 3], high = v[c];
  const double below = height(bone, low), above = height(bone, high);
  return vec3_lerp(bone->mesh->vertices[low], bone->mesh->vertices[high], below / (below - above));
}

/* Computes the segment of the curve in one triangle, with the bone on its left seen from above. */
static void crossing(const syn_bone_mesh *bone, uint32_t t, syn_vec3 *from, syn_vec3 *to) {
  for (int c = 0; c < 3; ++c) {
    if (!edge_crosses(bone, t, c)) continue;
    const bool rises = height(bone, bone->mesh->triangles[t].v[c]) < 0;
    *(rises == (bone->sense > 0) ? to : from) = edge_pierces(bone, t, c);
  }
}

/* Green's theorem over the segments, in any order. */
typedef struct sums {
  double area, length;
  syn_vec3 first, middle;
} sums;

static void add_stretch(sums *sum, syn_vec3 a, syn_vec3 b, syn_vec3 normal) {
  const double piece = 0.5 * vec3_dot(vec3_cross(a, b), normal), length = vec3_distance(a, b);
  sum->area += piece;
  sum->length += length;
  sum->first = vec3_madd(sum->first, piece / 3, vec3_add(a, b));
  sum->middle = vec3_madd(sum->middle, 0.5 * length, vec3_add(a, b));
}

/* Collects the curve through triangle `seed` into the list from `begin` on; returns its end. */
static uint32_t follow(syn_bone_mesh *bone, uint32_t seed, uint32_t begin, syn_vec3 point, syn_vec3 normal, sums *sum) {
  uint32_t end = begin, waiting = 0;
  *sum = (sums){0};
  bone->stack[waiting++] = seed;
  bone->group[seed] = 1;
  while (waiting) {
    const uint32_t t = bone->stack[--waiting];
    syn_vec3 from = point, to = point;
    bone->list[end++] = t;
    crossing(bone, t, &from, &to);
    add_stretch(sum, vec3_sub(from, point), vec3_sub(to, point), normal);
    for (int c = 0; c < 3; ++c) {
      const uint32_t next = bone->topology->triangle_neighbours[t][c];
      if (next == SYN_NONE || bone->group[next] || !edge_crosses(bone, t, c)) continue;
      bone->group[next] = 1;
      bone->stack[waiting++] = next;
    }
  }
  return end;
}

static syn_section section_of(const sums *sum, syn_vec3 point) {
  /* For a near-zero area, use the centroid of the perimeter. */
  const bool thin = fabs(sum->area) < 1e-6 * sum->length * sum->length;
  const syn_vec3 off =
      thin ? vec3_scale(sum->middle, sum->length > 0 ? 1 / sum->length : 0) : vec3_scale(sum->first, 1 / sum->area);
  return (syn_section){fabs(sum->area), vec3_add(point, off)};
}

/* Returns whether the plane may pass through a box, which is relative to the surface's origin. */
static bool may_cut(const syn_box_node *box, syn_vec3 point, syn_vec3 normal, double slack) {
  const syn_vec3 low = {(double)box->min[0], (double)box->min[1], (double)box->min[2]},
                 high = {(double)box->max[0], (double)box->max[1], (double)box->max[2]};
  const syn_vec3 half = vec3_scale(vec3_sub(high, low), 0.5), middle = vec3_add(low, half);
  const double reach = half.x * fabs(normal.x) + half.y * fabs(normal.y) + half.z * fabs(normal.z);
  return fabs(vec3_dot(vec3_sub(middle, point), normal)) <= reach + slack;
}

static int compare(const void *a, const void *b) {
  const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return (first > second) - (first < second);
}

/* Lists the bone's triangles that the plane cuts, in ascending order: curves are followed from their first triangle, so
 * that no result depends on the tree. */
static uint32_t list_cut(syn_bone_mesh *bone) {
  const syn_box_node *nodes = bone->surface->tree->nodes;
  const syn_vec3 point = vec3_sub(bone->point, bone->surface->origin);
  const double slack = 1e-9 * (bone->surface->reach + vec3_length(point)); /* well above rounding errors */
  uint32_t stack[SYN_BOX_TREE_DEPTH + 1], waiting = 0, count = 0;
  if (bone->surface->tree->node_count) stack[waiting++] = 0;
  while (waiting) {
    const syn_box_node *node = &nodes[stack[--waiting]];
    if (!may_cut(node, point, bone->normal, slack)) continue;
    if (node->count == 1) {
      if (bone->kept[node->child] && triangle_crosses(bone, node->child)) bone->cut[count++] = node->child;
    } else {
      stack[waiting++] = node->child;
      stack[waiting++] = node->child + 1;
    }
  }
  qsort(bone->cut, count, sizeof *bone->cut, compare);
  return count;
}

syn_section syn_bone_section(syn_bone_mesh *bone, syn_vec3 point, syn_vec3 normal, double reach, uint32_t *count) {
  syn_section best = {0};
  uint32_t best_begin = 0, best_end = 0, end = 0;
  bone->point = point;
  bone->normal = normal;
  const uint32_t cut = list_cut(bone);
  /* Follow each curve once, and keep the one of max area within reach. */
  for (uint32_t i = 0; i < cut; ++i) {
    const uint32_t t = bone->cut[i];
    if (bone->group[t]) continue;
    const uint32_t begin = end;
    sums sum;
    end = follow(bone, t, begin, point, normal, &sum);
    const syn_section section = section_of(&sum, point);
    if (section.area <= best.area || vec3_distance(section.centroid, point) > reach) continue;
    best = section;
    best_begin = begin;
    best_end = end;
  }
  /* Reset the marks, and move the best curve to the front of the list. */
  for (uint32_t i = 0; i < end; ++i) bone->group[bone->list[i]] = 0;
  for (uint32_t i = best_begin; i < best_end; ++i) bone->list[i - best_begin] = bone->list[i];
  if (count) *count = best_end - best_begin;
  return best;
}

bool syn_section_furthest(const syn_bone_mesh *bone, uint32_t count, syn_vec3 direction, syn_vec3 *place) {
  double furthest = -INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    syn_vec3 ends[2] = {{0}};
    crossing(bone, bone->list[i], &ends[0], &ends[1]);
    for (int k = 0; k < 2; ++k) {
      if (!(vec3_dot(ends[k], direction) > furthest)) continue;
      furthest = vec3_dot(ends[k], direction);
      *place = ends[k];
    }
  }
  return count > 0;
}
