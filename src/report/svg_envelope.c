/* The envelope as two maps. A stepped scale reads better than a smooth one, and its cells merge into few shapes. */
#include <math.h>

#include "base/vec.h"
#include "report/html.h"
#include "report/svg_plot.h"

enum { WIDTH = 660, LEFT = 50, TOP = 30, PANEL = 238, HIGH = 206, GAP = 38, LEGEND = 578, SWATCH = 16 };
enum { MOST_CLASSES = 10 };

/* Classes of `step` degrees from `low` on; the first and the last also hold what lies beyond them. */
typedef struct scale {
  double low, step;
  int count;
  bool below, above; /* something does */
} scale;

static double degrees(double radians) { return radians * 180 / SYN_PI; }

/* How many values lie in each whole degree. Turns end within a few circles; what lies further is in the last bins. */
enum { BIN_LEAST = -720, BINS = 1441 };

typedef struct histogram {
  size_t count[BINS], total;
} histogram;

static void count_values(const syn_envelope *e, histogram *h) {
  for (size_t i = 0; i < (size_t)e->flexion_count * e->adduction_count; ++i)
    for (int k = 0; k < 2; ++k) {
      const double value = degrees(k ? e->external[i] : e->internal[i]);
      if (!isfinite(value)) continue;
      ++h->count[(int)fmin(BINS - 1, fmax(0, floor(value) - BIN_LEAST))];
      ++h->total;
    }
}

/* The degree below which `share` of the values lie. */
static int percentile(const histogram *h, double share) {
  size_t before = 0;
  int bin = 0;
  while (bin < BINS - 1 && (double)(before += h->count[bin]) <= share * (double)h->total) ++bin;
  return bin + BIN_LEAST;
}

/* A few extreme poses turn almost freely and would flatten all the rest: the scale spans the 2nd to the 98th
 * percentile. */
static scale make_scale(const syn_envelope *e) {
  histogram h = {.total = 0};
  count_values(e, &h);
  if (h.total == 0) return (scale){.low = 0, .step = 10, .count = 1};
  const double low = percentile(&h, 0.02), high = percentile(&h, 0.98);
  scale s = {.step = syn_svg_tick(fmax(high - low, 1), MOST_CLASSES - 1, true)};
  s.low = floor(low / s.step) * s.step;
  s.count = (int)fmin(MOST_CLASSES + 1, fmax(1, floor((high - s.low) / s.step) + 1));
  for (int bin = 0; bin < BINS; ++bin) {
    s.below |= h.count[bin] && bin + BIN_LEAST < s.low;
    s.above |= h.count[bin] && bin + BIN_LEAST >= s.low + s.count * s.step;
  }
  return s;
}

static unsigned color_of(const scale *s, int class) {
  return syn_svg_viridis(s->count > 1 ? (double)class / (s->count - 1) : 0.5);
}

/* -1 where no rotation is free. */
static int class_of(const scale *s, double value) {
  if (!isfinite(value)) return -1;
  const int class = (int)floor((value - s->low) / s->step);
  return class < 0 ? 0 : class >= s->count ? s->count - 1 : class;
}

/* Axes over whole cells: a node stands in the middle of its cell. */
typedef struct panel {
  const syn_envelope *envelope;
  const double *values;
  const scale *scale;
  syn_svg_axis x, y; /* in tenths */
} panel;

static panel make_panel(const syn_envelope *e, const double *values, const scale *s, int left) {
  const double step = e->step * 180 / SYN_PI, from = e->flexion_from * 180 / SYN_PI,
               low = e->adduction_from * 180 / SYN_PI;
  return (panel){e,
                 values,
                 s,
                 {from - step / 2, from + step * (e->flexion_count - 0.5), 10 * left, 10 * (left + PANEL)},
                 {low - step / 2, low + step * (e->adduction_count - 0.5), 10 * (TOP + HIGH), 10 * TOP}};
}

static void put_run(FILE *to, const panel *p, uint32_t from, uint32_t end, uint32_t row) {
  const double wide = (double)(p->x.to - p->x.from) / p->envelope->flexion_count;
  const double high = (double)(p->y.from - p->y.to) / p->envelope->adduction_count;
  const long x1 = lround(p->x.from + wide * from), x2 = lround(p->x.from + wide * end);
  const long y1 = lround(p->y.from - high * (row + 1)), y2 = lround(p->y.from - high * row);
  fprintf(to, "M%ld %ldH%ldV%ldH%ldz", x1, y1, x2, y2, x1);
}

/* All cells of one class as one shape, runs along the flexion. */
static void put_class(FILE *to, const panel *p, int class) {
  const syn_envelope *e = p->envelope;
  bool any = false;
  for (uint32_t row = 0; row < e->adduction_count; ++row)
    for (uint32_t i = 0; i < e->flexion_count;) {
      const uint32_t from = i;
      while (i < e->flexion_count &&
             class_of(p->scale, degrees(p->values[(size_t)i * e->adduction_count + row])) == class)
        ++i;
      if (i == from) {
        ++i;
        continue;
      }
      if (!any && class < 0) fputs("<path fill=\"url(#no-rotation)\" d=\"", to);
      if (!any && class >= 0) fprintf(to, "<path fill=\"#%06x\" d=\"", color_of(p->scale, class));
      any = true;
      put_run(to, p, from, i, row);
    }
  if (any) fputs("\"/>\n", to);
}

