/* How far a body turns about an axis before it touches another one.
 *
 * A point turning about the unit axis k through the centre is R(t)p = p_par + cos t p_perp + sin t (k x p). Put into
 * the plane of a fixed triangle, or into the coplanarity of two edges, that leaves alpha + beta cos t + gamma sin t =
 * 0, at most two angles in closed form. The first valid one over all pairs of features is the answer; two trees of
 * balls leave few pairs to look at. Everything happens in a frame whose origin is the centre and whose z axis is k, in
 * which the turn acts on x and y alone. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/ball_tree.h"
#include "collide/closest.h"
#include <synovia/collide.h>

/* ---- what is kept per body ------------------------------------------------------------------------------------------
 */

/* Features are listed in the order of the tree's leaves, each with the first leaf that has it, so that no pair is
 * tested twice. near and far: distances from the centre, which no turn changes. */
typedef struct edge_feature {
  uint32_t v[2], id;
  float near, far;
} edge_feature;
typedef struct face_feature {
  uint32_t v[3], id;
  float near, far;
} face_feature;
typedef struct vertex_feature {
  uint32_t id;
  float reach; /* distance from the centre */
} vertex_feature;
typedef struct leaf_features {
  uint32_t edge_begin, edge_end, face_begin, face_end, vertex_begin, vertex_end;
} leaf_features;

typedef struct body {
  const syn_trimesh *mesh;
  ball_tree tree;
  edge_feature *edges;
  face_feature *faces;
  vertex_feature *vertices;
  leaf_features *leaves; /* by node; only leaves are filled */
} body;

struct syn_rotation {
  const syn_context *context;
  syn_vec3 center;
  body fixed, mobile;
};

/* ---- what a query works on: the scratch
 * ------------------------------------------------------------------------------ */

/* A ball seen from the axis: its middle in cylinder coordinates and its half width in angle. */
typedef struct turned_node {
  float axial, radial, angle, half_width, radius, near, far;
  uint32_t right;
} turned_node;

typedef struct turned_body {
  const body *of;
  syn_vec3 *vertices;
  turned_node *nodes;
} turned_body;

typedef struct search {
  turned_body fixed, mobile;
  double best[2];      /* angle reached so far in either direction */
  syn_event *event[2]; /* positive, negative */
} search;

/* ---- building
 * ---------------------------------------------------------------------------------------------------------- */

const char *syn_event_kind_name(syn_event_kind kind) {
  static const char *const names[] = {"none", "vertex-face", "face-vertex", "edge-edge"};
  return names[kind];
}

static syn_vec3 place(const body *b, syn_vec3 center, uint32_t vertex) {
  return vec3_sub(b->mesh->vertices[vertex], center);
}

/* Distances of a feature from the centre, widened by far more than the rounding to float. */
static void set_reach(float *near, float *far, double nearest, double farthest) {
  *near = (float)(nearest * (1 - 1e-6));
  *far = (float)(farthest * (1 + 1e-6));
}

static void add_face(body *b, syn_vec3 center, uint32_t t, uint32_t index) {
  face_feature *face = &b->faces[index];
  syn_vec3 v[3];
  double far = 0;
  face->id = t;
  for (int c = 0; c < 3; ++c) {
    face->v[c] = b->mesh->triangles[t].v[c];
    v[c] = place(b, center, face->v[c]);
    far = max2(far, vec3_length(v[c]));
  }
  set_reach(&face->near, &face->far, vec3_length(closest_on_triangle(vec3(0, 0, 0), v)), far);
}

static void add_edge(body *b, syn_vec3 center, const syn_topology *topology, uint32_t e, uint32_t index) {
  edge_feature *edge = &b->edges[index];
  edge->id = e;
  edge->v[0] = topology->edge_vertices[e][0];
  edge->v[1] = topology->edge_vertices[e][1];
  const syn_vec3 p = place(b, center, edge->v[0]), q = place(b, center, edge->v[1]);
  set_reach(&edge->near, &edge->far, vec3_length(closest_on_segment(vec3(0, 0, 0), p, q)),
            max2(vec3_length(p), vec3_length(q)));
}

