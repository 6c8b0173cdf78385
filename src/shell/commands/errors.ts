import { compareText } from '../../core/findings/diagnostic.ts';
import type { IntegrationError } from '../../core/live/errors.ts';
import { matchEntries } from '../../core/match/match.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderErrors } from '../../core/report/text/list.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { type Configured, configuredServers, listEach } from '../reconcile/listing.ts';
import type { CommandResult, Run } from '../run.ts';
import { requireServers } from '../servers/server.ts';

/** Shows the integration errors that servers hold, of all or of some integrations, the latest last. */
export async function errors(run: Run, options: Options): Promise<CommandResult> {
  const { only } = options;
  const since = options.since === undefined ? undefined : parseSince(options.since, run.runtime.now());
  // Without --only no configuration is asked for names.
  const found: readonly Configured[] = await (only === undefined
    ? requireServers(run, options)
    : configuredServers(run, options));
  const { servers, diagnostics } = await listEach(run, options, found, async (api, { config }) => {
    const named = config === undefined ? [] : await api.integrations({ wanted: new Set() });
    const { integrations } = matchEntries(config ?? [], named, only).value;
    const ids = new Set(integrations.map(({ id }) => id));
    const isMeant = globMatcher(only ?? '*');
    const shown = selected(await api.errors(), since, (id) => ids.has(id) || isMeant(id));
    return { shown: { errors: shown }, diagnostics: [] };
  });
  return { diagnostics, report: linesReport({ servers }, renderErrors) };
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
  const time = Date.parse(error.occurredOn.replace(' ', 'T'));
  return since === undefined || Number.isNaN(time) || time >= since;
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
