/* Triangle soups: files in which no two faces share a vertex, as an STL has none. Corners at the same position are then
 * merged into one vertex, in every format as in an STL: else the file is no surface but a set of loose triangles. */
#ifndef SYN_MESH_IO_SOUP_H
#define SYN_MESH_IO_SOUP_H

#include "mesh/io/format.h"

/* Joins the corners of a soup at bitwise the same position (-0 is 0), with a warning. A soup is a surface
 * without tetrahedra of which every face, a triangle or two that share an edge, has separate vertices. If any faces
 * share a vertex otherwise, vertices at the same position are meant to be separate, and nothing is joined. Values of
 * points that differ at one position would be lost: with `fields_count` such a soup stays as it is, with a warning. */
syn_status syn_join_soup(const syn_source *source, bool fields_count, syn_builder *builder, syn_error *error);

#endif
