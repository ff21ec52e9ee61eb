/* The hip of a report inside its own page: what the viewer answers, without the viewer. Compiled to WebAssembly, where
 * web/src/live/worker.ts calls these functions; natively for tests. No answer needs a file, and no function prints. */
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

/* NULL where there is no memory. Release with syn_page_hip_destroy. */
SYN_PAGE_EXPORT("create") syn_page_hip *syn_page_hip_create(void);
SYN_PAGE_EXPORT("destroy") void syn_page_hip_destroy(syn_page_hip *page); /* NULL is fine */

/* Each function that returns a status leaves an answer: what was asked for, or after a failure the message. */
SYN_PAGE_EXPORT("answer") const char *syn_page_hip_answer(const syn_page_hip *page);
SYN_PAGE_EXPORT("answer_size") size_t syn_page_hip_answer_size(const syn_page_hip *page);

/* The bytes of syn_hip_pack; once, before anything else. */
SYN_PAGE_EXPORT("open") syn_status syn_page_hip_open(syn_page_hip *page, const unsigned char *bytes, size_t size);

/* The same bytes as the viewer's answer to a pose. `field` is a name, or "". */
SYN_PAGE_EXPORT("pose")
syn_status syn_page_hip_pose(syn_page_hip *page, const double rows[12], const char *field);
/* The limits of all clinical motions as numbers of such an answer. */
SYN_PAGE_EXPORT("limits") syn_status syn_page_hip_limits(syn_page_hip *page);

/* ---- changes: nothing changes where they fail -----------------------------------------------------------------------
 */

/* Also ends the shift that seats the head, as in the viewer. */
SYN_PAGE_EXPORT("set_center") syn_status syn_page_hip_set_center(syn_page_hip *page, double x, double y, double z);
/* What of the femur lies within so many mm of its head's centre stops nothing; 0: everything counts. */
SYN_PAGE_EXPORT("set_joint_radius") syn_status syn_page_hip_set_joint_radius(syn_page_hip *page, double radius_mm);
SYN_PAGE_EXPORT("joint_radius") double syn_page_hip_joint_radius(const syn_page_hip *page);

/* Presses the femur in: the nearest vertex to the place, on the femur as it lies, goes `depth_mm` inward, others within
 * `radius_mm` of it less, and all in one direction, that of the mean normal. The answer is where the femur's vertices
 * on show are now: three doubles for each. */
SYN_PAGE_EXPORT("cut")
syn_status syn_page_hip_cut(syn_page_hip *page, double x, double y, double z, double radius_mm, double depth_mm);
/* Takes the last cut back; SYN_BAD_ARGUMENT where there is none. The same answer. */
SYN_PAGE_EXPORT("undo") syn_status syn_page_hip_undo(syn_page_hip *page);
/* By all cuts together. */
SYN_PAGE_EXPORT("removed_mm3") double syn_page_hip_removed_mm3(const syn_page_hip *page);

#endif
