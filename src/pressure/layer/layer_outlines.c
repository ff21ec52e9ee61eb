/* Makes the socket's grid. Its columns extend from the inner edge of the horseshoe over cartilage, transition zone
 * and labrum; each has its own angles, so that the edges of the regions are lines of the mesh. */

#include "geometry/fit.h"
#include "pressure/layer/layer.h"

enum { SAMPLES = 144, INNER = 0, ZONE = 1, RIM = 2, TIP = 3 };

/* Parts of a column, by polar angle. NAN if the column lacks a part. */
typedef struct span {
  double inner, zone, rim, tip;
} span;

/* ---- from bodies ---------------------------------------------------------------------------------------------------
 */

/* Cartilage and transition zone together are on the bone. */
static bool sees_socket_cartilage(const layer_side *side, double polar, double clock) {
  return syn_layer_sees(side, &side->cartilage, polar, clock) || syn_layer_sees(side, &side->zone, polar, clock);
}
static bool sees_zone(const layer_side *side, double polar, double clock) {
  return syn_layer_sees(side, &side->zone, polar, clock);
}
static bool sees_labrum(const layer_side *side, double polar, double clock) {
  return syn_layer_sees(side, &side->labrum, polar, clock);
}

static span span_of_bodies(const layer_side *side, double clock) {
  span s;
  double end, zone_end;
  syn_layer_seen_between(side, sees_socket_cartilage, clock, &s.inner, &s.rim);
  syn_layer_seen_between(side, sees_zone, clock, &s.zone, &zone_end);
  syn_layer_seen_between(side, sees_labrum, clock, &end, &s.tip);
  /* The labrum begins where the cartilage ends, or without cartilage over the notch. */
  if (isnan(s.rim)) s.rim = end;
  if (isnan(s.zone)) s.zone = s.rim;
  if (isnan(s.tip) || s.tip <= s.rim) s.tip = s.rim;
  return s;
}

/* ---- from bones ----------------------------------------------------------------------------------------------------
 */

/* Polar angle of the rim from the centre, between the two rim points next to this clock. */
static double rim_polar(const layer_side *side, double clock) {
  const syn_anatomy *anatomy = side->maker->hip_case->anatomy;
  double before = -INFINITY, after = INFINITY, polar_before = 0, polar_after = 0;
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const syn_vec3 off = vec3_sub(anatomy->rim[i], side->center);
    const double across = vec3_dot(off, side->grid.top), forward = vec3_dot(off, side->grid.front);
    const double polar = atan2(hypot(across, forward), vec3_dot(off, side->grid.axis));
    const double turn = remainder(atan2(forward, across) - clock, 2 * SYN_PI);
    if (turn <= 0 && turn > before) {
      before = turn;
      polar_before = polar;
    }
    if (turn >= 0 && turn < after) {
      after = turn;
      polar_after = polar;
    }
  }
  if (!isfinite(before) || !isfinite(after)) return isfinite(before) ? polar_before : polar_after;
  const double part = after > before ? -before / (after - before) : 0;
  return polar_before + part * (polar_after - polar_before);
}

static bool sees_lunate(const layer_side *side, double polar, double clock) {
  const uint8_t *lunate = side->maker->hip_case->anatomy->lunate_vertices;
  layer_hit hit;
  if (!syn_layer_first_hit(&side->bone, syn_layer_direction(&side->grid, polar, clock), layer_near(side),
                           layer_far(side), &hit))
    return false;
  const uint32_t *v = side->bone.mesh->triangles[hit.triangle].v;
  return lunate[v[0]] + lunate[v[1]] + lunate[v[2]] >= 2;
}

/* Follows the joint surface from the rim inward; gaps of a few degrees are noise. */
static span span_of_bones(const layer_side *side, double clock) {
  const double step = SYN_DEGREE, gap = 5 * SYN_DEGREE;
  const layer_maker *maker = side->maker;
  span s;
  s.rim = rim_polar(side, clock);
  double inner = NAN;
  for (double polar = s.rim; polar > step; polar -= step) {
    if (sees_lunate(side, polar, clock)) inner = polar;
    if ((isnan(inner) ? s.rim - polar : inner - polar) > gap) break;
  }
  /* A narrow strip is the edge of the notch. */
  s.inner = isnan(inner) || (s.rim - inner) * maker->radius < 6 ? (double)NAN : inner;
  const double labrum = maker->options.labrum_mm / maker->radius;
  s.tip = s.rim + labrum;
  s.zone = labrum > 0 ? s.rim - 2 / maker->radius : s.rim;
  return s;
}

