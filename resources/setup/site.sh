#!/usr/bin/env bash
# Builds the site: the guide, the reference of the command line, of Python and of C++, in build/site.
# It opens without a server: build/site/index.html.
# usage: site.sh [--check] [--cli PROGRAM]
#   --check  then follows every link of it
#   --cli    the aprscope-cli whose help is shown; else that of build/release or build/headless
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
venv="$PWD/build/site-venv"
gathered="$PWD/build/site-pages"
site="$PWD/build/site"

check=
cli=
while [ $# -gt 0 ]; do
  case "$1" in
    --check) check=yes ;;
    --cli)
      cli="${2:?site.sh: --cli wants a program}"
      shift
      ;;
    *)
      sed -n '4,6p' "$0" >&2
      exit 2
      ;;
  esac
  shift
done
for built in build/release build/headless; do
  [ -n "$cli" ] || [ ! -x "$built/app/cli/aprscope-cli" ] || cli="$built/app/cli/aprscope-cli"
done
if [ -z "$cli" ]; then
  echo "site.sh: there is no aprscope-cli whose help could be shown; run resources/setup/build.sh headless aprscope-cli, or give --cli PROGRAM" >&2
  exit 1
fi

resources/setup/packages.sh --site
pins=resources/site/requirements.txt
if ! cmp -s "$pins" "$venv/pins.txt"; then
  rm -rf "$venv"
  mkdir -p build
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$pins"
  cp "$pins" "$venv/pins.txt"
fi

rm -rf "$site"
mkdir -p "$site"
version="$(sed -nE 's/^project\(aprscope VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)"
{
  cat resources/site/Doxyfile
  echo "PROJECT_NUMBER = $version"
  echo "OUTPUT_DIRECTORY = \"$site\""
  echo "HTML_OUTPUT = cpp"
  echo "GENERATE_TAGFILE = \"$PWD/build/site-cpp.tags\""
} | doxygen -
# Doxygen also leads to lists of nested classes that it leaves out, as all in them are private.
grep -lF 'href="#nested-classes"' "$site"/cpp/*.html | xargs -r grep -LF 'name="nested-classes"' |
  xargs -r sed -i -E 's|<a href="#nested-classes">[^<]*</a>( &#124;)?||'

"$venv/bin/python" resources/site/gather.py --cli "$cli" --cpp-tags build/site-cpp.tags --to "$gathered"
# A warning, such as a link that leads nowhere or a page that the sidebar lacks, is an error.
"$venv/bin/python" -m sphinx -b html -q -W --keep-going -c resources/site -d build/site-cache \
  "$gathered" "$site"
rm -rf "$site/.buildinfo" "$site/objects.inv"

if [ -n "$check" ]; then
  "$venv/bin/python" tests/docs/site_test.py
  "$venv/bin/python" tests/docs/site_links.py "$site"
fi
echo "site: build/site/index.html"
