#define _GNU_SOURCE /* for memmem */
#include "report/page_read.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "base/files/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/zlib_memory.h"
#include "report/pack.h"
#include "report/page_parts.h"

static const char closing[] = "</script>\n";

/* ---- the file's parts -------------------------------------------------------------------------------------------- */

/* Takes the text from *at to the end of its script element; moves behind it. */
static bool take_script(const char **at, const char *end, syn_page_blob *text) {
  const char *found = memmem(*at, (size_t)(end - *at), closing, strlen(closing));
  if (!found) return false;
  *text = (syn_page_blob){*at, (size_t)(found - *at)};
  *at = found + strlen(closing);
  return true;
}

static bool is_base64(const syn_page_blob *blob) {
  for (size_t i = 0; i < blob->length; ++i) {
    const char c = blob->text[i];
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool padding = c == '=' && i + 2 >= blob->length;
    if (!letter && c != '+' && c != '/' && !padding) return false;
  }
  return blob->length % 4 == 0;
}

/* Blobs follow the model, in order. */
static syn_status take_blobs(syn_saved_page *page, const char *at, const char *end, const char *file,
                             syn_error *error) {
  for (;;) {
    char opening[96];
    const size_t length = strlen(syn_blob_opening(page->blob_count, opening));
    if ((size_t)(end - at) < length || memcmp(at, opening, length) != 0) return SYN_OK;
    at += length;
    SYN_TRY(SYN_RESERVE(page->context, &page->blobs, page->blob_count, 1, &page->blob_capacity, error));
    syn_page_blob *blob = &page->blobs[page->blob_count];
    if (!take_script(&at, end, blob) || !is_base64(blob))
      return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1, "blob-%zu of the report is cut off or not base64",
                         page->blob_count);
    ++page->blob_count;
  }
}

static syn_status fail_foreign(const char *file, syn_error *error) {
  return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                     "this is not a report that Synovia wrote: it does not hold exactly one model");
}

static syn_status take_model(syn_saved_page *page, const char *bytes, size_t size, const char *file,
                             const char **behind, syn_error *error) {
  static const char opening[] = SYN_PAGE_MODEL;
  const char *end = bytes + size, *at = memmem(bytes, size, opening, strlen(opening));
  syn_page_blob text;
  if (!at) return fail_foreign(file, error);
  at += strlen(opening);
  if (!take_script(&at, end, &text) || memmem(at, (size_t)(end - at), opening, strlen(opening)))
    return fail_foreign(file, error);
  json_error_t why;
  page->model = json_loadb(text.text, text.length, JSON_REJECT_DUPLICATES, &why);
  *behind = at;
  if (page->model) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, text.text - bytes + why.position,
                     "the report's model is not valid JSON: %s", why.text);
}

/* ---- blobs ------------------------------------------------------------------------------------------------------- */

enum { PIECE = 4096 };

/* Unpacks piece by piece and discards the output: returns Z_OK if exactly `expected` bytes result. `room` is the buffer
 * for input and output. */
static int unpack(z_stream *z, const syn_page_blob *blob, uint64_t expected, unsigned char room[2 * PIECE]) {
  unsigned char *packed = room, *plain = room + PIECE;
  syn_base64_reader reader = {.at = blob->text, .end = blob->text + blob->length};
  uint64_t out = 0;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (z->avail_in == 0) {
      z->next_in = packed;
      z->avail_in = (uInt)syn_base64_read(&reader, packed, PIECE);
      if (z->avail_in == 0) return Z_DATA_ERROR;
    }
    z->next_out = plain;
    z->avail_out = PIECE;
    state = inflate(z, Z_NO_FLUSH);
    out += PIECE - z->avail_out;
    if (state == Z_MEM_ERROR) return state;
    if ((state != Z_OK && state != Z_STREAM_END) || out > expected) return Z_DATA_ERROR;
  }
  const bool whole = out == expected && z->avail_in == 0 && syn_base64_read(&reader, packed, 1) == 0;
  return whole ? Z_OK : Z_DATA_ERROR;
}

