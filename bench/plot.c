#include "plot.h"

#include <math.h>

#include "base/files/file.h"

enum { WIDTH = 760, HEIGHT = 440, LEFT = 80, RIGHT = 560, TOP = 48, BOTTOM = 380 };

static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                                     "#444444", "#882255", "#999933", "#661100", "#117733", "#aaaaaa"};
enum { COLORS = sizeof colors / sizeof *colors };

/* Whole decades, or whole steps of a linear axis, that hold every value. */
typedef struct axis {
  int first, last;
  double step; /* 0: logarithmic */
} axis;

static bool drawable(const bench_plot *plot, double x, double y) {
  return isfinite(x) && isfinite(y) && (plot->linear || (x > 0 && y > 0));
}

/* In decades or steps. */
static double along(const axis *a, double value) { return a->step > 0 ? value / a->step : log10(value); }

static void widen(axis *a, double value, bool *any) {
  const int low = (int)floor(along(a, value)), high = (int)ceil(along(a, value));
  if (!*any || low < a->first) a->first = low;
  if (!*any || high > a->last) a->last = high;
}

/* About six of 1, 2 or 5 times a power of ten. */
static double choose_step(double low, double high) {
  const double wanted = (high > low ? high - low : 1) / 6, power = pow(10, floor(log10(wanted))), part = wanted / power;
  return power * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

static void choose_steps(const bench_plot *plot, axis *x, axis *y) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t s = 0; s < plot->series_count; ++s)
    for (size_t i = 0; i < plot->series[s].count; ++i) {
      const double at[2] = {plot->series[s].x[i], plot->series[s].y[i]};
      if (!drawable(plot, at[0], at[1])) continue;
      for (int k = 0; k < 2; ++k) {
        low[k] = fmin(low[k], at[k]);
        high[k] = fmax(high[k], at[k]);
      }
    }
  x->step = choose_step(low[0], high[0]);
  y->step = choose_step(low[1], high[1]);
}

static bool find_axes(const bench_plot *plot, axis *x, axis *y) {
  bool any = false;
  if (plot->linear) choose_steps(plot, x, y);
  for (size_t s = 0; s < plot->series_count; ++s)
    for (size_t i = 0; i < plot->series[s].count; ++i) {
      if (!drawable(plot, plot->series[s].x[i], plot->series[s].y[i])) continue;
      widen(x, plot->series[s].x[i], &any);
      widen(y, plot->series[s].y[i], &any);
      any = true;
    }
  if (x->first == x->last) ++x->last;
  if (y->first == y->last) ++y->last;
  return any;
}

static double place(const axis *a, double value, double from, double to) {
  return from + (to - from) * (along(a, value) - a->first) / (a->last - a->first);
}
static double across(const axis *a, double value) { return place(a, value, LEFT, RIGHT); }
static double up(const axis *a, double value) { return place(a, value, BOTTOM, TOP); }

static void write_escaped(FILE *to, const char *text) {
  for (; *text; ++text)
    if (*text == '&')
      fputs("&amp;", to);
    else if (*text == '<')
      fputs("&lt;", to);
    else
      fputc(*text, to);
}

static void write_text(FILE *to, double x, double y, const char *attributes, const char *text) {
  fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
  write_escaped(to, text);
  fputs("</text>\n", to);
}

static double tick(const axis *a, int number) { return a->step > 0 ? number * a->step : pow(10, number); }

static const char *tick_label(const axis *a, int number, char room[24]) {
  if (a->step > 0)
    snprintf(room, 24, "%g", tick(a, number));
  else if (number >= -3 && number <= 3)
    snprintf(room, 24, "%.*f", number < 0 ? -number : 0, pow(10, number));
  else
    snprintf(room, 24, "1e%d", number);
  return room;
}

static void write_line(FILE *to, double x1, double y1, double x2, double y2) {
  fprintf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x1, y1, x2, y2);
}

static void write_axes(FILE *to, const bench_plot *plot, const axis *x, const axis *y) {
  char label[24];
  for (int e = x->first; e <= x->last; ++e) {
    const double at = across(x, tick(x, e));
    write_line(to, at, TOP, at, BOTTOM);
    write_text(to, at, BOTTOM + 18, "text-anchor=\"middle\"", tick_label(x, e, label));
  }
  for (int e = y->first; e <= y->last; ++e) {
    const double at = up(y, tick(y, e));
    write_line(to, LEFT, at, RIGHT, at);
    write_text(to, LEFT - 8, at + 4, "text-anchor=\"end\"", tick_label(y, e, label));
  }
  write_text(to, LEFT, 26, "font-size=\"16\" font-weight=\"bold\"", plot->title);
  write_text(to, (LEFT + RIGHT) / 2.0, BOTTOM + 42, "text-anchor=\"middle\"", plot->x_label);
  write_text(to, LEFT, TOP - 8, "text-anchor=\"end\"", plot->y_label);
}

static void write_series(FILE *to, const bench_plot *plot, size_t number, const axis *x, const axis *y) {
  const bench_series *series = &plot->series[number];
  const char *color = colors[series->color % COLORS], *dashes = series->dashed ? " stroke-dasharray=\"6 4\"" : "";
  fprintf(to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", color, dashes);
  for (size_t i = 0; i < series->count; ++i)
    if (drawable(plot, series->x[i], series->y[i]))
      fprintf(to, "%.1f,%.1f ", across(x, series->x[i]), up(y, series->y[i]));
  fputs("\"/>\n", to);
  for (size_t i = 0; i < series->count; ++i)
    if (drawable(plot, series->x[i], series->y[i]))
      fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", across(x, series->x[i]),
              up(y, series->y[i]), color);
  const double legend = TOP + 10 + 20 * (double)number;
  fprintf(to, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", RIGHT + 14,
          legend, RIGHT + 40, legend, color, dashes);
  write_text(to, RIGHT + 46, legend + 4, "", series->label);
}

syn_status bench_plot_write(const syn_context *context, const bench_plot *plot, const char *path, syn_error *error) {
  axis x = {0}, y = {0};
  if (!find_axes(plot, &x, &y))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the plot '%s' has no point that its axes can show", plot->title);
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  FILE *to = output.stream;
  fprintf(to,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
          "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT);
  write_axes(to, plot, &x, &y);
  for (size_t s = 0; s < plot->series_count; ++s) write_series(to, plot, s, &x, &y);
  fputs("</svg>\n", to);
  return syn_output_commit(&output, error);
}
