/* Sines and angles as the nearest doubles, found with twice the digits, wherever poses and limits pass through them:
 * those of C libraries differ in their last bits, and a page that computes is to give the program's bits
 * (docs/decisions.md). Each takes a fraction of a microsecond. */
#ifndef SYN_BASE_ANGLE_H
#define SYN_BASE_ANGLE_H

double syn_sin(double angle);
double syn_cos(double angle);
double syn_atan2(double y, double x);
double syn_hypot(double x, double y);

#endif
