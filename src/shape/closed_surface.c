/* Closed surfaces from rules: lofts over rings, surfaces of revolution, capsules, geodesic balls and plates. */
#include "shape/closed_surface.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/builder.h"

/* ---- lofts ------------------------------------------------------------------------------------------------------- */

static bool is_pole(const syn_loft *loft, uint32_t ring) {
  return loft->ends == SYN_LOFT_POLES && (ring == 0 || ring == loft->rings - 1);
}

/* Poles take one number, other rings one per column. */
static uint32_t vertex(const syn_loft *loft, uint32_t ring, uint32_t column) {
  uint32_t before = loft->ends == SYN_LOFT_POLES && ring > 0 ? 1 + (ring - 1) * loft->columns : ring * loft->columns;
  return is_pole(loft, ring) ? before : before + column % loft->columns;
}

static syn_status add_points(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  for (uint32_t ring = 0; ring < loft->rings; ++ring) {
    uint32_t columns = is_pole(loft, ring) ? 1 : loft->columns;
    for (uint32_t column = 0; column < columns; ++column)
      SYN_TRY(syn_builder_point(builder, loft->place(loft->user, ring, column), error));
  }
  return SYN_OK;
}

/* Corners round the quad; the cut runs from a to c. A side that is a single point leaves one triangle. */
static syn_status add_quad(syn_builder *builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d, syn_error *error) {
  if (a != b && b != c) SYN_TRY(syn_builder_triangle(builder, a, b, c, error));
  if (c != d && d != a) SYN_TRY(syn_builder_triangle(builder, a, c, d, error));
  return SYN_OK;
}

static syn_status add_bands(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  uint32_t bands = loft->ends == SYN_LOFT_TORUS ? loft->rings : loft->rings - 1;
  for (uint32_t ring = 0; ring < bands; ++ring) {
    uint32_t next = (ring + 1) % loft->rings;
    for (uint32_t column = 0; column < loft->columns; ++column) {
      uint32_t a = vertex(loft, ring, column), b = vertex(loft, ring, column + 1);
      uint32_t c = vertex(loft, next, column + 1), d = vertex(loft, next, column);
      if (ring < loft->fold)
        SYN_TRY(add_quad(builder, a, b, c, d, error));
      else
        SYN_TRY(add_quad(builder, b, c, d, a, error));
    }
  }
  return SYN_OK;
}

/* Closes the first and the last ring of a folded loft by a strip of quads each. */
static syn_status add_folded_ends(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  uint32_t last = loft->rings - 1, columns = loft->columns;
  for (uint32_t c = 0; c + 1 < columns / 2; ++c) {
    SYN_TRY(add_quad(builder, vertex(loft, 0, c), vertex(loft, 0, columns - 1 - c), vertex(loft, 0, columns - 2 - c),
                     vertex(loft, 0, c + 1), error));
    SYN_TRY(add_quad(builder, vertex(loft, last, c), vertex(loft, last, c + 1), vertex(loft, last, columns - 2 - c),
                     vertex(loft, last, columns - 1 - c), error));
  }
  return SYN_OK;
}

/* The volume is taken about a point of the surface: no cancellation far from the origin. */
static void turn_outward(syn_builder *builder) {
  double volume = 0;
  for (size_t i = 0; i < builder->triangle_count; ++i) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c) p[c] = vec3_sub(builder->points[builder->triangles[i].v[c]], builder->points[0]);
    volume += vec3_dot(p[0], vec3_cross(p[1], p[2]));
  }
  if (volume >= 0) return;
  for (size_t i = 0; i < builder->triangle_count; ++i) {
    uint32_t *v = builder->triangles[i].v, second = v[1];
    v[1] = v[2];
    v[2] = second;
  }
}

syn_status syn_loft_make(const syn_context *context, const syn_loft *loft, syn_trimesh **mesh, syn_error *error) {
  assert(loft->rings >= 3 && loft->columns >= 3);
  assert(loft->ends != SYN_LOFT_FOLDED || loft->columns % 2 == 0);
  syn_builder builder = {.context = context};
  syn_status status = add_points(loft, &builder, error);
  if (status == SYN_OK) status = add_bands(loft, &builder, error);
  if (status == SYN_OK && loft->ends == SYN_LOFT_FOLDED) status = add_folded_ends(loft, &builder, error);
  if (status == SYN_OK) {
    turn_outward(&builder);
    status = syn_builder_trimesh(&builder, mesh, error);
  }
  syn_builder_release(&builder);
  return status;
}

