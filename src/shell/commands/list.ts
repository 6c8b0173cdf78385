import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import {
  compareText,
  type Diagnostic,
} from '../../core/findings/diagnostic.ts';
import { matchEntries } from '../../core/match/match.ts';
import { managedOptions } from '../../core/model/desired.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { unmetOnly } from '../../core/plan/choice.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderLists } from '../../core/report/text/list.ts';
import { failUsage } from '../failure.ts';
import { readConfigs } from '../reconcile/prepare.ts';
import type { CommandBody } from '../run.ts';
import { findServers } from '../servers/server.ts';
import {
  findingsOn,
  onServers,
  type ServerResult,
} from '../servers/sessions.ts';

/** Lists the installed integrations; with a configuration also how many of their options it manages. */
export const list: CommandBody = async (run, options) => {
  const { configured } = await readConfigs(
    run,
    await findServers(run, options),
  );
  const results = await onServers(
    run,
    options,
    configured,
    async (api, { layers, linked }) => {
      const installed = await api.integrations({ wanted: new Set() });
      const live = installed.toSorted((a, b) => compareText(a.id, b.id));
      return listOf(
        live,
        layers.length === 0 ? undefined : resolveConfig(linked),
      );
    },
  );
  return {
    diagnostics: findingsOn(run, results),
    report: linesReport({ servers: shownOf(results) }, renderLists),
  };
};

/** Shows the integration errors that servers hold, of all or of some integrations, the latest last. */
export const errors: CommandBody = async (run, options) => {
  const { only } = options;
  const since =
    options.since === undefined
      ? undefined
      : parseSince(options.since, run.runtime.now());
  const { configured } = await readConfigs(
    run,
    await findServers(run, options),
  );
  const results = await onServers(
    run,
    options,
    configured,
    async (api, { linked }) => {
      const live =
        only === undefined ? [] : await api.integrations({ wanted: new Set() });
      const entries = resolveConfig(linked);
      const selected = matchEntries(entries, live, only).value;
      const ids = new Set(selected.map(({ id }) => id));
      const isMeant = globMatcher(only ?? '*');
      const found = (await api.errors())
        .filter(({ integration: id }) => ids.has(id) || isMeant(id))
        .filter((error) => isSince(error, since))
        .sort(
          (a, b) =>
            compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id),
        );
      const installed = live.map(({ id }) => id);
      const names = entries.map(({ name }) => name);
      const shown = { errors: found };
      return { shown, names, installed, diagnostics: [] };
    },
  );
  return {
    diagnostics: [...findingsOn(run, results), ...unmetOn(results, only)],
    report: linesReport({ servers: shownOf(results) }, renderLists),
  };
};

/** Warns of an `--only` that names nothing on any server. Nothing is known if one of them could not be read. */
function unmetOn(
  results: readonly ServerResult<{
    readonly names: readonly string[];
    readonly installed: readonly string[];
  }>[],
  only: string | undefined,
): Diagnostic[] {
  const read = results.flatMap(({ value }) => value ?? []);
  if (only === undefined || read.length < results.length) return [];
  const installed = read.flatMap((each) => each.installed);
  const names = read.flatMap((each) => each.names);
  if (installed.some(globMatcher(only))) return [];
  return unmetOnly(only, names.length > 0 ? names : installed, installed);
}

/** What was read of each server, with its name. */
function shownOf<Shown>(
  results: readonly ServerResult<{ readonly shown: Shown }>[],
) {
  return results.flatMap(({ server: { name, url }, value }) =>
    value === undefined ? [] : [{ name, url: url.origin, ...value.shown }],
  );
}

function listOf(
  live: readonly LiveIntegration[],
  config: ResolvedConfig | undefined,
) {
  const { value, diagnostics } = matchEntries(config ?? [], live);
  const managed = new Map(value.map(({ id, settings }) => [id, settings]));
  const integrations = live.map((each) => {
    const {
      id,
      name,
      acronym,
      status,
      autosubscribe,
      errorCount: errors,
      optionKeys,
    } = each;
    const settings = managed.get(id);
    const keys = settings === undefined ? [] : managedOptions(settings);
    const listed = new Set(
      keys.filter((key) => optionKeys.size === 0 || optionKeys.has(key)),
    );
    return {
      id,
      ...present({ name, acronym, status, autosubscribe, errors }),
      options: optionKeys.size,
      ...(config === undefined ? {} : { managedOptions: listed.size }),
    };
  });
  return { shown: { integrations }, diagnostics };
}

/** An error whose time cannot be read is shown rather than hidden. */
function isSince(
  { occurredOn }: { readonly occurredOn: string },
  since = 0,
): boolean {
  const time = Date.parse(occurredOn.replace(' ', 'T'));
  return Number.isNaN(time) || time >= since;
}

const UNIT: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A duration back from now (`90m`, `24h`, `7d`) or an ISO 8601 date or time, in milliseconds since the epoch. */
function parseSince(text: string, now: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (UNIT[unit] ?? 0);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text)
    ? Date.parse(text.replace(' ', 'T'))
    : Number.NaN;
  return Number.isNaN(time)
    ? failUsage(
        '--since is neither a duration nor a time.',
        'Write 24h, 7d or 2026-01-31T12:00:00Z.',
      )
    : time;
}
