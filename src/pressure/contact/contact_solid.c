/* Creates a body in contact from a closed surface: gmsh fills it with tetrahedra, which get nodes on their edges;
 * those of the surface are moved onto a smooth interpolation of it, so that articular faces are smooth; nodes near
 * bone are bonded. */
#include <math.h>
#include <string.h>

#include <synovia/collide.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/tet/tet_topology.h"
#include "pressure/contact/contact_problem.h"
#include "pressure/contact/contact_solid.h"
#include "tissue/fem/fem.h"

contact_solid_options syn_default_contact_solid_options(void) {
  return (contact_solid_options){
      .material = {NAN, NAN, 1000}, .law = SYN_LAW_NEO_HOOKEAN, .smooth = true, .bonded_mm = 0.5, .cookie = SYN_COOKIE};
}

/* Edges with a larger angle between their faces stay sharp. */
static const double sharp_cosine = 0.766; /* 40 degrees */

typedef struct work {
  const syn_context *context;
  const contact_solid_options *options;
  const syn_trimesh *surface;
  syn_arena arena;
  syn_tetmesh *volume;
  syn_fem_mesh mesh; /* quadratic; its nodes are in the arena */
  syn_vec3 *nodes;   /* the same, writable */
  uint32_t (*faces)[6];
  uint32_t *face_element;
  uint32_t face_count;
  syn_vec3 *normals; /* of the faces */
  /* Faces around each vertex of the surface. */
  uint32_t *around_start, *around;
  syn_vec3 *straight; /* the nodes before they were moved */
} work;

/* ---- the faces -----------------------------------------------------------------------------------------------------
 */

