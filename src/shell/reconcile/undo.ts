import { resolve } from 'node:path';
import { resolveConfig } from '../../core/config/resolve.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unsafeIds, type Wanted } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  isWriting,
  type PlaceDocument,
  type ServerDocument,
  sourceOf,
} from '../../core/plan/plan.ts';
import { planUndo, selectedIn, writtenParts } from '../../core/plan/undo.ts';
import { fail } from '../failure.ts';
import { gitRoot } from '../paths.ts';
import type { Run } from '../run.ts';
import { configReader } from '../sources/config.ts';
import { shownPath } from '../sources/files.ts';
import type { LiveState } from './live.ts';
import { headOf, type OfflinePlan } from './plan.ts';
import {
  type Applied,
  findSavedServers,
  type Preparation,
  type Prepared,
} from './prepare.ts';

/** Prepares to take an apply back by its report. */
export async function prepareUndo(
  run: Run,
  document: Document,
): Promise<Preparation> {
  const { only, allowChanges, allow } = run.options;
  const { command, createdAt } = document;
  const reports = await fromHere(run, document.servers);
  const found = await findSavedServers(run, reports);
  const { servers, diagnostics: warnings } = found;
  if (hasErrors(warnings)) fail(...warnings);
  const reported = reports.flatMap(({ integrations }) => [...integrations]);
  // The places of a report are none of the files as they are by now.
  const readConfig = configReader({ ...run, sources: new Map() });
  const preparing = servers.map(async (server): Promise<Prepared> => {
    const report = reports.find(({ name }) => name === server.name);
    // A server without a report is refused before.
    if (report === undefined) throw new Error('a server without a report');
    const { layers } = server;
    const read = layers.length > 0 ? await readConfig(layers) : undefined;
    return {
      ...server,
      config: [],
      files: [],
      only,
      also: (listed) => writtenOn(listed, selectedIn(report, only)),
      allowedChanges: allowChanges,
      allowedRisks: allow,
      // Broken YAML does not keep an apply from being taken back.
      applied: { report, declared: read?.value && resolveConfig(read.value) },
    };
  });
  return {
    servers: await Promise.all(preparing),
    isFleet: servers.some(({ isInFleet }) => isInFleet),
    names: reported.map(({ name }) => name),
    warnings,
    undone: isWriting(command)
      ? { command, ...present({ createdAt }) }
      : undefined,
  };
}

/** Lists what an apply may have written of the listed integrations. */
function writtenOn(
  listed: readonly LiveIntegration[],
  reported: readonly IntegrationDocument[],
): Wanted[] {
  const installed = new Map(listed.map((live) => [live.id, live]));
  return reported.flatMap((integration) => {
    const live = installed.get(integration.id);
    return (live && writtenParts(integration, live)) ?? [];
  });
}

/** Plans how an apply on one server is taken back. */
export function planUndone(
  server: Prepared,
  { report, declared }: Applied,
  { listed, live, unread, reads }: LiveState,
): OfflinePlan {
  const reported = selectedIn(report, server.only);
  const planned = planUndo({
    server: headOf(server),
    report,
    declared: declared && matchEntries(declared, listed).integrations,
    live,
    unread: new Map([...unsafeIds(reported), ...unread]),
    reads,
  });
  return { ...planned, desired: [], live, unmet: new Map() };
}

/** Names the files of reports from this folder, as all other places are. */
async function fromHere(
  run: Run,
  reports: readonly ServerDocument[],
): Promise<ServerDocument[]> {
  const { cwd } = run.runtime;
  const root = (await gitRoot(cwd)) ?? cwd;
  const here = (place: PlaceDocument): PlaceDocument => {
    return { ...place, file: shownPath(resolve(root, place.file), cwd) };
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
