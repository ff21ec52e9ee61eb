/* Simulates a graft along the motion of the knee: its position, its equilibrium and its results at every angle. */
#include <math.h>
#include <string.h>

#include <synovia/collide.h>
#include <synovia/tissue.h>

#include "base/vec.h"
#include "clinic/surgery/graft.h"
#include "shape/tet_shapes.h"
#include "tissue/fem/fem.h"

/* ---- position ---------------------------------------------------------------------------------------------------- */

/* Returns the pose of the tibia at an angle. */
static syn_pose pose_of_tibia(const syn_graft_options *options, double flexion) {
  const syn_pose bend = syn_pose_about_axis(options->center, options->axis, flexion);
  const syn_pose turn = syn_pose_about_axis(options->center, options->long_axis, options->rotation);
  return syn_pose_compose(&bend, &turn);
}

/* Includes the last angle. */
static size_t count_angles(const syn_graft_options *options) {
  return (size_t)floor((options->to - options->from) / options->step + 1e-9) + 1;
}

static double flexion_at(const syn_graft_options *options, size_t row) {
  return options->from + (double)row * options->step;
}

syn_status syn_graft_frame_of(const syn_graft_options *options, const syn_graft_tunnels *tunnels,
                              syn_graft_frame *frame, syn_error *error) {
  const syn_pose fixed = pose_of_tibia(options, options->from);
  const syn_vec3 way = vec3_sub(syn_pose_point(&fixed, tunnels->tibia), tunnels->femur);
  const syn_vec3 wide = vec3_length2(options->across) > 0 ? options->across : options->axis;
  frame->origin = tunnels->femur;
  frame->along = vec3_unit(way);
  frame->across = vec3_unit(vec3_madd(wide, -vec3_dot(wide, frame->along), frame->along));
  frame->up = vec3_cross(frame->along, frame->across);
  frame->length_mm = options->length_mm > 0 ? options->length_mm : vec3_length(way);
  if (vec3_length2(frame->along) == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "both tunnels of the graft end at the same place");
  if (vec3_length2(frame->across) == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the graft's width points along the graft; give another direction");
  return SYN_OK;
}

static syn_vec3 mean_of(const syn_vec3 *points, size_t count) {
  syn_vec3 sum = vec3(0, 0, 0);
  for (size_t i = 0; i < count; ++i) sum = vec3_add(sum, points[i]);
  return vec3_scale(sum, 1 / (double)count);
}

syn_pose syn_graft_carried(const syn_vec3 *rest, const syn_vec3 *places, size_t count) {
  const syn_vec3 from = mean_of(rest, count), to = mean_of(places, count);
  double product[9] = {0}, turn[9];
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 a = vec3_sub(rest[i], from), b = vec3_sub(places[i], to);
    for (int k = 0; k < 9; ++k) product[k] += vec3_at(b, k / 3) * vec3_at(a, k % 3);
  }
  syn_fem_polar_by_eigenvectors(product, turn);
  syn_pose pose;
  for (int i = 0; i < 3; ++i) pose.rotation.row[i] = vec3(turn[3 * i], turn[3 * i + 1], turn[3 * i + 2]);
  pose.translation = vec3_sub(to, syn_pose_direction(&pose, from));
  return pose;
}

/* Full width in the middle half, narrower from there to both ends. */
static double narrowed(double taper, double s) { return 1 - taper * fmax(0, 2 * fabs(2 * s - 1) - 1); }

syn_vec3 syn_graft_point(const syn_graft_options *options, const syn_graft_frame *frame, double u, double v, double s) {
  const double size = narrowed(options->taper, s);
  const syn_vec3 middle = vec3_madd(frame->origin, s * frame->length_mm, frame->along);
  const syn_vec3 aside = vec3_madd(middle, u * size * options->width_mm / 2, frame->across);
  return vec3_madd(aside, v * size * options->height_mm / 2, frame->up);
}

