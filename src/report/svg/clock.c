/* Draws the clock face of the acetabulum: positions on the rim by the hour, as surgeons name them. */
#include <math.h>

#include "base/vec.h"
#include "report/html.h"
#include "report/page_model.h"
#include "report/shown.h"
#include "report/svg/plot.h"

enum { WIDTH = 400, MIDDLE_X = 200, MIDDLE_Y = 136, RIM = 90, HUB = 28, LINE = 22, TOP = MIDDLE_Y + RIM + 70 };
enum { NUMBER = 17, DISC = 9 }; /* from the rim to the centre of a number's disc, and its radius */
enum { MOST_MARKS = 1000 };
static const double LEAST_SCALE = 30; /* degrees: so that small angles look small */

static double angle_of(double hour) { return hour / 6 * SYN_PI; } /* from the top, clockwise */

/* Coordinates in tenths. */
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
    syn_svg_text(to, (int)(x_at(angle_of(hour), RIM - 14.0) / 10), (int)(y_at(angle_of(hour), RIM - 14.0) / 10) + 4,
                 SYN_SVG_MIDDLE, hour % 3 ? "quiet" : "strong", syn_shown_number(hour, 0, number));
  }
  syn_svg_text(to, MIDDLE_X, MIDDLE_Y - RIM - 32, SYN_SVG_MIDDLE, "quiet", "superior");
  syn_svg_text(to, MIDDLE_X, MIDDLE_Y + RIM + 42, SYN_SVG_MIDDLE, "quiet", "inferior");
  fprintf(to,
          "<text class=\"quiet\" text-anchor=\"middle\" transform=\"translate(%d %d) rotate(90)\">anterior</text>\n"
          "<text class=\"quiet\" text-anchor=\"middle\" transform=\"translate(%d %d) rotate(-90)\">posterior</text>\n",
          MIDDLE_X + RIM + 36, MIDDLE_Y, MIDDLE_X - RIM - 36, MIDDLE_Y);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Separates hours so that their numbers do not overlap, as near as possible to their positions. */
static void spread(double *hours, size_t count) {
  enum { ROUNDS = 200 };
  static const double apart = 0.62;
  bool moved = count > 1;
  for (int round = 0; round < ROUNDS && moved; ++round) {
    moved = false;
    for (size_t i = 0; i < count; ++i)
      for (size_t k = i + 1; k < count; ++k) {
        const double gap = fmod(hours[k] - hours[i] + 18, 12) - 6, missing = apart - fabs(gap);
        if (!(missing > 1e-6)) continue;
        hours[i] -= (gap < 0 ? -1 : 1) * missing / 2;
        hours[k] += (gap < 0 ? -1 : 1) * missing / 2;
        moved = true;
      }
  }
}

/* Draws a bar from the rim inward, as long as the deficit. */
static void put_bar(FILE *to, const syn_report_clock_mark *mark, double longest) {
  const double half = SYN_PI / 30, angle = angle_of(mark->hour),
               inner = RIM - (RIM - HUB) * fmin(1, mark->short_by / longest);
  if (!(mark->short_by > 0)) return;
  fprintf(to,
          "<path transform=\"scale(.1)\" fill=\"var(--bad)\" d=\"M%ld %ldA%d %d 0 0 1 %ld %ldL%ld %ldA%ld %ld 0 0 0 "
          "%ld %ldz\"/>\n",
          x_at(angle - half, RIM), y_at(angle - half, RIM), 10 * RIM, 10 * RIM, x_at(angle + half, RIM),
          y_at(angle + half, RIM), x_at(angle + half, inner), y_at(angle + half, inner), lround(10 * inner),
          lround(10 * inner), x_at(angle - half, inner), y_at(angle - half, inner));
}

static const char *color_of(const syn_report_clock_mark *mark) {
  return isnan(mark->short_by) ? "muted" : mark->short_by > 0 ? "bad" : "good";
}

