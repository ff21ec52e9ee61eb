/* Draws curves along motions: one panel for each motion and unit, distinguished by dashes as well as by colour. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/svg/svg.h"

enum {
  WIDTH = 720,
  COLUMN = 370,
  LEFT = 46,
  PLOT = 290,
  TOP = 30,
  HIGH = 140,
  UNDER = 42,
  LEGEND_ROW = 17,
  SERIES = 6
};

typedef struct panel {
  const syn_report_motion *motions; /* of the whole drawing */
  size_t motion_count;
  const syn_report_motion *motion;
  const char *unit;
  int left, top;
} panel;

static const char *unit_of(const syn_report_curve *curve) { return curve->unit ? curve->unit : ""; }

/* Returns whether it is the first curve of the motion in its unit. */
static bool opens_panel(const syn_report_motion *motion, size_t curve) {
  for (size_t i = 0; i < curve; ++i)
    if (strcmp(unit_of(&motion->curves[i]), unit_of(&motion->curves[curve])) == 0) return false;
  return true;
}

static size_t curves_in(const syn_report_motion *motion, const char *unit) {
  size_t count = 0;
  for (size_t i = 0; i < motion->curve_count; ++i) count += strcmp(unit_of(&motion->curves[i]), unit) == 0;
  return count;
}

/* Rounds to whole ticks beyond the values, and includes 0 if it is near. */
static syn_svg_axis make_axis(double low, double high, bool whole, int from, int to) {
  const double most = 1e300; /* prevents overflow of differences */
  if (!(low <= high)) low = high = 0;
  low = fmax(-most, low);
  high = fmin(most, high);
  if (whole && low > 0 && low < 0.5 * high) low = 0;
  if (high == low) {
    low -= whole ? 0 : 1;
    high += fmax(1, fabs(high) * 0.1);
  }
  const double step = whole ? syn_svg_tick(high - low, 4, false) : 0;
  if (whole) {
    low = floor(low / step) * step;
    high = ceil(high / step) * step;
  }
  return (syn_svg_axis){low, high, from, to};
}

static const char *label_of(const syn_report_motion *motion) {
  return motion->label ? motion->label : motion->name ? motion->name : "";
}

/* Returns whether the motion continues this panel: same title, same unit. */
static bool goes_on(const panel *p, const syn_report_motion *motion) {
  return curves_in(motion, p->unit) > 0 && strcmp(label_of(motion), label_of(p->motion)) == 0;
}

/* Returns the pose at which a motion starts; earlier poses bring the bodies there. */
static size_t start_of(const syn_report_motion *motion) {
  size_t i = 0;
  while (i + 1 < motion->pose_count && motion->along[i + 1] == motion->along[0]) ++i;
  return i;
}

static void widen_span(const syn_report_motion *motion, const char *unit, double *low, double *high) {
  for (size_t c = 0; c < motion->curve_count; ++c) {
    const syn_report_curve *curve = &motion->curves[c];
    if (strcmp(unit_of(curve), unit) != 0) continue;
    for (size_t i = start_of(motion); i < motion->pose_count; ++i)
      if (isfinite(curve->values[i])) {
        *low = fmin(*low, curve->values[i]);
        *high = fmax(*high, curve->values[i]);
      }
  }
}

/* Panels that continue each other share one scale. */
static void value_span(const panel *p, double *low, double *high) {
  for (size_t m = 0; m < p->motion_count; ++m)
    if (goes_on(p, &p->motions[m])) widen_span(&p->motions[m], p->unit, low, high);
}

/* Writes " (2 of 5)" if there are several. */
static void put_place_of(const panel *p, char *text, size_t size) {
  size_t all = 0, place = 0;
  for (size_t m = 0; m < p->motion_count; ++m) {
    all += goes_on(p, &p->motions[m]);
    if (&p->motions[m] == p->motion) place = all;
  }
  if (all > 1)
    snprintf(text, size, " (%zu of %zu)", place, all);
  else
    *text = 0;
}

enum { MOST_TICKS = 50 }; /* limits the loop: steps too small for a double would never end */

static void put_axes(FILE *to, const panel *p, const syn_svg_axis *x, const syn_svg_axis *y) {
  const int low = p->top + TOP + HIGH, left = p->left + LEFT;
  const bool degrees = strcmp(syn_svg_unit(p->motion->along_unit), "°") == 0;
  const double x_step = syn_svg_tick(x->high - x->low, 6, degrees), y_step = syn_svg_tick(y->high - y->low, 5, false);
  char number[48], line[200];
  const double y_first = ceil(y->low / y_step - 1e-9), x_first = ceil(x->low / x_step - 1e-9);
  for (int k = 0; k < MOST_TICKS && (y_first + k) * y_step <= y->high + y_step * 1e-6; ++k) {
    const double at = (y_first + k) * y_step;
    const int place = (int)lround(syn_svg_at(y, at));
    syn_svg_line(to, left, place, left + PLOT, place, "line");
    syn_svg_text(to, left - 6, place + 4, SYN_SVG_END, "quiet", syn_shown_number(at, 3, number));
  }
  for (int k = 0; k < MOST_TICKS && (x_first + k) * x_step <= x->high + x_step * 1e-6; ++k) {
    const double at = (x_first + k) * x_step;
    const int place = (int)lround(syn_svg_at(x, at));
    syn_svg_line(to, place, low, place, low + 4, "muted");
    syn_svg_text(to, place, low + 17, SYN_SVG_MIDDLE, "quiet", syn_shown_number(at, 3, number));
  }
  syn_svg_line(to, left, low, left + PLOT, low, "muted");
  const char *label = p->motion->along_label ? p->motion->along_label : "", *unit = syn_svg_unit(p->motion->along_unit);
  snprintf(line, sizeof line, "%s%s%s", label, *unit ? ", " : "", unit);
  syn_svg_text_short(to, left + PLOT / 2, low + 33, SYN_SVG_MIDDLE, "", line, 42);
}

