import { resolveConfig } from '../../core/config/resolve.ts';
import { compareText } from '../../core/findings/diagnostic.ts';
import type { IntegrationError } from '../../core/live/errors.ts';
import { matchEntries } from '../../core/match/match.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderErrors } from '../../core/report/text/list.ts';
import { failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { type Configured, readConfigs } from '../reconcile/prepare.ts';
import type { CommandResult, Run } from '../run.ts';
import { findServers, type Server, usable } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';

/** Shows the integration errors that servers hold, of all or of some integrations, the latest last. */
export async function errors(run: Run, options: Options): Promise<CommandResult> {
  const { only } = options;
  const since = options.since === undefined ? undefined : parseSince(options.since, run.runtime.now());
  const found = await findServers(run, options);
  // Without --only no configuration is asked for names.
  const servers: readonly (Server & Partial<Configured>)[] =
    only === undefined ? usable(found) : (await readConfigs(run, found)).configured;
  const results = await onServers(run, options, servers, async (api, { linked, layers }) => {
    const named =
      layers.length === 0 || only === undefined ? [] : await api.integrations({ wanted: new Set() });
    const { integrations } = matchEntries(
      linked === undefined ? [] : resolveConfig(linked),
      named,
      only,
    ).value;
    const ids = new Set(integrations.map(({ id }) => id));
    const isMeant = globMatcher(only ?? '*');
    const listed = (await api.errors())
      .filter(({ integration: id }) => ids.has(id) || isMeant(id))
      .filter((error) => isSince(error, since))
      .sort((a, b) => compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id));
    return { errors: listed, diagnostics: [] };
  });
  const listed = results.flatMap(({ server: { name, url }, value }) =>
    value === undefined ? [] : [{ name, url: url.origin, errors: value.errors }],
  );
  return { diagnostics: findingsOn(results), report: linesReport({ servers: listed }, renderErrors) };
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
