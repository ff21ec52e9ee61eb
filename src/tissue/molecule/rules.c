/* Computes the stiffness of springs from Young's modulus (Maciel 2005, §3.4.2), and from the shear modulus (§6.3). */
#include <string.h>

#include "tissue/molecule/molecule.h"

/* ---- rules that look at one spring ----------------------------------------------------------------------------------
 */

/* Eq. 3.18. */
static double linear(const molecules *m, uint32_t s) { return m->young_mpa * m->area[s] / m->length[s]; }

/* Eq. 3.21 of spring s around one of its ends. Only springs within 90 degrees add to the force along this one: those
 * behind the molecule, whose cosine is negative, do not. */
static double cosines(const molecules *m, const syn_vec3 *x, uint32_t i, uint32_t s) {
  const syn_vec3 d = vec3_sub(x[m->other[s]], x[i]);
  double sum = 0;
  for (uint32_t t = m->row[i]; t < m->row[i] + m->degree[i]; ++t) {
    const syn_vec3 e = vec3_sub(x[m->other[t]], x[i]);
    if (t != s) sum += max2(vec3_dot(d, e) / (spring_length(d) * spring_length(e)), 0);
  }
  return sum;
}

double syn_molecule_angle_stiffness(const molecules *m, const syn_vec3 *x, uint32_t i, uint32_t s) {
  const double sum = cosines(m, x, i, s) + cosines(m, x, m->other[s], m->twin[s]);
  return linear(m, s) / (1 + sum / 2);
}

/* Algorithm 1: the count of different directions among N connections. The text omits N = 8 and 12; the rows below
 * them are continued. */
static double directions(uint32_t n) { return n <= 8 ? n : n <= 12 ? n - 1 : n < 20 ? n - 4 : n / 2; }

/* The text prints area1 for both ends; the second one is read as area2. */
static double statistical(const molecules *m, uint32_t i, uint32_t s) {
  const double area1 = 2 * m->area[s] / directions(m->degree[i]);
  const double area2 = 2 * m->area[s] / directions(m->degree[m->other[s]]);
  return m->young_mpa * (area1 + area2) / (2 * m->length[s]);
}

/* Computes Young's modulus of an infinite cubic lattice with springs of E A / l along the edges, the diagonals of
 * faces and, for `space`, those of cubes, as a multiple of E (C of §3.4.2.3): C11 - 2 C12^2 / (C11 + C12). */
static double lattice_constant(bool space) {
  const double face = 1 / sqrt(2), cube = space ? 1 / sqrt(3) : 0;
  const double c11 = 1 + 2 * face + 4.0 / 3 * cube, c12 = face + 4.0 / 3 * cube;
  return c11 - 2 * c12 * c12 / (c11 + c12);
}

static double by_rule(const molecules *m, syn_spring_rule rule, uint32_t i, uint32_t s) {
  switch (rule) {
  case SYN_SPRINGS_PLANE: return linear(m, s) / lattice_constant(false);
  case SYN_SPRINGS_SPACE: return linear(m, s) / lattice_constant(true);
  case SYN_SPRINGS_STATISTICAL: return statistical(m, i, s);
  case SYN_SPRINGS_ANGLES:
  case SYN_SPRINGS_ANGLES_UPDATED: return syn_molecule_angle_stiffness(m, m->rest, i, s);
  default: return linear(m, s);
  }
}

static void set_by_rule(molecules *m, syn_spring_rule rule) {
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
      if (m->other[s] > i) set_spring(m, s, by_rule(m, rule, i, s));
}

/* ---- tetrahedra -----------------------------------------------------------------------------------------------------
 */

static uint32_t find_spring(const molecules *m, uint32_t i, uint32_t j) {
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
    if (m->other[s] == j) return s;
  return SYN_NONE;
}

