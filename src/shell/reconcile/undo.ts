import { relative, resolve, sep } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unsafeIds } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import { present } from '../../core/model/json.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  type PlaceDocument,
  type ServerDocument,
  sourceOf,
} from '../../core/plan/plan.ts';
import { planUndo, selectedIn, writtenParts } from '../../core/plan/undo.ts';
import type { UnmetWaivers } from '../../core/plan/unmet.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { LiveReader } from '../http/live.ts';
import { gitRoot } from '../paths.ts';
import type { Run } from '../run.ts';
import { configReader } from '../sources/config.ts';
import type { Reconciliation } from './phases.ts';
import { headOf, type LivePlan } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { findSavedServers } from './saved-servers.ts';

/** Prepares to take an apply back by its report. */
export async function prepareUndo(
  run: Run,
  options: Options,
  document: Document,
): Promise<Reconciliation> {
  const { only, allowChanges: allowedChanges, allow: allowedRisks } = options;
  const reports = await fromHere(run, document.servers);
  const found = await findSavedServers(run, options, reports, 'report');
  const { isFleet, diagnostics: warnings } = found;
  if (hasErrors(warnings)) fail(...warnings);
  const reported = reports.flatMap(({ integrations }) => [...integrations]);
  // The places of a report are none of the files as they are by now.
  const readConfig = configReader({ ...run, sources: new Map() });
  return {
    servers: found.servers.map((server) => {
      return {
        ...server,
        config: [],
        files: [],
        only,
        allowedChanges,
        allowedRisks,
      };
    }),
    isFleet,
    names: reported.map(({ name }) => name),
    warnings,
    planOne: async (_, api, server) => {
      const report = reports.find(({ name }) => name === server.name);
      // A server without a report is refused before.
      if (report === undefined) throw new Error('a server without a report');
      const { layers } = server;
      // Broken YAML does not keep an apply from being taken back.
      const read = layers.length > 0 ? await readConfig(layers) : undefined;
      return planUndone(run, api, server, { report, config: read?.value });
    },
  };
}

/** What is known of a server, beside what it holds. */
interface Known {
  readonly report: ServerDocument;
  /** Absent if it cannot be read. */
  readonly config: WrittenConfig | undefined;
}

/** Reads what a server holds of a report, and plans how to take it back. */
async function planUndone(
  run: Run,
  api: Api,
  server: Prepared,
  { report, config }: Known,
): Promise<LivePlan> {
  const readAt = run.runtime.now();
  const reader = new LiveReader(api, { hidesSecrets: server.hidesSecrets });
  const listed = await reader.list();
  const reported = selectedIn(report, server.only);
  const installed = new Map(listed.map((live) => [live.id, live]));
  const wanted = reported.flatMap((integration) => {
    const found = installed.get(integration.id);
    return (found && writtenParts(integration, found)) ?? [];
  });
  const unread = new Map<string, Diagnostic>(unsafeIds(reported));
  const live = await reader.complete(listed, wanted, (id, error) =>
    unread.set(id, error.diagnostic),
  );
  const declared = config && matchEntries(resolveConfig(config), listed);
  const planned = planUndo({
    server: headOf(server),
    report,
    declared: declared?.integrations,
    live,
    unread,
    reads: api.reads,
  });
  const unmet: UnmetWaivers = new Map();
  const isPartial = false;
  return { ...planned, desired: [], live, isPartial, unmet, reader, readAt };
}

/** Names the files of reports from this folder, as all other places are. */
async function fromHere(
  run: Run,
  reports: readonly ServerDocument[],
): Promise<ServerDocument[]> {
  const { cwd } = run.runtime;
  const root = (await gitRoot(cwd)) ?? cwd;
  const here = (place: PlaceDocument): PlaceDocument => {
    const path = relative(cwd, resolve(root, place.file));
    return { ...place, file: path.split(sep).join('/') };
  };
  const placed = (integration: IntegrationDocument): IntegrationDocument => {
    const { source } = integration;
    const changes = integration.changes.map((change): ChangeDocument => {
      return { ...change, source: here(sourceOf(change)) };
    });
    return {
      ...integration,
      ...present({ source: source && here(source) }),
      changes,
    };
  };
  return reports.map((report) => {
    return { ...report, integrations: report.integrations.map(placed) };
  });
}
