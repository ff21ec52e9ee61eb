/* Virtual tests of a body of molecules: it is pulled or sheared, which gives its moduli. Newton's method with
 * conjugate gradients, which need no factorisation and allow a free body to drift. */
#include <string.h>

#include "geometry/small_matrix.h"
#include "tissue/molecule/molecule.h"

typedef struct solver {
  const molecules *m;
  syn_arena arena;
  slot_tangent *tangents;
  syn_tensor *inverse;                /* per molecule: preconditioner */
  bool *held;                         /* prescribed at rest */
  syn_vec3 *x, *load, *r, *z, *p, *q; /* r, z, p, q: buffers */
  syn_vec3 *u;
} solver;

static syn_status open_solver(const molecules *m, solver *to, syn_error *error) {
  *to = (solver){.m = m, .arena = {m->context, NULL, false}};
  syn_vec3 **const arrays[] = {&to->x, &to->load, &to->r, &to->z, &to->p, &to->q, &to->u};
  SYN_TRY(SYN_TAKE(&to->arena, &to->tangents, m->slot_count, error));
  SYN_TRY(SYN_TAKE(&to->arena, &to->inverse, m->count, error));
  SYN_TRY(SYN_TAKE(&to->arena, &to->held, m->count, error));
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
    SYN_TRY(SYN_TAKE(&to->arena, arrays[k], m->count, error));
    memset(*arrays[k], 0, m->count * sizeof **arrays[k]);
  }
  memset(to->held, 0, m->count * sizeof *to->held);
  memcpy(to->x, m->rest, m->count * sizeof *to->x);
  return SYN_OK;
}

/* ---- conjugate gradients --------------------------------------------------------------------------------------------
 */

static double dot(const solver *s, const syn_vec3 *a, const syn_vec3 *b) {
  double sum = 0;
  for (uint32_t i = 0; i < s->m->count; ++i)
    if (!s->held[i]) sum += vec3_dot(a[i], b[i]);
  return sum;
}

/* Inverse of the springs' part of a diagonal block; a small multiple of the identity is added for directions without
 * springs. */
static syn_tensor inverse_block(const molecules *m, const slot_tangent *tangents, uint32_t i) {
  syn_tensor t = {{0}};
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    double along = tangents[s].along - tangents[s].across;
    for (int k = 0; k < m->mode_count; ++k) {
      const double own = m->modes[k].own[s], mirror = m->modes[k].mirror[s];
      along +=
          max2(m->modes[k].stiffness[i], 0) * own * own + max2(m->modes[k].stiffness[m->other[s]], 0) * mirror * mirror;
    }
    tensor_add(&t, along, tangents[s].n);
    for (int k = 0; k < 3; ++k) t.e[k] += tangents[s].across;
  }
  const double little = 1e-3 * (t.e[0] + t.e[1] + t.e[2]) + 1e-300;
  for (int k = 0; k < 3; ++k) t.e[k] += little;
  const double *e = t.e;
  const double xx = e[1] * e[2] - e[4] * e[4], yy = e[0] * e[2] - e[5] * e[5], zz = e[0] * e[1] - e[3] * e[3];
  const double xy = e[4] * e[5] - e[3] * e[2], yz = e[3] * e[5] - e[0] * e[4], zx = e[3] * e[4] - e[1] * e[5];
  const double d = e[0] * xx + e[3] * xy + e[5] * zx;
  return (syn_tensor){{xx / d, yy / d, zz / d, xy / d, yz / d, zx / d}};
}

static void precondition(const solver *s) {
  for (uint32_t i = 0; i < s->m->count; ++i) s->z[i] = tensor_apply(&s->inverse[i], s->r[i]);
}

