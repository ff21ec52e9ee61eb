/* The published study of 25 parametric hips (Arbabi 2009, §4.3.3) beside what this program finds. Table 8 says in which
 * of them the femur reaches the labrum along the turn, Table 9 in which it reaches the socket's soft tissue along the
 * radius, Table 10 how deep it goes in six of them. Fig. 62 has the depths over alpha, Fig. 63 maps over both angles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study_page.h"

enum { CES = 5, ALPHAS = 5, HIPS = CES * ALPHAS, MORPHOLOGIES = 6, MAPS = 4 };

/* What is compared: greatest depths and the class of each hip. */
typedef struct published_hip {
  double curvilinear_mm, radial_mm, difference;
  const char *class_name; /* may be NULL */
} published_hip;
typedef published_hip grid[CES][ALPHAS];

typedef double (*syn_hip_value)(const published_hip *hip);
static double curvilinear_of(const published_hip *hip) { return hip->curvilinear_mm; }
static double radial_of(const published_hip *hip) { return hip->radial_mm; }

static bool has_value(const syn_study_case *it, const char *name, double value) {
  for (size_t k = 0; k < it->value_count; ++k)
    if (strcmp(it->values[k].name, name) == 0) return it->values[k].value == value;
  return false;
}

/* Is this the hip with these angles and nothing else out of the ordinary? Where the femoral cartilage ends and how fine
 * the mesh is may be chosen. */
static bool has_angles(const syn_study_case *it, double ce, double alpha) {
  size_t free = 0;
  for (size_t k = 0; k < it->value_count; ++k)
    free += strcmp(it->values[k].name, "cartilage-edge") == 0 || strcmp(it->values[k].name, "resolution") == 0;
  return has_value(it, "ce", ce) && has_value(it, "alpha", alpha) && it->value_count == 2 + free;
}

size_t syn_study_hip25(const syn_study_content *content, double ce, double alpha) {
  for (size_t i = 0; i < content->shown.study->case_count; ++i)
    if (content->states[i] == SYN_CASE_DONE && has_angles(&content->shown.study->cases[i], ce, alpha)) return i;
  return SIZE_MAX;
}

/* False where it is not there. */
static bool find_hip(const syn_study_content *c, double ce, double alpha, published_hip *hip) {
  static const char *const keys[][3] = {
      {"fai", "curvilinear_max_mm"}, {"fai", "radial_max_mm"}, {"fai", "difference"}, {"fai", "class"}};
  enum { KEYS = sizeof keys / sizeof *keys };
  size_t columns[KEYS];
  for (int k = 0; k < KEYS; ++k) columns[k] = syn_study_find_column(c, keys[k]);
  for (size_t i = 0; i < c->shown.study->case_count; ++i) {
    const json_t *depth = syn_study_scalar(c, i, columns[0]), *radial = syn_study_scalar(c, i, columns[1]);
    const bool known = json_is_number(depth) && json_is_number(radial);
    if (!known || !has_angles(&c->shown.study->cases[i], ce, alpha)) continue;
    *hip = (published_hip){json_number_value(depth), json_number_value(radial),
                           json_number_value(syn_study_scalar(c, i, columns[2])),
                           json_string_value(syn_study_scalar(c, i, columns[3]))};
    return true;
  }
  return false;
}

/* ---- Tables 8 and 9 -----------------------------------------------------------------------------------------------
 */

typedef struct published_pattern {
  const char *name, *title, *depth, *remark;
  int table; /* in the published study */
  syn_hip_value value;
  bool penetrates[CES][ALPHAS];
} published_pattern;

static const published_pattern patterns[] = {
    {"published_penetration",
     "Where the femur reaches the labrum, beside the published study",
     "curvilinear",
     "",
     8,
     curvilinear_of,
     {{0, 0, 0, 0, 1}, {0, 0, 0, 1, 1}, {0, 0, 1, 1, 1}, {0, 1, 1, 1, 1}, {1, 1, 1, 1, 1}}},
    {"published_radial",
     "Where the femur reaches the socket's soft tissue, beside the published study",
     "radial",
     " Depths below 0.1 mm are those of facets: bone and cartilage share one radius, and the facets of the cartilage "
     "lie "
     "a little inside it.",
     9,
     radial_of,
     {{0, 0, 0, 0, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}}},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static syn_status add_pattern(syn_study_page *page, grid hips, const published_pattern *p, syn_error *error) {
  static const syn_report_column columns[] = {{"ce", "CE", "°", true},         {"alpha40", "α 40°", "", false},
                                              {"alpha50", "α 50°", "", false}, {"alpha60", "α 60°", "", false},
                                              {"alpha70", "α 70°", "", false}, {"alpha80", "α 80°", "", false}};
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&page->arena, &cell, CES * (ALPHAS + 1), error));
  syn_report_table *table = &page->tables[page->report.table_count++];
  *table = (syn_report_table){.name = p->name,
                              .title = p->title,
                              .columns = columns,
                              .column_count = ALPHAS + 1,
                              .row_count = CES,
                              .cells = cell};
  int agree = 0;
  for (int i = 0; i < CES; ++i) {
    *cell++ = (syn_report_cell){NULL, 10 * i};
    for (int j = 0; j < ALPHAS; ++j) {
      const double depth = p->value(&hips[i][j]);
      char words[32];
      snprintf(words, sizeof words, depth < 0.1 ? "%.2f mm" : "%.1f mm", depth);
      agree += (depth > 0) == p->penetrates[i][j];
      *cell++ = (syn_report_cell){syn_study_page_text(page, "%s (published: %s)", depth > 0 ? words : "n.p.",
                                                      p->penetrates[i][j] ? "penetration" : "n.p."),
                                  0};
    }
  }
  table->note = syn_study_page_text(page,
                                    "Greatest %s depth from standing to sitting; n.p.: no penetration. %d of %d cells "
                                    "agree with Table %d of the published study.%s",
                                    p->depth, agree, HIPS, p->table, p->remark);
  return SYN_OK;
}