double syn_graft_part_below(const double values[3]) {
  int below = 0;
  for (int c = 0; c < 3; ++c) below += values[c] <= 0;
  if (below % 3 == 0) return below / 3;
  int alone = 0; /* the vertex alone on its side of 0: it cuts off a similar triangle */
  while ((values[alone] <= 0) != (below == 1)) ++alone;
  const double at = values[alone], next = values[(alone + 1) % 3], last = values[(alone + 2) % 3];
  const double cut = at / (at - next) * (at / (at - last));
  return below == 1 ? cut : 1 - cut;
}

double syn_graft_strain(const syn_graft_options *options, const syn_graft_frame *frame, double *slack_mm) {
  const syn_pose fixed = pose_of_tibia(options, options->from), back = syn_pose_inverse(&fixed);
  double most = 0;
  *slack_mm = 0;
  for (size_t row = 0; row < count_angles(options); ++row) {
    const syn_pose there = pose_of_tibia(options, flexion_at(options, row));
    const syn_pose moved = syn_pose_compose(&there, &back);
    for (int u = -1; u <= 1; ++u)
      for (int v = -1; v <= 1; ++v) {
        const syn_vec3 from = syn_graft_point(options, frame, u, v, 0);
        const syn_vec3 to = syn_pose_point(&moved, syn_graft_point(options, frame, u, v, 1));
        const double longer = vec3_distance(from, to) - frame->length_mm;
        most = fmax(most, longer / frame->length_mm);
        if (u == 0 && v == 0) *slack_mm = fmax(*slack_mm, -longer);
      }
  }
  return most;
}

/* ---- one graft --------------------------------------------------------------------------------------------------- */

/* One graft in motion. Arrays come from the arena. */
typedef struct motion {
  const syn_graft_options *options;
  const syn_context *context;
  const syn_graft_bones *bones;
  syn_graft_frame frame;
  syn_pose back; /* inverse of the tibia's pose in which the graft is fixed */
  syn_arena memory;
  syn_soft *soft;
  syn_simulation *simulation; /* NULL for vdm */
  uint32_t body;
  syn_pose carried; /* from the frame of x to the femur's: see settle_vdm; the same for fem */
  syn_vec3 *x;      /* nodes */
  double *along;    /* position of each node along the graft at rest, 0 to 1 */
  uint32_t *ends;   /* nodes at either end */
  size_t end_count;
  syn_vec3 *end_rest, *end_places; /* of them */
  syn_vec3 *skin;                  /* positions of the skin's vertices */
  double *skin_along;              /* position of each along the graft */
  syn_sym3 *stress, *skin_stress;
  syn_surface_point *nearest;
  syn_location *sides;
} motion;

static syn_vec3 grid_point(const void *user, const uint32_t at[3]) {
  const motion *m = user;
  const uint32_t *cells = m->options->cells;
  return syn_graft_point(m->options, &m->frame, 2.0 * at[0] / cells[0] - 1, 2.0 * at[1] / cells[1] - 1,
                         (double)at[2] / cells[2]);
}

/* Makes hexahedra, which bend without locking. */
static syn_status make_bricks(motion *m, const syn_soft_options *tissue, syn_error *error) {
  const uint32_t *cells = m->options->cells, row = cells[0] + 1, layer = row * (cells[1] + 1);
  syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                       .node_count = layer * (cells[2] + 1),
                       .element_count = cells[0] * cells[1] * cells[2]};
  syn_vec3 *nodes;
  uint32_t *elements;
  SYN_TRY(SYN_TAKE(&m->memory, &nodes, mesh.node_count, error));
  SYN_TRY(SYN_TAKE(&m->memory, &elements, 8 * (size_t)mesh.element_count, error));
  mesh.nodes = nodes;
  mesh.elements = elements;
  /* Nodes across, up and along; each begins an element unless it is on a far side. */
  uint32_t at[3];
  for (at[2] = 0; at[2] <= cells[2]; ++at[2])
    for (at[1] = 0; at[1] <= cells[1]; ++at[1])
      for (at[0] = 0; at[0] <= cells[0]; ++at[0]) {
        const uint32_t first = at[2] * layer + at[1] * row + at[0];
        *nodes++ = grid_point(m, at);
        if (at[0] == cells[0] || at[1] == cells[1] || at[2] == cells[2]) continue;
        const uint32_t corners[] = {first, first + 1, first + 1 + row, first + row};
        for (int c = 0; c < 8; ++c) *elements++ = corners[c % 4] + (c < 4 ? 0 : layer);
      }
  return syn_soft_fem_create(m->context, &mesh, tissue, &m->soft, error);
}

