#include "mesh/io/xml.h"

#include <expat.h>
#include <stdarg.h>
#include <string.h>

enum { DEPTH_MAX = 64, CHUNK_BYTES = 1 << 26 };

typedef struct parse_state {
  syn_xml *xml;
  const char *bytes, *stop_at;
  XML_Parser parser;
  syn_error *error;
  syn_status status; /* why we stopped the parser */
  size_t depth;
  syn_xml_element *open[DEPTH_MAX], *last_child[DEPTH_MAX];
} parse_state;

static int64_t current_line(const parse_state *s) { return (int64_t)XML_GetCurrentLineNumber(s->parser); }

static void stop(parse_state *s, syn_status status) {
  s->status = status;
  XML_StopParser(s->parser, XML_FALSE);
}

static void refuse(parse_state *s, const char *why) {
  stop(s, syn_fail_at(s->error, SYN_BAD_FORMAT, s->xml->file, current_line(s), -1, "%s", why));
}

/* The element, its list of attributes and all their letters in one block. */
static syn_status copy_element(parse_state *s, const char *name, const char **attributes, syn_xml_element **element) {
  size_t letters = strlen(name) + 1, count = 0;
  for (; attributes[count]; ++count) letters += strlen(attributes[count]) + 1;
  const size_t list_bytes = (count + 1) * sizeof(char *);
  void *block;
  SYN_TRY(syn_arena_take(&s->xml->arena, sizeof **element + list_bytes + letters, 1, &block, s->error));
  const char **list = (const char **)(void *)((char *)block + sizeof **element);
  char *at = (char *)block + sizeof **element + list_bytes;
  *element = block;
  **element = (syn_xml_element){.name = at, .attributes = list, .line = current_line(s)};
  at = stpcpy(at, name) + 1;
  for (size_t i = 0; i < count; ++i) {
    list[i] = at;
    at = stpcpy(at, attributes[i]) + 1;
  }
  list[count] = NULL;
  return SYN_OK;
}

static void on_start(void *user, const char *name, const char **attributes) {
  parse_state *s = user;
  if (s->status != SYN_OK) return;
  if (s->depth == DEPTH_MAX) {
    refuse(s, "elements are nested too deeply");
    return;
  }
  syn_xml_element *element;
  syn_status status = copy_element(s, name, attributes, &element);
  if (status != SYN_OK) {
    stop(s, status);
    return;
  }
  if (s->depth == 0)
    s->xml->root = element;
  else if (s->last_child[s->depth - 1])
    s->last_child[s->depth - 1]->next = element;
  else
    s->open[s->depth - 1]->child = element;
  if (s->depth > 0) s->last_child[s->depth - 1] = element;
  s->open[s->depth] = element;
  s->last_child[s->depth++] = NULL;
  if (s->stop_at && strcmp(name, s->stop_at) == 0) {
    s->xml->stopped_at = (size_t)XML_GetCurrentByteIndex(s->parser) + (size_t)XML_GetCurrentByteCount(s->parser);
    XML_StopParser(s->parser, XML_FALSE);
  }
}

static void on_end(void *user, const char *name) {
  parse_state *s = user;
  (void)name;
  if (s->status == SYN_OK && s->xml->stopped_at == 0) --s->depth;
}

static bool is_white(const char *text, int length) {
  for (int i = 0; i < length; ++i)
    if (!strchr(" \t\r\n", text[i])) return false;
  return true;
}

/* Expat delivers text piece by piece. Pieces that follow each other in the file are one slice of it. */
static void on_text(void *user, const char *piece, int length) {
  parse_state *s = user;
  if (s->status != SYN_OK || is_white(piece, length)) return;
  syn_xml_element *element = s->open[s->depth - 1];
  const char *begin = s->bytes + XML_GetCurrentByteIndex(s->parser);
  const char *end = begin + XML_GetCurrentByteCount(s->parser);
  if (!element->text.at)
    element->text = (syn_text){.at = begin, .end = end, .line = current_line(s), .file = s->xml->file};
  else if (is_white(element->text.end, (int)(begin - element->text.end)))
    element->text.end = end;
  else
    element->text_split = true;
}

static void on_doctype(void *user, const char *name, const char *system, const char *public, int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  refuse(user, "a DOCTYPE is refused, since it could hide entities; remove it");
}

static bool starts_as_utf16(const char *bytes, size_t size) {
  return size >= 2 &&
         (memcmp(bytes, "\xfe\xff", 2) == 0 || memcmp(bytes, "\xff\xfe", 2) == 0 || !bytes[0] || !bytes[1]);
}

