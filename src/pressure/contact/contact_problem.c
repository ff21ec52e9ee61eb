/* Creates contact problems, and returns their results. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- contact measure ------------------------------------------------------------------------------------------- */
/* Measures the pressure of a contact problem as last evaluated. */

typedef struct sums {
  double peak, area, pressure; /* pressure: its integral */
  syn_vec3 force, moment;      /* moment: integral of pressure times position */
} sums;

/* A node's share of a face is in contact if its pressure is above zero. */
static void add_corner(const syn_contact_problem *c, uint32_t s, int a, sums *to) {
  const contact_side *slave = contact_slave(c);
  const contact_face *face = &slave->faces[s];
  const contact_slave_face *own = &c->contact.slave_faces[s];
  const double p = c->contact.pressure[face->node[a] - slave->first];
  if (!(p > 0) || !(own->area[a] > 0)) return;
  to->peak = max2(to->peak, p);
  to->area += own->area[a];
  to->pressure += p * own->area[a];
  to->force = vec3_madd(to->force, p * own->area[a], own->normal);
  for (int b = 0; b < syn_contact_shapes[face->kind].node_count; ++b)
    to->moment = vec3_madd(to->moment, p * own->own[a][b], c->equilibrium.x[face->node[b]]);
}

static void finish(const sums *from, syn_pressure_part *to) {
  const bool touches = from->area > 0;
  to->peak_mpa = from->peak;
  to->area_mm2 = from->area;
  to->mean_mpa = touches ? from->pressure / from->area : 0;
  to->force_n = vec3_length(from->force);
  const double none = (double)NAN;
  to->center = touches ? vec3_scale(from->moment, 1 / from->pressure) : vec3(none, none, none);
}

void syn_contact_measure(const syn_contact_problem *c, const uint8_t *part_of, uint32_t part_count,
                         syn_pressure_part *total, syn_pressure_part *parts) {
  const contact_side *slave = contact_slave(c);
  sums all[5] = {{0}};
  for (uint32_t s = 0; s < slave->face_count; ++s)
    for (int a = 0; a < syn_contact_shapes[slave->faces[s].kind].corner_count; ++a) {
      add_corner(c, s, a, &all[4]);
      add_corner(c, s, a, &all[part_of ? part_of[s] : 0]);
    }
  finish(&all[4], total);
  for (uint32_t k = 0; k < part_count; ++k) finish(&all[k], &parts[k]);
}

/* ---- contact state --------------------------------------------------------------------------------------------- */
/* Writes and reads a contact problem in equilibrium: positions, multipliers and the load, and what the order of sums
 * depends on, which are the positions at the last search for faces and the pattern of the matrix. */

typedef struct fixed_part {
  uint32_t node_count, slave_nodes;
  uint32_t has_pattern, unknown_count;
  uint64_t block_count;
  syn_load_step load;
  syn_vec3 shift;
  double reach_mm;
  syn_load_step before_load; /* the predicted start of the next step depends on the load before, too */
  syn_vec3 before_shift;
  uint32_t has_before;
} fixed_part;

static fixed_part describe(const syn_contact_problem *c) {
  fixed_part p;
  memset(&p, 0, sizeof p); /* the padding between members, too */
  p.node_count = c->bodies.node_count;
  p.slave_nodes = contact_slave(c)->node_count;
  p.has_pattern = c->solver.pattern != NULL;
  p.unknown_count = c->bodies.unknown_count;
  p.block_count = c->solver.pattern ? syn_block_count(c->solver.pattern) : 0;
  p.load = c->equilibrium.load;
  p.shift = c->equilibrium.shift;
  p.reach_mm = c->contact.reach_mm;
  p.before_load = c->equilibrium.before_load;
  p.before_shift = c->equilibrium.before_shift;
  p.has_before = c->equilibrium.has_before;
  return p;
}

void syn_contact_write_state(const syn_contact_problem *c, FILE *to) {
  const fixed_part p = describe(c);
  fwrite(&p, sizeof p, 1, to);
  fwrite(c->equilibrium.x, sizeof *c->equilibrium.x, c->bodies.node_count, to);
  fwrite(c->contact.tree_at, sizeof *c->contact.tree_at, c->bodies.node_count, to);
  fwrite(c->contact.searched, sizeof *c->contact.searched, c->bodies.node_count, to);
  fwrite(c->equilibrium.before, sizeof *c->equilibrium.before, c->bodies.node_count, to);
  fwrite(c->contact.lambda, sizeof *c->contact.lambda, p.slave_nodes, to);
  if (!c->solver.pattern) return;
  fwrite(c->solver.pattern->row_start, sizeof *c->solver.pattern->row_start, (size_t)c->bodies.unknown_count + 1, to);
  fwrite(c->solver.pattern->columns, sizeof *c->solver.pattern->columns, p.block_count, to);
}

