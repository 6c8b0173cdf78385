import { resolve } from 'node:path';
import { hasErrors } from '../../core/findings/explain.ts';
import { unsafeIds } from '../../core/live/sources.ts';
import { present } from '../../core/model/json.ts';
import { isWritten } from '../../core/plan/outcome.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  isWriting,
  type PlaceDocument,
  requiredSource,
  type ServerDocument,
} from '../../core/plan/plan-document.ts';
import { planUndo, selectedIn } from '../../core/plan/undo.ts';
import { fail } from '../failure.ts';
import { gitRoot } from '../paths.ts';
import type { Run } from '../run.ts';
import { shownPath } from '../sources/files.ts';
import type { LiveState } from './live.ts';
import { headOf, type OfflinePlan } from './plan.ts';
import {
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
  const reports = fromHere(run, document.servers);
  const found = await findSavedServers(run, reports);
  const { servers, diagnostics: warnings } = found;
  if (hasErrors(warnings)) fail(...warnings);
  const reported = reports.flatMap(({ integrations }) => integrations);
  const prepared = servers.map((server): Prepared => {
    const report = reports.find(({ name }) => name === server.name);
    // A server without a report is refused before.
    if (report === undefined) throw new Error('a server without a report');
    const written = selectedIn(report, only).filter(({ changes }) =>
      changes.some(isWritten),
    );
    return {
      ...server,
      config: [],
      files: [],
      only,
      whole: () => written.map(({ id }) => id),
      allowedChanges: allowChanges,
      allowedRisks: allow,
      applied: report,
    };
  });
  return {
    servers: prepared,
    isFleet: servers.some(({ isInFleet }) => isInFleet),
    names: reported.map(({ name }) => name),
    warnings,
    undone: isWriting(command) ? present({ command, createdAt }) : undefined,
  };
}

/** Plans how an apply on one server is taken back. */
export function planUndone(
  server: Prepared,
  report: ServerDocument,
  { live, unread, reads }: LiveState,
): OfflinePlan {
  const reported = selectedIn(report, server.only);
  const planned = planUndo({
    server: headOf(server),
    report,
    live,
    unread: new Map([...unsafeIds(reported), ...unread]),
    reads,
  });
  const own = { ...planned, live };
  return { ...own, desired: [], isPartial: false, waivers: [], fields: [] };
}

/** Names the files of reports from this folder, as all other places are. */
function fromHere(
  run: Run,
  reports: readonly ServerDocument[],
): ServerDocument[] {
  const { cwd } = run.runtime;
  const root = gitRoot(cwd) ?? cwd;
  const here = (place: PlaceDocument): PlaceDocument => {
    return { ...place, file: shownPath(resolve(root, place.file), cwd) };
  };
  const placed = (integration: IntegrationDocument): IntegrationDocument => {
    const { source } = integration;
    const changes = integration.changes.map((change): ChangeDocument => {
      return { ...change, source: here(requiredSource(change)) };
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
