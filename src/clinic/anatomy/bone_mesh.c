/* Prepares a bone's mesh: which triangles belong to the bone, their areas and normals; extreme points. */
#include "clinic/anatomy/bone_mesh.h"

static const double CRUMB = 0.2; /* components below this share of the largest one's area are left out */

/* Returns twice the area, along the normal. */
static syn_vec3 triangle_cross(const syn_trimesh *mesh, uint32_t t) {
  const uint32_t *v = mesh->triangles[t].v;
  const syn_vec3 a = mesh->vertices[v[0]];
  return vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a));
}

static double triangle_area(const syn_trimesh *mesh, uint32_t t) { return 0.5 * vec3_length(triangle_cross(mesh, t)); }

/* Marks the triangles of large components, adds up their areas and warns about the rest. */
static syn_status keep_large_components(const syn_context *context, const char *name, syn_bone_mesh *bone,
                                        syn_error *error) {
  const uint32_t components = bone->topology->component_count;
  double *area, largest = 0;
  SYN_TRY(SYN_TAKE(&bone->arena, &area, components, error));
  /* Area of each component. */
  for (uint32_t c = 0; c < components; ++c) area[c] = 0;
  for (uint32_t t = 0; t < bone->mesh->triangle_count; ++t)
    area[bone->topology->triangle_component[t]] += triangle_area(bone->mesh, t);
  for (uint32_t c = 0; c < components; ++c) largest = max2(largest, area[c]);
  /* Keep the triangles of large components, and count the rest. */
  uint32_t crumbs = 0, triangles = 0;
  for (uint32_t c = 0; c < components; ++c) crumbs += area[c] < CRUMB * largest;
  for (uint32_t t = 0; t < bone->mesh->triangle_count; ++t) {
    const double whole = area[bone->topology->triangle_component[t]];
    bone->kept[t] = whole >= CRUMB * largest;
    triangles += !bone->kept[t];
  }
  if (crumbs)
    syn_warn(context,
             "the %s has %u small piece%s of %u triangles beside the bone itself: left out when looking for "
             "its anatomy",
             name, crumbs, crumbs == 1 ? "" : "s", triangles);
  return SYN_OK;
}

static void weigh_vertices(syn_bone_mesh *bone) {
  const syn_trimesh *mesh = bone->mesh;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->areas[v] = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (!bone->kept[t]) continue;
    const double area = triangle_area(mesh, t);
    bone->area += area;
    for (int c = 0; c < 3; ++c) bone->areas[mesh->triangles[t].v[c]] += area / 3;
  }
}

/* An open surface has no volume, but the sum about its middle still shows which way most faces point. */
static void face_outward(syn_bone_mesh *bone) {
  const syn_trimesh *mesh = bone->mesh;
  syn_vec3 middle = {0};
  double volume = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) middle = vec3_madd(middle, bone->areas[v], mesh->vertices[v]);
  middle = vec3_scale(middle, 1 / bone->area);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], middle), b = vec3_sub(mesh->vertices[v[1]], middle);
    if (bone->kept[t]) volume += vec3_dot(a, vec3_cross(b, vec3_sub(mesh->vertices[v[2]], middle)));
  }
  bone->sense = volume < 0 ? -1 : 1;
  syn_trimesh_vertex_normals(mesh, bone->normals);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->normals[v] = vec3_scale(bone->normals[v], bone->sense);
}

static syn_status take_room(syn_bone_mesh *bone, syn_error *error) {
  const size_t vertices = bone->mesh->vertex_count, triangles = bone->mesh->triangle_count;
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->normals, vertices, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->areas, vertices, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->kept, triangles, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->stack, triangles, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->group, triangles, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->list, triangles, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->cut, triangles, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->height, vertices, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->reached, vertices, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->queue, vertices, error));
  for (size_t t = 0; t < triangles; ++t) bone->group[t] = 0;
  for (size_t v = 0; v < vertices; ++v) bone->reached[v] = 0;
  return SYN_OK;
}

static syn_status fail_empty(const char *name, syn_error *error) {
  return syn_fail(error, SYN_BAD_MESH, "the %s has no surface", name);
}

syn_status syn_bone_mesh_prepare(const syn_context *context, const syn_trimesh *mesh, const char *name,
                                 syn_bone_mesh *bone, syn_error *error) {
  *bone = (syn_bone_mesh){.arena = {.context = context}, .mesh = mesh, .points = mesh->vertices};
  if (mesh->triangle_count == 0) return fail_empty(name, error);
  SYN_TRY(syn_derive(mesh, &syn_derive_surface, &bone->derived, error));
  bone->surface = derived_surface(bone->derived);
  bone->topology = bone->surface->topology;
  SYN_TRY(take_room(bone, error));
  SYN_TRY(keep_large_components(context, name, bone, error));
  weigh_vertices(bone);
  if (!(bone->area > 0)) return fail_empty(name, error);
  face_outward(bone);
  return SYN_OK;
}

