/* Plans a resection: cuts of growing depth, and the gain of each. */
#include "clinic/surgery/resection.h"

#include "base/memory.h"
#include "base/names.h"
#include "mesh/remesh/refine_mesh.h"

static const double most_cam_mm = 10, usual_rim_mm = 5, most_rim_mm = 8;
static const double least_mm = 0.05; /* smaller protrusions are roundness of the mesh */
enum { MOST_CUTS = 500, USUAL_MOTIONS = 3 };

SYN_ENUM_NAMES(syn_resection_kind, SYN_RESECTION_KINDS, [SYN_RESECTION_CAM] = "cam", [SYN_RESECTION_RIM] = "rim");

/* ---- options ----------------------------------------------------------------------------------------------------- */

syn_resection_options syn_default_resection_options(void) {
  return (syn_resection_options){.kind = SYN_RESECTION_CAM,
                                 .step_mm = 0.5,
                                 .from_hour = NAN,
                                 .to_hour = NAN,
                                 .alpha_deg = 42,
                                 .width_mm = 4,
                                 .edge_mm = 0.5,
                                 .bands = syn_default_band_options(),
                                 .cookie = SYN_COOKIE};
}

static syn_status check(const char *name, double value, double low, double high, syn_error *error) {
  if (value >= low && value <= high) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the %s of a resection must lie between %g and %g, not %g", name, low, high,
                  value);
}

static syn_status check_options(const syn_resection_options *o, syn_error *error) {
  if ((size_t)o->kind >= SYN_RESECTION_KINDS) return syn_fail(error, SYN_BAD_ARGUMENT, "no such kind of resection");
  const double most = o->kind == SYN_RESECTION_CAM ? most_cam_mm : most_rim_mm;
  SYN_TRY(check("step in mm", o->step_mm, 0.01, most, error));
  SYN_TRY(check("depth in mm", o->depth_mm, 0, most, error));
  if (!isnan(o->from_hour)) SYN_TRY(check("first hour", o->from_hour, 0, 12, error));
  if (!isnan(o->to_hour)) SYN_TRY(check("last hour", o->to_hour, 0, 12, error));
  SYN_TRY(check("alpha angle in degrees", o->alpha_deg, 30, 80, error));
  SYN_TRY(check("length along the neck in mm", o->neck_mm, 0, 30, error));
  SYN_TRY(check("offset in mm", o->offset_mm, 0, 5, error));
  SYN_TRY(check("width in mm", o->width_mm, 0, 15, error));
  SYN_TRY(check("edge length in mm", o->edge_mm, 0.1, 5, error));
  if (o->depth_mm / o->step_mm <= MOST_CUTS) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%g mm in steps of %g mm are more than %d cuts: take larger steps",
                  o->depth_mm, o->step_mm, MOST_CUTS);
}

static void fill_defaults(syn_resection_options *o) {
  const bool cam = o->kind == SYN_RESECTION_CAM;
  if (o->depth_mm == 0) o->depth_mm = cam ? most_cam_mm : usual_rim_mm;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static syn_status check_bone(syn_resecting *p, syn_error *error) {
  const char *name = syn_hip_part_name(syn_resection_part(p->made->options.kind));
  syn_check_options options = syn_default_check_options();
  syn_health health;
  options.self_intersections = false;
  SYN_TRY(syn_trimesh_check(p->old, &options, &health, error));
  if (health.closed && health.manifold && health.outward) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s cannot be cut: its surface is %s, so that it has no inside; `synovia mesh repair` may help",
                  name,
                  !health.closed     ? "open"
                  : !health.manifold ? "not manifold"
                                     : "not oriented outward");
}

static bool is_cut(const void *user, syn_vec3 point) {
  const syn_resecting *p = user;
  return syn_cut_height(&p->tool, point, p->made->options.depth_mm) > -p->made->options.edge_mm;
}

