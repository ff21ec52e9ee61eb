/* Finds the pelvis: combines cups, halves, landmarks, frame and rim. */
#include <string.h>

#include "clinic/anatomy/pelvis.h"
#include "mesh/derived.h"

typedef struct pelvis_search {
  const syn_context *context;
  const syn_trimesh *mesh;
  const syn_anatomy_options *options;
  syn_anatomy *anatomy;
  syn_bone bone;
  syn_half halves[2]; /* the examined side, and the other one of a whole pelvis */
  int half_count;
  bool alike;        /* a hip bone was recognised: landmarks and frame can be found */
  double confidence; /* in its side against the other one */
  syn_side side;
  syn_side_frame frame; /* own coordinates, of the examined side */
  syn_frame_source source;
  bool lateral_known; /* both anterior spines were found */
} pelvis_search;

static const double SMALLEST_ADULT_HEAD = 18; /* mm */

/* Above this the landmarks are only outer points of another object. */
static const double greatest_misfit = 11;

/* The landmark of each spine, on the examined side and on the other one. */
static const struct {
  syn_landmark landmark[2];
} spine_landmarks[SYN_SPINES] = {
    [SYN_SPINE_ASIS] = {{SYN_LANDMARK_ASIS, SYN_LANDMARK_ASIS_OTHER}},
    [SYN_SPINE_PSIS] = {{SYN_LANDMARK_PSIS, SYN_LANDMARK_PSIS_OTHER}},
    [SYN_SPINE_AIIS] = {{SYN_LANDMARK_AIIS, SYN_LANDMARKS}},
    [SYN_SPINE_PUBIC_TUBERCLE] = {{SYN_LANDMARK_PUBIC_TUBERCLE, SYN_LANDMARK_PUBIC_TUBERCLE_OTHER}},
    [SYN_SPINE_ISCHIAL_SPINE] = {{SYN_LANDMARK_ISCHIAL_SPINE, SYN_LANDMARKS}},
    [SYN_SPINE_ISCHIAL_TUBEROSITY] = {{SYN_LANDMARK_ISCHIAL_TUBEROSITY, SYN_LANDMARKS}},
    [SYN_SPINE_SYMPHYSIS] = {{SYN_LANDMARKS, SYN_LANDMARKS}},
};

/* ---- cups: one or two halves ------------------------------------------------------------------------------------- */

/* Returns whether two cups are a pair: cups of the two hips open away from each other. */
static bool are_pair(const syn_cup *a, const syn_cup *b, double child) {
  const syn_vec3 apart = vec3_sub(a->sphere.center, b->sphere.center);
  const double distance = vec3_length(apart);
  return distance > 110 * child && distance < 260 && vec3_dot(a->normal, apart) > 0.35 * distance &&
         vec3_dot(b->normal, apart) < -0.35 * distance && fabs(a->sphere.radius_mm - b->sphere.radius_mm) < 6;
}

static syn_status choose_cups(pelvis_search *search, const syn_sphere_fit *head, syn_error *error) {
  syn_cup cups[SYN_CUP_CANDIDATES];
  size_t count, chosen = 0;
  SYN_TRY(syn_cups_find(&search->bone, head, cups, &count, error));
  if (!count)
    return syn_fail(
        error, SYN_BAD_MESH,
        "no acetabulum was found in the pelvis: there is no hollow half sphere of 16 to 36 mm radius. Check "
        "that the mesh is a pelvis, in mm, with its faces turned outward");
  if (head && vec3_distance(cups[0].sphere.center, head->center) > 15)
    return syn_fail(error, SYN_BAD_MESH,
                    "the femoral head is not in an acetabulum: the one found lies %.0f mm away. Check that femur and "
                    "pelvis are of the same hip, in one frame and unit",
                    vec3_distance(cups[0].sphere.center, head->center));
  /* Without a femur a given centre selects the side. */
  if (!head && search->options->center) {
    const syn_vec3 near = syn_bone_inward(&search->bone, *search->options->center);
    for (size_t i = 1; i < count; ++i)
      if (vec3_distance(cups[i].sphere.center, near) < vec3_distance(cups[chosen].sphere.center, near)) chosen = i;
  }
  search->halves[0].cup = cups[chosen];
  /* A second cup that mirrors the first one makes the pelvis whole. */
  search->half_count = 1;
  for (size_t i = 0; i < count && search->half_count == 1; ++i)
    if (i != chosen && are_pair(&cups[chosen], &cups[i], search->bone.child))
      search->halves[search->half_count++].cup = cups[i];
  return SYN_OK;
}

