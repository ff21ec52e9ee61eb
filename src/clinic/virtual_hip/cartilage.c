/* Simulates both cartilages of a hip as soft bodies between their bones, pressed together and rotated. */
#include "clinic/virtual_hip/cartilage.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "clinic/virtual_hip/virtual_hip.h"

static const double clear_mm = 0.02;     /* min distance at the start of a simulation */
static const double press_step_mm = 0.1; /* step of the femur on its path into the socket */
enum { HALVINGS = 5 };

SYN_ENUM_NAMES(syn_congruity_side,
               SYN_CONGRUITY_SIDES, [SYN_CONGRUITY_FEMORAL] = "femoral", [SYN_CONGRUITY_ACETABULAR] = "acetabular");

static syn_hip_part bone_of(int side) { return side == SYN_CONGRUITY_FEMORAL ? SYN_HIP_FEMUR : SYN_HIP_PELVIS; }

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static double area_of(const syn_trimesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    sum += vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))) / 2;
  }
  return sum;
}

/* Remeshes to triangles of about this edge length. */
static syn_status coarsen(const syn_trimesh *mesh, double edge_mm, syn_trimesh **coarser, syn_error *error) {
  const double wanted = area_of(mesh) / (sqrt(3) / 4 * edge_mm * edge_mm);
  if (edge_mm == 0 || wanted >= mesh->triangle_count) return syn_trimesh_share(mesh, coarser, error);
  return syn_trimesh_decimate(mesh, (uint32_t)max2(wanted, 100), coarser, NULL, error);
}

syn_status syn_cartilage_surfaces(const syn_hip *hip, const syn_congruity_options *o,
                                  syn_trimesh *surfaces[SYN_CONGRUITY_SIDES], syn_error *error) {

  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const syn_hip_part part = syn_congruity_part((syn_congruity_side)side);
    if (!hip->parts[part] || !hip->parts[bone_of(side)])
      return syn_fail(error, SYN_BAD_ARGUMENT, "the stress of cartilage needs the %s and the %s of the hip",
                      syn_hip_part_name(part), syn_hip_part_name(bone_of(side)));
    SYN_TRY(coarsen(hip->parts[part], o->edge_mm, &surfaces[side], error));
  }
  return SYN_OK;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

syn_pose syn_cartilages_pose(const syn_cartilages *c, syn_hip_angles angles, syn_vec3 shift) {
  syn_pose pose = syn_hip_pose(c->hip, angles);
  pose.translation = vec3_add(pose.translation, shift);
  return pose;
}

