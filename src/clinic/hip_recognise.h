/* Recognises the bones of hips among labels whose names and numbers say nothing. */
#ifndef SYN_CLINIC_HIP_RECOGNISE_H
#define SYN_CLINIC_HIP_RECOGNISE_H

#include <synovia/clinic.h>

/* Finds femora by their heads, the hip bone or pelvis around each head, and the side by the anatomy of both. *named is
 * the same map whose labels have part and side, or NULL where there is no femur with a socket. `how` makes the
 * surfaces; its labels are not used. */
syn_status syn_hip_recognise(const syn_image *image, const syn_image_surface_options *how, syn_image **named,
                             syn_error *error);

#endif
