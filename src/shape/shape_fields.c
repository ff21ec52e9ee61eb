/* Generated models as a field table. */
#include <synovia/shape.h>

#include "result/value.h"

static const char *parameter_name(const void *shape, size_t i) {
  return ((const syn_shape_info *)shape)->parameters[i].name;
}
static syn_value shape_name(const void *none, size_t i) { return (void)none, value_text(syn_shape_at(i)->name); }
static syn_value shape_summary(const void *none, size_t i) { return (void)none, value_text(syn_shape_at(i)->summary); }
static syn_value shape_parameters(const void *none, size_t i) {
  return (void)none, value_texts(parameter_name, syn_shape_at(i), syn_shape_at(i)->parameter_count);
}
static const syn_result_field shape_fields[] = {
    FIELD(TEXT, "name", "Shape", "", FILE_ONLY, shape_name),
    FIELD(TEXT, "summary", "Summary", "", FILE_ONLY, shape_summary),
    FIELD(TEXTS, "parameters", "Parameters", "", FILE_ONLY, shape_parameters)};
const syn_record syn_shape_record = RECORD("shape", shape_fields);