static span span_at(const layer_side *side, double clock) {
  return side->measured ? span_of_bodies(side, clock) : span_of_bones(side, clock);
}

/* ---- the notch -----------------------------------------------------------------------------------------------------
 */

/* Clock angles of both ends of the longest stretch without cartilage; `from` is NAN if all columns have cartilage. */
typedef struct notch {
  double from, to;
} notch;

static bool covered(const layer_side *side, double clock) { return !isnan(span_at(side, clock).inner); }

static double notch_edge(const layer_side *side, double bare, double clad) {
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (bare + clad);
    if (covered(side, middle))
      clad = middle;
    else
      bare = middle;
  }
  return 0.5 * (bare + clad);
}

static notch find_notch(const layer_side *side) {
  bool clad[SAMPLES];
  int count = 0, longest = 0, longest_end = 0;
  for (int i = 0; i < SAMPLES; ++i) clad[i] = covered(side, 2 * SYN_PI * (i + 0.5) / SAMPLES);
  for (int i = 0; i < 2 * SAMPLES; ++i) {
    count = clad[i % SAMPLES] ? 0 : count + 1;
    if (count > longest && count <= SAMPLES) {
      longest = count;
      longest_end = i;
    }
  }
  if (longest < 2 || longest >= SAMPLES) return (notch){NAN, longest >= SAMPLES ? 0 : NAN};
  const double step = 2 * SYN_PI / SAMPLES, last = (longest_end + 0.5) * step, first = last - (longest - 1) * step;
  return (notch){notch_edge(side, first, first - step), notch_edge(side, last, last + step)};
}

/* ---- columns -------------------------------------------------------------------------------------------------------
 */

/* Columns are evenly spaced over the notch and evenly over the rest, with one on either edge of the notch. */
static void place_columns(layer_grid *grid, notch gap, uint32_t *bare) {
  *bare = 0;
  if (isnan(gap.from)) {
    for (uint32_t c = 0; c < grid->columns; ++c) grid->clock[c] = 2 * SYN_PI * c / grid->columns;
    return;
  }
  const double width = gap.to - gap.from, rest = 2 * SYN_PI - width;
  *bare = (uint32_t)min2(max2(2, round(grid->columns * width / (2 * SYN_PI))), grid->columns - 4);
  for (uint32_t c = 0; c < grid->columns; ++c)
    grid->clock[c] = c < *bare ? gap.from + width * c / *bare : gap.to + rest * (c - *bare) / (grid->columns - *bare);
}

/* Interpolates angles that a column lacks from the nearest columns that have them. */
static bool close_circle(double (*polar)[LAYER_BREAKS], int which, uint32_t count) {
  for (uint32_t c = 0; c < count; ++c) {
    if (!isnan(polar[c][which])) continue;
    uint32_t back = 1, on = 1;
    while (back < count && isnan(polar[(c + count - back) % count][which])) ++back;
    while (on < count && isnan(polar[(c + on) % count][which])) ++on;
    if (back == count && on == count) return false;
    const double a = polar[(c + count - back) % count][which], b = polar[(c + on) % count][which];
    polar[c][which] = (a * on + b * back) / (back + on);
  }
  return true;
}