/* Cartilages as scanned may overlap: the femur starts in a position where they do not. */
static syn_status draw_out(syn_cartilages *c, syn_hip_angles angles, syn_vec3 out, syn_error *error) {
  const double most = 10, step = 0.1;
  for (int i = 0; i * step <= most; ++i) {
    syn_clearance clearance;
    c->shift = vec3_scale(out, i * step);
    c->begin = syn_cartilages_pose(c, angles, c->shift);
    SYN_TRY(syn_clearance_find(c->of[SYN_CONGRUITY_ACETABULAR].surface, c->of[SYN_CONGRUITY_FEMORAL].surface,
                               &c->hip->center, &c->begin, &clearance, error));
    if (!clearance.crossing && clearance.distance_mm > clear_mm) return SYN_OK;
  }
  return syn_fail(error, SYN_BAD_MESH,
                  "the cartilages still cross each other where the femur is drawn out of the socket by %g mm", most);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static syn_status place_volume(const syn_tetmesh *volume, const syn_pose *pose, syn_tetmesh **placed,
                               syn_error *error) {
  syn_vec3 *points;
  SYN_TRY(SYN_NEW(volume->context, &points, volume->vertex_count, error));
  for (uint32_t i = 0; i < volume->vertex_count; ++i) points[i] = syn_pose_point(pose, volume->vertices[i]);
  const syn_status status =
      syn_tetmesh_create(volume->context, points, volume->vertex_count, volume->tets, volume->tet_count, placed, error);
  syn_free(volume->context, points);
  return status;
}

static syn_status make_soft(const syn_cartilages *c, syn_cartilage *of, syn_error *error) {
  const syn_congruity_options *o = &c->options;
  syn_soft_options tissue = syn_default_soft_options();
  tissue.law = SYN_LAW_NEO_HOOKEAN;
  tissue.damping_s = o->moving ? o->damping_s : 0;
  tissue.material = (syn_material){o->young_mpa, o->poisson, o->density_kg_m3};
  const syn_body body = {.name = "cartilage", .tissue = SYN_TISSUE_CARTILAGE, .volume = of->volume};
  SYN_TRY(syn_soft_create(c->context, "fem", &body, &tissue, &of->soft, error));
  const uint32_t nodes = syn_soft_node_count(of->soft);
  SYN_TRY(SYN_NEW_ZEROED(c->context, &of->held, nodes, error));
  SYN_TRY(SYN_NEW(c->context, &of->force, nodes, error));
  SYN_TRY(SYN_NEW(c->context, &of->stress, nodes, error));
  SYN_TRY(SYN_NEW(c->context, &of->strain, nodes, error));
  return SYN_NEW(c->context, &of->area_mm2, of->surface->vertex_count, error);
}

/* Prescribes the vertices of the surface on the bone, to which the cartilage is attached. */
static syn_status hold(syn_cartilages *c, int side, const syn_trimesh *bone, uint32_t bone_body, syn_error *error) {
  syn_cartilage *of = &c->of[side];
  const uint32_t count = of->surface->vertex_count;
  syn_surface *surface;
  syn_surface_point *nearest = NULL;
  size_t held = 0;
  SYN_TRY(syn_surface_create(bone, &surface, error));
  syn_status status = SYN_NEW(c->context, &nearest, count, error);
  if (!status && syn_surface_nearest(surface, of->volume->vertices, count, nearest))
    status = syn_fail(error, SYN_BAD_MESH, "a cartilage has coordinates that cannot be measured");
  /* Prescribe the vertices within hold_mm of the bone; a tenth of all is the minimum. */
  for (uint32_t i = 0; !status && i < count; ++i) {
    of->held[i] = nearest[i].distance_mm <= c->options.hold_mm;
    held += of->held[i];
    if (of->held[i]) status = syn_simulation_prescribe(c->simulation, of->body, i, 7, bone_body, error);
  }
  syn_free(c->context, nearest);
  syn_surface_destroy(surface);
  if (!status && held * 10 < count)
    return syn_fail(error, SYN_BAD_MESH, "only %zu of %u vertices of the %s lie within %g mm of the %s (hold_mm)", held,
                    count, syn_hip_part_name(syn_congruity_part((syn_congruity_side)side)), c->options.hold_mm,
                    syn_hip_part_name(bone_of(side)));
  return status;
}

static syn_status add_cartilage(syn_cartilages *c, syn_congruity_side side, syn_error *error) {
  SYN_TRY(syn_simulation_add_soft(c->simulation, c->of[side].soft, syn_hip_part_name(syn_congruity_part(side)),
                                  &c->of[side].body, error));
  return SYN_OK;
}

static syn_status add_bodies(syn_cartilages *c, syn_error *error) {
  syn_simulation_options options = syn_default_simulation_options();
  options.halvings = 0; /* halving is done for the angle instead */
  options.integrator = c->options.moving ? SYN_INTEGRATOR_IMPLICIT : SYN_INTEGRATOR_STATIC;
  options.step_s = c->step_s;
  options.tolerance = 1e-5;
  const syn_trimesh *pelvis = c->hip->parts[SYN_HIP_PELVIS];
  SYN_TRY(syn_simulation_create(c->context, &options, &c->simulation, error));
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) SYN_TRY(add_cartilage(c, (syn_congruity_side)side, error));
  SYN_TRY(syn_simulation_add_rigid(c->simulation, pelvis, NULL, &c->pelvis_body, error));
  SYN_TRY(syn_simulation_add_rigid(c->simulation, c->femur, NULL, &c->femur_body, error));
  SYN_TRY(hold(c, SYN_CONGRUITY_FEMORAL, c->femur, c->femur_body, error));
  SYN_TRY(hold(c, SYN_CONGRUITY_ACETABULAR, pelvis, c->pelvis_body, error));
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  touch.barrier_mm = 0.1;
  return syn_simulation_touch(c->simulation, c->of[SYN_CONGRUITY_ACETABULAR].body, c->of[SYN_CONGRUITY_FEMORAL].body,
                              &touch, error);
}

