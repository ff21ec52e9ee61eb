/* Reads the description of a study's page. Errors are reported before any case runs. */
#include "shape/shape_maker.h"
#include "study/study_page.h"

#include <math.h>
#include <string.h>

#include <synovia/pressure.h>

typedef struct plan_reader {
  syn_study *study;
  syn_plan *plan;
} plan_reader;

/* ---- members ----------------------------------------------------------------------------------------------------- */

static syn_status take_text(const syn_json *object, const char *key, const char **text, syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  return place.value ? syn_json_text(&place, text, error) : SYN_OK;
}

/* The kind of the items of a list, and the function that reads one. */
typedef struct item_kind {
  size_t size;
  syn_status (*read)(const plan_reader *reader, const syn_json *place, void *item, syn_error *error);
} item_kind;

/* A missing list is empty. */
static syn_status take_list(const plan_reader *reader, const syn_json *list, const item_kind *kind, void **items,
                            size_t *count, syn_error *error) {
  *count = 0;
  if (!list->value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(list, count, error));
  SYN_TRY(syn_arena_take(&reader->study->arena, *count + 1, kind->size, items, error));
  memset(*items, 0, (*count + 1) * kind->size);
  for (size_t i = 0; i < *count; ++i) {
    const syn_json place = syn_json_item(list, i);
    SYN_TRY(kind->read(reader, &place, (char *)*items + i * kind->size, error));
  }
  return SYN_OK;
}

