#include "report/hip/computing.h"
#include "clinic/hip.h"

#include <string.h>

#include "report/hip/packed.h"
#include "report/page.h"

/* A page of a scan with 30,000 triangles for each bone needs 0.7 MB; a page beyond this limit would be hard to send. */
static const size_t most_bytes = 3000000;

/* Returns whether this kind of report shows the hip unchanged. */
static bool is_plain(const char *kind) {
  static const char *const kinds[] = {"hip", "demo", "rom", "fai"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(kind, kinds[i]) == 0) return true;
  return false;
}

/* Finds the body that shows each part; returns false if one is missing or has another surface. */
static bool match_parts(const syn_report *report, const syn_display *displays, syn_packed_shown shown[SYN_HIP_PARTS]) {
  size_t parts = 0;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) parts += report->hip->parts[i] != NULL;
  for (size_t i = 0; i < report->body_count; ++i) {
    const syn_body *body = &report->bodies[i].body;
    const syn_hip_part part = syn_hip_part_of_body(body);
    if (part == SYN_HIP_PARTS || report->hip->parts[part] != body->surface) return false;
    shown[part] = (syn_packed_shown){displays[i].source, displays[i].mesh->vertex_count};
  }
  return parts == report->body_count;
}

syn_status syn_hip_computing_add(const syn_report *report, const syn_display *displays, syn_blobs *blobs,
                                 syn_error *error) {
  syn_packed_shown shown[SYN_HIP_PARTS] = {{NULL, 0}};
  unsigned char *bytes;
  size_t size, number;
  if (!*syn_page_wasm || !report->hip || report->live || !is_plain(report->kind)) return SYN_OK;
  if (!report->hip->parts[SYN_HIP_PELVIS] || !report->hip->parts[SYN_HIP_FEMUR]) return SYN_OK;
  if (!match_parts(report, displays, shown)) return SYN_OK;
  SYN_TRY(syn_hip_pack(blobs->context, report->hip, shown, &bytes, &size, error));
  return syn_blobs_add(blobs, bytes, size, &number, error);
}

void syn_hip_computing_put(FILE *to, const syn_blobs *blobs) {
  if (!blobs->count || blobs->items[0].length > most_bytes) return;
  syn_blob_put(to, "hip-", 0, blobs->items[0].text, blobs->items[0].length);
  syn_blob_put(to, "wasm-", 0, syn_page_wasm, strlen(syn_page_wasm));
}
