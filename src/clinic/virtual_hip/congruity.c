/* Simulates the cartilages of a hip along motions (Maciel 2005, §5.4.1). */
#include <math.h>
#include <stdio.h>

#include "clinic/virtual_hip/cartilage.h"
#include "clinic/virtual_hip/virtual_hip.h"
#include "result/record_csv.h"
#include "result/value.h"

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static const syn_hip_angles flexing[] = {{0, 0, 0}, {90 * SYN_DEGREE, 0, 0}, {-10 * SYN_DEGREE, 0, 0}, {0, 0, 0}};
static const syn_hip_angles abducting[] = {{0, 0, 0}, {0, -30 * SYN_DEGREE, 0}, {0, 20 * SYN_DEGREE, 0}, {0, 0, 0}};
static const syn_hip_angles examining[] = {{0, 0, 0}, {90 * SYN_DEGREE, 0, 0}, {90 * SYN_DEGREE, 0, 40 * SYN_DEGREE}};
const syn_hip_path syn_hip_paths[SYN_HIP_PATHS] = {
    {"flexion-extension", "Flexion and extension", flexing, sizeof flexing / sizeof *flexing},
    {"abduction-adduction", "Abduction and adduction", abducting, sizeof abducting / sizeof *abducting},
    {"flexion-rotation", "Flexion, then internal rotation", examining, sizeof examining / sizeof *examining},
};
enum { CYCLES = 2 };

static size_t steps_between(syn_hip_angles a, syn_hip_angles b, double step) {
  const double way =
      max2(fabs(b.flexion - a.flexion), max2(fabs(b.adduction - a.adduction), fabs(b.rotation - a.rotation)));
  return (size_t)max2(1, ceil(way / step - 1e-9));
}

static size_t moments_of(const syn_hip_path *path, double step) {
  size_t count = 1;
  for (size_t i = 1; i < path->point_count; ++i) count += steps_between(path->points[i - 1], path->points[i], step);
  return count;
}

