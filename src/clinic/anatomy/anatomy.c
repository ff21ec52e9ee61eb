/* Finds the anatomy of both bones: uses what they imply about each other, and refuses bones that cannot form a hip. */

#include "clinic/anatomy/anatomy.h"
#include "base/memory.h"
#include "base/names.h"
#include "clinic/anatomy/bone_mesh.h"
#include "collide/magnitude.h"

static const double FURTHEST_CUP = 30;      /* mm between a head and the pelvis beyond which they are no joint */
static const double FURTHEST_CENTER = 8;    /* mm from the head's centre, beyond which a given one is doubtful */
static const double DOUBTFUL_LANDMARK = 30; /* mm: ten times the spread of raters */
static const double LARGEST_PART = 1500;    /* mm: no bone of a person is as long */
static const double SURE_SIDE = 0.5;        /* confidence from which a bone's side counts against the other's */

syn_anatomy_options syn_default_anatomy_options(void) { return (syn_anatomy_options){.cookie = SYN_COOKIE}; }

SYN_ENUM_NAMES(syn_frame_source, SYN_FRAME_SOURCES, [SYN_FRAME_ISB] = "isb", [SYN_FRAME_PARTIAL] = "partial",
               [SYN_FRAME_GIVEN] = "given", [SYN_FRAME_BODY] = "body");

SYN_ENUM_NAMES(syn_found,
               SYN_FOUND_WAYS, [SYN_FOUND_NOT] = "not found", [SYN_FOUND_MESH] = "mesh", [SYN_FOUND_GIVEN] = "given");

/* ---- failures ---------------------------------------------------------------------------------------------------- */

/* Returns whether the mesh given as the pelvis has a femoral head. */
static syn_status has_head(const syn_context *context, const syn_trimesh *mesh, bool *head, syn_error *error) {
  syn_bone_mesh bone;
  const syn_status status = syn_bone_mesh_prepare(context, mesh, "pelvis", &bone, error);
  if (status == SYN_OK) {
    const syn_head found = syn_bone_head(&bone, NULL);
    *head = syn_is_head(&found);
  }
  syn_bone_mesh_release(&bone);
  return status;
}

/* Explains why the femur was refused, if the bones were given in the wrong order. */
static syn_status explain(const syn_context *context, const syn_trimesh *pelvis, syn_status refused, syn_error *error) {
  bool exchanged = false;
  if (refused != SYN_BAD_MESH || !pelvis) return refused;
  const syn_status looked = has_head(context, pelvis, &exchanged, NULL);
  if (looked == SYN_NO_MEMORY) return syn_fail(error, SYN_NO_MEMORY, "out of memory");
  if (looked != SYN_OK || !exchanged) return refused;
  return syn_fail(error, SYN_BAD_MESH,
                  "the mesh given as the pelvis has a femoral head and the one given as the femur does not: are pelvis "
                  "and femur exchanged?");
}

syn_status syn_check_part(const syn_trimesh *mesh, const char *name, syn_error *error) {
  SYN_TRY(syn_check_surface(mesh, mesh->vertices, name, error));
  const syn_box box = syn_trimesh_bounds(mesh);
  const double across = mesh->vertex_count ? vec3_distance(box.min, box.max) : 0;
  if (across <= LARGEST_PART) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s is %.4g mm across, larger than any %s: lengths must be in mm, only this part may be in the "
                  "file, and a vertex that lies far away is damaged",
                  name, across, name);
}

static syn_status check_distance(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_error *error) {
  double nearest = INFINITY;
  for (uint32_t v = 0; v < pelvis->vertex_count; ++v)
    nearest = min2(nearest, vec3_distance(pelvis->vertices[v], anatomy->head.center));
  if (nearest <= anatomy->head.radius_mm + FURTHEST_CUP) return SYN_OK;
  return syn_fail(
      error, SYN_BAD_MESH,
      "pelvis and femur lie far apart: the pelvis comes no nearer than %.0f mm to the centre of the femoral "
      "head; were the meshes exported in one frame, and are both of the same side?",
      nearest);
}

