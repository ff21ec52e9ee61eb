#include "report/page.h"

/* The files go into the object as they are: half a megabyte as a C literal would take the compiler seconds. */
#define EMBED(symbol, file)                                                                                            \
  __asm__(".pushsection .rodata\n.hidden " symbol "\n.global " symbol "\n" symbol ":\n.incbin \"" file                 \
          "\"\n.byte 0\n.popsection\n")

EMBED("syn_page_script", SYN_PAGE_JS);
EMBED("syn_page_style", SYN_PAGE_CSS);
