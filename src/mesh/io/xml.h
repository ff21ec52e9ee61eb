/* An XML file as a tree, over expat. Declarations of types and entities are refused, so nothing expands; nesting is
 * limited; every element knows its line. The tree comes from the context's memory, expat's own small buffers from
 * malloc, since expat hands its allocator no place to keep a context. */
#ifndef SYN_MESH_IO_XML_H
#define SYN_MESH_IO_XML_H

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"

typedef struct syn_xml_element {
  const char *name;
  const char *const *attributes; /* name, value, name, value, …, NULL */
  struct syn_xml_element *child; /* the first one, NULL: none */
  struct syn_xml_element *next;  /* the next child of the same parent */
  syn_text text;                 /* the text of the element, in the file's bytes */
  bool text_split;               /* comments, elements or CDATA are between sections of the text */
  int64_t line;
} syn_xml_element;

typedef struct syn_xml {
  syn_arena arena;
  const char *file; /* for messages */
  syn_xml_element *root;
  size_t stopped_at; /* byte after the start tag at which parsing stopped; 0: read to the end */
} syn_xml;

/* Parses `bytes`, which must outlive the tree. `stop_at` (may be NULL) names an element whose content is not XML:
 * parsing ends with its start tag, which is the last element of the tree. Release in any case. */
syn_status syn_xml_parse(const syn_context *context, const char *bytes, size_t size, const char *file,
                         const char *stop_at, syn_xml *xml, syn_error *error);
void syn_xml_release(syn_xml *xml);

/* Returns the first element called `name` (NULL: any) from `element` on among its siblings, or NULL. */
const syn_xml_element *syn_xml_find(const syn_xml_element *element, const char *name);
/* Returns the value of an attribute, or NULL. */
const char *syn_xml_attribute(const syn_xml_element *element, const char *name);
/* Returns whether the attribute has this value. */
bool syn_xml_attribute_is(const syn_xml_element *element, const char *name, const char *value);
/* Reads the whole attribute as a number; a missing one gives `missing`. */
syn_status syn_xml_uint64(const syn_xml *xml, const syn_xml_element *element, const char *name, uint64_t missing,
                          uint64_t *value, syn_error *error);
/* A cursor over the element's text with its lines; fails when the text is split. */
syn_status syn_xml_text(const syn_xml *xml, const syn_xml_element *element, syn_text *text, syn_error *error);
/* Fails at the element's line. */
syn_status syn_xml_fail(const syn_xml *xml, const syn_xml_element *element, syn_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes text for an attribute: the five special characters escaped, bytes that are no UTF-8 character or that XML does
 * not allow as '_'. */
void syn_xml_write_escaped(FILE *stream, const char *text);

#endif
