#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# contrib/source: a tree that was configured in place can be built from
# elsewhere all the same, as contrib/test and its like do.
. "${0%/*}/lib.sh"

top=$(cd "${0%/*}/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# A tree of our own, which may be written and was not configured.
clean=$("$top/contrib/source" "$dir/clean")
is $? 0 "contrib/source"
mkdir "$dir/tree"
(cd "$clean" && tar -cf - --exclude=./.git --exclude=./build .) |
	tar -xf - -C "$dir/tree"
chmod -R u+w "$dir/tree"
cd "$dir/tree" || exit 1
[ -x configure ] || skip_all "needs a tree with configure"
is "$(contrib/source "$dir/none")" "$dir/tree" "as it is: the tree itself"

in_place () {
	./configure --cache-file="$dir/cache" &&
		make src/util/err.o src/store/sql.c
} >"$dir/log" 2>&1
elsewhere () { # TREE
	mkdir "$dir/build" &&
		(cd "$dir/build" && "$1/configure" --cache-file="$dir/cache" &&
			make src/util/err.o)
} >>"$dir/log" 2>&1
ok "a build in place" in_place
copy=$(contrib/source "$dir/a")
is "$? $copy" "0 $dir/a/source" "beside it: a copy"
is "$(cd "$copy" && find . -name '*.o' -o -name config.status -o -name sql.c)" \
	"" "with nothing of what was built"
ok "which builds" elsewhere "$copy"
ok "from the copy" [ -e "$dir/build/src/util/err.o" ]
is "$(contrib/source tests/b)" "$dir/tree/tests/b/source" "a DIR in the tree"
ok "does not hold itself" [ ! -e tests/b/source/tests/b ]
ok "nor is the tree itself cleaned" [ -e src/util/err.o ]
is "$(contrib/source .)" "$dir/tree" "in place again: the tree itself"

# They ask it, and nothing else, where the source is.
for script in test demo bench fuzz; do
	is "$(grep -c 'top/contrib/source"' "contrib/$script") $(
		grep -c 'top/configure' "contrib/$script")" "1 0" \
		"contrib/$script builds from it"
done
done_testing