static syn_status make_surface(motion *m, const syn_soft_options *tissue, syn_error *error) {
  const syn_tet_grid grid = {.cells = {m->options->cells[0], m->options->cells[1], m->options->cells[2]},
                             .mirrored = {true, true, true}, /* so that both ends are symmetric */
                             .place = grid_point,
                             .user = m};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(m->context, &grid, &mesh, error));
  const syn_body body = {
      .name = "graft", .tissue = SYN_TISSUE_LIGAMENT, .material = syn_material_unknown(), .volume = mesh};
  const syn_status status = syn_soft_create(m->context, "vdm", &body, tissue, &m->soft, error);
  syn_tetmesh_destroy(mesh);
  return status;
}

static bool is_fem(const motion *m) { return strcmp(m->options->model, "fem") == 0; }

static syn_status make_soft(motion *m, syn_error *error) {
  syn_soft_options tissue = m->options->tissue;
  tissue.fibre = m->frame.along;
  return is_fem(m) ? make_bricks(m, &tissue, error) : make_surface(m, &tissue, error);
}

static double place_along(const motion *m, syn_vec3 p) {
  return vec3_dot(vec3_sub(p, m->frame.origin), m->frame.along) / m->frame.length_mm;
}

static bool at_femur(double along) { return along < 1e-9; }
static bool at_tibia(double along) { return along > 1 - 1e-9; }

static syn_status take_arrays(motion *m, syn_error *error) {
  const uint32_t nodes = syn_soft_node_count(m->soft);
  const syn_trimesh *skin = syn_soft_skin(m->soft);
  SYN_TRY(SYN_TAKE(&m->memory, &m->x, nodes, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->along, nodes, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->stress, nodes, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->skin, skin->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->skin_stress, skin->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->skin_along, skin->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->nearest, skin->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->sides, skin->vertex_count, error));
  for (uint32_t i = 0; i < nodes; ++i) m->along[i] = place_along(m, syn_soft_rest(m->soft)[i]);
  for (uint32_t i = 0; i < skin->vertex_count; ++i) m->skin_along[i] = place_along(m, skin->vertices[i]);
  memcpy(m->x, syn_soft_rest(m->soft), nodes * sizeof *m->x);
  return SYN_OK;
}

static syn_status find_ends(motion *m, syn_error *error) {
  const uint32_t nodes = syn_soft_node_count(m->soft);
  SYN_TRY(SYN_TAKE(&m->memory, &m->ends, nodes, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->end_rest, nodes, error));
  SYN_TRY(SYN_TAKE(&m->memory, &m->end_places, nodes, error));
  for (uint32_t i = 0; i < nodes; ++i) {
    if (!at_femur(m->along[i]) && !at_tibia(m->along[i])) continue;
    m->end_rest[m->end_count] = syn_soft_rest(m->soft)[i];
    m->ends[m->end_count++] = i;
  }
  return SYN_OK;
}

static syn_status hold_ends(motion *m, syn_error *error) {
  syn_simulation_options options = syn_default_simulation_options();
  options.halvings = 0; /* halving is done for the angle instead */
  options.integrator = SYN_INTEGRATOR_STATIC;
  SYN_TRY(syn_simulation_create(m->context, &options, &m->simulation, error));
  SYN_TRY(syn_simulation_add_soft(m->simulation, m->soft, "graft", &m->body, error));
  for (size_t i = 0; i < m->end_count; ++i)
    SYN_TRY(syn_simulation_prescribe(m->simulation, m->body, m->ends[i], 7, SYN_NONE, error));
  return SYN_OK;
}

static void end_motion(motion *m) {
  syn_simulation_destroy(m->simulation);
  syn_soft_destroy(m->soft);
  syn_arena_release(&m->memory);
}

