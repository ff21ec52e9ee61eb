/* The list of all formats. Order matters for recognition: those with an unmistakable signature first. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "mesh/io/format.h"

extern const syn_format syn_format_csv;
extern const syn_format syn_format_feb;
extern const syn_format syn_format_glb;
extern const syn_format syn_format_inp;
extern const syn_format syn_format_medit;
extern const syn_format syn_format_msh;
extern const syn_format syn_format_obj;
extern const syn_format syn_format_off;
extern const syn_format syn_format_ply;
extern const syn_format syn_format_stl;
extern const syn_format syn_format_tetgen;
extern const syn_format syn_format_vtk;
extern const syn_format syn_format_vtp;
extern const syn_format syn_format_vtu;

/* SYN_CORE: the library without expat, zlib and jansson (scripts/wasm). */
const syn_format *const syn_formats[] = {
    &syn_format_ply, &syn_format_off,    &syn_format_vtk,
#ifndef SYN_CORE
    &syn_format_vtp, &syn_format_vtu,    &syn_format_feb,
#endif
    &syn_format_msh, &syn_format_medit,  &syn_format_inp, &syn_format_stl,
    &syn_format_obj, &syn_format_tetgen, &syn_format_csv,
#ifndef SYN_CORE
    &syn_format_glb,
#endif
};
const size_t syn_formats_count = sizeof syn_formats / sizeof *syn_formats;

size_t syn_format_count(void) { return syn_formats_count; }
syn_format_info syn_format_at(size_t index) { return syn_formats[index]->info; }

bool syn_name_fits(const char *name, const char *extensions) {
  char ending[16];
  for (const char *at = extensions; *at;) {
    const size_t length = strcspn(at, " ");
    assert(length < sizeof ending);
    memcpy(ending, at, length);
    ending[length] = 0;
    if (syn_path_ends(name, ending)) return true;
    at += length + (at[length] == ' ');
  }
  return false;
}
