#include "view/view_pressure.h"
#include "clinic/hip.h"

#include "base/memory.h"
#include "base/vec.h"

/* Parts are coloured up to this distance from the surface of the socket, along the radius: cartilage, and the bone
 * behind it. */
static const double reach_mm = 4;

struct syn_view_pressure {
  const syn_context *context;
  syn_hip hip;
  syn_vec3 force; /* constant, fixed in the pelvis */
  syn_foundation *foundation;
  void *scratch;
  syn_vec3 shift;
  bool balanced; /* `shift` is that of the last pose */
  double *values[SYN_HIP_PARTS];
};

/* Layers may be refused for missing bones; for a viewer that is no failure. */
static bool refused(syn_status status) { return status == SYN_BAD_MESH || status == SYN_BAD_ARGUMENT; }

static syn_status make_foundation(syn_view_pressure *p, const syn_hip_case *hip_case, syn_error *error) {
  syn_layer socket = {0}, head = {0};
  syn_status status = syn_hip_layers_create(p->context, hip_case, NULL, &socket, &head, error);
  if (status == SYN_OK)
    status = syn_foundation_create(p->context, &socket, &head, NULL, p->hip.center, NULL, &p->foundation, error);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

static syn_status make(syn_view_pressure *p, const syn_hip_case *hip_case, syn_error *error) {
  syn_loads loads;
  SYN_TRY(syn_loads_create(p->context, &p->hip, hip_case->anatomy, NULL, &loads, error));
  p->force = loads.poses[0].force;
  syn_loads_release(&loads);
  SYN_TRY(make_foundation(p, hip_case, error));
  SYN_TRY(syn_allocate(p->context, 1, syn_foundation_scratch(p->foundation), &p->scratch, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (p->hip.parts[i]) SYN_TRY(SYN_NEW(p->context, &p->values[i], p->hip.parts[i]->vertex_count, error));
  return SYN_OK;
}

syn_status syn_view_pressure_create(const syn_context *context, const syn_hip_case *hip_case,
                                    syn_view_pressure **pressure, syn_error *error) {
  syn_view_pressure *p;
  *pressure = NULL;
  if (!hip_case->hip.parts[SYN_HIP_PELVIS] || !hip_case->hip.parts[SYN_HIP_FEMUR]) return SYN_OK;
  SYN_TRY(SYN_NEW_ZEROED(context, &p, 1, error));
  p->context = context;
  p->hip = hip_case->hip;
  const syn_status status = make(p, hip_case, error);
  if (status == SYN_OK) {
    *pressure = p;
    return SYN_OK;
  }
  syn_view_pressure_destroy(p);
  return refused(status) ? SYN_OK : status;
}

void syn_view_pressure_destroy(syn_view_pressure *p) {
  if (!p) return;
  syn_foundation_destroy(p->foundation);
  syn_free(p->context, p->scratch);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_free(p->context, p->values[i]);
  syn_free(p->context, p);
}

bool syn_view_pressure_at(syn_view_pressure *p, const syn_pose *pose, syn_pressure_step *step) {
  const syn_loaded_pose loaded = {.pose = *pose, .force = p->force};
  p->balanced =
      syn_foundation_solve(p->foundation, &loaded, p->balanced ? &p->shift : NULL, p->scratch, step, NULL) == SYN_OK;
  p->shift = step->shift;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_trimesh *mesh = p->hip.parts[i];
    for (uint32_t v = 0; mesh && !p->balanced && v < mesh->vertex_count; ++v) p->values[i][v] = (double)NAN;
    if (mesh && p->balanced)
      syn_foundation_pressure_at(p->foundation, p->scratch, mesh->vertices, mesh->vertex_count,
                                 syn_hip_part_moves((syn_hip_part)i), reach_mm, p->values[i]);
  }
  return p->balanced;
}

const double *syn_view_pressure_on(const syn_view_pressure *p, syn_hip_part part) { return p->values[part]; }
