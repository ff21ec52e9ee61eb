/* Draws numbers with their published ranges: a bar for the range and a mark whose shape shows the side of the value. */

#include <math.h>
#include <string.h>

#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "report/html.h"
#include "report/page_model.h"
#include "report/svg/svg.h"

enum {
  WIDTH = 860,
  ROW = 30,
  VALUE = 402,
  BAND = 516,
  TRACK = 530,
  TRACK_END = 720,
  VERDICT = 736,
  HEADING = 30,
  LABEL_LETTERS = 56 /* the length of the longest name of a measure */
};

typedef enum verdict { UNKNOWN, NO_RANGE, WITHIN, BELOW, ABOVE } verdict;

static verdict verdict_of(const syn_report_range *r) {
  if (!isfinite(r->value)) return UNKNOWN;
  if (!r->source || (!isfinite(r->low) && !isfinite(r->high))) return NO_RANGE;
  const int side = syn_range_side(r->value, r->low, r->high, syn_shown_decimals(r->value, r->unit));
  return side < 0 ? BELOW : side > 0 ? ABOVE : WITHIN;
}

static void widen(double value, double *low, double *high) {
  if (!isfinite(value)) return;
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

static bool has_band(const syn_report_range *r) {
  return isfinite(r->band_low) && isfinite(r->band_high) && (r->band_low != 0 || r->band_high != 0);
}

static void widen_by(const syn_report_range *r, double *low, double *high) {
  widen(r->value, low, high);
  if (has_band(r)) {
    widen(r->band_low, low, high);
    widen(r->band_high, low, high);
  }
  if (!r->source) return;
  widen(r->low, low, high);
  widen(r->high, low, high);
}

static syn_svg_axis make_axis(double low, double high) {
  const double most = 1e300; /* prevents overflow of differences */
  low = fmax(-most, low);
  high = fmin(most, high);
  if (!(high > low)) {
    low -= fmax(1, fabs(low) * 0.1);
    high += fmax(1, fabs(high) * 0.1);
  }
  return (syn_svg_axis){low, high, TRACK, TRACK_END};
}

/* A measure has a separate scale, with its range in the middle. */
static syn_svg_axis own_axis(const syn_report_range *r) {
  double low = INFINITY, high = -INFINITY;
  widen_by(r, &low, &high);
  if (!(low <= high)) low = high = 0;
  const double pad = fmax((high - low) * 0.3, fmax(fabs(low), fabs(high)) * 0.08);
  return make_axis(low - pad, high + pad);
}

/* Motions share one scale from 0 on, so that their lengths can be compared. */
static syn_svg_axis common_axis(const syn_report_range *ranges, size_t count) {
  double low = 0, high = 0;
  for (size_t i = 0; i < count; ++i)
    if (ranges[i].is_motion) widen_by(&ranges[i], &low, &high);
  return make_axis(low < 0 ? low * 1.05 : 0, high * 1.05);
}

static int clamp_x(const syn_svg_axis *axis, double value) {
  const double x = syn_svg_at(axis, value);
  return (int)lround(fmin(TRACK_END, fmax(TRACK, x)));
}

static void put_mark(FILE *to, verdict v, int x, int y) {
  switch (v) {
  case BELOW: fprintf(to, "<path d=\"M%d %dl13 -8v16z\" fill=\"var(--bad)\"/>\n", x - 8, y); break;
  case ABOVE: fprintf(to, "<path d=\"M%d %dl-13 -8v16z\" fill=\"var(--bad)\"/>\n", x + 8, y); break;
  case WITHIN: fprintf(to, "<circle cx=\"%d\" cy=\"%d\" r=\"6\" fill=\"var(--good)\"/>\n", x, y); break;
  case NO_RANGE:
    fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"var(--accent)\"/>\n", x - 5, y - 5);
    break;
  case UNKNOWN: break;
  }
}

/* "within 25 – 40", "3° above 25 – 40": the difference of the numbers as shown */
static void put_verdict(FILE *to, const syn_report_range *r, verdict v, int y) {
  static const char *const words[] = {"", "no range", "within", "below", "above"};
  char text[260], by[96] = "", low[48], high[48];
  if (v == NO_RANGE || v == UNKNOWN) {
    syn_svg_text(to, VERDICT, y, SYN_SVG_START, "quiet", words[v]);
    return;
  }
  syn_shown_text(r->low, r->unit, low);
  syn_shown_text(r->high, r->unit, high);
  if (v != WITHIN) {
    const double off = syn_shown_value(r->value, r->unit) - syn_shown_value(v == BELOW ? r->low : r->high, r->unit);
    strcat(syn_shown_quantity(fabs(off), r->unit, by), " ");
  }
  if (!isfinite(r->low))
    snprintf(text, sizeof text, "%s%s: up to %s", by, words[v], high);
  else if (!isfinite(r->high))
    snprintf(text, sizeof text, "%s%s: from %s", by, words[v], low);
  else
    snprintf(text, sizeof text, "%s%s %s – %s", by, words[v], low, high);
  syn_svg_text(to, VERDICT, y, SYN_SVG_START, v == WITHIN ? "quiet" : "strong", text);
}