/* Gives every face, edge and vertex to the first leaf that has it. */
static void list_features(body *b, syn_vec3 center, const syn_topology *topology, uint8_t *edge_seen,
                          uint8_t *vertex_seen) {
  uint32_t faces = 0, edges = 0, vertices = 0;
  for (uint32_t n = 0; n < b->tree.node_count; ++n) {
    const ball_node *node = &b->tree.nodes[n];
    if (node->right) continue;
    leaf_features *leaf = &b->leaves[n];
    *leaf = (leaf_features){.edge_begin = edges, .face_begin = faces, .vertex_begin = vertices};
    for (uint32_t i = node->begin; i < node->end; ++i) {
      const uint32_t t = b->tree.triangles[i];
      add_face(b, center, t, faces++);
      for (int c = 0; c < 3; ++c) {
        const uint32_t e = topology->triangle_edges[t][c], v = b->mesh->triangles[t].v[c];
        if (!edge_seen[e]) add_edge(b, center, topology, e, edges++);
        if (!vertex_seen[v]) b->vertices[vertices++] = (vertex_feature){v, (float)vec3_length(place(b, center, v))};
        edge_seen[e] = vertex_seen[v] = 1;
      }
    }
    leaf->edge_end = edges;
    leaf->face_end = faces;
    leaf->vertex_end = vertices;
  }
}

static syn_status prepare_with(body *b, syn_vec3 center, const syn_topology *topology, syn_arena *arena,
                               syn_error *error) {
  const syn_context *context = b->mesh->context;
  uint8_t *edge_seen, *vertex_seen;
  SYN_TRY(SYN_TAKE(arena, &edge_seen, topology->edge_count, error));
  SYN_TRY(SYN_TAKE(arena, &vertex_seen, topology->vertex_count, error));
  memset(edge_seen, 0, topology->edge_count);
  memset(vertex_seen, 0, topology->vertex_count);
  SYN_TRY(SYN_NEW(context, &b->edges, topology->edge_count, error));
  SYN_TRY(SYN_NEW(context, &b->faces, topology->triangle_count, error));
  SYN_TRY(SYN_NEW(context, &b->vertices, topology->vertex_count, error));
  SYN_TRY(SYN_NEW(context, &b->leaves, b->tree.node_count, error));
  list_features(b, center, topology, edge_seen, vertex_seen);
  return SYN_OK;
}

