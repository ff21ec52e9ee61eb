/* Opens a hip from files or from memory: meshes by part, anatomy, centre and frames, from the caller or a joint file.
 */
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"
#include "clinic/anatomy/landmarks.h"
#include "clinic/center/center.h"
#include "clinic/hip.h"
#include "clinic/hip_case.h"
#include "clinic/rom/hip_rom.h"
#include "collide/magnitude.h"
#include "collide/prepare.h"
#include "joint/joint_store.h"
#include "mesh/canonical.h"
#include "mesh/derived.h"
#include "mesh/facing.h"
#include <synovia/clinic.h>

syn_hip_input syn_default_hip_input(void) { return (syn_hip_input){.cookie = SYN_COOKIE}; }

/* The state of opening a case. */
typedef struct opening {
  const syn_hip_input *input;
  const syn_joint *joint; /* the given description; NULL without one */
  syn_found_point given[SYN_LANDMARK_SLOTS];
  syn_hip_case *made;
} opening;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* The case owns surfaces made of several bodies; a hip only borrows. */
static void destroy_mesh(const syn_trimesh *mesh) { syn_trimesh_destroy((syn_trimesh *)(uintptr_t)mesh); }

static syn_status add_part(opening *o, syn_hip_part part, syn_error *error) {
  const syn_trimesh *mesh = o->input->meshes[part];
  syn_trimesh *surface = NULL;
  if (!mesh && !o->input->parts[part]) return SYN_OK;
  if (mesh) SYN_TRY(syn_trimesh_share(mesh, &surface, error));
  return syn_joint_add_body(o->made->joint,
                            &(syn_body){.name = syn_hip_part_name(part),
                                        .mesh_file = mesh ? NULL : o->input->parts[part],
                                        .tissue = syn_hip_part_tissue(part),
                                        .moves = syn_hip_part_moves(part),
                                        .material = syn_material_unknown(),
                                        .surface = surface},
                            error);
}

static syn_status add_parts(opening *o, syn_error *error) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) SYN_TRY(add_part(o, (syn_hip_part)i, error));
  return SYN_OK;
}

/* A body in memory may have tetrahedra only. */
static syn_status find_surface(syn_joint *joint, size_t number, syn_error *error) {
  const syn_body *body = &joint->bodies[number];
  syn_trimesh *surface;
  if (body->surface) return SYN_OK;
  if (!body->volume) return syn_fail(error, SYN_BAD_ARGUMENT, "body '%s' has neither a mesh nor a file", body->name);
  SYN_TRY(syn_tetmesh_surface(body->volume, &surface, NULL, error));
  syn_joint_set_surface(joint, number, surface);
  return SYN_OK;
}

/* Mesh files that the caller gives are relative to the working directory, those of a joint file to its folder. */
static syn_status load_bodies(opening *o, size_t first, const char *folder, syn_error *error) {
  syn_joint *joint = o->made->joint;
  const char *own = joint->folder;
  const double unit = joint->mm_per_unit; /* of its files */
  const bool others = first > 0;          /* further files, with a separate unit */
  syn_status status = SYN_OK;
  joint->folder = folder;
  if (others) joint->mm_per_unit = 0;
  for (size_t i = first; i < joint->body_count && status == SYN_OK; ++i) {
    if (syn_hip_part_of_body(&joint->bodies[i]) < SYN_HIP_PARTS) {
      status = syn_joint_load_body(joint, i, o->input->reading, error);
      if (status == SYN_OK) status = find_surface(joint, i, error);
    } else
      syn_warn(o->made->context, "body '%s' is left out: a hip has no place for it", joint->bodies[i].name);
  }
  joint->folder = own;
  if (others) joint->mm_per_unit = unit;
  return status;
}

