/* The page of contact pressure: the bones, the articular surfaces, and the motion under load. */
#ifndef SYN_REPORT_PRESSURE_PAGE_H
#define SYN_REPORT_PRESSURE_PAGE_H

#include "report/hip/hip_page_parts.h"
#include <synovia/pressure.h>

/* Fills the page from a syn_pressure. */
syn_status syn_pressure_add_page(syn_publication *to, const void *pressure, syn_error *error);
/* Returns the pose of the femur at a step: rotated, and shifted into equilibrium. */
syn_pose syn_pressure_pose(const syn_pressure_step *step);

#endif
