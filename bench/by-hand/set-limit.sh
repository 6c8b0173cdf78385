#!/usr/bin/env bash
# Sets the option `limit` of every integration to 7 where it is not, one PATCH for each, and reads back.
set -euo pipefail

api() {
  curl --globoff --fail --silent --show-error -H "Authorization: Bearer $SETPOINT_TOKEN" \
    -H 'Content-Type: application/vnd.api+json' "$@"
}

# The ids of the options that differ, on all pages.
differing() {
  local number=1 body
  while true; do
    body=$(api "$SETPOINT_URL/api/integrations?page[size]=100&page[number]=$number")
    jq -r '.included[] | select(.attributes.key == "limit" and .attributes.value != 7) | .id' <<<"$body"
    [ "$((number * 100))" -ge "$(jq .meta.page.total <<<"$body")" ] && break
    number=$((number + 1))
  done
}

for id in $(differing); do
  jq -n --arg id "$id" '{data: [{id: $id, type: "integration-options", attributes: {value: 7}}]}' |
    api -X PATCH --data @- "$SETPOINT_URL/api/integration-options" >/dev/null
done
[ -z "$(differing)" ]