/* Angles must not depend on the numbering of the vertices. A surface that belongs to tetrahedra keeps their numbers. */
static syn_status renumber_surface(syn_joint *joint, size_t body, syn_error *error) {
  syn_trimesh *renumbered;
  if (!joint->bodies[body].surface || joint->bodies[body].volume) return SYN_OK;
  SYN_TRY(syn_trimesh_renumber(joint->bodies[body].surface, &renumbered, error));
  syn_joint_set_surface(joint, body, renumbered);
  return SYN_OK;
}

/* Anatomy and contact take the side of the bone from the triangles' orientation, so that of the file must not matter.
 */
static syn_status turn_surface_outward(syn_joint *joint, size_t body, syn_error *error) {
  const syn_body *of = &joint->bodies[body];
  syn_trimesh *turned, *renumbered;
  if (!of->surface || of->volume) return SYN_OK;
  SYN_TRY(syn_trimesh_turn_outward(of->surface, &turned, error));
  if (!turned) return SYN_OK;
  syn_warn(joint->context,
           "the surface of the %s is inside out, its triangles face inward: here it is turned outward; the file is as "
           "it was, and `synovia mesh repair` turns it there",
           of->name);
  const syn_status status = syn_trimesh_renumber(turned, &renumbered, error);
  syn_trimesh_destroy(turned);
  if (status == SYN_OK) syn_joint_set_surface(joint, body, renumbered);
  return status;
}

/* Joins several bodies of the same part to one surface. Defects of a mesh are reported before it is renumbered. */
static syn_status view_body(syn_hip_case *made, size_t number, syn_error *error) {
  const syn_body *body = &made->joint->bodies[number];
  const syn_hip_part part = syn_hip_part_of_body(body);
  if (part == SYN_HIP_PARTS) return SYN_OK;
  SYN_TRY(syn_check_part(body->surface, syn_hip_part_name(part), error));
  SYN_TRY(renumber_surface(made->joint, number, error));
  SYN_TRY(turn_surface_outward(made->joint, number, error));
  const syn_trimesh **place = &made->hip.parts[part], *both[] = {*place, body->surface};
  if (!*place) {
    *place = body->surface;
    return SYN_OK;
  }
  syn_trimesh *merged;
  SYN_TRY(syn_trimesh_merge(made->context, both, 2, &merged, error));
  destroy_mesh(made->merged[part]);
  *place = made->merged[part] = merged;
  return SYN_OK;
}

/* Distant parts make every search slow, so they are refused before the first one. */
static syn_status check_center(const opening *o, syn_error *error) {
  const syn_vec3 *center = o->input->center                   ? o->input->center
                           : o->joint && o->joint->has_center ? &o->joint->center
                                                              : NULL;
  return center ? syn_check_point(*center, "the centre", error) : SYN_OK;
}

static syn_status read_meshes(opening *o, syn_error *error) {
  SYN_TRY(check_center(o, error));
  syn_hip_case *made = o->made;
  const size_t filed = made->filed_count = made->joint->body_count;
  SYN_TRY(load_bodies(o, 0, made->joint->folder, error));
  SYN_TRY(add_parts(o, error));
  SYN_TRY(load_bodies(o, filed, "", error));
  for (size_t i = 0; i < made->joint->body_count; ++i) SYN_TRY(view_body(made, i, error));
  if (!made->hip.parts[SYN_HIP_PELVIS] && !made->hip.parts[SYN_HIP_FEMUR])
    return syn_fail_at(error, SYN_BAD_FORMAT, o->input->joint, 0, -1,
                       "there is neither a pelvis nor a femur: a hip "
                       "needs a bone that stands still or one that moves");
  return SYN_OK;
}

/* The bone under the cartilage is no sphere: the head in the socket is both together. */
static syn_status join_femur(syn_hip_case *made, syn_error *error) {
  const syn_trimesh *both[] = {made->hip.parts[SYN_HIP_FEMUR], made->hip.parts[SYN_HIP_FEMORAL_CARTILAGE]};
  made->femur = both[0];
  if (!both[0] || !both[1]) return SYN_OK;
  syn_trimesh *merged;
  SYN_TRY(syn_trimesh_merge(made->context, both, 2, &merged, error));
  made->femur = merged;
  return SYN_OK;
}

