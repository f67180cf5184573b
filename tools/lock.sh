#!/bin/bash
# Writes the exact versions of requirements/*.lock; no address of a package index gets into them.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-lock
[ -x $venv/bin/pip-compile ] || { python3 -m venv $venv && $venv/bin/pip install --quiet pip-tools; }
export CINDERFORGE_SKIP_WEB=1 CUSTOM_COMPILE_COMMAND="make lock"
compile() {
  $venv/bin/pip-compile --quiet --no-config --strip-extras --allow-unsafe --annotation-style line \
    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options "$@" pyproject.toml
}
compile --output-file requirements/run.lock
compile --extra dev --constraint requirements/run.lock --output-file requirements/dev.lock
compile --extra soak --constraint requirements/run.lock --output-file requirements/soak.lock
compile --extra bench --constraint requirements/run.lock --output-file requirements/bench.lock
