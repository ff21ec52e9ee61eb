# Divides C sources into batches that can be compiled as one file each: of one room (folder under src/), with no name declared
# at file scope in two of them. Prints "BATCH FILE" lines; a file that must be compiled alone is not printed.
# Of headers that are given, names count where they are included: the file beside it that has the same for something else stays out.
# usage: awk [-v renamed="NAME..."] -f batches.awk [HEADER...] FILE..., where each file gets names of its own in place of those.
BEGIN { for (i = split(renamed, words, " "); i; i--) is_renamed[words[i]] }
function keep_name(name) {
  if (name != "" && !(name in is_renamed) && !(FILENAME SUBSEP name in has)) {
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
# Of variables there may be several in a line: TYPE NAME = VALUE, NAME[SIZE];
function keep_declared(line, count, words, i) {
  if (line !~ /^[^(]*[[=;]/) {
    keep_name(declared(line))
    return
  }
  while (gsub(/\([^()]*\)|\[[^][]*\]|\{[^{}]*\}/, "", line)) continue
  sub(/\{.*/, "", line)
  count = split(line, words, ",")
  for (i = 1; i <= count; i++) keep_name(declared(words[i]))
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

FNR == 1 { if (FILENAME ~ /\.h$/) headers[base(FILENAME)] = FILENAME; else files[++file_count] = FILENAME; in_enum = 0; pending = "" }
FILENAME ~ /\.h$/ && /^[a-z].*\(/ { keep_name(declared($0)) }
/^#include "/ { included[FILENAME] = included[FILENAME] " " base($2) }
# Such lines change what follows them, in the next file too; so do headers that are a loop to be compiled in several ways.
/^#define (_GNU_SOURCE|[a-z])/ || /^#pragma/ || /^#include "[^"]*(_lanes|_search)\.h"/ || FILENAME ~ /_avx2\.c$/ { alone[FILENAME] = 1 }
/^#define / { name = $2; sub(/\(.*/, "", name); keep_name(name) }
pending != "" { keep_declared(pending " " $0); pending = ""; next }
/^static / { if ($0 ~ /[[(=;]/) keep_declared($0); else pending = $0 }
/^[A-Z_]+\([a-z]/ { name = $0; sub(/^[A-Z_]+\(/, "", name); sub(/[^A-Za-z0-9_].*/, "", name); keep_name(name) } # GET(name, …)
/^(struct|union|enum) [a-z0-9_]+ {/ { keep_name($1 ":" $2) }
/^(typedef|}) ?.*[a-zA-Z0-9_]+;/ { name = $0; sub(/;.*/, "", name); sub(/.*[^A-Za-z0-9_]/, "", name); keep_name(name) }
/^(typedef )?enum/ { in_enum = /{/ }
in_enum { keep_constants($0); if (/}/) in_enum = 0 }

function base(path) {
  gsub(/.*\/|"/, "", path)
  return path
}
# Gives the file the names of the headers that `path` includes, and of theirs.
function read_headers(file, path, count, words, i) {
  count = split(included[path], words, " ")
  for (i = 1; i <= count; i++) {
    if (!(words[i] in headers) || (file, words[i]) in reads) continue
    reads[file, words[i]] = 1
    read_names[file] = read_names[file] names[headers[words[i]]]
    read_headers(file, headers[words[i]])
  }
}
# Whether none of these names is in that array for the batch.
function is_free(batch, list, array, count, words, i) {
  count = split(list, words, " ")
  for (i = 1; i <= count; i++)
    if ((batch, words[i]) in array) return 0
  return 1
}
function take(batch, list, array, count, words, i) {
  count = split(list, words, " ")
  for (i = 1; i <= count; i++) array[batch, words[i]] = 1
}

# The first batch of the room that has a place and none of the file's names takes it.
function fits(batch, file) {
  return size[batch] < 8 && is_free(batch, names[file], taken) && is_free(batch, names[file], read) && is_free(batch, read_names[file], taken)
}
function put(batch, file) {
  size[batch]++
  take(batch, names[file], taken)
  take(batch, read_names[file], read)
  print batch, file
}
END {
  for (f = 1; f <= file_count; f++) {
    file = files[f]
    if (file in alone) continue
    read_headers(file, file)
    room = file
    sub(/.*\/src\//, "", room)
    sub(/\/.*/, "", room)
    for (b = 1; !fits(room b, file); b++) continue
    put(room b, file)
  }
}