/* ---- halves ------------------------------------------------------------------------------------------------------ */

static void share_vertices(pelvis_search *search) {
  const syn_vec3 a = search->halves[0].cup.sphere.center, b = search->halves[1].cup.sphere.center;
  for (int k = 0; k < 2; ++k) {
    search->halves[k].middle = vec3_scale(vec3_add(a, b), 0.5);
    search->halves[k].beyond = vec3_unit(k ? vec3_sub(b, a) : vec3_sub(a, b));
  }
}

/* Returns the component of the cup, if it can be a hip bone: in a pelvis of several pieces the sacrum is left out,
 * while a set of loose triangles counts as one. */
static uint32_t component_of(const syn_bone *bone, const syn_cup *cup) {
  uint32_t nearest = SYN_NONE;
  double least = INFINITY;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    if (!syn_cup_has_vertex(cup, bone, i)) continue;
    const double off = fabs(vec3_distance(bone->points[i], cup->sphere.center) - cup->sphere.radius_mm);
    if (off < least) least = off, nearest = i;
  }
  if (nearest == SYN_NONE) return SYN_NONE;
  syn_box box = box_empty();
  for (uint32_t i = 0; i < bone->vertex_count; ++i)
    if (bone->component[i] == bone->component[nearest]) box_add(&box, bone->points[i]);
  return vec3_distance(box.min, box.max) > 120 ? bone->component[nearest] : SYN_NONE;
}

/* A triple of own coordinates keeps its handedness in the scene unless the own axes are left-handed. */
static bool own_axes_mirrored(const syn_bone *bone) {
  return vec3_dot(vec3_cross(bone->axes[0], bone->axes[1]), bone->axes[2]) < 0;
}

static syn_side side_of(const pelvis_search *search, const syn_side_frame *frame) {
  return syn_side_frame_mirrored(frame) == own_axes_mirrored(&search->bone) ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT;
}

/* Fits both halves with opposite handedness; the better assignment counts. Objects shorter than a child's hip bone are
 * skipped. */
static void recognise(pelvis_search *search) {
  const syn_vec3 extent = search->bone.extent;
  /* Too small for half a pelvis: no landmarks. */
  if (max2(extent.x, max2(extent.y, extent.z)) < 110 * search->bone.child) return;
  double misfit, rival;
  for (int k = 0; k < search->half_count; ++k)
    search->halves[k].component = component_of(&search->bone, &search->halves[k].cup);
  /* Half a pelvis: fit the typical bone as it is and mirrored. */
  if (search->half_count == 1) {
    syn_spines_find(&search->bone, 0, &search->halves[0], &rival);
    misfit = search->halves[0].misfit;
  } else {
    /* A whole pelvis: try both assignments of left and right to the two halves. */
    share_vertices(search);
    syn_half ways[2][2];
    double worst[2], unused;
    for (int way = 0; way < 2; ++way) {
      for (int k = 0; k < 2; ++k) {
        ways[way][k] = search->halves[k];
        syn_spines_find(&search->bone, way == k ? 1 : -1, &ways[way][k], &unused);
      }
      worst[way] = max2(ways[way][0].misfit, ways[way][1].misfit);
    }
    const int best = worst[1] < worst[0];
    memcpy(search->halves, ways[best], sizeof search->halves);
    misfit = worst[best];
    rival = worst[!best];
  }
  /* The confidence in the side grows with the ratio of both misfits. */
  const double ratio = misfit / rival;
  search->alike = misfit < greatest_misfit;
  search->confidence = search->alike ? 1 - ratio * ratio : 0;
}

