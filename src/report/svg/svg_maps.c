#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/svg/svg.h"

void syn_svg_open(FILE *to, int width, int height, const char *label) {
  fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width,
          height);
  syn_html_text(to, label);
  fputs("\">\n", to);
}

void syn_svg_close(FILE *to) { fputs("</svg>\n", to); }

void syn_svg_text_short(FILE *to, int x, int y, syn_svg_anchor anchor, const char *style, const char *text,
                        size_t most) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  if (!text || !*text) return;
  fprintf(to, "<text x=\"%d\" y=\"%d\"%s", x, y, anchors[anchor]);
  if (*style) fprintf(to, " class=\"%s\"", style);
  fputc('>', to);
  syn_html_short(to, text, most);
  if (syn_text_length(text) > most) {
    fputs("<title>", to);
    syn_html_text(to, text);
    fputs("</title>", to);
  }
  fputs("</text>\n", to);
}

void syn_svg_text(FILE *to, int x, int y, syn_svg_anchor anchor, const char *style, const char *text) {
  syn_svg_text_short(to, x, y, anchor, style, text, SIZE_MAX);
}

void syn_svg_line(FILE *to, int x1, int y1, int x2, int y2, const char *color) {
  fprintf(to, "<path d=\"M%d %dL%d %d\" stroke=\"var(--%s)\"/>\n", x1, y1, x2, y2, color);
}

const char *syn_svg_unit(const char *unit) {
  if (!unit) return "";
  return strcmp(unit, "deg") == 0 || strcmp(unit, "degrees") == 0 ? "°" : unit;
}

double syn_svg_tick(double span, int most, bool degrees) {
  static const double of_circle[] = {5, 10, 15, 30, 45, 60, 90, 180};
  if (!(span > 0) || !isfinite(span)) return 1;
  if (degrees && span > 20)
    for (size_t i = 0; i < sizeof of_circle / sizeof *of_circle; ++i)
      if (span <= most * of_circle[i]) return of_circle[i];
  const double least = span / most, power = pow(10, floor(log10(least)));
  const double round_steps[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; ++i)
    if (round_steps[i] * power >= least * (1 - 1e-9)) return round_steps[i] * power;
  return 10 * power;
}

double syn_svg_at(const syn_svg_axis *axis, double value) {
  return axis->from + (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

unsigned syn_svg_viridis(double at) {
  static const unsigned stops[] = {0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d,
                                   0x27ad81, 0x5cc863, 0xaadc32, 0xfde725};
  const int last = sizeof stops / sizeof *stops - 1, i = at >= 1 ? last - 1 : (int)(at * last);
  const double part = at * last - i;
  unsigned color = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double a = stops[i] >> shift & 255, b = stops[i + 1] >> shift & 255;
    color = color << 8 | (unsigned)lround(a + (b - a) * part);
  }
  return color;
}

/* ---- map ------------------------------------------------------------------------------------------------------- */
/* Draws small grids of numbers as maps: every cell is coloured and shows its value, so that nothing is shown by colour
 * alone. */

enum { WIDTH = 720, COLUMN = 370, LEFT = 46, PLOT = 300, TOP = 30, ROW = 30, UNDER = 52 };

/* Names of rows need more space than numbers. */
static int side_of(const syn_report_map *map) { return map->row_names ? 110 : LEFT; }

static int height_of(const syn_report_map *map) { return TOP + ROW * (int)map->row_count + UNDER; }

static void span_of(const syn_report_map *map, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = 0; i < map->row_count * map->column_count; ++i)
    if (isfinite(map->values[i])) {
      *low = fmin(*low, map->values[i]);
      *high = fmax(*high, map->values[i]);
    }
}

/* Returns black on light colours, white on dark ones: classes of the style sheet. */
static const char *ink_on(unsigned color) {
  const double light = 0.3 * (color >> 16 & 255) + 0.59 * (color >> 8 & 255) + 0.11 * (color & 255);
  return light > 120 ? "on-light" : "on-dark";
}

static void put_cell(FILE *to, const syn_report_map *map, size_t cell, double share, const int box[4]) {
  const double value = map->values[cell];
  const bool known = isfinite(value);
  const unsigned color = known ? syn_svg_viridis(share) : 0;
  char number[48];
  const char *link = map->links ? map->links[cell] : NULL;
  if (link) {
    fputs("<a href=\"", to);
    syn_html_text(to, link);
    fputs("\">", to);
  }
  fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" ", box[0], box[1], box[2], box[3]);
  if (known)
    fprintf(to, "fill=\"#%06x\"/>\n", color);
  else
    fputs("fill=\"none\" stroke=\"var(--muted)\"/>\n", to);
  fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"%s\">", box[0] + box[2] / 2,
          box[1] + box[3] / 2 + 4, known ? ink_on(color) : "quiet");
  syn_html_text(to, map->texts ? map->texts[cell] : syn_shown_text(value, map->unit, number));
  fputs(link ? "</text></a>\n" : "</text>\n", to);
}

static void put_labels(FILE *to, const syn_report_map *map, int left, int top, int wide) {
  const int low = top + TOP + ROW * (int)map->row_count;
  char line[200], number[48];
  const char *unit = syn_svg_unit(map->unit);
  snprintf(line, sizeof line, "%s%s%s", map->label, *unit ? ", " : "", unit);
  syn_svg_text_short(to, left, top + 15, SYN_SVG_START, "strong", line, 46);
  for (size_t i = 0; i < map->row_count; ++i)
    syn_svg_text_short(to, left + side_of(map) - 6, low - ROW * (int)i - ROW / 2 + 4, SYN_SVG_END, "quiet",
                       map->row_names ? map->row_names[i] : syn_shown_number(map->rows[i], 1, number), 20);
  for (size_t i = 0; i < map->column_count; ++i)
    syn_svg_text_short(to, left + side_of(map) + wide * (int)i + wide / 2, low + 16, SYN_SVG_MIDDLE, "quiet",
                       map->column_names ? map->column_names[i] : syn_shown_number(map->columns[i], 1, number), 12);
  syn_svg_text(to, left + (side_of(map) + LEFT + PLOT) / 2, low + 34, SYN_SVG_MIDDLE, "", map->column_label);
  if (!map->row_label) return;
  fprintf(to, "<text transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\">", left + 12,
          (top + TOP + low) / 2);
  syn_html_text(to, map->row_label);
  fputs("</text>\n", to);
}

static void put_map(FILE *to, const syn_report_map *map, int left, int top) {
  const int side = side_of(map), wide = (LEFT + PLOT - side) / (int)map->column_count;
  double low, high;
  span_of(map, &low, &high);
  put_labels(to, map, left, top, wide);
  for (size_t row = 0; row < map->row_count; ++row)
    for (size_t i = 0; i < map->column_count; ++i) {
      const size_t cell = row * map->column_count + i;
      const int box[4] = {left + side + wide * (int)i, top + TOP + ROW * (int)(map->row_count - 1 - row), wide, ROW};
      put_cell(to, map, cell, high > low ? (map->values[cell] - low) / (high - low) : 0.5, box);
    }
}

void syn_svg_maps(FILE *to, const syn_report_map *maps, size_t count) {
  int high = 0;
  for (size_t i = 0; i < count; ++i) high = height_of(&maps[i]) > high ? height_of(&maps[i]) : high;
  syn_svg_open(to, WIDTH, high * (int)((count + 1) / 2), "Maps");
  for (size_t i = 0; i < count; ++i) put_map(to, &maps[i], (int)(i % 2) * COLUMN, (int)(i / 2) * high);
  syn_svg_close(to);
}
