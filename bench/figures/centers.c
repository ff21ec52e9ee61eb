/* Arbabi 2009, Fig. 67: both depths in extension about the centres of five methods, of a real hip whose cartilage and
 * labrum are made as those of the analysis `sensitivity`. */
#include <math.h>

#include "base/vec.h"
#include "clinic/center/center.h"
#include "figures/figures.h"
#include "scenes.h"

enum { STEPS = 21, METHODS = 5, DEPTHS = 2 }; /* of one degree, from 0 to 20 */
static const char query[] = "depth about centres";

static const syn_center_method methods[METHODS] = {SYN_CENTER_ACETABULUM_SPHERE, SYN_CENTER_DOUBLE_SPHERE,
                                                   SYN_CENTER_FEMORAL_HEAD_SPHERE, SYN_CENTER_DCONST, SYN_CENTER_DREF};

typedef struct curves {
  double degrees[STEPS], depths[DEPTHS][METHODS][STEPS]; /* curvilinear, radial */
} curves;

/* The femur strikes the labrum, its cartilage slides in the socket's tissue (§4.4.2.3). */
static syn_hip bodies(const syn_hip *hip, const syn_center_soft *soft, bool radial, syn_vec3 center) {
  syn_hip bare = *hip;
  for (int part = 0; part < SYN_HIP_PARTS; ++part) bare.parts[part] = NULL;
  bare.parts[SYN_HIP_LABRUM] = soft->labrum;
  bare.parts[radial ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_FEMUR] =
      radial ? soft->femoral_cartilage : hip->parts[SYN_HIP_FEMUR];
  if (radial) bare.parts[SYN_HIP_ACETABULAR_CARTILAGE] = soft->acetabular_cartilage;
  bare.center = center;
  bare.seat = vec3(0, 0, 0);
  return bare;
}

static syn_status follow(bench_run *run, const syn_hip *hip, bool radial, double *depths, syn_error *error) {
  syn_pose poses[STEPS];
  syn_fai_options options = syn_default_fai_options();
  syn_fai *fai;
  for (int i = 0; i < STEPS; ++i) poses[i] = syn_hip_pose(hip, (syn_hip_angles){-i * SYN_PI / 180, 0, 0});
  options.between_vertices = false;
  SYN_TRY(syn_fai_create(run->context, hip, poses, STEPS, &options, &fai, error));
  for (int i = 0; i < STEPS; ++i)
    depths[i] = radial ? max2(fai->radial_mm[i], fai->radial_swapped_mm[i])
                       : max2(fai->curvilinear_mm[i], fai->curvilinear_swapped_mm[i]);
  syn_fai_destroy(fai);
  return SYN_OK;
}

static void add_rows(bench_run *run, const curves *c, int method) {
  for (int kind = 0; kind < DEPTHS; ++kind)
    for (int i = 0; i < STEPS; i += 5) {
      bench_row row = bench_empty_row(kind ? "radial" : "curvilinear", query);
      snprintf(row.ours, sizeof row.ours, "%s at %d deg", syn_center_method_name(methods[method]), i);
      row.ours_answer.depth_mm = c->depths[kind][method][i];
      bench_add_row(run, &row);
    }
}

static syn_status draw(const bench_run *run, const curves *c, int kind, syn_error *error) {
  bench_series series[METHODS];
  for (int m = 0; m < METHODS; ++m)
    series[m] =
        (bench_series){syn_center_method_name(methods[m]), c->degrees, c->depths[kind][m], STEPS, false, (size_t)m};
  const bench_plot plot = {kind ? "Radial depth about five centres" : "Curvilinear depth about five centres",
                           "extension, degrees",
                           "mm",
                           series,
                           METHODS,
                           true};
  return bench_draw(run, &plot, kind ? "centres-radial" : "centres-curvilinear", error);
}

static syn_status run_case(bench_run *run, const syn_hip_case *given, syn_center_soft *soft, syn_error *error) {
  static curves c;
  SYN_TRY(syn_center_make_soft(run->context, &given->hip, given->anatomy, soft, error));
  for (int i = 0; i < STEPS; ++i) c.degrees[i] = i;
  for (int m = 0; m < METHODS; ++m) {
    const syn_center *center = &given->centers.methods[methods[m]];
    if (!center->known)
      return syn_fail(error, SYN_BAD_MESH, "%s is not known: %s", syn_center_method_name(methods[m]), center->why_not);
    for (int kind = 0; kind < DEPTHS; ++kind) {
      const syn_hip hip = bodies(&given->hip, soft, kind == 1, center->center);
      SYN_TRY(follow(run, &hip, kind == 1, c.depths[kind][m], error));
    }
    add_rows(run, &c, m);
  }
  SYN_TRY(draw(run, &c, 0, error));
  return draw(run, &c, 1, error);
}

syn_status bench_center_curves(bench_run *run, syn_error *error) {
  if (!bench_wants(run, query)) return SYN_OK;
  char pelvis[2048];
  const char *path = bench_data("vsd_NC/z013/Hip_R.ply");
  if (!path) {
    syn_warn(run->context, "%s: left out, the real hip z013 is not here", query);
    return SYN_OK;
  }
  snprintf(pelvis, sizeof pelvis, "%s", path);
  syn_hip_input input = syn_default_hip_input();
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = bench_data("vsd_NC/z013/Femur_R.ply");
  syn_hip_case *given;
  syn_center_soft soft = {.layer_mm = 0};
  SYN_TRY(syn_hip_case_create(run->context, &input, &given, error));
  const syn_status status = run_case(run, given, &soft, error);
  syn_center_soft_release(&soft);
  syn_hip_case_destroy(given);
  return status;
}
