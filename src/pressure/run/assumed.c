/* Computes the effect of an assumed cartilage thickness on the peak: the elastic foundation at the same pose, with
 * thin and with thick cartilage. */
#include <math.h>

#include <synovia/pressure.h>

#include "pressure/run/run.h"

/* Hips have 1 to 2 mm on average on either bone (Shepherd and Seedhom 1999). */
static const double thicknesses_mm[2] = {1, 2};

static syn_status press(const syn_pressure *p, const syn_pressure_options *options, const syn_layer *socket,
                        const syn_layer *head, double *peak_mpa, syn_error *error) {
  syn_foundation *foundation;
  syn_pressure_step step;
  void *scratch;
  syn_error why;
  SYN_TRY(syn_foundation_create(p->context, socket, head, NULL, p->hip_case->hip.center, &options->foundation,
                                &foundation, error));
  syn_status status = syn_allocate(p->context, 1, syn_foundation_scratch(foundation), &scratch, error);
  if (status == SYN_OK) {
    status = syn_foundation_solve(foundation, &p->steps[p->worst].loaded, NULL, scratch, &step, &why);
    if (status == SYN_OK) *peak_mpa = step.total.peak_mpa;
    if (status == SYN_NOT_CONVERGED) status = SYN_OK;
    if (status != SYN_OK && error) *error = why;
    syn_free(p->context, scratch);
  }
  syn_foundation_destroy(foundation);
  return status;
}

static syn_status peak_with(const syn_pressure *p, const syn_pressure_options *options, double thickness_mm,
                            double *peak_mpa, syn_error *error) {
  syn_layer_options layers = options->layers;
  syn_layer socket, head;
  layers.rule = SYN_RULE_CONSTANT;
  layers.thickness_mm = thickness_mm;
  SYN_TRY(syn_hip_layers_create(p->context, p->hip_case, &layers, &socket, &head, error));
  const syn_status status = press(p, options, &socket, &head, peak_mpa, error);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

syn_status syn_pressure_vary_assumed(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  p->assumed_peak_mpa[0] = p->assumed_peak_mpa[1] = NAN;
  if (!(p->socket.assumed || p->head.assumed) || p->step_count == 0 || options->layers.rule == SYN_RULE_GIVEN)
    return SYN_OK;
  /* Peaks with thin and with thick cartilage */
  for (int i = 0; i < 2; ++i) SYN_TRY(peak_with(p, options, thicknesses_mm[i], &p->assumed_peak_mpa[i], error));
  syn_warn(p->context,
           "the thickness of the cartilage is assumed and decides the pressure: the peak of %.1f MPa is %.1f MPa with "
           "1 mm of cartilage on either bone and %.1f MPa with 2 mm, by the elastic foundation",
           p->steps[p->worst].total.peak_mpa, p->assumed_peak_mpa[0], p->assumed_peak_mpa[1]);
  return SYN_OK;
}
