/* The bundled page: what web/ was built into. Terminated texts; the script is empty where node was missing. The build
 * has hashed it (hexadecimal digits): every page names that. The WebAssembly is that of src/view/page_hip.h, base64 of
 * raw deflate; empty where its compiler was missing. */
#ifndef SYN_REPORT_PAGE_H
#define SYN_REPORT_PAGE_H

extern const char syn_page_script[];
extern const char syn_page_script_sha256[];
extern const char syn_page_style[];
extern const char syn_page_wasm[];

#endif