/* In a whole pelvis without a femur either half may be meant. */
static void choose_half(pelvis_search *search, bool located) {
  const syn_side wanted = search->options->side ? *search->options->side : SYN_SIDE_RIGHT;
  if (search->half_count < 2 || located) return;
  if (!search->options->side)
    syn_warn(search->context, "the pelvis is whole and nothing says which hip is meant: the right one is taken");
  if (!search->alike || side_of(search, &search->halves[0].frame) == wanted) return;
  const syn_half swap = search->halves[0];
  search->halves[0] = search->halves[1];
  search->halves[1] = swap;
}

/* Determines the side by shape; else as stated; else by the direction of the cup in the axes of the scan. */
static syn_status decide_side(pelvis_search *search, syn_error *error) {
  const syn_side *asked = search->options->side;
  const bool told = search->anatomy->side_confidence > 0;
  if (search->alike) {
    search->side = side_of(search, &search->halves[0].frame);
    if (asked && *asked != search->side)
      return syn_fail(error, SYN_BAD_MESH,
                      "a %s hip was asked for, but the pelvis has the shape of a %s one there: the side is wrong, or "
                      "the mesh is mirrored",
                      syn_side_name(*asked), syn_side_name(search->side));
  } else if (asked || told)
    search->side = asked ? *asked : search->anatomy->side;
  else
    search->side =
        syn_bone_direction_outward(&search->bone, search->halves[0].cup.normal).x < 0 ? SYN_SIDE_RIGHT : SYN_SIDE_LEFT;
  if (!told) {
    search->anatomy->side = search->side;
    search->anatomy->side_confidence = asked ? 1 : search->confidence;
  }
  return SYN_OK;
}

/* ---- landmarks and frame ----------------------------------------------------------------------------------------- */

/* Returns the own coordinates of a landmark of the examined side (0) or the other one (1), given or found. */
static bool spine_place(const pelvis_search *search, syn_spine spine, int half, syn_vec3 *place) {
  const syn_found_point *point = &search->anatomy->landmarks[spine_landmarks[spine].landmark[half]];
  if (point->found == SYN_FOUND_GIVEN) {
    *place = syn_bone_inward(&search->bone, point->place);
    return true;
  }
  if (!search->alike || half >= search->half_count) return false;
  *place = search->bone.points[search->halves[half].vertex[spine]];
  return true;
}

/* Makes the best frame that the landmarks define; returns false if none. */
static bool make_frame(pelvis_search *search) {
  syn_vec3 asis[2] = {{0, 0, 0}, {0, 0, 0}}, psis[2] = {{0, 0, 0}, {0, 0, 0}};
  if (!spine_place(search, SYN_SPINE_ASIS, 0, &asis[0]) || !spine_place(search, SYN_SPINE_PSIS, 0, &psis[0]))
    return false;
  const bool other_asis = spine_place(search, SYN_SPINE_ASIS, 1, &asis[1]);
  const bool other_psis = spine_place(search, SYN_SPINE_PSIS, 1, &psis[1]);
  if (!other_asis && !search->alike) return false;
  const syn_vec3 lateral =
      other_asis ? vec3_sub(asis[0], asis[1]) : syn_half_lateral(&search->bone, &search->halves[0]);
  const bool both = other_asis && other_psis;
  search->source = both ? SYN_FRAME_ISB : SYN_FRAME_PARTIAL;
  search->lateral_known = other_asis;
  const syn_vec3 front = both ? vec3_scale(vec3_add(asis[0], asis[1]), 0.5) : asis[0];
  const syn_vec3 back = both ? vec3_scale(vec3_add(psis[0], psis[1]), 0.5) : psis[0];
  const bool mirrored = (search->side == SYN_SIDE_LEFT) != own_axes_mirrored(&search->bone);
  return syn_side_frame_make(lateral, front, back, mirrored, &search->frame);
}

