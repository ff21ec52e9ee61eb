/* Finds the acetabulum: the point where normals of a hollow surface meet, and the sphere through its joint surface. */
#include "clinic/anatomy/pelvis.h"
#include "geometry/fit.h"
#include "geometry/small_matrix.h"

/* Of an adult; a child's are smaller, in the ratio of its femoral head. */
static const double adult_radius = 16, greatest_radius = 36;

static double least_radius(const syn_bone *bone) { return adult_radius * bone->child; }

/* ---- votes: the normals of a hollow sphere all pass through its centre ------------------------------------------- */

typedef struct vote_grid {
  syn_vec3 corner;
  size_t size[3];
  double cell;
  float *votes;
} vote_grid;

static size_t cell_index(const vote_grid *grid, size_t x, size_t y, size_t z) {
  return (z * grid->size[1] + y) * grid->size[0] + x;
}

static void vote(const vote_grid *grid, syn_vec3 place, double weight) {
  size_t at[3];
  for (int k = 0; k < 3; ++k) {
    const double c = (vec3_at(place, k) - vec3_at(grid->corner, k)) / grid->cell;
    if (!(c >= 0 && c < (double)grid->size[k])) return;
    at[k] = (size_t)c;
  }
  grid->votes[cell_index(grid, at[0], at[1], at[2])] += (float)weight;
}

static syn_status vote_for_centers(syn_bone *bone, vote_grid *grid, syn_error *error) {
  const double step = 2;
  syn_box box = box_empty();
  for (uint32_t i = 0; i < bone->vertex_count; ++i)
    if (bone->areas[i] > 0) box_add(&box, bone->points[i]);
  /* Coarser for objects larger than a pelvis, so that the grid stays small. */
  const double longest = max2(bone->extent.x, max2(bone->extent.y, bone->extent.z));
  grid->cell = max2(4, (longest + 2 * greatest_radius) / 110);
  grid->corner = vec3_sub(box.min, vec3(greatest_radius, greatest_radius, greatest_radius));
  size_t cells = 1;
  for (int k = 0; k < 3; ++k) {
    grid->size[k] = (size_t)((vec3_at(bone->extent, k) + 2 * greatest_radius) / grid->cell) + 1;
    cells *= grid->size[k];
  }
  SYN_TRY(SYN_TAKE(&bone->arena, &grid->votes, cells, error));
  for (size_t i = 0; i < cells; ++i) grid->votes[i] = 0;
  const int steps = (int)((greatest_radius - least_radius(bone)) / step);
  for (uint32_t i = 0; i < bone->vertex_count; ++i)
    for (int k = 0; k <= steps; ++k)
      vote(grid, vec3_madd(bone->points[i], least_radius(bone) + k * step, bone->normals[i]), bone->areas[i]);
  return SYN_OK;
}

/* Sums over the cell and its 26 neighbours: normals of a scanned surface miss the centre by some mm. */
static double votes_around(const vote_grid *grid, size_t x, size_t y, size_t z, syn_vec3 *mean) {
  double sum = 0;
  syn_vec3 weighted = {0};
  for (size_t k = z - 1; k <= z + 1; ++k)
    for (size_t j = y - 1; j <= y + 1; ++j)
      for (size_t i = x - 1; i <= x + 1; ++i) {
        const double v = (double)grid->votes[cell_index(grid, i, j, k)];
        sum += v;
        weighted = vec3_madd(weighted, v, vec3((double)i + 0.5, (double)j + 0.5, (double)k + 0.5));
      }
  if (sum > 0) *mean = vec3_madd(grid->corner, grid->cell / sum, weighted);
  return sum;
}

typedef struct peak {
  double votes;
  syn_vec3 place;
} peak;

/* Keeps the strongest peaks that are further apart than a cup is wide, strongest first. */
static void keep_peak(peak *peaks, size_t *count, peak candidate) {
  for (size_t i = 0; i < *count; ++i)
    if (vec3_distance(peaks[i].place, candidate.place) < 20) {
      if (peaks[i].votes >= candidate.votes) return;
      for (size_t j = i + 1; j < *count; ++j) peaks[j - 1] = peaks[j];
      --*count;
      --i;
    }
  size_t at = *count;
  while (at > 0 && peaks[at - 1].votes < candidate.votes) --at;
  if (at == SYN_CUP_CANDIDATES) return;
  if (*count < SYN_CUP_CANDIDATES) ++*count;
  for (size_t j = *count - 1; j > at; --j) peaks[j] = peaks[j - 1];
  peaks[at] = candidate;
}

