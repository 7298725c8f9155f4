#!/bin/bash
# Installs the named Debian packages that are missing. Without root it says what to type and fails.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: the build needs what these packages bring there: $*" >&2
    exit 0
fi

missing=()
for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

if ((EUID != 0)); then
    echo "These Debian packages are missing. Install them, then run make again:" >&2
    echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi

# Packages such as nginx would start a service of their own; tests start theirs. A policy that exists already stays.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -q </dev/null
apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null
