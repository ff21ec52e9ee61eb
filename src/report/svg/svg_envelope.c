/* Draws the envelope as two maps. A stepped scale reads better than a smooth one, and its cells merge into few shapes.
 */
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "clinic/rom/hip_rom.h"
#include "report/html.h"
#include "report/svg/svg.h"

enum { WIDTH = 660, LEFT = 50, TOP = 30, PANEL = 232, HIGH = 206, GAP = 38, LEGEND = 566, SWATCH = 16 };
enum { LABEL_WIDE = 50, LABEL_HIGH = 12 }; /* size of a label on the map */

/* Classes of `step` degrees from `low` on; the first and the last also hold all values beyond. */
typedef struct scale {
  double low, step;
  int count;
} scale;

static double degrees(double radians) { return radians * 180 / SYN_PI; }

/* Colours resolve the decisive range: whether a hip rotates by 5 or by 30 degrees matters, by 60 or by 90 does not. */
static const scale decisive = {-5, 5, 10};
static const double contours[] = {0, 10, 20, 30};

static unsigned color_of(const scale *s, int class) {
  return syn_svg_viridis(s->count > 1 ? (double)class / (s->count - 1) : 0.5);
}

/* Returns -1 if no rotation is free. */
static int class_of(const scale *s, double value) {
  if (!isfinite(value)) return -1;
  const int class = (int)floor((value - s->low) / s->step);
  return class < 0 ? 0 : class >= s->count ? s->count - 1 : class;
}

/* Axes over whole cells: a node is in the middle of its cell. */
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

/* Draws all cells of one class as one shape, in runs along the flexion. */
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

enum { MOST_TICKS = 50 }; /* limits the loop: steps too small for a double would never end */

/* ---- lines and positions ----------------------------------------------------------------------------------------- */

/* Draws the crossings of a square of four nodes: straight lines from edge to edge, in tenths. */
static void put_crossings(FILE *to, const panel *p, uint32_t i, uint32_t j, double level) {
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const syn_envelope *e = p->envelope;
  double value[4];
  long at[4][2];
  int count = 0;
  for (int k = 0; k < 4; ++k)
    value[k] =
        degrees(p->values[(size_t)(i + (uint32_t)corner[k][0]) * e->adduction_count + j + (uint32_t)corner[k][1]]);
  for (int k = 0; k < 4; ++k)
    if (!isfinite(value[k])) return;
  /* Interpolate linearly on the edges whose ends are on different sides of the level. */
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    if ((value[k] >= level) == (value[next] >= level)) continue;
    const double t = (level - value[k]) / (value[next] - value[k]),
                 x = i + corner[k][0] + t * (corner[next][0] - corner[k][0]) + 0.5,
                 y = j + corner[k][1] + t * (corner[next][1] - corner[k][1]) + 0.5;
    at[count][0] = lround(p->x.from + (p->x.to - p->x.from) * x / e->flexion_count);
    at[count++][1] = lround(p->y.from + (p->y.to - p->y.from) * y / e->adduction_count);
  }
  for (int k = 0; k + 1 < count; k += 2)
    fprintf(to, "M%ld %ldL%ld %ld", at[k][0], at[k][1], at[k + 1][0], at[k + 1][1]);
}

static void put_contours(FILE *to, const panel *p) {
  const syn_envelope *e = p->envelope;
  for (size_t c = 0; c < sizeof contours / sizeof *contours; ++c) {
    fprintf(to, "<path fill=\"none\" stroke=\"#10161c\" stroke-width=\"%d\" d=\"M0 0", c ? 8 : 20);
    for (uint32_t i = 0; i + 1 < e->flexion_count; ++i)
      for (uint32_t j = 0; j + 1 < e->adduction_count; ++j) put_crossings(to, p, i, j, contours[c]);
    fputs("\"/>\n", to);
  }
}

static int within(const syn_svg_axis *axis, double value) {
  const double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
  return (int)lround(fmin(high, fmax(low, syn_svg_at(axis, value))) / 10);
}

/* Returns whether the label of a position would touch that of a later one, both above their signs. */
static bool is_crowded(const panel *p, size_t k) {
  const syn_daily_place *place = &syn_daily_places[k];
  for (size_t i = k + 1; i < SYN_DAILY_PLACES; ++i) {
    const syn_daily_place *other = &syn_daily_places[i];
    if (other->flexion_deg[0] == other->flexion_deg[1] &&
        abs(within(&p->x, place->flexion_deg[0]) - within(&p->x, other->flexion_deg[0])) < LABEL_WIDE &&
        abs(within(&p->y, place->adduction_deg[0]) - within(&p->y, other->adduction_deg[0])) < LABEL_HIGH)
      return true;
  }
  return false;
}

