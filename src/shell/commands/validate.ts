import type { LinkedConfig } from '../../core/config/link.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { type Checked, type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { matchCatalog } from '../../core/match/catalog.ts';
import { matchEntries } from '../../core/match/match.ts';
import { present } from '../../core/model/present.ts';
import { checkFit } from '../../core/plan/fit.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderValidation } from '../../core/report/text/validation.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { failUsage } from '../failure.ts';
import { type CommandResult, type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { type FoundServers, namedServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';
import { readConfig } from '../sources/config.ts';
import { failWithoutProject } from '../sources/project.ts';
import { ageOf } from '../sources/snapshot.ts';

interface ValidateOptions extends RunOptions {
  readonly file?: readonly string[] | undefined;
  readonly catalog?: string | undefined;
  readonly server?: readonly string[] | undefined;
  readonly live?: readonly string[] | undefined;
}

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export function validate(
  paths: readonly string[],
  options: ValidateOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const named = [...paths, ...(options.file ?? [])];
    if (options.catalog !== undefined && options.live !== undefined)
      failUsage('Pass either --catalog or --live.');
    const found = await namedLayers(run, named, options);
    const read = await Promise.all(found.layers.map((layers) => readConfig(run, layers)));
    const misfits =
      options.catalog === undefined
        ? snapshotMisfits(read, found)
        : await misfitsOf(run, read, options.catalog);
    const diagnostics = distinct([
      ...found.diagnostics,
      ...read.flatMap((each): readonly Diagnostic[] => each.diagnostics),
      ...misfits,
    ]);
    const names = read.flatMap(({ value }) => value?.map(({ name }) => name) ?? []);
    return {
      diagnostics,
      report: linesReport(
        {
          files: run.sources.size,
          integrations: new Set(names).size,
          valid: !hasErrors(diagnostics),
          optionsChecked: options.catalog !== undefined || options.live !== undefined,
          ...present({ snapshots: agesOf(found, runtime) }),
        },
        renderValidation,
      ),
    };
  });
}

/** The ages of the snapshots of a run; undefined without any. */
function agesOf({ servers = [] }: Named, { now }: Runtime) {
  const ages = servers.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [ageOf(snapshot, now())]));
  return ages.length === 0 ? undefined : ages;
}

type Named = Pick<FoundServers, 'layers' | 'diagnostics'> & Partial<FoundServers>;

/** The named files as layers, or else the layers of each server of the project; with `--live` also whose they are. */
async function namedLayers(
  run: Run,
  paths: readonly string[],
  { server = [], live }: ValidateOptions,
): Promise<Named> {
  if (paths.length === 0 || live !== undefined) {
    const found = await namedServers(run, { server, live, file: paths });
    // A snapshot alone names no file to check.
    const isAlone = live !== undefined && found.layers.every((layers) => layers.length === 0);
    return isAlone ? failWithoutProject(run) : found;
  }
  if (server.length > 0)
    failUsage('--server selects from setpoint.yaml; it cannot be combined with named files.');
  return { layers: [paths.map((path) => ({ path, base: run.runtime.cwd }))], diagnostics: [] };
}

/** How each configuration fits the snapshot of its server, if that has one. */
function snapshotMisfits(
  read: readonly Checked<LinkedConfig>[],
  { servers = [], diagnostics }: Named,
): readonly Diagnostic[] {
  // Without all servers nothing tells whose layers are whose.
  if (hasErrors(diagnostics)) return [];
  return read.flatMap(({ value: config }, index) => {
    const snapshot = servers[index]?.snapshot;
    if (config === undefined || snapshot === undefined) return [];
    const installed = liveOf(snapshot);
    const { value, unmet, ...matched } = matchEntries(resolveConfig(config), installed);
    const found = [...unmet.map(({ finding }) => finding), ...matched.diagnostics];
    return [...found, ...checkFit(value, installed)];
  });
}

async function misfitsOf(
  run: Run,
  read: readonly Checked<LinkedConfig>[],
  folder: string,
): Promise<readonly Diagnostic[]> {
  const catalog = await readCatalog(run, folder);
  return read.flatMap(({ value: config }) => {
    if (config === undefined) return [];
    const { value, installed, diagnostics } = matchCatalog(resolveConfig(config), catalog);
    return [...diagnostics, ...checkFit(value, installed)];
  });
}
