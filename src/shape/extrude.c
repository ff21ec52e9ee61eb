#include "shape/extrude.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/builder.h"

void syn_outline_add(syn_outline *outline, double x, double y) {
  assert(outline->count < outline->capacity);
  outline->points[outline->count++] = (syn_point2){x, y};
}

void syn_outline_arc(syn_outline *outline, double x, double y, double radius, double from, double to, uint32_t steps) {
  for (uint32_t i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    syn_outline_add(outline, x + radius * cos(angle), y + radius * sin(angle));
  }
}

static double length2(syn_point2 a, syn_point2 b) { return (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y); }

void syn_outline_refine(syn_outline *outline, uint32_t count) {
  assert(outline->count > 0 && count <= outline->capacity);
  while (outline->count < count) {
    uint32_t longest = 0, n = outline->count;
    double most = -1;
    for (uint32_t i = 0; i < n; ++i) {
      const double length = length2(outline->points[i], outline->points[(i + 1) % n]);
      /* halves of equal edges differ in the last bits; the first of them is meant */
      if (length > most * (1 + 1e-9)) {
        most = length;
        longest = i;
      }
    }
    const syn_point2 a = outline->points[longest], b = outline->points[(longest + 1) % n];
    memmove(&outline->points[longest + 2], &outline->points[longest + 1], (n - longest - 1) * sizeof a);
    outline->points[longest + 1] = (syn_point2){(a.x + b.x) / 2, (a.y + b.y) / 2};
    ++outline->count;
  }
}

/* ---- ear clipping ----------------------------------------------------------------------------------------------- */

/* Twice the signed area. */
static double turn(syn_point2 a, syn_point2 b, syn_point2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Returns height over longest side of the triangle, a measure of flatness; negative if its orientation is reversed. */
static double fatness(syn_point2 a, syn_point2 b, syn_point2 c) {
  return turn(a, b, c) / fmax(length2(a, b), fmax(length2(b, c), length2(c, a)));
}

/* Points halved onto a straight edge are off it by rounding only; anything below this is straight. */
#define STRAIGHT 1e-9

/* Returns whether corner i of the remaining polygon may be cut off: no other corner is in or on the triangle. */
static bool is_ear(const syn_point2 *points, const uint32_t *left, uint32_t count, uint32_t i) {
  const uint32_t before = (i + count - 1) % count, after = (i + 1) % count;
  const syn_point2 a = points[left[before]], b = points[left[i]], c = points[left[after]];
  for (uint32_t k = 0; k < count; ++k) {
    if (k == before || k == i || k == after) continue;
    const syn_point2 p = points[left[k]];
    if (fatness(a, b, p) > -STRAIGHT && fatness(b, c, p) > -STRAIGHT && fatness(c, a, p) > -STRAIGHT) return false;
  }
  return true;
}

/* Cuts off the fattest ear repeatedly; `left` is scratch of outline->count. Returns the end of the count - 2 triangles.
 */
static syn_triangle *clip_ears(const syn_outline *outline, uint32_t *left, syn_triangle *out) {
  const syn_point2 *points = outline->points;
  uint32_t count = outline->count;
  for (uint32_t i = 0; i < count; ++i) left[i] = i;
  while (count >= 3) {
    uint32_t best = 0;
    double best_fatness = STRAIGHT;
    for (uint32_t i = 0; i < count; ++i) {
      const double f = fatness(points[left[(i + count - 1) % count]], points[left[i]], points[left[(i + 1) % count]]);
      if (f > best_fatness && is_ear(points, left, count, i)) {
        best_fatness = f;
        best = i;
      }
    }
    assert(best_fatness > STRAIGHT); /* a simple polygon always has an ear */
    *out++ = (syn_triangle){{left[(best + count - 1) % count], left[best], left[(best + 1) % count]}};
    memmove(&left[best], &left[best + 1], (count - best - 1) * sizeof *left);
    --count;
  }
  return out;
}

/* ---- plates ----------------------------------------------------------------------------------------------------- */

/* The outline's triangles make the top; turned over they make the bottom; the wall joins layer to layer. */
static void triangulate_plate(const syn_outline *outline, uint32_t layers, uint32_t *scratch, syn_triangle *out) {
  const uint32_t n = outline->count, top = layers * n;
  syn_triangle *const bottom = out;
  out = clip_ears(outline, scratch, out);
  for (uint32_t i = 0; i < n - 2; ++i) {
    const uint32_t a = bottom[i].v[0], b = bottom[i].v[1], c = bottom[i].v[2];
    *out++ = (syn_triangle){{top + a, top + b, top + c}};
    bottom[i] = (syn_triangle){{a, c, b}};
  }
  for (uint32_t k = 0; k < layers; ++k)
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t a = k * n + i, b = k * n + (i + 1) % n;
      *out++ = (syn_triangle){{a, b, b + n}};
      *out++ = (syn_triangle){{a, b + n, a + n}};
    }
}

syn_status syn_extrude(const syn_context *context, const syn_outline *outline, double low, double high, uint32_t layers,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error) {
  const syn_pose world = syn_pose_identity();
  if (!pose) pose = &world;
  const uint32_t n = outline->count;
  uint32_t *scratch;
  SYN_TRY(SYN_NEW(context, &scratch, n, error));
  syn_builder builder = {.context = context};
  const size_t wall = (size_t)n * (layers + 1);
  syn_status status = syn_builder_size(&builder, wall, 2 * wall - 4, 0, error);
  if (status == SYN_OK) {
    for (uint32_t k = 0; k <= layers; ++k)
      for (uint32_t i = 0; i < n; ++i)
        builder.points[k * n + i] =
            syn_pose_point(pose, vec3(outline->points[i].x, outline->points[i].y, low + (high - low) * k / layers));
    triangulate_plate(outline, layers, scratch, builder.triangles);
  }
  syn_free(context, scratch);
  return status == SYN_OK ? syn_builder_trimesh(&builder, mesh, error) : status;
}
