/* Embree: the radial depth of every vertex by a ray from the centre through it. The transform of the vertices is part
 * of the question, in single precision and four at a time as the compiler likes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <embree3/rtcore.h>

#include "base/status.h"
#include "peers/peers.h"

typedef struct embree_state {
  RTCDevice device;
  RTCScene scene;
  struct RTCIntersectContext context;
  size_t vertex_count, room; /* capacity: rounded up to whole packets */
  float *local[3];           /* mobile vertices about the centre */
  float *ray[3];             /* the same at the pose: the rays' directions */
  float *depth;
  float center[3];
  size_t packet;
} embree_state;

static float *lane(const embree_state *s) { return aligned_alloc(64, s->room * sizeof(float)); }

static void embree_close(void *state) {
  embree_state *s = state;
  for (int k = 0; k < 3; ++k) {
    free(s->local[k]);
    free(s->ray[k]);
  }
  free(s->depth);
  if (s->scene) rtcReleaseScene(s->scene);
  if (s->device) rtcReleaseDevice(s->device);
  free(s);
}

static bool add_mesh(embree_state *s, const syn_trimesh *mesh) {
  RTCGeometry geometry = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  float *points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                          mesh->vertex_count);
  unsigned *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(unsigned), mesh->triangle_count);
  if (points && corners) {
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
      points[3 * i] = (float)mesh->vertices[i].x;
      points[3 * i + 1] = (float)mesh->vertices[i].y;
      points[3 * i + 2] = (float)mesh->vertices[i].z;
    }
    memcpy(corners, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(s->scene, geometry);
  }
  rtcReleaseGeometry(geometry);
  return points && corners;
}

/* A variant is its packet size, negative where the rays of a packet are declared coherent. */
static bool prepare(embree_state *s, const bench_scene *scene, int variant) {
  const syn_trimesh *mobile = scene->mobile.surface;
  s->packet = (size_t)abs(variant);
  s->vertex_count = mobile->vertex_count;
  s->room = (s->vertex_count + 15) / 16 * 16;
  s->device = rtcNewDevice("threads=1,set_affinity=0");
  if (!s->device) return false;
  s->scene = rtcNewScene(s->device);
  rtcSetSceneBuildQuality(s->scene, RTC_BUILD_QUALITY_HIGH);
  if (!add_mesh(s, scene->fixed.surface)) return false;
  rtcCommitScene(s->scene);
  rtcInitIntersectContext(&s->context);
  if (variant < 0) s->context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (int k = 0; k < 3; ++k)
    if (!(s->local[k] = lane(s)) || !(s->ray[k] = lane(s))) return false;
  if (!(s->depth = lane(s))) return false;
  const syn_vec3 c = scene->center;
  s->center[0] = (float)c.x, s->center[1] = (float)c.y, s->center[2] = (float)c.z;
  for (size_t i = 0; i < s->room; ++i) {
    const syn_vec3 p = mobile->vertices[i < s->vertex_count ? i : 0];
    s->local[0][i] = (float)(p.x - c.x);
    s->local[1][i] = (float)(p.y - c.y);
    s->local[2][i] = (float)(p.z - c.z);
  }
  return rtcGetDeviceError(s->device) == RTC_ERROR_NONE;
}

static void *embree_open(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  embree_state *s = calloc(1, sizeof *s);
  if (s && prepare(s, scene, self->variant)) return s;
  if (s) embree_close(s);
  syn_fail(error, SYN_NO_PROGRAM, "Embree refused the scene");
  return NULL;
}

static void transform(const embree_state *s, const syn_pose *pose) {
  const syn_vec3 c = {(double)s->center[0], (double)s->center[1], (double)s->center[2]};
  const syn_vec3 moved = syn_pose_point(pose, c);
  const double shift[3] = {moved.x - c.x, moved.y - c.y, moved.z - c.z};
  const float *restrict x = s->local[0], *restrict y = s->local[1], *restrict z = s->local[2];
  for (int k = 0; k < 3; ++k) {
    const syn_vec3 row = pose->rotation.row[k];
    const float a = (float)row.x, b = (float)row.y, d = (float)row.z, t = (float)shift[k];
    float *restrict out = s->ray[k];
    for (size_t i = 0; i < s->room; ++i) out[i] = a * x[i] + b * y[i] + d * z[i] + t;
  }
}