static size_t strongest_peaks(const vote_grid *grid, peak peaks[SYN_CUP_CANDIDATES]) {
  size_t count = 0;
  for (size_t z = 1; z + 1 < grid->size[2]; ++z)
    for (size_t y = 1; y + 1 < grid->size[1]; ++y)
      for (size_t x = 1; x + 1 < grid->size[0]; ++x) {
        if (grid->votes[cell_index(grid, x, y, z)] <= 0) continue;
        peak candidate = {0};
        candidate.votes = votes_around(grid, x, y, z, &candidate.place);
        const bool room = count < SYN_CUP_CANDIDATES;
        if (candidate.votes > 0 && (room || candidate.votes > peaks[count - 1].votes))
          keep_peak(peaks, &count, candidate);
      }
  return count;
}

/* ---- the sphere -------------------------------------------------------------------------------------------------- */

/* Returns the cosine of the angle between the surface's normal and the direction to the centre. */
static double facing(const syn_bone *bone, uint32_t vertex, syn_vec3 center, double *distance) {
  const syn_vec3 off = vec3_sub(center, bone->points[vertex]);
  *distance = vec3_length(off);
  return *distance > 0 ? vec3_dot(off, bone->normals[vertex]) / *distance : 0;
}

/* Finds the most common distance from the centre of surface that faces it, between two radii. */
static double common_radius(const syn_bone *bone, syn_vec3 center, double low, double high) {
  enum { BINS = 64 };
  double area[BINS] = {0};
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    double distance;
    if (facing(bone, i, center, &distance) < 0.8 || distance < low || distance >= high) continue;
    area[(int)((distance - low) / (high - low) * BINS)] += bone->areas[i] / (distance * distance);
  }
  int best = 0;
  double most = -1;
  const int reach = (int)(1.5 / (high - low) * BINS) + 1;
  for (int i = 0; i < BINS; ++i) {
    double sum = 0;
    for (int j = i - reach; j <= i + reach; ++j) sum += j >= 0 && j < BINS ? area[j] : 0;
    if (sum > most) most = sum, best = i;
  }
  return low + (best + 0.5) * (high - low) / BINS;
}

typedef struct sphere_sums {
  sphere_equations equations;
  double area, square;
  size_t points;
  syn_vec3 direction;
} sphere_sums;

/* Which vertices count for the sphere: those near it that face the centre, weighted less further off, except on the
 * floor: the fossa is deeper and would draw the sphere inward. */
typedef struct inlier_rule {
  double band, facing, scale; /* mm, cosine, mm */
  syn_vec3 floor;             /* unit; zero: the floor is included */
  double floor_cosine;        /* of the angle of the floor's edge */
} inlier_rule;

static sphere_sums sum_inliers(const syn_bone *bone, const syn_cup *cup, const inlier_rule *rule) {
  sphere_sums sums = {.equations = {.radii = 1}};
  const double farthest = cup->sphere.radius_mm + rule->band;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    double distance;
    if (vec3_length2(vec3_sub(bone->points[i], cup->sphere.center)) > farthest * farthest) continue;
    if (facing(bone, i, cup->sphere.center, &distance) < rule->facing) continue;
    const double off = distance - cup->sphere.radius_mm, far = off / rule->scale;
    const syn_vec3 out = vec3_scale(vec3_sub(bone->points[i], cup->sphere.center), 1 / distance);
    if (fabs(off) > rule->band || vec3_dot(out, rule->floor) > rule->floor_cosine) continue;
    sphere_equations_add(&sums.equations, 0, out, off, bone->areas[i] / (1 + far * far));
    sums.area += bone->areas[i];
    sums.square += bone->areas[i] * off * off;
    sums.direction = vec3_madd(sums.direction, bone->areas[i], out);
    ++sums.points;
  }
  return sums;
}

/* Newton steps: first over the whole cup with a narrowing distance limit, then over its outer half only. */
static const double inlier_mm = 1.2, inlier_facing = 0.8;

/* A cap of the sphere has a mean direction of length (1 + cos(angle of its edge)) / 2; its inner half is the floor. */
static double half_cap_cosine(double mean_length) { return cos(acos(max2(-1, min2(1, 2 * mean_length - 1))) / 2); }