/* Eq. 3.19 (van Gelder 1998). */
static syn_status set_by_tets(const syn_molecules *from, molecules *m, syn_error *error) {
  if (!from->tet_count)
    return syn_fail(error, SYN_BAD_MESH, "the rule 'tetrahedral' needs tetrahedra (synovia mesh tet makes them)");
  for (size_t t = 0; t < from->tet_count; ++t) {
    const uint32_t *v = from->tets[t].v;
    for (int k = 0; k < 4; ++k)
      if (v[k] >= m->count)
        return syn_fail(error, SYN_BAD_ARGUMENT, "tetrahedron %zu names molecule %u of %u", t, v[k], m->count);
    const syn_vec3 a = vec3_sub(m->rest[v[1]], m->rest[v[0]]), b = vec3_sub(m->rest[v[2]], m->rest[v[0]]);
    const double volume = fabs(vec3_dot(vec3_cross(a, b), vec3_sub(m->rest[v[3]], m->rest[v[0]]))) / 6;
    for (int k = 0; k < 6; ++k) {
      static const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
      const uint32_t s = find_spring(m, v[edges[k][0]], v[edges[k][1]]);
      if (s == SYN_NONE)
        return syn_fail(error, SYN_BAD_ARGUMENT, "an edge of tetrahedron %zu is not among the connections", t);
      set_spring(m, s, m->stiffness[s] + m->young_mpa * volume / (m->length[s] * m->length[s]));
    }
  }
  return SYN_OK;
}

/* ---- rules that test the body ---------------------------------------------------------------------------------------
 */

/* Limits a negative stiffness to what the springs of the molecule, of this shear modulus, can bear. */
static void set_mode(molecules *m, int mode, double mpa, double shear) {
  strain_mode *to = &m->modes[mode];
  for (uint32_t i = 0; i < m->count; ++i)
    to->stiffness[i] = max2(mpa * m->volume[i], -0.9 / m->mode_count * shear * to->bearable[i]);
}

static void scale_springs(molecules *m, const double *base, double scale) {
  for (size_t s = 0; s < m->slot_count; ++s) m->stiffness[s] = scale * base[s];
}

/* Orthogonal directions: along the fibres if there are any, else along the pull. */
typedef struct directions3 {
  syn_vec3 along, across, aside;
} directions3;

static directions3 directions_of_tests(const syn_molecules *from, const syn_soft *soft) {
  directions3 d = {.along = vec3_unit(soft->options.fibre)};
  if (!(vec3_length2(d.along) > 0)) d.along = vec3_unit(from->pull);
  if (!(vec3_length2(d.along) > 0)) d.along = syn_molecule_longest(soft->state);
  d.across = vec3_any_normal(d.along);
  d.aside = vec3_cross(d.along, d.across);
  return d;
}

enum { ROUNDS = 60 };
static const double ENOUGH = 2e-5; /* relative */

static bool agrees(double shown, double asked) { return fabs(shown - asked) < ENOUGH * fabs(asked); }
/* Irregular bodies may not be able to reach a low Poisson's ratio. */
static bool nearly_agrees(double shown, double asked) { return fabs(shown - asked) < 0.05 * fabs(asked); }

static syn_status not_shown(double asked, double shown, syn_error *error) {
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "no stiffness of the springs shows a modulus of %g MPa in the virtual test (%g MPa after %d rounds): "
                  "the molecules are too few or connected too unevenly",
                  asked, shown, ROUNDS);
}

/* The iterative method (§3.4.2.6): springs of Eq. 3.18 are divided by C until a pull test gives Young's modulus;
 * with fibres the modulus across them, and their mode is changed until a pull test along them gives theirs. */
static syn_status set_by_pulling(const syn_molecules *from, syn_soft *soft, double *base, syn_error *error) {
  molecules *m = soft->state;
  const directions3 d = directions_of_tests(from, soft);
  const bool fibres = m->mode_count > 0;
  double scale = 1, fibre_mpa = soft->options.fibre_mpa - m->young_mpa, shown = 0, along = 0, elongation;
  for (int round = 0; round < ROUNDS; ++round) {
    scale_springs(m, base, scale);
    if (fibres) set_mode(m, 0, fibre_mpa, 0.4 * m->young_mpa * scale);
    const pull_test test = {fibres ? d.across : d.along, from->pull_n, fibres ? 0 : from->pull_area_mm2};
    SYN_TRY(syn_molecule_pull(m, &test, &shown, &elongation, NULL, error));
    const pull_test second = {d.along, from->pull_n, from->pull_area_mm2};
    if (fibres) SYN_TRY(syn_molecule_pull(m, &second, &along, &elongation, NULL, error));
    if (agrees(shown, m->young_mpa) && (!fibres || agrees(along, soft->options.fibre_mpa))) return SYN_OK;
    if (!(shown > 0)) break;
    scale *= m->young_mpa / shown;
    fibre_mpa += soft->options.fibre_mpa - along;
  }
  return not_shown(m->young_mpa, shown, error);
}