/* ---- Table 10 -----------------------------------------------------------------------------------------------------
 */

static const struct {
  const char *name;
  int ce, alpha;
  double curvilinear_low, curvilinear_high, radial_low, radial_high, difference_low, difference_high;
} morphologies[MORPHOLOGIES] = {
    {"Normal hip", 20, 40, 0, 5, 0, 2, 0, 0.2},
    {"Pure pincer impingement", 40, 40, 5, 10, 0, 2, 0.2, 0.4},
    {"Pure cam impingement", 20, 80, 15, 20, 8, 10, -0.4, -0.2},
    {"Combined cam and pincer impingement", 40, 80, 20, 25, 8, 10, 0, 0.2},
    {"Hip dysplasia", 0, 40, 0, 5, 0, 2, 0, 0.2},
    {"Combined dysplasia and impingement", 0, 80, 0, 5, 2, 4, -0.2, 0},
};

static const syn_report_column depth_columns[] = {{"morphology", "Morphology", "", false},
                                                  {"ce", "CE", "°", true},
                                                  {"alpha", "α", "°", true},
                                                  {"curvilinear", "Curvilinear", "mm", true},
                                                  {"curvilinear_low", "Published from", "mm", true},
                                                  {"curvilinear_high", "to", "mm", true},
                                                  {"radial", "Radial", "mm", true},
                                                  {"radial_low", "Published from", "mm", true},
                                                  {"radial_high", "to", "mm", true},
                                                  {"difference", "Difference", "", true},
                                                  {"difference_low", "Published from", "", true},
                                                  {"difference_high", "to", "", true},
                                                  {"class", "Depths as in the group", "", false}};
enum { COLUMNS = sizeof depth_columns / sizeof *depth_columns };

static void put_morphology(syn_study_page *page, grid hips, int i, syn_report_cell *cell) {
  const published_hip *hip = &hips[morphologies[i].ce / 10][morphologies[i].alpha / 10 - 4];
  const double numbers[] = {morphologies[i].ce,
                            morphologies[i].alpha,
                            hip->curvilinear_mm,
                            morphologies[i].curvilinear_low,
                            morphologies[i].curvilinear_high,
                            hip->radial_mm,
                            morphologies[i].radial_low,
                            morphologies[i].radial_high,
                            hip->difference,
                            morphologies[i].difference_low,
                            morphologies[i].difference_high};
  *cell++ = (syn_report_cell){morphologies[i].name, 0};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) *cell++ = (syn_report_cell){NULL, numbers[k]};
  *cell = (syn_report_cell){hip->class_name ? syn_study_page_words(page, hip->class_name) : "", 0};
}

static syn_status add_table_10(syn_study_page *page, grid hips, syn_error *error) {
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&page->arena, &cells, MORPHOLOGIES * COLUMNS, error));
  for (int i = 0; i < MORPHOLOGIES; ++i) put_morphology(page, hips, i, cells + i * COLUMNS);
  page->tables[page->report.table_count++] = (syn_report_table){
      .name = "published_depths",
      .title = "Depths of six morphologies, beside the published study",
      .note = "Bands of Table 10 of the published study. The difference is that of the depths over 25 and 10 mm, the "
              "upper ends of the bands. No choice of neck and socket brings pincer and combined into their bands at "
              "once: they are 40° of alpha apart, and the depth grows by 5.2 mm for 10°. docs/decisions.md has what "
              "was tried.",
      .columns = depth_columns,
      .column_count = COLUMNS,
      .row_count = MORPHOLOGIES,
      .cells = cells};
  return SYN_OK;
}

/* ---- Figs 62 and 63 -----------------------------------------------------------------------------------------------
 */

static const double ces[CES] = {0, 10, 20, 30, 40}, alphas[ALPHAS] = {40, 50, 60, 70, 80};