static size_t size_of(const fixed_part *p) {
  size_t size = sizeof *p + 4 * (size_t)p->node_count * sizeof(syn_vec3) + p->slave_nodes * sizeof(double);
  if (p->has_pattern) size += ((size_t)p->unknown_count + 1 + p->block_count) * sizeof(uint32_t);
  return size;
}

static bool fits(const syn_contact_problem *c, const char *bytes, size_t size, fixed_part *p) {
  if (size < sizeof *p) return false;
  memcpy(p, bytes, sizeof *p);
  return p->node_count == c->bodies.node_count && p->slave_nodes == contact_slave(c)->node_count &&
         p->unknown_count == c->bodies.unknown_count && p->block_count < UINT32_MAX && size == size_of(p);
}

static const char *take(const char *from, void *to, size_t size) {
  memcpy(to, from, size);
  return from + size;
}

/* Pairs of the rows give the same pattern again. */
static syn_status add_pairs(const syn_contact_problem *c, const uint32_t *start, const uint32_t *columns,
                            uint64_t count, syn_block_pairs *list, syn_error *error) {
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) {
    if (start[i] > start[i + 1] || start[i + 1] > count)
      return syn_fail(error, SYN_BAD_FORMAT, "the rows of the kept pattern are not in order");
    for (uint32_t k = start[i]; k < start[i + 1]; ++k) {
      if (columns[k] >= c->bodies.unknown_count)
        return syn_fail(error, SYN_BAD_FORMAT, "the kept pattern has a column that does not exist");
      if (columns[k] != i) SYN_TRY(syn_block_pairs_add(list, i, columns[k], error));
    }
  }
  return SYN_OK;
}

static syn_status read_pattern(syn_contact_problem *c, const fixed_part *p, const char *at, syn_error *error) {
  uint32_t *start;
  const size_t rows = (size_t)c->bodies.unknown_count + 1;
  syn_block_pairs list = {.context = c->context};
  syn_pattern *pattern = NULL;
  SYN_TRY(SYN_NEW(c->context, &start, rows + p->block_count, error));
  memcpy(start, at, (rows + p->block_count) * sizeof *start);
  syn_status status = add_pairs(c, start, start + rows, p->block_count, &list, error);
  if (!status)
    status = syn_pattern_create(c->context, c->bodies.unknown_count, (const uint32_t(*)[2])list.pairs, list.count,
                                &pattern, error);
  syn_free(c->context, start);
  syn_free(c->context, list.pairs);
  return status ? status : syn_contact_take_pattern(c, pattern, error);
}

syn_status syn_contact_read_state(syn_contact_problem *c, const char *bytes, size_t size, syn_error *error) {
  fixed_part p;
  if (!fits(c, bytes, size, &p)) return syn_fail(error, SYN_BAD_FORMAT, "the kept equilibrium is of other bodies");
  const size_t vectors = c->bodies.node_count * sizeof(syn_vec3);
  c->equilibrium.load = p.load;
  c->equilibrium.shift = p.shift;
  c->contact.reach_mm = p.reach_mm;
  const char *at = take(bytes + sizeof p, c->equilibrium.x, vectors);
  at = take(at, c->contact.tree_at, vectors);
  at = take(at, c->contact.searched, vectors);
  at = take(at, c->equilibrium.before, vectors);
  c->equilibrium.before_load = p.before_load;
  c->equilibrium.before_shift = p.before_shift;
  c->equilibrium.has_before = p.has_before;
  at = take(at, c->contact.lambda, p.slave_nodes * sizeof *c->contact.lambda);
  c->equilibrium.seated = true;
  SYN_TRY(syn_contact_search_again(c, error));
  return p.has_pattern ? read_pattern(c, &p, at, error) : SYN_OK;
}

/* ---- contact problem ------------------------------------------------------------------------------------------- */

