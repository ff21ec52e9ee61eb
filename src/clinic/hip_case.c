/* A hip from files: meshes by part, anatomy, centre and frames, whatever way the caller or a joint file gives them. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include <synovia/clinic.h>

syn_hip_input syn_default_hip_input(void) { return (syn_hip_input){.cookie = SYN_COOKIE}; }

/* What opening a case has gathered so far. */
typedef struct opening {
  const syn_hip_input *input;
  syn_joint *joint; /* NULL without a joint file */
  syn_found_point given[SYN_LANDMARKS];
  syn_hip_case *made;
} opening;

/* ---- meshes -------------------------------------------------------------------------------------------------------
 */

/* The case owns what a hip only borrows. */
static void destroy_mesh(const syn_trimesh *mesh) { syn_trimesh_destroy((syn_trimesh *)(uintptr_t)mesh); }

/* A second body of the same part joins the first. */
static syn_status add_part(opening *o, syn_hip_part part, syn_trimesh *mesh, syn_error *error) {
  const syn_trimesh **place = &o->made->hip.parts[part];
  if (!*place) {
    *place = mesh;
    return SYN_OK;
  }
  const syn_trimesh *both[] = {*place, mesh};
  syn_trimesh *merged;
  const syn_status status = syn_trimesh_merge(o->made->context, both, 2, &merged, error);
  syn_trimesh_destroy(mesh);
  if (status != SYN_OK) return status;
  destroy_mesh(*place);
  *place = merged;
  return SYN_OK;
}

static syn_status read_part(opening *o, syn_hip_part part, const char *path, syn_error *error) {
  syn_trimesh *mesh;
  SYN_TRY(syn_read_trimesh(o->made->context, path, o->input->reading, &mesh, error));
  return add_part(o, part, mesh, error);
}

/* Which part a body of a joint file is; false for ligaments and muscles, which no answer here looks at. */
static bool part_of_body(const syn_joint_body *body, syn_hip_part *part) {
  switch (body->tissue) {
  case SYN_TISSUE_BONE: *part = body->moves ? SYN_HIP_FEMUR : SYN_HIP_PELVIS; return true;
  case SYN_TISSUE_CARTILAGE:
    *part = body->moves ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_ACETABULAR_CARTILAGE;
    return true;
  case SYN_TISSUE_LABRUM: *part = SYN_HIP_LABRUM; return !body->moves;
  default: return false;
  }
}

static syn_status read_joint_body(opening *o, const syn_joint_body *body, syn_error *error) {
  syn_hip_part part;
  if (!part_of_body(body, &part)) {
    syn_warn(o->made->context, "body '%s' is left out: a hip has no place for it", body->name);
    return SYN_OK;
  }
  char path[4096];
  const bool absolute = body->mesh[0] == '/' || !o->joint->folder[0];
  const int length = absolute ? snprintf(path, sizeof path, "%s", body->mesh)
                              : snprintf(path, sizeof path, "%s/%s", o->joint->folder, body->mesh);
  if (length >= (int)sizeof path)
    return syn_fail_at(error, SYN_BAD_FORMAT, o->input->joint, 0, -1, "the path of body '%s' is too long", body->name);
  return read_part(o, part, path, error);
}