static void place_moments(const syn_hip_path *path, const syn_congruity_options *o, syn_congruity_moment *moments,
                          size_t count) {
  size_t at = 0;
  moments[at++].angles = path->points[0];
  for (size_t i = 1; i < path->point_count; ++i) {
    const size_t steps = steps_between(path->points[i - 1], path->points[i], o->step);
    for (size_t k = 1; k <= steps; ++k)
      moments[at++].angles = syn_angles_between(path->points[i - 1], path->points[i], (double)k / (double)steps);
  }
  for (size_t i = 0; i < count; ++i) moments[i].time_s = o->seconds * (double)i / (double)(count - 1);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

syn_congruity_options syn_default_congruity_options(void) {
  return (syn_congruity_options){.young_mpa = 0.01,
                                 .poisson = 0.4,
                                 .density_kg_m3 = 1100,
                                 .edge_mm = 3,
                                 .hold_mm = 0.3,
                                 .press_mm = 0.4,
                                 .step = 10 * SYN_DEGREE,
                                 .seconds = 4,
                                 .damping_s = 0.02,
                                 .cookie = SYN_COOKIE};
}

static syn_status check_paths(const syn_congruity_options *o, syn_error *error) {
  enum { MOST = 10000 };
  for (size_t i = 0; o->paths && i < o->path_count; ++i)
    if (o->paths[i]->point_count < 2 || moments_of(o->paths[i], o->step) > MOST)
      return syn_fail(error, SYN_BAD_ARGUMENT, "a path needs two or more points and at most %d moments", MOST);
  return SYN_OK;
}

static syn_status check_options(const syn_congruity_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_congruity_options, error));
  if (!(o->young_mpa > 0 && isfinite(o->young_mpa) && o->poisson >= 0 && o->poisson < 0.5 && o->density_kg_m3 > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "cartilage needs a modulus and a density above 0, and a Poisson's ratio from 0 to below 0.5");
  if (!(o->edge_mm >= 0 && o->hold_mm > 0 && o->press_mm >= 0 && o->press_mm <= 5 && o->threshold_mpa >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "lengths and thresholds may not be negative, and 5 mm is the most to press");
  if (!(o->step > 1e-4 && o->step <= SYN_PI && o->seconds > 0 && o->damping_s >= 0 && vec3_finite(o->direction)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the femur must turn in positive steps, in a time above 0");
  return check_paths(o, error);
}

/* ---- one path ---------------------------------------------------------------------------------------------------- */

static syn_status make_path(const syn_congruity *made, const syn_hip_path *path, syn_congruity_path *p,
                            syn_error *error) {
  const syn_context *context = made->result.context;
  const size_t count = moments_of(path, made->options.step);
  p->path = path;
  SYN_TRY(SYN_NEW_ZEROED(context, &p->moments, count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &p->poses, count, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const size_t values = count * made->volumes[side]->vertex_count;
    SYN_TRY(SYN_NEW_ZEROED(context, &p->fields[side].places, values, error));
    SYN_TRY(SYN_NEW_ZEROED(context, &p->fields[side].stress_mpa, values, error));
    SYN_TRY(SYN_NEW_ZEROED(context, &p->fields[side].pressure_mpa, values, error));
    SYN_TRY(SYN_NEW_ZEROED(context, &p->fields[side].strain, values, error));
  }
  place_moments(path, &made->options, p->moments, count);
  return SYN_OK;
}

static void keep_moment(const syn_congruity *made, syn_cartilages *c, syn_congruity_path *p) {
  const size_t i = p->moment_count++;
  syn_congruity_fields here[SYN_CONGRUITY_SIDES];
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const syn_congruity_fields *all = &p->fields[side];
    const size_t from = i * made->volumes[side]->vertex_count;
    here[side] = (syn_congruity_fields){all->places + from, all->stress_mpa + from, all->pressure_mpa + from,
                                        all->strain + from};
  }
  p->poses[i] = syn_cartilages_pose(c, p->moments[i].angles, c->shift);
  syn_cartilages_measure(c, &p->moments[i], here);
}

static syn_status follow(syn_congruity *made, syn_cartilages *c, syn_congruity_path *p, syn_error *error) {
  const size_t count = moments_of(p->path, made->options.step);
  for (size_t i = 0; i < count; ++i) {
    const syn_hip_angles from = p->moments[i ? i - 1 : 0].angles;
    if (!syn_progress(made->result.context, p->path->name, (double)i / (double)count))
      return syn_fail(error, SYN_CANCELLED, "cancelled in the motion %s", p->path->name);
    SYN_TRY(syn_cartilages_go(c, from, p->moments[i].angles, error));
    keep_moment(made, c, p);
  }
  p->complete = true;
  return SYN_OK;
}

/* Returns the axis of the socket, or the downward direction if its rim is unknown. */
static syn_vec3 way_out(const syn_hip_case *hip_case) {
  const syn_anatomy *a = hip_case->anatomy;
  if (a && a->has_rim) return a->rim_normal;
  return vec3_scale(hip_case->hip.pelvis_axes.rotation, hip_case->hip.side == SYN_SIDE_LEFT ? 1 : -1);
}

static void warn_without_contact(const syn_congruity *made, const syn_congruity_path *p) {
  size_t apart = 0;
  for (size_t i = 0; i < p->moment_count; ++i) apart += p->moments[i].touching == 0;
  if (apart)
    syn_warn(made->result.context,
             "the cartilages do not touch at %zu of %zu moments of the motion %s; a femur that is pressed further into "
             "the socket may (press_mm is %g)",
             apart, p->moment_count, p->path->name, made->options.press_mm);
}

static syn_status run_path(syn_congruity *made, const syn_hip_path *path, syn_congruity_path *p, syn_error *error) {
  const syn_congruity_options *o = &made->options;
  syn_cartilages c;
  SYN_TRY(make_path(made, path, p, error));
  const size_t count = moments_of(path, o->step);
  syn_status status =
      syn_cartilages_begin(made->result.context, &made->hip_case->hip, o, made->surfaces, made->volumes,
                           path->points[0], way_out(made->hip_case), o->seconds / (double)(count - 1), &c, error);
  if (!status) status = follow(made, &c, p, error);
  syn_cartilages_release(&c);
  warn_without_contact(made, p);
  if (status != SYN_NOT_CONVERGED || p->moment_count == 0) return status;
  syn_warn(made->result.context,
           "the cartilages have no equilibrium beyond moment %zu of %zu in the motion %s: it ends there",
           p->moment_count, count, path->name);
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status fill_surfaces(syn_congruity *made, syn_error *error) {
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.edge_mm = made->options.edge_mm;
  SYN_TRY(syn_cartilage_surfaces(&made->hip_case->hip, &made->options, made->surfaces, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side)
    SYN_TRY(syn_trimesh_tetrahedralize(made->surfaces[side], &options, &made->volumes[side], error));
  return SYN_OK;
}

static syn_status fill(syn_congruity *made, const syn_congruity_options *given, syn_error *error) {
  made->path_count = given->paths ? given->path_count : CYCLES;
  made->options.paths = NULL;
  made->options.path_count = 0;
  if (made->options.threshold_mpa == 0) made->options.threshold_mpa = made->options.young_mpa / 20;
  SYN_TRY(fill_surfaces(made, error));
  SYN_TRY(SYN_NEW_ZEROED(made->result.context, &made->paths, made->path_count, error));
  for (size_t i = 0; i < made->path_count; ++i)
    SYN_TRY(run_path(made, given->paths ? given->paths[i] : &syn_hip_paths[i], &made->paths[i], error));
  return SYN_OK;
}

syn_status syn_congruity_create(const syn_context *context, const syn_hip_case *hip_case,
                                const syn_congruity_options *options, syn_congruity **congruity, syn_error *error) {
  const syn_congruity_options o = options ? *options : syn_default_congruity_options();
  syn_congruity *made;
  *congruity = NULL;
  SYN_TRY(check_options(&o, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->result = (syn_result){&syn_congruity_record, context};
  made->hip_case = hip_case;
  made->options = o;
  const syn_status status = fill(made, &o, error);
  if (status)
    syn_result_destroy(made);
  else
    *congruity = made;
  return status;
}

static void release_congruity(void *result) {
  syn_congruity *made = result;
  for (size_t i = 0; made->paths && i < made->path_count; ++i) {
    syn_free(made->result.context, made->paths[i].moments);
    syn_free(made->result.context, made->paths[i].poses);
    for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
      syn_congruity_fields *f = &made->paths[i].fields[side];
      void *const blocks[] = {f->places, f->stress_mpa, f->pressure_mpa, f->strain};
      for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) syn_free(made->result.context, blocks[k]);
    }
  }
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    syn_trimesh_destroy(made->surfaces[side]);
    syn_tetmesh_destroy(made->volumes[side]);
  }
  syn_free(made->result.context, made->paths);
  syn_free(made->result.context, made);
}

size_t syn_congruity_worst(const syn_congruity_path *path) {
  size_t worst = 0;
  for (size_t i = 1; i < path->moment_count; ++i)
    if (path->moments[i].surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa >
        path->moments[worst].surfaces[SYN_CONGRUITY_ACETABULAR].pressure_mpa)
      worst = i;
  return worst;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_result_field surface_fields[] = {
    MEMBER(syn_congruity_surface, peak_mpa, "peak_mpa", "Greatest stress", "MPa", PRINTED),
    MEMBER(syn_congruity_surface, mean_mpa, "mean_mpa", "Mean stress where surfaces touch", "MPa", FILE_ONLY),
    MEMBER(syn_congruity_surface, pressure_mpa, "pressure_mpa", "Greatest contact pressure", "MPa", PRINTED),
    MEMBER(syn_congruity_surface, even, "even", "Mean of the pressure by its greatest", "", PRINTED),
    MEMBER(syn_congruity_surface, strain, "strain", "Greatest strain", "", PRINTED),
    MEMBER(syn_congruity_surface, contact_mm2, "contact_mm2", "Contact area", "mm²", PRINTED),
    MEMBER(syn_congruity_surface, above_mm2, "above_mm2", "Area above the threshold", "mm²", PRINTED)};
const syn_record syn_congruity_surface_record = RECORD_OF(syn_congruity_surface, "surface", surface_fields);

GET(moment_force, syn_congruity_moment, value_real(vec3_length(at->force)))
static const syn_result_field moment_fields[] = {
    MEMBER(syn_congruity_moment, time_s, "time_s", "Time", "s", FILE_ONLY),
    ANGLE(syn_congruity_moment, angles.flexion, "flexion_deg", "Flexion", PRINTED),
    ANGLE(syn_congruity_moment, angles.adduction, "adduction_deg", "Adduction", PRINTED),
    ANGLE(syn_congruity_moment, angles.rotation, "rotation_deg", "Internal rotation", PRINTED),
    FIELD(REAL, "force_n", "Contact force", "N", PRINTED, moment_force),
    MEMBER(syn_congruity_moment, force, "force", "Contact force on the socket", "N", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_FEMORAL], syn_congruity_surface_record, "femoral_cartilage",
         "Femoral cartilage", FILE_ONLY),
    PART(syn_congruity_moment, surfaces[SYN_CONGRUITY_ACETABULAR], syn_congruity_surface_record, "acetabular_cartilage",
         "Acetabular cartilage", PRINTED)};
const syn_record syn_congruity_moment_record = RECORD_OF(syn_congruity_moment, "moments", moment_fields);

GET(path_worst, syn_congruity_path,
    at->moment_count ? value_record(at->moments, syn_congruity_worst(at)) : value_none())
static const syn_result_field path_fields[] = {
    MEMBER(syn_hip_path, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_congruity_path, path)),
    MEMBER(syn_hip_path, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_congruity_path, path)),
    MEMBER(syn_congruity_path, complete, "complete", "Followed to its end", "", FILE_ONLY),
    FIELD_OF(RECORD, syn_congruity_moment_record, "worst", "Greatest contact pressure", FILE_ONLY, path_worst),
    LIST_OF(syn_congruity_path, moments, moment_count, syn_congruity_moment_record, "moments", "Moments", FILE_ONLY)};
const syn_record syn_congruity_path_record = RECORD_OF(syn_congruity_path, "motions", path_fields);

GET(all_femoral, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_FEMORAL]->tet_count))
GET(all_acetabular, syn_congruity, value_count(at->volumes[SYN_CONGRUITY_ACETABULAR]->tet_count))
static const syn_result_field congruity_fields[] = {
    MEMBER(syn_congruity, options.young_mpa, "young_mpa", "Young's modulus", "MPa", FILE_ONLY),
    MEMBER(syn_congruity, options.poisson, "poisson", "Poisson's ratio", "", FILE_ONLY),
    MEMBER(syn_congruity, options.press_mm, "press_mm", "Pressed into the socket by", "mm", FILE_ONLY),
    MEMBER(syn_congruity, options.threshold_mpa, "threshold_mpa", "Threshold of the stress", "MPa", FILE_ONLY),
    MEMBER(syn_congruity, options.moving, "moving", "With inertia and viscosity", "", FILE_ONLY),
    FIELD(INTEGER, "femoral_tetrahedra", "Tetrahedra of the femoral cartilage", "", FILE_ONLY, all_femoral),
    FIELD(INTEGER, "acetabular_tetrahedra", "Tetrahedra of the acetabular cartilage", "", FILE_ONLY, all_acetabular),
    LIST_OF(syn_congruity, paths, path_count, syn_congruity_path_record, "motions", "Motions", FILE_ONLY)};
