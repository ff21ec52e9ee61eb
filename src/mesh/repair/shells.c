#include "mesh/repair/shells.h"

#include "base/vec.h"
#include "mesh/repair/nesting.h"

typedef struct shell_info {
  double volume6;  /* six times the signed volume, about `origin` against cancellation */
  syn_vec3 origin; /* one of its vertices */
} shell_info;

static void measure_shell(const syn_trimesh *mesh, const uint32_t *shell, shell_info *info) {
  for (uint32_t t = mesh->triangle_count; t-- > 0;)
    info[shell[t]] = (shell_info){0, mesh->vertices[mesh->triangles[t].v[0]]};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    shell_info *of = &info[shell[t]];
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], of->origin), b = vec3_sub(mesh->vertices[v[1]], of->origin);
    of->volume6 += vec3_dot(a, vec3_cross(b, vec3_sub(mesh->vertices[v[2]], of->origin)));
  }
}

/* Assigns a shell: at even depth it bounds a solid, at odd depth a cavity of the solid around it. */
static syn_status place(const syn_nesting *nesting, const shell_info *info, syn_shells *shells, syn_error *error) {
  for (uint32_t s = 0; s < shells->count; ++s) {
    const bool cavity = nesting->depth[s] % 2 == 1;
    if (cavity && info[s].volume6 >= 0)
      return syn_fail(error, SYN_BAD_MESH,
                      "shell %u lies inside another solid but faces outward: turn it to make a cavity, or remove it",
                      s);
    if (!cavity && info[s].volume6 < 0)
      return syn_fail(error, SYN_BAD_MESH, "shell %u faces inward without lying in a solid: turn it", s);
    shells->outer[s] = cavity ? nesting->around[s] : s;
  }
  return SYN_OK;
}

static syn_status find_shells(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology,
                              syn_shells *shells, syn_error *error) {
  syn_nesting nesting;
  shell_info *info;
  uint8_t *closed;
  SYN_TRY(SYN_NEW(mesh->context, &shells->outer, shells->count, error));
  SYN_TRY(SYN_NEW(mesh->context, &shells->shell, mesh->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &info, shells->count, error));
  SYN_TRY(SYN_TAKE(arena, &closed, shells->count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) shells->shell[t] = topology->triangle_component[t];
  for (uint32_t s = 0; s < shells->count; ++s) closed[s] = 1;
  SYN_TRY(syn_nesting_find(arena, mesh, topology, closed, &nesting, error));
  measure_shell(mesh, shells->shell, info);
  return place(&nesting, info, shells, error);
}

syn_status syn_shells_find(const syn_trimesh *mesh, syn_shells *shells, syn_error *error) {
  syn_arena arena = {.context = mesh->context};
  syn_topology *topology;
  *shells = (syn_shells){0};
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  shells->count = topology->component_count;
  const syn_status status = find_shells(&arena, mesh, topology, shells, error);
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

void syn_shells_release(const syn_context *context, syn_shells *shells) {
  syn_free(context, shells->outer);
  syn_free(context, shells->shell);
  *shells = (syn_shells){0};
}