/* Directions are as long as the vertex is far, so that a hit at t lies at t times its distance from the centre. */
static void take_hit(embree_state *s, size_t i, unsigned geometry, float t) {
  const float x = s->ray[0][i], y = s->ray[1][i], z = s->ray[2][i];
  s->depth[i] = geometry == RTC_INVALID_GEOMETRY_ID ? -INFINITY : (1 - t) * sqrtf(x * x + y * y + z * z);
}

static void cast_single(embree_state *s) {
  for (size_t i = 0; i < s->vertex_count; ++i) {
    struct RTCRayHit r = {.ray = {.org_x = s->center[0],
                                  .org_y = s->center[1],
                                  .org_z = s->center[2],
                                  .dir_x = s->ray[0][i],
                                  .dir_y = s->ray[1][i],
                                  .dir_z = s->ray[2][i],
                                  .tfar = INFINITY,
                                  .mask = ~0U},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
    rtcIntersect1(s->scene, &s->context, &r);
    take_hit(s, i, r.hit.geomID, r.ray.tfar);
  }
}

/* The same for packets; the three widths differ in nothing but the names of Embree's types. */
#define CAST_PACKETS(N)                                                                                                \
  static void cast_##N(embree_state *s) {                                                                              \
    int valid[N];                                                                                                      \
    memset(valid, 0xff, sizeof valid);                                                                                 \
    struct RTCRayHit##N r = {0};                                                                                       \
    for (int k = 0; k < N; ++k) {                                                                                      \
      r.ray.org_x[k] = s->center[0], r.ray.org_y[k] = s->center[1], r.ray.org_z[k] = s->center[2];                     \
      r.ray.mask[k] = ~0U;                                                                                             \
    }                                                                                                                  \
    for (size_t i = 0; i < s->room; i += N) {                                                                          \
      memcpy(r.ray.dir_x, s->ray[0] + i, sizeof r.ray.dir_x);                                                          \
      memcpy(r.ray.dir_y, s->ray[1] + i, sizeof r.ray.dir_y);                                                          \
      memcpy(r.ray.dir_z, s->ray[2] + i, sizeof r.ray.dir_z);                                                          \
      memset(r.hit.geomID, 0xff, sizeof r.hit.geomID);                                                                 \
      memset(r.hit.instID, 0xff, sizeof r.hit.instID);                                                                 \
      for (int k = 0; k < N; ++k) r.ray.tnear[k] = 0, r.ray.tfar[k] = INFINITY;                                        \
      rtcIntersect##N(valid, s->scene, &s->context, &r);                                                               \
      for (size_t k = 0; k < N; ++k) take_hit(s, i + k, r.hit.geomID[k], r.ray.tfar[k]);                               \
    }                                                                                                                  \
  }
CAST_PACKETS(4)
CAST_PACKETS(8)
CAST_PACKETS(16)

static void embree_ask(void *state, const syn_pose *pose, bench_answer *answer) {
  embree_state *s = state;
  transform(s, pose);
  switch (s->packet) {
  case 4: cast_4(s); break;
  case 8: cast_8(s); break;
  case 16: cast_16(s); break;
  default: cast_single(s); break;
  }
  float deepest = -INFINITY;
  for (size_t i = 0; i < s->vertex_count; ++i) {
    if (s->depth[i] > deepest) deepest = s->depth[i];
    answer->count += s->depth[i] > 0;
  }
  answer->depth_mm = (double)deepest;
}

#define ENTRY(detail, variant)                                                                                         \
  { "embree", detail, "radial-field", variant, embree_open, embree_ask, embree_close }
const bench_contender bench_embree[] = {
    ENTRY("single rays", 1), ENTRY("packets of 4", 4), ENTRY("packets of 8", 8),  ENTRY("packets of 16", 16),
    ENTRY("coherent 4", -4), ENTRY("coherent 8", -8),  ENTRY("coherent 16", -16),
};
const size_t bench_embree_count = sizeof bench_embree / sizeof *bench_embree;
