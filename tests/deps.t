#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# On a host with InfiniBand neither the suite nor the demo may install a
# subnet manager: its package would start a second one on a live fabric.
. "${0%/*}/lib.sh"

top=$(cd "${0%/*}/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# A host with an adapter, in a mount namespace of its own; its apt-get tells
# that it was called.
printf '#!/bin/sh\necho called >>%s/called\n' "$dir" >"$dir/apt-get"
cp "$dir/apt-get" "$dir/dpkg-query"
chmod +x "$dir/apt-get" "$dir/dpkg-query"
with_adapter () {
	unshare -m env PATH="$dir:$PATH" bash -c '
		mount -t tmpfs none /sys/class &&
			mkdir -p /sys/class/infiniband/mlx5_0 && exec "$@"' \
		host "$@" >"$dir/out" 2>&1
}
with_adapter true || skip_all "needs a mount namespace"

for script in contrib/test contrib/demo contrib/bench "contrib/deps test"; do
	# shellcheck disable=SC2086
	with_adapter timeout 30 "$top"/$script
	is $? 3 "$script refuses"
	like "$(<"$dir/out")" 'has InfiniBand.*second subnet manager' \
		"$script says why"
done
ok "and nothing was installed" [ ! -e "$dir/called" ]
done_testing