/* Solves K u = r with the present tangents; overwrites `r`. Returns false if it does not converge. */
static bool conjugate(solver *s, bool definite, double tolerance) {
  const uint32_t count = s->m->count;
  for (uint32_t i = 0; i < count; ++i) {
    s->inverse[i] = inverse_block(s->m, s->tangents, i);
    s->u[i] = vec3(0, 0, 0);
    if (s->held[i]) s->r[i] = vec3(0, 0, 0);
  }
  precondition(s);
  memcpy(s->p, s->z, count * sizeof *s->p);
  for (uint32_t i = 0; i < count; ++i)
    if (s->held[i]) s->p[i] = vec3(0, 0, 0);
  double rz = dot(s, s->r, s->z);
  const double enough = rz * tolerance * tolerance;
  const uint32_t most = 2000 + 3 * count;
  for (uint32_t step = 0; rz > enough && step < most; ++step) {
    syn_molecule_apply(s->m, s->tangents, definite, s->p, s->q);
    const double curvature = dot(s, s->p, s->q);
    if (!(curvature > 0)) return false;
    const double alpha = rz / curvature;
    for (uint32_t i = 0; i < count; ++i) {
      s->u[i] = vec3_madd(s->u[i], alpha, s->p[i]);
      s->r[i] = s->held[i] ? vec3(0, 0, 0) : vec3_madd(s->r[i], -alpha, s->q[i]);
    }
    precondition(s);
    const double next = dot(s, s->r, s->z), beta = next / rz;
    for (uint32_t i = 0; i < count; ++i)
      if (!s->held[i]) s->p[i] = vec3_madd(s->z[i], beta, s->p[i]);
    rz = next;
  }
  return rz <= enough;
}

/* ---- equilibrium ----------------------------------------------------------------------------------------------------
 */

/* Energy minus the work of the load: minimal in equilibrium. */
static double potential(const solver *s, const syn_vec3 *x) {
  double work = 0;
  for (uint32_t i = 0; i < s->m->count; ++i) work += vec3_dot(s->load[i], vec3_sub(x[i], s->m->rest[i]));
  return syn_molecule_energy(s->m, x) - work;
}

/* Computes residual forces at s->x into s->r; returns the norm of the largest. */
static double residual(solver *s) {
  double largest = 0;
  memcpy(s->r, s->load, s->m->count * sizeof *s->r);
  syn_molecule_springs(s->m, s->x, NULL, s->r);
  for (uint32_t i = 0; i < s->m->count; ++i)
    if (!s->held[i]) largest = max2(largest, vec3_length(s->r[i]));
  return largest;
}

/* Line search: halves the step until the potential decreases. */
static bool line_search(solver *s) {
  const double before = potential(s, s->x);
  for (double part = 1; part > 1e-6; part /= 2) {
    for (uint32_t i = 0; i < s->m->count; ++i) s->z[i] = s->held[i] ? s->x[i] : vec3_madd(s->x[i], part, s->u[i]);
    if (potential(s, s->z) <= before + 1e-12 * fabs(before)) {
      memcpy(s->x, s->z, s->m->count * sizeof *s->x);
      return true;
    }
  }
  return false;
}

static bool equilibrium(solver *s, double largest_load) {
  for (int step = 0; step < 100; ++step) {
    if (residual(s) <= 1e-9 * largest_load) return true;
    syn_molecule_tangents(s->m, s->x, true, s->tangents);
    if (!conjugate(s, true, 1e-8)) return false;
    if (!line_search(s)) return residual(s) <= 1e-6 * largest_load;
  }
  return residual(s) <= 1e-6 * largest_load;
}

/* ---- pulling --------------------------------------------------------------------------------------------------------
 */

syn_vec3 syn_molecule_longest(const molecules *m) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < m->count; ++i) box_add(&box, m->rest[i]);
  const syn_vec3 size = vec3_sub(box.max, box.min);
  return vec3(size.x >= size.y && size.x >= size.z, size.y > size.x && size.y >= size.z,
              size.z > size.x && size.z > size.y);
}

/* The two ends of the body: molecules nearer than half their radius to the farthest one. The force is distributed by
 * volume, which is proportional to area in a layer. */
