#include "mesh/shells.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

typedef struct shell_info {
  double volume;   /* signed, mm^3 */
  syn_vec3 sample; /* one of its vertices */
} shell_info;

/* Solid angle of a triangle seen from `eye` (Van Oosterom and Strackee 1983), positive from inside. */
static double solid_angle(syn_vec3 a, syn_vec3 b, syn_vec3 c, syn_vec3 eye) {
  a = vec3_sub(a, eye), b = vec3_sub(b, eye), c = vec3_sub(c, eye);
  const double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
  const double below = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
  return 2 * atan2(vec3_dot(a, vec3_cross(b, c)), below);
}

/* turns[s] = how often shell s winds about the point: whole numbers, as the point lies on none of the others. */
static void wind(const syn_trimesh *mesh, const syn_shells *shells, syn_vec3 eye, double *turns) {
  memset(turns, 0, shells->count * sizeof *turns);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    turns[shells->shell[t]] +=
        solid_angle(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], eye) / (4 * SYN_PI);
  }
  for (uint32_t s = 0; s < shells->count; ++s) turns[s] = round(turns[s]);
}

static void measure(const syn_trimesh *mesh, const syn_shells *shells, shell_info *info) {
  memset(info, 0, shells->count * sizeof *info);
  for (uint32_t t = mesh->triangle_count; t-- > 0;)
    info[shells->shell[t]].sample = mesh->vertices[mesh->triangles[t].v[0]];
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    shell_info *of = &info[shells->shell[t]];
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], of->sample), b = vec3_sub(mesh->vertices[v[1]], of->sample);
    of->volume += vec3_dot(a, vec3_cross(b, vec3_sub(mesh->vertices[v[2]], of->sample))) / 6;
  }
}

/* A solid may only begin where there is none yet, a cavity only inside a solid: the smallest around it. */
static syn_status place(const syn_trimesh *mesh, syn_shells *shells, const shell_info *info, double *turns,
                        syn_error *error) {
  for (uint32_t s = 0; s < shells->count; ++s) {
    double depth = 0;
    if (shells->count > 1) wind(mesh, shells, info[s].sample, turns);
    shells->outer[s] = s;
    for (uint32_t other = 0; other < shells->count && shells->count > 1; ++other) {
      if (other == s || turns[other] == 0) continue;
      depth += turns[other];
      if (info[s].volume < 0 && turns[other] > 0 &&
          (shells->outer[s] == s || info[other].volume < info[shells->outer[s]].volume))
        shells->outer[s] = other;
    }
    if (info[s].volume >= 0 && depth != 0)
      return syn_fail(error, SYN_BAD_MESH,
                      "shell %u lies inside another solid but faces outward: turn it to make a cavity, or remove it",
                      s);
    if (info[s].volume < 0 && depth != 1)
      return syn_fail(error, SYN_BAD_MESH, "shell %u faces inward without lying in a solid: turn it", s);
  }
  return SYN_OK;
}

syn_status syn_shells_find(const syn_trimesh *mesh, syn_shells *shells, syn_error *error) {
  const syn_context *context = mesh->context;
  syn_topology *topology;
  *shells = (syn_shells){0};
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  shells->count = topology->component_count;
  shell_info *info = NULL;
  double *turns = NULL;
  syn_status status = SYN_NEW(context, &shells->outer, shells->count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &shells->shell, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &info, shells->count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &turns, shells->count, error);
  if (status == SYN_OK) {
    memcpy(shells->shell, topology->triangle_component, mesh->triangle_count * sizeof *shells->shell);
    measure(mesh, shells, info);
    status = place(mesh, shells, info, turns, error);
  }
  syn_free(context, info);
  syn_free(context, turns);
  syn_topology_destroy(topology);
  return status;
}

void syn_shells_release(const syn_context *context, syn_shells *shells) {
  syn_free(context, shells->outer);
  syn_free(context, shells->shell);
  *shells = (syn_shells){0};
}
