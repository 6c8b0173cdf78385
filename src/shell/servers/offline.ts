import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { failUsage } from '../failure.ts';

/** The flags that say how to connect. */
interface Connecting {
  readonly url?: string | undefined;
  readonly timeout?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
}

/** Refuses flags that say how to connect beside `--live`. */
export function refuseConnecting({ url, timeout, concurrency, caFile, insecure }: Connecting): void {
  const flags = { '--url': url, '--timeout': timeout, '--concurrency': concurrency };
  const all = { ...flags, '--ca-file': caFile, '--insecure': insecure };
  const given = Object.entries(all).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (given.length > 0)
    failUsage(`${given.join(', ')} cannot be combined with --live, which asks no server.`);
}

/** Servers with or without snapshots, and the layers of each. */
interface Found<S, L> {
  readonly servers: readonly S[];
  readonly layers: readonly L[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Those servers that have a snapshot; each that `--server` selects needs one. */
export function onlyWithSnapshots<S extends { readonly snapshot?: object | undefined }, L>(
  { servers, layers, diagnostics }: Found<S, L>,
  selected: readonly string[] | undefined,
): Found<S, L> {
  const lacking = servers.filter(({ snapshot }) => snapshot === undefined);
  if (selected !== undefined && lacking.length > 0 && !hasErrors(diagnostics))
    failUsage(
      `--server selects ${count(lacking.length, 'server')} without a snapshot.`,
      'Pass --live for each of them, or drop --server: then those that have one are taken.',
    );
  return {
    servers: servers.filter((each) => !lacking.includes(each)),
    layers: layers.filter((_, index) => servers[index]?.snapshot !== undefined),
    diagnostics,
  };
}
