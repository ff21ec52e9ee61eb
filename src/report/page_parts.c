#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "report/html.h"
#include "report/page.h"
#include "report/page_model.h"
#include "report/page_parts.h"
#include "report/svg/svg.h"

/* Receives text to write, or only to hash: the policy, which names the style's hash, precedes the style. */
typedef struct sink {
  FILE *to; /* NULL: only hashed */
  syn_sha256 sha;
} sink;

static void put(sink *s, const char *text) {
  if (s->to)
    fputs(text, s->to);
  else
    syn_sha256_add(&s->sha, text, strlen(text));
}

/* Writes a string of a style sheet. */
static void put_css_text(sink *s, const char *text) {
  char character[5], escaped[8];
  while (text && syn_next_character(&text, character)) {
    const bool plain = character[0] != '"' && character[0] != '\\' && character[0] != '<' && character[0] != '\n';
    if (!plain) snprintf(escaped, sizeof escaped, "\\%x ", (unsigned)(unsigned char)character[0]);
    put(s, plain ? character : escaped);
  }
}

/* Every printed sheet bears the title and its page number. */
static void put_style(sink *s, const char *title, const char *subtitle) {
  put(s, "\n");
  put(s, syn_page_style);
  put(s, "@page { @top-left { content: \"");
  put_css_text(s, title);
  if (subtitle && *subtitle) put(s, ": ");
  put_css_text(s, subtitle);
  put(s, "\"; font: 8pt sans-serif; color: #52606d; } @bottom-right { content: counter(page) \" / \" counter(pages); "
         "font: 8pt sans-serif; color: #52606d; } }\n");
}

/* Writes 'sha256-…' as in a content security policy. */
static void put_source(FILE *to, const char digits[65]) {
  enum { BYTES = 32, TEXT = 44 };
  char text[TEXT + 1] = "";
  unsigned char bytes[BYTES];
  for (int i = 0; i < BYTES; ++i) {
    unsigned byte = 0;
    sscanf(digits + 2 * i, "%2x", &byte);
    bytes[i] = (unsigned char)byte;
  }
  syn_base64_encode(bytes, BYTES, text);
  fprintf(to, "'sha256-%s'", text);
}

/* Writes the content security policy: only this script and this style apply, whatever the texts contain; nothing is
 * fetched, and nothing is sent except to the viewer that served the page. The script may compile the WebAssembly in the
 * page and run it in a worker. */
static void put_policy(FILE *to, const char *title, const char *subtitle) {
  sink style = {.sha = syn_sha256_start()};
  char style_digits[65];
  put_style(&style, title, subtitle);
  syn_sha256_finish(&style.sha, style_digits);
  fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ", to);
  put_source(to, syn_page_script_sha256);
  fputs(" 'wasm-unsafe-eval'; style-src ", to);
  put_source(to, style_digits);
  fputs("; worker-src blob:; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'\">\n", to);
}

/* Writes from the first byte to </head>. On paper title and `subtitle` (may be NULL) are at the top of every sheet. */
static void page_head(FILE *to, const char *title, const char *subtitle) {
  sink written = {.to = to};
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"Synovia\">\n",
        to);
  put_policy(to, title, subtitle);
  fputs("<title>", to);
  syn_html_text(to, title);
  fputs("</title>\n<style>", to);
  put_style(&written, title, subtitle);
  fputs("</style>\n</head>\n", to);
}

#define PUBMED "https://pubmed.ncbi.nlm.nih.gov/?term="

/* Found by the beginning of a source. docs/theory/references.md has them in full. */
static const struct {
  const char *cited, *link;
} links[] = {
    {"Tannast et al. 2007", PUBMED "Noninvasive+three-dimensional+assessment+of+femoroacetabular+impingement"},
    {"Tannast et al. 2015", "https://pmc.ncbi.nlm.nih.gov/articles/PMC4353515/"},
    {"Kubiak-Langer et al. 2007", PUBMED "Range+of+motion+in+anterior+femoroacetabular+impingement"},
    {"Mascarenhas et al. 2018", "https://doi.org/10.1007/s00330-017-5072-9"},
    {"van Klij et al. 2020", "https://pmc.ncbi.nlm.nih.gov/articles/PMC7418265/"},
    {"LibHip (2022)", PUBMED "LibHip+an+open-access+hip+joint+model+repository"},
    {"Hartel et al. 2016", "https://doi.org/10.1371/journal.pone.0149480"},
};

const char *syn_source_link(const char *source) {
  for (size_t i = 0; source && i < sizeof links / sizeof *links; ++i)
    if (strncmp(source, links[i].cited, strlen(links[i].cited)) == 0) return links[i].link;
  return NULL;
}