static syn_status take_items(const plan_reader *reader, const syn_json *object, const char *key, const item_kind *kind,
                             const void *items, size_t *count, syn_error *error) {
  const syn_json list = syn_json_member(object, key);
  return take_list(reader, &list, kind, (void **)(uintptr_t)items, count, error);
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static syn_status read_value(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  (void)reader;
  return syn_json_double(place, item, error);
}

static syn_status take_axis(const plan_reader *reader, const syn_json *over, const char *name, size_t axis,
                            syn_error *error) {
  static const item_kind value = {sizeof(double), read_value};
  syn_plan_grid *grid = &reader->plan->grid;
  const syn_json list = syn_json_member(over, name);
  char key[64];
  syn_result_field field;
  snprintf(key, sizeof key, "input.%.50s", name);
  if (!syn_plan_field(key, &field))
    return syn_json_fail(&list, error, "the shape has no such parameter; `synovia shape hip --help` lists them");
  SYN_TRY(take_list(reader, &list, &value, (void **)&grid->values[axis], &grid->counts[axis], error));
  for (size_t i = 1; i < grid->counts[axis]; ++i)
    if (!(grid->values[axis][i] > grid->values[axis][i - 1]))
      return syn_json_fail(&list, error, "expected values that ascend");
  grid->names[axis] = name;
  return grid->counts[axis] ? SYN_OK : syn_json_fail(&list, error, "expected at least one value");
}

/* "over": {"ce": [0, 10], "alpha": [40, 50]}: rows, then columns. */
static syn_status take_grid(const plan_reader *reader, const syn_json *root, syn_error *error) {
  const syn_json over = syn_json_member(root, "over");
  if (!over.value) return SYN_OK;
  SYN_TRY(syn_json_expect_object(&over, error));
  if (json_object_size(over.value) != 2)
    return syn_json_fail(&over, error, "expected two parameters, that of the rows first");
  const char *name;
  json_t *value;
  size_t axis = 0;
  json_object_foreach(over.value, name, value) SYN_TRY(take_axis(reader, &over, name, axis++, error));
  return SYN_OK;
}

static syn_status expect_grid(const plan_reader *reader, const syn_json *place, syn_error *error) {
  if (reader->plan->grid.names[0]) return SYN_OK;
  return syn_json_fail(place, error, "this needs \"over\": two parameters of the cases with their values");
}

/* null: no value; true: a value that is not stated. */
static syn_status read_cell(const syn_json *place, double *cell, syn_error *error) {
  *cell = json_is_null(place->value) ? (double)NAN : (double)INFINITY;
  if (json_is_null(place->value) || json_is_true(place->value)) return SYN_OK;
  if (!json_is_number(place->value))
    return syn_json_fail(place, error, "expected a number, null for none, or true for one that is not stated");
  return syn_json_double(place, cell, error);
}

/* Reads rows of cells as in the grid; a single number applies to all of them. */
static syn_status read_cells(const plan_reader *reader, const syn_json *place, const double **cells, syn_error *error) {
  const syn_plan_grid *grid = &reader->plan->grid;
  double *all;
  size_t rows, columns;
  SYN_TRY(expect_grid(reader, place, error));
  SYN_TRY(SYN_TAKE(&reader->study->arena, &all, plan_cells(grid), error));
  *cells = all;
  /* A single number applies to all cells. */
  if (json_is_number(place->value)) {
    for (size_t k = 0; k < plan_cells(grid); ++k) all[k] = json_number_value(place->value);
    return SYN_OK;
  }
  SYN_TRY(syn_json_expect_array(place, &rows, error));
  if (rows != grid->counts[0])
    return syn_json_fail(place, error, "expected %zu rows, one for each value of '%s', found %zu", grid->counts[0],
                         grid->names[0], rows);
  for (size_t i = 0; i < rows; ++i) {
    const syn_json row = syn_json_item(place, i);
    SYN_TRY(syn_json_expect_array(&row, &columns, error));
    if (columns != grid->counts[1])
      return syn_json_fail(&row, error, "expected %zu cells, one for each value of '%s', found %zu", grid->counts[1],
                           grid->names[1], columns);
    for (size_t j = 0; j < columns; ++j) {
      const syn_json cell = syn_json_item(&row, j);
      SYN_TRY(read_cell(&cell, all++, error));
    }
  }
  return SYN_OK;
}

/* "at": [20, 40] names a cell of the grid. */
static syn_status read_at(const plan_reader *reader, const syn_json *at, size_t *cell, syn_error *error) {
  const syn_plan_grid *grid = &reader->plan->grid;
  size_t count, found[2];
  SYN_TRY(expect_grid(reader, at, error));
  SYN_TRY(syn_json_expect_array(at, &count, error));
  if (count != 2) return syn_json_fail(at, error, "expected two values, as \"over\" has them");
  for (size_t axis = 0; axis < 2; ++axis) {
    const syn_json place = syn_json_item(at, axis);
    double value;
    SYN_TRY(syn_json_double(&place, &value, error));
    for (found[axis] = 0; found[axis] < grid->counts[axis] && grid->values[axis][found[axis]] != value;) ++found[axis];
    if (found[axis] == grid->counts[axis])
      return syn_json_fail(&place, error, "\"over\" has no such value of '%s'", grid->names[axis]);
  }
  *cell = found[0] * grid->counts[1] + found[1];
  return SYN_OK;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool parameter_field(const char *name, syn_result_field *field) {
  const syn_shape_info *info = syn_shape_named("hip"); /* the only kind of shape */
  for (size_t i = 0; i < info->parameter_count; ++i) {
    if (strcmp(info->parameters[i].name, name) != 0) continue;
    *field = (syn_result_field){.key = name, .unit = info->parameters[i].unit, .kind = SYN_VALUE_REAL};
    return true;
  }
  return false;
}

static const syn_record *record_of(const char *key, size_t length) {
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i)
    if (is_word(key, length, syn_study_analyses[i].name)) return syn_study_analyses[i].record;
  return NULL;
}

bool syn_plan_field(const char *key, syn_result_field *field) {
  if (strncmp(key, "input.", 6) == 0) return parameter_field(key + 6, field);
  size_t length = strcspn(key, ".");
  const syn_record *record = record_of(key, length);
  bool found = false;
  while (record && key[length]) {
    key += length + 1;
    length = strcspn(key, ".");
    size_t i = 0;
    while (i < syn_record_count(record) && !is_word(key, length, syn_record_field(record, i).key)) ++i;
    found = i < syn_record_count(record);
    if (!found) return false;
    *field = syn_record_field(record, i);
    record = field->items;
    if (field->kind == SYN_VALUE_LIST && key[length]) { /* the name of an item */
      key += length + 1;
      length = strcspn(key, ".");
    }
  }
  return found && (!key[length] || (field->kind == SYN_VALUE_POINT && strlen(key + length) == 2));
}

/* Returns whether the study runs the analysis that a key begins with. */
static bool is_asked_for(const syn_study *study, const char *key) {
  const size_t length = strcspn(key, ".");
  if (is_word(key, length, "input")) return true;
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    const syn_study_analysis *one = &syn_study_analyses[i];
    for (size_t k = 0; is_word(key, length, one->name) && k < SYN_STUDY_ANALYSES; ++k)
      if (syn_study_wants(study, k) && (k == i || (one->in_hip && !syn_study_analyses[k].record))) return true;
  }
  return false;
}

