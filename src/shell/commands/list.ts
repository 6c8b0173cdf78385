import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import { compareText, type Diagnostic } from '../../core/findings/diagnostic.ts';
import { matchEntries } from '../../core/match/match.ts';
import { type DesiredOption, isManaged } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { present } from '../../core/model/present.ts';
import { linesReport } from '../../core/report/report.ts';
import { type ListedIntegration, renderLists } from '../../core/report/text/list.ts';
import { readConfigs } from '../reconcile/preparation.ts';
import { type CommandResult, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findServers, type ServerOptions } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export function list(options: ServerOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { configured } = await readConfigs(run, await findServers(run, options));
    const servers = configured.map(({ server, config }) => ({
      ...server,
      config: server.layers.length === 0 ? undefined : resolveConfig(config),
    }));
    const results = await onServers(run, { ...options, mode: 'read' }, servers, async ({ api }, { config }) =>
      listServer(await api.integrations({ wanted: new Set() }), config),
    );
    const listings = results.flatMap(({ value, server: { name, url } }) =>
      value === undefined ? [] : [{ name, url: url.origin, integrations: value.integrations }],
    );
    return { diagnostics: findingsOn(results), report: linesReport({ servers: listings }, renderLists) };
  });
}

interface Listed {
  readonly integrations: readonly ListedIntegration[];
  readonly diagnostics: readonly Diagnostic[];
}

function listServer(installed: readonly LiveIntegration[], config: ResolvedConfig | undefined): Listed {
  const live = [...installed].sort((a, b) => compareText(a.id, b.id));
  if (config === undefined) return { integrations: live.map(listed), diagnostics: [] };
  const { value, unmet, diagnostics } = matchEntries(config, live);
  const options = new Map(value.integrations.map((each) => [each.id, each.options]));
  return {
    integrations: live.map((each) => ({
      ...listed(each),
      managedOptions: managedOptions(options.get(each.id) ?? [], each.optionKeys),
    })),
    diagnostics: [...unmet.map(({ finding }) => finding), ...diagnostics],
  };
}

/** Counts managed options; those that only defaults declare count where the server lists them. */
function managedOptions(options: readonly DesiredOption[], listedKeys: ReadonlySet<string>): number {
  const isThere = ({ key, isDefault }: DesiredOption) =>
    isDefault !== true || listedKeys.size === 0 || listedKeys.has(key);
  return options.filter((option) => isManaged(option) && isThere(option)).length;
}

function listed(integration: LiveIntegration): ListedIntegration {
  const { id, name, acronym, status, autosubscribe, errorCount: errors, optionKeys } = integration;
  return { id, ...present({ name, acronym, status, autosubscribe, errors }), options: optionKeys.size };
}
