# Writes page.c beside page.js, page.css and page.wasm.txt: all as terminated texts for src/report/page.h. Literals, not numbers: the
# compiler takes a tenth of a second for them.
function(embed name file out)
  file(READ ${file} text)
  string(SHA256 hash "${text}")
  set(${out}_sha256 "const char ${name}_sha256[] = \"${hash}\";\n" PARENT_SCOPE)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}") # no trigraphs
  string(REPLACE "\r" "\\r" text "${text}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  set(${out} "const char ${name}[] = \"${text}\";\n" PARENT_SCOPE)
endfunction()
embed(syn_page_script ${syn_page}/page.js script)
embed(syn_page_style ${syn_page}/page.css style)
embed(syn_page_wasm ${syn_page}/page.wasm.txt wasm)
file(WRITE ${syn_page}/page.c "#include \"report/page.h\"\n\n${script}${script_sha256}${style}${wasm}")