/* The label of a range is inside it, that of a pose above its sign, or below if another label is near. */
static void put_places(FILE *to, const panel *p) {
  for (size_t k = 0; k < SYN_DAILY_PLACES; ++k) {
    const syn_daily_place *place = &syn_daily_places[k];
    const int x1 = within(&p->x, place->flexion_deg[0]), x2 = within(&p->x, place->flexion_deg[1]),
              y1 = within(&p->y, place->adduction_deg[1]), y2 = within(&p->y, place->adduction_deg[0]);
    const bool is_pose = x2 - x1 < 4, above = is_pose && !is_crowded(p, k);
    if (is_pose)
      fprintf(to, "<circle cx=\"%d\" cy=\"%d\" r=\"3.5\" fill=\"#c2261b\" stroke=\"#fff\"/>\n", x1, y1);
    else
      fprintf(to,
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#c2261b\" "
              "stroke-dasharray=\"4 2\"/>\n",
              x1, y1, x2 - x1, y2 - y1);
    syn_svg_text(to, (x1 + x2) / 2, above ? y1 - 6 : y1 + 12, SYN_SVG_MIDDLE, "on-map", place->label);
  }
}

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

static void put_legend(FILE *to, const scale *s) {
  const int high = HIGH / (s->count + 2);
  char text[112], from[48], end[48];
  for (int i = 0; i < s->count; ++i) {
    const int y = TOP + (s->count - 1 - i) * high;
    const double low = s->low + i * s->step;
    fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", LEGEND, y, SWATCH, high,
            color_of(s, i));
    syn_shown_number(low, 0, from);
    syn_shown_number(low + s->step, 0, end);
    if (i == 0)
      snprintf(text, sizeof text, "below %s", end);
    else if (i == s->count - 1)
      snprintf(text, sizeof text, "%s or more", from);
    else
      snprintf(text, sizeof text, "%s to %s", from, end);
    syn_svg_text(to, LEGEND + SWATCH + 6, y + high / 2 + 4, SYN_SVG_START, "quiet", text);
  }
  syn_svg_text(to, LEGEND, TOP - 12, SYN_SVG_START, "strong", "Degrees");
  const int none = TOP + HIGH - SWATCH;
  fprintf(
      to,
      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"url(#no-rotation-small)\" stroke=\"var(--muted)\"/>\n",
      LEGEND, none, SWATCH, SWATCH);
  syn_svg_text(to, LEGEND + SWATCH + 6, none + 12, SYN_SVG_START, "quiet", "none");
}

/* Defines hatching, for the maps (in tenths) and for the legend. */
static void put_hatching(FILE *to, const char *name, int size, int line) {
  fprintf(
      to,
      "<pattern id=\"%s\" width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<rect width=\"%d\" height=\"%d\" fill=\"var(--surface)\"/>"
      "<rect width=\"%d\" height=\"%d\" fill=\"var(--muted)\"/></pattern>\n",
      name, size, size, size, size, line, size);
}

void syn_svg_envelope(FILE *to, const syn_envelope *envelope, bool with_places) {
  const scale s = decisive;
  const panel panels[] = {make_panel(envelope, envelope->internal, &s, LEFT),
                          make_panel(envelope, envelope->external, &s, LEFT + PANEL + GAP)};
  syn_svg_open(to, WIDTH, TOP + HIGH + 46,
               "Maps of the internal and external rotation free of contact, over flexion and adduction");
  put_hatching(to, "no-rotation", 60, 12);
  put_hatching(to, "no-rotation-small", 6, 1);
  fputs("<g transform=\"scale(.1)\" shape-rendering=\"crispEdges\">\n", to);
  for (int i = 0; i < 2; ++i)
    for (int class = -1; class < s.count; ++class) put_class(to, &panels[i], class);
  fputs("</g>\n<g transform=\"scale(.1)\">\n", to);
  for (int i = 0; i < 2; ++i) put_contours(to, &panels[i]);
  fputs("</g>\n", to);
  for (int i = 0; i < 2 && with_places; ++i) put_places(to, &panels[i]);
  put_axes(to, &panels[0], "Internal rotation", true);
  put_axes(to, &panels[1], "External rotation", false);
  put_legend(to, &s);
  syn_svg_close(to);
}