/* ---- scan noise -------------------------------------------------------------------------------------------------- */

/* Bones with scan noise are smoothed before anything is measured. */

/* Roughness below the first is shape, or irrelevant; from the second on the full smoothing applies. Between them it
 * grows, so that results are continuous. */
static const double none_mm = 0.03, all_mm = 0.05;
/* With fewer vertices it is a model with real edges, not a scan. */
enum { ITERATIONS = 10, SCAN_VERTICES = 2000 };

static syn_status blend_meshes(const syn_trimesh *mesh, const syn_trimesh *smooth, double part, syn_trimesh **blended,
                               syn_error *error) {
  syn_vec3 *vertices;
  SYN_TRY(SYN_NEW(mesh->context, &vertices, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    vertices[v] = vec3_lerp(mesh->vertices[v], smooth->vertices[v], part);
  const syn_status status = syn_trimesh_create(mesh->context, vertices, mesh->vertex_count, mesh->triangles,
                                               mesh->triangle_count, blended, error);
  syn_free(mesh->context, vertices);
  return status;
}

typedef struct smoothing {
  syn_hip_case *of;
  bool as_scanned;
  syn_trimesh *smooth[2]; /* of pelvis and femur; NULL: unchanged */
} smoothing;

static syn_status smooth_bone(void *user, size_t bone, syn_error *error) {
  smoothing *s = user;
  const syn_hip_part part = bone == 0 ? SYN_HIP_PELVIS : SYN_HIP_FEMUR;
  const syn_trimesh *mesh = s->of->hip.parts[part];
  if (!mesh || mesh->vertex_count < SCAN_VERTICES) return SYN_OK;
  SYN_TRY(syn_trimesh_roughness(mesh, &s->of->roughness_mm[part], error));
  const double weight = min2((s->of->roughness_mm[part] - none_mm) / (all_mm - none_mm), 1);
  if (!(weight > 0) || s->as_scanned) return SYN_OK;
  syn_trimesh *smooth;
  SYN_TRY(syn_trimesh_smooth(mesh, ITERATIONS, &smooth, error));
  const syn_status status = blend_meshes(mesh, smooth, weight, &s->smooth[bone], error);
  syn_trimesh_destroy(smooth);
  return status;
}

static void take_smooth(syn_hip_case *c, syn_hip_part part, syn_trimesh *smooth) {
  syn_warn(c->context,
           "the surface of the %s is rough, by %.*f mm from vertex to vertex, as noise of a scan is: it is smoothed; "
           "--as-scanned leaves it",
           syn_hip_part_name(part), syn_mm_decimals(c->roughness_mm[part]), c->roughness_mm[part]);
  destroy_mesh(c->merged[part]);
  c->hip.parts[part] = c->merged[part] = smooth;
}

static syn_status smooth_bones(syn_hip_case *c, bool as_scanned, syn_error *error) {
  smoothing s = {.of = c, .as_scanned = as_scanned};
  const syn_status status = syn_parallel_tasks(c->context, 2, smooth_bone, &s, error);
  for (size_t bone = 0; bone < 2; ++bone) {
    if (status == SYN_OK && s.smooth[bone])
      take_smooth(c, bone == 0 ? SYN_HIP_PELVIS : SYN_HIP_FEMUR, s.smooth[bone]);
    else
      syn_trimesh_destroy(s.smooth[bone]);
  }
  return status;
}

/* ---- soft parts -------------------------------------------------------------------------------------------------- */

/* Soft parts that contradict their name are refused: a labrum is around its socket, cartilage on its head or in its
 * cup. */

static const double FURTHEST = 3; /* radii of the joint from its centre; cartilage and labra end before 1.5 */

static syn_status check_soft_part(const syn_hip_case *c, syn_hip_part part, double radius, syn_error *error) {
  const syn_trimesh *mesh = c->hip.parts[part];
  double nearest = INFINITY, furthest = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double distance = vec3_distance(mesh->vertices[v], c->hip.center);
    nearest = min2(nearest, distance);
    furthest = max2(furthest, distance);
  }
  if (furthest <= FURTHEST * radius) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the mesh given as %s lies %.0f to %.0f mm from the hip's centre, but the joint has a radius of %.0f "
                  "mm: is it another body, or in another frame or unit?",
                  syn_hip_part_name(part), nearest, furthest, radius);
}

