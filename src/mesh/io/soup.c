#include "mesh/io/soup.h"

#include <string.h>

#include "base/hash_table.h"
#include "mesh/repair/weld.h"

/* Records a pair of triangles that share a vertex; false if one of them already has another partner. */
static bool enter_partner(uint32_t *partner, uint32_t a, uint32_t b) {
  if (a == b) return true;
  if ((partner[a] != SYN_NONE && partner[a] != b) || (partner[b] != SYN_NONE && partner[b] != a)) return false;
  partner[a] = b;
  partner[b] = a;
  return true;
}

/* No triangle shares a vertex with more than one other: two are what becomes of a polygon of four corners. Most files
 * show at their first triangles that they are none. */
static syn_status is_soup(const syn_builder *b, bool *soup, syn_error *error) {
  uint32_t *owner = NULL, *partner = NULL; /* of a vertex its first triangle, of a triangle the one it shares with */
  *soup = false;
  if (b->tet_count || b->cell_count || b->triangle_count < 2 || b->triangle_count >= SYN_NONE) return SYN_OK;
  if (b->point_count < 2 * b->triangle_count) return SYN_OK; /* two triangles of a face have four vertices */
  syn_status status = SYN_NEW(b->context, &owner, b->point_count, error);
  if (status == SYN_OK) status = SYN_NEW(b->context, &partner, b->triangle_count, error);
  if (status == SYN_OK) {
    memset(owner, 0xff, b->point_count * sizeof *owner);
    memset(partner, 0xff, b->triangle_count * sizeof *partner);
    *soup = true;
    for (uint32_t t = 0; t < b->triangle_count && *soup; ++t)
      for (int c = 0; c < 3 && *soup; ++c) {
        uint32_t *first = &owner[b->triangles[t].v[c]];
        if (*first == SYN_NONE) *first = t;
        *soup = enter_partner(partner, *first, t);
      }
  }
  syn_free(b->context, owner);
  syn_free(b->context, partner);
  return status;
}

/* Returns the field of points whose values differ at coincident vertices, or NULL. */
static const syn_field *find_differing_field(const syn_builder *b, const uint32_t *representative) {
  for (size_t k = 0; k < b->field_count; ++k) {
    const syn_field *field = &b->fields[k];
    const size_t width = field->components;
    if (field->on != SYN_ON_POINTS) continue;
    for (size_t i = 0; i < b->point_count; ++i)
      if (memcmp(field->values + i * width, field->values + representative[i] * width, width * sizeof(double)) != 0)
        return field;
  }
  return NULL;
}

/* Moves what is kept to the front, in its order; `number` of a vertex is its representative before and its new number
 * after. */
static void compact_points(syn_builder *b, uint32_t *number) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < b->point_count; ++i) {
    if (number[i] != i) {
      number[i] = number[number[i]]; /* an earlier one, whose new number is known */
      continue;
    }
    b->points[kept] = b->points[i];
    for (size_t k = 0; k < b->field_count; ++k) {
      const size_t width = b->fields[k].components;
      double *values = (double *)(uintptr_t)b->fields[k].values; /* owned by the builder */
      if (b->fields[k].on == SYN_ON_POINTS) memmove(values + kept * width, values + i * width, width * sizeof *values);
    }
    number[i] = kept++;
  }
  b->point_count = kept;
  for (size_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) b->triangles[t].v[c] = number[b->triangles[t].v[c]];
}

static syn_status join_points(const syn_source *source, bool fields_count, syn_builder *b, uint32_t *number,
                              syn_error *error) {
  uint32_t merged;
  SYN_TRY(syn_weld_exact(b->context, b->points, (uint32_t)b->point_count, number, &merged, error));
  if (merged == 0) return SYN_OK;
  const syn_field *differing = fields_count ? find_differing_field(b, number) : NULL;
  if (differing) {
    syn_warn(b->context,
             "%s: no two faces share a vertex, and the values of '%s' differ where their corners meet, so that these "
             "stay apart; a surface for computing joins them",
             source->name, differing->name);
    return SYN_OK;
  }
  compact_points(b, number);
  syn_warn(b->context,
           "%s: no two faces share a vertex: %u corners at the very position of another were joined, as in an STL; %zu "
           "vertices are left",
           source->name, merged, b->point_count);
  return SYN_OK;
}

syn_status syn_join_soup(const syn_source *source, bool fields_count, syn_builder *b, syn_error *error) {
  bool soup;
  uint32_t *number;
  SYN_TRY(is_soup(b, &soup, error));
  if (!soup || b->point_count >= SYN_NONE) return SYN_OK;
  SYN_TRY(SYN_NEW(b->context, &number, b->point_count, error));
  const syn_status status = join_points(source, fields_count, b, number, error);
  syn_free(b->context, number);
  return status;
}