typedef struct pull_ends {
  double low, high;
  double pulled; /* volume of the molecules at the high end */
} pull_ends;

static bool is_pulled(const solver *s, const pull_ends *ends, syn_vec3 direction, uint32_t i) {
  return !s->held[i] && vec3_dot(s->m->rest[i], direction) > ends->high - s->m->radius[i] / 2;
}

static pull_ends hold_end(solver *s, syn_vec3 direction, double force) {
  pull_ends ends = {INFINITY, -INFINITY, 0};
  for (uint32_t i = 0; i < s->m->count; ++i) {
    ends.low = min2(ends.low, vec3_dot(s->m->rest[i], direction));
    ends.high = max2(ends.high, vec3_dot(s->m->rest[i], direction));
  }
  for (uint32_t i = 0; i < s->m->count; ++i) {
    s->held[i] = vec3_dot(s->m->rest[i], direction) < ends.low + s->m->radius[i] / 2;
    if (is_pulled(s, &ends, direction, i)) ends.pulled += s->m->volume[i];
  }
  for (uint32_t i = 0; i < s->m->count; ++i)
    if (is_pulled(s, &ends, direction, i)) s->load[i] = vec3_scale(direction, force * s->m->volume[i] / ends.pulled);
  return ends;
}

/* Returns the mean displacement of the pulled end. */
static double mean_motion(const solver *s, syn_vec3 direction, double force) {
  double sum = 0;
  for (uint32_t i = 0; i < s->m->count; ++i)
    sum += vec3_dot(s->u[i], direction) * vec3_dot(s->load[i], direction) / force;
  return sum;
}

static double largest_load(const solver *s) {
  double largest = 0;
  for (uint32_t i = 0; i < s->m->count; ++i) largest = max2(largest, vec3_length(s->load[i]));
  return largest;
}

static syn_status pull(solver *s, const pull_test *test, double *young_mpa, double *elongation_mm, syn_error *error) {
  const molecules *m = s->m;
  const syn_vec3 direction = vec3_unit(test->direction);
  const double force = test->force_n != 0 ? test->force_n : 1;
  const pull_ends ends = hold_end(s, direction, force);
  const double length = ends.high - ends.low;
  if (!(ends.pulled > 0) || !(length > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the molecules have no two ends along (%g, %g, %g) to pull", direction.x,
                    direction.y, direction.z);
  bool solved;
  if (test->force_n != 0) {
    solved = equilibrium(s, largest_load(s));
    for (uint32_t i = 0; i < m->count; ++i) s->u[i] = vec3_sub(s->x[i], m->rest[i]);
  } else {
    syn_molecule_tangents(m, m->rest, false, s->tangents);
    memcpy(s->r, s->load, m->count * sizeof *s->r);
    solved = conjugate(s, false, 1e-9);
  }
  if (!solved)
    return syn_fail(error, SYN_NOT_CONVERGED,
                    "the molecules find no equilibrium in the virtual tensile test: too few "
                    "connections hold them together, or the force is too large");
  double volume = 0, area = test->area_mm2;
  for (uint32_t i = 0; i < m->count; ++i) volume += m->volume[i];
  if (!(area > 0)) area = volume / length;
  *elongation_mm = mean_motion(s, direction, force);
  *young_mpa = force * length / (*elongation_mm * area); /* Maciel 2005, Eq. 3.17 */
  return SYN_OK;
}

syn_status syn_molecule_pull(const molecules *m, const pull_test *test, double *young_mpa, double *elongation_mm,
                             syn_vec3 *x, syn_error *error) {
  solver s;
  syn_status status = open_solver(m, &s, error);
  if (!status) status = pull(&s, test, young_mpa, elongation_mm, error);
  for (uint32_t i = 0; !status && x && i < m->count; ++i) x[i] = vec3_add(m->rest[i], s.u[i]);
  syn_arena_release(&s.arena);
  return status;
}

/* ---- uniform strain -------------------------------------------------------------------------------------------------
 */

/* Inverse of the moments of a molecule's neighbours; zero along directions that they do not span. */
static syn_tensor inverse_moments(const molecules *m, uint32_t i) {
  double moments[4][4] = {{0}}, values[4], vectors[4][4];
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    const syn_vec3 a = vec3_sub(m->rest[m->other[s]], m->rest[i]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) moments[r][c] += vec3_at(a, r) * vec3_at(a, c);
  }
  syn_symmetric_eigen(moments, 3, values, vectors);
  syn_tensor inverse = {{0}};
  for (int k = 0; k < 3; ++k)
    if (values[k] > 1e-9 * values[2])
      tensor_add(&inverse, 1 / values[k], vec3(vectors[k][0], vectors[k][1], vectors[k][2]));
  return inverse;
}

