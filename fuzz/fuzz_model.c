/* Models from which pressures are estimated. One that is read can be asked. */
#include "fuzz_file.h"

#include "base/status.h"

static syn_status read_file(const syn_context *context, const char *path, syn_error *error) {
  const double features[SYN_PRESSURE_FEATURES] = {0};
  syn_pressure_model *model;
  SYN_TRY(syn_pressure_model_read(context, path, &model, error));
  syn_pressure_part *values = malloc(model->step_count * sizeof *values + 1);
  const syn_status status = values ? syn_pressure_model_estimate(model, features, 3, values, NULL, error) : SYN_OK;
  free(values);
  syn_pressure_model_destroy(model);
  return status;
}