static syn_status check_soft_parts(const syn_hip_case *c, syn_error *error) {
  static const syn_hip_part soft[] = {SYN_HIP_LABRUM, SYN_HIP_FEMORAL_CARTILAGE, SYN_HIP_ACETABULAR_CARTILAGE,
                                      SYN_HIP_TRANSITION_ZONE};
  if (!c->anatomy) return SYN_OK;
  const double head = c->anatomy->head.radius_mm, cup = c->anatomy->acetabulum.radius_mm;
  const double radius = isfinite(cup) ? cup : head;
  for (size_t i = 0; isfinite(radius) && i < sizeof soft / sizeof *soft; ++i)
    if (c->hip.parts[soft[i]]) SYN_TRY(check_soft_part(c, soft[i], radius, error));
  return SYN_OK;
}

/* ---- anatomy ----------------------------------------------------------------------------------------------------- */

syn_status syn_tell_holes(const syn_context *context, const syn_trimesh *mesh, const char *name, syn_error *error) {
  syn_derived *topology;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &topology, error));
  const uint32_t edges = derived_topology(topology)->boundary_edge_count;
  syn_derived_release(topology);
  if (edges)
    syn_warn(context,
             "the surface of the %s is open at %u edge%s: where it is missing nothing touches, so that angles may "
             "come out too large; `synovia mesh repair` closes small holes",
             name, edges, edges == 1 ? "" : "s");
  return SYN_OK;
}

static syn_status tell_holes(const syn_hip_case *made, syn_error *error) {
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part)
    if (made->hip.parts[part])
      SYN_TRY(syn_tell_holes(made->context, made->hip.parts[part], syn_hip_part_name((syn_hip_part)part), error));
  return SYN_OK;
}

/* Detected epicondyles do not define the frame, the middles of their areas do; given ones would. */
static bool is_only_shown(const syn_joint *joint, const syn_joint_landmark *filed, syn_landmark which) {
  const syn_landmark middle = which == SYN_LANDMARK_MEDIAL_EPICONDYLE    ? SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE
                              : which == SYN_LANDMARK_LATERAL_EPICONDYLE ? SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE
                                                                         : SYN_LANDMARKS;
  for (size_t i = 0; filed->from_mesh && middle != SYN_LANDMARKS && i < joint->landmark_count; ++i)
    if (syn_landmark_named(joint->landmarks[i].name) == middle) return true;
  return false;
}

/* Landmarks of the joint file, then those of the landmark file. */
static syn_status gather_landmarks(opening *o, const syn_side *side, syn_error *error) {
  for (size_t i = 0; o->joint && i < o->joint->landmark_count; ++i) {
    const syn_landmark which = syn_landmark_named(o->joint->landmarks[i].name);
    if (which == SYN_LANDMARKS)
      syn_warn(o->made->context, "landmark '%s' is not known and is left out", o->joint->landmarks[i].name);
    else if (!is_only_shown(o->joint, &o->joint->landmarks[i], which))
      o->given[which] = (syn_found_point){SYN_FOUND_GIVEN, o->joint->landmarks[i].place, 1};
  }
  if (!o->input->landmarks) return SYN_OK;
  return syn_landmarks_read(o->made->context, o->input->landmarks, side ? *side : SYN_SIDE_RIGHT, o->given, error);
}

