/* The published study of 25 parametric hips (Arbabi 2009, §4.3.3) beside what this program finds: Table 8 says in which
 * of them the femur reaches the labrum, Table 10 how deep it goes in six of them. */
#include <stdio.h>
#include <string.h>

#include "study/page.h"

enum { CES = 5, ALPHAS = 5, MORPHOLOGIES = 6 };

/* What is compared: greatest depths and the class of each hip. */
typedef struct published_hip {
  double curvilinear_mm, radial_mm;
  const char *class_name; /* may be NULL */
} published_hip;
typedef published_hip grid[CES][ALPHAS];

/* Is this the hip with these angles and nothing else out of the ordinary? */
static bool has_angles(const syn_study_case *it, double ce, double alpha) {
  bool has_ce = false, has_alpha = false;
  for (size_t k = 0; k < it->value_count; ++k) {
    has_ce = has_ce || (strcmp(it->values[k].name, "ce") == 0 && it->values[k].value == ce);
    has_alpha = has_alpha || (strcmp(it->values[k].name, "alpha") == 0 && it->values[k].value == alpha);
  }
  return has_ce && has_alpha && it->value_count == 2;
}

/* False where it is not there. */
static bool find_hip(const syn_study_content *c, double ce, double alpha, published_hip *hip) {
  static const char *const keys[3][3] = {{"fai", "curvilinear_max_mm"}, {"fai", "radial_max_mm"}, {"fai", "class"}};
  size_t columns[3];
  for (int k = 0; k < 3; ++k) columns[k] = syn_study_find_column(c, keys[k]);
  for (size_t i = 0; i < c->shown.study->case_count; ++i) {
    const json_t *depth = syn_study_scalar(c, i, columns[0]);
    if (!has_angles(&c->shown.study->cases[i], ce, alpha) || !json_is_number(depth)) continue;
    *hip = (published_hip){json_number_value(depth), json_number_value(syn_study_scalar(c, i, columns[1])),
                           json_string_value(syn_study_scalar(c, i, columns[2]))};
    return true;
  }
  return false;
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
      const double depth = hips[i][j].curvilinear_mm;
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
                                              {"class", "Depths as in the group", "", false}};
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
    const published_hip *hip = &hips[morphologies[i].ce / 10][morphologies[i].alpha / 10 - 4];
    const double numbers[] = {morphologies[i].ce,
                              morphologies[i].alpha,
                              hip->curvilinear_mm,
                              morphologies[i].curvilinear_low,
                              morphologies[i].curvilinear_high,
                              hip->radial_mm,
                              morphologies[i].radial_low,
                              morphologies[i].radial_high};
    *cell++ = (syn_report_cell){morphologies[i].name, 0};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) *cell++ = (syn_report_cell){NULL, numbers[k]};
    *cell++ = (syn_report_cell){hip->class_name ? hip->class_name : "", 0};
  }
  return true;
}

size_t syn_study_published(const syn_study_content *content, syn_arena *arena,
                           syn_report_table tables[SYN_STUDY_PUBLISHED]) {
  grid hips;
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j)
      if (!find_hip(content, 10 * i, 40 + 10 * j, &hips[i][j])) return 0;
  return table_8(hips, arena, &tables[0]) && table_10(hips, arena, &tables[1]) ? SYN_STUDY_PUBLISHED : 0;
}
