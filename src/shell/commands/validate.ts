import type { MergedConfig } from '../../core/config/layers.ts';
import { type Checked, type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { checkAgainstCatalog } from '../../core/match/catalog-check.ts';
import { count } from '../../core/report/plan-text.ts';
import { readCatalog } from '../catalog.ts';
import { readConfig } from '../config-source.ts';
import { fail } from '../failure.ts';
import { type CommandResult, type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findTargets } from '../targets.ts';

export interface ValidateOptions extends RunOptions {
  readonly file?: readonly string[] | undefined;
  readonly catalog?: string | undefined;
  readonly server?: readonly string[] | undefined;
}

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export function validate(
  paths: readonly string[],
  options: ValidateOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const named = [...paths, ...(options.file ?? [])];
    const { configs, ...found } = await namedCompositions(run, named, options.server ?? []);
    const read = await Promise.all(configs.map((layers) => readConfig(run, layers)));
    const misfits = options.catalog === undefined ? [] : await misfitsOf(run, read, options.catalog);
    const diagnostics = distinct([
      ...found.diagnostics,
      ...read.flatMap((each): readonly Diagnostic[] => each.diagnostics),
      ...misfits,
    ]);
    const valid = !hasErrors(diagnostics);
    const files = run.sources.size;
    const entries = entryNames(read).size;
    return {
      diagnostics,
      document: { files, integrations: entries, valid, servers: [] },
      text: () =>
        valid ? `Valid: ${count(files, 'file')}, ${entries} ${entries === 1 ? 'entry' : 'entries'}.\n` : '',
    };
  });
}

/** What is to be validated together: the files that were named, as layers; else the layers of each server of the project. */
function namedCompositions(run: Run, paths: readonly string[], selectors: readonly string[]) {
  if (paths.length === 0) return findTargets(run, { server: selectors });
  if (selectors.length > 0) {
    const problem = '--server selects from setpoint.yaml; it cannot be combined with named files.';
    fail(diagnostic('usage', { problem }));
  }
  return { configs: [{ layers: paths, base: run.runtime.cwd }], diagnostics: [] };
}

async function misfitsOf(
  { runtime }: Run,
  read: readonly Checked<MergedConfig>[],
  folder: string,
): Promise<readonly Diagnostic[]> {
  const catalog = await readCatalog(folder, runtime.cwd);
  return read.flatMap(({ value }) => (value === undefined ? [] : checkAgainstCatalog(value, catalog)));
}

function entryNames(read: readonly Checked<MergedConfig>[]): Set<string> {
  return new Set(read.flatMap(({ value }) => value?.entries.map(({ name }) => name) ?? []));
}
