/* Draws numbers with their published ranges: a bar for the range and a mark whose shape shows the side of the value. */
#include <math.h>
#include <string.h>

#include "clinic/hip.h"
#include "report/html.h"
#include "report/notes.h"
#include "report/shown.h"
#include "report/svg/plot.h"
#include <synovia/clinic.h>

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
