/* Numbers of Gmsh files, as text or as bytes of either order. */
#include <stdarg.h>
#include <string.h>

#include "mesh/io/msh/msh.h"

syn_status syn_msh_fail(const syn_msh_cursor *in, syn_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int64_t byte = in->binary ? in->text.at - in->source->bytes : -1;
  const syn_status status =
      syn_fail_list(error, SYN_BAD_FORMAT, in->source->name, in->binary ? 0 : in->text.line, byte, format, arguments);
  va_end(arguments);
  return status;
}

static syn_status take_bytes(syn_msh_cursor *in, const char *what, void *value, size_t size, syn_error *error) {
  if ((size_t)(in->text.end - in->text.at) < size)
    return syn_msh_fail(in, error, "the file ends where %s was expected", what);
  unsigned char bytes[8];
  memcpy(bytes, in->text.at, size);
  if (in->swapped)
    for (size_t i = 0; i < size / 2; ++i) {
      const unsigned char swap = bytes[i];
      bytes[i] = bytes[size - 1 - i];
      bytes[size - 1 - i] = swap;
    }
  memcpy(value, bytes, size);
  in->text.at += size;
  return SYN_OK;
}

syn_status syn_msh_int(syn_msh_cursor *in, const char *what, int64_t *value, syn_error *error) {
  if (!in->binary) return syn_text_int64(&in->text, 0, what, value, error);
  int32_t number = 0;
  SYN_TRY(take_bytes(in, what, &number, sizeof number, error));
  *value = number;
  return SYN_OK;
}

syn_status syn_msh_size(syn_msh_cursor *in, const char *what, uint64_t *value, syn_error *error) {
  if (!in->binary) return syn_text_uint64(&in->text, 0, what, value, error);
  return take_bytes(in, what, value, sizeof *value, error);
}

syn_status syn_msh_double(syn_msh_cursor *in, const char *what, double *value, syn_error *error) {
  if (!in->binary) return syn_text_double(&in->text, 0, what, value, error);
  return take_bytes(in, what, value, sizeof *value, error);
}

void syn_msh_begin_values(syn_msh_cursor *in) {
  if (in->binary && in->text.at < in->text.end && *in->text.at == '\n') ++in->text.at;
}

syn_status syn_msh_byte_order(syn_msh_cursor *in, syn_error *error) {
  uint32_t one = 0;
  SYN_TRY(take_bytes(in, "the number that gives the byte order", &one, sizeof one, error));
  in->swapped = one == 0x01000000;
  if (one != 1 && !in->swapped) return syn_msh_fail(in, error, "the number that gives the byte order is not 1");
  return SYN_OK;
}

/* ---- element types ------------------------------------------------------------------------------------------------
 */

/* Shapes that cells.h has no name for carry the numbers that VTK gives them. */
enum { QUIET = -1, VTK_HEX27 = 29, VTK_WEDGE18 = 32, VTK_PYRAMID14 = 37, VTK_TRI_N = 69, VTK_TET_N = 71, VTK_HEX_N };

static const struct {
  uint8_t nodes;
  int8_t shape;
} types[] = {
    [1] = {2, QUIET},
    [2] = {3, SYN_CELL_TRIANGLE},
    [3] = {4, SYN_CELL_QUAD},
    [4] = {4, SYN_CELL_TET},
    [5] = {8, SYN_CELL_HEXAHEDRON},
    [6] = {6, SYN_CELL_WEDGE},
    [7] = {5, SYN_CELL_PYRAMID},
    [8] = {3, QUIET},
    [9] = {6, SYN_CELL_QUADRATIC_TRIANGLE},
    [10] = {9, SYN_CELL_BIQUADRATIC_QUAD},
    [11] = {10, SYN_CELL_QUADRATIC_TET},
    [12] = {27, VTK_HEX27},
    [13] = {18, VTK_WEDGE18},
    [14] = {14, VTK_PYRAMID14},
    [15] = {1, QUIET},
    [16] = {8, SYN_CELL_QUADRATIC_QUAD},
    [17] = {20, SYN_CELL_QUADRATIC_HEXAHEDRON},
    [18] = {15, SYN_CELL_QUADRATIC_WEDGE},
    [19] = {13, SYN_CELL_QUADRATIC_PYRAMID},
    [20] = {9, VTK_TRI_N},
    [21] = {10, VTK_TRI_N},
    [22] = {12, VTK_TRI_N},
    [23] = {15, VTK_TRI_N},
    [24] = {15, VTK_TRI_N},
    [25] = {21, VTK_TRI_N},
    [26] = {4, QUIET},
    [27] = {5, QUIET},
    [28] = {6, QUIET},
    [29] = {20, VTK_TET_N},
    [30] = {35, VTK_TET_N},
    [31] = {56, VTK_TET_N},
    [92] = {64, VTK_HEX_N},
    [93] = {125, VTK_HEX_N},
};

static bool is_known(int64_t type) { return type > 0 && type < (int64_t)(sizeof types / sizeof *types); }
int syn_msh_element_nodes(int64_t type) { return is_known(type) ? types[type].nodes : 0; }
int syn_msh_element_shape(int64_t type) { return is_known(type) ? types[type].shape : QUIET; }
