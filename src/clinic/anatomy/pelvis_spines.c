/* Landmarks of a hip bone: a typical bone is fitted to the mesh from many starts. Each landmark is the outermost vertex
 * near its typical position, and the typical bone is fitted to these again until they no longer change. The best fit
 * also gives the side. */
#include <string.h>

#include "clinic/anatomy/pelvis.h"
#include "geometry/small_matrix.h"

/* Positions of the landmarks of an adult, in the ISB frame of a right pelvis from the centre of its hip, and the way in
 * which each stands out; lateral, front, up. `softness`: at this distance from its typical position a vertex must stand
 * out half as much more.
 *
 * No source of these positions is recorded. On seven hips of four people (z013, BodyParts3D, ICL and JIA of the public
 * data sets) the landmarks lie, in the frames found with them, in mm:
 *
 *                        lateral       front          up
 *   ASIS                 18 to  36     33 to  49      71 to  82
 *   PSIS                -50 to -30   -107 to -86      70 to  82
 *   AIIS                  6 to  16     23 to  33      36 to  48
 *   pubic tubercle      -72 to -56     48 to  55     -15 to  -4
 *   ischial spine       -46 to -24    -51 to -44      -9 to  -1
 *   ischial tuberosity  -45 to -22    -26 to -21     -71 to -62 */
typedef struct typical_spine {
  syn_vec3 place, outward;
  double softness;
} typical_spine;

static const typical_spine typical[SYN_SPINES] = {
    [SYN_SPINE_ASIS] = {{25, 39, 80}, {0.3, 0.9, -0.1}, 40},
    [SYN_SPINE_PSIS] = {{-39, -107, 80}, {-0.3, -0.9, -0.2}, 40},
    [SYN_SPINE_AIIS] = {{11, 27, 42}, {0.2, 0.9, 0}, 20},
    [SYN_SPINE_PUBIC_TUBERCLE] = {{-63, 52, -8}, {0.3, 0.95, -0.1}, 25},
    [SYN_SPINE_ISCHIAL_SPINE] = {{-35, -50, -7}, {-0.6, -0.8, 0}, 20},
    [SYN_SPINE_ISCHIAL_TUBEROSITY] = {{-33, -21, -69}, {0, 0, -1}, 40},
    [SYN_SPINE_SYMPHYSIS] = {{-82, 39, -9}, {-1, 0, 0}, 40},
};
static const syn_vec3 typical_normal = {0.76, 0.39, -0.51};

static syn_vec3 out_of_frame(const syn_side_frame *frame, syn_vec3 v) {
  return vec3_madd(vec3_madd(vec3_scale(frame->lateral, v.x), v.y, frame->front), v.z, frame->up);
}

/* ---- the outermost point near a position ------------------------------------------------------------------------- */

static uint32_t outermost(const syn_bone_points *cloud, const syn_half *half, const typical_spine *spine) {
  const syn_vec3 place = vec3_madd(half->origin, half->scale, out_of_frame(&half->frame, spine->place));
  const syn_vec3 outward = vec3_unit(out_of_frame(&half->view, spine->outward));
  const double bend = 1 / (2 * spine->softness * half->scale);
  uint32_t best = SYN_NONE;
  double most = -INFINITY;
  for (uint32_t i = 0; i < cloud->count; ++i) {
    const syn_vec3 off = vec3_sub(cloud->points[i], place);
    const double value = vec3_dot(off, outward) - bend * vec3_length2(off);
    if (value <= most || cloud->areas[i] == 0) continue;
    if (half->component != SYN_NONE && cloud->component[i] != half->component) continue;
    if (vec3_dot(vec3_sub(cloud->points[i], half->middle), half->beyond) < 0) continue;
    most = value;
    best = i;
  }
  return best;
}

static void pick_all(const syn_bone_points *cloud, syn_half *half) {
  for (int k = 0; k < SYN_SPINES; ++k) half->vertex[k] = outermost(cloud, half, &typical[k]);
}

/* ---- laying the typical bone upon the landmarks ------------------------------------------------------------------ */