/* Frame and landmarks depend on each other: iterates until the landmarks stay. */
static bool settle(pelvis_search *search) {
  enum { ROUNDS = 30 };
  if (!search->alike) return make_frame(search);
  for (int round = 0; round < ROUNDS; ++round) {
    bool same = true;
    for (int k = 0; k < search->half_count; ++k) same &= syn_spines_pick(&search->bone, &search->halves[k]);
    if (!make_frame(search)) return false;
    search->halves[0].view = search->halves[1].view = search->frame;
    search->halves[1].view.lateral = vec3_neg(search->frame.lateral);
    if (same && round) break;
  }
  return true;
}

/* ---- was the scan cut off where a landmark seems to be? ---------------------------------------------------------- */

static const double LEAST_CUT = 60; /* mm round a hole; smaller ones are defects of the surface, not its end */
static const double NEAR = 4;       /* mm from the edge */

static double loop_length(const syn_trimesh *mesh, const syn_topology *topology, uint32_t loop) {
  const uint32_t begin = topology->boundary_loop_start[loop], end = topology->boundary_loop_start[loop + 1];
  double length = 0;
  for (uint32_t i = begin, last = end - 1; i < end; last = i++)
    length += vec3_distance(mesh->vertices[topology->boundary_vertices[last]],
                            mesh->vertices[topology->boundary_vertices[i]]);
  return length;
}

static bool near_loop(const syn_trimesh *mesh, const syn_topology *topology, uint32_t loop, syn_vec3 place) {
  for (uint32_t i = topology->boundary_loop_start[loop]; i < topology->boundary_loop_start[loop + 1]; ++i)
    if (vec3_distance(mesh->vertices[topology->boundary_vertices[i]], place) < NEAR) return true;
  return false;
}

/* Sets whether one of these vertices of the mesh is at the edge of a large hole. */
static syn_status cut_at(const syn_trimesh *mesh, const uint32_t *vertices, int count, bool *cut, syn_error *error) {
  syn_derived *derived;
  *cut = false;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  for (uint32_t loop = 0; loop < topology->boundary_loop_count; ++loop) {
    if (loop_length(mesh, topology, loop) < LEAST_CUT) continue;
    for (int i = 0; i < count; ++i)
      *cut = *cut || (vertices[i] != SYN_NONE && near_loop(mesh, topology, loop, mesh->vertices[vertices[i]]));
  }
  syn_derived_release(derived);
  return SYN_OK;
}

/* Landmarks at the edge of a cut-off scan are invalid and not used for a frame. */
static syn_status settle_uncut(pelvis_search *search, bool *framed, syn_error *error) {
  *framed = settle(search);
  for (int k = 0; k < search->half_count && search->alike; ++k) {
    const uint32_t *vertex = search->halves[k].vertex;
    const uint32_t makes_frame[] = {vertex[SYN_SPINE_ASIS], vertex[SYN_SPINE_PSIS], vertex[SYN_SPINE_PUBIC_TUBERCLE]};
    bool cut;
    SYN_TRY(cut_at(search->mesh, makes_frame, 3, &cut, error));
    if (cut) search->alike = false;
  }
  if (!search->alike) *framed = settle(search);
  return SYN_OK;
}

static void take_given(pelvis_search *search) {
  const syn_found_point *given = search->options->given;
  for (int i = 0; given && i < SYN_LANDMARKS; ++i)
    if (given[i].found == SYN_FOUND_GIVEN) {
      search->anatomy->landmarks[i] = given[i];
      search->anatomy->landmarks[i].confidence = 1;
    }
}