/* Values of the columns, sampled slightly inside their own stretch. */
static syn_status find_breaks(layer_side *side, uint32_t bare, double (*polar)[LAYER_BREAKS], syn_error *error) {
  layer_grid *grid = &side->grid;
  const double nudge = 1e-3;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    const double by = !bare ? 0 : c == 0 ? -nudge : c == bare ? nudge : 0;
    const span s = span_at(side, grid->clock[c] + by);
    polar[c][INNER] = s.inner;
    polar[c][ZONE] = isnan(s.inner) ? s.inner : s.zone;
    polar[c][RIM] = s.rim;
    polar[c][TIP] = s.tip;
  }
  for (int which = 0; which <= TIP; ++which) {
    if (!close_circle(polar, which, grid->columns))
      return syn_fail(error, SYN_BAD_MESH,
                      "no cartilage and no joint surface is seen from the centre of the joint: check the centre, or "
                      "name the body of cartilage in the joint file");
    if (!side->measured) syn_layer_smooth_circle(&polar[0][which], LAYER_BREAKS, grid->columns, 12);
  }
  const bool zoned = side->measured ? side->zone.mesh != NULL : side->maker->options.labrum_mm > 0;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    const double least = 0.5 * SYN_DEGREE;
    /* If the joint surface covers the floor of the socket, too, columns must not converge at the pole. */
    polar[c][INNER] = max2(polar[c][INNER], side->measured ? 3 * SYN_DEGREE : 0.25 * polar[c][RIM]);
    polar[c][RIM] = max2(polar[c][RIM], polar[c][INNER] + 4 * least);
    polar[c][ZONE] = zoned ? min2(max2(polar[c][ZONE], polar[c][INNER] + 2 * least), polar[c][RIM]) : polar[c][RIM];
  }
  return SYN_OK;
}

static double mean_width(const layer_grid *grid, double (*polar)[LAYER_BREAKS], int from, int to) {
  double sum = 0;
  for (uint32_t c = 0; c < grid->columns; ++c) sum += polar[c][to] - polar[c][from];
  return sum / grid->columns;
}

/* Removes breaks that no column has; `regions` is the region behind each. */
static layer_breaks choose_steps(const layer_side *side, double (*polar)[LAYER_BREAKS], uint8_t regions[3]) {
  layer_breaks breaks = {.count = 1, .polar = polar};
  static const uint32_t least[3] = {3, 1, 3};
  for (int from = 0; from < 3; ++from) {
    const int begin = (int)breaks.count - 1;
    const double width = mean_width(&side->grid, polar, begin, begin + 1);
    if (width < 0.2 * SYN_DEGREE) {
      for (uint32_t c = 0; c < side->grid.columns; ++c)
        for (int b = (int)breaks.count; b < TIP; ++b) polar[c][b] = polar[c][b + 1];
      continue;
    }
    for (uint32_t c = 0; c < side->grid.columns; ++c) {
      /* Keeps the sequence ascending after breaks were removed. */
      polar[c][breaks.count] = max2(polar[c][breaks.count], polar[c][breaks.count - 1] + 0.2 * SYN_DEGREE);
    }
    regions[breaks.count - 1] = (uint8_t)from;
    breaks.steps[breaks.count - 1] = syn_layer_steps(side, width, least[from]);
    ++breaks.count;
  }
  return breaks;
}

/* ---- kinds ---------------------------------------------------------------------------------------------------------
 */

static void set_socket_kinds(layer_side *side, const layer_breaks *breaks, const uint8_t *regions, uint32_t bare) {
  layer_grid *grid = &side->grid;
  const layer_maker *maker = side->maker;
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    uint32_t stretch = 0, ring = grid->ring_of[q];
    if (ring != SYN_NONE)
      while (ring >= breaks->steps[stretch]) ring -= breaks->steps[stretch++];
    grid->kind[q] = ring == SYN_NONE ? 0 : regions[stretch];
    if (maker->options.extent == SYN_EXTENT_HORSESHOE && grid->kind[q] < 2 && grid->column_of[q] < bare)
      grid->kind[q] = LAYER_NONE;
    if (maker->options.extent == SYN_EXTENT_PAINTED && grid->kind[q] < 2 &&
        !syn_layer_painted(side, maker->options.pelvis_painted, syn_layer_quad_direction(grid, q)))
      grid->kind[q] = LAYER_NONE;
  }
}

/* ---- all -----------------------------------------------------------------------------------------------------------
 */

static syn_vec3 mean_direction(const syn_trimesh *mesh, syn_vec3 center) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t v = 0; mesh && v < mesh->vertex_count; ++v)
    sum = vec3_add(sum, vec3_unit(vec3_sub(mesh->vertices[v], center)));
  return sum;
}

/* The floor of the socket is on the axis of its labrum; without one opposite to the opening of the rim, and without
 * anatomy in the middle of the cartilage. */