typedef struct pairing {
  syn_vec3 typical[SYN_SPINES + 1], found[SYN_SPINES + 1];
  int count;
} pairing;

static pairing pair_up(const syn_bone_points *cloud, const syn_half *half, bool mirrored) {
  pairing pairs = {.found = {half->cup.sphere.center}, .count = 1};
  for (int k = 0; k < SYN_SPINES; ++k) {
    if (half->vertex[k] == SYN_NONE) continue;
    pairs.typical[pairs.count] = typical[k].place;
    pairs.found[pairs.count++] = cloud->points[half->vertex[k]];
  }
  for (int i = 0; i < pairs.count && mirrored; ++i) pairs.typical[i].x = -pairs.typical[i].x;
  return pairs;
}

static syn_vec3 mean_of(const syn_vec3 *points, int count) {
  syn_vec3 sum = {0};
  for (int i = 0; i < count; ++i) sum = vec3_add(sum, points[i]);
  return vec3_scale(sum, 1.0 / count);
}

/* Returns the rotation that maps a to b best, from the largest eigenvector of Horn's matrix (Horn 1987). */
static syn_mat3 best_rotation(double s[3][3]) {
  double n[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                    {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                    {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                    {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < r; ++c) n[r][c] = n[c][r];
  double values[4], vectors[4][4];
  syn_symmetric_eigen(n, 4, values, vectors);
  const double *q = vectors[3];
  const syn_pose pose = syn_pose_from_quat((syn_quat){q[0], q[1], q[2], q[3]}, vec3(0, 0, 0));
  return pose.rotation;
}

/* Fits a similarity by least squares. */
static void lay_upon(const syn_bone *bone, const syn_bone_points *cloud, syn_half *half, bool mirrored) {
  const pairing pairs = pair_up(cloud, half, mirrored);
  const syn_vec3 from = mean_of(pairs.typical, pairs.count), to = mean_of(pairs.found, pairs.count);
  /* Covariance of typical and found points about their means. */
  double s[3][3] = {0}, size = 0, square = 0;
  for (int i = 0; i < pairs.count; ++i) {
    const syn_vec3 a = vec3_sub(pairs.typical[i], from), b = vec3_sub(pairs.found[i], to);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) s[r][c] += vec3_at(a, r) * vec3_at(b, c);
    size += vec3_length2(a);
  }
  /* Rotation, then scale, then origin (Horn 1987). */
  const syn_mat3 rotation = best_rotation(s), columns = mat3_transpose(&rotation);
  double along = 0;
  for (int i = 0; i < pairs.count; ++i)
    along += vec3_dot(mat3_apply(&rotation, vec3_sub(pairs.typical[i], from)), vec3_sub(pairs.found[i], to));
  half->scale = max2(0.6 * bone->child, min2(1.6, along / size));
  half->frame = (syn_side_frame){mirrored ? vec3_neg(columns.row[0]) : columns.row[0], columns.row[1], columns.row[2]};
  half->origin = vec3_madd(to, -half->scale, mat3_apply(&rotation, from));
  /* Root mean square residual of the fit, in typical size. */
  for (int i = 0; i < pairs.count; ++i) {
    const syn_vec3 laid = vec3_madd(half->origin, half->scale, mat3_apply(&rotation, pairs.typical[i]));
    square += vec3_length2(vec3_sub(pairs.found[i], laid));
  }
  half->misfit = sqrt(square / pairs.count) / half->scale;
}

/* ---- trials ------------------------------------------------------------------------------------------------------ */

/* Returns a frame in which the cup opens as it typically does, rotated about its normal. */
static syn_side_frame frame_about(syn_vec3 normal, double turn, bool mirrored) {
  const syn_vec3 t = vec3_unit(typical_normal), tx = vec3_any_normal(t), ty = vec3_cross(t, tx);
  const syn_vec3 x0 = vec3_any_normal(normal), y0 = vec3_cross(normal, x0);
  const syn_vec3 x = vec3_add(vec3_scale(x0, cos(turn)), vec3_scale(y0, sin(turn)));
  const syn_vec3 y = vec3_scale(vec3_cross(normal, x), mirrored ? -1 : 1);
  const double c[3][3] = {{tx.x, ty.x, t.x}, {tx.y, ty.y, t.y}, {tx.z, ty.z, t.z}};
  syn_vec3 axes[3];
  for (int k = 0; k < 3; ++k)
    axes[k] = vec3_add(vec3_add(vec3_scale(x, c[k][0]), vec3_scale(y, c[k][1])), vec3_scale(normal, c[k][2]));
  return (syn_side_frame){axes[0], axes[1], axes[2]};
}

static bool have_same_landmarks(const syn_half *a, const syn_half *b) {
  return memcmp(a->vertex, b->vertex, sizeof a->vertex) == 0;
}

/* Alternates landmarks and fit until the landmarks stay. */
static void fit_from(const syn_bone *bone, const syn_bone_points *cloud, bool mirrored, int rounds, syn_half *half) {
  for (int round = 0; round < rounds; ++round) {
    const syn_half before = *half;
    pick_all(cloud, half);
    lay_upon(bone, cloud, half, mirrored);
    half->view = half->frame;
    if (round && have_same_landmarks(&before, half)) break;
  }
}

bool syn_spines_pick(const syn_bone *bone, syn_half *half) {
  const syn_half before = *half;
  pick_all(&bone->all, half);
  lay_upon(bone, &bone->all, half, syn_side_frame_mirrored(&half->frame));
  return have_same_landmarks(&before, half);
}

double syn_spine_confidence(const syn_bone *bone, const syn_half *half, syn_spine spine) {
  const syn_vec3 place = vec3_madd(half->origin, half->scale, out_of_frame(&half->frame, typical[spine].place));
  const double off = vec3_distance(bone->points[half->vertex[spine]], place) / (20 * half->scale);
  return 1 / (1 + off * off);
}

/* Keeps the best trials, best first; of those that end at the same landmarks, one. */
static int keep_trial(syn_half *kept, int count, int room, const syn_half *trial) {
  for (int i = 0; i < count; ++i)
    if (have_same_landmarks(&kept[i], trial)) return count;
  int at = count < room ? count++ : room;
  for (; at > 0 && trial->misfit < kept[at - 1].misfit; --at)
    if (at < room) kept[at] = kept[at - 1];
  if (at < room) kept[at] = *trial;
  return count;
}

/* Finds the best fit of one handedness. The result of the search depends on its start, even among good starts: the best
 * trials that end at different landmarks continue with every vertex, and the min misfit counts. On real bones correct
 * fits end with 4 to 7 mm, wrong ones with 18 and more. */
static syn_half fit_best(const syn_bone *bone, const syn_half *half, bool mirrored) {
  enum { TURNS = 18, COARSE_ROUNDS = 8, ROUNDS = 20, KEPT = 4 };
  const double near_best = 1.5;
  syn_half kept[KEPT], best = *half;
  int count = 0;
  for (int turn = 0; turn < TURNS; ++turn) {
    syn_half trial = *half;
    trial.origin = half->cup.sphere.center;
    trial.scale = bone->child;
    trial.frame = trial.view = frame_about(half->cup.normal, 2 * SYN_PI * turn / TURNS, mirrored);
    fit_from(bone, &bone->coarse, mirrored, COARSE_ROUNDS, &trial);
    count = keep_trial(kept, count, KEPT, &trial);
  }
  best.misfit = INFINITY;
  for (int i = 0; i < count && kept[i].misfit <= near_best * kept[0].misfit; ++i) {
    syn_half fine = kept[i];
    fit_from(bone, &bone->all, mirrored, ROUNDS, &fine);
    if (fine.misfit < best.misfit) best = fine;
  }
  return best;
}

void syn_spines_find(const syn_bone *bone, int handed, syn_half *half, double *rival) {
  syn_half best[2] = {*half, *half};
  best[0].misfit = best[1].misfit = INFINITY;
  for (int mirrored = 0; mirrored < 2; ++mirrored)
    if (!handed || mirrored == (handed < 0)) best[mirrored] = fit_best(bone, half, mirrored);
  const int winner = best[1].misfit < best[0].misfit;
  *half = best[winner];
  *rival = best[!winner].misfit;
}
