import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import { compareText, type Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { matchEntries } from '../../core/match/match.ts';
import { type DesiredOption, isManaged } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { ListedIntegration } from '../../core/report/report.ts';
import { readConfig } from '../config-source.ts';
import type { ConnectionOptions } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type CommandResult, type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers.ts';
import {
  credentialsOf,
  selectTargets,
  type Target,
  type TargetOptions,
  withCredentials,
} from '../targets.ts';

export interface ListOptions extends RunOptions, ConnectionOptions, TargetOptions {}

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export function list(options: ListOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const targets = await selectTargets(run, options);
    // The configuration first: its errors come before any request.
    const configs = new Map(
      await Promise.all(targets.map(async (target) => [target, await configOf(run, target)] as const)),
    );
    const servers = withCredentials(targets, await credentialsOf(run, targets));
    const results = await onServers(run, options, 'read', servers, async (api, { target }) =>
      listServer(await api.integrations(), configs.get(target)),
    );
    const listings = results.flatMap(({ value, server: { target } }) =>
      value === undefined
        ? []
        : [{ name: target.name, url: target.url.origin, integrations: value.integrations }],
    );
    return { diagnostics: findingsOn(results), report: { kind: 'list', servers: listings } };
  });
}

interface Listed {
  readonly integrations: readonly ListedIntegration[];
  readonly diagnostics: readonly Diagnostic[];
}

async function configOf(run: Run, { config }: Target): Promise<ResolvedConfig | undefined> {
  if (config.layers.length === 0) return undefined;
  const { value, diagnostics } = await readConfig(run, config);
  if (value === undefined || hasErrors(diagnostics)) throw new Failure(diagnostics);
  return resolveConfig(value);
}

function listServer(installed: readonly LiveIntegration[], config: ResolvedConfig | undefined): Listed {
  const live = [...installed].sort((a, b) => compareText(a.id, b.id));
  if (config === undefined)
    return { integrations: live.map((integration) => listed(integration, undefined)), diagnostics: [] };
  const matched = matchEntries(config, live);
  const keys = new Map(live.map(({ id, optionKeys }) => [id, optionKeys]));
  const managed = new Map(
    matched.value.integrations.map(({ id, options }) => [id, managedOptions(options, keys.get(id) ?? [])]),
  );
  return {
    integrations: live.map((integration) => listed(integration, managed)),
    diagnostics: [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics],
  };
}

/** Counts managed options; those that only defaults declare count where the server lists them. */
function managedOptions(options: readonly DesiredOption[], listedKeys: readonly string[]): number {
  const isThere = ({ key, isDefault }: DesiredOption) =>
    isDefault !== true || listedKeys.length === 0 || listedKeys.includes(key);
  return options.filter((option) => isManaged(option) && isThere(option)).length;
}

function listed(
  integration: LiveIntegration,
  managed: ReadonlyMap<string, number> | undefined,
): ListedIntegration {
  const { id, name, acronym, status, autosubscribe, errorCount, optionKeys } = integration;
  const known = Object.entries({ name, acronym, status, autosubscribe }).filter(
    ([, value]) => value !== undefined,
  );
  const base = { id, ...Object.fromEntries(known), errors: errorCount, options: optionKeys.length };
  return managed === undefined ? base : { ...base, managedOptions: managed.get(id) ?? 0 };
}