enum { MOST_TICKS = 50 }; /* steps too small for a double would never end */

static void put_axes(FILE *to, const panel *p, const char *title, bool with_labels) {
  const int left = p->x.from / 10, right = p->x.to / 10, low = p->y.from / 10;
  const double x_step = syn_svg_tick(p->x.high - p->x.low, 6, true),
               y_step = syn_svg_tick(p->y.high - p->y.low, 5, true);
  char number[48];
  syn_svg_text(to, left, TOP - 12, SYN_SVG_START, "strong", title);
  const double x_first = ceil(p->x.low / x_step), y_first = ceil(p->y.low / y_step);
  for (int k = 0; k < MOST_TICKS && (x_first + k) * x_step <= p->x.high; ++k) {
    const double at = (x_first + k) * x_step;
    const int x = (int)lround(syn_svg_at(&p->x, at) / 10);
    syn_svg_line(to, x, low, x, low + 4, "muted");
    syn_svg_text(to, x, low + 17, SYN_SVG_MIDDLE, "quiet", syn_shown_number(at, 1, number));
  }
  for (int k = 0; k < MOST_TICKS && (y_first + k) * y_step <= p->y.high; ++k) {
    const double at = (y_first + k) * y_step;
    const int y = (int)lround(syn_svg_at(&p->y, at) / 10);
    syn_svg_line(to, left - 4, y, left, y, "muted");
    syn_svg_text(to, left - 7, y + 4, SYN_SVG_END, "quiet", syn_shown_number(at, 1, number));
  }
  fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"var(--muted)\"/>\n", left, TOP,
          PANEL, HIGH);
  syn_svg_text(to, (left + right) / 2, low + 36, SYN_SVG_MIDDLE, "", "Extension − flexion +");
  if (with_labels)
    fprintf(to,
            "<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">Abduction − adduction +</text>\n",
            TOP + HIGH / 2);
}

static const char *end_text(const char *beyond, double value, char text[64]) {
  char number[48];
  snprintf(text, 64, "%s%s", beyond, syn_shown_number(value, 1, number));
  return text;
}

static void put_legend(FILE *to, const scale *s) {
  const int high = HIGH / (s->count + 2);
  char text[64];
  for (int i = 0; i < s->count; ++i) {
    const int y = TOP + (s->count - 1 - i) * high;
    fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", LEGEND, y, SWATCH, high,
            color_of(s, i));
    syn_svg_text(to, LEGEND + SWATCH + 6, y + high + 4, SYN_SVG_START, "quiet",
                 end_text(i == 0 && s->below ? "≤ " : "", s->low + i * s->step, text));
  }
  syn_svg_text(to, LEGEND + SWATCH + 6, TOP + 4, SYN_SVG_START, "quiet",
               end_text(s->above ? "≥ " : "", s->low + s->count * s->step, text));
  syn_svg_text(to, LEGEND, TOP - 12, SYN_SVG_START, "strong", "Degrees");
  const int none = TOP + HIGH - SWATCH;
  fprintf(
      to,
      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"url(#no-rotation-small)\" stroke=\"var(--muted)\"/>\n",
      LEGEND, none, SWATCH, SWATCH);
  syn_svg_text(to, LEGEND + SWATCH + 6, none + 12, SYN_SVG_START, "quiet", "none");
}

/* Hatching, for the maps (in tenths) and for the legend. */
static void put_hatching(FILE *to, const char *name, int size, int line) {
  fprintf(
      to,
      "<pattern id=\"%s\" width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<rect width=\"%d\" height=\"%d\" fill=\"var(--surface)\"/>"
      "<rect width=\"%d\" height=\"%d\" fill=\"var(--muted)\"/></pattern>\n",
      name, size, size, size, size, line, size);
}

void syn_svg_envelope(FILE *to, const syn_envelope *envelope) {
  const scale s = make_scale(envelope);
  const panel panels[] = {make_panel(envelope, envelope->internal, &s, LEFT),
                          make_panel(envelope, envelope->external, &s, LEFT + PANEL + GAP)};
  syn_svg_open(to, WIDTH, TOP + HIGH + 46,
               "Maps of the internal and external rotation free of contact, over flexion and adduction");
  put_hatching(to, "no-rotation", 60, 12);
  put_hatching(to, "no-rotation-small", 6, 1);
  fputs("<g transform=\"scale(.1)\" shape-rendering=\"crispEdges\">\n", to);
  for (int i = 0; i < 2; ++i)
    for (int class = -1; class < s.count; ++class) put_class(to, &panels[i], class);
  fputs("</g>\n", to);
  put_axes(to, &panels[0], "Internal rotation", true);
  put_axes(to, &panels[1], "External rotation", false);
  put_legend(to, &s);
  syn_svg_close(to);
}
