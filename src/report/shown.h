/* Numbers as people write them, decided here for tables, sentences and drawings: whole degrees, tenths of a
 * millimetre, whole per cent (with a tenth below 10), of all else about three digits that count. Files keep every
 * digit. The script of the page has the same rules (web/src/page/numbers.ts). */
#ifndef SYN_REPORT_SHOWN_H
#define SYN_REPORT_SHOWN_H

/* Digits after the point. A length or a small number of another unit gets as many as show that it is not 0. */
int syn_shown_decimals(double value, const char *unit);
/* The number that is read: differences of shown numbers are those of what a reader sees. */
double syn_shown_value(double value, const char *unit);

/* These return `room`. "–" stands for what is not known. */

/* "134", "3.0", without its unit; whole numbers other than lengths have no point. */
char *syn_shown_text(double value, const char *unit, char room[48]);
/* "134°", "3.0 mm" */
char *syn_shown_quantity(double value, const char *unit, char room[96]);
/* "134° (130–137°)"; without the band where it is not known: not finite, or both 0. */
char *syn_shown_banded(double value, double low, double high, const char *unit, char room[160]);
/* The same without units, for a table: "134 (130–137)". */
char *syn_shown_banded_text(double value, double low, double high, const char *unit, char room[160]);

#endif