static syn_status read_meshes(opening *o, syn_error *error) {
  if (o->joint)
    for (size_t i = 0; i < o->joint->body_count; ++i) SYN_TRY(read_joint_body(o, &o->joint->bodies[i], error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (o->input->parts[i]) SYN_TRY(read_part(o, (syn_hip_part)i, o->input->parts[i], error));
  if (!o->made->hip.parts[SYN_HIP_PELVIS] && !o->made->hip.parts[SYN_HIP_FEMUR])
    return syn_fail_at(error, SYN_BAD_FORMAT, o->input->joint, 0, -1,
                       "there is neither a pelvis nor a femur: a hip "
                       "needs a bone that stands still or one that moves");
  return SYN_OK;
}

/* The bone under the cartilage is no sphere: what turns in the socket is both together. */
static syn_status join_femur(syn_hip_case *made, syn_error *error) {
  const syn_trimesh *both[] = {made->hip.parts[SYN_HIP_FEMUR], made->hip.parts[SYN_HIP_FEMORAL_CARTILAGE]};
  made->femur = both[0];
  if (!both[0] || !both[1]) return SYN_OK;
  syn_trimesh *merged;
  SYN_TRY(syn_trimesh_merge(made->context, both, 2, &merged, error));
  made->femur = merged;
  return SYN_OK;
}

/* ---- anatomy ------------------------------------------------------------------------------------------------------
 */

/* Contact is exact where there is surface; that there is none somewhere must be said. */
static syn_status tell_holes(const syn_hip_case *made, syn_error *error) {
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) {
    syn_topology *topology;
    if (!made->hip.parts[part]) continue;
    SYN_TRY(syn_topology_create(made->hip.parts[part], &topology, error));
    const uint32_t edges = topology->boundary_edge_count;
    syn_topology_destroy(topology);
    if (edges)
      syn_warn(made->context,
               "the surface of the %s is open at %u edge%s: where it is missing nothing touches, so that angles may "
               "come out too large; `synovia mesh repair` closes small holes",
               syn_hip_part_name((syn_hip_part)part), edges, edges == 1 ? "" : "s");
  }
  return SYN_OK;
}

/* Landmarks of the joint file, then those of the landmark file. */
static syn_status gather_landmarks(opening *o, const syn_side *side, syn_error *error) {
  for (size_t i = 0; o->joint && i < o->joint->landmark_count; ++i) {
    const syn_landmark which = syn_landmark_named(o->joint->landmarks[i].name);
    if (which == SYN_LANDMARKS)
      syn_warn(o->made->context, "landmark '%s' is not known and is left out", o->joint->landmarks[i].name);
    else
      o->given[which] = (syn_found_point){SYN_FOUND_GIVEN, o->joint->landmarks[i].place, 1};
  }
  if (!o->input->landmarks) return SYN_OK;
  return syn_landmarks_read(o->made->context, o->input->landmarks, side ? *side : SYN_SIDE_RIGHT, o->given, error);
}

static bool knows_its_frame(const opening *o) {
  return o->joint && o->joint->has_axes && (o->joint->has_center || o->input->center);
}

static syn_hip_axes filed_axes(const syn_joint *joint) {
  return (syn_hip_axes){joint->flexion, joint->adduction, joint->rotation};
}

/* A joint file that brings centre and axes can do without anatomy: schematic models have little of it. */
static syn_status find_anatomy(opening *o, const syn_side *side, syn_error *error) {
  syn_hip *hip = &o->made->hip;
  syn_anatomy_options options = syn_default_anatomy_options();
  options.side = side;
  options.center = o->input->center ? o->input->center : o->joint && o->joint->has_center ? &o->joint->center : NULL;
  options.given = o->given;
  syn_hip_axes axes;
  if (o->joint && o->joint->has_axes) {
    axes = filed_axes(o->joint);
    options.axes = &axes;
  }
  syn_error told;
  const syn_status status = syn_anatomy_find(o->made->context, hip->parts[SYN_HIP_PELVIS], o->made->femur, &options,
                                             &o->made->anatomy, &told);
  if (status == SYN_OK) return SYN_OK;
  o->made->anatomy = NULL;
  if (status == SYN_BAD_MESH && knows_its_frame(o)) {
    syn_warn(o->made->context, "no anatomy: %s", told.message);
    return SYN_OK;
  }
  if (error) *error = told;
  return status;
}

/* ---- centre and frames --------------------------------------------------------------------------------------------
 */

static syn_status named_center(opening *o, const char *name, syn_center_method *method, syn_error *error) {
  for (int i = 0; i < SYN_CENTER_METHODS; ++i)
    if (strcmp(name, syn_center_method_name((syn_center_method)i)) == 0) {
      *method = (syn_center_method)i;
      if (o->made->centers.methods[i].known) return SYN_OK;
      return syn_fail_at(error, SYN_BAD_MESH, o->input->joint, 0, -1, "the centre cannot be found by '%s': %s", name,
                         o->made->centers.methods[i].why_not);
    }
  return syn_fail_at(error, SYN_BAD_FORMAT, o->input->joint, 0, -1, "there is no method '%s' for the centre", name);
}

static syn_status choose_center(opening *o, syn_error *error) {
  syn_hip_case *made = o->made;
  const bool filed = o->joint && o->joint->has_center;
  if (o->input->center || filed) {
    made->hip.center = o->input->center ? *o->input->center : o->joint->center;
    made->center_method = "given";
    return SYN_OK;
  }
  syn_center_method method = made->centers.chosen;
  if (o->joint && o->joint->center_method) SYN_TRY(named_center(o, o->joint->center_method, &method, error));
  made->hip.center = made->centers.methods[method].center;
  made->center_method = syn_center_method_name(method);
  return SYN_OK;
}

static void choose_frames(opening *o) {
  syn_hip *hip = &o->made->hip;
  const syn_anatomy *anatomy = o->made->anatomy;
  if (o->joint && o->joint->has_axes) {
    hip->pelvis_axes = filed_axes(o->joint);
    hip->femur_axes = hip->pelvis_axes;
    return;
  }
  /* With one bone alone the other is taken to stand neutral. */
  hip->pelvis_axes = hip->parts[SYN_HIP_PELVIS] ? anatomy->pelvis_axes : anatomy->femur_axes;
  hip->femur_axes = hip->parts[SYN_HIP_FEMUR] ? anatomy->femur_axes : anatomy->pelvis_axes;
}

static syn_status understand(opening *o, syn_error *error) {
  syn_hip_case *made = o->made;
  syn_hip *hip = &made->hip;
  const syn_side *side = o->input->side ? o->input->side : o->joint ? &o->joint->side : NULL;
  SYN_TRY(gather_landmarks(o, side, error));
  SYN_TRY(find_anatomy(o, side, error));
  hip->side = side ? *side : made->anatomy->side;
  if (made->anatomy)
    SYN_TRY(syn_centers_find(made->context, hip->parts[SYN_HIP_PELVIS], made->femur, made->anatomy, NULL, 0,
                             &made->centers, error));
  SYN_TRY(choose_center(o, error));
  choose_frames(o);
  const bool seats = made->anatomy && made->femur == hip->parts[SYN_HIP_FEMUR] && !o->input->as_scanned;
  return seats ? syn_hip_seat(made->context, hip, made->anatomy, &hip->seat, error) : SYN_OK;
}

/* ---- the case -----------------------------------------------------------------------------------------------------
 */

syn_status syn_hip_case_open(const syn_context *context, const syn_hip_input *input, syn_hip_case **hip_case,
                             syn_error *error) {
  const syn_hip_input standard = syn_default_hip_input();
  if (!input) input = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(input, syn_default_hip_input, error));
  opening o = {.input = input};
  SYN_TRY(SYN_NEW_ZEROED(context, &o.made, 1, error));
  o.made->context = context;
  syn_status status = input->joint ? syn_joint_read(context, input->joint, &o.joint, error) : SYN_OK;
  if (status == SYN_OK) status = read_meshes(&o, error);
  if (status == SYN_OK) status = join_femur(o.made, error);
  if (status == SYN_OK) status = tell_holes(o.made, error);
  if (status == SYN_OK) status = understand(&o, error);
  syn_joint_destroy(o.joint);
  if (status != SYN_OK) {
    syn_hip_case_close(o.made);
    return status;
  }
  *hip_case = o.made;
  return SYN_OK;
}

void syn_hip_case_close(syn_hip_case *hip_case) {
  if (!hip_case) return;
  if (hip_case->femur != hip_case->hip.parts[SYN_HIP_FEMUR]) destroy_mesh(hip_case->femur);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) destroy_mesh(hip_case->hip.parts[i]);
  syn_anatomy_destroy(hip_case->anatomy);
  syn_free(hip_case->context, hip_case);
}