/* Checks the blob that `place` names. The model names each blob once, in order, so the work is bounded. */
static syn_status check_blob(syn_saved_page *page, const syn_json *place, uint64_t expected, syn_error *error) {
  enum { RAW = -15 };
  const char *name;
  char next[32];
  SYN_TRY(syn_json_text(place, &name, error));
  snprintf(next, sizeof next, "blob-%zu", page->used);
  if (page->used == page->blob_count || strcmp(name, next) != 0)
    return syn_json_fail(place, error, "the page has no such blob, or not in this place");
  const syn_page_blob *blob = &page->blobs[page->used++];
  unsigned char room[2 * PIECE];
  z_stream z = syn_zlib_stream(page->context);
  int state = inflateInit2(&z, RAW);
  if (state == Z_OK) {
    state = unpack(&z, blob, expected, room);
    inflateEnd(&z);
  }
  if (state == Z_OK) return SYN_OK;
  if (state == Z_MEM_ERROR) return syn_fail_memory(error, 1 << 15);
  return syn_json_fail(place, error, "this blob does not unpack to the %" PRIu64 " bytes that the model states",
                       expected);
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static syn_status read_count(const syn_json *object, const char *key, uint64_t *count, syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  const json_int_t value = json_is_integer(place.value) ? json_integer_value(place.value) : -1;
  if (value < 0 || value > INT32_MAX) return syn_json_fail(&place, error, "expected a count");
  *count = (uint64_t)value;
  return SYN_OK;
}

/* Checks a list of values on the vertices, with this many bytes for each vertex and step. */
static syn_status check_values(syn_saved_page *page, const syn_json *list, uint64_t vertices, uint64_t bytes,
                               syn_error *error) {
  size_t count;
  SYN_TRY(syn_json_expect_array(list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(list, i);
    uint64_t steps = 0;
    SYN_TRY(syn_json_expect_object(&item, error));
    SYN_TRY(read_count(&item, "steps", &steps, error));
    if (vertices && steps > UINT64_MAX / (bytes * vertices))
      return syn_json_fail(&item, error, "more values than any page holds");
    const syn_json values = syn_json_member(&item, "blob");
    SYN_TRY(check_blob(page, &values, bytes * vertices * steps, error));
  }
  return SYN_OK;
}

static syn_status check_body(syn_saved_page *page, const syn_json *body, syn_error *error) {
  SYN_TRY(syn_json_expect_object(body, error));
  const syn_json mesh = syn_json_member(body, "mesh"), fields = syn_json_member(body, "fields"),
                 vectors = syn_json_member(body, "vectors");
  uint64_t vertices = 0, triangles = 0;
  SYN_TRY(syn_json_expect_object(&mesh, error));
  SYN_TRY(read_count(&mesh, "vertices", &vertices, error));
  SYN_TRY(read_count(&mesh, "triangles", &triangles, error));
  const syn_json blob = syn_json_member(&mesh, "blob");
  SYN_TRY(check_blob(page, &blob, 6 * vertices + 12 * triangles, error));
  SYN_TRY(check_values(page, &fields, vertices, 2, error));
  return vectors.value ? check_values(page, &vectors, vertices, 6, error) : SYN_OK;
}

static syn_status check_texts(const syn_json *object, const char *const *keys, syn_error *error) {
  SYN_TRY(syn_json_expect_object(object, error));
  for (; *keys; ++keys) {
    const char *ignored;
    const syn_json place = syn_json_member(object, *keys);
    SYN_TRY(syn_json_text(&place, &ignored, error));
  }
  return SYN_OK;
}

static syn_status check_range(syn_saved_page *page, const syn_json *range, syn_error *error) {
  (void)page;
  static const char *const texts[] = {"name", "label", "unit", NULL};
  SYN_TRY(check_texts(range, texts, error));
  const syn_json value = syn_json_member(range, "value");
  if (json_is_null(value.value)) return SYN_OK;
  double ignored;
  return syn_json_double(&value, &ignored, error);
}

static syn_status check_motion(syn_saved_page *page, const syn_json *motion, syn_error *error) {
  (void)page;
  static const char *const texts[] = {"name", "label", NULL};
  SYN_TRY(check_texts(motion, texts, error));
  const syn_json contact = syn_json_member(motion, "contact");
  if (json_is_null(contact.value)) return SYN_OK;
  SYN_TRY(syn_json_expect_object(&contact, error));
  const syn_json angle = syn_json_member(&contact, "angle_deg");
  double ignored;
  return syn_json_double(&angle, &ignored, error);
}

static syn_status check_sentence(syn_saved_page *page, const syn_json *sentence, syn_error *error) {
  (void)page;
  const char *ignored;
  return syn_json_text(sentence, &ignored, error);
}

static syn_status check_list(syn_saved_page *page, const syn_json *root, const char *key,
                             syn_status (*check)(syn_saved_page *page, const syn_json *item, syn_error *error),
                             syn_error *error) {
  const syn_json array = syn_json_member(root, key);
  size_t count;
  SYN_TRY(syn_json_expect_array(&array, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(&array, i);
    SYN_TRY(check(page, &item, error));
  }
  return SYN_OK;
}

static syn_status check_model(syn_saved_page *page, const char *file, syn_error *error) {
  static const char *const keys[] = {"synovia",    "kind",    "title",   "subtitle", "summary",  "notes", "frame",
                                     "bodies",     "motions", "markers", "ranges",   "envelope", "clock", "tables",
                                     "provenance", "verdict", "shows",   "alpha",    NULL};
  static const char *const texts[] = {"kind", "title", "subtitle", NULL};
  const syn_json root = syn_json_root(page->model, file);
  const char *kind = json_string_value(json_object_get(page->model, "kind"));
  if (kind && strcmp(kind, "compare") == 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                       "this page is itself a comparison; name the reports that it was made from");
  SYN_TRY(syn_json_only_keys(&root, keys, error));
  const syn_json version = syn_json_member(&root, "synovia");
  if (!json_is_integer(version.value) || json_integer_value(version.value) != 1)
    return syn_json_fail(&version, error, "only reports of version 1 are known");
  SYN_TRY(check_texts(&root, texts, error));
  SYN_TRY(check_list(page, &root, "summary", check_sentence, error));
  if (syn_json_member(&root, "notes").value) /* reports of earlier versions have none */
    SYN_TRY(check_list(page, &root, "notes", check_sentence, error));
  SYN_TRY(check_list(page, &root, "bodies", check_body, error));
  SYN_TRY(check_list(page, &root, "motions", check_motion, error));
  return check_list(page, &root, "ranges", check_range, error);
}

/* ---- whole pages ------------------------------------------------------------------------------------------------- */

syn_status syn_saved_page_parse(const syn_context *context, const char *bytes, size_t size, const char *file,
                                syn_saved_page *page, syn_error *error) {
  const char *behind = NULL;
  *page = (syn_saved_page){.context = context};
  syn_status status = take_model(page, bytes, size, file, &behind, error);
  if (status == SYN_OK) status = take_blobs(page, behind, bytes + size, file, error);
  if (status == SYN_OK) status = check_model(page, file, error);
  if (status != SYN_OK) syn_saved_page_release(page);
  return status;
}

static syn_status read_file(const syn_context *context, const char *path, syn_saved_page *page, syn_error *error) {
  char *bytes;
  size_t size;
  *page = (syn_saved_page){.context = context};
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  const syn_status status = syn_saved_page_parse(context, bytes, size, path, page, error);
  if (status == SYN_OK)
    page->bytes = bytes;
  else
    syn_free(context, bytes);
  return status;
}

syn_status syn_saved_page_read(const syn_context *context, const char *path, syn_saved_page *page, syn_error *error) {
  static const char name[] = "/report.html";
  struct stat info;
  *page = (syn_saved_page){.context = context};
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return read_file(context, path, page, error);
  char *inside;
  const size_t length = strlen(path);
  SYN_TRY(SYN_NEW(context, &inside, length + sizeof name, error));
  memcpy(inside, path, length);
  memcpy(inside + length, name, sizeof name);
  const syn_status status = read_file(context, inside, page, error);
  syn_free(context, inside);
  return status;
}

void syn_saved_page_release(syn_saved_page *page) {
  json_decref(page->model);
  syn_free(page->context, page->blobs);
  syn_free(page->context, page->bytes);
  *page = (syn_saved_page){.context = page->context};
}