static syn_status prepare(body *b, const syn_trimesh *mesh, syn_vec3 center, syn_error *error) {
  b->mesh = mesh;
  SYN_TRY(syn_ball_tree_build(mesh, center, &b->tree, error));
  syn_topology *topology;
  SYN_TRY(syn_topology_create(mesh, &topology, error));
  syn_arena arena = {.context = mesh->context};
  syn_status status = prepare_with(b, center, topology, &arena, error);
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

static void release(body *b) {
  if (!b->mesh) return;
  const syn_context *context = b->mesh->context;
  syn_ball_tree_release(&b->tree);
  syn_free(context, b->edges);
  syn_free(context, b->faces);
  syn_free(context, b->vertices);
  syn_free(context, b->leaves);
}

syn_status syn_rotation_create(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center,
                               syn_rotation **rotation, syn_error *error) {
  *rotation = NULL;
  if (!vec3_finite(center)) return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of rotation is not a finite point");
  syn_rotation *made;
  SYN_TRY(SYN_NEW_ZEROED(fixed->context, &made, 1, error));
  made->context = fixed->context;
  made->center = center;
  syn_status status = prepare(&made->fixed, fixed, center, error);
  if (status == SYN_OK) status = prepare(&made->mobile, mobile, center, error);
  if (status != SYN_OK) {
    syn_rotation_destroy(made);
    return status;
  }
  *rotation = made;
  return SYN_OK;
}

void syn_rotation_destroy(syn_rotation *rotation) {
  if (!rotation) return;
  release(&rotation->fixed);
  release(&rotation->mobile);
  syn_free(rotation->context, rotation);
}

/* ---- events of one pair of features
 * ------------------------------------------------------------------------------------ */

/* A direction of the turn: cos and sin of the angle. */
typedef struct turn {
  double c, s;
} turn;

static syn_vec3 turned(syn_vec3 p, turn t) { return vec3(p.x * t.c - p.y * t.s, p.x * t.s + p.y * t.c, p.z); }

/* Solves alpha + beta cos + gamma sin = 0; a miss by rounding alone counts as a touch. Returns how many, 0 or 2 (equal
 * when they graze); -1 where every angle solves it. */
static int solve(double alpha, double beta, double gamma, turn roots[2]) {
  const double amplitude2 = beta * beta + gamma * gamma, excess = amplitude2 - alpha * alpha;
  if (amplitude2 == 0) return alpha == 0 ? -1 : 0;
  if (excess < -1e-13 * amplitude2) return 0;
  /* cos(t - phi) = -alpha / A with cos phi = beta / A and sin phi = gamma / A */
  const double c = -alpha / amplitude2, s = sqrt(max2(excess, 0)) / amplitude2;
  roots[0] = (turn){beta * c - gamma * s, gamma * c + beta * s};
  roots[1] = (turn){beta * c + gamma * s, gamma * c - beta * s};
  return 2;
}

/* Takes a touch at this angle into the account of both directions. */
static void record(search *q, turn t, syn_vec3 point, syn_event_kind kind, uint32_t fixed, uint32_t mobile) {
  const double touching = 1e-13; /* closer to the start than this is at the start, on either side */
  const double angle = atan2(t.s, t.c), positive = angle < -touching ? angle + 2 * SYN_PI : max2(angle, 0);
  const double reached[2] = {positive, angle > touching ? 2 * SYN_PI - angle : max2(-angle, 0)};
  for (int d = 0; d < 2; ++d) {
    syn_event *event = q->event[d];
    if (reached[d] > q->best[d]) continue;
    /* Several pairs touch at once where a vertex or edge is shared: the lowest numbers win, whatever the order. */
    if (reached[d] == q->best[d] && event->kind != SYN_EVENT_NONE &&
        (event->kind < kind ||
         (event->kind == kind &&
          (event->fixed_element < fixed || (event->fixed_element == fixed && event->mobile_element <= mobile)))))
      continue;
    q->best[d] = reached[d];
    *event = (syn_event){kind, reached[d], point, fixed, mobile};
  }
}

/* Elements are taken this much larger than they are, so that no touch slips between two neighbours. */
static const double slack = 1e-12;

static bool inside_triangle(syn_vec3 p, syn_vec3 a, syn_vec3 b, syn_vec3 c, syn_vec3 normal) {
  const double tolerance = -slack * vec3_length2(normal);
  const syn_vec3 pa = vec3_sub(a, p), pb = vec3_sub(b, p), pc = vec3_sub(c, p);
  return vec3_dot(vec3_cross(pa, pb), normal) >= tolerance && vec3_dot(vec3_cross(pb, pc), normal) >= tolerance &&
         vec3_dot(vec3_cross(pc, pa), normal) >= tolerance;
}

/* A vertex that turns against a triangle that stands still. With `backwards` the roles are exchanged: the triangle
 * turns, which is the vertex turning the other way. */
static void vertex_against_face(search *q, syn_vec3 p, uint32_t vertex, const turned_body *other,
                                const face_feature *face, bool backwards) {
  const syn_vec3 a = other->vertices[face->v[0]], b = other->vertices[face->v[1]], c = other->vertices[face->v[2]];
  if (p.z < min2(a.z, min2(b.z, c.z)) || p.z > max2(a.z, max2(b.z, c.z))) return;
  const syn_vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  turn roots[2];
  /* Where every angle solves it, the vertex slides in the triangle's plane and enters through an edge: see coplanar
   * edges. */
  if (solve(n.z * p.z - vec3_dot(n, a), n.x * p.x + n.y * p.y, n.y * p.x - n.x * p.y, roots) <= 0) return;
  for (int r = 0; r < 2; ++r) {
    const syn_vec3 x = turned(p, roots[r]);
    if (!inside_triangle(x, a, b, c, n)) continue;
    if (backwards)
      record(q, (turn){roots[r].c, -roots[r].s}, p, SYN_EVENT_FACE_VERTEX, vertex, face->id);
    else
      record(q, roots[r], x, SYN_EVENT_VERTEX_FACE, face->id, vertex);
  }
}

/* Where segment a b crosses the circle of the point p about the axis, both in one plane across the axis. Calls `record`
 * with the turn that takes p there, or the opposite one. */
static void circle_crosses_segment(search *q, syn_vec3 p, syn_vec3 a, syn_vec3 b, bool backwards, uint32_t fixed,
                                   uint32_t mobile) {
  const double fx = b.x - a.x, fy = b.y - a.y, radius2 = p.x * p.x + p.y * p.y;
  const double A = fx * fx + fy * fy, B = a.x * fx + a.y * fy, C = a.x * a.x + a.y * a.y - radius2;
  if (A == 0 || radius2 == 0) return;
  const double discriminant = B * B - A * C;
  if (discriminant < -slack * A * radius2) return;
  const double root = sqrt(max2(discriminant, 0));
  for (int sign = -1; sign <= 1; sign += 2) {
    const double t = (-B + sign * root) / A;
    if (t < -slack || t > 1 + slack) continue;
    const double x = a.x + t * fx, y = a.y + t * fy;
    const turn forward = {(p.x * x + p.y * y) / radius2, (p.x * y - p.y * x) / radius2};
    if (backwards) /* a b turns and comes to p */
      record(q, (turn){forward.c, -forward.s}, p, SYN_EVENT_EDGE_EDGE, fixed, mobile);
    else
      record(q, forward, vec3(x, y, p.z), SYN_EVENT_EDGE_EDGE, fixed, mobile);
  }
}

/* Both edges lie in one plane across the axis and never leave it: an end of one runs into the other. */
static void coplanar_edges(search *q, const syn_vec3 m[2], const syn_vec3 f[2], uint32_t fixed, uint32_t mobile) {
  if (m[0].z != m[1].z || f[0].z != f[1].z || m[0].z != f[0].z) return;
  for (int end = 0; end < 2; ++end) {
    circle_crosses_segment(q, m[end], f[0], f[1], false, fixed, mobile);
    circle_crosses_segment(q, f[end], m[0], m[1], true, fixed, mobile);
  }
}

static void edge_against_edge(search *q, const edge_feature *mobile, const edge_feature *fixed) {
  const syn_vec3 m[2] = {q->mobile.vertices[mobile->v[0]], q->mobile.vertices[mobile->v[1]]};
  const syn_vec3 f[2] = {q->fixed.vertices[fixed->v[0]], q->fixed.vertices[fixed->v[1]]};
  if (max2(m[0].z, m[1].z) < min2(f[0].z, f[1].z) || max2(f[0].z, f[1].z) < min2(m[0].z, m[1].z)) return;
  /* ((R p - a) x R e) . d = R (p x e) . d - R e . (d x a) */
  const syn_vec3 e = vec3_sub(m[1], m[0]), d = vec3_sub(f[1], f[0]);
  const syn_vec3 u = vec3_cross(m[0], e), g = vec3_cross(d, f[0]);
  turn roots[2];
  const int count = solve(u.z * d.z - e.z * g.z, u.x * d.x + u.y * d.y - e.x * g.x - e.y * g.y,
                          u.x * d.y - u.y * d.x - e.x * g.y + e.y * g.x, roots);
  if (count < 0) coplanar_edges(q, m, f, fixed->id, mobile->id);
  for (int r = 0; r < count; ++r) {
    const syn_vec3 p = turned(m[0], roots[r]), along = turned(e, roots[r]), normal = vec3_cross(along, d);
    const syn_vec3 between = vec3_sub(f[0], p);
    const double size = vec3_length2(normal);
    const double on_mobile = vec3_dot(vec3_cross(between, d), normal),
                 on_fixed = vec3_dot(vec3_cross(between, along), normal);
    if (!(size > 0) || on_mobile < -slack * size || on_mobile > (1 + slack) * size || on_fixed < -slack * size ||
        on_fixed > (1 + slack) * size)
      continue; /* parallel edges meet in a vertex too, which the faces find */
    record(q, roots[r], vec3_madd(f[0], on_fixed / size, d), SYN_EVENT_EDGE_EDGE, fixed->id, mobile->id);
  }
}

/* Faces and edges carry widened bounds, so a vertex needs none. */
static bool reaches(float near_a, float far_a, float near_b, float far_b) { return near_a <= far_b && near_b <= far_a; }

static void test_vertices(search *q, const turned_body *ours, const leaf_features *our_leaf, const turned_body *theirs,
                          const leaf_features *their_leaf, bool backwards) {
  for (uint32_t i = our_leaf->vertex_begin; i < our_leaf->vertex_end; ++i) {
    const vertex_feature *vertex = &ours->of->vertices[i];
    for (uint32_t j = their_leaf->face_begin; j < their_leaf->face_end; ++j) {
      const face_feature *face = &theirs->of->faces[j];
      if (reaches(vertex->reach, vertex->reach, face->near, face->far))
        vertex_against_face(q, ours->vertices[vertex->id], vertex->id, theirs, face, backwards);
    }
  }
}

static void test_leaves(search *q, uint32_t mobile_node, uint32_t fixed_node) {
  const body *mobile = q->mobile.of, *fixed = q->fixed.of;
  const leaf_features *m = &mobile->leaves[mobile_node], *f = &fixed->leaves[fixed_node];
  for (uint32_t i = m->edge_begin; i < m->edge_end; ++i)
    for (uint32_t j = f->edge_begin; j < f->edge_end; ++j)
      if (reaches(mobile->edges[i].near, mobile->edges[i].far, fixed->edges[j].near, fixed->edges[j].far))
        edge_against_edge(q, &mobile->edges[i], &fixed->edges[j]);
  test_vertices(q, &q->mobile, m, &q->fixed, f, false);
  test_vertices(q, &q->fixed, f, &q->mobile, m, true);
}

/* ---- branch and bound
 * ------------------------------------------------------------------------------------------------------ */

/* atan2 within 1e-4: odd polynomial for the first octant, the rest by symmetry. Exactness is the half width's business.
 */
static inline float rough_angle(float y, float x) {
  const float ax = fabsf(x), ay = fabsf(y), low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
  const float t = high > 0 ? low / high : 0, t2 = t * t;
  float angle = t * (0.9998660f + t2 * (-0.3302995f + t2 * (0.1801410f + t2 * (-0.0851330f + t2 * 0.0208351f))));
  angle = ay > ax ? 1.57079633f - angle : angle;
  angle = x < 0 ? 3.14159265f - angle : angle;
  return y < 0 ? -angle : angle;
}

static void turn_nodes(const body *b, const syn_mat3 *frame, turned_node *nodes) {
  const float xx = (float)frame->row[0].x, xy = (float)frame->row[0].y, xz = (float)frame->row[0].z;
  const float yx = (float)frame->row[1].x, yy = (float)frame->row[1].y, yz = (float)frame->row[1].z;
  const float zx = (float)frame->row[2].x, zy = (float)frame->row[2].y, zz = (float)frame->row[2].z;
  for (uint32_t i = 0; i < b->tree.node_count; ++i) {
    const ball_node *n = &b->tree.nodes[i];
    const float x = xx * n->x + xy * n->y + xz * n->z, y = yx * n->x + yy * n->y + yz * n->z;
    const float radial = sqrtf(x * x + y * y);
    const float radius = n->radius * 1.000001f + 1e-6f * n->far; /* the roundings of this function are far smaller */
    const float q = radial > 0 ? radius / radial : 2;
    /* asin(q) <= q + (pi/2 - 1) q^3 on [0, 1] */
    const float half_width = q < 1 ? q + 0.5707964f * q * q * q + 3e-4f : 3.15f;
    nodes[i] = (turned_node){
        zx * n->x + zy * n->y + zz * n->z, radial, rough_angle(y, x), half_width, radius, n->near, n->far, n->right};
  }
}

typedef struct pair {
  uint32_t mobile, fixed;
  float least[2]; /* no touch before this angle, either way */
} pair;

static float nonnegative(float x) { return x > 0 ? x : 0; }

/* False when the two can never meet: their circles about the axis, or their distances from the centre, are apart. */
static bool bound_pair(const search *q, pair *p) {
  const turned_node *m = &q->mobile.nodes[p->mobile], *f = &q->fixed.nodes[p->fixed];
  const float axial = m->axial - f->axial, radial = m->radial - f->radial, reach = m->radius + f->radius;
  if (axial * axial + radial * radial > reach * reach || !reaches(m->near, m->far, f->near, f->far)) return false;
  float ahead = f->angle - m->angle;
  if (ahead < 0) ahead += 6.28318531f;
  const float width = m->half_width + f->half_width;
  p->least[0] = nonnegative(ahead - width);
  p->least[1] = nonnegative(6.28318531f - ahead - width);
  return true;
}

static float soonest(const pair *p) { return p->least[0] < p->least[1] ? p->least[0] : p->least[1]; }

static bool worthwhile(const search *q, const pair *p) {
  return (double)p->least[0] <= q->best[0] || (double)p->least[1] <= q->best[1];
}

enum {
  STACK = 256
}; /* each step replaces a pair by two and both trees are balanced: depth is at most the sum of theirs */

static void descend(search *q) {
  pair stack[STACK];
  uint32_t depth = 0;
  stack[0] = (pair){0, 0, {0, 0}};
  if (bound_pair(q, &stack[0])) depth = 1;
  while (depth > 0) {
    const pair now = stack[--depth];
    if (!worthwhile(q, &now)) continue;
    const turned_node *m = &q->mobile.nodes[now.mobile], *f = &q->fixed.nodes[now.fixed];
    if (!m->right && !f->right) {
      test_leaves(q, now.mobile, now.fixed);
      continue;
    }
    const bool split_mobile = m->right && (!f->right || m->radius >= f->radius);
    pair child[2] = {now, now};
    if (split_mobile)
      child[0].mobile = now.mobile + 1, child[1].mobile = m->right;
    else
      child[0].fixed = now.fixed + 1, child[1].fixed = f->right;
    const bool meets[2] = {bound_pair(q, &child[0]) && worthwhile(q, &child[0]),
                           bound_pair(q, &child[1]) && worthwhile(q, &child[1])};
    /* The nearer child goes on top: the sooner a small angle is known, the more is spared. */
    const int nearer = soonest(&child[1]) < soonest(&child[0]);
    assert(depth + 2 <= STACK);
    if (meets[1 - nearer]) stack[depth++] = child[1 - nearer];
    if (meets[nearer]) stack[depth++] = child[nearer];
  }
}

/* ---- the query
 * ---------------------------------------------------------------------------------------------------------------- */

static size_t scratch_of(const body *b) {
  return b->mesh->vertex_count * sizeof(syn_vec3) + b->tree.node_count * sizeof(turned_node);
}

size_t syn_rotation_scratch(const syn_rotation *rotation) {
  return scratch_of(&rotation->fixed) + scratch_of(&rotation->mobile);
}

/* Lays a body out in the scratch as the axis sees it; returns where the next one may go. */
static char *turn_body(const body *b, syn_vec3 center, const syn_mat3 *frame, char *scratch, turned_body *turned_out) {
  turned_out->of = b;
  turned_out->vertices = (syn_vec3 *)(void *)scratch;
  turned_out->nodes = (turned_node *)(void *)(scratch + b->mesh->vertex_count * sizeof(syn_vec3));
  for (uint32_t i = 0; i < b->mesh->vertex_count; ++i) turned_out->vertices[i] = mat3_apply(frame, place(b, center, i));
  turn_nodes(b, frame, turned_out->nodes);
  return scratch + scratch_of(b);
}

void syn_rotation_query(const syn_rotation *rotation, const syn_pose *start, syn_vec3 axis, void *scratch,
                        syn_event *positive, syn_event *negative) {
  assert(vec3_length2(axis) > 0);
  const syn_vec3 k = vec3_unit(axis), x = vec3_any_normal(k);
  const syn_mat3 frame = {{x, vec3_cross(k, x), k}};
  const syn_mat3 mobile_frame = start ? mat3_multiply(&frame, &start->rotation) : frame;
  search q = {.best = {2 * SYN_PI, 2 * SYN_PI}, .event = {positive, negative}};
  *positive = *negative = (syn_event){.angle = 2 * SYN_PI, .fixed_element = SYN_NONE, .mobile_element = SYN_NONE};
  if (rotation->fixed.tree.node_count == 0 || rotation->mobile.tree.node_count == 0) return;
  char *rest = turn_body(&rotation->fixed, rotation->center, &frame, scratch, &q.fixed);
  turn_body(&rotation->mobile, rotation->center, &mobile_frame, rest, &q.mobile);
  descend(&q);
  const syn_mat3 back = mat3_transpose(&frame);
  for (int d = 0; d < 2; ++d)
    if (q.event[d]->kind != SYN_EVENT_NONE)
      q.event[d]->point = vec3_add(mat3_apply(&back, q.event[d]->point), rotation->center);
}
