/* Computes 95 % intervals of measures: the same bones are measured repeatedly as another scan may have shown them.
 *
 * Surfaces move as those of motions do (motion/rom/band.h), and all anatomy is detected again on them: head, neck,
 * shaft, rim, landmarks and frames. That takes most of the time, so a surface is used for several draws of the centre
 * and the frames, which affect only the angles of the pelvis. */
#include <math.h>
#include <string.h>

#include <synovia/clinic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"
#include "clinic/center/center_draws.h"
#include "clinic/measure/measure.h"
#include "motion/rom/band.h"

/* With 200 draws there are 40 surfaces, whose min and max enclose 95 % of all such surfaces. */
enum { DRAWS_PER_SURFACE = 5 };

typedef struct sampling {
  const syn_context *context;
  const syn_anatomy *anatomy;
  syn_hip hip; /* both bones, as measured, with their frames and the centre of the measures */
  const syn_band_options *options;
  bool follows;           /* the centre is that of the head */
  syn_mat3 center_root;   /* of its covariance */
  double center_mm;       /* no draw moves it further */
  syn_vec3 axes_sd[2];    /* of the frames of pelvis and femur */
  syn_band_scan scans[2]; /* of both bones */
  size_t draws, surfaces;
  double gap;       /* between the bones as measured */
  double gap_reach; /* surface further from the centre has no part in the joint gap; INFINITY: any surface may have */
  double *values;   /* [(source * draws + draw) * SYN_MEASURES + measure]; of the surface alone only as many entries as
                       surfaces */
  double *kept;     /* [surface * SYN_MEASURES + measure]: of the surface, with head, neck and frame as detected */
} sampling;

static double *values_of(const sampling *s, syn_band_source source, size_t draw) {
  return s->values + ((size_t)source * s->draws + draw) * SYN_MEASURES;
}

/* ---- centre and frames ------------------------------------------------------------------------------------------- */

/* Cuts the socket from the pelvis, as far as any draw of the centre needs it. Vertices stay. */
static syn_status socket_of(const sampling *s, const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_vec3 center,
                            syn_arena *arena, syn_trimesh *socket, syn_error *error) {
  const double reach = 1.3 * anatomy->acetabulum.radius_mm + s->center_mm;
  syn_triangle *near;
  uint32_t count = 0;
  *socket = *pelvis;
  SYN_TRY(SYN_TAKE(arena, &near, pelvis->triangle_count, error));
  for (uint32_t t = 0; t < pelvis->triangle_count; ++t) {
    bool all = true;
    for (int c = 0; c < 3; ++c) all = all && vec3_distance(pelvis->vertices[pelvis->triangles[t].v[c]], center) < reach;
    if (all) near[count++] = pelvis->triangles[t];
  }
  socket->triangles = near;
  socket->triangle_count = count;
  socket->shared = NULL;
  return SYN_OK;
}

/* Landmarks rotate with the frame, so that the plane through them is as uncertain as the frame. */
static void turn_landmarks(const syn_hip_axes *from, const syn_hip_axes *to, syn_vec3 center, syn_anatomy *anatomy) {
  for (int i = SYN_LANDMARK_ASIS; i <= SYN_LANDMARK_ISCHIAL_TUBEROSITY; ++i) {
    const syn_vec3 off = vec3_sub(anatomy->landmarks[i].place, center);
    syn_vec3 turned = vec3_scale(to->flexion, vec3_dot(off, from->flexion));
    turned = vec3_madd(turned, vec3_dot(off, from->adduction), to->adduction);
    anatomy->landmarks[i].place = vec3_add(center, vec3_madd(turned, vec3_dot(off, from->rotation), to->rotation));
  }
}

/* Measures bones with this anatomy about this centre, in a draw of centre and frames; `measures` are those without the
 * draw. */