static bool fit_sphere(const syn_bone *bone, syn_cup *cup) {
  enum { STEPS = 120, NARROWING = 12 };
  inlier_rule rule = {inlier_mm, inlier_facing, 0.6, {0, 0, 0}, 1};
  for (int step = 0; step < STEPS; ++step) {
    /* Start with a wide distance limit for inliers and narrow it. */
    const double wide = step < NARROWING ? 1 - (double)step / NARROWING : 0;
    rule.band = inlier_mm + 3 * wide;
    rule.facing = inlier_facing - 0.2 * wide;
    rule.scale = 0.6 + 2 * wide;
    /* One step of weighted least squares for centre and radius. */
    sphere_sums sums = sum_inliers(bone, cup, &rule);
    const double *move = sums.equations.b;
    if (sums.points < 12 || !syn_solve_pivoted(sums.equations.a, sums.equations.b, 4, 1e-6)) return false;
    /* From here on the floor is excluded: the fossa is deeper and would draw the sphere inward. */
    if (step == NARROWING) {
      rule.floor = vec3_unit(sums.direction);
      rule.floor_cosine = half_cap_cosine(vec3_length(sums.direction) / sums.area);
    }
    cup->sphere.center = vec3_add(cup->sphere.center, vec3(move[0], move[1], move[2]));
    cup->sphere.radius_mm += move[3];
    if (!(cup->sphere.radius_mm > least_radius(bone) && cup->sphere.radius_mm < greatest_radius)) return false;
    if (step > NARROWING && fabs(move[0]) + fabs(move[1]) + fabs(move[2]) + fabs(move[3]) < 1e-9) break;
  }
  /* Residual, size and direction are those of the whole cap. */
  const inlier_rule whole = {inlier_mm, inlier_facing, INFINITY, {0, 0, 0}, 1};
  const sphere_sums sums = sum_inliers(bone, cup, &whole);
  if (sums.points < 12) return false;
  cup->sphere.points = sums.points;
  cup->sphere.residual_mm = sqrt(sums.square / sums.area);
  cup->solid_angle = sums.area / (cup->sphere.radius_mm * cup->sphere.radius_mm);
  cup->normal = vec3_neg(vec3_unit(sums.direction));
  return true;
}

bool syn_cup_has_vertex(const syn_cup *cup, const syn_bone *bone, uint32_t vertex) {
  double distance;
  const double cosine = facing(bone, vertex, cup->sphere.center, &distance);
  if (cosine < inlier_facing || fabs(distance - cup->sphere.radius_mm) > inlier_mm) return false;
  return vec3_dot(vec3_sub(bone->points[vertex], cup->sphere.center), cup->normal) < 0.5 * cup->sphere.radius_mm;
}

/* A cup covers a good part of the sphere; anything less is another hollow of the bone. Around a known head a shallow
 * one is accepted. */
static const double cup_solid_angle = 2.3, shallow_solid_angle = 0.5;

static void insert_cup(syn_cup *cups, size_t first, size_t *count, const syn_cup *cup) {
  for (size_t i = 0; i < *count; ++i)
    if (vec3_distance(cups[i].sphere.center, cup->sphere.center) < 20) return;
  if (*count == SYN_CUP_CANDIDATES) return;
  size_t at = (*count)++;
  for (; at > first && cups[at - 1].solid_angle < cup->solid_angle; --at) cups[at] = cups[at - 1];
  cups[at] = *cup;
}

/* Bone is outside the head, with cartilage between. */
static bool cup_round_head(const syn_bone *bone, const syn_sphere_fit *head, syn_cup *cup) {
  const double low = max2(head->radius_mm - 2, least_radius(bone)), high = head->radius_mm + 7;
  *cup = (syn_cup){.sphere = {.center = head->center}};
  cup->sphere.radius_mm = common_radius(bone, head->center, low, high);
  return fit_sphere(bone, cup) && cup->solid_angle > shallow_solid_angle &&
         vec3_distance(cup->sphere.center, head->center) < 10;
}

syn_status syn_cups_find(syn_bone *bone, const syn_sphere_fit *head, syn_cup cups[SYN_CUP_CANDIDATES], size_t *count,
                         syn_error *error) {
  vote_grid grid;
  SYN_TRY(vote_for_centers(bone, &grid, error));
  peak peaks[SYN_CUP_CANDIDATES];
  const size_t peak_count = strongest_peaks(&grid, peaks);
  *count = 0;
  if (head && cup_round_head(bone, head, &cups[0])) *count = 1;
  const size_t first = *count;
  for (size_t i = 0; i < peak_count; ++i) {
    syn_cup cup = {.sphere = {.center = peaks[i].place}};
    cup.sphere.radius_mm = common_radius(bone, peaks[i].place, least_radius(bone), greatest_radius);
    if (fit_sphere(bone, &cup) && cup.solid_angle > cup_solid_angle) insert_cup(cups, first, count, &cup);
  }
  return SYN_OK;
}
