import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { compareText } from '../../core/findings/diagnostic.ts';
import { matchEntries } from '../../core/match/match.ts';
import type { Setting } from '../../core/model/desired.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { linesReport } from '../../core/report/report.ts';
import { type ListedIntegration, renderLists } from '../../core/report/text/list.ts';
import type { Options } from '../flags.ts';
import { configuredServers, listEach } from '../reconcile/listing.ts';
import type { CommandResult, Run } from '../run.ts';

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export async function list(run: Run, options: Options): Promise<CommandResult> {
  const configured = await configuredServers(run, options);
  const { servers, diagnostics } = await listEach(run, options, configured, async (api, { config }) =>
    listServer(await api.integrations({ wanted: new Set() }), config),
  );
  return { diagnostics, report: linesReport({ servers }, renderLists) };
}

function listServer(installed: readonly LiveIntegration[], config: ResolvedConfig | undefined) {
  const live = [...installed].sort((a, b) => compareText(a.id, b.id));
  if (config === undefined) return { shown: { integrations: live.map(listed) }, diagnostics: [] };
  const { value, diagnostics } = matchEntries(config, live);
  const options = new Map(value.integrations.map((each) => [each.id, each.settings]));
  const integrations = live.map((each) => ({
    ...listed(each),
    managedOptions: managedOptions(options.get(each.id) ?? [], each.optionKeys),
  }));
  return { shown: { integrations }, diagnostics: diagnostics };
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

function listed(integration: LiveIntegration): ListedIntegration {
  const { id, name, acronym, status, autosubscribe, errorCount: errors, optionKeys } = integration;
  return { id, ...present({ name, acronym, status, autosubscribe, errors }), options: optionKeys.size };
}