/* ---- surfaces of revolution ----------------------------------------------------------------------------------------
 */

typedef struct turning {
  const syn_profile_point *profile;
  const syn_pose *pose;
  double step; /* angle between sectors */
} turning;

static syn_vec3 revolved_point(const void *user, uint32_t ring, uint32_t sector) {
  const turning *t = user;
  const double angle = t->step * sector, r = t->profile[ring].r;
  return syn_pose_point(t->pose, vec3(r * cos(angle), r * sin(angle), t->profile[ring].z));
}

syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error) {
  const syn_pose world = syn_pose_identity();
  const turning turned = {profile, pose ? pose : &world, 2 * SYN_PI / sectors};
  const syn_loft_ends ends = profile[0].r > 0 ? SYN_LOFT_TORUS : SYN_LOFT_POLES;
  const syn_loft loft = {count, sectors, ends, count, revolved_point, &turned};
  return syn_loft_make(context, &loft, mesh, error);
}

/* ---- capsules ---------------------------------------------------------------------------------------------------- */

/* A pose whose z axis leads from a to b and whose origin is a. */
static syn_pose pose_along(syn_vec3 a, syn_vec3 b) {
  const syn_vec3 z = vec3_unit(vec3_sub(b, a)), x = vec3_any_normal(z), y = vec3_cross(z, x);
  return (syn_pose){{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, a};
}

syn_status syn_capsule(const syn_context *context, syn_vec3 a, syn_vec3 b, double radius_a, double radius_b,
                       uint32_t rings, uint32_t sectors, syn_trimesh **mesh, syn_error *error) {
  assert(rings >= 4 && rings <= SYN_CAPSULE_RINGS);
  syn_profile_point profile[SYN_CAPSULE_RINGS + 2], *out = profile;
  const double length = vec3_distance(a, b);
  /* half of the rings make the domes, whose last ones lie at a and b; the others divide the bar evenly */
  const uint32_t dome = rings / 4, bar = rings - 2 * dome;
  *out++ = (syn_profile_point){0, -radius_a};
  for (uint32_t i = 1; i <= dome; ++i) {
    const double elevation = SYN_PI / 2 * (dome - i) / dome;
    *out++ = (syn_profile_point){radius_a * cos(elevation), -radius_a * sin(elevation)};
  }
  for (uint32_t i = 1; i <= bar; ++i) {
    const double share = (double)i / (bar + 1);
    *out++ = (syn_profile_point){(1 - share) * radius_a + share * radius_b, length * share};
  }
  for (uint32_t i = 0; i < dome; ++i) {
    const double elevation = SYN_PI / 2 * i / dome;
    *out++ = (syn_profile_point){radius_b * cos(elevation), length + radius_b * sin(elevation)};
  }
  *out = (syn_profile_point){0, length + radius_b};
  const syn_pose pose = pose_along(a, b);
  return syn_revolve(context, profile, rings + 2, sectors, &pose, mesh, error);
}

/* ---- geodesic balls ---------------------------------------------------------------------------------------------- */

/* (0, ±1, ±golden) and its cyclic permutations: two edges lie in each coordinate plane. */
#define GOLDEN 1.6180339887498949
static const syn_vec3 icosahedron_corners[12] = {{-1, GOLDEN, 0}, {1, GOLDEN, 0}, {-1, -GOLDEN, 0}, {1, -GOLDEN, 0},
                                                 {0, -1, GOLDEN}, {0, 1, GOLDEN}, {0, -1, -GOLDEN}, {0, 1, -GOLDEN},
                                                 {GOLDEN, 0, -1}, {GOLDEN, 0, 1}, {-GOLDEN, 0, -1}, {-GOLDEN, 0, 1}};
static const uint8_t icosahedron_faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                                 {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                                 {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                                 {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/* Vertices are numbered: 12 icosahedron_corners, then the inner points of 30 edges, then those of 20 icosahedron_faces.
 */
typedef struct lattice {
  uint32_t frequency;
  uint8_t edge[12][12]; /* number of the edge between two icosahedron_corners, from the lower to the higher one */
  syn_vec3 *points;
} lattice;

static void number_edges(lattice *l) {
  uint8_t count = 0;
  for (int f = 0; f < 20; ++f)
    for (int c = 0; c < 3; ++c) {
      uint8_t a = icosahedron_faces[f][c], b = icosahedron_faces[f][(c + 1) % 3];
      /* every edge is met twice, once in each direction */
      if (a < b) l->edge[a][b] = count++;
    }
}

/* The vertex of face f that is `weight[c]` steps away from the side opposite corner c; the weights add up to the
 * frequency. */
static uint32_t vertex_of(const lattice *l, uint32_t f, const uint32_t weight[3]) {
  const uint32_t n = l->frequency;
  for (int c = 0; c < 3; ++c)
    if (weight[c] == n) return icosahedron_faces[f][c];
  for (int c = 0; c < 3; ++c)
    if (weight[c] == 0) {
      int p = (c + 1) % 3, q = (c + 2) % 3;
      uint8_t a = icosahedron_faces[f][p], b = icosahedron_faces[f][q];
      /* counted from the lower corner, hence by the weight of the higher one */
      return a < b ? 12 + l->edge[a][b] * (n - 1) + weight[q] - 1 : 12 + l->edge[b][a] * (n - 1) + weight[p] - 1;
    }
  /* rows of constant weight[0] = 1, 2, … hold n-2, n-3, … inner points */
  uint32_t row = weight[0] - 1, inner = (n - 1) * (n - 2) / 2;
  return 12 + 30 * (n - 1) + f * inner + row * (n - 2) - row * (row - 1) / 2 + weight[1] - 1;
}

static syn_vec3 direction_of(uint32_t f, const uint32_t weight[3]) {
  syn_vec3 sum = {0, 0, 0};
  for (int c = 0; c < 3; ++c) sum = vec3_madd(sum, weight[c], icosahedron_corners[icosahedron_faces[f][c]]);
  return vec3_unit(sum);
}

static void place_face(const lattice *l, uint32_t f, syn_vec3 center, syn_radius_function radius, const void *user) {
  const uint32_t n = l->frequency;
  for (uint32_t i = 0; i <= n; ++i)
    for (uint32_t j = 0; i + j <= n; ++j) {
      const uint32_t weight[3] = {i, j, n - i - j};
      syn_vec3 direction = direction_of(f, weight);
      l->points[vertex_of(l, f, weight)] = vec3_madd(center, radius(user, direction), direction);
    }
}

static syn_triangle *triangulate_face(const lattice *l, uint32_t f, syn_triangle *out) {
  const uint32_t n = l->frequency;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; i + j < n; ++j) {
      const uint32_t k = n - i - j;
      uint32_t a = vertex_of(l, f, (uint32_t[3]){i, j, k}), b = vertex_of(l, f, (uint32_t[3]){i + 1, j, k - 1}),
               c = vertex_of(l, f, (uint32_t[3]){i, j + 1, k - 1});
      *out++ = (syn_triangle){{a, b, c}};
      if (k >= 2) *out++ = (syn_triangle){{b, vertex_of(l, f, (uint32_t[3]){i + 1, j + 1, k - 2}), c}};
    }
  return out;
}

syn_status syn_geodesic(const syn_context *context, uint32_t frequency, syn_vec3 center, syn_radius_function radius,
                        const void *user, syn_trimesh **mesh, syn_error *error) {
  syn_builder builder = {.context = context};
  const size_t square = (size_t)frequency * frequency;
  SYN_TRY(syn_builder_size(&builder, 10 * square + 2, 20 * square, 0, error));
  lattice l = {.frequency = frequency, .points = builder.points};
  number_edges(&l);
  syn_triangle *out = builder.triangles;
  for (uint32_t f = 0; f < 20; ++f) {
    place_face(&l, f, center, radius, user);
    out = triangulate_face(&l, f, out);
  }
  return syn_builder_trimesh(&builder, mesh, error);
}

/* ---- plates ------------------------------------------------------------------------------------------------------ */

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