/* A point that a joint file declares as found on a mesh is used as given, and keeps its source. */
static void keep_sources(const opening *o) {
  for (size_t i = 0; o->joint && o->made->anatomy && i < o->joint->landmark_count; ++i) {
    const syn_joint_landmark *filed = &o->joint->landmarks[i];
    const syn_landmark which = syn_landmark_named(filed->name);
    if (which == SYN_LANDMARKS || !filed->from_mesh) continue;
    syn_found_point *point = &o->made->anatomy->landmarks[which];
    /* A landmark file may have moved it. */
    if (vec3_equal(point->place, filed->place))
      *point = (syn_found_point){SYN_FOUND_MESH, filed->place, filed->confidence};
  }
}

static bool knows_its_frame(const opening *o) {
  return o->joint && o->joint->has_axes && (o->joint->has_center || o->input->center);
}

/* Finds the anatomy. A joint file with centre and axes needs none: schematic models have little of it. */
static syn_status find_anatomy(opening *o, const syn_side *side, syn_error *error) {
  syn_hip *hip = &o->made->hip;
  syn_anatomy_options options = syn_default_anatomy_options();
  options.side = side;
  /* The caller's centre precedes that of the joint file. */
  options.center = o->input->center ? o->input->center : o->joint && o->joint->has_center ? &o->joint->center : NULL;
  options.given = o->given;
  syn_hip_axes axes;
  if (o->joint && o->joint->has_axes) {
    axes = o->joint->axes;
    options.axes = &axes;
  }
  syn_error told;
  const syn_status status = syn_anatomy_create(o->made->context, hip->parts[SYN_HIP_PELVIS], o->made->femur, &options,
                                               &o->made->anatomy, &told);
  if (status == SYN_OK) {
    keep_sources(o);
    return SYN_OK;
  }
  o->made->anatomy = NULL;
  /* A joint file with centre and axes can do without anatomy. */
  if (status == SYN_BAD_MESH && knows_its_frame(o)) {
    syn_warn(o->made->context, "no anatomy: %s", told.message);
    return SYN_OK;
  }
  if (error) *error = told;
  return status;
}

/* ---- centre and frames ------------------------------------------------------------------------------------------- */

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

void syn_hip_case_take_center(syn_hip_case *c, syn_center_method method) {
  c->hip.center = c->centers.methods[method].center;
  c->hip.seat = method == SYN_CENTER_EQUIDISTANT ? c->centers.seat : (syn_vec3){0, 0, 0};
  c->center_method = syn_center_method_name(method);
}

bool syn_hip_case_follows_joint(const syn_hip_case *c) {
  return strcmp(c->center_method, syn_center_method_name(SYN_CENTER_EQUIDISTANT)) == 0 ||
         strcmp(c->center_method, syn_center_method_name(SYN_CENTER_FEMORAL_HEAD_SPHERE)) == 0;
}

/* Bones alone turn about the head's centre, in the position as scanned or, where it is shown to be better, in the
 * middle of the socket. With soft tissue the scanned position counts. */
static syn_center_method usual_center(const opening *o) {
  const syn_hip_case *made = o->made;
  const bool soft = syn_hip_has_soft_socket(&made->hip) || made->hip.parts[SYN_HIP_FEMORAL_CARTILAGE];
  if (soft || o->input->as_scanned) return made->centers.chosen;
  if (vec3_length(made->centers.seat) > 0) return SYN_CENTER_EQUIDISTANT;
  return made->centers.methods[SYN_CENTER_FEMORAL_HEAD_SPHERE].known ? SYN_CENTER_FEMORAL_HEAD_SPHERE
                                                                     : made->centers.chosen;
}

