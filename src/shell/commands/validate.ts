import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { linesReport } from '../../core/report/report.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { CommandBody, Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import {
  configReader,
  layersOfFlags,
  type ReadConfig,
} from '../sources/config.ts';

/**
 * Checks configuration files offline: no server, no environment, no referenced
 * file is read.
 */
export const validate: CommandBody = async (run, flags, paths) => {
  const options = { ...flags, file: [...paths, ...(flags.file ?? [])] };
  const { catalog, live } = options;
  if (catalog !== undefined && live !== undefined) {
    failUsage('Pass either --catalog or --live.');
  }
  const found = await namedLayers(run, options);
  const configs = await Promise.all(found.layers.map(configReader(run)));
  const misfits = await misfitsOf(run, options, found, configs);
  const diagnostics = distinct([
    ...found.diagnostics,
    ...configs.flatMap((config) => config.diagnostics),
    ...misfits,
  ]);
  const snapshots = snapshotsOf(found);
  const validation: Validation = {
    files: run.sources.size,
    integrations: countEntries(configs),
    valid: !hasErrors(diagnostics),
    optionsChecked: catalog !== undefined || live !== undefined,
    ...present({ snapshots }),
  };
  return { diagnostics, report: linesReport(validation, textOf) };
};

/**
 * Finds the named files as layers, or else those of each server of the project;
 * with `--live` also whose they are.
 */
async function namedLayers(run: Run, options: Options): Promise<FoundServers> {
  const { file = [], server = [], shard, live } = options;
  if (file.length === 0 || live !== undefined)
    return layersOfServers(run, options);
  if (server.length > 0 || shard !== undefined) {
    failUsage(
      '--server and --shard select from setpoint.yaml; they cannot be combined with named files.',
    );
  }
  const layers = [layersOfFlags(run, file)];
  return { servers: [], isFleet: false, layers, diagnostics: [] };
}

/**
 * Finds the layers of servers. The modules for these are loaded when they are
 * needed.
 */
async function layersOfServers(
  run: Run,
  options: Options,
): Promise<FoundServers> {
  const { findServers } = await import('../servers/server.ts');
  const found = await findServers(run, options);
  const hasLayers = found.layers.some((layers) => layers.length > 0);
  if (options.live === undefined || hasLayers) return found;
  // A snapshot alone names no file to check.
  const { failWithoutProject } = await import('../sources/project.ts');
  return failWithoutProject(run);
}

/**
 * Finds what does not fit a catalog or a snapshot. Most is checked without what
 * compares with a server.
 */
async function misfitsOf(
  run: Run,
  { catalog, live }: Options,
  found: FoundServers,
  configs: readonly ReadConfig[],
): Promise<readonly Diagnostic[]> {
  if (catalog === undefined && live === undefined) return [];
  const { misfits } = await import('../reconcile/fit.ts');
  return misfits(run, configs, found, catalog);
}

interface SnapshotTime {
  readonly takenAt: string;
}

/** Returns when the snapshots of servers were taken; undefined without any. */
function snapshotsOf({
  servers,
}: FoundServers): readonly SnapshotTime[] | undefined {
  const snapshots: SnapshotTime[] = [];
  for (const { snapshot } of servers) {
    if (snapshot !== undefined) snapshots.push({ takenAt: snapshot.takenAt });
  }
  return snapshots.length === 0 ? undefined : snapshots;
}

/** Counts the entries of configurations. Servers share files. */
function countEntries(configs: readonly ReadConfig[]): number {
  const places = new Set<string>();
  for (const { value } of configs) {
    for (const { place } of value?.entries ?? []) {
      places.add(`${place.file}:${place.line}`);
    }
  }
  return places.size;
}

/** The result of a validation. */
interface Validation {
  readonly files: number;
  /** How many entries there are. */
  readonly integrations: number;
  readonly valid: boolean;
  readonly optionsChecked: boolean;
  readonly snapshots?: readonly SnapshotTime[];
}

/** Shows a good result; findings go to stderr. */
function textOf(validation: Validation): string {
  const { files, integrations, valid, optionsChecked } = validation;
  if (!valid) return '';
  const lines: string[] = [];
  for (const { takenAt } of validation.snapshots ?? []) {
    const day = takenAt.slice(0, 'yyyy-mm-dd'.length);
    lines.push(`From a snapshot of ${day}.`);
  }
  const entries = count(integrations, 'entry', 'entries');
  lines.push(`Valid: ${count(files, 'file')}, ${entries}.`);
  if (!optionsChecked) {
    lines.push(
      'Options were not checked. Pass --catalog DIR, or --live with a snapshot.',
    );
  }
  return `${lines.join('\n')}\n`;
}
