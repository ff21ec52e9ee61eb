/* When does a feature of a turning body touch a feature of a fixed body? In closed form, for one pair at a time.
 *
 * All coordinates are in a frame whose origin is the centre of rotation and whose z axis is the axis, so that the turn
 * acts on x and y alone. Coordinates are rounded, so features nearer than the `grain`, a length that bounds this
 * rounding, count as touching. */
#ifndef SYN_COLLIDE_ROTATION_TOUCH_H
#define SYN_COLLIDE_ROTATION_TOUCH_H

#include <synovia/base.h>

/* A turn as cosine and sine of its angle, and where the features then touch (in the fixed frame). */
typedef struct syn_touch {
  double cosine, sine;
  syn_vec3 point;
} syn_touch;

/* The turns that still matter: up to a positive and up to a negative angle, both given by syn_turn_rank. */
typedef struct syn_turns_wanted {
  double positive, negative;
} syn_turns_wanted;

/* Grows with the angle from 0 to 4 over a whole turn; costs no arc tangent. */
static inline double syn_turn_rank(double cosine, double sine) { return sine >= 0 ? 1 - cosine : 3 + cosine; }

/* Most touches that a pair has: two turns, the start, and eight where edges slide in a plane across the axis. */
enum { SYN_TOUCHES = 11 };

/* Vertex p turns, the triangle is fixed. Returns how many touches there are. */
int syn_touch_vertex_face(syn_vec3 p, const syn_vec3 triangle[3], double grain, const syn_turns_wanted *wanted,
                          syn_touch touches[SYN_TOUCHES]);
/* Edge `mobile` turns, edge `fixed` is fixed. */
int syn_touch_edge_edge(const syn_vec3 mobile[2], const syn_vec3 fixed[2], double grain, const syn_turns_wanted *wanted,
                        syn_touch touches[SYN_TOUCHES]);

#endif