static syn_status check_cup(const syn_anatomy *anatomy, syn_error *error) {
  if (!isfinite(anatomy->acetabulum.radius_mm)) return SYN_OK;
  const double apart = vec3_distance(anatomy->head.center, anatomy->acetabulum.center);
  if (apart <= anatomy->head.radius_mm) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the femoral head does not sit in the acetabulum: their centres are %.0f mm apart; were the meshes "
                  "exported in one frame, and are both of the same side?",
                  apart);
}

static bool landmark_of_pelvis(syn_landmark landmark) {
  return landmark >= SYN_LANDMARK_ASIS && landmark <= SYN_LANDMARK_ISCHIAL_TUBEROSITY;
}

void syn_doubt_landmark(const syn_context *context, syn_landmark which, const syn_found_point *given, syn_vec3 found) {
  const double apart = vec3_distance(given->place, found);
  if (apart > DOUBTFUL_LANDMARK)
    syn_warn(
        context,
        "the landmark %s lies %.0f mm from where the mesh shows it: check its name, its side, and that it is in mm "
        "and in the frame of the meshes",
        syn_landmark_name(which), apart);
}

/* A hip rotates about a point near the middle of its head. A centre outside it comes from another file, frame, unit or
 * side. */
static syn_status check_center(const syn_context *context, const char *name, const syn_sphere_fit *sphere,
                               const syn_anatomy_options *options, syn_error *error) {
  if (!options->center || !isfinite(sphere->radius_mm)) return SYN_OK;
  const syn_vec3 given = *options->center, found = sphere->center;
  const double apart = vec3_distance(given, found);
  if (apart > sphere->radius_mm)
    return syn_fail(error, SYN_BAD_MESH,
                    "the centre given, (%.1f, %.1f, %.1f), lies %.0f mm from that of the %s, (%.1f, %.1f, %.1f), which "
                    "has a radius of %.1f mm: is it of this hip, in mm and in the frame of the meshes? Without one the "
                    "centre is found",
                    given.x, given.y, given.z, apart, name, found.x, found.y, found.z, sphere->radius_mm);
  if (apart > FURTHEST_CENTER)
    syn_warn(context, "the centre given lies %.1f mm from that of the %s: check it, since every angle depends on it",
             apart, name);
  return SYN_OK;
}

/* Returns the max distance of a landmark from the mesh of its bone: the mesh may be the acetabulum alone, one half of a
 * pelvis or the upper end of a femur. */
static double furthest_landmark(syn_landmark landmark) {
  switch (landmark) {
  case SYN_LANDMARK_ASIS_OTHER:
  case SYN_LANDMARK_PSIS_OTHER:
  case SYN_LANDMARK_PUBIC_TUBERCLE_OTHER: return 450;
  default: return landmark_of_pelvis(landmark) ? 300 : 600;
  }
}

static syn_status check_landmark(const syn_trimesh *bone, const char *name, syn_landmark which, syn_vec3 place,
                                 syn_error *error) {
  double nearest = INFINITY;
  for (uint32_t v = 0; v < bone->vertex_count; ++v) nearest = min2(nearest, vec3_distance(bone->vertices[v], place));
  if (nearest <= furthest_landmark(which)) return SYN_OK;
  return syn_fail(
      error, SYN_BAD_MESH,
      "the landmark %s, (%.1f, %.1f, %.1f), lies %.0f mm from the %s: is it of this person, in mm and in the "
      "frame of the meshes? Without it the landmark is looked for on the mesh",
      syn_landmark_name(which), place.x, place.y, place.z, nearest, name);
}

static syn_status check_landmarks(const syn_trimesh *pelvis, const syn_trimesh *femur,
                                  const syn_anatomy_options *options, syn_error *error) {
  for (int i = 0; options->given && i < SYN_LANDMARKS; ++i) {
    const bool of_pelvis = landmark_of_pelvis((syn_landmark)i);
    const syn_trimesh *bone = of_pelvis ? pelvis : femur;
    if (!bone || options->given[i].found != SYN_FOUND_GIVEN) continue;
    SYN_TRY(check_landmark(bone, of_pelvis ? "pelvis" : "femur", (syn_landmark)i, options->given[i].place, error));
  }
  return SYN_OK;
}