/* ---- page parts ------------------------------------------------------------------------------------------------ */

static const char notice[] = "Research software, not a medical device.";

void syn_page_begin(FILE *to, const char *title, const char *subtitle) {
  page_head(to, title, subtitle);
  fputs("<body>\n<main id=\"report\">\n<header>\n<h1>", to);
  syn_html_text(to, title);
  fputs("</h1>\n", to);
}

void syn_page_sentences(FILE *to, const char *const *sentences, size_t count, size_t verdict_count) {
  if (!count) return;
  fputs("<ul class=\"summary\">\n", to);
  for (size_t i = 0; i < count; ++i) {
    fputs(i < verdict_count ? "<li class=\"verdict\">" : "<li>", to);
    syn_html_text(to, sentences[i]);
    fputs("</li>\n", to);
  }
  fputs("</ul>\n", to);
}

void syn_page_notes(FILE *to, const char *const *notes, size_t count, const char *heading) {
  if (!count) return;
  const bool only_one = strcmp(heading, "h2") == 0;
  fprintf(to, "<section class=\"notes\"%s><%s>Assumptions and warnings</%s>\n", only_one ? " id=\"notes\"" : "",
          heading, heading);
  fputs("<ol class=\"notes-list\">\n", to);
  for (size_t i = 0; i < count; ++i) {
    if (only_one)
      fprintf(to, "<li id=\"note-%zu\">", i + 1);
    else
      fputs("<li>", to);
    syn_html_text(to, notes[i]);
    fputs("</li>\n", to);
  }
  fputs("</ol>\n</section>\n", to);
}

void syn_page_end_header(FILE *to) {
  fprintf(to, "<p class=\"notice\">%s</p>\n</header>\n<section id=\"scene\"%s></section>\n", notice,
          *syn_page_script ? " class=\"awaited\"" : "");
}

syn_status syn_page_model(FILE *to, const json_t *model, syn_error *error) {
  fputs("</main>\n" SYN_PAGE_MODEL, to);
  SYN_TRY(syn_json_put_script(model, to, error));
  fputs("</script>\n", to);
  return SYN_OK;
}

