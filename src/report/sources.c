#include "report/sources.h"

#include <stddef.h>
#include <string.h>

#define PUBMED "https://pubmed.ncbi.nlm.nih.gov/?term="

/* Found by the beginning of a source. docs/theory/references.md has them in full. */
static const struct {
  const char *cited, *link;
} links[] = {
    {"Tannast et al. 2007", PUBMED "Noninvasive+three-dimensional+assessment+of+femoroacetabular+impingement"},
    {"Tannast et al. 2015", "https://pmc.ncbi.nlm.nih.gov/articles/PMC4353515/"},
    {"Pollard et al. 2010", PUBMED "Femoroacetabular+impingement+and+classification+of+the+cam+deformity+the+reference+"
                                   "interval+in+normal+hips"},
    {"LibHip (2022)", PUBMED "LibHip+an+open-access+hip+joint+model+repository"},
    {"Hartel et al. 2016", "https://doi.org/10.1371/journal.pone.0149480"},
};

const char *syn_source_link(const char *source) {
  for (size_t i = 0; source && i < sizeof links / sizeof *links; ++i)
    if (strncmp(source, links[i].cited, strlen(links[i].cited)) == 0) return links[i].link;
  return NULL;
}
