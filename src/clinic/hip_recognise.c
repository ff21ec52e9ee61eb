#include "clinic/hip_recognise.h"

#include <math.h>
#include <string.h>

#include "clinic/anatomy/bone_mesh.h"

enum { MOST_LABELS = 24 };
/* Smaller ones are no bone of a hip. */
static const double least_mm3 = 15000;
/* The socket is nearer to the head's sphere than this. */
static const double joint_mm = 8;
/* Vertices of a hip bone or pelvis there; other bones have a few at most. */
enum { LEAST_SOCKET = 200 };

typedef struct recognition {
  const syn_image *image;
  syn_image_surfaces *surfaces;
  bool femur[MOST_LABELS]; /* by surface */
  syn_vec3 center[MOST_LABELS];
  double radius_mm[MOST_LABELS];
  syn_label *labels; /* a copy of the table */
  size_t found;      /* femora with a socket */
} recognition;

static double volume_of(const syn_image *image, const syn_label *label) {
  return (double)label->voxel_count * fabs(vec3_dot(vec3_cross(image->step[0], image->step[1]), image->step[2]));
}

/* The largest labels that may be bones. */
static size_t list_candidates(const syn_image *image, uint32_t list[MOST_LABELS]) {
  size_t count = 0;
  for (size_t i = 0; i < image->label_count; ++i) {
    const uint64_t voxels = image->labels[i].voxel_count;
    if (volume_of(image, &image->labels[i]) < least_mm3) continue;
    size_t at = count < MOST_LABELS ? count++ : MOST_LABELS;
    while (at > 0 && image->labels[list[at - 1]].voxel_count < voxels) {
      if (at < MOST_LABELS) list[at] = list[at - 1];
      --at;
    }
    if (at < MOST_LABELS) list[at] = (uint32_t)i;
  }
  return count;
}

static syn_status find_femur(recognition *r, size_t i, syn_error *error) {
  const syn_trimesh *mesh = r->surfaces->surfaces[i].mesh;
  syn_bone_mesh bone;
  if (!mesh) return SYN_OK;
  const syn_status status = syn_bone_mesh_prepare(mesh->context, mesh, "label", &bone, error);
  if (status == SYN_OK) {
    const syn_head head = syn_bone_head(&bone, NULL);
    r->femur[i] = syn_is_head(&head);
    r->center[i] = head.sphere.center;
    r->radius_mm[i] = head.sphere.radius_mm;
  }
  syn_bone_mesh_release(&bone);
  return status == SYN_BAD_MESH ? SYN_OK : status; /* no bone */
}

/* The surface that lies around the head, or SIZE_MAX. */
static size_t find_socket(const recognition *r, size_t femur) {
  size_t best = SIZE_MAX, most = LEAST_SOCKET;
  for (size_t i = 0; i < r->surfaces->count; ++i) {
    const syn_trimesh *mesh = r->surfaces->surfaces[i].mesh;
    size_t near = 0;
    for (uint32_t v = 0; mesh && !r->femur[i] && v < mesh->vertex_count; ++v)
      near += vec3_distance(mesh->vertices[v], r->center[femur]) < r->radius_mm[femur] + joint_mm;
    if (near <= most) continue;
    best = i;
    most = near;
  }
  return best;
}

/* Names the two bones of a joint; a hip bone that was named on another side is a pelvis. */
static void name_bones(recognition *r, size_t femur, size_t socket, syn_side side) {
  syn_label *f = &r->labels[r->surfaces->surfaces[femur].label], *s = &r->labels[r->surfaces->surfaces[socket].label];
  const bool named = s->part && strcmp(s->part, "hip_bone") == 0 && s->side != SYN_SIDES;
  f->part = "femur";
  f->side = side;
  s->part = named && s->side != side ? "pelvis" : "hip_bone";
  s->side = named && s->side != side ? SYN_SIDES : side;
  ++r->found;
}

static syn_status name_joint(recognition *r, size_t femur, syn_error *error) {
  const size_t socket = find_socket(r, femur);
  syn_anatomy *anatomy;
  if (socket == SIZE_MAX) return SYN_OK;
  const syn_status status = syn_anatomy_create(r->image->context, r->surfaces->surfaces[socket].mesh,
                                               r->surfaces->surfaces[femur].mesh, NULL, &anatomy, error);
  if (status == SYN_BAD_MESH) return SYN_OK; /* no hip */
  if (status != SYN_OK) return status;
  name_bones(r, femur, socket, anatomy->side);
  syn_anatomy_destroy(anatomy);
  return SYN_OK;
}

static syn_status recognise(recognition *r, const syn_image_surface_options *how, syn_error *error) {
  uint32_t list[MOST_LABELS];
  syn_image_surface_options options = *how;
  options.labels = list;
  options.label_count = list_candidates(r->image, list);
  if (options.label_count < 2) return SYN_OK;
  SYN_TRY(syn_image_surfaces_create(r->image, &options, &r->surfaces, error));
  for (size_t i = 0; i < r->image->label_count; ++i) {
    r->labels[i] = r->image->labels[i];
    r->labels[i].part = NULL;
    r->labels[i].side = SYN_SIDES;
  }
  for (size_t i = 0; i < r->surfaces->count; ++i) SYN_TRY(find_femur(r, i, error));
  for (size_t i = 0; i < r->surfaces->count; ++i)
    if (r->femur[i]) SYN_TRY(name_joint(r, i, error));
  return SYN_OK;
}

syn_status syn_hip_recognise(const syn_image *image, const syn_image_surface_options *how, syn_image **named,
                             syn_error *error) {
  recognition r = {.image = image};
  *named = NULL;
  SYN_TRY(SYN_NEW(image->context, &r.labels, image->label_count + 1, error));
  syn_status status = recognise(&r, how, error);
  if (status == SYN_OK && r.found > 0) {
    syn_image described = *image;
    described.labels = r.labels;
    described.shared = NULL;
    status = syn_image_create(image->context, &described, named, error);
  }
  syn_image_surfaces_destroy(r.surfaces);
  syn_free(image->context, r.labels);
  return status;
}
