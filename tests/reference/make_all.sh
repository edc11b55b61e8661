#!/bin/sh
# Makes every file in tests/golden again: PYTHON=path/to/python tests/reference/make_all.sh
set -eu
cd "$(dirname "$0")"
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1
"$python" make_fixtures.py
"$python" make_bundled.py
"$python" make_greedy.py
"$python" make_samplers.py