static syn_status read_key(const plan_reader *reader, const syn_json *place, bool list, const char **key,
                           syn_result_field *field, syn_error *error) {
  SYN_TRY(syn_json_text(place, key, error));
  if (!syn_plan_field(*key, field) || (field->kind == SYN_VALUE_NUMBERS) != list || field->kind == SYN_VALUE_TEXTS ||
      field->items)
    return list ? syn_json_fail(place, error, "no result of a case has a list of numbers '%.60s'", *key)
                : syn_json_fail(place, error, "study.csv has no column '%.60s'", *key);
  if (is_asked_for(reader->study, *key)) return SYN_OK;
  return syn_json_fail(place, error, "the study's \"analyses\" lack what '%.60s' comes from", *key);
}

static syn_status take_key(const plan_reader *reader, const syn_json *object, const char *name, bool list,
                           const char **key, syn_error *error) {
  const syn_json place = syn_json_member(object, name);
  syn_result_field field;
  return place.value ? read_key(reader, &place, list, key, &field, error) : SYN_OK;
}

static syn_status take_correlation(const plan_reader *reader, const syn_json *pair, syn_plan_number *number,
                                   syn_error *error) {
  size_t count;
  syn_result_field field;
  SYN_TRY(syn_json_expect_array(pair, &count, error));
  if (count != 2) return syn_json_fail(pair, error, "expected two keys");
  const syn_json x = syn_json_item(pair, 0), y = syn_json_item(pair, 1);
  number->kind = SYN_PLAN_CORRELATION;
  SYN_TRY(read_key(reader, &x, true, &number->key, &field, error));
  return read_key(reader, &y, true, &number->other, &field, error);
}

static syn_status take_components(const syn_json *object, syn_plan_number *number, syn_error *error) {
  static const char *const estimates[] = {"pressure", NULL};
  enum { MOST = SYN_PRESSURE_COMPONENTS };
  const syn_json components = syn_json_member(object, "components");
  unsigned choice;
  SYN_TRY(syn_json_member_choice(object, "estimate", estimates, &choice, error));
  number->kind = SYN_PLAN_ESTIMATE;
  number->unit = "percent";
  number->key = "pressure.peak_mpa";
  number->components = MOST;
  if (!components.value) return SYN_OK;
  if (!json_is_integer(components.value) || json_integer_value(components.value) < 1 ||
      json_integer_value(components.value) > MOST)
    return syn_json_fail(&components, error, "expected a whole number from 1 to %d", MOST);
  number->components = (int)json_integer_value(components.value);
  return SYN_OK;
}

/* Reads the format of a number. */
static syn_status take_style(const syn_json *object, syn_plan_number *number, syn_error *error) {
  enum { MOST = 9 };
  const syn_json decimals = syn_json_member(object, "decimals"), above = syn_json_member(object, "above");
  SYN_TRY(take_text(object, "label", &number->label, error));
  if (above.value) SYN_TRY(syn_json_double(&above, &number->above, error));
  if (!decimals.value) return SYN_OK;
  if (!json_is_integer(decimals.value) || json_integer_value(decimals.value) < 0 ||
      json_integer_value(decimals.value) > MOST)
    return syn_json_fail(&decimals, error, "expected a whole number from 0 to %d", MOST);
  number->decimals = (int)json_integer_value(decimals.value);
  return SYN_OK;
}

