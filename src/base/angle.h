/* Sines and angles as the nearest doubles, found with twice the digits. For WebAssembly alone: glibc has the nearest
 * double in 998 of 1000 cases, wasi-libc in far fewer, and a page that computes is to give the program's bits
 * (docs/decisions.md). Each takes about a microsecond. */
#ifndef SYN_BASE_ANGLE_H
#define SYN_BASE_ANGLE_H

double syn_sin(double angle);
double syn_cos(double angle);
double syn_atan2(double y, double x);
double syn_hypot(double x, double y);

#endif