static const char *dash_of(size_t number) {
  static const char *const dashes[SERIES] = {"", "80 40", "20 30", "120 40 20 40", "60 30 20 30 20 30", "160 50"};
  return dashes[number % SERIES];
}

static void put_stroke(FILE *to, size_t number) {
  fprintf(to, " fill=\"none\" stroke=\"var(--series-%zu)\" stroke-width=\"20\" stroke-linejoin=\"round\"",
          number % SERIES + 1);
  if (*dash_of(number)) fprintf(to, " stroke-dasharray=\"%s\"", dash_of(number));
}

/* Interrupts the curve at unknown values. */
static void put_curve(FILE *to, const panel *p, const syn_report_curve *curve, size_t number, const syn_svg_axis *x,
                      const syn_svg_axis *y) {
  bool down = false;
  fputs("<path transform=\"scale(.1)\"", to);
  put_stroke(to, number);
  fputs(" d=\"", to);
  for (size_t i = start_of(p->motion); i < p->motion->pose_count; ++i) {
    const bool known = isfinite(curve->values[i]);
    if (known)
      fprintf(to, "%c%ld %ld", down ? 'L' : 'M',
              lround(10 * syn_svg_at(x, fmin(x->high, fmax(x->low, p->motion->along[i])))),
              lround(10 * syn_svg_at(y, fmin(y->high, fmax(y->low, curve->values[i])))));
    down = known;
  }
  fputs("\"/>\n", to);
}

static void put_legend(FILE *to, const panel *p, const syn_report_curve *curve, size_t number) {
  const int y = p->top + TOP + HIGH + UNDER + LEGEND_ROW * (int)number + 8, x = p->left + LEFT;
  fprintf(to, "<path transform=\"scale(.1)\" d=\"M%d %dh300\"", 10 * x, 10 * y - 40);
  put_stroke(to, number);
  fputs("/>\n", to);
  syn_svg_text_short(to, x + 38, y, SYN_SVG_START, "", curve->label ? curve->label : curve->name, 36);
}

static void put_panel(FILE *to, const panel *p) {
  double low = INFINITY, high = -INFINITY, from = INFINITY, end = -INFINITY;
  value_span(p, &low, &high);
  for (size_t i = 0; i < p->motion->pose_count; ++i) {
    from = fmin(from, p->motion->along[i]);
    end = fmax(end, p->motion->along[i]);
  }
  const syn_svg_axis x = make_axis(from, end, false, p->left + LEFT, p->left + LEFT + PLOT);
  const syn_svg_axis y = make_axis(low, high, true, p->top + TOP + HIGH, p->top + TOP);
  char title[200], place[48];
  const char *unit = syn_svg_unit(p->unit);
  put_place_of(p, place, sizeof place);
  snprintf(title, sizeof title, "%s%s%s%s", label_of(p->motion), *unit ? ", " : "", unit, place);
  syn_svg_text_short(to, p->left, p->top + 15, SYN_SVG_START, "strong", title, 46);
  put_axes(to, p, &x, &y);
  size_t number = 0;
  for (size_t i = 0; i < p->motion->curve_count; ++i) {
    const syn_report_curve *curve = &p->motion->curves[i];
    if (strcmp(unit_of(curve), p->unit) != 0) continue;
    put_curve(to, p, curve, number, &x, &y);
    put_legend(to, p, curve, number++);
  }
}

void syn_svg_curves(FILE *to, const syn_report_motion *motions, size_t count) {
  size_t panels = 0, most_curves = 0;
  for (size_t m = 0; m < count; ++m)
    for (size_t c = 0; c < motions[m].curve_count; ++c)
      if (opens_panel(&motions[m], c)) {
        const size_t curves = curves_in(&motions[m], unit_of(&motions[m].curves[c]));
        most_curves = curves > most_curves ? curves : most_curves;
        ++panels;
      }
  const int high = TOP + HIGH + UNDER + LEGEND_ROW * (int)most_curves + 18;
  size_t number = 0;
  for (size_t m = 0; m < count; ++m)
    for (size_t c = 0; c < motions[m].curve_count; ++c)
      if (opens_panel(&motions[m], c)) {
        const panel p = {motions, count, &motions[m], unit_of(&motions[m].curves[c]), (int)(number % 2) * COLUMN, 0};
        if (number % 2 == 0) syn_svg_open(to, WIDTH, high, "Curves along the motions");
        put_panel(to, &p);
        if (++number % 2 == 0 || number == panels) syn_svg_close(to);
      }
}
