/* The published study of 25 parametric hips (Arbabi 2009, §4.3.3) beside what this program finds: Table 8 tells in
 * which of them the femur reaches the labrum, Table 10 how deep it goes in six of them. */
#include <stdio.h>
#include <string.h>

#include "study.h"

enum { CES = 5, ALPHAS = 5, MORPHOLOGIES = 6 };

typedef const json_t *grid[CES][ALPHAS];

/* The scalars of the hip with these angles and nothing else out of the ordinary; NULL where it is not there. */
static const json_t *find_hip(const cli_study_summary *s, double ce, double alpha) {
  for (size_t i = 0; i < s->study->case_count; ++i) {
    const cli_study_case *it = &s->study->cases[i];
    bool has_ce = false, has_alpha = false;
    for (size_t k = 0; k < it->value_count; ++k) {
      has_ce = has_ce || (strcmp(it->values[k].name, "ce") == 0 && it->values[k].value == ce);
      has_alpha = has_alpha || (strcmp(it->values[k].name, "alpha") == 0 && it->values[k].value == alpha);
    }
    if (has_ce && has_alpha && it->value_count == 2 &&
        json_is_number(json_object_get(s->scalars[i], "fai.curvilinear_max_mm")))
      return s->scalars[i];
  }
  return NULL;
}

static double number(const json_t *scalars, const char *key) {
  return json_number_value(json_object_get(scalars, key));
}

static const char *text(syn_arena *arena, const char *words) {
  char *copy;
  return syn_arena_text(arena, words, strlen(words), &copy, NULL) == SYN_OK ? copy : "";
}

/* ---- Table 8 ------------------------------------------------------------------------------------------------------
 */

static const bool penetrates[CES][ALPHAS] = {
    {0, 0, 0, 0, 1}, {0, 0, 0, 1, 1}, {0, 0, 1, 1, 1}, {0, 1, 1, 1, 1}, {1, 1, 1, 1, 1}};

static bool table_8(grid hips, syn_arena *arena, syn_report_table *table) {
  static const syn_report_column columns[] = {{"ce", "CE", "°", true},         {"alpha40", "α 40°", "", false},
                                              {"alpha50", "α 50°", "", false}, {"alpha60", "α 60°", "", false},
                                              {"alpha70", "α 70°", "", false}, {"alpha80", "α 80°", "", false}};
  syn_report_cell *cell;
  if (SYN_TAKE(arena, &cell, CES * (ALPHAS + 1), NULL) != SYN_OK) return false;
  int agree = 0;
  *table = (syn_report_table){.name = "published_penetration",
                              .title = "Where the femur reaches the labrum, beside the published study",
                              .columns = columns,
                              .column_count = ALPHAS + 1,
                              .row_count = CES,
                              .cells = cell};
  for (int i = 0; i < CES; ++i) {
    *cell++ = (syn_report_cell){NULL, 10 * i};
    for (int j = 0; j < ALPHAS; ++j) {
      const double depth = number(hips[i][j], "fai.curvilinear_max_mm");
      char words[64], depth_words[32];
      snprintf(depth_words, sizeof depth_words, "%.1f mm", depth);
      snprintf(words, sizeof words, "%s (published: %s)", depth > 0 ? depth_words : "n.p.",
               penetrates[i][j] ? "penetration" : "n.p.");
      agree += (depth > 0) == penetrates[i][j];
      *cell++ = (syn_report_cell){text(arena, words), 0};
    }
  }
  char note[160];
  snprintf(note, sizeof note,
           "Greatest curvilinear depth from standing to sitting; n.p.: no penetration. %d of %d cells "
           "agree with Table 8 of the published study.",
           agree, CES * ALPHAS);
  table->note = text(arena, note);
  return true;
}

/* ---- Table 10 -----------------------------------------------------------------------------------------------------
 */

static const struct {
  const char *name;
  int ce, alpha;
  double curvilinear_low, curvilinear_high, radial_low, radial_high;
} morphologies[MORPHOLOGIES] = {
    {"Normal hip", 20, 40, 0, 5, 0, 2},
    {"Pure pincer impingement", 40, 40, 5, 10, 0, 2},
    {"Pure cam impingement", 20, 80, 15, 20, 8, 10},
    {"Combined cam and pincer impingement", 40, 80, 20, 25, 8, 10},
    {"Hip dysplasia", 0, 40, 0, 5, 0, 2},
    {"Combined dysplasia and impingement", 0, 80, 0, 5, 2, 4},
};

static bool table_10(grid hips, syn_arena *arena, syn_report_table *table) {
  static const syn_report_column columns[] = {{"morphology", "Morphology", "", false},
                                              {"ce", "CE", "°", true},
                                              {"alpha", "α", "°", true},
                                              {"curvilinear", "Curvilinear", "mm", true},
                                              {"curvilinear_low", "Published from", "mm", true},
                                              {"curvilinear_high", "to", "mm", true},
                                              {"radial", "Radial", "mm", true},
                                              {"radial_low", "Published from", "mm", true},
                                              {"radial_high", "to", "mm", true},
                                              {"class", "Told as", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cell;
  if (SYN_TAKE(arena, &cell, MORPHOLOGIES * COLUMNS, NULL) != SYN_OK) return false;
  *table = (syn_report_table){.name = "published_depths",
                              .title = "Depths of six morphologies, beside the published study",
                              .note = "Bands of Table 10 of the published study.",
                              .columns = columns,
                              .column_count = COLUMNS,
                              .row_count = MORPHOLOGIES,
                              .cells = cell};
  for (int i = 0; i < MORPHOLOGIES; ++i) {
    const json_t *hip = hips[morphologies[i].ce / 10][morphologies[i].alpha / 10 - 4];
    const double numbers[] = {morphologies[i].ce,
                              morphologies[i].alpha,
                              number(hip, "fai.curvilinear_max_mm"),
                              morphologies[i].curvilinear_low,
                              morphologies[i].curvilinear_high,
                              number(hip, "fai.radial_max_mm"),
                              morphologies[i].radial_low,
                              morphologies[i].radial_high};
    const char *class_name = json_string_value(json_object_get(hip, "fai.class"));
    *cell++ = (syn_report_cell){morphologies[i].name, 0};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) *cell++ = (syn_report_cell){NULL, numbers[k]};
    *cell++ = (syn_report_cell){class_name ? class_name : "", 0};
  }
  return true;
}

size_t cli_study_published(const cli_study_summary *summary, syn_arena *arena, syn_report_table tables[2]) {
  grid hips;
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j)
      if (!(hips[i][j] = find_hip(summary, 10 * i, 40 + 10 * j))) return 0;
  return table_8(hips, arena, &tables[0]) && table_10(hips, arena, &tables[1]) ? 2 : 0;
}