static syn_status prepare(syn_resecting *p, syn_error *error) {
  const syn_resection_options *o = &p->made->options;
  const syn_hip_case *c = p->made->hip_case;
  SYN_TRY(check_bone(p, error));
  SYN_TRY(syn_surface_create(p->old, &p->surface, error));
  SYN_TRY(o->kind == SYN_RESECTION_CAM ? syn_cut_tool_cam(c, o, &p->tool, error)
                                       : syn_cut_tool_rim(c, o, p->surface, &p->tool, error));
  SYN_TRY(syn_trimesh_refine_where(p->old, is_cut, p, o->edge_mm, &p->fine, error));
  p->volume_mm3 = syn_trimesh_mass(p->fine).volume_mm3;
  SYN_TRY(syn_trimesh_self_intersections(p->fine, NULL, 0, &p->crossings, error));
  return syn_cut_begin(p->made->context, &p->tool, p->fine, p->surface, o->depth_mm, &p->cut, error);
}

/* Depths are 0, one step, two, … and the deepest. */
static syn_status choose_depths(syn_resecting *p, syn_error *error) {
  syn_resection *r = p->made;
  double deepest = r->options.depth_mm;
  r->full_mm = NAN;
  if (r->options.kind == SYN_RESECTION_CAM) {
    SYN_TRY(syn_cut_full(&p->cut, &r->full_mm, error));
    if (r->full_mm < least_mm) {
      syn_warn(r->context,
               "there is nothing to remove: between %g and %g o'clock no bone stands out beyond a head with an alpha "
               "angle of %g degrees and its neck",
               r->options.from_hour, r->options.to_hour, r->options.alpha_deg);
      deepest = 0;
    }
    deepest = fmin(deepest, r->full_mm);
  }
  const size_t cuts = deepest > 0 ? (size_t)ceil(deepest / r->options.step_mm - 1e-9) : 0;
  SYN_TRY(SYN_NEW_ZEROED(r->context, &r->steps, cuts + 1, error));
  r->step_count = cuts + 1;
  for (size_t i = 0; i <= cuts; ++i) r->steps[i].depth_mm = fmin((double)i * r->options.step_mm, deepest);
  return SYN_OK;
}

syn_status syn_resection_go_on(const syn_resection *r, const char *what, size_t done, size_t of, syn_error *error) {
  if (syn_progress(r->context, what, (double)done / (double)of)) return SYN_OK;
  return syn_fail(error, SYN_CANCELLED, "cancelled while %s", what);
}

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

static syn_status check_cut(const syn_resecting *p, const syn_resection_step *s, syn_error *error) {
  syn_health health;
  SYN_TRY(syn_trimesh_check(s->bone, NULL, &health, error));
  if (health.closed && health.manifold && health.outward && health.self_intersections <= p->crossings) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "a cut of %g mm folds the surface of the %s: cut less deep, over fewer hours or in a smoother mesh",
                  s->depth_mm, syn_hip_part_name(syn_resection_part(p->made->options.kind)));
}

static double new_area(const syn_trimesh *bone, const double *removed_mm) {
  double area = 0;
  for (uint32_t t = 0; t < bone->triangle_count; ++t) {
    const uint32_t *v = bone->triangles[t].v;
    if (!(removed_mm[v[0]] > 0 && removed_mm[v[1]] > 0 && removed_mm[v[2]] > 0)) continue;
    const syn_vec3 a = bone->vertices[v[0]];
    area += 0.5 * vec3_length(vec3_cross(vec3_sub(bone->vertices[v[1]], a), vec3_sub(bone->vertices[v[2]], a)));
  }
  return area;
}

static syn_status make_step(syn_resecting *p, syn_resection_step *s, syn_error *error) {
  const syn_context *context = p->made->context;
  SYN_TRY(SYN_NEW_ZEROED(context, &s->removed_mm, p->fine->vertex_count, error));
  SYN_TRY(SYN_NEW(context, &s->motions, p->made->motion_count, error));
  s->motion_count = p->made->motion_count;
  if (s->depth_mm == 0) return syn_trimesh_share(p->fine, &s->bone, error);
  SYN_TRY(syn_cut_to(&p->cut, s->depth_mm, error));
  SYN_TRY(syn_cut_bone(&p->cut, &s->bone, error));
  for (uint32_t i = 0; i < p->cut.count; ++i) {
    s->removed_mm[p->cut.vertex[i]] = p->cut.below[i];
    s->deepest_mm = fmax(s->deepest_mm, p->cut.below[i]);
  }
  s->volume_mm3 = p->volume_mm3 - syn_trimesh_mass(s->bone).volume_mm3;
  s->area_mm2 = new_area(s->bone, s->removed_mm);
  return check_cut(p, s, error);
}