static void measure_draw(const sampling *s, const syn_trimesh *socket, const syn_anatomy *anatomy, syn_vec3 center,
                         syn_band_source source, size_t draw, syn_measures measures) {
  syn_hip hip = s->hip;
  syn_anatomy moved = *anatomy;
  hip.center = center;
  hip.pelvis_axes = anatomy->pelvis_axes;
  if (syn_band_moves(SYN_BAND_FRAME, source))
    syn_band_move_axes(s->options, draw, s->axes_sd, &hip.pelvis_axes, &hip.femur_axes);
  if (syn_band_moves(SYN_BAND_CENTER, source))
    hip.center = vec3_add(hip.center, syn_band_center_offset(s->options, draw, &s->center_root));
  moved.pelvis_axes = hip.pelvis_axes;
  turn_landmarks(&anatomy->pelvis_axes, &moved.pelvis_axes, center, &moved);
  if (socket) {
    syn_measure_pelvis(socket, &moved, hip.center, &measures);
    syn_measure_combined(&measures);
  }
  memcpy(values_of(s, source, draw), measures.value, SYN_MEASURES * sizeof *measures.value);
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

typedef struct scan {
  syn_trimesh *bones[2]; /* pelvis, femur */
  double moved[2];       /* max displacement of their vertices */
  syn_anatomy *anatomy;
  syn_vec3 center;
  syn_measures measures;
} scan;

static syn_status move_bones(const sampling *s, size_t surface, scan *made, syn_arena *arena, syn_error *error) {
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) {
    const syn_trimesh *mesh = s->hip.parts[part];
    syn_vec3 *moved;
    if (!mesh) continue;
    SYN_TRY(SYN_TAKE(arena, &moved, mesh->vertex_count, error));
    SYN_TRY(syn_band_move_points(s->context, s->options, surface, (size_t)part, s->scans[part].voxel_mm, s->hip.center,
                                 mesh->vertices, s->scans[part].normals, mesh->vertex_count, moved, error));
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
      made->moved[part] = max2(made->moved[part], vec3_distance(moved[v], mesh->vertices[v]));
    SYN_TRY(syn_trimesh_create(s->context, moved, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                               &made->bones[part], error));
  }
  return SYN_OK;
}

/* Detects the anatomy with the input of the caller: landmarks, axes, and with them the side and the approximate
 * position of the head. */
static syn_status find_anatomy(const sampling *s, scan *made, syn_error *error) {
  const syn_anatomy *known = s->anatomy;
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_found_point given[SYN_LANDMARK_SLOTS] = {{0}};
  for (int i = 0; i < SYN_LANDMARKS; ++i)
    if (known->landmarks[i].found == SYN_FOUND_GIVEN) given[i] = known->landmarks[i];
  options.given = given;
  options.side = &known->side;
  options.center = s->hip.parts[SYN_HIP_FEMUR] ? &known->head.center : &known->acetabulum.center;
  if (known->pelvis_frame == SYN_FRAME_GIVEN) options.axes = &known->pelvis_axes;
  SYN_TRY(syn_anatomy_create(s->context, made->bones[SYN_HIP_PELVIS], made->bones[SYN_HIP_FEMUR], &options,
                             &made->anatomy, error));
  if (s->follows) {
    syn_joint_sphere found;
    SYN_TRY(syn_head_sphere(made->bones[SYN_HIP_FEMUR], made->anatomy, &found, error));
    made->center = found.sphere.center;
    return SYN_OK;
  }
  /* The centre keeps its position in the head, or in the socket. */
  const bool head = made->bones[SYN_HIP_FEMUR];
  const syn_vec3 was = head ? known->head.center : known->acetabulum.center;
  const syn_vec3 is = head ? made->anatomy->head.center : made->anatomy->acetabulum.center;
  made->center = vec3_add(s->hip.center, vec3_sub(is, was));
  return SYN_OK;
}