static syn_status choose_center(opening *o, syn_error *error) {
  syn_hip_case *made = o->made;
  const bool filed = o->joint && o->joint->has_center;
  if (o->input->center || filed) {
    made->hip.center = o->input->center ? *o->input->center : o->joint->center;
    made->center_method = "given";
    return SYN_OK;
  }
  syn_center_method method = usual_center(o);
  if (o->joint && o->joint->center_method) SYN_TRY(named_center(o, o->joint->center_method, &method, error));
  syn_hip_case_take_center(made, method);
  const double far_mm = 1.5, shift = vec3_length(made->hip.seat);
  if (shift > far_mm)
    syn_warn(
        made->context,
        "the head lies %.1f mm from where the joint space is more even; it turns there, and --as-scanned leaves it",
        shift);
  return SYN_OK;
}

void syn_hip_case_frames(syn_hip_case *c) {
  /* With a single bone the other one is assumed neutral. */
  c->hip.pelvis_axes = c->hip.parts[SYN_HIP_PELVIS] ? c->anatomy->pelvis_axes : c->anatomy->femur_axes;
  c->hip.femur_axes = c->hip.parts[SYN_HIP_FEMUR] ? c->anatomy->femur_axes : c->anatomy->pelvis_axes;
}

void syn_hip_case_joint_surface(syn_hip_case *c) {
  c->hip.joint_ball = (syn_ball){0};
  if (c->anatomy && !c->as_scanned) syn_hip_leave_out_joint(&c->hip, c->anatomy);
}

static void choose_frames(opening *o) {
  syn_hip *hip = &o->made->hip;
  if (o->joint && o->joint->has_axes) {
    hip->pelvis_axes = o->joint->axes;
    hip->femur_axes = hip->pelvis_axes;
    return;
  }
  syn_hip_case_frames(o->made);
}

/* A joint in memory may leave the side to be detected; one of a file without a side is a right one. */
static const syn_side *side_of(const opening *o) {
  const bool known = o->joint && !(o->input->joint_in_memory && o->joint->side_unknown);
  return o->input->side ? o->input->side : known ? &o->joint->side : NULL;
}

static syn_status look_at_bones(void *user, syn_error *error) {
  opening *o = user;
  SYN_TRY(tell_holes(o->made, error));
  SYN_TRY(gather_landmarks(o, side_of(o), error));
  return find_anatomy(o, side_of(o), error);
}

/* Prepares all query structures of the bones while one thread finds the anatomy; they are needed in any case. */
static syn_status prepare_bones(opening *o, syn_error *error) {
  const syn_hip *hip = &o->made->hip;
  const syn_trimesh *bones[] = {hip->parts[SYN_HIP_PELVIS], hip->parts[SYN_HIP_FEMUR]};
  if (!bones[0] || !bones[1]) return look_at_bones(o, error);
  return syn_meshes_prepare(o->made->context, bones, 2, look_at_bones, o, error);
}

static syn_status find_centers(opening *o, syn_error *error) {
  syn_hip_case *made = o->made;
  syn_pose *motion = NULL;
  size_t count = 0;
  if (o->input->motion)
    SYN_TRY(syn_hip_matrices_read(made->context, made->hip.side, o->input->motion, &motion, &count, error));
  made->motion = syn_motion_center_find(motion, count);
  const syn_status status = made->anatomy
                                ? syn_centers_find(made->context, made->hip.parts[SYN_HIP_PELVIS], made->femur,
                                                   made->anatomy, motion, count, &made->centers, error)
                                : SYN_OK;
  syn_free(made->context, motion);
  return status;
}

static syn_status understand(opening *o, syn_error *error) {
  syn_hip_case *made = o->made;
  syn_hip *hip = &made->hip;
  const syn_side *side = side_of(o);
  SYN_TRY(prepare_bones(o, error));
  if (side) hip->side = *side; /* without anatomy there is a joint file, which has a side */
  if (made->anatomy && !side) hip->side = made->anatomy->side;
  SYN_TRY(find_centers(o, error));
  SYN_TRY(choose_center(o, error));
  SYN_TRY(check_soft_parts(made, error));
  choose_frames(o);
  made->as_scanned = o->input->as_scanned;
  syn_hip_case_joint_surface(made);
  return SYN_OK;
}

