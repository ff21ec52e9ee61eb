/* A hip as bytes, exact to the last bit, for a page that computes by itself: its bodies as analysed, not as shown.
 *
 * All numbers are little-endian, and each list is stored as differences from the item before, by planes: all first
 * bytes, then all second ones, which compresses best. */
#ifndef SYN_REPORT_HIP_PACKED_H
#define SYN_REPORT_HIP_PACKED_H

#include <synovia/clinic.h>

#include "base/status.h"

/* The vertices that the page shows of a part: those of the analysed mesh that are named. */
typedef struct syn_packed_shown {
  const uint32_t *source;
  uint32_t count;
} syn_packed_shown;

/* `shown` by part; *bytes are the context's memory. */
syn_status syn_hip_pack(const syn_context *context, const syn_hip *hip, const syn_packed_shown shown[SYN_HIP_PARTS],
                        unsigned char **bytes, size_t *size, syn_error *error);

/* What was packed. Release with syn_hip_unpacked_release, also after a failure. */
typedef struct syn_hip_unpacked {
  const syn_context *context;
  syn_hip hip;
  syn_trimesh *meshes[SYN_HIP_PARTS]; /* what the hip's parts point to */
  uint32_t *source[SYN_HIP_PARTS];
  uint32_t shown[SYN_HIP_PARTS];
} syn_hip_unpacked;
/* SYN_BAD_FORMAT where the bytes are not those of a hip. */
syn_status syn_hip_unpack(const syn_context *context, const unsigned char *bytes, size_t size,
                          syn_hip_unpacked *unpacked, syn_error *error);
void syn_hip_unpacked_release(syn_hip_unpacked *unpacked);

#endif
