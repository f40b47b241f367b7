# Shared by the scripts beside it, which set -euo pipefail and then source this file.
# shellcheck shell=bash

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

say() { printf '%s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }
die() {
  say "error: $*"
  exit 1
}

# need_swift: stops unless a Swift that can build this package is in PATH and runs.
need_swift() {
  command -v swift >/dev/null 2>&1 ||
    die "swift is not in PATH. Install Swift 6.3 (README, \"Installing Swift\"), then run this again."
  local version
  version="$(swift --version 2>&1)" ||
    die "swift does not run: $version. Run Scripts/setup, which installs the libraries it needs."
  # "Swift version 6.3.1 (…)", on macOS after "Apple ".
  if [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then
    if ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] < 603)); then
      die "Swift 6.3 or newer is needed; this is ${BASH_REMATCH[0]}."
    fi
  else
    die "swift --version says nothing that names a version: $version"
  fi
}

# release_binary NAME: the path of a product that was built with -c release.
release_binary() { printf '%s/%s\n' "$(swift build -c release --show-bin-path)" "$1"; }
