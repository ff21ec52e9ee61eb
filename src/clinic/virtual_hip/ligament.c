/* Simulates a ligament of a hip moving with the femur. */
#include <math.h>

#include "base/names.h"
#include "clinic/hip.h"
#include "clinic/measure/measure_contour.h"
#include "clinic/virtual_hip/virtual_hip.h"
#include "result/value.h"
#include "tissue/soft.h"

static const double reach_mm = 0.3;   /* of the barrier around the bones */
static const double outer_part = 0.2; /* fraction of the length, at either end, excluded from the middle */

syn_ligament_options syn_default_ligament_options(void) {
  return (syn_ligament_options){.young_mpa = 0.8,
                                .across = 0.5,
                                .poisson = 0.4,
                                .density_kg_m3 = 1055,
                                .thickness_mm = 2,
                                .clearance_mm = 0.5,
                                .cells = {4, 1, 15},
                                .cookie = SYN_COOKIE};
}

static syn_status check_options(const syn_ligament_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_ligament_options, error));
  if (!(o->young_mpa > 0 && isfinite(o->young_mpa) && o->across > 0 && o->across <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a ligament needs a modulus above 0, and from 0 to 1 of it across");
  if (!(o->thickness_mm > 0 && o->thickness_mm <= 20 && o->clearance_mm > 0 && o->clearance_mm <= 10))
    return syn_fail(error, SYN_BAD_ARGUMENT, "thickness and clearance of a ligament must be above 0 mm, and not huge");
  if (!(o->cells[0] && o->cells[1] && o->cells[2] > 2) || (double)o->cells[0] * o->cells[1] * o->cells[2] > 1e5)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a ligament needs cells across and three or more along, 100,000 at most");
  return SYN_OK;
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

static syn_status make(syn_ligament *l, const syn_hip_case *hip_case, const syn_ligament_options *o, syn_error *error) {
  syn_soft_destroy(l->soft);
  l->soft = NULL;
  SYN_TRY(syn_strip_attach(&l->memory, hip_case, l->kind, o, &l->strip, error));
  SYN_TRY(SYN_TAKE(&l->memory, &l->outward, strip_point_count(&l->strip), error));
  const syn_clock_face neck = syn_clock_face_of(hip_case->anatomy, hip_case->anatomy->head.center);
  syn_strip_normals(&l->strip, neck.center, neck.axis, l->outward);
  SYN_TRY(syn_strip_soft(l->context, &l->strip, l->outward, o, &l->soft, error));
  l->length_mm = syn_strip_length(&l->strip, syn_soft_rest(l->soft));
  l->width_mm = syn_strip_width(&l->strip);
  return SYN_OK;
}

/* Returns whether it crosses anything that it must avoid. */
static syn_status find_crossing(const syn_ligament *l, const syn_hip *hip, bool *crosses, syn_error *error) {
  const syn_body skin = {.surface = syn_soft_skin(l->soft)};
  syn_context quiet = *syn_context_or_default(l->context); /* warnings about further contacts are suppressed */
  quiet.warn = NULL;
  *crosses = false;
  for (int part = 0; part < SYN_HIP_PARTS && !*crosses; ++part) {
    const syn_body body = {.surface = hip->parts[part]};
    syn_collision *collision;
    if (!body.surface || !syn_ligament_touches(l->kind, (syn_hip_part)part)) continue;
    SYN_TRY(syn_collision_create(&quiet, "obb", &body, &skin, NULL, NULL, 1, &collision, error));
    *crosses = collision->contacts.penetrating;
    syn_collision_destroy(collision);
  }
  return SYN_OK;
}

/* The facets of a coarse strip cut edges of the bones that its vertices avoid: the strip is then placed further away.
 */
static syn_status make_clear(syn_ligament *l, const syn_hip_case *hip_case, syn_ligament_options o, syn_error *error) {
  enum { TRIES = 6 };
  bool crosses = true;
  for (int i = 0; i < TRIES && crosses; ++i, o.clearance_mm *= 1.4) {
    SYN_TRY(make(l, hip_case, &o, error));
    SYN_TRY(find_crossing(l, &hip_case->hip, &crosses, error));
  }
  if (!crosses && l->strip.outward_mm > 0)
    syn_warn(l->context, "the %s ligament is attached %.1f mm farther out than usual: the neck is short",
             syn_hip_ligament_name(l->kind), l->strip.outward_mm);
  if (!crosses) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s ligament cannot be laid round the bones without crossing them; more cells may help",
                  syn_hip_ligament_name(l->kind));
}

syn_status syn_ligament_create(const syn_context *context, const syn_hip_case *hip_case, syn_hip_ligament kind,
                               const syn_ligament_options *options, syn_ligament **ligament, syn_error *error) {
  const syn_ligament_options o = options ? *options : syn_default_ligament_options();
  syn_ligament *made;
  *ligament = NULL;
  SYN_TRY(check_options(&o, error));
  if ((unsigned)kind >= SYN_HIP_LIGAMENTS) return syn_fail(error, SYN_BAD_ARGUMENT, "no such ligament of the hip");
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = made->memory.context = context;
  made->kind = kind;
  const syn_status status = make_clear(made, hip_case, o, error);
  if (status)
    syn_ligament_destroy(made);
  else
    *ligament = made;
  return status;
}

syn_status syn_ligament_stiffened(const syn_ligament *ligament, const syn_ligament_options *o, syn_ligament **stiffened,
                                  syn_error *error) {
  syn_ligament *made;
  *stiffened = NULL;
  SYN_TRY(SYN_NEW(ligament->context, &made, 1, error));
  *made = *ligament;
  made->memory = (syn_arena){.context = ligament->context};
  made->soft = NULL;
  const syn_status status = syn_strip_soft(made->context, &made->strip, made->outward, o, &made->soft, error);
  if (status)
    syn_ligament_destroy(made);
  else
    *stiffened = made;
  return status;
}

void syn_ligament_destroy(syn_ligament *l) {
  if (!l) return;
  syn_soft_destroy(l->soft);
  syn_arena_release(&l->memory);
  syn_free(l->context, l);
}

const syn_soft *syn_ligament_soft(const syn_ligament *l) { return l->soft; }

syn_ligament_end syn_ligament_end_of(const syn_ligament *l, uint32_t node) {
  const uint32_t layer = node / strip_layer(&l->strip);
  if (layer == 0) return SYN_LIGAMENT_AT_PELVIS;
  if (layer < l->strip.cells[2]) return SYN_LIGAMENT_FREE;
  return l->strip.far_end_moves ? SYN_LIGAMENT_AT_FEMUR : SYN_LIGAMENT_AT_PELVIS;
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static syn_status add_part(syn_ligament_sim *sim, const syn_hip *hip, syn_hip_part part, syn_error *error) {
  sim->rigid[part] = SYN_NONE;
  const bool touches = syn_ligament_touches(sim->ligament->kind, part);
  if (!hip->parts[part] || !(touches || part == SYN_HIP_FEMUR)) return SYN_OK;
  SYN_TRY(
      syn_simulation_add_rigid(sim->simulation, hip->parts[part], syn_hip_part_name(part), &sim->rigid[part], error));
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  touch.barrier_mm = reach_mm;
  return touches ? syn_simulation_touch(sim->simulation, sim->rigid[part], sim->body, &touch, error) : SYN_OK;
}

static syn_status hold_ends(syn_ligament_sim *sim, syn_error *error) {
  for (uint32_t i = 0; i < syn_soft_node_count(sim->ligament->soft); ++i) {
    const syn_ligament_end end = syn_ligament_end_of(sim->ligament, i);
    if (end == SYN_LIGAMENT_FREE) continue;
    SYN_TRY(syn_simulation_prescribe(sim->simulation, sim->body, i, 7,
                                     end == SYN_LIGAMENT_AT_FEMUR ? sim->rigid[SYN_HIP_FEMUR] : SYN_NONE, error));
  }
  return SYN_OK;
}

static syn_status begin(syn_ligament_sim *sim, const syn_hip *hip, syn_error *error) {
  syn_simulation_options options = syn_default_simulation_options();
  options.halvings = 0; /* halving is done for the angle instead */
  const syn_context *context = sim->ligament->context;
  options.integrator = SYN_INTEGRATOR_STATIC;
  options.tolerance = 1e-5;
  SYN_TRY(syn_simulation_create(context, &options, &sim->simulation, error));
  SYN_TRY(syn_simulation_add_soft(sim->simulation, sim->ligament->soft, syn_hip_ligament_name(sim->ligament->kind),
                                  &sim->body, error));
  for (int part = 0; part < SYN_HIP_PARTS; ++part) SYN_TRY(add_part(sim, hip, (syn_hip_part)part, error));
  SYN_TRY(SYN_NEW(context, &sim->stress, syn_soft_node_count(sim->ligament->soft), error));
  SYN_TRY(SYN_NEW(context, &sim->force, syn_soft_node_count(sim->ligament->soft), error));
  return hold_ends(sim, error);
}

syn_status syn_ligament_sim_begin(const syn_ligament *ligament, const syn_hip *hip, syn_ligament_sim *sim,
                                  syn_error *error) {
  *sim = (syn_ligament_sim){.ligament = ligament};
  return begin(sim, hip, error);
}

void syn_ligament_sim_end(syn_ligament_sim *sim) {
  if (!sim->ligament) return;
  syn_simulation_destroy(sim->simulation);
  syn_free(sim->ligament->context, sim->stress);
  syn_free(sim->ligament->context, sim->force);
}

syn_hip_angles syn_angles_between(syn_hip_angles a, syn_hip_angles b, double t) {
  return (syn_hip_angles){a.flexion + t * (b.flexion - a.flexion), a.adduction + t * (b.adduction - a.adduction),
                          a.rotation + t * (b.rotation - a.rotation)};
}

syn_hip_angles syn_angles_turned(const syn_motion *motion, double angle) {
  syn_hip_angles angles = motion->start;
  const double signed_angle = motion->sign * angle;
  switch (motion->axis) {
  case SYN_AXIS_FLEXION: angles.flexion += signed_angle; break;
  case SYN_AXIS_ADDUCTION: angles.adduction += signed_angle; break;
  default: angles.rotation += signed_angle;
  }
  return angles;
}

syn_status syn_ligament_sim_turn(syn_ligament_sim *sim, const syn_hip *hip, syn_hip_angles from, syn_hip_angles to,
                                 int halvings, syn_error *error) {
  const syn_pose pose = syn_hip_pose(hip, to);
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    if (sim->rigid[part] != SYN_NONE && syn_hip_part_moves((syn_hip_part)part))
      syn_simulation_move(sim->simulation, sim->rigid[part], &pose);
  const syn_status status = syn_simulation_step(sim->simulation, error);
  if (status != SYN_NOT_CONVERGED || halvings == 0) return status;
  const syn_hip_angles middle = syn_angles_between(from, to, 0.5);
  SYN_TRY(syn_ligament_sim_turn(sim, hip, from, middle, halvings - 1, error));
  return syn_ligament_sim_turn(sim, hip, middle, to, halvings - 1, error);
}

syn_status syn_ligament_sim_start(syn_ligament_sim *sim, const syn_hip *hip, const syn_motion *motion, double step,
                                  syn_error *error) {
  const syn_pose still = syn_pose_identity();
  const syn_hip_angles from = syn_hip_angles_of(hip, &still), to = motion->start;
  const double way = max2(fabs(to.flexion - from.flexion),
                          max2(fabs(to.adduction - from.adduction), fabs(to.rotation - from.rotation)));
  const int steps = (int)max2(1, ceil(way / step - 1e-9));
  for (int i = 0; i < steps; ++i)
    SYN_TRY(syn_ligament_sim_turn(sim, hip, syn_angles_between(from, to, (double)i / steps),
                                  syn_angles_between(from, to, (double)(i + 1) / steps), SYN_LIGAMENT_HALVINGS, error));
  return SYN_OK;
}

double syn_ligament_row_stress(const syn_ligament_row *row, syn_ligament_measure measure) {
  return measure == SYN_LIGAMENT_PEAK     ? row->peak_mpa
         : measure == SYN_LIGAMENT_MIDDLE ? row->middle_mpa
                                          : row->mean_mpa;
}

SYN_ENUM_NAMES(syn_ligament_measure, SYN_LIGAMENT_MEASURES, [SYN_LIGAMENT_PEAK] = "peak",
               [SYN_LIGAMENT_MIDDLE] = "middle", [SYN_LIGAMENT_MEAN] = "mean");

static void sum_stresses(const syn_ligament_sim *sim, syn_ligament_row *row) {
  const syn_strip *strip = &sim->ligament->strip;
  double sum = 0, count = 0;
  for (uint32_t i = strip_layer(strip); i < strip_layer(strip) * strip->cells[2]; ++i) {
    const double size = syn_sym3_von_mises(&sim->stress[i]), at = (double)(i / strip_layer(strip)) / strip->cells[2];
    row->peak_mpa = max2(row->peak_mpa, size);
    if (at < outer_part - 1e-9 || at > 1 - outer_part + 1e-9) continue;
    row->middle_mpa = max2(row->middle_mpa, size);
    sum += size;
    ++count;
  }
  row->mean_mpa = sum / count;
}

void syn_ligament_sim_row(syn_ligament_sim *sim, double angle, syn_ligament_row *row) {
  const syn_ligament *l = sim->ligament;
  const syn_vec3 *x = syn_simulation_positions(sim->simulation, sim->body);
  syn_tissue_step report;
  syn_vec3 pull = vec3(0, 0, 0);
  syn_simulation_report(sim->simulation, &report);
  syn_simulation_forces(sim->simulation, sim->body, NULL, sim->force);
  syn_soft_stress(l->soft, x, NULL, sim->stress, NULL);
  *row = (syn_ligament_row){.angle = angle, .touching = report.touching, .iterations = report.iterations};
  sum_stresses(sim, row);
  for (uint32_t i = 0; i < strip_layer(&l->strip); ++i) pull = vec3_add(pull, sim->force[i]);
  row->tension_n = vec3_length(pull);
  row->stretch = syn_strip_length(&l->strip, x) / l->length_mm;
}

void syn_ligament_sim_surface(const syn_ligament_sim *sim, size_t row, syn_vec3 *places, double *stress_mpa) {
  const syn_soft *soft = sim->ligament->soft;
  const uint32_t count = soft->skin->vertex_count;
  syn_soft_skin_points(soft, syn_simulation_positions(sim->simulation, sim->body), places + row * count);
  for (uint32_t i = 0; i < count; ++i) { /* a vertex of the skin of finite elements is a node */
    const uint32_t node = soft->skin_nodes[soft->skin_start[i]];
    const bool free = syn_ligament_end_of(sim->ligament, node) == SYN_LIGAMENT_FREE; /* as in `peak_mpa` */
    stress_mpa[row * count + i] = free ? syn_sym3_von_mises(&sim->stress[node]) : (double)NAN;
  }
}

/* ---- a hip at rest in another pose ------------------------------------------------------------------------------- */

/* A copy of the hip with its femur in another pose, as if it had been scanned so: ligaments are generated where they
 * are slack. */

static syn_vec3 turned(const syn_pose *pose, syn_vec3 direction) { return syn_pose_direction(pose, direction); }

static void turn_axes(const syn_pose *pose, syn_hip_axes *axes) {
  axes->flexion = turned(pose, axes->flexion);
  axes->adduction = turned(pose, axes->adduction);
  axes->rotation = turned(pose, axes->rotation);
}

/* Rotates the parts of the anatomy that ligaments use. */
static void turn_anatomy(const syn_pose *pose, syn_anatomy *a) {
  a->head.center = syn_pose_point(pose, a->head.center);
  a->neck_point = syn_pose_point(pose, a->neck_point);
  a->shaft_point = syn_pose_point(pose, a->shaft_point);
  a->neck_axis = turned(pose, a->neck_axis);
  a->neck_line = turned(pose, a->neck_line);
  a->shaft_axis = turned(pose, a->shaft_axis);
  turn_axes(pose, &a->femur_axes);
}

syn_status syn_hip_pose_case(const syn_hip_case *hip_case, const syn_hip_angles *angles, syn_posed_hip *posed,
                             syn_error *error) {
  *posed = (syn_posed_hip){.hip_case = *hip_case};
  if (isnan(angles->flexion)) return SYN_OK;
  if (!isfinite(angles->flexion + angles->adduction + angles->rotation))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the angles at which a ligament rests must be finite");
  syn_hip *hip = &posed->hip_case.hip;
  const syn_pose pose = syn_hip_pose(&hip_case->hip, *angles);
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    if (!hip->parts[part] || !syn_hip_part_moves((syn_hip_part)part)) continue;
    SYN_TRY(syn_trimesh_transform(hip->parts[part], &pose, &posed->parts[part], error));
    hip->parts[part] = posed->parts[part];
  }
  turn_axes(&pose, &hip->femur_axes);
  hip->seat = vec3(0, 0, 0); /* the pose includes it */
  if (!hip_case->anatomy) return SYN_OK;
  posed->anatomy = *hip_case->anatomy;
  turn_anatomy(&pose, &posed->anatomy);
  posed->hip_case.anatomy = &posed->anatomy;
  return SYN_OK;
}

void syn_posed_hip_release(syn_posed_hip *posed) {
  for (int part = 0; part < SYN_HIP_PARTS; ++part) syn_trimesh_destroy(posed->parts[part]);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_result_field row_fields[] = {
    ANGLE(syn_ligament_row, angle, "angle_deg", "Angle", PRINTED),
    MEMBER(syn_ligament_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", PRINTED),
    MEMBER(syn_ligament_row, middle_mpa, "middle_mpa", "Greatest stress of the middle", "MPa", PRINTED),
    MEMBER(syn_ligament_row, mean_mpa, "mean_mpa", "Mean stress of the middle", "MPa", PRINTED),
    MEMBER(syn_ligament_row, stretch, "stretch", "Stretch of the middle fibre", "", PRINTED),
    MEMBER(syn_ligament_row, tension_n, "tension_n", "Force on the pelvis", "N", PRINTED),
    MEMBER(syn_ligament_row, touching, "touching", "Contacts", "", FILE_ONLY)};
const syn_record syn_ligament_row_record = RECORD_OF(syn_ligament_row, "rows", row_fields);