/* Finds the outer faces of the tetrahedra, corners first. */
static syn_status find_faces(work *w, syn_error *error) {
  const fem_element *kind = &syn_fem_elements[SYN_ELEMENT_TET10];
  const uint32_t tets = w->volume->tet_count;
  uint8_t *outer;
  SYN_TRY(SYN_TAKE(&w->arena, &outer, tets, error));
  SYN_TRY(syn_tet_surface_faces(w->context, w->volume, outer, error));
  for (uint32_t t = 0; t < tets; ++t)
    for (int f = 0; f < 4; ++f) w->face_count += outer[t] >> f & 1;
  SYN_TRY(SYN_TAKE(&w->arena, &w->faces, w->face_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->face_element, w->face_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->normals, w->face_count, error));
  uint32_t count = 0;
  for (uint32_t t = 0; t < tets; ++t)
    for (int f = 0; f < 4; ++f) {
      if (!(outer[t] >> f & 1)) continue;
      uint32_t *face = w->faces[count];
      w->face_element[count] = t;
      for (int i = 0; i < 6; ++i) face[i] = w->mesh.elements[10 * (size_t)t + kind->faces[f][i]];
      const syn_vec3 a = w->nodes[face[0]], b = w->nodes[face[1]], c = w->nodes[face[2]];
      w->normals[count++] = vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
  return SYN_OK;
}

static syn_status find_around(work *w, syn_error *error) {
  const uint32_t vertices = w->volume->vertex_count;
  SYN_TRY(SYN_TAKE(&w->arena, &w->around_start, (size_t)vertices + 2, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->around, 3 * (size_t)w->face_count, error));
  memset(w->around_start, 0, ((size_t)vertices + 2) * sizeof *w->around_start);
  for (uint32_t f = 0; f < w->face_count; ++f)
    for (int i = 0; i < 3; ++i) ++w->around_start[w->faces[f][i] + 2];
  for (uint32_t v = 0; v < vertices; ++v) w->around_start[v + 2] += w->around_start[v + 1];
  for (uint32_t f = 0; f < w->face_count; ++f)
    for (int i = 0; i < 3; ++i) w->around[w->around_start[w->faces[f][i] + 1]++] = f;
  return SYN_OK;
}

/* ---- bends ---------------------------------------------------------------------------------------------------------
 */

/* A face's contribution to the normal at one of its vertices: exact if all vertices around are on a sphere (Max
 * 1999). */
static syn_vec3 normal_part(const work *w, uint32_t f, uint32_t vertex) {
  const uint32_t *face = w->faces[f];
  const int at = face[0] == vertex ? 0 : face[1] == vertex ? 1 : 2;
  const syn_vec3 to = vec3_sub(w->nodes[face[(at + 1) % 3]], w->nodes[vertex]);
  const syn_vec3 back = vec3_sub(w->nodes[face[(at + 2) % 3]], w->nodes[vertex]);
  return vec3_scale(vec3_cross(to, back), 1 / (vec3_length2(to) * vec3_length2(back)));
}

/* Computes the normal at a vertex from the faces that point along `along`; faces beyond a sharp edge are excluded. */
static syn_vec3 normal_at(const work *w, uint32_t vertex, syn_vec3 along) {
  syn_vec3 sum = vec3(0, 0, 0);
  for (uint32_t k = w->around_start[vertex]; k < w->around_start[vertex + 1]; ++k) {
    const syn_vec3 n = w->normals[w->around[k]];
    if (vec3_dot(n, along) > sharp_cosine) sum = vec3_add(sum, normal_part(w, w->around[k], vertex));
  }
  return vec3_unit(sum);
}

/* Returns whether the face has both ends of an edge. */
static bool has_edge(const uint32_t *face, uint32_t a, uint32_t b) {
  int both = 0;
  for (int i = 0; i < 3; ++i) both += face[i] == a || face[i] == b;
  return both == 2;
}

/* Moves the node of an edge to the middle of the cubic that is tangent to the surface at both ends. */
static void bend_edge(work *w, uint32_t f, int e) {
  const uint32_t a = w->faces[f][e], b = w->faces[f][(e + 1) % 3], middle = w->faces[f][3 + e];
  uint32_t other = SYN_NONE;
  for (uint32_t k = w->around_start[a]; k < w->around_start[a + 1]; ++k)
    if (w->around[k] != f && has_edge(w->faces[w->around[k]], a, b)) other = w->around[k];
  if (other == SYN_NONE || other < f) return; /* once for both faces */
  const syn_vec3 n = w->normals[f], m = w->normals[other];
  if (vec3_dot(n, m) < sharp_cosine) return;
  const syn_vec3 along = vec3_unit(vec3_add(n, m)), way = vec3_sub(w->nodes[b], w->nodes[a]);
  const syn_vec3 at_a = normal_at(w, a, along), at_b = normal_at(w, b, along);
  syn_vec3 p = vec3_lerp(w->nodes[a], w->nodes[b], 0.5);
  p = vec3_madd(p, -vec3_dot(way, at_a) / 8, at_a);
  w->nodes[middle] = vec3_madd(p, vec3_dot(way, at_b) / 8, at_b);
}

static bool is_sound(const work *w, uint32_t t) {
  const fem_element *kind = &syn_fem_elements[SYN_ELEMENT_TET10];
  double x[FEM_NODES][3] = {{0}}, gradients[FEM_NODES][3], least = INFINITY, most = 0;
  for (int a = 0; a < 10; ++a) {
    const syn_vec3 p = w->nodes[w->mesh.elements[10 * (size_t)t + (size_t)a]];
    x[a][0] = p.x, x[a][1] = p.y, x[a][2] = p.z;
  }
  for (int a = 0; a < 10; ++a) {
    const double volume = syn_fem_gradients(kind, kind->corners[a], (const double(*)[3])x, gradients);
    least = min2(least, volume), most = max2(most, volume);
  }
  return least > 0.1 * most;
}

/* Elements whose Jacobian would become negative or nearly so keep straight edges, and so do their neighbours there. */
static uint32_t straighten(work *w) {
  uint32_t count = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < w->volume->tet_count; ++t) {
      if (is_sound(w, t)) continue;
      bool bent = false;
      for (int a = 4; a < 10; ++a) {
        const uint32_t i = w->mesh.elements[10 * (size_t)t + (size_t)a];
        if (vec3_distance(w->nodes[i], w->straight[i]) == 0) continue;
        w->nodes[i] = w->straight[i];
        bent = true;
      }
      count += bent;
      changed |= bent;
    }
  }
  return count;
}

