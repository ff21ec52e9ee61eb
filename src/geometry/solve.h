/* Solves small linear systems, such as the normal equations of a fit. */
#ifndef SYN_GEOMETRY_SOLVE_H
#define SYN_GEOMETRY_SOLVE_H

#include <stdbool.h>

/* Solves A x = b, symmetric and positive definite, for n unknowns by Cholesky's factors, in place: `a` (n by n, row by
 * row; its lower half is read) is overwritten, `b` becomes x. False, with `b` spoilt, where a pivot falls below `rank`
 * times the largest diagonal element: the data do not determine all unknowns. */
bool syn_solve_symmetric(double *a, double *b, int n, double rank);

/* Solves any system of n unknowns by Gaussian elimination with pivoting, in place as above. False if a pivot is not
 * above `least`. */
bool syn_solve_pivoted(double *a, double *b, int n, double least);

#endif