static double difference_of(const published_hip *hip) { return hip->difference; }
static double class_of(const published_hip *hip) {
  for (int i = 0; hip->class_name && i < SYN_FAI_CLASSES; ++i)
    if (strcmp(hip->class_name, syn_fai_class_name((syn_fai_class)i)) == 0) return i;
  return NAN;
}

/* So that they fit into a cell. */
static const char *const short_classes[SYN_FAI_CLASSES] = {
    [SYN_FAI_NORMAL] = "normal", [SYN_FAI_DYSPLASTIC] = "dyspl.", [SYN_FAI_CAM] = "cam",
    [SYN_FAI_PINCER] = "pincer", [SYN_FAI_COMBINED] = "comb.",    [SYN_FAI_DYSPLASTIC_IMPINGING] = "dyspl. +"};

static syn_status add_curves(syn_study_page *page, grid hips, const char *label, syn_hip_value value,
                             syn_error *error) {
  syn_report_motion *motion;
  syn_report_curve *curves;
  double *along, *values;
  SYN_TRY(syn_study_page_panel(page, "over_alpha", label, ALPHAS, CES, &motion, &curves, &along, error));
  if (!motion) return SYN_OK;
  memcpy(along, alphas, sizeof alphas);
  motion->along_label = "Alpha";
  motion->along_unit = "°";
  for (int i = 0; i < CES; ++i) {
    SYN_TRY(SYN_TAKE(&page->arena, &values, ALPHAS, error));
    for (int j = 0; j < ALPHAS; ++j) values[j] = value(&hips[i][j]);
    const char *name = syn_study_page_text(page, "CE %.0f°", ces[i]);
    curves[i] = (syn_report_curve){name, name, "mm", values};
  }
  motion->curve_count = CES;
  return SYN_OK;
}

/* The report of each hip, where the study leaves one; else the tables, which have its row. */
static syn_status find_links(syn_study_page *page, const char ***links, syn_error *error) {
  const syn_study_content *c = page->content;
  SYN_TRY(syn_arena_take(&page->arena, HIPS, sizeof **links, (void **)links, error));
  for (int k = 0; k < HIPS; ++k) {
    const size_t i = syn_study_hip25(c, ces[k / ALPHAS], alphas[k % ALPHAS]);
    const char *link = syn_study_page_case_link(page, i);
    (*links)[k] = link ? link : "#tables";
  }
  return SYN_OK;
}

static syn_status add_maps(syn_study_page *page, grid hips, syn_error *error) {
  static const struct {
    const char *name, *label, *unit;
    syn_hip_value value;
  } maps[MAPS] = {{"curvilinear", "Greatest curvilinear depth", "mm", curvilinear_of},
                  {"radial", "Greatest radial depth", "mm", radial_of},
                  {"difference", "Curvilinear less radial, each in its scale", "", difference_of},
                  {"class", "Depths as in the group", "", class_of}};
  const char **names, **links;
  SYN_TRY(SYN_TAKE(&page->arena, &names, HIPS, error));
  SYN_TRY(find_links(page, &links, error));
  for (int k = 0; k < HIPS; ++k) {
    const double which = class_of(&hips[k / ALPHAS][k % ALPHAS]);
    names[k] = which >= 0 ? short_classes[(int)which] : "";
  }
  for (int m = 0; m < MAPS; ++m) {
    double *values;
    SYN_TRY(SYN_TAKE(&page->arena, &values, HIPS, error));
    for (int k = 0; k < HIPS; ++k) values[k] = maps[m].value(&hips[k / ALPHAS][k % ALPHAS]);
    page->maps[m] = (syn_report_map){.name = maps[m].name,
                                     .label = maps[m].label,
                                     .unit = maps[m].unit,
                                     .column_label = "Alpha, °",
                                     .row_label = "CE, °",
                                     .columns = alphas,
                                     .rows = ces,
                                     .column_count = ALPHAS,
                                     .row_count = CES,
                                     .values = values,
                                     .links = links};
  }
  page->maps[MAPS - 1].texts = names;
  page->maps[MAPS - 1].label = "Depths as in the group (+: impinging)";
  page->report.maps = page->maps;
  page->report.map_count = MAPS;
  return SYN_OK;
}

syn_status syn_study_page_published(syn_study_page *page, syn_error *error) {
  grid hips;
  for (int i = 0; i < CES; ++i)
    for (int j = 0; j < ALPHAS; ++j)
      if (!find_hip(page->content, ces[i], alphas[j], &hips[i][j])) return SYN_OK;
  for (int i = 0; i < PATTERNS; ++i) SYN_TRY(add_pattern(page, hips, &patterns[i], error));
  SYN_TRY(add_table_10(page, hips, error));
  SYN_TRY(add_curves(page, hips, "Greatest curvilinear depth", curvilinear_of, error));
  SYN_TRY(add_curves(page, hips, "Greatest radial depth", radial_of, error));
  return add_maps(page, hips, error);
}
