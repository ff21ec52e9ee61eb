#include "report/svg/plot.h"

#include <math.h>
#include <string.h>

#include "report/html.h"

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