static syn_status begin_motion(motion *m, syn_error *error) {
  const syn_pose fixed = pose_of_tibia(m->options, m->options->from);
  m->back = syn_pose_inverse(&fixed);
  m->carried = syn_pose_identity();
  m->memory.context = m->context;
  SYN_TRY(make_soft(m, error));
  SYN_TRY(take_arrays(m, error));
  SYN_TRY(find_ends(m, error));
  return is_fem(m) ? hold_ends(m, error) : SYN_OK;
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------- */

/* Returns the positions of the tibial end's nodes at an angle. A graft shorter or longer than the distance between the
 * outlets is pulled or pushed there. */
static syn_vec3 tibial_place(const motion *m, const syn_graft_tunnels *tunnels, double flexion, syn_vec3 rest) {
  const syn_pose fixed = pose_of_tibia(m->options, m->options->from), there = pose_of_tibia(m->options, flexion);
  const syn_vec3 outlet = syn_pose_point(&fixed, tunnels->tibia);
  const syn_vec3 end = vec3_madd(m->frame.origin, m->frame.length_mm, m->frame.along);
  const syn_pose moved = syn_pose_compose(&there, &m->back);
  return syn_pose_point(&moved, vec3_add(rest, vec3_sub(outlet, end)));
}

static syn_status settle_fem(motion *m, const syn_graft_tunnels *tunnels, double flexion, syn_error *error) {
  for (size_t i = 0; i < m->end_count; ++i)
    if (at_tibia(m->along[m->ends[i]]))
      syn_simulation_move_node(m->simulation, m->body, m->ends[i], tibial_place(m, tunnels, flexion, m->end_rest[i]));
  SYN_TRY(syn_simulation_step(m->simulation, error));
  memcpy(m->x, syn_simulation_positions(m->simulation, m->body), syn_soft_node_count(m->soft) * sizeof *m->x);
  return SYN_OK;
}

/* B_i ties every node to its rest position. Measured in the femur's frame, a graft that only rotates with the bones is
 * strained, and as B_i is 75 times B_ij its end would leave it behind. Only a change of shape causes strain (Sundaraj
 * 2004, §3.2.9), so displacements are measured in a frame that moves with the graft. docs/evidence/graft.md compares
 * the readings. */
static syn_status settle_vdm(motion *m, const syn_graft_tunnels *tunnels, double flexion, syn_error *error) {
  for (size_t i = 0; i < m->end_count; ++i) {
    const syn_vec3 rest = m->end_rest[i];
    m->end_places[i] = at_femur(m->along[m->ends[i]]) ? rest : tibial_place(m, tunnels, flexion, rest);
  }
  m->carried = syn_graft_carried(m->end_rest, m->end_places, m->end_count);
  const syn_pose home = syn_pose_inverse(&m->carried);
  for (size_t i = 0; i < m->end_count; ++i) {
    const syn_vec3 away = vec3_sub(syn_pose_point(&home, m->end_places[i]), m->end_rest[i]);
    SYN_TRY(syn_vdm_prescribe(m->soft, m->ends[i], SYN_XYZ, SYN_VDM_CONSTRAINED, away, error));
  }
  return syn_vdm_solve(m->soft, m->x, NULL, error);
}

/* Solves from one angle to the next, by half steps if the whole step has no solution. */
static syn_status settle(motion *m, const syn_graft_tunnels *tunnels, double from, double to, int halvings,
                         syn_error *error) {
  const syn_status status = m->simulation ? settle_fem(m, tunnels, to, error) : settle_vdm(m, tunnels, to, error);
  if (status != SYN_NOT_CONVERGED || halvings == 0) return status;
  const double middle = (from + to) / 2;
  SYN_TRY(settle(m, tunnels, from, middle, halvings - 1, error));
  return settle(m, tunnels, middle, to, halvings - 1, error);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* The centre line joins the means of the layers. */
static double middle_length(const motion *m) {
  const syn_trimesh *skin = syn_soft_skin(m->soft);
  const uint32_t layers = m->options->cells[2];
  syn_vec3 before = vec3(0, 0, 0);
  double length = 0;
  for (uint32_t layer = 0; layer <= layers; ++layer) {
    syn_vec3 sum = vec3(0, 0, 0);
    double count = 0;
    for (uint32_t i = 0; i < skin->vertex_count; ++i)
      if (fabs(m->skin_along[i] * layers - layer) < 1e-6) {
        sum = vec3_add(sum, m->skin[i]);
        ++count;
      }
    const syn_vec3 middle = vec3_scale(sum, 1 / count);
    if (layer > 0) length += vec3_distance(before, middle);
    before = middle;
  }
  return length;
}

static syn_status touched_area(motion *m, const syn_surface *bone, const syn_pose *pose, double *area,
                               syn_error *error) {
  const syn_trimesh *skin = syn_soft_skin(m->soft);
  const syn_pose inverse = syn_pose_inverse(pose);
  syn_vec3 *places = m->skin; /* temporarily in the bone's frame */
  for (uint32_t i = 0; i < skin->vertex_count; ++i) places[i] = syn_pose_point(&inverse, places[i]);
  syn_status status = syn_surface_nearest(bone, places, skin->vertex_count, m->nearest);
  if (!status) status = syn_surface_side(bone, places, skin->vertex_count, m->sides);
  if (status) return syn_fail(error, status, "the graft is too far away from the bones");
  *area = 0;
  for (uint32_t t = 0; t < skin->triangle_count; ++t) {
    const uint32_t *v = skin->triangles[t].v;
    bool end = true;
    double gap[3]; /* negative where the bone penetrates it */
    for (int c = 0; c < 3; ++c) {
      const double distance = m->nearest[v[c]].distance_mm;
      gap[c] = (m->sides[v[c]] == SYN_LOCATION_OUTSIDE ? distance : -distance) - m->options->touch_mm;
      end &= at_femur(m->skin_along[v[c]]) || at_tibia(m->skin_along[v[c]]);
    }
    const syn_vec3 twice = vec3_cross(vec3_sub(places[v[1]], places[v[0]]), vec3_sub(places[v[2]], places[v[0]]));
    if (!end) *area += syn_graft_part_below(gap) * vec3_length(twice) / 2;
  }
  for (uint32_t i = 0; i < skin->vertex_count; ++i) places[i] = syn_pose_point(pose, places[i]);
  return SYN_OK;
}

static double size_of(const motion *m, const syn_sym3 *s) {
  return m->simulation ? syn_sym3_von_mises(s) : vec3_length(vec3(s->xx, s->yy, s->zz));
}

static void find_peak(motion *m, syn_graft_row *row) {
  syn_soft_stress(m->soft, m->x, NULL, m->stress, NULL);
  row->peak_mpa = row->peak_at = row->femur_mpa = row->middle_mpa = row->tibia_mpa = 0;
  for (uint32_t i = 0; i < syn_soft_node_count(m->soft); ++i) {
    const double size = size_of(m, &m->stress[i]);
    double *part = m->along[i] < 0.25 ? &row->femur_mpa : m->along[i] > 0.75 ? &row->tibia_mpa : &row->middle_mpa;
    *part = max2(*part, size);
    if (!(size > row->peak_mpa)) continue;
    row->peak_mpa = size;
    row->peak_at = min2(1, max2(0, m->along[i]));
  }
}

/* Stores the current surface, for pictures. */
static void keep_surface(motion *m, size_t row, syn_graft_plan *plan) {
  const uint32_t count = plan->surface->vertex_count;
  memcpy(plan->places + row * count, m->skin, count * sizeof *m->skin);
  syn_soft_skin_values(m->soft, m->stress, m->skin_stress);
  for (uint32_t i = 0; i < count; ++i) plan->stress_mpa[row * count + i] = size_of(m, &m->skin_stress[i]);
}

static syn_status fill_row(motion *m, syn_graft_plan *plan, size_t number, syn_error *error) {
  syn_graft_row *row = &plan->rows[number];
  const syn_pose tibia = row->tibia = pose_of_tibia(m->options, row->flexion), femur = syn_pose_identity();
  row->outlets_mm = vec3_distance(plan->femur_outlet, syn_pose_point(&tibia, plan->tibia_outlet));
  syn_soft_skin_points(m->soft, m->x, m->skin);
  for (uint32_t i = 0; i < plan->surface->vertex_count; ++i) m->skin[i] = syn_pose_point(&m->carried, m->skin[i]);
  row->length_mm = middle_length(m);
  row->volume = syn_soft_volume(m->soft, m->x) / syn_soft_volume(m->soft, syn_soft_rest(m->soft));
  find_peak(m, row);
  keep_surface(m, number, plan);
  SYN_TRY(touched_area(m, m->bones->femur, &femur, &row->femur_touch_mm2, error));
  return touched_area(m, m->bones->tibia, &tibia, &row->tibia_touch_mm2, error);
}

static void sum_up(const syn_graft_options *options, syn_graft_plan *plan) {
  plan->failure = NAN;
  plan->peak_mpa = 0;
  for (size_t i = 0; i < plan->row_count; ++i) {
    const syn_graft_row *row = &plan->rows[i];
    if (row->peak_mpa > options->failure_mpa && isnan(plan->failure)) plan->failure = row->flexion;
    if (!(row->peak_mpa > plan->peak_mpa) && i > 0) continue;
    plan->peak_mpa = row->peak_mpa;
    plan->peak_flexion = row->flexion;
    plan->peak_at = row->peak_at;
  }
}

/* Over all angles, including those after a failure. */
static double outlets_vary(const syn_graft_options *options, const syn_graft_tunnels *tunnels) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < count_angles(options); ++i) {
    const syn_pose tibia = pose_of_tibia(options, flexion_at(options, i));
    const double distance = vec3_distance(tunnels->femur, syn_pose_point(&tibia, tunnels->tibia));
    least = fmin(least, distance);
    most = fmax(most, distance);
  }
  return most - least;
}

