/* Public functions that set and read the parameters of the method. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/vec.h"
#include "tissue/vdm/vdm.h"

SYN_ENUM_NAMES(syn_vdm_constraint, SYN_VDM_CONSTRAINTS, [SYN_VDM_FREE] = "free", [SYN_VDM_CONTACT] = "contact",
               [SYN_VDM_FIXED] = "fixed", [SYN_VDM_CONSTRAINED] = "constrained");

syn_status syn_vdm_of(const syn_soft *soft, syn_vdm **vdm, syn_error *error) {
  *vdm = soft->model == &syn_model_vdm ? soft->state : NULL;
  if (*vdm) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "the body is of the model %s, not of vdm", soft->model->info.name);
}

/* ---- questions ----------------------------------------------------------------------------------------------------
 */

syn_status syn_vdm_distribution(const syn_soft *soft, const syn_vec3 *x, double *areas_mm2, double *volumes_mm3,
                                syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  syn_vdm_shape shape = vdm->rest;
  syn_arena work = {soft->context, NULL, false};
  syn_status status = SYN_OK;
  if (x) {
    status = SYN_TAKE(&work, &shape.area, vdm->node_count, error);
    if (!status) status = SYN_TAKE(&work, &shape.vector, vdm->node_count, error);
    if (!status) syn_vdm_measure(vdm, x, &shape);
  }
  if (!status && areas_mm2) memcpy(areas_mm2, shape.area, vdm->node_count * sizeof *areas_mm2);
  for (uint32_t i = 0; !status && volumes_mm3 && i < vdm->node_count; ++i)
    volumes_mm3[i] = shape.area[i] * shape.volume / shape.total_area;
  syn_arena_release(&work);
  return status;
}

const uint32_t (*syn_vdm_pairs(const syn_soft *soft, uint32_t *count))[2] {
  syn_vdm *vdm;
  *count = 0;
  if (syn_vdm_of(soft, &vdm, NULL)) return NULL;
  *count = vdm->pair_count;
  return vdm->pairs;
}

/* ---- moduli -------------------------------------------------------------------------------------------------------
 */

syn_status syn_vdm_set_bulk(syn_soft *soft, const syn_vec3 *bulk_mpa, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  for (uint32_t i = 0; i < vdm->node_count; ++i)
    if (!(bulk_mpa[i].x >= 0 && bulk_mpa[i].y >= 0 && bulk_mpa[i].z >= 0))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the bulk modulus of node %u is not 0 MPa or more", i);
  memcpy(vdm->bulk, bulk_mpa, vdm->node_count * sizeof *bulk_mpa);
  vdm->stale = true;
  return SYN_OK;
}

syn_status syn_vdm_set_connectivity(syn_soft *soft, const double *connectivity_mpa, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  for (uint32_t p = 0; p < vdm->pair_count; ++p)
    if (!(connectivity_mpa[p] >= 0))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the connectivity of nodes %u and %u is not 0 MPa or more",
                      vdm->pairs[p][0], vdm->pairs[p][1]);
  memcpy(vdm->connectivity, connectivity_mpa, vdm->pair_count * sizeof *connectivity_mpa);
  vdm->stale = true;
  return SYN_OK;
}

syn_status syn_vdm_set_gravity(syn_soft *soft, syn_vec3 gravity_mm_s2, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  if (!vec3_finite(gravity_mm_s2)) return syn_fail(error, SYN_BAD_ARGUMENT, "gravity is not finite");
  vdm->gravity = gravity_mm_s2;
  return SYN_OK;
}

/* ---- constraints --------------------------------------------------------------------------------------------------
 */

syn_status syn_vdm_constrain(syn_soft *soft, uint32_t node, unsigned axes, syn_vdm_constraint constraint,
                             syn_vec3 value, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  if (node >= vdm->node_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no node %u; the body has %u", node, vdm->node_count);
  if (axes > SYN_XYZ || constraint >= SYN_VDM_CONSTRAINTS || !vec3_finite(value))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the constraint of node %u is not one: check its axes, kind and value",
                    node);
  double *const to[3] = {&vdm->value[node].x, &vdm->value[node].y, &vdm->value[node].z};
  for (int c = 0; c < 3; ++c) {
    if (!(axes >> c & 1)) continue;
    vdm->constraint[node][c] = (uint8_t)constraint;
    *to[c] = vec3_at(value, c);
  }
  return SYN_OK;
}

void syn_vdm_release(syn_soft *soft) {
  syn_vdm *vdm;
  if (syn_vdm_of(soft, &vdm, NULL)) return;
  memset(vdm->constraint, SYN_VDM_FREE, vdm->node_count * sizeof *vdm->constraint);
  memset(vdm->value, 0, vdm->node_count * sizeof *vdm->value);
}
