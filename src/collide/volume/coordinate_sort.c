#include "collide/volume/coordinate_sort.h"

#include <stdbool.h>
#include <string.h>

/* Gives up, leaving a permutation, when that takes more than `budget` moves. */
static bool insertion_sort(coordinate *list, size_t count, size_t budget) {
  for (size_t i = 1; i < count; ++i) {
    const coordinate moved = list[i];
    size_t j = i;
    for (; j > 0 && list[j - 1].value > moved.value && budget > 0; --j, --budget) list[j] = list[j - 1];
    list[j] = moved;
    if (budget == 0) return false;
  }
  return true;
}

static void merge(const coordinate *from, size_t begin, size_t middle, size_t end, coordinate *to) {
  size_t i = begin, j = middle;
  for (size_t k = begin; k < end; ++k)
    to[k] = i < middle && (j == end || from[i].value <= from[j].value) ? from[i++] : from[j++];
}

static void merge_sort(coordinate *list, size_t count, coordinate *spare) {
  enum { RUN = 16 };
  coordinate *from = list, *to = spare;
  for (size_t begin = 0; begin < count; begin += RUN)
    insertion_sort(list + begin, count - begin < RUN ? count - begin : RUN, SIZE_MAX);
  for (size_t width = RUN; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      const size_t middle = count - begin < width ? count : begin + width;
      merge(from, begin, middle, count - middle < width ? count : middle + width, to);
    }
    coordinate *swap = from;
    from = to;
    to = swap;
  }
  if (from != list) memcpy(list, from, count * sizeof *list);
}

void syn_sort_coordinates(coordinate *list, size_t count, coordinate *spare) {
  enum { MOVES = 4 }; /* per coordinate; with more, merging is faster */
  if (!insertion_sort(list, count, MOVES * count + 1)) merge_sort(list, count, spare);
}

void syn_place_coordinates(const coordinate *list, size_t count, const double *bounds, uint32_t intervals,
                           uint16_t *index, size_t stride) {
  uint32_t i = 0;
  for (size_t k = 0; k < count; ++k) {
    while (i + 1 < intervals && list[k].value >= bounds[i + 1]) ++i;
    index[stride * list[k].point] = (uint16_t)i;
  }
}
