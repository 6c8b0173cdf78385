#!/bin/sh
# Applies stage after stage. It ends with 0 if all of them are applied; a stage that failed starts no other.
set -eu
cd "$(dirname "$0")"
for stage in canary production; do
  job="setpoint-$stage"
  kubectl delete --ignore-not-found -k "$stage" # a Job runs once
  kubectl apply -k "$stage"
  # Every Job ends: it has a deadline of an hour.
  while :; do
    conditions=$(kubectl -n setpoint-apply get "job/$job" -o 'jsonpath={.status.conditions[?(@.status=="True")].type}')
    case "$conditions" in
      *Complete*)
        echo "$job is applied"
        break
        ;;
      *Failed*)
        echo "$job failed" >&2
        kubectl -n setpoint-apply get pods --selector="job-name=$job"
        kubectl -n setpoint-apply logs --selector="job-name=$job" --tail=-1 --prefix
        exit 1
        ;;
    esac
    sleep 5
  done
done
