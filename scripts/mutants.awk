# Reads lists of faults (tests/mutants/*.txt). A fault is a block of lines, and an empty line ends it:
#   fault: what it does, in words
#   file: its file below src/
#   tests: regular expression of the names of tests that must notice
#   - text, as it stands exactly once in the file (several such lines are lines of the file, one after the other)
#   + what takes its place (none: it is cut out)
# mode=list prints "file TAB tests TAB words" of each, mode=check says where a list is not true, mode=apply prints the
# file of the fault `wanted` ("file: words") with the fault in it. `root` is the folder of src/.
function content(path, text, line) {
  text = ""
  while ((getline line < path) > 0) text = text line "\n"
  close(path)
  return text
}

function complain(what) {
  print where ": " what
  bad = 1
}

function occurrences(text, part, count, at) {
  count = 0
  while ((at = index(text, part)) > 0) {
    ++count
    text = substr(text, at + length(part))
  }
  return count
}

function finish(text, found) {
  if (words == "" && path == "" && tests == "" && !olds && !news) return
  ++number
  if (mode == "list") printf "%s\t%s\t%s\n", path, tests, words
  else if (mode == "check") {
    if (words == "" || path == "" || tests == "" || !olds) complain("a fault has the lines fault:, file:, tests:, - and +")
    else if ((path ": " words) in known) complain("stands in the list twice: " words)
    else if (old == new) complain("changes nothing: " words)
    else {
      found = occurrences(content(root "/src/" path), old)
      if (found != 1) complain("\"" old "\" stands " found " times in src/" path ", not once: choose another text for \"" words "\"")
    }
    known[path ": " words] = 1
  } else if (path ": " words == wanted) {
    text = content(root "/src/" path)
    printf "%s%s%s", substr(text, 1, index(text, old) - 1), new, substr(text, index(text, old) + length(old))
  }
  words = path = tests = old = new = ""
  olds = news = 0
}

FNR == 1 { finish() }
/^#/ { next }
/^ *$/ { finish(); next }
words == "" && path == "" { where = FILENAME ":" FNR }
/^fault: / { words = substr($0, 8); next }
/^file: / { path = substr($0, 7); next }
/^tests: / { tests = substr($0, 8); next }
/^- / { old = old (olds++ ? "\n" : "") substr($0, 3); next }
/^\+ / { new = new (news++ ? "\n" : "") substr($0, 3); next }
{ complain("not understood: " $0) }
END {
  finish()
  if (mode == "check") print number " faults"
  exit bad
}
