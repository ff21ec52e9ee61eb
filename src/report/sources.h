/* Links to the published works behind the ranges. */
#ifndef SYN_REPORT_SOURCES_H
#define SYN_REPORT_SOURCES_H

/* Returns an address for a source such as "Tannast et al. 2007, normal hips, …"; NULL if none is known. Static storage.
 */
const char *syn_source_link(const char *source);

#endif
