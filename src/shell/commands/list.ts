import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import { compareText } from '../../core/findings/diagnostic.ts';
import { matchEntries } from '../../core/match/match.ts';
import type { Setting } from '../../core/model/desired.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderLists } from '../../core/report/text/list.ts';
import type { Options } from '../flags.ts';
import { readConfigs } from '../reconcile/prepare.ts';
import type { CommandResult, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export async function list(run: Run, options: Options): Promise<CommandResult> {
  const { configured } = await readConfigs(run, await findServers(run, options));
  const results = await onServers(run, options, configured, async (api, { layers, linked }) => {
    const installed = await api.integrations({ wanted: new Set() });
    const live = installed.toSorted((a, b) => compareText(a.id, b.id));
    return listOf(live, layers.length === 0 ? undefined : resolveConfig(linked));
  });
  const servers = results.flatMap(({ server: { name, url }, value }) =>
    value === undefined ? [] : [{ name, url: url.origin, integrations: value.integrations }],
  );
  return { diagnostics: findingsOn(results), report: linesReport({ servers }, renderLists) };
}

function listOf(live: readonly LiveIntegration[], config: ResolvedConfig | undefined) {
  if (config === undefined) return { integrations: live.map(listed), diagnostics: [] };
  const { value, diagnostics } = matchEntries(config, live);
  const options = new Map(value.integrations.map((each) => [each.id, each.settings]));
  const integrations = live.map((each) => ({
    ...listed(each),
    managedOptions: managedOptions(options.get(each.id) ?? [], each.optionKeys),
  }));
  return { integrations, diagnostics };
}

/** Counts managed options; those that only defaults declare count if the server lists them. */
function managedOptions(settings: readonly Setting[], listedKeys: ReadonlySet<string>): number {
  const keys = settings.flatMap((each) => {
    if (each.field === 'autosubscribe') return [];
    const isThere = each.isDefault !== true || listedKeys.size === 0 || listedKeys.has(each.option);
    return isThere ? [each.option] : [];
  });
  return new Set(keys).size;
}

function listed(integration: LiveIntegration) {
  const { id, name, acronym, status, autosubscribe, errorCount: errors, optionKeys } = integration;
  return { id, ...present({ name, acronym, status, autosubscribe, errors }), options: optionKeys.size };
}
