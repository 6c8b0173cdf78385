import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { type Checked, type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { linesReport } from '../../core/report/report.ts';
import { snapshotAge } from '../../core/report/totals.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { CommandBody, Run } from '../run.ts';
import { type FoundServers, findServers } from '../servers/server.ts';
import { failWithoutProject, readConfig } from '../sources/config.ts';

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export const validate: CommandBody = async (run, options, paths) => {
  const { file = [], catalog, live } = options;
  if (catalog !== undefined && live !== undefined) failUsage('Pass either --catalog or --live.');
  const found = await namedLayers(run, [...paths, ...file], options);
  const read = await Promise.all(found.layers.map((layers) => readConfig(run, layers)));
  const misfits = await (catalog === undefined
    ? snapshotMisfits(read, found)
    : catalogMisfits(run, read, catalog));
  const own = read.flatMap((each): readonly Diagnostic[] => each.diagnostics);
  const diagnostics = distinct([...found.diagnostics, ...own, ...misfits]);
  // Servers share files.
  const entries = new Set(
    read.flatMap(({ value }) => value?.entries.map(({ place }) => `${place.file}:${place.line}`) ?? []),
  );
  const validation = {
    files: run.sources.size,
    integrations: entries.size,
    valid: !hasErrors(diagnostics),
    optionsChecked: catalog !== undefined || live !== undefined,
    ...present({ snapshots: agesOf(found, run) }),
  };
  return { diagnostics, report: linesReport(validation, textOf) };
};

/** How much was checked, if nothing is wrong: findings go to stderr. */
function textOf(validation: {
  readonly files: number;
  readonly integrations: number;
  readonly valid: boolean;
  readonly optionsChecked: boolean;
  readonly snapshots?: readonly { readonly takenAt: string }[];
}): string {
  const { files, integrations, valid, optionsChecked, snapshots = [] } = validation;
  if (!valid) return '';
  const about = snapshots.map(({ takenAt }) => `From a snapshot of ${snapshotAge(takenAt)}.`);
  const checked = `Valid: ${count(files, 'file')}, ${count(integrations, 'entry', 'entries')}.`;
  const unchecked = 'Options were not checked. Pass --catalog DIR or --live FILE.';
  return [...about, checked, ...(optionsChecked ? [] : [unchecked]), ''].join('\n');
}

/** When the snapshots of a run were taken, and how old they are in whole days; undefined without any. */
function agesOf({ servers }: FoundServers, { runtime }: Run) {
  const ages = servers.flatMap(({ snapshot }) => {
    if (snapshot === undefined) return [];
    const { takenAt } = snapshot;
    return [{ takenAt, days: Math.max(0, Math.floor((runtime.now() - Date.parse(takenAt)) / 86_400_000)) }];
  });
  return ages.length === 0 ? undefined : ages;
}

/** The named files as layers, or else those of each server of the project; with `--live` also whose they are. */
async function namedLayers(run: Run, paths: readonly string[], options: Options): Promise<FoundServers> {
  const { server = [], live } = options;
  if (paths.length === 0 || live !== undefined) {
    const found = await findServers(run, { ...present({ live }), server, file: paths });
    // A snapshot alone names no file to check.
    const isAlone = live !== undefined && found.layers.every((layers) => layers.length === 0);
    return isAlone ? failWithoutProject(run) : found;
  }
  if (server.length > 0)
    failUsage('--server selects from setpoint.yaml; it cannot be combined with named files.');
  const layers = paths.map((path) => ({ path, base: run.runtime.cwd }));
  return { servers: [], layers: [layers], diagnostics: [] };
}

/** How each configuration fits the snapshot of its server, if that has one. */
async function snapshotMisfits(
  read: readonly Checked<WrittenConfig>[],
  { servers, diagnostics }: FoundServers,
): Promise<readonly Diagnostic[]> {
  // Without all servers nothing tells whose layers are whose.
  if (hasErrors(diagnostics) || servers.every(({ snapshot }) => snapshot === undefined)) return [];
  const { matchEntries } = await import('../../core/match/match.ts');
  const { checkFit } = await import('../../core/plan/fit.ts');
  return read.flatMap(({ value: config }, index) => {
    const { live } = servers[index]?.snapshot ?? {};
    if (config === undefined || live === undefined) return [];
    const { value, diagnostics: found } = matchEntries(resolveConfig(config), live);
    return [...found, ...checkFit(value, live)];
  });
}

/** How each configuration fits a catalog. */
async function catalogMisfits(
  run: Run,
  read: readonly Checked<WrittenConfig>[],
  folder: string,
): Promise<readonly Diagnostic[]> {
  const { readCatalog } = await import('../sources/catalog.ts');
  const { matchCatalog } = await import('../../core/match/match.ts');
  const { checkFit } = await import('../../core/plan/fit.ts');
  const catalog = await readCatalog(run, folder);
  return read.flatMap(({ value: config }) => {
    if (config === undefined) return [];
    const { value, installed, diagnostics } = matchCatalog(resolveConfig(config), catalog);
    return [...diagnostics, ...checkFit(value, installed)];
  });
}