static syn_status gap_within(const sampling *s, const scan *made, double reach, syn_measures *measures,
                             syn_error *error) {
  syn_trimesh *socket = NULL, *head = NULL;
  syn_status status = syn_band_near(made->bones[SYN_HIP_PELVIS], made->center, reach, &socket, error);
  if (status == SYN_OK) status = syn_band_near(made->bones[SYN_HIP_FEMUR], made->center, reach, &head, error);
  if (status == SYN_OK) status = syn_measure_gap(s->context, socket, head, made->center, measures, error);
  syn_trimesh_destroy(socket);
  syn_trimesh_destroy(head);
  return status;
}

/* Trees of whole bones take longer than all other measures, so they are built only if bones overlap: parts have no
 * inside. A gap changes by at most the displacement of its surfaces; beyond that a thin wall has intersected itself,
 * and its inside has no meaning. */
static syn_status measure_gap(const sampling *s, scan *made, syn_error *error) {
  double *gap = &made->measures.value[SYN_MEASURE_JOINT_GAP_MM];
  const double most = made->moved[SYN_HIP_PELVIS] + made->moved[SYN_HIP_FEMUR];
  if (!made->bones[SYN_HIP_PELVIS] || !made->bones[SYN_HIP_FEMUR]) return SYN_OK;
  if (isfinite(s->gap_reach)) SYN_TRY(gap_within(s, made, s->gap_reach, &made->measures, error));
  if (*gap > 0) return SYN_OK;
  SYN_TRY(syn_measure_gap(s->context, made->bones[SYN_HIP_PELVIS], made->bones[SYN_HIP_FEMUR], made->center,
                          &made->measures, error));
  *gap = min2(max2(*gap, s->gap - most), s->gap + most);
  return SYN_OK;
}

/* Measures alpha on the same sphere: the rest of its variation comes from the sphere. */
static syn_status measure_on_same_head(const sampling *s, size_t surface, const syn_trimesh *femur, syn_error *error) {
  syn_measures measures;
  for (int id = 0; id < SYN_MEASURES; ++id) syn_measure_set(&measures, (syn_measure_id)id, (double)NAN, NULL);
  if (femur) SYN_TRY(syn_measure_femur(femur, s->anatomy, &measures, error));
  memcpy(s->kept + surface * SYN_MEASURES, measures.value, SYN_MEASURES * sizeof *measures.value);
  return SYN_OK;
}

static syn_status measure_scan(const sampling *s, size_t surface, scan *made, syn_arena *arena, syn_error *error) {
  const syn_trimesh *pelvis = made->bones[SYN_HIP_PELVIS], *femur = made->bones[SYN_HIP_FEMUR];
  const size_t first = surface * DRAWS_PER_SURFACE;
  syn_trimesh socket;
  SYN_TRY(find_anatomy(s, made, error));
  SYN_TRY(syn_measure_shapes(pelvis, femur, made->anatomy, made->center, &made->measures, error));
  SYN_TRY(measure_on_same_head(s, surface, femur, error));
  SYN_TRY(measure_gap(s, made, error));
  if (pelvis) SYN_TRY(socket_of(s, pelvis, made->anatomy, made->center, arena, &socket, error));
  memcpy(values_of(s, SYN_BAND_SURFACE, surface), made->measures.value, SYN_MEASURES * sizeof(double));
  for (size_t draw = first; draw < first + DRAWS_PER_SURFACE && draw < s->draws; ++draw)
    measure_draw(s, pelvis ? &socket : NULL, made->anatomy, made->center, SYN_BAND_ALL, draw, made->measures);
  return SYN_OK;
}

/* Bones of a draw in which no hip is found have no measures. */
static void forget(const sampling *s, size_t surface) {
  const size_t first = surface * DRAWS_PER_SURFACE;
  for (size_t i = 0; i < SYN_MEASURES; ++i) {
    values_of(s, SYN_BAND_SURFACE, surface)[i] = s->kept[surface * SYN_MEASURES + i] = (double)NAN;
    for (size_t draw = first; draw < first + DRAWS_PER_SURFACE && draw < s->draws; ++draw)
      values_of(s, SYN_BAND_ALL, draw)[i] = (double)NAN;
  }
}

