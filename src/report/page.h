/* The bundled page, built from web/: terminated texts; the script is empty if node was missing. The build stores their
 * hashes (hexadecimal digits), which every page names. The WebAssembly is that of src/view/page_hip.h, base64 of raw
 * deflate; empty if its compiler was missing. */
#ifndef SYN_REPORT_PAGE_H
#define SYN_REPORT_PAGE_H

extern const char syn_page_script[];
extern const char syn_page_script_sha256[];
extern const char syn_page_style[];
extern const char syn_page_wasm[];

#endif
