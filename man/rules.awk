# SPDX-License-Identifier: BSD-2-Clause
#
# The shipped rules as a section of ibaudit-rules(7), from their front matter:
#
#     awk -f man/rules.awk man/ibaudit-rules.7.in rules/*.sql
#
# prints the first file with the section in place of its line @RULES@.

function text(s) {
	gsub(/\\/, "\\e", s)
	gsub(/\. /, ".\n", s)
	return s ~ /^[.']/ ? "\\&" s : s
}

# Keep what was read of a key; continuation lines are indented.
FILENAME == ARGV[1] { page[++n_page] = $0; next }
FNR == 1 { id = key = ""; in_front = 1 }
!/^--/ { in_front = 0 }
!in_front { next }
/^--   / { sub(/^-- */, ""); value[id, key] = value[id, key] " " $0; next }
{
	line = substr($0, 4)
	key = substr(line, 1, index(line, ":") - 1)
	sub(/^[^:]*: */, "", line)
	if (key == "id")
		ids[++n_ids] = id = line
	if (key == "param") {
		params[id]++
		key = key params[id]
	}
	value[id, key] = line
}

function section(  i, j, p, at) {
	print ".Sh SHIPPED RULES"
	print ".Bl -tag -width Ds"
	for (i = 1; i <= n_ids; i++) {
		id = ids[i]
		print ".It Sy " id " Pq " value[id, "severity"]
		print text(value[id, "title"]) "."
		print text(value[id, "why"])
		print ".Pp"
		print "Remedy:"
		print text(value[id, "remedy"])
		print ".Pp"
		print "Not a fault:"
		print text(value[id, "false-positives"])
		if (!params[id])
			continue
		print ".Bl -tag -width Ds -compact -offset indent"
		for (j = 1; j <= params[id]; j++) {
			p = value[id, "param" j]
			at = index(p, " -- ")
			print ".It " substr(p, 1, at - 1)
			print text(substr(p, at + 4)) "."
		}
		print ".El"
	}
	print ".El"
}

END {
	for (k = 1; k <= n_page; k++)
		if (page[k] == "@RULES@")
			section()
		else
			print page[k]
}
