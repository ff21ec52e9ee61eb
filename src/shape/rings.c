#include "shape/rings.h"

#include "base/vec.h"
#include "mesh/builder.h"

static void place_points(const syn_rings *r, syn_vec3 *out) {
  if (!r->looped) *out++ = r->first_pole;
  for (uint32_t i = 0; i < r->rings; ++i)
    for (uint32_t s = 0; s < r->sectors; ++s) *out++ = r->place(r->user, i, s);
  if (!r->looped) *out = r->last_pole;
}

/* The band between rings that start at vertices `low` and `high`. */
static syn_triangle *join_rings(uint32_t low, uint32_t high, uint32_t sectors, syn_triangle *out) {
  for (uint32_t s = 0; s < sectors; ++s) {
    uint32_t next = (s + 1) % sectors;
    *out++ = (syn_triangle){{low + s, low + next, high + next}};
    *out++ = (syn_triangle){{low + s, high + next, high + s}};
  }
  return out;
}

syn_status syn_rings_mesh(const syn_context *context, const syn_rings *r, syn_trimesh **mesh, syn_error *error) {
  syn_builder builder = {.context = context};
  const uint32_t poles = r->looped ? 0 : 2, first = r->looped ? 0 : 1, n = r->sectors;
  const size_t count = (size_t)r->rings * n;
  SYN_TRY(syn_builder_size(&builder, count + poles, 2 * count, 0, error));
  place_points(r, builder.points);
  syn_triangle *out = builder.triangles;
  for (uint32_t i = 0; i + 1 < r->rings; ++i) out = join_rings(first + i * n, first + (i + 1) * n, n, out);
  const uint32_t last = first + (r->rings - 1) * n;
  if (r->looped) {
    join_rings(last, first, n, out);
  } else {
    for (uint32_t s = 0; s < n; ++s) {
      uint32_t next = (s + 1) % n;
      *out++ = (syn_triangle){{0, first + next, first + s}};
      *out++ = (syn_triangle){{last + n, last + s, last + next}};
    }
  }
  return syn_builder_trimesh(&builder, mesh, error);
}

typedef struct turning {
  const syn_profile_point *profile; /* of the first ring */
  const syn_pose *pose;
  double step; /* angle between sectors */
} turning;

static syn_vec3 place_turned(const void *user, uint32_t ring, uint32_t sector) {
  const turning *t = user;
  const double angle = t->step * sector, r = t->profile[ring].r;
  return syn_pose_point(t->pose, vec3(r * cos(angle), r * sin(angle), t->profile[ring].z));
}

syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error) {
  const syn_pose world = syn_pose_identity();
  if (!pose) pose = &world;
  const bool looped = profile[0].r > 0;
  const turning turned = {looped ? profile : profile + 1, pose, 2 * SYN_PI / sectors};
  const syn_rings rings = {.rings = looped ? count : count - 2,
                           .sectors = sectors,
                           .looped = looped,
                           .first_pole = syn_pose_point(pose, vec3(0, 0, profile[0].z)),
                           .last_pole = syn_pose_point(pose, vec3(0, 0, profile[count - 1].z)),
                           .place = place_turned,
                           .user = &turned};
  return syn_rings_mesh(context, &rings, mesh, error);
}
