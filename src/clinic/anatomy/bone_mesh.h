/* A bone's surface prepared for the search: triangles, areas and normals, plane sections, and fitted spheres. No result
 * depends on the orientation of the scene or the order of the triangles. */
#ifndef SYN_CLINIC_BONE_MESH_H
#define SYN_CLINIC_BONE_MESH_H

#include <synovia/clinic.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "mesh/derived.h"

typedef struct syn_bone_mesh {
  syn_arena arena; /* owns everything below except the mesh */
  const syn_trimesh *mesh;
  syn_derived *derived; /* the surface, shared */
  const syn_surface_tree *surface;
  const syn_topology *topology;
  const syn_vec3 *points;  /* the vertices, or averaged ones: see syn_bone_mesh_even */
  syn_vec3 *normals;       /* per vertex, outward even if the file's faces point inward */
  double *areas;           /* per vertex, a third of its triangles; 0 on left-out components */
  bool *kept;              /* per triangle: part of the bone, not a fragment of the segmentation */
  uint32_t *stack, *group; /* per triangle, for sections; group is 0 between two calls */
  uint32_t *list, *cut;    /* per triangle */
  syn_vec3 point, normal;  /* of the plane of the last section */
  double *height;          /* per vertex */
  uint32_t *reached, mark; /* per vertex, for floods: reached == mark */
  uint32_t *queue;         /* per vertex */
  double area, sense;      /* of the kept triangles; +1 or -1: the sign that makes the file's faces point outward */
} syn_bone_mesh;

/* Prepares the bone. Components below a fifth of the largest one's area are left out, with a warning that calls the
 * bone `name`. Release with syn_bone_mesh_release, also after a failure. */
syn_status syn_bone_mesh_prepare(const syn_context *context, const syn_trimesh *mesh, const char *name,
                                 syn_bone_mesh *bone, syn_error *error);
void syn_bone_mesh_release(syn_bone_mesh *bone);
/* Averages points and normals over neighbours as far as `length`: those of single vertices are unreliable if noise or
 * the steps of voxels are steeper than the bone itself. Areas become those projected along the new normals. The mesh is
 * unchanged; convex points move inward a little. */
syn_status syn_bone_mesh_even(syn_bone_mesh *bone, double length, syn_error *error);

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* One closed curve of a plane section. */
typedef struct syn_section {
  double area; /* 0: no section */
  syn_vec3 centroid;
} syn_section;

/* Cuts the bone with a plane: of the curves whose centroid is within `reach` of `point`, which is on the plane, returns
 * the one of max area. Its triangles are bone->list[0 … *count-1] until the next call; count may be NULL. */
syn_section syn_bone_section(syn_bone_mesh *bone, syn_vec3 point, syn_vec3 normal, double reach, uint32_t *count);
/* Finds the point of the last section furthest along `direction`; returns false if it has no triangles. */
bool syn_section_furthest(const syn_bone_mesh *bone, uint32_t count, syn_vec3 direction, syn_vec3 *place);

/* The points p with dot(p, normal[i]) >= offset[i] for all i < count. */
typedef struct syn_region {
  int count;
  syn_vec3 normal[4];
  double offset[4];
} syn_region;
static inline void syn_region_bound(syn_region *region, syn_vec3 normal, syn_vec3 through) {
  region->normal[region->count] = normal;
  region->offset[region->count++] = vec3_dot(normal, through);
}
/* Finds the vertex of the bone in the region furthest along `direction`; returns false if the region is empty. */
bool syn_bone_furthest(const syn_bone_mesh *bone, const syn_region *region, syn_vec3 direction, syn_vec3 *place);
/* Finds the weighted mean, by area and nearness, of the surface within `reach` of that vertex and within `depth` of it
 * along `direction`: unlike the vertex itself it is stable if the surface is flat there and the scan rough. */
bool syn_bone_furthest_part(const syn_bone_mesh *bone, const syn_region *region, syn_vec3 direction, double depth,
                            double reach, syn_vec3 *middle);

/* ---- the femoral head -------------------------------------------------------------------------------------------- */

typedef struct syn_head {
  syn_sphere_fit sphere;
  double coverage;    /* share of the sphere that the surface covers, 0 to 1 */
  syn_vec3 away;      /* unit, from the centre to the middle of the covered part: away from the neck */
  uint32_t component; /* of the mesh: cartilage that is a separate body on the bone may be the head */
} syn_head;

/* Finds the convex, spherical end of the bone; coverage 0 if there is none. Of several spheres the one that is a head,
 * of several heads the one nearest to `toward`, or with `toward` NULL the one that covers most of its sphere, smoothly.
 */
syn_head syn_bone_head(syn_bone_mesh *bone, const syn_vec3 *toward);
/* Does the same on averaged normals, for heads hidden by noise, steps or deformation. */
syn_status syn_bone_rough_head(syn_bone_mesh *bone, const syn_vec3 *toward, syn_head *head, syn_error *error);
/* Finds an aspherical head: the surface that faces away from a known centre, at its most common distance. Coverage 0 if
 * there is none. */
syn_head syn_bone_head_about(syn_bone_mesh *bone, syn_vec3 center);
/* Returns whether it is spherical enough to be a femoral head, whatever its size. */
bool syn_is_head(const syn_head *head);
/* Returns whether it covers enough of its sphere to be a femoral head, however rough. */
bool syn_is_rough_head(const syn_head *head);
/* Sets one byte per vertex: on that sphere. */
void syn_bone_on_head(syn_bone_mesh *bone, const syn_head *head, uint8_t *on_head);

#endif