/* Computes areas projected along the normals, without the folds of noise and steps; 0 where a fold points inward. */
static void project_areas(syn_bone_mesh *bone) {
  const syn_trimesh *mesh = bone->mesh;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->areas[v] = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const syn_vec3 outward = vec3_scale(triangle_cross(mesh, t), bone->sense / 6);
    for (int c = 0; bone->kept[t] && c < 3; ++c)
      bone->areas[mesh->triangles[t].v[c]] += vec3_dot(outward, bone->normals[mesh->triangles[t].v[c]]);
  }
  bone->area = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    bone->areas[v] = max2(0, bone->areas[v]);
    bone->area += bone->areas[v];
  }
}

/* One iteration: every vector becomes the area-weighted mean over the vertices of its triangles. */
static void diffuse(const syn_bone_mesh *bone, syn_vec3 *values, syn_vec3 *sum, double *weight) {
  const syn_trimesh *mesh = bone->mesh;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    sum[v] = vec3(0, 0, 0);
    weight[v] = 0;
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 all = vec3_add(vec3_add(values[v[0]], values[v[1]]), values[v[2]]);
    const double area = bone->kept[t] ? triangle_area(mesh, t) : 0;
    for (int c = 0; c < 3; ++c) {
      sum[v[c]] = vec3_madd(sum[v[c]], area, all);
      weight[v[c]] += 3 * area;
    }
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    if (weight[v] > 0) values[v] = vec3_scale(sum[v], 1 / weight[v]);
}

/* Diffusion: n iterations of averaging over neighbours at one edge length reach as far as the root of n / 2 edges. */
syn_status syn_bone_mesh_even(syn_bone_mesh *bone, double length, syn_error *error) {
  const syn_trimesh *mesh = bone->mesh;
  syn_vec3 *sum, *points;
  double *weight;
  SYN_TRY(SYN_TAKE(&bone->arena, &sum, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &points, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &weight, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) points[v] = mesh->vertices[v];
  const double edge2 = 4 / sqrt(3) * bone->area / mesh->triangle_count;
  const int rounds = (int)max2(2, min2(60, ceil(2 * length * length / edge2)));
  for (int round = 0; round < rounds; ++round) {
    diffuse(bone, bone->normals, sum, weight);
    diffuse(bone, points, sum, weight);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) bone->normals[v] = vec3_unit(bone->normals[v]);
  }
  bone->points = points;
  project_areas(bone);
  return SYN_OK;
}

void syn_bone_mesh_release(syn_bone_mesh *bone) {
  syn_derived_release(bone->derived);
  syn_arena_release(&bone->arena);
}

static bool in_region(const syn_region *region, syn_vec3 place) {
  for (int i = 0; i < region->count; ++i)
    if (!(vec3_dot(place, region->normal[i]) >= region->offset[i])) return false;
  return true;
}

bool syn_bone_furthest(const syn_bone_mesh *bone, const syn_region *region, syn_vec3 direction, syn_vec3 *place) {
  bool found = false;
  double furthest = -INFINITY;
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v) {
    const syn_vec3 p = bone->mesh->vertices[v];
    if (!(bone->areas[v] > 0) || !(vec3_dot(p, direction) > furthest) || !in_region(region, p)) continue;
    furthest = vec3_dot(p, direction);
    *place = p;
    found = true;
  }
  return found;
}

bool syn_bone_furthest_part(const syn_bone_mesh *bone, const syn_region *region, syn_vec3 direction, double depth,
                            double reach, syn_vec3 *middle) {
  syn_vec3 tip, sum = {0, 0, 0};
  double total = 0;
  if (!syn_bone_furthest(bone, region, direction, &tip)) return false;
  for (uint32_t v = 0; v < bone->mesh->vertex_count; ++v) {
    const syn_vec3 off = vec3_sub(bone->mesh->vertices[v], tip);
    const double below = -vec3_dot(off, direction);
    if (!(bone->areas[v] > 0) || !(below < depth) || vec3_length(off) > reach ||
        !in_region(region, bone->mesh->vertices[v]))
      continue;
    const double weight = bone->areas[v] * (1 - below / depth);
    sum = vec3_madd(sum, weight, off);
    total += weight;
  }
  *middle = vec3_madd(tip, 1 / total, sum); /* the tip itself has a weight */
  return true;
}