/* Computes area vectors of the molecules: the mean gradient of any displacements u is Σ u area / volume. They are
 * sums over the best fits around the molecules: nearly zero inside, and the outward area on the surface. */
static double area_vectors(const molecules *m, syn_vec3 *areas) {
  double volume = 0;
  memset(areas, 0, m->count * sizeof *areas);
  for (uint32_t i = 0; i < m->count; ++i) {
    const syn_tensor inverse = inverse_moments(m, i);
    volume += m->volume[i];
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      const uint32_t j = m->other[s];
      const syn_vec3 b = tensor_apply(&inverse, vec3_scale(vec3_sub(m->rest[j], m->rest[i]), m->volume[i]));
      areas[j] = vec3_add(areas[j], b);
      areas[i] = vec3_sub(areas[i], b);
    }
  }
  return volume;
}

/* Finds the molecules on the surface: their area is that of a face of their volume, above the noise. */
static double find_surface(solver *s) {
  const molecules *m = s->m;
  const double volume = area_vectors(m, s->load);
  for (uint32_t i = 0; i < m->count; ++i) {
    s->held[i] = vec3_length(s->load[i]) > 0.5 * cbrt(m->volume[i] * m->volume[i]);
    s->load[i] = vec3(0, 0, 0);
  }
  return volume;
}

static syn_status strain(solver *s, syn_vec3 a, syn_vec3 b, double *modulus_mpa, syn_error *error) {
  const molecules *m = s->m;
  const double volume = find_surface(s);
  for (uint32_t i = 0; i < m->count; ++i) {
    const syn_vec3 p = vec3_sub(m->rest[i], m->rest[0]);
    s->x[i] = vec3_add(vec3_scale(a, vec3_dot(b, p) / 2), vec3_scale(b, vec3_dot(a, p) / 2));
  }
  syn_molecule_tangents(m, m->rest, false, s->tangents);
  syn_molecule_apply(m, s->tangents, false, s->x, s->q);
  for (uint32_t i = 0; i < m->count; ++i) s->r[i] = vec3_neg(s->q[i]);
  if (!conjugate(s, false, 1e-4)) /* the energy's error is the square of that */
    return syn_fail(error, SYN_NOT_CONVERGED,
                    "the molecules find no equilibrium under a uniform strain: too few "
                    "connections hold them together");
  double twice_energy = 0;
  for (uint32_t i = 0; i < m->count; ++i) s->x[i] = vec3_add(s->x[i], s->u[i]);
  syn_molecule_apply(m, s->tangents, false, s->x, s->q);
  for (uint32_t i = 0; i < m->count; ++i) twice_energy += vec3_dot(s->x[i], s->q[i]);
  *modulus_mpa = twice_energy / volume;
  return SYN_OK;
}

syn_status syn_molecule_strain(const molecules *m, syn_vec3 a, syn_vec3 b, double *modulus_mpa, syn_error *error) {
  solver s;
  syn_status status = open_solver(m, &s, error);
  if (!status) status = strain(&s, a, b, modulus_mpa, error);
  syn_arena_release(&s.arena);
  return status;
}
