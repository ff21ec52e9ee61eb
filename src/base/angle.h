/* Computes sines, cosines and angles correctly rounded, in double-double arithmetic, for poses and limits: C libraries
 * differ in the last bits, and the scripts of a page must compute the same bits as the program (docs/decisions.md).
 * Each call takes a fraction of a microsecond. */
#ifndef SYN_BASE_ANGLE_H
#define SYN_BASE_ANGLE_H

double syn_sin(double angle);
double syn_cos(double angle);
double syn_atan2(double y, double x);
double syn_hypot(double x, double y);

#endif