/* Springs of the shear modulus G have lambda = G; the volume mode adds the difference to lambda, and that of the
 * fibres to their direction (§6.3: an iterative test for shear as for elasticity). */
static syn_status set_by_strains(const syn_molecules *from, syn_soft *soft, const double *base, syn_error *error) {
  molecules *m = soft->state;
  const directions3 d = directions_of_tests(from, soft);
  const bool fibres = m->mode_count > 1;
  const double young = m->young_mpa, nu = soft->material.poisson, shear = young / (2 * (1 + nu));
  const double lambda = 2 * shear * nu / (1 - 2 * nu), wide = lambda + 2 * shear;
  const double along = wide + soft->options.fibre_mpa - young;
  double scale = shear, volume_mpa = lambda - shear, fibre_mpa = along - wide, shown[3] = {0, 0, along};
  double last_volume = 0, last_shown = 0, gain = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    scale_springs(m, base, scale);
    set_mode(m, 0, volume_mpa, scale);
    if (fibres) set_mode(m, 1, fibre_mpa, scale);
    SYN_TRY(syn_molecule_strain(m, d.across, d.aside, &shown[0], error));
    SYN_TRY(syn_molecule_strain(m, d.across, d.across, &shown[1], error));
    if (fibres) SYN_TRY(syn_molecule_strain(m, d.along, d.along, &shown[2], error));
    if (agrees(shown[0], shear) && agrees(shown[1], wide) && agrees(shown[2], along)) return SYN_OK;
    if (!(shown[0] > 0)) break;
    if (round > 0 && fabs(volume_mpa - last_volume) > 1e-9 * wide)
      gain = min2(max2((shown[1] - last_shown) / (volume_mpa - last_volume), 0.3), 1.5);
    last_volume = volume_mpa;
    last_shown = shown[1];
    scale *= shear / shown[0];
    volume_mpa += (wide - shown[1]) / gain;
    fibre_mpa += along - wide - (shown[2] - shown[1]);
  }
  if (nearly_agrees(shown[0], shear) && nearly_agrees(shown[1], wide) && nearly_agrees(shown[2], along)) {
    syn_warn(m->context, "the molecules show %g of the modulus that was asked for: their surroundings are too uneven",
             shown[1] / wide);
    return SYN_OK;
  }
  return not_shown(young, shown[1] * young / wide, error);
}

static syn_status set_by_tests(const syn_molecules *from, syn_soft *soft, syn_error *error) {
  molecules *m = soft->state;
  const bool pulling = soft->options.springs == SYN_SPRINGS_ITERATIVE;
  double *base;
  SYN_TRY(SYN_NEW_ZEROED(m->context, &base, m->slot_count, error));
  set_by_rule(m, SYN_SPRINGS_LINEAR);
  for (size_t s = 0; s < m->slot_count; ++s) base[s] = pulling ? m->stiffness[s] : m->share[s] + m->share[m->twin[s]];
  const syn_status status = pulling ? set_by_pulling(from, soft, base, error) : set_by_strains(from, soft, base, error);
  syn_free(m->context, base);
  return status;
}

syn_status syn_molecule_set_stiffness(const syn_molecules *from, syn_soft *soft, syn_error *error) {
  molecules *m = soft->state;
  const syn_spring_rule rule = soft->options.springs;
  if (rule == SYN_SPRINGS_MODULI || rule == SYN_SPRINGS_ITERATIVE) return set_by_tests(from, soft, error);
  if (m->mode_count) set_mode(m, 0, soft->options.fibre_mpa - m->young_mpa, 0.4 * m->young_mpa);
  if (rule == SYN_SPRINGS_TETRAHEDRAL) return set_by_tets(from, m, error);
  set_by_rule(m, rule);
  return SYN_OK;
}
