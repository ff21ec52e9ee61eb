/* Makes the deformed ultrasound image (Sundaraj 2004, Fig. 6.7). A point of the plane shows the tissue that is now
 * there: its position at rest is found by subtracting the displacement, which is interpolated from all nodes,
 * weighted by the inverse fourth power of the distance (Shepard 1968). */
#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"

syn_haptics_image syn_default_haptics_image(void) {
  return (syn_haptics_image){.width = 256, .height = 256, .depth_mm = 80, .vein = {0, 25, 6}, .cookie = SYN_COOKIE};
}

typedef struct view {
  const syn_haptics *h;
  const syn_haptics_image *image;
  const syn_vec3 *x;
  syn_vec3 origin, across, down; /* of the plane: the middle of the tip, and unit vectors */
  syn_vec3 rest_origin;          /* where the tip met the skin at rest */
} view;

static syn_vec3 displacement(const view *v, syn_vec3 at) {
  const syn_soft *soft = v->h->soft;
  syn_vec3 sum = vec3(0, 0, 0);
  double weights = 0;
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    const double away = vec3_length2(vec3_sub(soft->rest[i], at)), weight = 1 / (away * away + 1e-9);
    sum = vec3_madd(sum, weight, vec3_sub(v->x[i], soft->rest[i]));
    weights += weight;
  }
  return vec3_scale(sum, 1 / weights);
}

/* Fixed-point iteration with half steps: it converges where the displacement gradient is below 1. */
static syn_vec3 place_at_rest(const view *v, syn_vec3 now) {
  syn_vec3 rest = now;
  for (int i = 0; i < 12; ++i) rest = vec3_lerp(rest, vec3_sub(now, displacement(v, rest)), 0.7);
  return rest;
}

/* ---- the tissue that is imagined ------------------------------------------------------------------------------------
 */

static double noise_at(int64_t a, int64_t b) {
  uint64_t bits = (uint64_t)a * 0x9e3779b97f4a7c15u ^ (uint64_t)b * 0xc2b2ae3d27d4eb4fu;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  bits ^= bits >> 32;
  return (double)(bits >> 11) * 0x1p-53;
}

/* Speckle of a size in mm: random values on a grid, smoothly interpolated. */
static double speckle(double u, double w, double size_mm) {
  const double a = u / size_mm, b = w / size_mm, fa = floor(a), fb = floor(b);
  const int64_t i = (int64_t)fa, j = (int64_t)fb;
  const double s = a - fa, t = b - fb;
  return (1 - t) * ((1 - s) * noise_at(i, j) + s * noise_at(i + 1, j)) +
         t * ((1 - s) * noise_at(i, j + 1) + s * noise_at(i + 1, j + 1));
}

/* Brightness 0 to 1 of the tissue at rest, `u` across and `depth` below the skin. */
static double tissue(const syn_haptics_image *image, double u, double depth) {
  if (depth < 0) return 0.05;
  const double fade = exp(-depth / (1.2 * image->depth_mm));
  const double layer = depth < 2 ? 0.9 : depth < 8 ? 0.45 : 0.6 + 0.15 * sin(depth / 1.7 + 0.05 * u);
  double light = fade * layer * (0.35 + 0.9 * speckle(u, depth, 0.7) * speckle(u + 100, depth, 1.6));
  const double from_vein = hypot(u - image->vein.x, depth - image->vein.y) - image->vein.z;
  if (from_vein < 0) light = 0.02;
  if (from_vein >= 0 && from_vein < 0.8) light = 0.8 * fade;
  const double bone = hypot(u, depth - 0.85 * image->depth_mm) - 0.15 * image->depth_mm;
  if (bone < 0) light = 0.03; /* no echo from behind its surface */
  if (bone >= 0 && bone < 1.5 && depth < 0.85 * image->depth_mm) light = 1;
  return min2(1, max2(0, light));
}

/* ---- the image ------------------------------------------------------------------------------------------------------
 */

static bool is_within(syn_vec3 v, double most) { return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most; }

static double width_of(const syn_haptics *h, const syn_haptics_image *image) {
  return image->width_mm > 0 ? image->width_mm : 4 * h->probe.radius_mm;
}

static syn_status check_image(const syn_haptics *h, const syn_haptics_image *image, syn_vec3 tip, syn_error *error) {
  const double most = 1e6; /* mm: speckle uses integer coordinates */
  SYN_TRY(SYN_CHECK_OPTIONS(image, syn_default_haptics_image, error));
  if (image->width < 1 || image->height < 1 || image->width > 8192 || image->height > 8192)
    return syn_fail(error, SYN_BAD_ARGUMENT, "an image has 1 to 8192 pixels each way");
  if (!(image->depth_mm > 0 && image->depth_mm <= most && image->width_mm >= 0 && width_of(h, image) <= most))
    return syn_fail(error, SYN_BAD_ARGUMENT, "an image shows a plane of a width and depth above 0 mm, up to %g mm",
                    most);
  if (!is_within(image->across, most) || !is_within(image->vein, most) || !is_within(tip, most))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the tip, the vein and the direction of an image lie within %g mm", most);
  return SYN_OK;
}

/* Positions at rest on a coarse grid, linearly interpolated. */
enum { GRID = 32 };
typedef struct grid {
  syn_vec3 rest[GRID + 1][GRID + 1];
} grid;

static void fill_grid(const view *v, double width_mm, grid *g) {
  for (int row = 0; row <= GRID; ++row)
    for (int column = 0; column <= GRID; ++column) {
      const double u = ((double)column / GRID - 0.5) * width_mm, depth = (double)row / GRID * v->image->depth_mm;
      g->rest[row][column] =
          vec3_sub(place_at_rest(v, vec3_madd(vec3_madd(v->origin, u, v->across), depth, v->down)), v->rest_origin);
    }
}

static syn_vec3 look_up(const grid *g, double across, double down) {
  const int column = (int)(across * GRID), row = (int)(down * GRID); /* below GRID: pixels have their middle inside */
  const double s = across * GRID - column, t = down * GRID - row;
  return vec3_lerp(vec3_lerp(g->rest[row][column], g->rest[row][column + 1], s),
                   vec3_lerp(g->rest[row + 1][column], g->rest[row + 1][column + 1], s), t);
}

syn_status syn_haptics_draw(const syn_haptics *h, const syn_haptics_image *image, syn_vec3 tip, uint8_t *pixels,
                            syn_error *error) {
  const syn_haptics_image defaults = syn_default_haptics_image();
  if (!image) image = &defaults;
  SYN_TRY(check_image(h, image, tip, error));
  const syn_vec3 axis = h->probe.axis;
  const syn_vec3 given = vec3_madd(image->across, -vec3_dot(image->across, axis), axis);
  view v = {h, image, syn_haptics_positions(h), tip, vec3_any_normal(axis), vec3_neg(axis), tip};
  if (vec3_length(given) > 0) v.across = vec3_unit(given);
  v.rest_origin = place_at_rest(&v, tip);
  grid *g;
  SYN_TRY(SYN_NEW(h->context, &g, 1, error));
  fill_grid(&v, width_of(h, image), g);
  for (uint32_t row = 0; row < image->height; ++row)
    for (uint32_t column = 0; column < image->width; ++column) {
      const syn_vec3 rest = look_up(g, (column + 0.5) / image->width, (row + 0.5) / image->height);
      const double light = tissue(image, vec3_dot(rest, v.across), vec3_dot(rest, v.down));
      pixels[(size_t)row * image->width + column] = (uint8_t)(255 * light + 0.5);
    }
  syn_free(h->context, g);
  return SYN_OK;
}
