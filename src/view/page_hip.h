/* Answers pose queries inside a report, as the viewer does, without a server. Compiled to WebAssembly, where
 * web/src/live/worker.ts calls these functions; natively for tests. No function reads a file or prints. */
#ifndef SYN_VIEW_PAGE_HIP_H
#define SYN_VIEW_PAGE_HIP_H

#include <stddef.h>

#include "base/status.h"

#ifdef __wasm__
#define SYN_PAGE_EXPORT(name) __attribute__((export_name(name)))
#else
#define SYN_PAGE_EXPORT(name)
#endif

typedef struct syn_page_hip syn_page_hip;

/* Returns NULL if out of memory. Release with syn_page_hip_destroy. */
SYN_PAGE_EXPORT("create") syn_page_hip *syn_page_hip_create(void);
SYN_PAGE_EXPORT("destroy") void syn_page_hip_destroy(syn_page_hip *page); /* NULL is fine */

/* Every function that returns a status sets an answer: the result, or after a failure the message. */
SYN_PAGE_EXPORT("answer") const char *syn_page_hip_answer(const syn_page_hip *page);
SYN_PAGE_EXPORT("answer_size") size_t syn_page_hip_answer_size(const syn_page_hip *page);

/* Opens the bytes of syn_hip_pack; call it once, before anything else. */
SYN_PAGE_EXPORT("open") syn_status syn_page_hip_open(syn_page_hip *page, const unsigned char *bytes, size_t size);

/* Returns the same bytes as the viewer's answer to a pose. `field` is a name, or "". */
SYN_PAGE_EXPORT("pose")
syn_status syn_page_hip_pose(syn_page_hip *page, const double rows[12], const char *field);
/* The limits of all clinical motions as numbers of such an answer. */
SYN_PAGE_EXPORT("limits") syn_status syn_page_hip_limits(syn_page_hip *page);

/* ---- changes: nothing changes where they fail -------------------------------------------------------------------- */

/* Also discards the centring shift of the head, as in the viewer. */
SYN_PAGE_EXPORT("set_center") syn_status syn_page_hip_set_center(syn_page_hip *page, double x, double y, double z);
/* Excludes the part of the femur within this many mm of the head's centre from contact; 0: excludes nothing. */
SYN_PAGE_EXPORT("set_joint_radius") syn_status syn_page_hip_set_joint_radius(syn_page_hip *page, double radius_mm);
SYN_PAGE_EXPORT("joint_radius") double syn_page_hip_joint_radius(const syn_page_hip *page);

/* Presses the femur in: the vertex nearest to the position, on the femur as scanned, moves `depth_mm` inward, others
 * within `radius_mm` of it less, and all in one direction, that of the mean normal. The answer is the new positions of
 * the displayed vertices of the femur: three doubles each. */
SYN_PAGE_EXPORT("cut")
syn_status syn_page_hip_cut(syn_page_hip *page, double x, double y, double z, double radius_mm, double depth_mm);
/* Undoes the last cut; SYN_BAD_ARGUMENT if there is none. The answer is as above. */
SYN_PAGE_EXPORT("undo") syn_status syn_page_hip_undo(syn_page_hip *page);
/* Returns the volume removed by all cuts. */
SYN_PAGE_EXPORT("removed_mm3") double syn_page_hip_removed_mm3(const syn_page_hip *page);

#endif
