import { resolveConfig } from '../../core/config/resolve.ts';
import { compareText } from '../../core/findings/diagnostic.ts';
import { type IntegrationError, occurredAt } from '../../core/live/integration-error.ts';
import { matchEntries } from '../../core/match/match.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderErrors } from '../../core/report/text/list.ts';
import { failUsage } from '../failure.ts';
import { readConfigs } from '../reconcile/preparation.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findServers, requireServers, type ServerOptions } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';

interface ErrorsOptions extends ServerOptions {
  readonly only?: string | undefined;
  readonly since?: string | undefined;
}

/** Shows the integration errors that servers hold, of all or of some integrations, the latest last. */
export function errors(options: ErrorsOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const since = options.since === undefined ? undefined : parseSince(options.since, runtime.now());
    const servers = await selectedServers(run, options);
    const results = await onServers(
      run,
      { ...options, mode: 'read' },
      servers,
      async ({ api }, { config }) => {
        const named = config === undefined ? [] : await api.integrations({ wanted: new Set() });
        const { integrations } = matchEntries(config ?? [], named, options.only).value;
        const ids = new Set(integrations.map(({ id }) => id));
        const isMeant = globMatcher(options.only ?? '*');
        return selected(await api.errors(), since, (id) => ids.has(id) || isMeant(id));
      },
    );
    const listings = results.flatMap(({ server: { name, url }, value }) =>
      value === undefined ? [] : [{ name, url: url.origin, errors: value }],
    );
    return {
      diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
      report: linesReport({ servers: listings }, renderErrors),
    };
  });
}

/** The servers; with --only also their configurations, since it may name an entry. */
async function selectedServers(run: Run, options: ErrorsOptions) {
  if (options.only === undefined)
    return (await requireServers(run, options)).map((server) => ({ ...server, config: undefined }));
  const { configured } = await readConfigs(run, await findServers(run, options));
  return configured.map(({ server, config }) => ({
    ...server,
    config: server.layers.length === 0 ? undefined : resolveConfig(config),
  }));
}

function selected(
  listed: readonly IntegrationError[],
  since: number | undefined,
  isMeant: (id: string) => boolean,
): IntegrationError[] {
  return listed
    .filter((error) => isMeant(error.integration) && isSince(error, since))
    .sort((a, b) => compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id));
}

/** An error whose time cannot be read is shown rather than hidden. */
function isSince(error: IntegrationError, since: number | undefined): boolean {
  const time = occurredAt(error);
  return since === undefined || time === undefined || time >= since;
}

const UNIT = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration back from now (`90m`, `24h`, `7d`) or an ISO 8601 date or time, in milliseconds since the epoch. */
function parseSince(text: string, now: number): number {
  const duration = /^(\d{1,6})([mhd])$/.exec(text);
  const unit = duration?.[2];
  if (duration !== null && (unit === 'm' || unit === 'h' || unit === 'd'))
    return now - Number(duration[1]) * UNIT[unit];
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(time)
    ? failUsage('--since is neither a duration nor a time.', 'Write 24h, 7d or 2026-01-31T12:00:00Z.')
    : time;
}