/* Determines the side from the cup, which opens to it. */
static bool pelvis_side(const syn_anatomy *anatomy, syn_side *side) {
  if (!anatomy->has_rim || (anatomy->pelvis_frame != SYN_FRAME_ISB && anatomy->pelvis_frame != SYN_FRAME_PARTIAL))
    return false;
  *side = vec3_dot(anatomy->rim_normal, anatomy->pelvis_axes.flexion) > 0 ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT;
  return true;
}

static syn_status check_sides(const syn_anatomy *anatomy, const syn_anatomy_options *options, bool both,
                              syn_error *error) {
  syn_side pelvis;
  const bool sure = anatomy->side_confidence >= SURE_SIDE;
  if (sure && options->side && *options->side != anatomy->side)
    return syn_fail(error, SYN_BAD_MESH, "the hip is given as a %s one, but has the shape of a %s one: is it mirrored?",
                    syn_side_name(*options->side), syn_side_name(anatomy->side));
  if (sure && both && pelvis_side(anatomy, &pelvis) && pelvis != anatomy->side)
    return syn_fail(error, SYN_BAD_MESH,
                    "the femur has the shape of a %s one and the pelvis that of a %s one: is one of them mirrored?",
                    syn_side_name(anatomy->side), syn_side_name(pelvis));
  return SYN_OK;
}

/* A femur that hardly shows its side has that of the pelvis. */
static void take_side_of_pelvis(syn_anatomy *anatomy) {
  syn_side pelvis;
  if (anatomy->side_confidence < SURE_SIDE && pelvis_side(anatomy, &pelvis)) anatomy->side = pelvis;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static void begin(const syn_context *context, const syn_anatomy_options *options, syn_anatomy *anatomy) {
  *anatomy = (syn_anatomy){.context = context};
  if (options->side) anatomy->side = *options->side;
  anatomy->head.radius_mm = anatomy->head.residual_mm = (double)NAN;
  anatomy->acetabulum.radius_mm = anatomy->acetabulum.residual_mm = (double)NAN;
  anatomy->pelvis_frame = anatomy->femur_frame = SYN_FRAME_BODY;
  if (options->axes) {
    anatomy->pelvis_axes = anatomy->femur_axes = *options->axes;
    anatomy->pelvis_frame = anatomy->femur_frame = SYN_FRAME_GIVEN;
  }
  for (int i = 0; options->given && i < SYN_LANDMARKS; ++i) {
    if (options->given[i].found != SYN_FOUND_GIVEN) continue;
    anatomy->landmarks[i] = options->given[i];
    anatomy->landmarks[i].confidence = 1;
  }
}

/* Returns the position of the head as stated by the caller. */
static bool known_center(const syn_anatomy_options *options, syn_toward *toward) {
  const syn_found_point *head = options->given ? &options->given[SYN_LANDMARK_HEAD_CENTER] : NULL;
  if (options->center)
    *toward = (syn_toward){*options->center, "the centre given", 0};
  else if (head && head->found == SYN_FOUND_GIVEN)
    *toward = (syn_toward){head->place, "the landmark head_center", 0};
  return toward->name;
}

static syn_status find_with(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                            const syn_anatomy_options *options, const syn_toward *toward, syn_anatomy *anatomy,
                            syn_error *error) {
  double below_head_mm = 0;
  if (femur) {
    const syn_status status = syn_find_femur(context, femur, options, toward, anatomy, &below_head_mm, error);
    if (status != SYN_OK) return explain(context, pelvis, status, error);
    SYN_TRY(check_center(context, "femoral head", &anatomy->head, options, error));
    SYN_TRY(check_sides(anatomy, options, false, error));
  }
  if (pelvis) {
    if (femur) SYN_TRY(check_distance(pelvis, anatomy, error));
    SYN_TRY(syn_find_pelvis(context, pelvis, options, femur ? &anatomy->head : NULL, anatomy, error));
  }
  if (!femur) return check_center(context, "acetabulum", &anatomy->acetabulum, options, error);
  if (pelvis) {
    SYN_TRY(check_cup(anatomy, error));
    SYN_TRY(check_sides(anatomy, options, true, error));
    take_side_of_pelvis(anatomy);
  }
  if (anatomy->femur_frame == SYN_FRAME_GIVEN) return SYN_OK;
  return syn_femur_frame(context, pelvis, below_head_mm, anatomy, error);
}

/* Finds an aspherical head by its socket. If it is not in a socket, the refusal stands. */
static syn_status find_in_socket(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                 const syn_anatomy_options *options, syn_anatomy *anatomy, syn_error *error) {
  syn_sphere_fit socket;
  syn_error told;
  const syn_status looked = syn_find_socket(context, pelvis, femur, &socket, &told);
  if (looked == SYN_NO_MEMORY && error) *error = told;
  if (looked == SYN_NO_MEMORY) return looked;
  if (looked != SYN_OK || !(socket.radius_mm > 0)) return SYN_BAD_MESH;
  syn_free(context, anatomy->head_vertices);
  syn_free(context, anatomy->lunate_vertices);
  begin(context, options, anatomy);
  const syn_toward toward = {socket.center, "the centre of the acetabulum", socket.radius_mm};
  const syn_status status = find_with(context, pelvis, femur, options, &toward, anatomy, &told);
  if (status == SYN_NO_MEMORY && error) *error = told;
  return status == SYN_OK || status == SYN_NO_MEMORY ? status : SYN_BAD_MESH;
}

static syn_status find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                       const syn_anatomy_options *options, syn_anatomy *anatomy, syn_error *error) {
  if (pelvis) SYN_TRY(syn_check_part(pelvis, "pelvis", error));
  if (femur) SYN_TRY(syn_check_part(femur, "femur", error));
  if (options->center) SYN_TRY(syn_check_point(*options->center, "the centre", error));
  SYN_TRY(check_landmarks(pelvis, femur, options, error));
  syn_toward toward = {{0, 0, 0}, NULL, 0};
  const bool known = known_center(options, &toward);
  const syn_status status = find_with(context, pelvis, femur, options, known ? &toward : NULL, anatomy, error);
  if (status != SYN_BAD_MESH || !pelvis || !femur || known) return status;
  return find_in_socket(context, pelvis, femur, options, anatomy, error);
}

