/* Reads forces from files: one of OrthoLoad, or a table with a force in each row. */
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/io/xml.h"
#include "pressure/loads/loads.h"

void syn_load_rows_release(const syn_context *context, load_rows *rows) {
  syn_free(context, rows->forces);
  syn_free(context, rows->poses);
  syn_free(context, rows->times_s);
  *rows = (load_rows){0};
}

/* ---- OrthoLoad ----------------------------------------------------------------------------------------------------
 */

static syn_status number_in(const syn_xml *xml, const syn_xml_element *element, double *value, syn_error *error) {
  syn_text text;
  SYN_TRY(syn_xml_text(xml, element, &text, error));
  SYN_TRY(syn_text_double(&text, 0, "a number", value, error));
  if (!isfinite(*value)) return syn_xml_fail(xml, element, error, "<%s> is not a finite number", element->name);
  return SYN_OK;
}

static syn_status take_orthoload(const syn_context *context, const syn_xml *xml, load_rows *rows, syn_error *error) {
  const syn_xml_element *weight = syn_xml_find(xml->root->child, "Weight_N");
  const syn_xml_element *component = syn_xml_find(xml->root->child, "HJF_pBW");
  double parts[3], newtons;
  for (int i = 0; i < 3; ++i) {
    if (!component || !weight)
      return syn_xml_fail(xml, xml->root, error,
                          "no force of OrthoLoad: expected <Weight_N> and <HJF_pBW> three times, for x, y and z");
    SYN_TRY(number_in(xml, component, &parts[i], error));
    component = syn_xml_find(component->next, "HJF_pBW");
  }
  if (component) return syn_xml_fail(xml, component, error, "more than three components <HJF_pBW>");
  SYN_TRY(number_in(xml, weight, &newtons, error));
  if (!(newtons > 0)) return syn_xml_fail(xml, weight, error, "the weight is %g N; expected more than 0", newtons);
  SYN_TRY(SYN_NEW(context, &rows->forces, 1, error));
  rows->count = 1;
  rows->body_weight_n = newtons;
  rows->forces[0] = vec3_scale(vec3(parts[0], parts[1], parts[2]), newtons / 100);
  return SYN_OK;
}

syn_status syn_load_read_orthoload(const syn_context *context, const char *path, load_rows *rows, syn_error *error) {
  char *bytes;
  size_t size;
  syn_xml xml;
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  syn_status status = syn_xml_parse(context, bytes, size, path, NULL, &xml, error);
  if (status == SYN_OK) status = take_orthoload(context, &xml, rows, error);
  syn_xml_release(&xml);
  syn_free(context, bytes);
  return status;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

/* Three columns of one kind, and newtons per unit. */
typedef struct force_columns {
  size_t at[3];
  bool of_pelvis;
  double newtons;
} force_columns;

static bool find_columns(const syn_recording *r, const char *frame, const char *unit, size_t at[3]) {
  bool all = true;
  for (int i = 0; i < 3; ++i) {
    char name[32];
    snprintf(name, sizeof name, "%sf%c%s", frame, 'x' + i, unit);
    at[i] = syn_recording_column_named(r, name);
    all = all && at[i] != SIZE_MAX;
  }
  return all;
}

static syn_status find_forces(const syn_recording *r, const char *path, double body_weight_n, force_columns *columns,
                              syn_error *error) {
  static const char *const units[] = {"", "_n", "_bw"};
  for (int i = 0; i < 6; ++i) {
    const bool of_pelvis = i >= 3;
    if (!find_columns(r, of_pelvis ? "pelvis_" : "", units[i % 3], columns->at)) continue;
    columns->of_pelvis = of_pelvis;
    columns->newtons = i % 3 == 2 ? body_weight_n / 100 : 1;
    return SYN_OK;
  }
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "no forces: expected columns fx, fy, fz (also with _n for newtons or _bw for percent of body "
                     "weight), or pelvis_fx, pelvis_fy, pelvis_fz");
}

static syn_status take_forces(const syn_context *context, const syn_recording *r, const char *path, load_rows *rows,
                              syn_error *error) {
  force_columns columns;
  SYN_TRY(find_forces(r, path, rows->body_weight_n, &columns, error));
  SYN_TRY(SYN_NEW(context, &rows->forces, r->row_count, error));
  rows->count = r->row_count;
  rows->of_pelvis = columns.of_pelvis;
  for (size_t i = 0; i < r->row_count; ++i) {
    const double *row = &r->values[i * r->column_count];
    const syn_vec3 force = vec3(row[columns.at[0]], row[columns.at[1]], row[columns.at[2]]);
    if (!vec3_finite(force))
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "row %zu: the force is not finite", i + 1);
    rows->forces[i] = vec3_scale(force, columns.newtons);
  }
  return SYN_OK;
}

static bool has_angles(const syn_recording *r) {
  for (size_t i = 0; i < r->column_count; ++i)
    if (strstr(r->columns[i], "flexion") || strstr(r->columns[i], "T11")) return true;
  return false;
}

syn_status syn_load_read_table(const syn_context *context, const syn_hip *hip, const char *path, load_rows *rows,
                               syn_error *error) {
  syn_recording *r;
  size_t count;
  SYN_TRY(syn_recording_read(context, path, &r, error));
  syn_status status = take_forces(context, r, path, rows, error);
  const bool moves = has_angles(r);
  syn_recording_destroy(r);
  if (status == SYN_OK && moves)
    status = syn_hip_motion_read(context, hip, path, &rows->poses, &rows->times_s, &count, error);
  return status;
}
