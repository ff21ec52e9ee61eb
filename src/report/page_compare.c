/* Writes several reports to one page: their models side by side, their blobs under separate names, and the numbers that
 * they share in one table. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "report/html.h"
#include "report/pack.h"
#include "report/page_builder.h"
#include "report/page_content.h"
#include "report/page_parts.h"
#include "report/page_read.h"
#include "report/svg/svg.h"

/* A number of one report; texts belong to its model. */
typedef struct number {
  double value;               /* NAN if it has none */
  const char *why_not;        /* reason of a missing number, if known; else NULL */
  double band_low, band_high; /* 95 % interval; NAN: not known */
} number;

/* A number that some of the reports have. */
typedef struct number_row {
  const char *label, *more, *unit;
  number *of; /* by report */
} number_row;

typedef struct comparison {
  const syn_context *context;
  const char *title;
  syn_saved_page *pages;
  size_t count;
  json_t *model;
  json_t *row_numbers; /* by name, for lookup */
  number_row *rows;
  size_t row_count, row_capacity;
  syn_arena arena; /* owns the rows' values */
} comparison;

static syn_status fail_memory(syn_error *error) {
  return syn_fail(error, SYN_NO_MEMORY, "there is not enough memory for the comparison");
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static int prefix_blob(json_t *object, size_t report) {
  const char *name = json_string_value(json_object_get(object, "blob"));
  return json_object_set_new(object, "blob", json_sprintf("%zu-%s", report, name));
}

static syn_status add_item(comparison *c, json_t *items, size_t report, syn_error *error) {
  json_t *model = c->pages[report].model, *body, *field;
  size_t i, k;
  int failed = 0;
  json_array_foreach(json_object_get(model, "bodies"), i, body) {
    failed |= prefix_blob(json_object_get(body, "mesh"), report);
    json_array_foreach(json_object_get(body, "fields"), k, field) failed |= prefix_blob(field, report);
    json_array_foreach(json_object_get(body, "vectors"), k, field) failed |= prefix_blob(field, report);
  }
  failed |= json_array_append(items, model);
  return failed ? fail_memory(error) : SYN_OK;
}

static syn_status make_model(comparison *c, syn_error *error) {
  json_t *title = syn_json_clean(c->context, c->title), *items;
  if (!title) return fail_memory(error);
  c->model = json_pack("{s:i, s:s, s:o, s:[]}", "synovia", 1, "kind", "compare", "title", title, "items");
  if (!c->model) return fail_memory(error);
  items = json_object_get(c->model, "items");
  for (size_t i = 0; i < c->count; ++i) SYN_TRY(add_item(c, items, i, error));
  return SYN_OK;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *value) { return json_is_number(value) ? json_number_value(value) : (double)NAN; }

/* `more` is appended to the label, and distinguishes a range from a motion of the same name. */
static syn_status put_value(comparison *c, size_t report, const json_t *item, const char *more, const char *unit,
                            const number *value, syn_error *error) {
  json_t *key = json_sprintf("%s %s", text_of(item, "name"), more);
  const char *sought = json_string_value(key);
  const json_t *known = sought ? json_object_get(c->row_numbers, sought) : NULL;
  const size_t row = known ? (size_t)json_integer_value(known) : c->row_count;
  number *of = known ? c->rows[row].of : NULL;
  syn_status status = SYN_OK;
  if (!known) {
    status = SYN_RESERVE(c->context, &c->rows, c->row_count, 1, &c->row_capacity, error);
    if (status == SYN_OK) status = SYN_TAKE(&c->arena, &of, c->count, error);
    if (status == SYN_OK &&
        (!sought || json_object_set_new(c->row_numbers, sought, json_integer((json_int_t)row)) != 0))
      status = fail_memory(error);
    if (status == SYN_OK) {
      for (size_t i = 0; i < c->count; ++i) of[i] = (number){NAN, NULL, NAN, NAN};
      c->rows[c->row_count++] = (number_row){text_of(item, "label"), more, unit, of};
    }
  }
  if (status == SYN_OK) of[report] = *value;
  json_decref(key);
  return status;
}

/* Collects ranges, and the limits of motions. */
static syn_status collect_numbers(comparison *c, size_t report, syn_error *error) {
  json_t *model = c->pages[report].model, *item;
  size_t i;
  json_array_foreach(json_object_get(model, "ranges"), i, item) {
    const json_t *band = json_object_get(item, "band");
    const number value = {number_of(json_object_get(item, "value")), text_of(item, "why_not"),
                          number_of(json_array_get(band, 0)), number_of(json_array_get(band, 1))};
    SYN_TRY(put_value(c, report, item, "", text_of(item, "unit"), &value, error));
  }
  json_array_foreach(json_object_get(model, "motions"), i, item) {
    const json_t *contact = json_object_get(item, "contact");
    if (!json_is_object(contact)) continue;
    const number value = {number_of(json_object_get(contact, "angle_deg")), NULL, NAN, NAN};
    SYN_TRY(put_value(c, report, item, ", at contact", "°", &value, error));
  }
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* A, B, … Z, AA, AB, … */
static char *letters_of(size_t report, char room[24]) {
  char backward[24];
  size_t used = 0, k = 0;
  for (size_t left = report + 1; left > 0; left = (left - 1) / 26) backward[used++] = (char)('A' + (left - 1) % 26);
  while (used > 0) room[k++] = backward[--used];
  room[k] = 0;
  return room;
}

static const char *side_of(const json_t *model) { return text_of(json_object_get(model, "frame"), "side"); }

/* Returns whether the reports show both sides, which are then named. */
static bool sides_differ(const comparison *c) {
  const char *first = side_of(c->pages[0].model);
  for (size_t i = 1; i < c->count; ++i) {
    const char *side = side_of(c->pages[i].model);
    if (first && side && strcmp(first, side) != 0) return true;
  }
  return false;
}

static syn_status put_summaries(FILE *to, const comparison *c, syn_error *error) {
  for (size_t i = 0; i < c->count; ++i) {
    const json_t *model = c->pages[i].model, *summary = json_object_get(model, "summary"),
                 *notes = json_object_get(model, "notes");
    const size_t count = json_array_size(summary), note_count = json_array_size(notes);
    const char **sentences;
    char letters[24];
    SYN_TRY(SYN_NEW(c->context, &sentences, count + note_count, error));
    for (size_t k = 0; k < count; ++k) sentences[k] = json_string_value(json_array_get(summary, k));
    for (size_t k = 0; k < note_count; ++k) sentences[count + k] = json_string_value(json_array_get(notes, k));
    fprintf(to, "<div class=\"item\"><h2>%s: ", letters_of(i, letters));
    syn_html_text(to, text_of(model, "title"));
    if (sides_differ(c) && side_of(model)) fprintf(to, ", %s", side_of(model));
    fputs("</h2>\n<p class=\"subtitle\">", to);
    syn_html_text(to, text_of(model, "subtitle"));
    fputs("</p>\n", to);
    syn_page_sentences(to, sentences, count, (size_t)json_integer_value(json_object_get(model, "verdict")));
    syn_page_notes(to, sentences + count, note_count, "h3");
    fputs("</div>\n", to);
    syn_free(c->context, sentences);
  }
  return SYN_OK;
}

static void put_number(FILE *to, const number *n, const char *unit) {
  char text[160];
  fputs("<td class=\"number\">", to);
  syn_html_text(to, isnan(n->value) && n->why_not
                        ? n->why_not
                        : syn_shown_banded_text(n->value, n->band_low, n->band_high, unit, text));
  fputs("</td>", to);
}

/* Subtracts the numbers as shown: 134 and 134 do not differ by 1. */
static void put_difference(FILE *to, const number *n, const number *first, const char *unit) {
  const double by = syn_shown_value(n->value, unit) - syn_shown_value(first->value, unit);
  char text[48];
  fprintf(to, "<td class=\"number\">%s%s</td>", by > 0 ? "+" : "", syn_shown_text(by, unit, text));
}

/* Letters precede the columns; differences from the first report come last. */
static void put_numbers(FILE *to, const comparison *c) {
  char letters[24];
  fputs("<section id=\"tables\" aria-label=\"Tables\">\n", to);
  if (c->row_count == 0) { /* reports with curves and colours only */
    fputs("</section>\n", to);
    return;
  }
  fputs("<div class=\"sheet\"><table data-table=\"comparison\">\n"
        "<caption>Numbers side by side</caption>\n<thead><tr><th scope=\"col\">number</th><th scope=\"col\">unit</th>",
        to);
  for (size_t i = 0; i < c->count; ++i)
    fprintf(to, "<th scope=\"col\" class=\"number\">%s</th>", letters_of(i, letters));
  for (size_t i = 1; i < c->count; ++i)
    fprintf(to, "<th scope=\"col\" class=\"number\">%s − A</th>", letters_of(i, letters));
  fputs("</tr></thead>\n<tbody>\n", to);
  for (size_t row = 0; row < c->row_count; ++row) {
    const number_row *r = &c->rows[row];
    fputs("<tr><td>", to);
    syn_html_text(to, r->label);
    syn_html_text(to, r->more);
    fputs("</td><td>", to);
    syn_html_text(to, syn_svg_unit(r->unit));
    fputs("</td>", to);
    for (size_t i = 0; i < c->count; ++i) put_number(to, &r->of[i], r->unit);
    for (size_t i = 1; i < c->count; ++i) put_difference(to, &r->of[i], &r->of[0], r->unit);
    fputs("</tr>\n", to);
  }
  fputs("</tbody>\n</table></div>\n</section>\n", to);
}

static void put_provenance(FILE *to, const comparison *c) {
  fprintf(to, "<footer id=\"provenance\">\n<p>Compared by Synovia %s.</p>\n", syn_version());
  for (size_t i = 0; i < c->count; ++i) {
    const json_t *provenance = json_object_get(c->pages[i].model, "provenance");
    static const char *const keys[] = {"version", "date", "command"};
    char letters[24];
    fprintf(to, "<p>%s: ", letters_of(i, letters));
    syn_html_text(to, text_of(c->pages[i].model, "title"));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
      const char *text = text_of(provenance, keys[k]);
      if (!text || !*text) continue;
      fputs(k ? ", " : ", made by Synovia ", to);
      syn_html_text(to, text);
    }
    fputs(".</p>\n", to);
  }
  fputs("<p>Research software, not a medical device.</p>\n</footer>\n", to);
}

/* Writes "A: Case 7, right; B: Case 7, left", for the head of every sheet; for many reports, only their count. */
static const char *names_of(syn_arena *arena, const comparison *c) {
  enum { MOST = 4 };
  const char *names = "";
  if (c->count > MOST) return syn_filled_text(arena, "%zu reports", c->count);
  for (size_t i = 0; i < c->count; ++i) {
    const json_t *model = c->pages[i].model;
    const bool sided = !json_object_get(json_object_get(model, "frame"), "looks"); /* a hip */
    const char *title = text_of(model, "title"), *side = sided ? side_of(model) : NULL;
    char letters[24];
    names = syn_filled_text(arena, "%s%s%s: %s%s%s", names, i ? "; " : "", letters_of(i, letters), title ? title : "",
                            side ? ", " : "", side ? side : "");
  }
  return names;
}

static syn_status put_page(FILE *to, const comparison *c, syn_error *error) {
  syn_arena arena = {.context = c->context};
  const char *names = names_of(&arena, c);
  const syn_status status = syn_arena_check(&arena, error);
  syn_page_begin(to, c->title, names);
  syn_arena_release(&arena);
  SYN_TRY(status);
  SYN_TRY(put_summaries(to, c, error));
  syn_page_end_header(to);
  fputs("<section id=\"plots\" aria-label=\"Drawings\"></section>\n", to);
  put_numbers(to, c);
  put_provenance(to, c);
  SYN_TRY(syn_page_model(to, c->model, error));
  for (size_t i = 0; i < c->count; ++i) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%zu-", i);
    for (size_t k = 0; k < c->pages[i].blob_count; ++k)
      syn_blob_put(to, prefix, k, c->pages[i].blobs[k].text, c->pages[i].blobs[k].length);
  }
  syn_page_end(to);
  return SYN_OK;
}