syn_contact_options syn_default_contact_options(void) {
  return (syn_contact_options){.tolerance = 1e-4, .overlap = 2e-3, .iterations = 100, .cuts = 6, .cookie = SYN_COOKIE};
}

void syn_contact_problem_destroy(syn_contact_problem *c) {
  if (!c) return;
  syn_contact_release_matrix(c);
  syn_box_tree_destroy(c->contact.tree);
  syn_free(c->context, c->contact.message.mine);
  syn_free(c->context, c->contact.message.all);
  syn_free(c->context, c->contact.pairs);
  syn_free(c->context, c->contact.rows.entries);
  syn_arena_release(&c->arena);
  syn_free(c->context, c);
}

/* ---- checks --------------------------------------------------------------------------------------------------------
 */

static syn_status check_options(const syn_contact_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_contact_options, error));
  if (!(o->tolerance > 0 && o->tolerance < 1) || !(o->overlap > 0 && o->overlap < 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "tolerance (%g) and overlap (%g) must be above 0 and below 1",
                    o->tolerance, o->overlap);
  if (o->iterations == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "a step needs at least one iteration (iterations)");
  if (o->cuts > 30) return syn_fail(error, SYN_BAD_ARGUMENT, "a step is cut at most 30 times, not %u (cuts)", o->cuts);
  return SYN_OK;
}

static syn_status check_body(const syn_contact_body *body, const char *name, syn_error *error) {
  const uint32_t n = body->soft ? body->soft->node_count : body->node_count;
  if (body->soft && strcmp(body->soft->model->info.name, "fem") != 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the %s body must be of finite elements, not of the model '%s'", name,
                    body->soft->model->info.name);
  if (body->face_nodes != 3 && body->face_nodes != 4 && body->face_nodes != 6)
    return syn_fail(error, SYN_BAD_ARGUMENT, "faces of the %s body have 3, 4 or 6 nodes, not %u", name,
                    body->face_nodes);
  if (body->face_count == 0) return syn_fail(error, SYN_BAD_MESH, "the %s body has no faces that may touch", name);
  for (size_t i = 0; i < (size_t)body->face_count * body->face_nodes; ++i)
    if (body->faces[i] >= n)
      return syn_fail(error, SYN_BAD_MESH, "face %zu of the %s body has node %u, but there are only %u",
                      i / body->face_nodes, name, body->faces[i], n);
  return SYN_OK;
}

/* ---- the sides -----------------------------------------------------------------------------------------------------
 */

static syn_status take_faces(syn_contact_problem *c, contact_side *side, const syn_contact_body *body,
                             syn_error *error) {
  static const contact_kind kinds[7] = {[3] = CONTACT_TRI3, [4] = CONTACT_QUAD4, [6] = CONTACT_TRI6};
  SYN_TRY(SYN_TAKE(&c->arena, &side->faces, body->face_count, error));
  side->face_count = body->face_count;
  for (uint32_t f = 0; f < body->face_count; ++f) {
    const uint32_t *nodes = body->faces + (size_t)f * body->face_nodes;
    contact_face *face = &side->faces[f];
    *face = (contact_face){.kind = kinds[body->face_nodes]};
    if (body->face_nodes == 4 && nodes[3] == nodes[2]) face->kind = CONTACT_TRI3;
    for (int a = 0; a < syn_contact_shapes[face->kind].node_count; ++a) face->node[a] = side->first + nodes[a];
  }
  return SYN_OK;
}

static syn_status take_side(syn_contact_problem *c, int k, const syn_contact_body *body, syn_error *error) {
  contact_side *side = &c->bodies.sides[k];
  side->moves = k == 1;
  side->soft = body->soft;
  SYN_TRY(take_faces(c, side, body, error));
  const syn_vec3 *nodes = body->soft ? body->soft->rest : body->nodes;
  memcpy(c->bodies.rest + side->first, nodes, side->node_count * sizeof *nodes);
  for (uint32_t i = 0; i < side->node_count; ++i)
    c->bodies.prescribed[side->first + i] = !body->soft ? SYN_XYZ : body->held ? body->held[i] & SYN_XYZ : 0;
  if (!body->soft) return SYN_OK;
  const size_t blocks = syn_block_count(body->soft->pattern);
  SYN_TRY(SYN_TAKE(&c->arena, &side->blocks, blocks, error));
  return SYN_TAKE(&c->arena, &side->slots, blocks, error);
}

