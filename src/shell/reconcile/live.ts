import type { ResolvedConfig } from '../../core/config/resolve.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { unsafeIds, wantedBy } from '../../core/live/sources.ts';
import { type Matched, matchEntries } from '../../core/match/match.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fail } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { LiveReader, wholeOf } from '../http/live.ts';
import type { Run } from '../run.ts';
import { findingsOn, valuesOf } from '../servers/results.ts';
import type { Server } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';

/** What to read of a server. */
export interface LiveParts {
  hidesSecrets?: boolean | undefined;
  /** The entries whose integrations are read with what they manage. */
  config: ResolvedConfig;
  /** A glob on these integrations. */
  only?: string | undefined;
  /** Names integrations, by their ids, that are read whole. */
  whole?: WholeIds | undefined;
}

/** Names some of the integrations that a server lists. */
export type WholeIds = (
  listed: readonly LiveIntegration[],
) => readonly string[];

/** What a server holds, as far as it was read. */
export interface LiveState {
  /** Those that entries match. */
  matched: Matched;
  /** All integrations, those that were asked for with their options. */
  live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  unread: ReadonlyMap<string, Diagnostic>;
  /** How many requests it took. */
  reads: number;
}

/**
 * Reads what a server holds; the reader knows by now where it keeps that.
 */
export async function readLive(
  api: Api,
  { hidesSecrets, config, only, whole }: LiveParts,
): Promise<LiveState & { reader: LiveReader }> {
  const managed = new Set(config.flatMap(({ options }) => [...options.keys()]));
  // An integration that is read whole may have any option.
  const decoded = whole === undefined ? managed : undefined;
  const reader = new LiveReader(api, { hidesSecrets, wanted: decoded });
  const listed = await reader.list();
  const matched = matchEntries(config, listed, only);
  const ids = new Set(whole?.(listed));
  const wanted = [...ids].map(wholeOf);
  for (const { id, settings } of matched.integrations) {
    if (!ids.has(id)) wanted.push(wantedBy(id, settings));
  }
  const unread = new Map<string, Diagnostic>(unsafeIds(matched.integrations));
  const live = await reader.complete(listed, wanted, (id, error) =>
    unread.set(id, error.diagnostic),
  );
  return { reader, matched, live, unread, reads: api.reads };
}

/**
 * Reads all integrations of servers with all their options. Fails if one of the
 * servers cannot be read.
 */
export async function readWhole(
  run: Run,
  servers: readonly Server[],
): Promise<readonly LiveIntegration[]> {
  const results = await onServers(run, servers, async (api, server) => {
    const { hidesSecrets } = server;
    const live = await new LiveReader(api, { hidesSecrets }).everything();
    return { live, diagnostics: [] };
  });
  const problems = findingsOn(results);
  if (problems.length > 0) fail(...problems);
  return valuesOf(results).flatMap(({ live }) => live);
}