/* A missing bone gets the frame of the other one, as in neutral position. */
static void share_frames(syn_anatomy *anatomy, bool has_pelvis, bool has_femur) {
  if (!has_pelvis) {
    anatomy->pelvis_axes = anatomy->femur_axes;
    anatomy->pelvis_frame = anatomy->femur_frame;
    anatomy->pelvis_frame_sd = anatomy->femur_frame_sd;
  }
  if (!has_femur) {
    anatomy->femur_axes = anatomy->pelvis_axes;
    anatomy->femur_frame = anatomy->pelvis_frame;
    anatomy->femur_frame_sd = anatomy->pelvis_frame_sd;
  }
}

syn_status syn_anatomy_create(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                              const syn_anatomy_options *options, syn_anatomy **anatomy, syn_error *error) {
  const syn_anatomy_options standard = syn_default_anatomy_options();
  if (!options) options = &standard;
  *anatomy = NULL;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_anatomy_options, error));
  SYN_TRY(syn_check_context(context, error));
  context = syn_context_or_default(context);
  if (!pelvis && !femur)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is neither a pelvis nor a femur to find anatomy on");
  syn_anatomy *found;
  SYN_TRY(SYN_NEW(context, &found, 1, error));
  begin(context, options, found);
  const syn_status status = find(context, pelvis, femur, options, found, error);
  if (status != SYN_OK) {
    syn_anatomy_destroy(found);
    return status;
  }
  share_frames(found, pelvis, femur);
  *anatomy = found;
  return SYN_OK;
}

void syn_anatomy_destroy(syn_anatomy *anatomy) {
  if (!anatomy) return;
  const syn_context *context = anatomy->context;
  syn_free(context, anatomy->head_vertices);
  syn_free(context, anatomy->lunate_vertices);
  syn_free(context, anatomy);
}
