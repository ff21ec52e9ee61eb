/* Where the works that ranges come from can be read. */
#ifndef SYN_REPORT_SOURCES_H
#define SYN_REPORT_SOURCES_H

/* An address for a source such as "Tannast et al. 2007, normal hips, …"; NULL where none is known. Static storage. */
const char *syn_source_link(const char *source);

#endif
