/* Formats numbers for readers, the same in tables, sentences and drawings: whole degrees, tenths of a millimetre, whole
 * per cent (with a tenth below 10), of all else about three significant digits. Files keep every digit. The script of
 * the page has the same rules (web/src/page/numbers.ts). */
#ifndef SYN_REPORT_SHOWN_H
#define SYN_REPORT_SHOWN_H

/* Returns the digits after the point. A length or a small number of another unit gets enough to show that it is not 0.
 */
int syn_shown_decimals(double value, const char *unit);
/* Returns the number as read: differences of shown numbers then agree with the page. */
double syn_shown_value(double value, const char *unit);

/* These functions return `room`. "–" means unknown. */

/* "134", "3.0", without its unit; whole numbers other than lengths have no point. */
char *syn_shown_text(double value, const char *unit, char room[48]);
/* "134°", "3.0 mm" */
char *syn_shown_quantity(double value, const char *unit, char room[96]);
/* "134° (130–137°)"; without the interval if it is unknown: not finite, or both 0. */
char *syn_shown_banded(double value, double low, double high, const char *unit, char room[160]);
/* The same without units, for a table: "134 (130–137)". */
char *syn_shown_banded_text(double value, double low, double high, const char *unit, char room[160]);

#endif