const syn_record syn_congruity_record = RESULT_OF(syn_congruity, "congruity", congruity_fields, release_congruity);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_congruity_rows(const void *congruity) {
  const syn_congruity *c = congruity;
  size_t count = 0;
  for (size_t p = 0; p < c->path_count; ++p) count += c->paths[p].moment_count;
  return count;
}

/* The moments of all motions, one motion after the other. */
static void put_congruity_row(syn_csv *to, const void *congruity, size_t row) {
  static const syn_csv_column of_path[] = {{"name", "motion", 0}};
  static const syn_csv_column of_moment[] = {{"time_s", NULL, 6},
                                             {"flexion_deg", NULL, 6},
                                             {"adduction_deg", NULL, 6},
                                             {"rotation_deg", NULL, 6},
                                             {"force_n", NULL, 0}};
  const syn_congruity *c = congruity;
  size_t p = 0;
  for (; p + 1 < c->path_count && row >= c->paths[p].moment_count; ++p) row -= c->paths[p].moment_count;
  const syn_congruity_moment *moment = row < c->paths[p].moment_count ? &c->paths[p].moments[row] : NULL;
  syn_csv_put(to, "", &syn_congruity_path_record, of_path, 1, &c->paths[p], 0);
  syn_csv_put(to, "", &syn_congruity_moment_record, of_moment, 5, moment, 0);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%s_", syn_congruity_side_name((syn_congruity_side)side));
    syn_csv_put(to, prefix, &syn_congruity_surface_record, NULL, 0, moment ? &moment->surfaces[side] : NULL, 0);
  }
}
const syn_csv_table syn_congruity_csv = {count_congruity_rows, put_congruity_row};