static syn_status make_steps(syn_resecting *p, syn_error *error) {
  syn_resection *r = p->made;
  for (size_t i = 0; i < r->step_count; ++i) {
    SYN_TRY(syn_resection_go_on(r, "cutting", i, r->step_count, error));
    SYN_TRY(make_step(p, &r->steps[i], error));
  }
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Chooses the requested motions; else those that a cam restricts. */
static void choose_motions(const syn_resection_options *options, const syn_motion **motions) {
  static const char *const usual[USUAL_MOTIONS] = {"flexion", "internal_rotation_90", "fadir"};
  if (options->motions)
    for (size_t i = 0; i < options->motion_count; ++i) motions[i] = options->motions[i];
  else
    for (size_t i = 0; i < USUAL_MOTIONS; ++i) motions[i] = syn_clinical_motion_named(usual[i]);
}

static syn_status plan(syn_resecting *p, const syn_motion *const *motions, syn_error *error) {
  syn_resection *r = p->made;
  SYN_TRY(syn_resection_choose_sector(r->hip_case, motions, r->motion_count, &r->options, error));
  SYN_TRY(prepare(p, error));
  SYN_TRY(choose_depths(p, error));
  SYN_TRY(make_steps(p, error));
  for (size_t i = 0; i < r->step_count; ++i)
    for (size_t m = 0; m < r->motion_count; ++m) r->steps[i].motions[m].motion = motions[m];
  SYN_TRY(syn_resection_turn(p, error));
  syn_resection_warn_beside(r);
  return SYN_OK;
}

static syn_status plan_motions(syn_resecting *p, const syn_resection_options *options, syn_error *error) {
  const syn_context *context = p->made->context;
  const syn_motion **motions;
  SYN_TRY(SYN_NEW(context, &motions, p->made->motion_count, error));
  choose_motions(options, motions);
  const syn_status status = plan(p, motions, error);
  syn_free(context, motions);
  return status;
}

static void release(syn_resecting *p) {
  const syn_context *context = p->made->context;
  for (size_t i = 0; p->roms && i < p->made->step_count; ++i) syn_rom_destroy(p->roms[i]);
  syn_free(context, p->roms);
  syn_cut_release(&p->cut);
  syn_surface_destroy(p->surface);
  syn_trimesh_destroy(p->fine);
}

syn_status syn_resection_create(const syn_context *context, const syn_hip_case *hip_case,
                                const syn_resection_options *options, syn_resection **resection, syn_error *error) {
  const syn_resection_options standard = syn_default_resection_options();
  *resection = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_resection_options, error));
  /* Check the options and the bones. */
  syn_resection_options used = *options;
  fill_defaults(&used);
  used.motions = NULL;
  SYN_TRY(check_options(&used, error));
  const syn_trimesh *const *parts = hip_case->hip.parts;
  if (!parts[SYN_HIP_PELVIS] || !parts[SYN_HIP_FEMUR])
    return syn_fail(error, SYN_BAD_ARGUMENT, "a resection is planned with both bones: give pelvis and femur");
  /* Plan without repeating warnings; the plan is kept only on success. */
  syn_resecting p = {.quiet = *syn_context_or_default(context), .old = parts[syn_resection_part(used.kind)]};
  p.quiet.warn = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &p.made, 1, error));
  *p.made = (syn_resection){.context = context,
                            .hip_case = hip_case,
                            .options = used,
                            .motion_count = options->motions ? options->motion_count : USUAL_MOTIONS};
  p.cut.context = context;
  const syn_status status = plan_motions(&p, options, error);
  release(&p);
  if (status == SYN_OK)
    *resection = p.made;
  else
    syn_resection_destroy(p.made);
  return status;
}

void syn_resection_destroy(syn_resection *r) {
  if (!r) return;
  for (size_t i = 0; r->steps && i < r->step_count; ++i) {
    syn_trimesh_destroy(r->steps[i].bone);
    syn_free(r->context, r->steps[i].removed_mm);
    syn_free(r->context, r->steps[i].motions);
  }
  syn_free(r->context, r->steps);
  syn_free(r->context, r);
}
