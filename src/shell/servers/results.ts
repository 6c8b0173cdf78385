import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import type { Server } from './server.ts';

/** The result of work on one server; a server that failed has only findings. */
export interface ServerResult<T> {
  server: Server;
  value?: T | undefined;
  diagnostics: readonly Diagnostic[];
}

/** A value with findings of its own. */
interface WithFindings {
  diagnostics: readonly Diagnostic[];
}

/** Names the servers on which work failed. */
export function unworked(results: readonly ServerResult<unknown>[]): string[] {
  const failed = results.filter(({ value }) => value === undefined);
  return failed.map(({ server }) => server.name);
}

/** Returns the values of the servers on which work did not fail. */
export function valuesOf<T>(results: readonly ServerResult<T>[]): readonly T[] {
  const values: T[] = [];
  for (const { value } of results) {
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** Returns all findings of servers, in their order. */
export function findingsOn(
  results: readonly ServerResult<WithFindings>[],
): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const { server, value, diagnostics } of results) {
    findings.push(...named(server, diagnostics));
    if (value !== undefined) findings.push(...named(server, value.diagnostics));
  }
  return findings;
}

/** Adds the name of their server to findings if the run has others. */
export function named(
  { name, isInFleet }: Server,
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!isInFleet) return findings;
  return findings.map((finding) => ({ ...finding, server: name }));
}