static syn_vec3 press_direction(const syn_hip *hip, syn_vec3 given) {
  if (vec3_length2(given) > 0) return vec3_unit(given);
  return vec3_scale(hip->pelvis_axes.rotation, hip->side == SYN_SIDE_LEFT ? -1 : 1); /* up */
}

syn_status syn_cartilages_begin(const syn_context *context, const syn_hip *hip, const syn_congruity_options *options,
                                syn_trimesh *const surfaces[SYN_CONGRUITY_SIDES],
                                syn_tetmesh *const volumes[SYN_CONGRUITY_SIDES], syn_hip_angles angles, syn_vec3 out,
                                double step_s, syn_cartilages *c, syn_error *error) {
  *c = (syn_cartilages){.context = context,
                        .hip = hip,
                        .options = *options,
                        .step_s = step_s,
                        .pressed = vec3_scale(press_direction(hip, options->direction), options->press_mm)};
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) c->of[side].surface = surfaces[side];
  SYN_TRY(draw_out(c, angles, out, error));
  const syn_pose still = syn_pose_identity();
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const syn_pose *pose = side == SYN_CONGRUITY_FEMORAL ? &c->begin : &still;
    SYN_TRY(place_volume(volumes[side], pose, &c->of[side].volume, error));
    SYN_TRY(make_soft(c, &c->of[side], error));
  }
  SYN_TRY(syn_trimesh_transform(hip->parts[SYN_HIP_FEMUR], &c->begin, &c->femur, error));
  return add_bodies(c, error);
}

void syn_cartilages_release(syn_cartilages *c) {
  syn_simulation_destroy(c->simulation);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    syn_cartilage *of = &c->of[side];
    syn_soft_destroy(of->soft);
    syn_tetmesh_destroy(of->volume);
    syn_free(c->context, of->held);
    syn_free(c->context, of->force);
    syn_free(c->context, of->stress);
    syn_free(c->context, of->strain);
    syn_free(c->context, of->area_mm2);
  }
  syn_trimesh_destroy(c->femur);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Half steps take half of the time each. */
static syn_status go(syn_cartilages *c, syn_hip_angles from, syn_hip_angles to, syn_vec3 shift, double step_s,
                     int halvings, syn_error *error) {
  const syn_pose back = syn_pose_inverse(&c->begin), pose = syn_cartilages_pose(c, to, shift);
  const syn_pose moved = syn_pose_compose(&pose, &back);
  SYN_TRY(syn_simulation_set_step(c->simulation, step_s, error));
  syn_simulation_move(c->simulation, c->femur_body, &moved);
  const syn_status status = syn_simulation_step(c->simulation, error);
  if (!status) c->shift = shift;
  if (status != SYN_NOT_CONVERGED || halvings == 0) return status;
  const syn_hip_angles middle = syn_angles_between(from, to, 0.5);
  SYN_TRY(go(c, from, middle, vec3_lerp(c->shift, shift, 0.5), step_s / 2, halvings - 1, error));
  return go(c, middle, to, shift, step_s / 2, halvings - 1, error);
}

