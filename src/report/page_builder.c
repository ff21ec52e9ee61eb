#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/vec.h"
#include "joint/joint_store.h"
#include "report/html.h"
#include "report/page_builder.h"
#include "report/page_model.h"
#include "result/note_about.h"
#include "result/record_json.h"

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static char *filled_text_list(syn_arena *arena, const char *format, va_list arguments) {
  static char nothing[] = "";
  char *text;
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0 || SYN_TAKE(arena, &text, (size_t)length + 1, NULL) != SYN_OK) return nothing;
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *syn_filled_text(syn_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = filled_text_list(arena, format, arguments);
  va_end(arguments);
  return text;
}

char *syn_filled_capital(char *sentence) {
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = (char)(sentence[0] - 'a' + 'A');
  return sentence;
}

/* Writes a warning as a sentence: with a capital letter and a full stop. */
static char *filled_sentence(syn_arena *arena, const char *warning) {
  const size_t length = strlen(warning);
  const bool ended = length && strchr(".!?", warning[length - 1]);
  return syn_filled_capital(syn_filled_text(arena, "%s%s", warning, ended ? "" : "."));
}

/* Formats a number with three significant digits. */
static char *filled_three_digits(syn_arena *arena, double value) {
  return syn_filled_text(arena, fabs(value) >= 1000 ? "%.0f" : "%.3g", value);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

syn_report_cell syn_filled_words(const char *text) { return (syn_report_cell){text ? text : "", 0}; }
syn_report_cell syn_filled_number(double value) { return (syn_report_cell){NULL, value}; }

static syn_report_cell cell_of(syn_arena *arena, syn_value_kind kind, const syn_value *value) {
  if (value->kind == SYN_VALUE_TEXT)
    return syn_filled_words(value->text.text ? value->text.text : syn_filled_text(arena, "%s", syn_value_text(value)));
  return kind == SYN_VALUE_TEXT ? syn_filled_words(NULL) : syn_filled_number(syn_value_number(value));
}

/* A page omits an optional column that no row has. */
static bool is_column(const syn_record *record, size_t i, const void *object, size_t rows) {
  const unsigned use = syn_record_field(record, i).use;
  if (!(use & SYN_IN_PAGE)) return false;
  if (!(use & SYN_OPTIONAL)) return true;
  for (size_t row = 0; row < rows; ++row)
    if (syn_record_value(record, i, object, row).kind != SYN_VALUE_NONE) return true;
  return false;
}

syn_status syn_filled_table(syn_arena *arena, const syn_record *record, const void *object, size_t rows,
                            const char *title, const char *note, syn_report_table *table, syn_error *error) {
  const size_t fields = syn_record_count(record);
  size_t count = 0, *shown;
  syn_report_column *columns;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(arena, &shown, fields, error));
  SYN_TRY(SYN_TAKE(arena, &columns, fields, error));
  /* Columns are the fields that a page shows. */
  for (size_t i = 0; i < fields; ++i) {
    if (!is_column(record, i, object, rows)) continue;
    const syn_result_field field = syn_record_field(record, i);
    columns[count] =
        (syn_report_column){field.key, field.label, syn_unit_symbol(field.unit), field.kind != SYN_VALUE_TEXT};
    shown[count++] = i;
  }
  SYN_TRY(SYN_TAKE(arena, &cells, rows * count, error));
  for (size_t row = 0; row < rows; ++row)
    for (size_t c = 0; c < count; ++c) {
      const syn_value value = syn_record_value(record, shown[c], object, row);
      cells[row * count + c] = cell_of(arena, syn_record_field(record, shown[c]).kind, &value);
    }
  *table = (syn_report_table){record->name, title, note, columns, count, rows, cells, NULL};
  return SYN_OK;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

/* Describes an input file with its checksum; `mesh` may be NULL. */
static syn_status filled_input(syn_arena *arena, const char *path, const syn_trimesh *mesh, syn_report_input *input,
                               syn_error *error) {
  const char *slash = strrchr(path, '/');
  char *digits;
  SYN_TRY(SYN_TAKE(arena, &digits, 65, error));
  SYN_TRY(syn_file_sha256(arena->context, path, digits, error));
  *input = (syn_report_input){syn_filled_text(arena, "%s", slash ? slash + 1 : path), digits,
                              mesh ? mesh->vertex_count : 0, mesh ? mesh->triangle_count : 0};
  return SYN_OK;
}

/* ---- page builder ---------------------------------------------------------------------------------------------- */

void syn_page_open(syn_page *page, const syn_context *context, const char *kind, const char *title,
                   const syn_provenance *provenance) {
  static const syn_provenance unknown = {0};
  *page = (syn_page){.arena = {.context = context}, .provenance = provenance ? provenance : &unknown};
  page->report.kind = kind;
  page->report.title = title;
  page->report.command = page->provenance->command;
  page->report.date = page->provenance->date;
}

void syn_page_close(syn_page *page) {
  for (size_t i = 0; i < page->mesh_count; ++i) syn_trimesh_destroy(page->meshes[i]);
  syn_arena_release(&page->arena);
}

syn_status syn_page_create(const syn_context *context, const char *title, const syn_provenance *provenance,
                           syn_page **page, syn_error *error) {
  syn_page *made;
  *page = NULL;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  syn_page_open(made, context, "page", title, provenance);
  syn_page_add_run_notes(made);
  *page = made;
  return SYN_OK;
}

void syn_page_destroy(syn_page *page) {
  if (!page) return;
  const syn_context *context = page->arena.context;
  syn_page_close(page);
  syn_free(context, page);
}

syn_status syn_page_write(syn_page *page, const char *path, syn_error *error) {
  page->report.summary_motions = page->shown_by;
  return syn_page_finish(page, SYN_OK, path, error);
}

syn_status syn_page_finish(syn_page *page, syn_status made, const char *path, syn_error *error) {
  SYN_TRY(made);
  SYN_TRY(syn_arena_check(&page->arena, error));
  return syn_report_write(page->arena.context, &page->report, NULL, path, error);
}

syn_status syn_page_put(syn_page *page, syn_status made, FILE *to, syn_error *error) {
  SYN_TRY(made);
  SYN_TRY(syn_arena_check(&page->arena, error));
  return syn_report_put(page->arena.context, &page->report, NULL, to, error);
}

syn_status syn_page_changes(syn_page *page, json_t **value, syn_error *error) {
  SYN_TRY(syn_arena_check(&page->arena, error));
  return syn_report_changes(page->arena.context, &page->report, value, error);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* Adds an item to a list in the arena; the capacity doubles whenever the count is a power of two. Returns the new item,
 * or NULL if out of memory. */
static void *add_item(syn_page *page, void *list, size_t *count, const void *item, size_t size) {
  void **items = list;
  if ((*count & (*count - 1)) == 0) {
    void *grown;
    if (syn_arena_take(&page->arena, *count ? 2 * *count : 1, size, &grown, NULL) != SYN_OK) return NULL;
    if (*count) memcpy(grown, *items, *count * size);
    *items = grown;
  }
  return memcpy((char *)*items + (*count)++ * size, item, size);
}
#define ADD_ITEM(PAGE, LIST, COUNT, ITEM) add_item((PAGE), (void *)(LIST), (COUNT), &(ITEM), sizeof(ITEM))

/* ---- texts ------------------------------------------------------------------------------------------------------- */

char *syn_page_text(syn_page *page, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = filled_text_list(&page->arena, format, arguments);
  va_end(arguments);
  return text;
}

char *syn_page_digits(syn_page *page, double value) { return filled_three_digits(&page->arena, value); }

char *syn_page_quantity(syn_page *page, double value, const char *unit) {
  char text[96];
  return syn_page_text(page, "%s", syn_shown_quantity(value, unit, text));
}

void syn_page_add_finding(syn_page *page, const char *sentence, const char *motion) {
  size_t count = page->report.summary_count;
  if (!sentence || !*sentence) return;
  if (ADD_ITEM(page, &page->shown_by, &count, motion))
    ADD_ITEM(page, &page->report.summary, &page->report.summary_count, sentence);
}

void syn_page_add_note(syn_page *page, const char *note, const char *about) {
  size_t count = page->report.note_count;
  if (ADD_ITEM(page, &page->report.note_about, &count, about))
    ADD_ITEM(page, &page->report.notes, &page->report.note_count, note);
}

void syn_page_add_run_notes(syn_page *page) {
  const syn_provenance *from = page->provenance;
  for (size_t i = 0; i < from->warning_count; ++i)
    syn_page_add_note(page, filled_sentence(&page->arena, from->warnings[i]), syn_note_about(from->warnings[i]));
}

bool syn_run_has_warned(const syn_provenance *run, const char *note) {
  for (size_t i = 0; i < run->warning_count; ++i)
    if (syn_same_warning(note, run->warnings[i])) return true;
  return false;
}

void syn_page_add_file_notes(syn_page *page, const syn_joint *joint) {
  for (size_t i = 0; i < joint->note_count; ++i) {
    const char *note = joint->notes[i];
    if (syn_run_has_warned(page->provenance, note)) continue;
    const char *text = syn_page_text(page, "When the joint file was made: %s", filled_sentence(&page->arena, note));
    syn_page_add_note(page, text, syn_note_about(note));
  }
}

syn_status syn_page_add_input(syn_page *page, const char *path, const syn_trimesh *mesh, syn_error *error) {
  syn_report_input input;
  SYN_TRY(filled_input(&page->arena, path, mesh, &input, error));
  ADD_ITEM(page, &page->report.inputs, &page->report.input_count, input);
  return SYN_OK;
}

/* ---- bodies and motions ------------------------------------------------------------------------------------------ */

syn_report_body *syn_page_add_body(syn_page *page, syn_report_body body) {
  syn_report_body *added = ADD_ITEM(page, &page->report.bodies, &page->report.body_count, body);
  if (!added) page->lost_body = body;
  return added ? added : &page->lost_body;
}

syn_report_motion *syn_page_add_motion(syn_page *page, syn_report_motion motion) {
  syn_report_motion *added = ADD_ITEM(page, &page->report.motions, &page->report.motion_count, motion);
  if (!added) page->lost_motion = motion;
  return added ? added : &page->lost_motion;
}

syn_report_body *syn_page_body(syn_page *page, const syn_trimesh *surface) {
  syn_report_body *bodies; /* allocated in the arena */
  memcpy(&bodies, &page->report.bodies, sizeof bodies);
  for (size_t i = 0; i < page->report.body_count; ++i)
    if (bodies[i].body.surface == surface) return &bodies[i];
  return &page->lost_body;
}

void syn_page_add_field(syn_page *page, syn_report_body *body, syn_report_field field) {
  ADD_ITEM(page, &body->fields, &body->field_count, field);
}

void syn_page_add_vectors(syn_page *page, syn_report_body *body, syn_report_vectors vectors) {
  ADD_ITEM(page, &body->vectors, &body->vector_count, vectors);
}

syn_status syn_page_add_deformation(syn_page *page, syn_report_body *body, const syn_page_deformation *of,
                                    syn_error *error) {
  const syn_trimesh *rest = body->body.surface;
  const char *motion = of->steps > 1 ? of->motion : NULL;
  syn_vec3 *moved;
  SYN_TRY(SYN_TAKE(&page->arena, &moved, of->steps * rest->vertex_count, error));
  for (size_t i = 0; i < of->steps * rest->vertex_count; ++i)
    moved[i] = vec3_sub(of->places[i], rest->vertices[i % rest->vertex_count]);
  syn_page_add_field(page, body,
                     (syn_report_field){"stress", "Stress", "MPa", of->stress_mpa, of->steps, motion, 0, 0});
  syn_page_add_vectors(page, body,
                       (syn_report_vectors){"displacement", "Displacement", "mm", moved, of->steps, motion, true});
  return SYN_OK;
}

void syn_page_add_curve(syn_page *page, syn_report_motion *motion, syn_report_curve curve) {
  ADD_ITEM(page, &motion->curves, &motion->curve_count, curve);
}

void syn_page_add_marker(syn_page *page, syn_report_marker marker) {
  ADD_ITEM(page, &page->report.markers, &page->report.marker_count, marker);
}

void syn_page_add_range(syn_page *page, syn_report_range range) {
  ADD_ITEM(page, &page->report.ranges, &page->report.range_count, range);
}

void syn_page_add_clock_mark(syn_page *page, syn_report_clock_mark mark) {
  ADD_ITEM(page, &page->report.clock, &page->report.clock_count, mark);
}

void syn_page_add_image(syn_page *page, syn_report_image image) {
  ADD_ITEM(page, &page->report.images, &page->report.image_count, image);
}

syn_status syn_page_keep(syn_page *page, syn_trimesh *mesh, syn_error *error) {
  if (ADD_ITEM(page, &page->meshes, &page->mesh_count, mesh)) return SYN_OK;
  syn_trimesh_destroy(mesh);
  return syn_arena_check(&page->arena, error);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

double syn_page_value(const syn_page_column *column, const void *row) {
  if (column->of) return column->of(row);
  double value;
  memcpy(&value, (const char *)row + column->offset, sizeof value);
  return column->factor ? value * column->factor : value;
}

static const void *row_at(syn_page_rows rows, size_t i) { return (const char *)rows.first + i * rows.size; }

double *syn_page_values(syn_page *page, const syn_page_column *column, syn_page_rows rows) {
  double *values;
  if (SYN_TAKE(&page->arena, &values, rows.count, NULL) != SYN_OK) return NULL;
  for (size_t i = 0; i < rows.count; ++i) values[i] = syn_page_value(column, row_at(rows, i));
  return values;
}

void syn_page_add_curves(syn_page *page, syn_report_motion *motion, const syn_page_column *columns, size_t count,
                         syn_page_rows rows) {
  for (size_t i = 0; i < count; ++i)
    syn_page_add_curve(page, motion,
                       (syn_report_curve){columns[i].name, columns[i].label, columns[i].unit,
                                          syn_page_values(page, &columns[i], rows)});
}

syn_status syn_page_add_table(syn_page *page, syn_report_table table, syn_report_cell **cells, syn_error *error) {
  SYN_TRY(SYN_TAKE(&page->arena, cells, table.row_count * table.column_count, error));
  table.cells = *cells;
  ADD_ITEM(page, &page->report.tables, &page->report.table_count, table);
  return SYN_OK;
}

void syn_page_add_rows(syn_page *page, syn_report_table head, const syn_page_column *columns, size_t count,
                       syn_page_rows rows) {
  syn_report_column *shown;
  syn_report_cell *cells;
  if (SYN_TAKE(&page->arena, &shown, count, NULL) != SYN_OK) return;
  for (size_t k = 0; k < count; ++k)
    shown[k] = (syn_report_column){columns[k].name, columns[k].label, columns[k].unit, true};
  head.columns = shown;
  head.column_count = count;
  head.row_count = rows.count;
  if (syn_page_add_table(page, head, &cells, NULL) != SYN_OK) return;
  for (size_t i = 0; i < rows.count; ++i)
    for (size_t k = 0; k < count; ++k) *cells++ = syn_filled_number(syn_page_value(&columns[k], row_at(rows, i)));
}

syn_status syn_page_add_record(syn_page *page, const syn_record *record, const void *object, size_t rows,
                               const char *title, const char *note, syn_error *error) {
  syn_report_table table;
  SYN_TRY(syn_filled_table(&page->arena, record, object, rows, title, note, &table, error));
  ADD_ITEM(page, &page->report.tables, &page->report.table_count, table);
  return SYN_OK;
}