void syn_page_end(FILE *to) {
  if (*syn_page_script) {
    fputs("<script>", to);
    fputs(syn_page_script, to);
    fputs("</script>\n", to);
  }
  fputs("</body>\n</html>\n", to);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void put_heading(FILE *to, const syn_report_column *column) {
  fprintf(to, "<th scope=\"col\"%s>", column->numeric ? " class=\"number\"" : "");
  syn_html_text(to, column->label);
  if (column->unit && *column->unit) {
    fputs(", ", to);
    syn_html_text(to, syn_svg_unit(column->unit));
  }
  fputs("</th>", to);
}

/* Returns the unit of a cell: that of its column, or the row's entry under "unit". */
static const char *unit_of(const syn_report_table *table, size_t row, size_t column) {
  const syn_report_column *columns = table->columns;
  if (columns[column].unit && *columns[column].unit) return columns[column].unit;
  for (size_t i = 0; i < table->column_count; ++i)
    if (strcmp(columns[i].key, "unit") == 0) return table->cells[row * table->column_count + i].text;
  return "";
}

/* Writes the numbers of the notes about this number, with their texts and a link to the first. */
static void put_marks(FILE *to, const syn_report *report, const syn_report_range *range) {
  const char *between = "";
  for (size_t i = 0; i < report->note_count; ++i) {
    if (!syn_report_note_is_about(report, i, range)) continue;
    if (*between)
      fputs(between, to);
    else
      fprintf(to, "<a class=\"note-mark\" href=\"#note-%zu\" title=\"", i + 1);
    syn_html_text(to, report->notes[i]);
    between = "\n";
  }
  if (!*between) return;
  between = "\">";
  for (size_t i = 0; i < report->note_count; ++i) {
    if (!syn_report_note_is_about(report, i, range)) continue;
    fprintf(to, "%s%zu", between, i + 1);
    between = " ";
  }
  fputs("</a>", to);
}

static const syn_report_range *range_labelled(const syn_report *report, const char *label) {
  for (size_t i = 0; label && i < report->range_count; ++i)
    if (report->ranges[i].label && strcmp(report->ranges[i].label, label) == 0) return &report->ranges[i];
  return NULL;
}

static void put_cell(FILE *to, const syn_report *report, const syn_report_table *table, size_t row, size_t index) {
  const syn_report_column *column = &table->columns[index];
  const syn_report_cell *cell = &table->cells[row * table->column_count + index];
  char number[48];
  fprintf(to, "<td%s>", column->numeric ? " class=\"number\"" : "");
  const char *link = index == 0 && table->links ? table->links[row] : NULL;
  if (link) {
    fputs("<a href=\"", to);
    syn_html_text(to, link);
    fputs("\">", to);
  }
  syn_html_text(to, cell->text ? cell->text : syn_shown_text(cell->number, unit_of(table, row, index), number));
  if (link) fputs("</a>", to);
  const syn_report_range *range = index == 0 ? range_labelled(report, cell->text) : NULL;
  if (range) put_marks(to, report, range);
  fputs("</td>", to);
}

void syn_page_table(FILE *to, const syn_report *report, const syn_report_table *table) {
  fputs("<div class=\"sheet\"><table data-table=\"", to);
  syn_html_text(to, table->name);
  fputs("\">\n<caption>", to);
  syn_html_text(to, table->title);
  fputs("</caption>\n<thead><tr>", to);
  for (size_t i = 0; i < table->column_count; ++i) put_heading(to, &table->columns[i]);
  fputs("</tr></thead>\n<tbody>\n", to);
  for (size_t row = 0; row < table->row_count; ++row) {
    fputs("<tr>", to);
    for (size_t i = 0; i < table->column_count; ++i) put_cell(to, report, table, row, i);
    fputs("</tr>\n", to);
  }
  fputs("</tbody>\n</table>", to);
  if (table->note) {
    fputs("<p class=\"quiet\">", to);
    syn_html_text(to, table->note);
    fputs("</p>", to);
  }
  fputs("</div>\n", to);
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

static void put_inputs(FILE *to, const syn_report *report) {
  if (!report->input_count) return;
  fputs("<table>\n<caption>Input</caption>\n<thead><tr><th scope=\"col\">file</th><th scope=\"col\" "
        "class=\"number\">vertices"
        "</th><th scope=\"col\" class=\"number\">triangles</th><th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n",
        to);
  for (size_t i = 0; i < report->input_count; ++i) {
    const syn_report_input *input = &report->inputs[i];
    fputs("<tr><td>", to);
    syn_html_text(to, input->name);
    if (input->vertices)
      fprintf(to, "</td><td class=\"number\">%zu</td><td class=\"number\">%zu</td><td><code>", input->vertices,
              input->triangles);
    else
      fputs("</td><td class=\"number\">–</td><td class=\"number\">–</td><td><code>", to);
    syn_html_text(to, input->sha256);
    fputs("</code></td></tr>\n", to);
  }
  fputs("</tbody>\n</table>\n", to);
}

/* Describes how the displayed surfaces differ from the analysed ones. */
static void put_surfaces(FILE *to, const syn_report *report, const syn_display *displays, const json_t *model) {
  for (size_t i = 0; i < report->body_count; ++i) {
    const syn_trimesh *shown = displays[i].mesh, *analysed = report->bodies[i].body.surface;
    if (shown->triangle_count == analysed->triangle_count) continue;
    const json_t *body = json_array_get(json_object_get(model, "bodies"), i);
    const double error_mm = json_number_value(json_object_get(body, "display_error_mm"));
    char number[48];
    fputs("<p>", to);
    syn_html_text(to, report->bodies[i].label ? report->bodies[i].label : report->bodies[i].body.name);
    fprintf(to, ": analysed with %u triangles, shown with %u, which lie within %s mm of it.</p>\n",
            analysed->triangle_count, shown->triangle_count, syn_shown_number(error_mm, 3, number));
  }
}

void syn_page_provenance(FILE *to, const syn_report *report, const syn_display *displays, const json_t *model) {
  fprintf(to, "<footer id=\"provenance\">\n<p>Made by Synovia %s", syn_version());
  if (report->date) {
    fputs(", ", to);
    syn_html_text(to, report->date);
  }
  if (report->command) {
    fputs(": <code>", to);
    syn_html_text(to, report->command);
    fputs("</code>", to);
  }
  fputs(".</p>\n", to);
  put_inputs(to, report);
  if (report->option_count) {
    fputs("<dl>\n", to);
    for (size_t i = 0; i < report->option_count; ++i) {
      fputs("<div><dt>", to);
      syn_html_text(to, report->options[i].name);
      fputs("</dt><dd>", to);
      syn_html_text(to, report->options[i].value);
      fputs("</dd></div>\n", to);
    }
    fputs("</dl>\n", to);
  }
  put_surfaces(to, report, displays, model);
  fprintf(to, "<p>%s</p>\n</footer>\n", notice);
}