static syn_status run_surface(void *user, size_t surface, syn_error *error) {
  const sampling *s = user;
  syn_arena arena = {.context = s->context};
  scan made = {.anatomy = NULL};
  syn_status status = move_bones(s, surface, &made, &arena, error);
  if (status == SYN_OK) status = measure_scan(s, surface, &made, &arena, error);
  if (status != SYN_OK && status != SYN_NO_MEMORY) {
    forget(s, surface);
    status = SYN_OK;
  }
  syn_anatomy_destroy(made.anatomy);
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) syn_trimesh_destroy(made.bones[part]);
  syn_arena_release(&arena);
  return status;
}

/* ---- 95 % intervals ---------------------------------------------------------------------------------------------- */

/* Computes the interval of values[0], values[SYN_MEASURES], …. A measure missing in more than one of twenty draws is
 * too uncertain for an interval. */
static syn_band band_of(const double *values, size_t draws, double value, double *known) {
  size_t count = 0;
  for (size_t i = 0; i < draws; ++i)
    if (isfinite(values[i * SYN_MEASURES])) known[count++] = values[i * SYN_MEASURES];
  if (!isfinite(value) || 20 * count < 19 * draws || count == 0) return (syn_band){NAN, NAN};
  return syn_band_middle(known, count, value);
}

static void fill_bands(const sampling *s, const syn_measures *measures, double *known, syn_measure_bands *bands) {
  for (int id = 0; id < SYN_MEASURES; ++id) {
    const double value = measures->value[id];
    for (int k = 0; k < SYN_BAND_SOURCES; ++k)
      bands->of[id][k] = band_of(values_of(s, (syn_band_source)k, 0) + id,
                                 k == SYN_BAND_SURFACE ? s->surfaces : s->draws, value, known);
    if (syn_measure_is_alpha((syn_measure_id)id))
      bands->same_head[id] = band_of(s->kept + id, s->surfaces, value, known);
  }
}

typedef struct centers {
  const sampling *sampling;
  syn_trimesh socket;
  const syn_measures *measures;
} centers;

static syn_status run_center(void *user, size_t number, syn_error *error) {
  const centers *c = user;
  const sampling *s = c->sampling;
  const syn_band_source source = number < s->draws ? SYN_BAND_CENTER : SYN_BAND_FRAME;
  (void)error;
  measure_draw(s, s->hip.parts[SYN_HIP_PELVIS] ? &c->socket : NULL, s->anatomy, s->hip.center, source,
               number % s->draws, *c->measures);
  return SYN_OK;
}

/* Limits the gap to the joint, unless the bones are nearest to each other outside it. */
static syn_status find_gap_reach(sampling *s, const syn_measures *measures, syn_error *error) {
  const double gap = measures->value[SYN_MEASURE_JOINT_GAP_MM], reach = 1.5 * s->anatomy->acetabulum.radius_mm;
  syn_measures near = *measures;
  syn_trimesh quiet[2];
  scan itself = {.center = s->hip.center};
  s->gap = gap;
  s->gap_reach = INFINITY;
  if (!(gap > 0) || !s->hip.parts[SYN_HIP_PELVIS] || !s->hip.parts[SYN_HIP_FEMUR]) return SYN_OK;
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) {
    quiet[part] = *s->hip.parts[part];
    quiet[part].context = s->context;
    itself.bones[part] = &quiet[part];
  }
  SYN_TRY(gap_within(s, &itself, reach, &near, error));
  if (near.value[SYN_MEASURE_JOINT_GAP_MM] <= gap * (1 + 1e-9)) s->gap_reach = reach;
  return SYN_OK;
}