static void number_unknowns(syn_contact_problem *c) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->bodies.unknown[i] = c->bodies.prescribed[i] == SYN_XYZ ? SYN_NONE : next++;
  c->bodies.shift_unknown = next;
  c->bodies.unknown_count = next + 1;
  const contact_side *mobile = &c->bodies.sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    if (c->bodies.unknown[i] == SYN_NONE) c->bodies.unknown[i] = c->bodies.shift_unknown;
}

/* ---- memory --------------------------------------------------------------------------------------------------------
 */

static syn_status take_nodes(syn_contact_problem *c, syn_error *error) {
  syn_vec3 **const vectors[] = {&c->bodies.rest,        &c->equilibrium.x,     &c->solver.local,  &c->solver.force,
                                &c->solver.r,           &c->solver.d,          &c->solver.trial,  &c->contact.force,
                                &c->equilibrium.kept_x, &c->contact.searched,  &c->solver.next_r, &c->solver.step,
                                &c->contact.tree_at,    &c->equilibrium.before};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    SYN_TRY(SYN_TAKE(&c->arena, vectors[i], (size_t)c->bodies.node_count + 1, error));
  memset(c->equilibrium.before, 0, ((size_t)c->bodies.node_count + 1) * sizeof *c->equilibrium.before);
  SYN_TRY(syn_anderson_reserve(&c->arena, (size_t)c->bodies.node_count + 1, &c->solver.anderson, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->bodies.prescribed, c->bodies.node_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->bodies.unknown, c->bodies.node_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->contact.stamp, (size_t)c->bodies.node_count + 1, error));
  memset(c->contact.stamp, 0, ((size_t)c->bodies.node_count + 1) * sizeof *c->contact.stamp);
  return SYN_OK;
}

static syn_status take_surface(syn_contact_problem *c, syn_error *error) {
  const contact_side *slave = contact_slave(c), *master = contact_master(c);
  double **const of_slave[] = {
      &c->contact.lambda, &c->contact.penalty,   &c->contact.foundation,      &c->contact.pressure, &c->contact.gap,
      &c->contact.area,   &c->bodies.whole_area, &c->equilibrium.kept_lambda, &c->contact.weight};
  double **const of_master[] = {&c->contact.other_pressure, &c->contact.other_gap, &c->contact.other_weight};
  for (size_t i = 0; i < sizeof of_slave / sizeof *of_slave; ++i) {
    SYN_TRY(SYN_TAKE(&c->arena, of_slave[i], slave->node_count, error));
    memset(*of_slave[i], 0, slave->node_count * sizeof(double));
  }
  for (size_t i = 0; i < sizeof of_master / sizeof *of_master; ++i) {
    SYN_TRY(SYN_TAKE(&c->arena, of_master[i], master->node_count, error));
    memset(*of_master[i], 0, master->node_count * sizeof(double));
  }
  SYN_TRY(SYN_TAKE(&c->arena, &c->solver.factor_active, slave->node_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->contact.slave_faces, slave->face_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->contact.first_pair, (size_t)slave->face_count + 1, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->contact.rows.start, (size_t)slave->node_count + 1, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->bodies.faces_start, (size_t)slave->node_count + 2, error));
  return SYN_TAKE(&c->arena, &c->bodies.faces_around, (size_t)CONTACT_CORNERS * slave->face_count, error);
}

/* ---- what follows from the shape ------------------------------------------------------------------------------------
 */

static void find_faces_around(syn_contact_problem *c) {
  const contact_side *slave = contact_slave(c);
  uint32_t *start = c->bodies.faces_start;
  memset(start, 0, ((size_t)slave->node_count + 2) * sizeof *start);
  for (uint32_t f = 0; f < slave->face_count; ++f)
    for (int a = 0; a < syn_contact_shapes[slave->faces[f].kind].corner_count; ++a)
      ++start[slave->faces[f].node[a] - slave->first + 2];
  for (uint32_t i = 2; i <= slave->node_count; ++i) start[i] += start[i - 1];
  for (uint32_t f = 0; f < slave->face_count; ++f)
    for (int a = 0; a < syn_contact_shapes[slave->faces[f].kind].corner_count; ++a)
      c->bodies.faces_around[start[slave->faces[f].node[a] - slave->first + 1]++] = f;
}

