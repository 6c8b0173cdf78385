#!/usr/bin/env bash
# Puts the program into a folder of its own: built from the action's checkout by its lock file, or unpacked from a tarball.
# Nothing of the workspace takes part, and no registry is asked for a package called setpoint.
set -euo pipefail

main() {
  local folder program
  folder="$(mktemp -d "$RUNNER_TEMP/setpoint-XXXXXX")"
  program="$folder/dist/cli.cjs"
  # The packages of the build are not ours, so they get no credentials.
  unset "${!SETPOINT_@}"
  if [ -n "${INPUT_TARBALL:-}${INPUT_SHA256:-}" ]; then
    unpack "${INPUT_TARBALL:-}" "${INPUT_SHA256:-}" "$folder"
  else
    build "$folder"
  fi
  printf 'program=%s\n' "$program" >>"$GITHUB_OUTPUT"
  # For later steps; those of the action start the program by its path.
  mkdir "$folder/bin"
  ln -s "$program" "$folder/bin/setpoint"
  printf '%s\n' "$folder/bin" >>"$GITHUB_PATH"
}

build() {
  # Named one by one, so that no settings of npm come along.
  cd "$GITHUB_ACTION_PATH"
  cp -R package.json package-lock.json tsconfig.json examples schemas scripts src "$1"
  cd "$1"
  npm ci --ignore-scripts --include=dev --no-audit --no-fund --prefer-offline --cache "$RUNNER_TEMP/setpoint-npm"
  node scripts/build.mjs
}

unpack() {
  local tarball="$1" sha256="$2" folder="$3"
  if [ -z "$tarball" ] || [ -z "$sha256" ]; then
    fail 'The inputs tarball and sha256 need each other.'
  fi
  if [ ! -f "$tarball" ]; then
    fail 'The input tarball names no file.'
  fi
  # A copy, so that the checked bytes are the unpacked ones.
  cp -- "$tarball" "$folder/setpoint.tgz"
  cd "$folder"
  if ! printf '%s  setpoint.tgz\n' "$sha256" | shasum -a 256 --check --status; then
    fail 'The tarball does not have the SHA-256 of the input sha256. Nothing of it ran.'
  fi
  if ! tar -xzf setpoint.tgz --strip-components=1 package/dist; then
    fail 'The tarball is not a package of setpoint.'
  fi
}

fail() {
  printf '::error::%s\n' "$1"
  exit 1
}

main