static syn_status draw_all(sampling *s, const syn_measures *measures, syn_arena *arena, syn_measure_bands *bands,
                           syn_error *error) {
  const syn_trimesh *pelvis = s->hip.parts[SYN_HIP_PELVIS];
  centers c = {.sampling = s, .measures = measures};
  double *known;
  SYN_TRY(SYN_TAKE(arena, &s->values, SYN_BAND_SOURCES * s->draws * SYN_MEASURES, error));
  SYN_TRY(SYN_TAKE(arena, &s->kept, s->surfaces * SYN_MEASURES, error));
  SYN_TRY(SYN_TAKE(arena, &known, s->draws, error));
  if (pelvis) SYN_TRY(socket_of(s, pelvis, s->anatomy, s->hip.center, arena, &c.socket, error));
  SYN_TRY(find_gap_reach(s, measures, error));
  SYN_TRY(syn_parallel_tasks(s->context, s->surfaces, run_surface, s, error));
  SYN_TRY(syn_parallel_tasks(s->context, 2 * s->draws, run_center, &c, error));
  fill_bands(s, measures, known, bands);
  return SYN_OK;
}

static syn_status prepare_center(sampling *s, syn_error *error) {
  syn_center_draws draws;
  const syn_status status = syn_center_draws_make(s->context, s->hip.parts[SYN_HIP_PELVIS], s->hip.parts[SYN_HIP_FEMUR],
                                                  s->anatomy, s->hip.center, vec3(0, 0, 0), s->options, &draws, error);
  s->follows = draws.follows;
  s->center_root = draws.root;
  s->center_mm = 0;
  for (int k = 0; k < 3; ++k) /* a normal number of ours is at most 6 */
    s->center_mm += 6 * (fabs(draws.root.row[k].x) + fabs(draws.root.row[k].y) + fabs(draws.root.row[k].z));
  syn_arena_release(&draws.arena);
  return status;
}

static syn_status prepare(sampling *s, syn_arena *arena, syn_error *error) {
  SYN_TRY(prepare_center(s, error));
  s->axes_sd[0] = s->anatomy->pelvis_frame_sd;
  s->axes_sd[1] = s->anatomy->femur_frame_sd;
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) {
    const syn_trimesh *mesh = s->hip.parts[part];
    syn_vec3 *normals;
    if (!mesh) continue;
    SYN_TRY(SYN_TAKE(arena, &normals, mesh->vertex_count, error));
    syn_trimesh_vertex_normals(mesh, normals);
    s->scans[part] = (syn_band_scan){mesh, normals, s->options->voxel_mm};
    if (!(s->scans[part].voxel_mm > 0)) SYN_TRY(syn_band_voxel(mesh, &s->scans[part].voxel_mm, error));
  }
  return SYN_OK;
}

syn_status syn_measure_bands_find(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                  const syn_anatomy *anatomy, const syn_vec3 *center, const syn_band_options *options,
                                  const syn_measures *measures, syn_measure_bands *bands, syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  SYN_TRY(syn_check_context(context, error));
  for (int id = 0; id < SYN_MEASURE_SLOTS; ++id) {
    bands->same_head[id] = (syn_band){NAN, NAN};
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) bands->of[id][k] = (syn_band){NAN, NAN};
  }
  if (options->draws == 0) return SYN_OK;
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  const syn_vec3 own = femur ? anatomy->head.center : anatomy->acetabulum.center;
  sampling s = {.context = &quiet,
                .anatomy = anatomy,
                .hip = {.parts = {pelvis, femur},
                        .side = anatomy->side,
                        .center = center ? *center : own,
                        .pelvis_axes = anatomy->pelvis_axes,
                        .femur_axes = anatomy->femur_axes},
                .options = options,
                .draws = options->draws,
                .surfaces = (options->draws + DRAWS_PER_SURFACE - 1) / DRAWS_PER_SURFACE};
  syn_arena arena = {.context = &quiet};
  syn_status status = prepare(&s, &arena, error);
  if (status == SYN_OK) status = draw_all(&s, measures, &arena, bands, error);
  syn_arena_release(&arena);
  return status;
}
