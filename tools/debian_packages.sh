#!/bin/bash
# Installs the Debian packages it is given, where they are missing and we are root; else says which to install.
# Exit 0: all are there. Exit 3: some are missing and could not be installed from here.
set -euo pipefail

missing=()
for package in "$@"; do
  # A machine that has the browser from elsewhere needs no package of it.
  [ "$package" = chromium ] && command -v chromium >/dev/null && continue
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing Debian packages: apt-get install ${missing[*]}" >&2
  exit 3
fi
echo "installing ${missing[*]}"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