/* Writes the numbers of the notes about it, raised behind the value: at most three, and a sign if there are more. */
static void put_notes(FILE *to, const syn_report *report, const syn_report_range *r, int y) {
  static const char *const raised[] = {"¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  enum { DIGITS = sizeof raised / sizeof *raised, MOST = 3 };
  char text[32] = "";
  size_t found = 0;
  for (size_t i = 0; i < report->note_count && found <= MOST; ++i) {
    if (!syn_report_note_is_about(report, i, r)) continue;
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s", found < MOST && i < DIGITS ? raised[i] : "⁺");
    ++found;
  }
  if (found) syn_svg_text(to, VALUE + 1, y, SYN_SVG_START, "quiet", text);
}

/* "(130–137°)": the 95 % interval. */
static void put_band(FILE *to, const syn_report_range *r, int y) {
  char text[160];
  const char *band = strchr(syn_shown_banded(r->value, r->band_low, r->band_high, r->unit, text), '(');
  if (band && has_band(r)) syn_svg_text(to, BAND, y, SYN_SVG_END, "quiet", band);
}

static void put_row(FILE *to, const syn_report *report, const syn_report_range *r, const syn_svg_axis *axis, int y) {
  const verdict v = verdict_of(r);
  const int middle = y + ROW / 2;
  char text[96];
  syn_svg_text_short(to, 0, middle + 4, SYN_SVG_START, "", r->label, LABEL_LETTERS);
  if (v == UNKNOWN) {
    syn_svg_text(to, VALUE, middle + 4, SYN_SVG_END, "quiet", "–");
    syn_svg_text_short(to, TRACK, middle + 4, SYN_SVG_START, "quiet", r->why_not ? r->why_not : "not known", 60);
    return;
  }
  syn_svg_text(to, VALUE, middle + 4, SYN_SVG_END, "strong", syn_shown_quantity(r->value, r->unit, text));
  put_band(to, r, middle + 4);
  put_notes(to, report, r, middle + 4);
  syn_svg_line(to, TRACK, middle, TRACK_END, middle, "line");
  if (v != NO_RANGE) {
    const int from = isfinite(r->low) ? clamp_x(axis, r->low) : TRACK,
              end = isfinite(r->high) ? clamp_x(axis, r->high) : TRACK_END;
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\" rx=\"3\" fill=\"var(--good)\" fill-opacity=\".22\" "
            "stroke=\"var(--good)\" stroke-opacity=\".6\"/>\n",
            from, middle - 7, end > from ? end - from : 1);
  }
  if (has_band(r)) {
    const int from = clamp_x(axis, r->band_low), end = clamp_x(axis, r->band_high);
    fprintf(to, "<path d=\"M%d %dv8m0 -4H%dm0 -4v8\" fill=\"none\" stroke=\"var(--ink)\" stroke-width=\"1.5\"/>\n",
            from, middle - 4, end);
  }
  put_mark(to, v, clamp_x(axis, r->value), middle);
  put_verdict(to, r, v, middle + 4);
}

void syn_svg_ranges(FILE *to, const syn_report *report) {
  const syn_report_range *ranges = report->ranges;
  const size_t count = report->range_count;
  static const char *const headings[] = {"Measures", "Motions"};
  size_t of[2] = {0, 0};
  for (size_t i = 0; i < count; ++i) ++of[ranges[i].is_motion];
  const size_t rows = count < 10000 ? count : 10000;
  const syn_svg_axis common = common_axis(ranges, count);
  int y = 0;
  syn_svg_open(to, WIDTH, (int)rows * ROW + HEADING * ((of[0] > 0) + (of[1] > 0)),
               "Numbers beside their published ranges");
  for (int group = 0; group < 2; ++group) {
    if (!of[group]) continue;
    syn_svg_text(to, 0, y + 18, SYN_SVG_START, "strong", headings[group]);
    syn_svg_line(to, 0, y + HEADING - 4, WIDTH, y + HEADING - 4, "line");
    y += HEADING;
    for (size_t i = 0; i < count; ++i) {
      if (ranges[i].is_motion != (group == 1)) continue;
      const syn_svg_axis own = own_axis(&ranges[i]);
      put_row(to, report, &ranges[i], group ? &common : &own, y);
      y += ROW;
    }
  }
  syn_svg_close(to);
}

/* ---- clock ----------------------------------------------------------------------------------------------------- */
/* Draws the clock face of the acetabulum: positions on the rim by the hour, as surgeons name them. */

enum { CLOCK_WIDTH = 400, MIDDLE_X = 200, MIDDLE_Y = 136, RIM = 90, HUB = 28, LINE = 22, TOP = MIDDLE_Y + RIM + 70 };
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
  syn_svg_text(to, CLOCK_WIDTH, y, SYN_SVG_END, "quiet", line);
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
  syn_svg_open(to, CLOCK_WIDTH, TOP + LINE * (int)shown - 12, "Clock face of the acetabulum with numbered marks");
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