static syn_status run_parser(parse_state *s, size_t size) {
  enum XML_Status result = XML_STATUS_OK;
  for (size_t at = 0; result == XML_STATUS_OK;) {
    const size_t left = size - at, part = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    result = XML_Parse(s->parser, s->bytes + at, (int)part, part == left);
    if (part == left) break;
    at += part;
  }
  if (s->status != SYN_OK) return s->status;
  if (result == XML_STATUS_OK || s->xml->stopped_at) return SYN_OK;
  const enum XML_Error code = XML_GetErrorCode(s->parser);
  if (code == XML_ERROR_NO_MEMORY) return syn_fail(s->error, SYN_NO_MEMORY, "out of memory while reading XML");
  return syn_fail_at(s->error, SYN_BAD_FORMAT, s->xml->file, current_line(s), -1, "this is not valid XML: %s",
                     XML_ErrorString(code));
}

syn_status syn_xml_parse(const syn_context *context, const char *bytes, size_t size, const char *file,
                         const char *stop_at, syn_xml *xml, syn_error *error) {
  *xml = (syn_xml){.arena = {.context = context}, .file = file};
  if (starts_as_utf16(bytes, size))
    return syn_fail_at(error, SYN_BAD_FORMAT, file, 1, -1, "XML in 16-bit letters is not read; save it as UTF-8");
  parse_state state = {.xml = xml, .bytes = bytes, .stop_at = stop_at, .error = error};
  state.parser = XML_ParserCreate(NULL);
  if (!state.parser) return syn_fail(error, SYN_NO_MEMORY, "out of memory while reading XML");
  XML_SetUserData(state.parser, &state);
  XML_SetElementHandler(state.parser, on_start, on_end);
  XML_SetCharacterDataHandler(state.parser, on_text);
  XML_SetStartDoctypeDeclHandler(state.parser, on_doctype);
  syn_status status = run_parser(&state, size);
  XML_ParserFree(state.parser);
  return status;
}

void syn_xml_release(syn_xml *xml) {
  syn_arena_release(&xml->arena);
  xml->root = NULL;
}

/* ---- looking around --------------------------------------------------------------------------------------------- */

const syn_xml_element *syn_xml_find(const syn_xml_element *element, const char *name) {
  while (element && name && strcmp(element->name, name) != 0) element = element->next;
  return element;
}

const char *syn_xml_attribute(const syn_xml_element *element, const char *name) {
  for (const char *const *at = element->attributes; *at; at += 2)
    if (strcmp(at[0], name) == 0) return at[1];
  return NULL;
}

bool syn_xml_attribute_is(const syn_xml_element *element, const char *name, const char *value) {
  const char *found = syn_xml_attribute(element, name);
  return found && strcmp(found, value) == 0;
}

syn_status syn_xml_uint64(const syn_xml *xml, const syn_xml_element *element, const char *name, uint64_t missing,
                          uint64_t *value, syn_error *error) {
  const char *found = syn_xml_attribute(element, name);
  *value = missing;
  char shown[48];
  syn_text text = syn_text_from(found ? found : "", found ? strlen(found) : 0, xml->file);
  syn_word word, more;
  if (found && (!syn_text_word(&text, 0, &word) || !syn_word_uint64(word, value) || syn_text_word(&text, 0, &more)))
    return syn_xml_fail(xml, element, error, "%s=\"%s\" of <%s> is not a count", name,
                        syn_word_shown((syn_word){found, strlen(found)}, shown), element->name);
  return SYN_OK;
}

syn_status syn_xml_text(const syn_xml *xml, const syn_xml_element *element, syn_text *text, syn_error *error) {
  if (element->text_split)
    return syn_xml_fail(xml, element, error, "the numbers of <%s> are split by comments or other elements",
                        element->name);
  *text = element->text;
  if (!text->at) *text = (syn_text){.at = "", .line = element->line, .file = xml->file};
  if (!text->end) text->end = text->at;
  return SYN_OK;
}

syn_status syn_xml_fail(const syn_xml *xml, const syn_xml_element *element, syn_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(error, SYN_BAD_FORMAT, xml->file, element->line, -1, format, arguments);
  va_end(arguments);
  return status;
}

/* Bytes of the UTF-8 letter at `text`; 0 if they are not valid or XML does not allow the letter. */
static size_t letter_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) return c[0] >= 0x20 && c[0] != 0x7f;
  const size_t length = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
                        : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                        : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                      : 0;
  for (size_t i = 1; i < length; ++i)
    if ((c[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  const bool beyond = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
  const bool no_letter = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
  return overlong || beyond || no_letter ? 0 : length;
}

void syn_xml_write_escaped(FILE *stream, const char *text) {
  while (*text) {
    const size_t length = letter_length(text);
    switch (*text) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    case '\'': fputs("&apos;", stream); break;
    default:
      if (length)
        fwrite(text, 1, length, stream);
      else
        fputc('_', stream);
    }
    text += length ? length : 1;
  }
}
