/* Packs a hip as bytes, exact to the last bit, for live computation in a page: its bodies as analysed, not as shown.
 *
 * All numbers are little-endian, and each list is stored as differences from the previous item, by planes: all first
 * bytes, then all second ones, which compresses best. */
#ifndef SYN_REPORT_HIP_PACKED_H
#define SYN_REPORT_HIP_PACKED_H

#include <synovia/clinic.h>

#include "base/status.h"

/* The vertices that the page shows of a part, as indices of the analysed mesh. */
typedef struct syn_packed_shown {
  const uint32_t *source;
  uint32_t count;
} syn_packed_shown;

/* `shown` by part; *bytes is allocated by the context. */
syn_status syn_hip_pack(const syn_context *context, const syn_hip *hip, const syn_packed_shown shown[SYN_HIP_PARTS],
                        unsigned char **bytes, size_t *size, syn_error *error);

/* The unpacked hip. Release with syn_hip_unpacked_release, also after a failure. */
typedef struct syn_hip_unpacked {
  const syn_context *context;
  syn_hip hip;
  syn_trimesh *meshes[SYN_HIP_PARTS]; /* the hip's parts point to them */
  uint32_t *source[SYN_HIP_PARTS];
  uint32_t shown[SYN_HIP_PARTS];
} syn_hip_unpacked;
/* Fails with SYN_BAD_FORMAT if the bytes are not those of a hip. */
syn_status syn_hip_unpack(const syn_context *context, const unsigned char *bytes, size_t size,
                          syn_hip_unpacked *unpacked, syn_error *error);
void syn_hip_unpacked_release(syn_hip_unpacked *unpacked);

#endif
