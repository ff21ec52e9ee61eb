/* Stands in for the pelvic half while it is being built elsewhere. */
#include "clinic/anatomy.h"

syn_status syn_find_pelvis(const syn_context *context, const syn_trimesh *pelvis, const syn_anatomy_options *options,
                           const syn_sphere_fit *head, syn_anatomy *anatomy, syn_error *error) {
  (void)context, (void)pelvis, (void)options, (void)head, (void)anatomy, (void)error;
  return SYN_OK;
}
void syn_measure_pelvis(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_vec3 center, syn_measures *measures) {
  (void)pelvis, (void)anatomy, (void)center, (void)measures;
}
