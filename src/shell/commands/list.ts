import { matchEntries } from '../../core/config/match.ts';
import { writtenValues } from '../../core/config/resolve.ts';
import { compareText, type Diagnostic } from '../../core/diagnostic.ts';
import type { LiveIntegration } from '../../core/model.ts';
import { type ListedIntegration, renderList } from '../../core/report/list-text.ts';
import { readConfig } from '../config-source.ts';
import { type ConnectionOptions, withServer } from '../connection.ts';
import { readCredentials } from '../credentials.ts';
import { parseServerUrl } from '../http/server-url.ts';
import { type Run, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

export interface ListOptions extends RunOptions, ConnectionOptions {
  readonly file?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export function list(options: ListOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run) => {
    const target = {
      url: parseServerUrl(options.url),
      credentials: await readCredentials(run),
      mode: 'read',
    } as const;
    const live = await withServer(run, options, target, (api) => api.integrations());
    const sorted = [...live].sort((a, b) => compareText(a.id, b.id));
    const { managed, diagnostics } = await managedOptions(run, options.file ?? [], sorted);
    const integrations = sorted.map((integration) => listed(integration, managed));
    return {
      diagnostics,
      document: { servers: [{ name: target.url.host, url: target.url.origin, integrations }] },
      text: (paint) => renderList(integrations, paint),
    };
  });
}

type Managed = ReadonlyMap<string, number> | undefined;

async function managedOptions(
  run: Run,
  files: readonly string[],
  live: readonly LiveIntegration[],
): Promise<{ managed: Managed; diagnostics: readonly Diagnostic[] }> {
  if (files.length === 0) return { managed: undefined, diagnostics: [] };
  const { value: config, diagnostics } = await readConfig(run, files);
  if (config === undefined) return { managed: undefined, diagnostics };
  const matched = matchEntries(config, writtenValues(config), live);
  const counts = matched.value?.integrations.map(({ id, options }): [string, number] => [id, options.length]);
  return { managed: new Map(counts), diagnostics: [...diagnostics, ...matched.diagnostics] };
}

function listed(integration: LiveIntegration, managed: Managed): ListedIntegration {
  const { options: _, optionKeys, errorCount, ...attributes } = integration;
  const base = { ...attributes, errors: errorCount, options: optionKeys.length };
  return managed === undefined ? base : { ...base, managedOptions: managed.get(integration.id) ?? 0 };
}