/* Draws its number in a disc beside the rim, and a line to its position. */
static void put_number(FILE *to, const syn_report_clock_mark *mark, double hour, size_t number) {
  const double angle = angle_of(mark->hour), beside = angle_of(hour);
  char text[48];
  fprintf(to, "<path transform=\"scale(.1)\" stroke=\"var(--muted)\" stroke-width=\"10\" d=\"M%ld %ldL%ld %ld\"/>\n",
          x_at(angle, RIM), y_at(angle, RIM), x_at(beside, RIM + NUMBER - DISC), y_at(beside, RIM + NUMBER - DISC));
  const int x = (int)(x_at(beside, RIM + NUMBER) / 10), y = (int)(y_at(beside, RIM + NUMBER) / 10);
  fprintf(to,
          "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"var(--surface)\" stroke=\"var(--%s)\" "
          "stroke-width=\"2\"%s/>\n",
          x, y, DISC, color_of(mark), isnan(mark->short_by) ? " stroke-dasharray=\"3 2\"" : "");
  syn_svg_text(to, x, y + 4, SYN_SVG_MIDDLE, "strong", syn_shown_number((double)(number + 1), 0, text));
}

/* "11:20" */
static char *clock_text(double hour, char room[16]) {
  long minutes = lround(fmod(fmod(hour, 12) + 12, 12) * 4) * 15 % 720; /* in quarter hours, as in the text */
  snprintf(room, 16, "%ld:%02ld", minutes < 60 ? 12 : minutes / 60, minutes % 60);
  return room;
}

static void put_legend(FILE *to, const syn_report_clock_mark *mark, size_t number, int y) {
  char quantity[96], short_by[96], hour[16], line[240], text[48];
  fprintf(to, "<circle cx=\"5\" cy=\"%d\" r=\"5\" fill=\"var(--%s)\"/>\n", y - 4, color_of(mark));
  syn_svg_text(to, 30, y, SYN_SVG_END, "strong", syn_shown_number((double)(number + 1), 0, text));
  syn_svg_text_short(to, 40, y, SYN_SVG_START, "", mark->label, 36);
  const char *value = syn_shown_quantity(mark->value, mark->unit, quantity);
  if (mark->short_by > 0)
    snprintf(line, sizeof line, "%s, %s, %s short", clock_text(mark->hour, hour), value,
             syn_shown_quantity(mark->short_by, mark->unit, short_by));
  else
    snprintf(line, sizeof line, "%s, %s", clock_text(mark->hour, hour), value);
  syn_svg_text(to, WIDTH, y, SYN_SVG_END, "quiet", line);
}

void syn_svg_clock(FILE *to, const syn_report_clock_mark *marks, size_t count) {
  double longest = LEAST_SCALE, hours[MOST_MARKS];
  size_t shown = 0;
  /* The longest bar sets the scale. */
  for (size_t i = 0; i < count && shown < MOST_MARKS; ++i)
    if (syn_report_clock_known(&marks[i])) {
      if (isfinite(marks[i].short_by)) longest = fmax(longest, marks[i].short_by);
      hours[shown++] = fmod(fmod(marks[i].hour, 12) + 12, 12);
    }
  syn_svg_open(to, WIDTH, TOP + LINE * (int)shown - 12, "Clock face of the acetabulum with numbered marks");
  for (size_t i = 0; i < count; ++i)
    if (syn_report_clock_known(&marks[i])) put_bar(to, &marks[i], longest);
  put_face(to);
  /* Numbers in separate positions, and a line of the legend for each. */
  spread(hours, shown);
  size_t number = 0;
  for (size_t i = 0; i < count && number < shown; ++i) {
    if (!syn_report_clock_known(&marks[i])) continue;
    put_number(to, &marks[i], hours[number], number);
    put_legend(to, &marks[i], number, TOP + LINE * (int)number);
    ++number;
  }
  syn_svg_close(to);
}