static syn_status follow(motion *m, syn_graft_plan *plan, const char *what, syn_error *error) {
  const syn_graft_tunnels tunnels = syn_graft_tunnels_of(plan);
  for (size_t i = 0; i < plan->row_count; ++i) {
    syn_graft_row *row = &plan->rows[i];
    row->flexion = flexion_at(m->options, i);
    const double before = flexion_at(m->options, i > 0 ? i - 1 : 0);
    SYN_TRY(settle(m, &tunnels, before, row->flexion, i > 0 ? 5 : 0, error));
    SYN_TRY(fill_row(m, plan, i, error));
    if (row->peak_mpa > m->options->failure_mpa && !m->options->go_on) plan->row_count = i + 1;
    if (!syn_progress(m->context, what, (double)(i + 1) / (double)plan->row_count))
      return syn_fail(error, SYN_CANCELLED, "the simulation of the graft was stopped");
  }
  sum_up(m->options, plan);
  return SYN_OK;
}

static syn_status take_rows(motion *m, syn_graft_plan *plan, syn_error *error) {
  SYN_TRY(syn_trimesh_share(syn_soft_skin(m->soft), &plan->surface, error));
  const size_t values = plan->row_count * plan->surface->vertex_count;
  SYN_TRY(SYN_NEW(m->context, &plan->places, values, error));
  SYN_TRY(SYN_NEW(m->context, &plan->stress_mpa, values, error));
  return SYN_NEW(m->context, &plan->rows, plan->row_count, error);
}

void syn_graft_plan_release(const syn_context *context, syn_graft_plan *plan) {
  syn_free(context, plan->rows);
  syn_free(context, plan->places);
  syn_free(context, plan->stress_mpa);
  syn_trimesh_destroy(plan->surface);
}

syn_status syn_graft_run(const syn_context *context, const syn_graft_options *options, const syn_graft_bones *bones,
                         const char *what, syn_graft_plan *plan, syn_error *error) {
  motion m = {.options = options, .context = context, .bones = bones};
  const syn_graft_tunnels tunnels = syn_graft_tunnels_of(plan);
  SYN_TRY(syn_graft_frame_of(options, &tunnels, &m.frame, error));
  plan->rest_mm = m.frame.length_mm;
  plan->strain = syn_graft_strain(options, &m.frame, &plan->slack_mm);
  plan->isometry_mm = outlets_vary(options, &tunnels);
  plan->row_count = count_angles(options);
  syn_status status = begin_motion(&m, error);
  if (!status) status = take_rows(&m, plan, error);
  if (!status) status = follow(&m, plan, what, error);
  end_motion(&m);
  return status;
}