static syn_status bend(work *w, uint32_t *straightened, syn_error *error) {
  SYN_TRY(find_around(w, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->straight, w->mesh.node_count, error));
  memcpy(w->straight, w->nodes, w->mesh.node_count * sizeof *w->nodes);
  for (uint32_t f = 0; f < w->face_count; ++f)
    for (int e = 0; e < 3; ++e) bend_edge(w, f, e);
  *straightened = straighten(w);
  return SYN_OK;
}

/* ---- bonds ---------------------------------------------------------------------------------------------------------
 */

static syn_status mark_near_bone(const work *w, bool *bonded, syn_error *error) {
  const uint32_t count = w->surface->vertex_count;
  syn_surface *bone;
  syn_surface_point *nearest = NULL;
  if (!w->options->bone) return SYN_OK;
  SYN_TRY(syn_surface_create(w->options->bone, &bone, error));
  syn_status status = SYN_NEW(w->context, &nearest, count, error);
  if (!status && syn_surface_nearest(bone, w->nodes, count, nearest))
    status = syn_fail(error, SYN_BAD_MESH, "the surface has coordinates that cannot be measured");
  for (uint32_t i = 0; !status && i < count; ++i)
    bonded[i] = bonded[i] || nearest[i].distance_mm <= w->options->bonded_mm;
  syn_free(w->context, nearest);
  syn_surface_destroy(bone);
  return status;
}

/* A face is bonded if its corners are; the others may come into contact. */
static syn_status divide_faces(work *w, contact_solid *solid, syn_error *error) {
  bool *bonded;
  SYN_TRY(SYN_TAKE(&w->arena, &bonded, w->volume->vertex_count, error));
  memset(bonded, 0, w->volume->vertex_count * sizeof *bonded);
  for (uint32_t i = 0; w->options->bonded && i < w->surface->vertex_count; ++i) bonded[i] = w->options->bonded[i];
  SYN_TRY(mark_near_bone(w, bonded, error));
  SYN_TRY(SYN_NEW_ZEROED(w->context, &solid->held, w->mesh.node_count, error));
  SYN_TRY(SYN_NEW(w->context, &solid->faces, 6 * (size_t)w->face_count, error));
  SYN_TRY(SYN_NEW(w->context, &solid->face_element, w->face_count, error));
  for (uint32_t f = 0; f < w->face_count; ++f) {
    const uint32_t *face = w->faces[f];
    if (!bonded[face[0]] || !bonded[face[1]] || !bonded[face[2]]) {
      solid->face_element[solid->face_count] = w->face_element[f];
      memcpy(solid->faces + 6 * (size_t)solid->face_count++, face, sizeof w->faces[f]);
      continue;
    }
    ++solid->bonded_faces;
    for (int i = 0; i < 6; ++i) solid->held[face[i]] = SYN_XYZ;
  }
  if (solid->face_count == 0)
    return syn_fail(error, SYN_BAD_MESH, "all of the surface is bonded: none of it can touch another body");
  return SYN_OK;
}

