/* Where on the rim of the acetabulum something happens, as surgeons name it: by the hour. */
#include <math.h>

#include "base/vec.h"
#include "report/html.h"
#include "report/model.h"
#include "report/svg_plot.h"

enum {
  WIDTH = 340,
  MIDDLE_X = 170,
  MIDDLE_Y = 136,
  RIM = 90,
  HUB = 28,
  LINE = 22,
  TOP = MIDDLE_Y + RIM + 70,
  SERIES = 6
};
enum { LEAST = 6, NUMBER = 20 }; /* of a sector's length; space for its number */

static double angle_of(double hour) { return hour / 6 * SYN_PI; } /* from the top, clockwise */

/* In tenths. */
static long x_at(double angle, double radius) { return lround(10 * (MIDDLE_X + radius * sin(angle))); }
static long y_at(double angle, double radius) { return lround(10 * (MIDDLE_Y - radius * cos(angle))); }

static void put_face(FILE *to) {
  fprintf(to,
          "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"none\" stroke=\"var(--line)\" stroke-width=\"2\"/>\n"
          "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"none\" stroke=\"var(--line)\"/>\n",
          MIDDLE_X, MIDDLE_Y, RIM, MIDDLE_X, MIDDLE_Y, HUB);
  fputs("<g transform=\"scale(.1)\" stroke=\"var(--muted)\" stroke-width=\"10\">\n", to);
  for (int hour = 1; hour <= 12; ++hour) {
    const double angle = angle_of(hour);
    fprintf(to, "<path d=\"M%ld %ldL%ld %ld\"/>\n", x_at(angle, RIM), y_at(angle, RIM), x_at(angle, RIM - 6.0),
            y_at(angle, RIM - 6.0));
  }
  fputs("</g>\n", to);
  for (int hour = 1; hour <= 12; ++hour) {
    char number[48];
    syn_svg_text(to, (int)(x_at(angle_of(hour), RIM + 13.0) / 10), (int)(y_at(angle_of(hour), RIM + 13.0) / 10) + 4,
                 SYN_SVG_MIDDLE, hour % 3 ? "quiet" : "strong", syn_shown_number(hour, 0, number));
  }
  syn_svg_text(to, MIDDLE_X, MIDDLE_Y - RIM - 26, SYN_SVG_MIDDLE, "quiet", "superior");
  syn_svg_text(to, MIDDLE_X, MIDDLE_Y + RIM + 38, SYN_SVG_MIDDLE, "quiet", "inferior");
  fprintf(to,
          "<text class=\"quiet\" text-anchor=\"middle\" transform=\"translate(%d %d) rotate(90)\">anterior</text>\n"
          "<text class=\"quiet\" text-anchor=\"middle\" transform=\"translate(%d %d) rotate(-90)\">posterior</text>\n",
          MIDDLE_X + RIM + 26, MIDDLE_Y, MIDDLE_X - RIM - 26, MIDDLE_Y);
}

/* A sector as long as its value, never so short that it could not be seen. */
static void put_mark(FILE *to, const syn_report_clock_mark *mark, size_t number, double longest) {
  const double half = SYN_PI / 26, angle = angle_of(mark->hour);
  const double share = longest > 0 ? fabs(mark->value) / longest : 0,
               radius = HUB + LEAST + (RIM - HUB - LEAST - NUMBER) * share;
  fprintf(
      to,
      "<path transform=\"scale(.1)\" fill=\"var(--series-%zu)\" d=\"M%ld %ldL%ld %ldA%ld %ld 0 0 1 %ld %ldL%ld %ldA%d "
      "%d 0 0 0 %ld %ldz\"/>\n",
      number % SERIES + 1, x_at(angle - half, HUB), y_at(angle - half, HUB), x_at(angle - half, radius),
      y_at(angle - half, radius), lround(10 * radius), lround(10 * radius), x_at(angle + half, radius),
      y_at(angle + half, radius), x_at(angle + half, HUB), y_at(angle + half, HUB), 10 * HUB, 10 * HUB,
      x_at(angle - half, HUB), y_at(angle - half, HUB));
  char text[48];
  syn_svg_text(to, (int)(x_at(angle, radius + 8) / 10), (int)(y_at(angle, radius + 8) / 10) + 4, SYN_SVG_MIDDLE,
               "strong", syn_shown_number((double)(number + 1), 0, text));
}

/* "11:20" */
static char *clock_text(double hour, char room[16]) {
  long minutes = lround(fmod(fmod(hour, 12) + 12, 12) * 4) * 15 % 720; /* in quarter hours, as the text has it */
  snprintf(room, 16, "%ld:%02ld", minutes < 60 ? 12 : minutes / 60, minutes % 60);
  return room;
}

static void put_legend(FILE *to, const syn_report_clock_mark *mark, size_t number, int y) {
  char quantity[96], hour[16], line[160], text[48];
  fprintf(to, "<rect x=\"0\" y=\"%d\" width=\"10\" height=\"10\" rx=\"2\" fill=\"var(--series-%zu)\"/>\n", y - 10,
          number % SERIES + 1);
  syn_svg_text(to, 30, y, SYN_SVG_END, "strong", syn_shown_number((double)(number + 1), 0, text));
  syn_svg_text_short(to, 40, y, SYN_SVG_START, "", mark->label, 32);
  snprintf(line, sizeof line, "%s, %s", clock_text(mark->hour, hour),
           syn_svg_quantity(mark->value, mark->unit, quantity));
  syn_svg_text(to, WIDTH, y, SYN_SVG_END, "quiet", line);
}

void syn_svg_clock(FILE *to, const syn_report_clock_mark *marks, size_t count) {
  double longest = 0;
  size_t shown = 0;
  for (size_t i = 0; i < count; ++i)
    if (syn_report_clock_known(&marks[i])) {
      longest = fmax(longest, fabs(marks[i].value));
      ++shown;
    }
  const int rows = (int)(shown < 1000 ? shown : 1000);
  syn_svg_open(to, WIDTH, TOP + LINE * rows - 12, "Clock face of the acetabulum with numbered marks");
  put_face(to);
  size_t number = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!syn_report_clock_known(&marks[i])) continue;
    put_mark(to, &marks[i], number, longest);
    put_legend(to, &marks[i], number, TOP + LINE * (int)number);
    ++number;
  }
  syn_svg_close(to);
}
