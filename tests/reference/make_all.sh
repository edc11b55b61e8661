#!/bin/sh
# Makes every file in tests/golden again: PYTHON=path/to/python tests/reference/make_all.sh
set -eu
here=$(dirname "$0")
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1
for script in make_fixtures make_sites make_bundled make_inside make_greedy make_beams make_samplers; do
    "$python" "$here/$script.py"
done