static syn_status set_socket_frame(layer_side *side, syn_error *error) {
  const syn_hip_case *hip_case = side->maker->hip_case;
  const syn_anatomy *anatomy = hip_case->anatomy && hip_case->anatomy->has_rim ? hip_case->anatomy : NULL;
  const syn_trimesh *labrum = side->labrum.mesh;
  syn_vec3 axis = anatomy ? vec3_neg(anatomy->rim_normal) : mean_direction(side->cartilage.mesh, side->center);
  const syn_vec3 top = anatomy ? vec3_sub(anatomy->rim[0], side->center) : hip_case->hip.pelvis_axes.rotation;
  if (labrum) {
    double *weights;
    syn_vec3 middle;
    SYN_TRY(SYN_TAKE(side->grid.arena, &weights, labrum->vertex_count, error));
    for (uint32_t v = 0; v < labrum->vertex_count; ++v) weights[v] = 1;
    const syn_vec3 normal = syn_fit_plane(labrum->vertices, weights, labrum->vertex_count, &middle);
    axis = vec3_dot(normal, axis) < 0 ? vec3_neg(normal) : normal;
  }
  syn_layer_frame(&side->grid, axis, top);
  return SYN_OK;
}

/* Break 0 becomes the size of the core. */
static void add_core(const layer_side *side, double (*polar)[LAYER_BREAKS]) {
  double least = INFINITY;
  for (uint32_t c = 0; c < side->grid.columns; ++c) least = min2(least, polar[c][ZONE]);
  const double size = min2(0.55 * least, side->grid.columns * side->maker->options.edge_mm / (8 * side->maker->radius));
  for (uint32_t c = 0; c < side->grid.columns; ++c) polar[c][INNER] = size;
}

syn_status syn_layer_socket_grid(layer_side *side, syn_error *error) {
  layer_grid *grid = &side->grid;
  double(*polar)[LAYER_BREAKS];
  uint32_t bare = 0;
  uint8_t regions[3] = {0};
  const bool whole = side->maker->options.extent != SYN_EXTENT_HORSESHOE;
  SYN_TRY(set_socket_frame(side, error));
  const notch gap = find_notch(side);
  if (isnan(gap.from) && gap.to == 0)
    return syn_fail(error, SYN_BAD_MESH,
                    "no cartilage and no joint surface of the socket is seen from the centre of the joint: check the "
                    "centre, or name the body of cartilage in the joint file");
  const double opposite = isnan(gap.from) ? 0 : 0.5 * (gap.from + gap.to) + SYN_PI;
  grid->columns = syn_layer_columns(side, span_at(side, opposite).tip);
  SYN_TRY(SYN_TAKE(grid->arena, &grid->clock, grid->columns, error));
  SYN_TRY(SYN_TAKE(grid->arena, &polar, grid->columns, error));
  place_columns(grid, whole ? (notch){NAN, NAN} : gap, &bare);
  SYN_TRY(find_breaks(side, bare, polar, error));
  if (whole) add_core(side, polar);
  const layer_breaks breaks = choose_steps(side, polar, regions);
  SYN_TRY(syn_layer_grid_fill(grid, whole, &breaks, error));
  set_socket_kinds(side, &breaks, regions, bare);
  return SYN_OK;
}

/* ---- layer head ------------------------------------------------------------------------------------------------ */
/* Makes the head's grid: a core opposite the neck, rings to the edge of the cartilage, and rings of bare bone beyond
 * it. */

static bool sees_head_cartilage(const layer_side *side, double polar, double clock) {
  return syn_layer_sees(side, &side->cartilage, polar, clock);
}

static bool sees_sphere(const layer_side *side, double polar, double clock) {
  const uint8_t *head = side->maker->hip_case->anatomy->head_vertices;
  layer_hit hit;
  if (!syn_layer_last_hit(&side->bone, syn_layer_direction(&side->grid, polar, clock), layer_near(side),
                          layer_far(side), &hit))
    return false;
  const uint32_t *v = side->bone.mesh->triangles[hit.triangle].v;
  return head[v[0]] + head[v[1]] + head[v[2]] >= 2;
}

/* Finds the end of the spherical part: the first gap of some degrees beyond the part that every head has. */
static double sphere_edge(const layer_side *side, double clock) {
  const double least = 60 * SYN_DEGREE, most = 140 * SYN_DEGREE, gap = 6 * SYN_DEGREE;
  double edge = least;
  for (double polar = least; polar < most && polar - edge < gap; polar += SYN_DEGREE)
    if (sees_sphere(side, polar, clock)) edge = polar;
  return edge;
}

