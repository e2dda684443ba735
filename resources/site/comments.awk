#!/usr/bin/awk -f
# Comments of headers for Doxygen. They are plain text with `code`: what Doxygen would take for commands
# or tags outside of code (\n, @path, <t>, a lone stop at the front) is taken as it stands.
/^[ \t]*\/\/\// {
  mark = index($0, "///") + 2
  count = split(substr($0, mark + 1), parts, "`")
  line = substr($0, 1, mark)
  for (i = 1; i <= count; i++) {
    if (i > 1) { line = line "`"; code = !code }
    if (!code) {
      gsub(/\\/, "&&", parts[i])
      gsub(/[@<]/, "\\\\&", parts[i])
      # No sentence ends there.
      gsub(/(i\.e|e\.g)\. /, "&\\ ", parts[i])
      gsub(/\. \\ /, ".\\ ", parts[i])
      if (i == 1) sub(/^ *\./, " \\.", parts[i])
    }
    line = line parts[i]
  }
  print line
  next
}
{ code = 0; print }
