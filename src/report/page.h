/* The bundled page: what web/ was built into. Terminated texts; the script is empty where node was missing. */
#ifndef SYN_REPORT_PAGE_H
#define SYN_REPORT_PAGE_H

extern const char syn_page_script[];
extern const char syn_page_style[];

#endif
