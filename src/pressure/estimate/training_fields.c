/* Result fields of a model of pressure from shape, and of its errors on its own hips. */
#include <synovia/pressure.h>

#include "result/value.h"

static const syn_pressure_training *training_of(const void *training) { return training; }
static syn_value hip_name(const void *t, size_t i) { return value_text(training_of(t)->model->names[i]); }
static syn_value hip_error(const void *t, size_t i) { return value_real(training_of(t)->errors_percent[i]); }
static const syn_result_field syn_hip_fields[] = {
    FIELD(TEXT, "name", "Hip", "", FILE_ONLY, hip_name),
    FIELD(REAL, "error_percent", "Error of the peak", "percent", FILE_ONLY, hip_error)};
static const syn_record hip_record = RECORD("hip", syn_hip_fields);

GET(training_motion, syn_pressure_training, value_text(at->model->motion))
GET(training_by, syn_pressure_training, value_text(at->model->pressure_by))
GET(training_steps, syn_pressure_training, value_count(at->model->step_count))
GET(training_hips, syn_pressure_training, value_list(at, at->model->hip_count))
static const syn_result_field training_fields[] = {
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, training_motion),
    FIELD(TEXT, "pressure_by", "Pressures by", "", FILE_ONLY, training_by),
    FIELD(INTEGER, "steps", "Steps", "", FILE_ONLY, training_steps),
    MEMBER(syn_pressure_training, mean_percent, "mean_percent", "Mean error", "percent", FILE_ONLY),
    MEMBER(syn_pressure_training, sd_percent, "sd_percent", "Its standard deviation", "percent", FILE_ONLY),
    MEMBER(syn_pressure_training, median_percent, "median_percent", "Median error", "percent", FILE_ONLY),
    FIELD_OF(LIST, hip_record, "hips", "Each hip from all others", FILE_ONLY, training_hips)};
const syn_record syn_pressure_training_record = RECORD_OF(syn_pressure_training, "training", training_fields);