static syn_status take_kind(const plan_reader *reader, const syn_json *object, syn_plan_number *number,
                            syn_error *error) {
  const syn_json value = syn_json_member(object, "value"), pair = syn_json_member(object, "correlation");
  syn_result_field field;
  if (pair.value) return take_correlation(reader, &pair, number, error);
  if (syn_json_member(object, "estimate").value) {
    SYN_TRY(take_components(object, number, error));
    return is_asked_for(reader->study, number->key)
               ? SYN_OK
               : syn_json_fail(object, error, "the study's \"analyses\" lack \"pressure\", which is estimated");
  }
  SYN_TRY(read_key(reader, &value, false, &number->key, &field, error));
  number->unit = field.unit;
  return take_key(reader, object, "deviation", false, &number->other, error);
}

/* Reads the key of a column, or an object. */
static syn_status read_number(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"value",      "deviation", "correlation", "along", "until", "estimate",
                                     "components", "label",     "decimals",    "above", NULL};
  syn_plan_number *number = item;
  syn_result_field field;
  *number = (syn_plan_number){.label = "", .unit = "", .decimals = -1, .above = -INFINITY};
  if (json_is_string(place->value)) {
    SYN_TRY(read_key(reader, place, false, &number->key, &field, error));
    number->unit = field.unit;
    return SYN_OK;
  }
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(take_kind(reader, place, number, error));
  SYN_TRY(take_key(reader, place, "along", true, &number->along, error));
  const syn_json until = syn_json_member(place, "until");
  if (until.value) SYN_TRY(read_cells(reader, &until, &number->until, error));
  if (until.value && number->kind == SYN_PLAN_CORRELATION && !number->along)
    return syn_json_fail(place, error, "\"until\" needs \"along\", the list that it belongs to");
  return take_style(place, number, error);
}
static const item_kind number_kind = {sizeof(syn_plan_number), read_number};

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* {"label", "at": [20, 40]} or {"label", "name"} */
static syn_status read_row(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"label", "at", "name", NULL};
  syn_plan_row *row = item;
  const syn_json label = syn_json_member(place, "label"), at = syn_json_member(place, "at");
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_text(&label, &row->label, error));
  SYN_TRY(take_text(place, "name", &row->name, error));
  if (at.value && row->name) return syn_json_fail(place, error, "a row has either \"at\" or \"name\"");
  return row->name ? SYN_OK : read_at(reader, &at, &row->cell, error);
}
static const item_kind row_kind = {sizeof(syn_plan_row), read_row};

static syn_status read_range(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  size_t count;
  (void)reader;
  SYN_TRY(syn_json_expect_array(place, &count, error));
  if (count != 2) return syn_json_fail(place, error, "expected the ends of a range");
  for (size_t k = 0; k < 2; ++k) {
    const syn_json end = syn_json_item(place, k);
    SYN_TRY(syn_json_double(&end, (double *)item + k, error));
  }
  return SYN_OK;
}

/* "published": a text for the last row, or a range for each row. */
static syn_status read_column(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"key", "label", "value", "deviation", "decimals", "published", NULL};
  static const item_kind range = {sizeof(double[2]), read_range};
  syn_plan_column *column = item;
  const syn_json published = syn_json_member(place, "published");
  size_t count;
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  column->number = (syn_plan_number){.label = "", .unit = "", .decimals = -1, .above = -INFINITY};
  SYN_TRY(take_kind(reader, place, &column->number, error));
  SYN_TRY(take_style(place, &column->number, error));
  column->key = column->number.key;
  column->label = column->number.label;
  SYN_TRY(take_text(place, "key", &column->key, error));
  if (json_is_string(published.value)) return syn_json_text(&published, &column->published, error);
  return take_list(reader, &published, &range, (void **)(uintptr_t)&column->ranges, &count, error);
}
static const item_kind column_kind = {sizeof(syn_plan_column), read_column};

static syn_status read_pair(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  syn_plan_pair *pair = item;
  size_t count;
  SYN_TRY(syn_json_expect_array(place, &count, error));
  if (count != 2) return syn_json_fail(place, error, "expected two columns");
  const syn_json x = syn_json_item(place, 0), y = syn_json_item(place, 1);
  SYN_TRY(read_number(reader, &x, &pair->x, error));
  return read_number(reader, &y, &pair->y, error);
}
static const item_kind pair_kind = {sizeof(syn_plan_pair), read_pair};

