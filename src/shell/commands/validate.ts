import type { LinkedConfig } from '../../core/config/link.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { type Checked, type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { matchCatalog } from '../../core/match/catalog.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { checkFit } from '../../core/plan/fit.ts';
import { failUsage } from '../failure.ts';
import { rememberSecrets } from '../reconcile/known-secrets.ts';
import { type CommandResult, type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { type FoundServers, namedServers } from '../servers/server.ts';
import { readCatalog } from '../sources/catalog.ts';
import { readConfig } from '../sources/config.ts';

interface ValidateOptions extends RunOptions {
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
    const found = await namedLayers(run, named, options.server ?? []);
    const read = await Promise.all(found.layers.map((layers) => readConfig(run, layers)));
    const misfits = options.catalog === undefined ? [] : await misfitsOf(run, read, options.catalog);
    const diagnostics = distinct([
      ...found.diagnostics,
      ...read.flatMap((each): readonly Diagnostic[] => each.diagnostics),
      ...misfits,
    ]);
    const names = read.flatMap(({ value }) => value?.map(({ name }) => name) ?? []);
    return {
      diagnostics,
      report: {
        kind: 'validation',
        files: run.sources.size,
        integrations: new Set(names).size,
        valid: !hasErrors(diagnostics),
      },
    };
  });
}

/** The named files as layers, or else the layers of each server of the project. */
async function namedLayers(
  run: Run,
  paths: readonly string[],
  server: readonly string[],
): Promise<Pick<FoundServers, 'layers' | 'diagnostics'>> {
  if (paths.length === 0) return namedServers(run, { server });
  if (server.length > 0)
    failUsage('--server selects from setpoint.yaml; it cannot be combined with named files.');
  return { layers: [paths.map((path) => ({ path, base: run.runtime.cwd }))], diagnostics: [] };
}

/** A value that a person marked as no secret, but whose option is a password, is hidden after all. */
function rememberMisjudged(run: Run, installed: readonly LiveIntegration[], desired: DesiredState): void {
  const integrations = desired.integrations.map((each) => ({
    ...each,
    options: each.options.filter(({ sensitive }) => sensitive === false),
  }));
  const ids = new Set(integrations.filter(({ options }) => options.length > 0).map(({ id }) => id));
  rememberSecrets(
    run,
    installed.filter(({ id }) => ids.has(id)),
    { ...desired, integrations },
  );
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
    rememberMisjudged(run, installed, value);
    return [...diagnostics, ...checkFit(value, installed)];
  });
}
