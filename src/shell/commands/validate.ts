import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { linesReport } from '../../core/report/report.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { CommandBody, Run } from '../run.ts';
import type { FoundServers } from '../servers/server.ts';
import { readConfig } from '../sources/config.ts';

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export const validate: CommandBody = async (run, flags, paths) => {
  const { catalog, live } = flags;
  if (catalog !== undefined && live !== undefined) failUsage('Pass either --catalog or --live.');
  const optionsChecked = catalog !== undefined || live !== undefined;
  const found = await namedLayers(run, { ...flags, file: [...paths, ...(flags.file ?? [])] });
  const read = await Promise.all(found.layers.map((layers) => readConfig(run, layers)));
  // Most is checked without what compares with a server.
  const compared = optionsChecked ? await import('../reconcile/fit.ts') : undefined;
  const misfits = (await compared?.misfits(run, read, found, catalog)) ?? [];
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
    optionsChecked,
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
  const about = snapshots.map(
    ({ takenAt }) => `From a snapshot of ${takenAt.slice(0, 'yyyy-mm-dd'.length)}.`,
  );
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
async function namedLayers(run: Run, options: Options): Promise<FoundServers> {
  const { file = [], server = [], live } = options;
  if (file.length === 0 || live !== undefined)
    return (await import('../reconcile/fit.ts')).layersOfServers(run, options);
  if (server.length > 0)
    failUsage('--server selects from setpoint.yaml; it cannot be combined with named files.');
  const layers = file.map((path) => ({ path, base: run.runtime.cwd }));
  return { servers: [], layers: [layers], diagnostics: [] };
}
