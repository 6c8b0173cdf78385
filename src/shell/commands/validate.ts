import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFindings } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { snapshotText } from '../../core/findings/time.ts';
import { count, listed } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { placeKey } from '../../core/model/place.ts';
import { linesReport } from '../../core/report/report.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Fit } from '../reconcile/fit.ts';
import type { CommandBody, Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import {
  configReader,
  layersOfFlags,
  type ReadConfig,
} from '../sources/config.ts';
import { flagRoot } from '../sources/files.ts';
import { SCHEMA } from '../sources/pulled-schema.ts';
import { readReferences } from '../sources/references.ts';

/**
 * Checks configuration files offline, and what they refer to as a plan does,
 * but reads neither a server nor the environment.
 */
export const validate: CommandBody = async (run) => {
  const { options } = run;
  const { catalog, live } = options;
  if (catalog !== undefined && live !== undefined) {
    failUsage('Pass either --catalog or --live.');
  }
  const found = await namedLayers(run, options);
  const configs = await Promise.all(found.layers.map(configReader(run)));
  const resolved = await resolveAll(run, found, configs);
  const fit = await checkedFit(run, found, resolved);
  const diagnostics = distinct([
    ...found.diagnostics,
    ...configs.flatMap((config) => config.diagnostics),
    ...(fit?.diagnostics ?? []),
    ...[...new Set(resolved)].flatMap((config = []) =>
      referenceFindings(config),
    ),
  ]);
  if (options.file?.length === 0) {
    const { unreadFiles } = await import('../sources/project.ts');
    diagnostics.push(...(await unreadFiles(run)));
  }
  const snapshots = snapshotsOf(found);
  // Servers share files.
  const places = configs.flatMap(({ value }) =>
    (value?.entries ?? []).map(({ place }) => placeKey(place)),
  );
  const validation: Validation = {
    files: run.sources.size,
    integrations: new Set(places).size,
    valid: !hasErrors(diagnostics),
    optionsChecked: fit !== undefined && fit.unchecked === undefined,
    ...present({ schema: fit?.schema, unchecked: fit?.unchecked, snapshots }),
  };
  const report = linesReport(validation, textOf);
  return { diagnostics, report, isStrict: options.strict };
};

/**
 * Resolves configurations by the files that they refer to, as if no variable
 * were set. Servers share configurations.
 */
async function resolveAll(
  run: Run,
  { servers: [server] }: FoundServers,
  configs: readonly ReadConfig[],
): Promise<(ResolvedConfig | undefined)[]> {
  const { allowEnv, file = [] } = run.options;
  const root = server?.root ?? flagRoot(run.runtime.cwd, file[0] ?? '.');
  const reading = { allowEnv, variables: {}, root };
  const resolved = new Map<WrittenConfig, ResolvedConfig>();
  for (const { value } of new Set(configs)) {
    if (value === undefined) continue;
    const table = await readReferences(run, value, reading);
    resolved.set(value, resolveConfig(value, table));
  }
  return configs.map(({ value }) => value && resolved.get(value));
}

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
  return { servers: [], layers, diagnostics: [] };
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
  return fail(diagnostic('no-configuration', {}));
}

/**
 * Checks options if anything tells what there is. Most is checked without the
 * modules for that.
 */
async function checkedFit(
  run: Run,
  found: FoundServers,
  configs: readonly (ResolvedConfig | undefined)[],
): Promise<Fit | undefined> {
  const { catalog, live } = run.options;
  const [server] = found.servers;
  const isPulled = server && existsSync(join(server.root, SCHEMA));
  if (catalog === undefined && live === undefined && !isPulled) {
    return undefined;
  }
  const { fitOf } = await import('../reconcile/fit.ts');
  return fitOf(run, found, configs);
}

interface SnapshotTime {
  takenAt: string;
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

/** The result of a validation. */
interface Validation {
  files: number;
  /** How many entries there are. */
  integrations: number;
  valid: boolean;
  optionsChecked: boolean;
  /** The path of the schema by which options were checked. */
  schema?: string;
  /** The names of entries that the schema does not have. */
  unchecked?: readonly string[];
  snapshots?: readonly SnapshotTime[];
}

/**
 * Shows a good result, and by what options were checked; of another one,
 * findings say all.
 */
function textOf(validation: Validation): string {
  const { files, integrations, valid, schema, unchecked = [] } = validation;
  if (!valid) return '';
  const lines: string[] = [];
  const taken = (validation.snapshots ?? []).map(({ takenAt }) => takenAt);
  if (taken.length > 0) lines.push(`From ${snapshotText(taken)}.`);
  const entries = count(integrations, 'entry', 'entries');
  lines.push(`Valid: ${count(files, 'file')}, ${entries}.`);
  if (schema !== undefined) {
    lines.push(`Checked against ${schema}; setpoint pull renews it.`);
  } else if (!validation.optionsChecked) {
    lines.push(
      'Options were not checked. Pass --catalog DIR, or --live with a snapshot.',
    );
  }
  if (unchecked.length > 0) {
    const names = listed(unchecked, 5);
    lines.push(`Not checked, because the schema does not have them: ${names}.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
