/* Computes in closed form when a feature of a rotating body touches a feature of a fixed body, one pair at a time.
 *
 * All coordinates are in a frame whose origin is the centre of rotation and whose z axis is the axis, so that the
 * rotation acts on x and y alone. Coordinates are rounded, so features nearer than the `grain`, a length that bounds
 * this rounding, count as touching. */
#ifndef SYN_COLLIDE_ROTATION_TOUCH_H
#define SYN_COLLIDE_ROTATION_TOUCH_H

#include <synovia/base.h>

/* A rotation as cosine and sine of its angle, and the point of contact (in the fixed frame). */
typedef struct syn_touch {
  double cosine, sine;
  syn_vec3 point;
} syn_touch;

/* The range of rotations that still matters: up to a positive and up to a negative angle, both as syn_turn_rank. */
typedef struct syn_turns_wanted {
  double positive, negative;
} syn_turns_wanted;

/* Returns a number that increases with the angle from 0 to 4 over a full rotation; needs no arc tangent. */
static inline double syn_turn_rank(double cosine, double sine) { return sine >= 0 ? 1 - cosine : 3 + cosine; }

/* Max count of touches of a pair: two rotations, the start, and eight if edges slide in a plane orthogonal to the axis.
 */
enum { SYN_TOUCHES = 11 };

/* Vertex p rotates, the triangle is fixed. Returns the count of touches. */
int syn_touch_vertex_face(syn_vec3 p, const syn_vec3 triangle[3], double grain, const syn_turns_wanted *wanted,
                          syn_touch touches[SYN_TOUCHES]);
/* Edge `mobile` rotates, edge `fixed` is fixed. */
int syn_touch_edge_edge(const syn_vec3 mobile[2], const syn_vec3 fixed[2], double grain, const syn_turns_wanted *wanted,
                        syn_touch touches[SYN_TOUCHES]);

#endif
