/* Warns of alpha angles that cannot be measured well.
 *
 * A head is not quite a sphere. Where its contour follows the circle for long, a tenth of a millimetre decides where
 * it leaves the tolerance, and alpha may as well be 40 as 90  degrees. The draws show this and its source: they also
 * give the 95 % interval on the detected sphere. */
#include <math.h>

#include "base/memory.h"
#include "clinic/measure/measure.h"

/* Our threshold: two thirds of the width of the published range, 32 to 62. */
static const double wide_deg = 20;

/* Terms that the notes of the page recognise (result/note_about.c). */
static const struct {
  syn_measure_id id;
  const char *what;
} alphas[] = {
    {SYN_MEASURE_ALPHA_DEG, "the largest alpha angle is uncertain"},
    {SYN_MEASURE_ALPHA_3_DEG, "the alpha angle at 3 o'clock is uncertain"},
    {SYN_MEASURE_ALPHA_1_30_DEG, "the alpha angle at 1:30 is uncertain"},
    {SYN_MEASURE_ALPHA_12_DEG, "the alpha angle at 12 o'clock is uncertain"},
};

bool syn_measure_is_alpha(syn_measure_id id) {
  for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i)
    if (alphas[i].id == id) return true;
  return id == SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG || id == SYN_MEASURE_ALPHA_1MM_DEG;
}

static bool is_wide(const syn_band *band) { return band->high - band->low > wide_deg; }

void syn_alpha_doubt(const syn_context *context, const syn_measures *measures, const syn_measure_bands *bands) {
  for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i) {
    const syn_measure_id id = alphas[i].id;
    const syn_band *band = &bands->of[id][SYN_BAND_ALL], *same = &bands->same_head[id];
    if (!is_wide(band)) continue;
    if (isnan(same->low) || is_wide(same))
      syn_warn(context,
               "%s, %.0f to %.0f° where %.0f° is measured: the contour follows the head's circle for long, and noise "
               "of the surface decides where it leaves it",
               alphas[i].what, band->low, band->high, measures->value[id]);
    else
      syn_warn(context,
               "%s, %.0f to %.0f° where %.0f° is measured: the head is not quite a sphere, and noise of the surface "
               "decides which one fits it; on this one it is %.0f to %.0f°",
               alphas[i].what, band->low, band->high, measures->value[id], same->low, same->high);
  }
}