/* ---- the solid -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(work *w, syn_error *error) {
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.edge_mm = w->options->edge_mm;
  options.program = w->options->program;
  SYN_TRY(syn_trimesh_tetrahedralize(w->surface, &options, &w->volume, error));
  const syn_fem_mesh linear = {.element = SYN_ELEMENT_TET4,
                               .node_count = w->volume->vertex_count,
                               .element_count = w->volume->tet_count,
                               .nodes = w->volume->vertices,
                               .elements = &w->volume->tets->v[0]};
  SYN_TRY(syn_fem_make_quadratic(&w->arena, &linear, &w->mesh, error));
  SYN_TRY(SYN_TAKE(&w->arena, &w->nodes, w->mesh.node_count, error));
  memcpy(w->nodes, w->mesh.nodes, w->mesh.node_count * sizeof *w->nodes);
  w->mesh.nodes = w->nodes;
  return SYN_OK;
}

static syn_status copy_mesh(const work *w, contact_solid *solid, syn_error *error) {
  const size_t nodes = w->mesh.node_count, places = 10 * (size_t)w->mesh.element_count;
  SYN_TRY(SYN_NEW(w->context, &solid->nodes, nodes, error));
  SYN_TRY(SYN_NEW(w->context, &solid->elements, places, error));
  memcpy(solid->nodes, w->nodes, nodes * sizeof *solid->nodes);
  memcpy(solid->elements, w->mesh.elements, places * sizeof *solid->elements);
  solid->node_count = w->mesh.node_count;
  solid->element_count = w->mesh.element_count;
  return SYN_OK;
}

static syn_status make(work *w, contact_solid *solid, syn_error *error) {
  SYN_TRY(fill(w, error));
  SYN_TRY(find_faces(w, error));
  if (w->options->smooth) SYN_TRY(bend(w, &solid->straightened, error));
  SYN_TRY(divide_faces(w, solid, error));
  return copy_mesh(w, solid, error);
}

void syn_solid_release(contact_solid *solid) {
  syn_soft_destroy(solid->soft);
  syn_free(solid->context, solid->nodes);
  syn_free(solid->context, solid->elements);
  syn_free(solid->context, solid->held);
  syn_free(solid->context, solid->faces);
  syn_free(solid->context, solid->face_element);
  *solid = (contact_solid){0};
}

syn_status syn_solid_fill(const syn_context *context, const syn_trimesh *surface, const contact_solid_options *options,
                          contact_solid *solid, syn_error *error) {
  *solid = (contact_solid){.context = context};
  if (!(options->bonded_mm >= 0) || !isfinite(options->bonded_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "bonded_mm must be 0 or more");
  work w = {.context = context, .options = options, .surface = surface, .arena = {.context = context}};
  const syn_status status = make(&w, solid, error);
  syn_tetmesh_destroy(w.volume);
  syn_arena_release(&w.arena);
  if (status) syn_solid_release(solid);
  return status;
}

/* ---- as a body -----------------------------------------------------------------------------------------------------
 */

static syn_status make_body(const contact_solid_options *options, contact_solid *solid, syn_error *error) {
  const syn_fem_mesh mesh = {.element = SYN_ELEMENT_TET10,
                             .node_count = solid->node_count,
                             .element_count = solid->element_count,
                             .nodes = solid->nodes,
                             .elements = solid->elements};
  syn_soft_options soft = syn_default_soft_options();
  soft.law = options->law;
  soft.material = options->material;
  if (!(soft.material.density_kg_m3 > 0)) soft.material.density_kg_m3 = 1000; /* unused in an equilibrium */
  SYN_TRY(syn_soft_fem_create(solid->context, &mesh, &soft, &solid->soft, error));
  solid->body = (syn_contact_body){.soft = solid->soft,
                                   .held = solid->held,
                                   .face_count = solid->face_count,
                                   .face_nodes = 6,
                                   .faces = solid->faces};
  return SYN_OK;
}

syn_status syn_solid_create(const syn_context *context, const syn_trimesh *surface,
                            const contact_solid_options *options, contact_solid *solid, syn_error *error) {
  const contact_solid_options defaults = syn_default_contact_solid_options();
  if (!options) options = &defaults;
  *solid = (contact_solid){0};
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_contact_solid_options, error));
  if (isnan(options->material.young_mpa) || isnan(options->material.poisson))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a solid needs a material: Young's modulus and Poisson's ratio");
  SYN_TRY(syn_solid_fill(context, surface, options, solid, error));
  const syn_status status = make_body(options, solid, error);
  if (status) syn_solid_release(solid);
  return status;
}