static double face_area(const contact_face *face, const syn_vec3 *x) {
  const uint32_t *n = face->node;
  const syn_vec3 a = face->kind == CONTACT_QUAD4 ? vec3_cross(vec3_sub(x[n[2]], x[n[0]]), vec3_sub(x[n[3]], x[n[1]]))
                                                 : vec3_cross(vec3_sub(x[n[1]], x[n[0]]), vec3_sub(x[n[2]], x[n[0]]));
  return vec3_length(a) / 2;
}

/* Computes the mean thickness of a body behind its faces, and its compliance: as an elastic foundation, and as a
 * half-space. */
static double thickness_of(const syn_contact_problem *c, const contact_side *side, double *gives, double *gives_plane) {
  if (!side->soft) return 0;
  double area = 0;
  for (uint32_t f = 0; f < side->face_count; ++f) area += face_area(&side->faces[f], c->bodies.rest);
  const double thickness = syn_soft_volume(side->soft, side->soft->rest) / area;
  const double e = side->soft->material.young_mpa, nu = side->soft->material.poisson;
  *gives += thickness * (1 + nu) * (1 - 2 * nu) / ((1 - nu) * e);
  *gives_plane += (1 - nu * nu) / e;
  return thickness;
}

/* The penalty is a multiple of the node's own stiffness, chosen so that one augmentation of the multipliers removes
 * most of the overlap, but small enough for Newton's iteration to remain sensitive to the elements. */
static void set_penalties(syn_contact_problem *c) {
  const contact_side *slave = contact_slave(c);
  const syn_pattern *pattern = slave->soft->pattern;
  for (uint32_t f = 0; f < slave->face_count; ++f) {
    const contact_face *face = &slave->faces[f];
    const int corners = syn_contact_shapes[face->kind].corner_count;
    for (int a = 0; a < corners; ++a)
      c->bodies.whole_area[face->node[a] - slave->first] += face_area(face, c->bodies.rest) / corners;
  }
  for (uint32_t i = 0; i < slave->node_count; ++i) {
    if (!(c->bodies.whole_area[i] > 0)) continue;
    const double *block = slave->blocks[pattern->row_start[i]];
    c->contact.penalty[i] = CONTACT_PENALTY * (block[0] + block[4] + block[8]) / 3 / c->bodies.whole_area[i];
  }
}

