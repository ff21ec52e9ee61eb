/* Draws small grids of numbers as maps: every cell is coloured and shows its value, so that nothing is shown by colour
 * alone. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/shown.h"
#include "report/svg/plot.h"

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
