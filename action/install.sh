#!/usr/bin/env bash
# Installs the setpoint of the action's own version, unless there is one in PATH.
set -euo pipefail

if command -v setpoint >/dev/null; then exit 0; fi
version="$(node -p 'require(process.env.GITHUB_ACTION_PATH + "/package.json").version')"
# Elsewhere than in the checkout, whose .npmrc could name another registry.
cd "$RUNNER_TEMP"
npm install --global --ignore-scripts --no-audit --no-fund --prefix "$RUNNER_TEMP/setpoint" "setpoint@$version"
printf '%s\n' "$RUNNER_TEMP/setpoint/bin" >>"$GITHUB_PATH"
