# Divides C sources into batches that can be compiled as one file each: of one room (folder under src/), with no name declared
# at file scope in two of them. Prints "BATCH FILE" lines; a file that must be compiled alone is not printed.
# usage: awk -f batches.awk FILE...
function keep_name(name) {
  if (name != "" && !(FILENAME SUBSEP name in has)) {
    has[FILENAME, name] = 1
    names[FILENAME] = names[FILENAME] " " name
  }
}
# The word before the first of ( [ = ; in a declaration.
function declared(line) {
  sub(/[[(=;].*/, "", line)
  gsub(/[* ]+$/, "", line)
  sub(/.*[* ]/, "", line)
  return line
}
# NAME, NAME = VALUE: the constants of an enumeration.
function keep_constants(line, count, words, i) {
  sub(/^[^{]*{/, "", line)
  sub(/}.*/, "", line)
  sub(/\/\/.*/, "", line)
  gsub(/\/\*[^*]*\*\//, "", line)
  count = split(line, words, ",")
  for (i = 1; i <= count; i++) {
    sub(/=.*/, "", words[i])
    gsub(/[^A-Za-z0-9_]/, "", words[i])
    keep_name(words[i])
  }
}

FNR == 1 { files[++file_count] = FILENAME; in_enum = 0; pending = "" }
# Such lines change what follows them, in the next file too; so do headers that are a loop to be compiled in several ways.
/^#define (_GNU_SOURCE|[a-z])/ || /^#pragma/ || /^#include "[^"]*(_lanes|_search)\.h"/ || FILENAME ~ /_avx2\.c$/ { alone[FILENAME] = 1 }
/^#define / { name = $2; sub(/\(.*/, "", name); keep_name(name) }
pending != "" { keep_name(declared(pending " " $0)); pending = ""; next }
/^static / { if ($0 ~ /[[(=;]/) keep_name(declared($0)); else pending = $0 }
/^[A-Z_]+\([a-z]/ { name = $0; sub(/^[A-Z_]+\(/, "", name); sub(/[^A-Za-z0-9_].*/, "", name); keep_name(name) } # GET(name, …)
/^(struct|union|enum) [a-z0-9_]+ {/ { keep_name($1 ":" $2) }
/^(typedef|}) ?.*[a-zA-Z0-9_]+;/ { name = $0; sub(/;.*/, "", name); sub(/.*[^A-Za-z0-9_]/, "", name); keep_name(name) }
/^(typedef )?enum/ { in_enum = /{/ }
in_enum { keep_constants($0); if (/}/) in_enum = 0 }

# The first batch of the room that has a place and none of the file's names takes it.
function fits(batch, file, count, words, i) {
  if (size[batch] >= 8) return 0
  count = split(names[file], words, " ")
  for (i = 1; i <= count; i++)
    if ((batch, words[i]) in taken) return 0
  return 1
}
function put(batch, file, count, words, i) {
  size[batch]++
  count = split(names[file], words, " ")
  for (i = 1; i <= count; i++) taken[batch, words[i]] = 1
  print batch, file
}
END {
  for (f = 1; f <= file_count; f++) {
    file = files[f]
    if (file in alone) continue
    room = file
    sub(/.*\/src\//, "", room)
    sub(/\/.*/, "", room)
    for (b = 1; !fits(room b, file); b++) continue
    put(room b, file)
  }
}