static syn_status take_published(const plan_reader *reader, const syn_json *object, syn_plan_table *table,
                                 syn_error *error) {
  static const char *const keys[] = {"source", "true", "cells", NULL};
  const syn_json published = syn_json_member(object, "published");
  if (!published.value) return SYN_OK;
  if (table->column_count) return syn_json_text(&published, &table->published_row, error);
  SYN_TRY(syn_json_expect_object(&published, error));
  SYN_TRY(syn_json_only_keys(&published, keys, error));
  const syn_json source = syn_json_member(&published, "source"), cells = syn_json_member(&published, "cells");
  SYN_TRY(syn_json_text(&source, &table->source, error));
  table->stated = "yes";
  SYN_TRY(take_text(&published, "true", &table->stated, error));
  return read_cells(reader, &cells, &table->published, error);
}

/* A column with published ranges needs one for each row. */
static syn_status check_ranges(const syn_json *place, const syn_plan_table *table, syn_error *error) {
  const syn_json columns = syn_json_member(place, "columns");
  for (size_t i = 0; i < table->column_count; ++i) {
    const syn_json column = syn_json_item(&columns, i), published = syn_json_member(&column, "published");
    if (json_is_array(published.value) && json_array_size(published.value) != table->row_count)
      return syn_json_fail(&published, error, "expected %zu ranges, one for each row", table->row_count);
  }
  return SYN_OK;
}

static syn_status read_table(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"name", "title",   "note", "first",     "numbers",      "none", "reached",
                                     "rows", "columns", "mean", "published", "correlations", NULL};
  syn_plan_table *table = item;
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  const syn_json name = syn_json_member(place, "name"), title = syn_json_member(place, "title");
  SYN_TRY(syn_json_text(&name, &table->name, error));
  SYN_TRY(syn_json_text(&title, &table->title, error));
  const syn_json reached = syn_json_member(place, "reached");
  table->first = "";
  table->reached = NAN;
  if (reached.value) SYN_TRY(syn_json_double(&reached, &table->reached, error));
  SYN_TRY(take_text(place, "note", &table->note, error));
  SYN_TRY(take_text(place, "first", &table->first, error));
  SYN_TRY(take_text(place, "none", &table->none, error));
  SYN_TRY(take_text(place, "mean", &table->mean, error));
  SYN_TRY(take_items(reader, place, "numbers", &number_kind, &table->numbers, &table->number_count, error));
  SYN_TRY(take_items(reader, place, "rows", &row_kind, &table->rows, &table->row_count, error));
  SYN_TRY(take_items(reader, place, "columns", &column_kind, &table->columns, &table->column_count, error));
  SYN_TRY(take_items(reader, place, "correlations", &pair_kind, &table->pairs, &table->pair_count, error));
  if ((table->number_count > 0) + (table->column_count > 0) + (table->pair_count > 0) != 1)
    return syn_json_fail(place, error, "a table has either \"numbers\", \"columns\" or \"correlations\"");
  if (table->number_count) SYN_TRY(expect_grid(reader, place, error));
  SYN_TRY(check_ranges(place, table, error));
  return take_published(reader, place, table, error);
}
static const item_kind table_kind = {sizeof(syn_plan_table), read_table};

/* ---- drawings ---------------------------------------------------------------------------------------------------- */

static syn_status read_curve(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  SYN_TRY(expect_grid(reader, place, error));
  return read_column(reader, place, item, error);
}
static const item_kind curve_kind = {sizeof(syn_plan_column), read_curve};