static double edge_at(const layer_side *side, double clock) {
  double first, last;
  if (!side->measured) return sphere_edge(side, clock);
  syn_layer_seen_between(side, sees_head_cartilage, clock, &first, &last);
  return last;
}

/* The axis points away from the neck; without anatomy, to the middle of the cartilage. */
static void set_head_frame(layer_side *side) {
  const syn_anatomy *anatomy = side->maker->hip_case->anatomy;
  const syn_vec3 up = side->maker->hip_case->hip.pelvis_axes.rotation;
  if (anatomy && anatomy->has_neck) {
    syn_layer_frame(&side->grid, anatomy->neck_axis, up);
    return;
  }
  syn_vec3 sum = {0, 0, 0};
  const syn_trimesh *mesh = side->cartilage.mesh;
  for (uint32_t v = 0; mesh && v < mesh->vertex_count; ++v)
    sum = vec3_add(sum, vec3_unit(vec3_sub(mesh->vertices[v], side->center)));
  const syn_vec3 inward = anatomy && anatomy->has_rim ? vec3_neg(anatomy->rim_normal) : up;
  syn_layer_frame(&side->grid, vec3_length2(sum) > 0 ? sum : inward, up);
}

static syn_status find_edges(layer_side *side, double (*polar)[LAYER_BREAKS], syn_error *error) {
  const layer_maker *maker = side->maker;
  layer_grid *grid = &side->grid;
  double least = INFINITY;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    grid->clock[c] = 2 * SYN_PI * c / grid->columns;
    polar[c][1] = edge_at(side, grid->clock[c]);
    if (!(polar[c][1] > 10 * SYN_DEGREE))
      return syn_fail(error, SYN_BAD_MESH,
                      "the cartilage of the head does not surround its pole, seen from the centre of the joint: it has "
                      "a gap at clock %.0f degrees",
                      grid->clock[c] / SYN_DEGREE);
  }
  if (!side->measured) syn_layer_smooth_circle(&polar[0][1], LAYER_BREAKS, grid->columns, 12);
  for (uint32_t c = 0; c < grid->columns; ++c) least = min2(least, polar[c][1]);
  const double core = min2(0.55 * least, grid->columns * maker->options.edge_mm / (8 * maker->radius));
  for (uint32_t c = 0; c < grid->columns; ++c) {
    polar[c][0] = core;
    polar[c][2] = min2(polar[c][1] + maker->options.rigid_mm / maker->radius, 165 * SYN_DEGREE);
  }
  return SYN_OK;
}

static void set_head_kinds(layer_side *side, uint32_t cartilage_rings) {
  layer_grid *grid = &side->grid;
  const syn_layer_options *options = &side->maker->options;
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    const bool beyond = grid->ring_of[q] != SYN_NONE && grid->ring_of[q] >= cartilage_rings;
    const bool bare = options->extent == SYN_EXTENT_PAINTED &&
                      !syn_layer_painted(side, options->femur_painted, syn_layer_quad_direction(grid, q));
    grid->kind[q] = beyond || bare ? LAYER_RIGID : 0;
  }
}

syn_status syn_layer_head_grid(layer_side *side, syn_error *error) {
  layer_grid *grid = &side->grid;
  double(*polar)[LAYER_BREAKS];
  set_head_frame(side);
  grid->columns = syn_layer_columns(side, SYN_PI / 2);
  SYN_TRY(SYN_TAKE(grid->arena, &grid->clock, grid->columns, error));
  SYN_TRY(SYN_TAKE(grid->arena, &polar, grid->columns, error));
  SYN_TRY(find_edges(side, polar, error));
  double width = 0, beyond = 0;
  for (uint32_t c = 0; c < grid->columns; ++c) {
    width += (polar[c][1] - polar[c][0]) / grid->columns;
    beyond += (polar[c][2] - polar[c][1]) / grid->columns;
  }
  layer_breaks breaks = {.count = 2, .polar = polar};
  breaks.steps[0] = syn_layer_steps(side, width, 2);
  if (beyond > SYN_DEGREE) breaks.steps[breaks.count++ - 1] = syn_layer_steps(side, beyond, 2);
  SYN_TRY(syn_layer_grid_fill(grid, true, &breaks, error));
  set_head_kinds(side, breaks.steps[0]);
  return SYN_OK;
}