/* Every report lists the files that were read. */
static syn_status keep_path(const syn_context *context, const char *path, char **copy, syn_error *error) {
  if (!path) return SYN_OK;
  SYN_TRY(SYN_NEW(context, copy, strlen(path) + 1, error));
  memcpy(*copy, path, strlen(path) + 1);
  return SYN_OK;
}

static syn_status check_kind(const syn_joint *joint, const char *file, syn_error *error) {
  if (!file) file = joint->name;
  const bool has_more = joint->turn_count || joint->articular_count || joint->directions[0][0];
  if (syn_joint_is_hip(joint)) {
    if (has_more)
      syn_warn(joint->context,
               "%s: a hip has motions, names of turns and a joint surface of its own; those of the file are left out",
               file);
    return SYN_OK;
  }
  const char *kind = syn_joint_kind(joint);
  return syn_fail_at(error, SYN_BAD_ARGUMENT, file, 0, -1,
                     "this joint is not a hip (its kind is %s): `synovia rom`, `synovia collide` and `synovia view` "
                     "take joints of any kind",
                     kind);
}

/* Starts with the joint in memory, that of the file, or one without a body. */
static syn_status start_joint(opening *o, syn_error *error) {
  const syn_context *context = o->made->context;
  const syn_joint *given = o->input->joint_in_memory;
  syn_joint **joint = &o->made->joint;
  if (!given && !o->input->joint) return syn_joint_create(context, joint, error);
  SYN_TRY(given ? syn_joint_copy(context, given, joint, error)
                : syn_joint_read(context, o->input->joint, joint, error));
  o->joint = *joint;
  return given && given->contact_count == 0 ? syn_joint_find_contacts(*joint, error) : SYN_OK;
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

syn_status syn_hip_case_create(const syn_context *context, const syn_hip_input *input, syn_hip_case **hip_case,
                               syn_error *error) {
  const syn_hip_input standard = syn_default_hip_input();
  *hip_case = NULL;
  if (!input) input = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(input, syn_default_hip_input, error));
  opening o = {.input = input};
  SYN_TRY(SYN_NEW_ZEROED(context, &o.made, 1, error));
  o.made->context = context;
  /* Read the joint and the meshes, then find anatomy, centre and frames. */
  syn_status status = start_joint(&o, error);
  if (status == SYN_OK && o.joint) status = check_kind(o.joint, input->joint, error);
  if (status == SYN_OK) status = keep_path(context, input->joint, &o.made->joint_file, error);
  if (status == SYN_OK) status = keep_path(context, input->landmarks, &o.made->landmarks_file, error);
  if (status == SYN_OK) status = read_meshes(&o, error);
  if (status == SYN_OK) status = smooth_bones(o.made, input->as_scanned || input->is_smooth, error);
  if (status == SYN_OK) status = join_femur(o.made, error);
  if (status == SYN_OK) status = understand(&o, error);
  if (status != SYN_OK) {
    syn_hip_case_destroy(o.made);
    return status;
  }
  syn_joint_warn_notes(o.made->joint);
  *hip_case = o.made;
  return SYN_OK;
}

void syn_hip_case_destroy(syn_hip_case *hip_case) {
  if (!hip_case) return;
  if (hip_case->femur != hip_case->hip.parts[SYN_HIP_FEMUR]) destroy_mesh(hip_case->femur);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) destroy_mesh(hip_case->merged[i]);
  syn_joint_destroy(hip_case->joint);
  syn_free(hip_case->context, hip_case->joint_file);
  syn_free(hip_case->context, hip_case->landmarks_file);
  syn_anatomy_destroy(hip_case->anatomy);
  syn_free(hip_case->context, hip_case);
}
