/* The arrays of the VTK XML formats: as text, as base64 or as raw bytes, inline or appended, plain or compressed. */
#ifndef SYN_MESH_IO_VTU_DATA_H
#define SYN_MESH_IO_VTU_DATA_H

#include "mesh/io/numbers.h"
#include "mesh/io/xml.h"

/* Properties of the file that apply to all of its arrays. */
typedef struct syn_vtu_data {
  const syn_context *context;
  const syn_xml *xml;
  bool big_endian, zlib;
  size_t word;                         /* bytes of the numbers in front of the data, 4 or 8 */
  const char *appended, *appended_end; /* NULL: absent */
  bool appended_base64;
  size_t inflate_left; /* bytes that may still come out of compressed data */
} syn_vtu_data;

/* Reads the attributes of the root and finds the appended data in the source's bytes. */
syn_status syn_vtu_data_begin(const syn_context *context, const syn_xml *xml, const char *bytes, size_t size,
                              syn_vtu_data *data, syn_error *error);
/* False for arrays whose values are no numbers Synovia knows (String, Bit). */
bool syn_vtu_is_numeric(const syn_xml_element *array);
/* Appends the values of a <DataArray>, of which there must be `expected` (SIZE_MAX: any number). Arrays of type String
 * give the codes of their letters. */
syn_status syn_vtu_read_array(syn_vtu_data *data, const syn_xml_element *array, size_t expected, syn_numbers *numbers,
                              syn_error *error);

#endif