static double mean_stiffness(const contact_side *side) {
  double sum = 0;
  for (uint32_t i = 0; i < side->node_count; ++i) {
    const double *block = side->blocks[side->soft->pattern->row_start[i]];
    sum += (block[0] + block[4] + block[8]) / (3.0 * side->node_count);
  }
  return sum;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The contact search radius is four times the median width of a face, at most the thickness of the bodies: bodies
 * that are far thicker need not be searched through their whole depth. */
static syn_status set_reach(syn_contact_problem *c, syn_error *error) {
  const contact_side *slave = contact_slave(c);
  double *sizes;
  SYN_TRY(SYN_NEW(c->context, &sizes, slave->face_count, error));
  for (uint32_t f = 0; f < slave->face_count; ++f) sizes[f] = sqrt(face_area(&slave->faces[f], c->bodies.rest));
  qsort(sizes, slave->face_count, sizeof *sizes, ascending);
  c->contact.reach_mm = min2(c->bodies.thickness_mm, 4 * sizes[slave->face_count / 2]);
  syn_free(c->context, sizes);
  return SYN_OK;
}

static syn_status measure(syn_contact_problem *c, syn_error *error) {
  double gives = 0, gives_plane = 0;
  memcpy(c->equilibrium.x, c->bodies.rest, c->bodies.node_count * sizeof *c->equilibrium.x);
  find_faces_around(c);
  c->bodies.thickness_mm = thickness_of(c, &c->bodies.sides[0], &gives, &gives_plane) +
                           thickness_of(c, &c->bodies.sides[1], &gives, &gives_plane);
  if (!(c->bodies.thickness_mm > 0 && isfinite(c->bodies.thickness_mm)))
    return syn_fail(error, SYN_BAD_MESH, "the faces that may touch have no area, or their body no volume");
  SYN_TRY(set_reach(c, error));
  c->contact.near_mm = 0.1 * c->contact.reach_mm;
  for (int k = 0; k < 2; ++k)
    if (c->bodies.sides[k].soft) syn_contact_elastic_stiffness(c, &c->bodies.sides[k], c->equilibrium.x, false);
  set_penalties(c);
  c->bodies.foundation_mpa_mm = 1 / gives;
  c->bodies.plane_mpa = 1 / gives_plane;
  c->bodies.force_floor = 1e-11 * c->contact.reach_mm * mean_stiffness(contact_slave(c));
  return SYN_OK;
}

/* ---- life ----------------------------------------------------------------------------------------------------------
 */

static syn_status fill(syn_contact_problem *c, const syn_contact_body *const bodies[2], syn_error *error) {
  for (int k = 0; k < 2; ++k) {
    c->bodies.sides[k].first = c->bodies.node_count;
    c->bodies.sides[k].node_count = bodies[k]->soft ? bodies[k]->soft->node_count : bodies[k]->node_count;
    c->bodies.node_count += c->bodies.sides[k].node_count;
  }
  SYN_TRY(take_nodes(c, error));
  for (int k = 0; k < 2; ++k) SYN_TRY(take_side(c, k, bodies[k], error));
  c->bodies.slave = bodies[0]->soft ? 0 : 1;
  number_unknowns(c);
  SYN_TRY(take_surface(c, error));
  SYN_TRY(syn_contact_share(c, error));
  return measure(c, error);
}

syn_status syn_contact_problem_create(const syn_context *context, const syn_contact_body *fixed,
                                      const syn_contact_body *mobile, const syn_contact_options *options,
                                      syn_contact_problem **problem, syn_error *error) {
  *problem = NULL;
  const syn_contact_options defaults = syn_default_contact_options();
  if (!options) options = &defaults;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(check_options(options, error));
  SYN_TRY(check_body(fixed, "fixed", error));
  SYN_TRY(check_body(mobile, "mobile", error));
  if (!fixed->soft && !mobile->soft)
    return syn_fail(error, SYN_BAD_ARGUMENT, "both bodies are rigid: one at least must have elements");
  syn_contact_problem *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->arena.context = context;
  made->options = *options;
  made->solver.newton = syn_contact_newton_options();
  made->equilibrium.load.pose = syn_pose_identity();
  const syn_contact_body *const bodies[2] = {fixed, mobile};
  const syn_status status = fill(made, bodies, error);
  if (status)
    syn_contact_problem_destroy(made);
  else
    *problem = made;
  return status;
}

/* ---- questions -----------------------------------------------------------------------------------------------------
 */

syn_contact_solution syn_contact_problem_solution(const syn_contact_problem *c) {
  const contact_surface *contact = &c->contact;
  syn_contact_solution solution = {.shift = c->equilibrium.shift,
                                   .force = c->equilibrium.total,
                                   .iterations = c->equilibrium.iterations,
                                   .snap_mm = c->equilibrium.snap_mm,
                                   .residual_n = c->equilibrium.residual};
  for (int k = 0; k < 2; ++k) {
    const bool slave = k == c->bodies.slave;
    solution.positions[k] = c->equilibrium.x + c->bodies.sides[k].first;
    solution.pressure_mpa[k] = slave ? contact->pressure : contact->other_pressure;
    solution.gap_mm[k] = slave ? contact->gap : contact->other_gap;
  }
  return solution;
}

static syn_sym3 turn_stress(const syn_mat3 *turn, const syn_sym3 *s) {
  const syn_mat3 m = {{{s->xx, s->xy, s->zx}, {s->xy, s->yy, s->yz}, {s->zx, s->yz, s->zz}}};
  const syn_mat3 half = mat3_multiply(turn, &m), back = mat3_transpose(turn), out = mat3_multiply(&half, &back);
  return (syn_sym3){out.row[0].x, out.row[1].y, out.row[2].z, out.row[0].y, out.row[1].z, out.row[2].x};
}

void syn_contact_problem_stress(const syn_contact_problem *c, bool mobile, syn_sym3 *stress) {
  const contact_side *side = &c->bodies.sides[mobile];
  syn_contact_local_positions(c, side, c->equilibrium.x, c->solver.local);
  syn_soft_stress(side->soft, c->solver.local, NULL, stress, NULL);
  for (uint32_t i = 0; mobile && i < side->node_count; ++i)
    stress[i] = turn_stress(&c->equilibrium.load.pose.rotation, &stress[i]);
}