syn_status syn_cartilages_go(syn_cartilages *c, syn_hip_angles from, syn_hip_angles to, syn_error *error) {
  const syn_vec3 start = c->shift;
  const int steps = (int)max2(1, ceil(vec3_distance(start, c->pressed) / press_step_mm - 1e-9));
  for (int i = 1; i <= steps; ++i)
    SYN_TRY(go(c, syn_angles_between(from, to, (double)(i - 1) / steps),
               syn_angles_between(from, to, (double)i / steps), vec3_lerp(start, c->pressed, (double)i / steps),
               c->step_s / steps, HALVINGS, error));
  return SYN_OK;
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

static void share_areas(const syn_cartilage *of, const syn_vec3 *x) {
  memset(of->area_mm2, 0, of->surface->vertex_count * sizeof *of->area_mm2);
  for (uint32_t t = 0; t < of->surface->triangle_count; ++t) {
    const uint32_t *v = of->surface->triangles[t].v;
    const double third = vec3_length(vec3_cross(vec3_sub(x[v[1]], x[v[0]]), vec3_sub(x[v[2]], x[v[0]]))) / 6;
    for (int k = 0; k < 3; ++k) of->area_mm2[v[k]] += third;
  }
}

/* The norm of the deviator, scaled so that it is the strain of an incompressible bar. */
static double equivalent_strain(const syn_sym3 *e) { return 2.0 / 3 * syn_sym3_von_mises(e); }

static void fill_fields(const syn_cartilage *of, const syn_vec3 *x, const syn_congruity_fields *f) {
  const uint32_t nodes = syn_soft_node_count(of->soft), outer = of->surface->vertex_count;
  for (uint32_t i = 0; i < nodes; ++i) {
    f->places[i] = x[i];
    f->stress_mpa[i] = syn_sym3_von_mises(&of->stress[i]);
    f->strain[i] = equivalent_strain(&of->strain[i]);
    const bool free = i < outer && !of->held[i] && of->area_mm2[i] > 0;
    f->pressure_mpa[i] = free ? vec3_length(of->force[i]) / of->area_mm2[i] : 0;
  }
}

static void sum_surface(const syn_cartilage *of, const syn_congruity_fields *f, double threshold,
                        syn_congruity_surface *s) {
  double stress = 0, pressure = 0;
  *s = (syn_congruity_surface){0};
  for (uint32_t i = 0; i < of->surface->vertex_count; ++i) {
    if (of->held[i]) continue;
    s->peak_mpa = max2(s->peak_mpa, f->stress_mpa[i]);
    s->strain = max2(s->strain, f->strain[i]);
    s->pressure_mpa = max2(s->pressure_mpa, f->pressure_mpa[i]);
    if (f->stress_mpa[i] > threshold) s->above_mm2 += of->area_mm2[i];
    if (!(f->pressure_mpa[i] > 0)) continue;
    s->contact_mm2 += of->area_mm2[i];
    stress += of->area_mm2[i] * f->stress_mpa[i];
    pressure += of->area_mm2[i] * f->pressure_mpa[i];
  }
  s->mean_mpa = s->contact_mm2 > 0 ? stress / s->contact_mm2 : 0;
  s->even = s->contact_mm2 > 0 ? pressure / s->contact_mm2 / s->pressure_mpa : (double)NAN;
}

void syn_cartilages_measure(syn_cartilages *c, syn_congruity_moment *moment,
                            const syn_congruity_fields fields[SYN_CONGRUITY_SIDES]) {
  syn_tissue_step report;
  syn_simulation_report(c->simulation, &report);
  moment->touching = report.touching;
  moment->iterations = report.iterations;
  moment->force = vec3(0, 0, 0);
  for (int side = 0; side < SYN_CONGRUITY_SIDES; ++side) {
    const syn_cartilage *of = &c->of[side];
    const syn_vec3 *x = syn_simulation_positions(c->simulation, of->body);
    const syn_vec3 *v = c->options.moving ? syn_simulation_velocities(c->simulation, of->body) : NULL;
    syn_soft_stress(of->soft, x, v, of->stress, of->strain);
    syn_simulation_forces(c->simulation, of->body, of->force, NULL);
    share_areas(of, x);
    fill_fields(of, x, &fields[side]);
    sum_surface(of, &fields[side], c->options.threshold_mpa, &moment->surfaces[side]);
    for (uint32_t i = 0; side == SYN_CONGRUITY_ACETABULAR && i < syn_soft_node_count(of->soft); ++i)
      moment->force = vec3_add(moment->force, of->force[i]);
  }
}