static syn_status read_map(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"name", "label", "value", "words", "first", "rows", "columns", NULL};
  syn_plan_map *map = item;
  const syn_json value = syn_json_member(place, "value"), words = syn_json_member(place, "words");
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  const syn_json name = syn_json_member(place, "name"), label = syn_json_member(place, "label");
  SYN_TRY(syn_json_text(&name, &map->name, error));
  SYN_TRY(syn_json_text(&label, &map->label, error));
  map->first = "";
  SYN_TRY(take_text(place, "first", &map->first, error));
  SYN_TRY(take_items(reader, place, "rows", &row_kind, &map->rows, &map->row_count, error));
  SYN_TRY(take_items(reader, place, "columns", &column_kind, &map->columns, &map->column_count, error));
  if (words.value) SYN_TRY(syn_json_expect_object(&words, error));
  map->words = words.value;
  if (map->row_count && map->column_count && !value.value) return SYN_OK;
  SYN_TRY(expect_grid(reader, place, error));
  return read_number(reader, &value, &map->number, error);
}
static const item_kind map_kind = {sizeof(syn_plan_map), read_map};

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status read_plan(const plan_reader *made, const syn_json *place, void *item, syn_error *error) {
  static const char *const keys[] = {"over", "tables", "curves", "maps", "labrum", NULL};
  static const item_kind row = {sizeof(syn_plan_row), read_row};
  const plan_reader reader = {made->study, item};
  syn_plan *plan = item;
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(take_grid(&reader, place, error));
  SYN_TRY(take_items(&reader, place, "tables", &table_kind, &plan->tables, &plan->table_count, error));
  SYN_TRY(take_items(&reader, place, "curves", &curve_kind, &plan->curves, &plan->curve_count, error));
  SYN_TRY(take_items(&reader, place, "maps", &map_kind, &plan->maps, &plan->map_count, error));
  const syn_json labrum = syn_json_member(place, "labrum");
  if (!labrum.value) return SYN_OK;
  syn_plan_row *shown;
  SYN_TRY(SYN_TAKE(&made->study->arena, &shown, 1, error));
  memset(shown, 0, sizeof *shown);
  plan->labrum = shown;
  return row.read(&reader, &labrum, shown, error);
}

/* Reads a description, or the path of one relative to the folder of the study file. */
static syn_status read_page(const plan_reader *reader, const syn_json *place, void *item, syn_error *error) {
  syn_study *study = reader->study;
  const char *path;
  json_t *value;
  if (!json_is_string(place->value)) return read_plan(reader, place, item, error);
  SYN_TRY(syn_study_path_of(study, place, &path, error));
  SYN_TRY(syn_json_read(study->context, path, &value, error));
  if (!study->pages) study->pages = json_array();
  bool failed = !study->pages;
  syn_json_append(study->pages, value, &failed); /* its texts are borrowed */
  if (failed) return syn_fail_memory(error, 0);
  const syn_json root = syn_json_root(value, path);
  return read_plan(reader, &root, item, error);
}

/* Checks the max counts of a page. */
static syn_status check_counts(const syn_study *study, const syn_json *page, syn_error *error) {
  size_t maps = 0, curves = 0;
  for (size_t i = 0; i < study->plan_count; ++i) {
    maps += study->plans[i].map_count;
    curves += study->plans[i].curve_count;
  }
  if (maps > SYN_STUDY_MAPS) return syn_json_fail(page, error, "a page has at most %d maps", (int)SYN_STUDY_MAPS);
  if (curves > SYN_STUDY_PANELS / 2)
    return syn_json_fail(page, error, "a page has at most %d panels of curves", (int)SYN_STUDY_PANELS / 2);
  return SYN_OK;
}

syn_status syn_study_take_page(syn_study *study, const syn_json *root, syn_error *error) {
  static const item_kind kind = {sizeof(syn_plan), read_page};
  const plan_reader reader = {study, NULL};
  const syn_json page = syn_json_member(root, "page");
  if (!page.value) return SYN_OK;
  if (json_is_array(page.value)) {
    SYN_TRY(take_list(&reader, &page, &kind, (void **)&study->plans, &study->plan_count, error));
    return check_counts(study, &page, error);
  }
  SYN_TRY(SYN_TAKE(&study->arena, &study->plans, 1, error));
  memset(study->plans, 0, sizeof *study->plans);
  study->plan_count = 1;
  SYN_TRY(read_page(&reader, &page, study->plans, error));
  return check_counts(study, &page, error);
}