static void tell_landmarks(const pelvis_search *search) {
  for (int half = 0; half < search->half_count && search->alike; ++half)
    for (int k = 0; k < SYN_SPINES; ++k) {
      const syn_landmark landmark = spine_landmarks[k].landmark[half];
      if (landmark == SYN_LANDMARKS) continue;
      syn_found_point *point = &search->anatomy->landmarks[landmark];
      const syn_vec3 found = search->mesh->vertices[search->halves[half].vertex[k]];
      if (point->found == SYN_FOUND_GIVEN)
        syn_doubt_landmark(search->context, landmark, point, found);
      else
        *point = (syn_found_point){SYN_FOUND_MESH, found,
                                   syn_spine_confidence(&search->bone, &search->halves[half], (syn_spine)k)};
    }
  if (!search->alike)
    syn_warn(search->context,
             "the pelvis is not a whole hip bone, so that its landmarks (iliac spines, pubic tubercle, "
             "ischium) were not found");
}

static syn_vec3 direction_inward(const syn_bone *bone, syn_vec3 direction) {
  return syn_bone_inward(bone, vec3_add(bone->origin, direction));
}

/* Converts the frame from own coordinates to the scene; if the axes are given, or only those of the scan remain, from
 * the scene to own coordinates. */
static void tell_frame(pelvis_search *search, bool framed) {
  syn_anatomy *anatomy = search->anatomy;
  const syn_bone *bone = &search->bone;
  /* Found: convert the frame to the scene. */
  if (framed && anatomy->pelvis_frame != SYN_FRAME_GIVEN) {
    const syn_side_frame scene = {syn_bone_direction_outward(bone, search->frame.lateral),
                                  syn_bone_direction_outward(bone, search->frame.front),
                                  syn_bone_direction_outward(bone, search->frame.up)};
    anatomy->pelvis_axes = syn_hip_axes_of(&scene, search->side);
    anatomy->pelvis_frame = search->source;
    anatomy->pelvis_frame_sd = syn_pelvis_frame_sd(search->source, search->lateral_known);
    return;
  }
  /* Neither found nor given: take the axes of the scan (LPS). */
  if (anatomy->pelvis_frame != SYN_FRAME_GIVEN) {
    const double lateral = search->side == SYN_SIDE_RIGHT ? -1 : 1;
    const syn_side_frame scan = {{lateral, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    anatomy->pelvis_axes = syn_hip_axes_of(&scan, search->side);
    anatomy->pelvis_frame = SYN_FRAME_BODY;
    anatomy->pelvis_frame_sd = syn_pelvis_frame_sd(SYN_FRAME_BODY, false);
    syn_warn(search->context, "the pelvis does not show how the body lies: the axes of the scan are taken for it (x to "
                              "the left, y to the back, z up)");
  }
  /* Later steps use the given or assumed frame. */
  const syn_side_frame scene = syn_side_frame_of(&anatomy->pelvis_axes, search->side);
  search->frame = (syn_side_frame){direction_inward(bone, scene.lateral), direction_inward(bone, scene.front),
                                   direction_inward(bone, scene.up)};
}

/* ---- the cup ----------------------------------------------------------------------------------------------------- */

static syn_status tell_cup(pelvis_search *search, syn_error *error) {
  syn_anatomy *anatomy = search->anatomy;
  syn_cup *cup = &search->halves[0].cup;
  const bool on_clock = anatomy->pelvis_frame != SYN_FRAME_BODY;
  SYN_TRY(syn_rim_find(&search->bone, cup, search->frame.up, search->frame.front, on_clock, anatomy->rim,
                       &anatomy->has_rim, error));
  SYN_TRY(SYN_NEW(search->context, &anatomy->lunate_vertices, search->mesh->vertex_count, error));
  for (uint32_t i = 0; i < search->mesh->vertex_count; ++i)
    anatomy->lunate_vertices[i] = syn_cup_has_vertex(cup, &search->bone, i);
  anatomy->acetabulum = cup->sphere;
  anatomy->acetabulum.center = syn_bone_outward(&search->bone, cup->sphere.center);
  anatomy->rim_normal = syn_bone_direction_outward(&search->bone, cup->normal);
  if (!anatomy->has_rim) {
    syn_warn(search->context, "the rim of the acetabulum could not be followed: more than half of it is missing");
    return SYN_OK;
  }
  anatomy->rim_center = syn_bone_outward(&search->bone, cup->rim_center);
  for (int i = 0; i < SYN_RIM_POINTS; ++i) anatomy->rim[i] = syn_bone_outward(&search->bone, anatomy->rim[i]);
  return SYN_OK;
}

/* The rim's plane shows the direction of the cup better than the joint surface. Its clock does not matter yet. */
static syn_status aim_cups(pelvis_search *search, syn_error *error) {
  for (int k = 0; k < search->half_count; ++k) {
    syn_vec3 unused[SYN_RIM_POINTS];
    bool found;
    syn_cup trial = search->halves[k].cup;
    const syn_vec3 up = vec3_any_normal(trial.normal);
    SYN_TRY(syn_rim_find(&search->bone, &trial, up, vec3_cross(trial.normal, up), false, unused, &found, error));
    if (found) search->halves[k].cup = trial;
  }
  return SYN_OK;
}

static syn_status find_all(pelvis_search *search, const syn_sphere_fit *head, syn_error *error) {
  syn_sphere_fit own_head;
  if (head) {
    search->bone.child = min2(1, head->radius_mm / SMALLEST_ADULT_HEAD);
    own_head = *head;
    own_head.center = syn_bone_inward(&search->bone, head->center);
  }
  SYN_TRY(choose_cups(search, head ? &own_head : NULL, error));
  SYN_TRY(aim_cups(search, error));
  recognise(search);
  choose_half(search, head || search->options->center);
  SYN_TRY(decide_side(search, error));
  take_given(search);
  bool framed;
  SYN_TRY(settle_uncut(search, &framed, error));
  tell_landmarks(search);
  tell_frame(search, framed);
  search->anatomy->pelvis_whole = search->half_count == 2;
  return tell_cup(search, error);
}

/* Returns the distance from the mesh to the point. */
static double nearest_vertex(const syn_trimesh *mesh, syn_vec3 point) {
  double nearest = INFINITY;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) nearest = min2(nearest, vec3_distance(mesh->vertices[v], point));
  return nearest;
}

syn_status syn_find_socket(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                           syn_sphere_fit *socket, syn_error *error) {
  syn_bone bone;
  syn_cup cups[SYN_CUP_CANDIDATES];
  size_t count = 0;
  *socket = (syn_sphere_fit){0};
  SYN_TRY(syn_bone_create(context, pelvis, &bone, error));
  const syn_status status = syn_cups_find(&bone, NULL, cups, &count, error);
  for (size_t i = 0; status == SYN_OK && i < count; ++i) {
    syn_sphere_fit sphere = cups[i].sphere;
    sphere.center = syn_bone_outward(&bone, sphere.center);
    if (i == 0 || nearest_vertex(femur, sphere.center) < nearest_vertex(femur, socket->center)) *socket = sphere;
  }
  syn_bone_release(&bone);
  return status;
}

syn_status syn_find_pelvis(const syn_context *context, const syn_trimesh *pelvis, const syn_anatomy_options *options,
                           const syn_sphere_fit *head, syn_anatomy *anatomy, syn_error *error) {
  pelvis_search search = {.context = context, .mesh = pelvis, .options = options, .anatomy = anatomy};
  SYN_TRY(syn_bone_create(context, pelvis, &search.bone, error));
  const syn_status status = find_all(&search, head, error);
  syn_bone_release(&search.bone);
  return status;
}
