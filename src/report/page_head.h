/* Writes the head of a page: its policy, title and style. */
#ifndef SYN_REPORT_HEAD_H
#define SYN_REPORT_HEAD_H

#include <stdio.h>

/* Writes from the first byte to </head>. On paper title and `subtitle` (may be NULL) are at the top of every sheet. */
void syn_page_head(FILE *to, const char *title, const char *subtitle);

#endif
