#!/bin/sh
# Applies stage after stage. It ends with 0 if all of them are applied; a stage that failed starts no other.
set -eu
cd "$(dirname "$0")"
for stage in canary production; do
  kubectl delete --ignore-not-found -k "$stage" # a Job runs once
  kubectl apply -k "$stage"
  # Of a stage that failed, it waits in vain, and ends with an error.
  kubectl -n setpoint-apply wait --for=condition=complete --timeout=65m "job/setpoint-$stage"
done