static syn_status make(comparison *c, const char *const *paths, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(c->context, &c->pages, c->count, error));
  for (size_t i = 0; i < c->count; ++i) SYN_TRY(syn_saved_page_read(c->context, paths[i], &c->pages[i], error));
  c->row_numbers = json_object();
  if (!c->row_numbers) return fail_memory(error);
  for (size_t i = 0; i < c->count; ++i) SYN_TRY(collect_numbers(c, i, error));
  return make_model(c, error);
}

static void release(comparison *c) {
  for (size_t i = 0; c->pages && i < c->count; ++i) syn_saved_page_release(&c->pages[i]);
  json_decref(c->model);
  json_decref(c->row_numbers);
  syn_free(c->context, c->pages);
  syn_free(c->context, c->rows);
  syn_arena_release(&c->arena);
}

syn_status syn_report_compare(const syn_context *context, const char *const *paths, size_t count, const char *title,
                              const char *path, syn_error *error) {
  if (count < 2) return syn_fail(error, SYN_BAD_ARGUMENT, "a comparison needs two reports or more");
  comparison c = {.context = context,
                  .title = title && *title ? title : "Comparison",
                  .count = count,
                  .arena = {.context = context}};
  syn_output output;
  syn_status status = make(&c, paths, error);
  if (status == SYN_OK) status = syn_output_open(context, path, &output, error);
  if (status == SYN_OK) {
    status = put_page(output.stream, &c, error);
    if (status == SYN_OK)
      status = syn_output_commit(&output, error);
    else
      syn_output_discard(&output);
  }
  release(&c);
  return status;
}
