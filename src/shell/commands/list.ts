import { resolveConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import type { IntegrationError } from '../../core/live/errors.ts';
import { matchEntries } from '../../core/match/match.ts';
import { managedOptions, type Settings } from '../../core/model/desired.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { unmetOnly } from '../../core/plan/unmet.ts';
import { linesReport } from '../../core/report/report.ts';
import {
  type Listed,
  type Listing,
  renderLists,
} from '../../core/report/text/list.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import type { CommandBody, CommandResult, Run } from '../run.ts';
import { findingsOn, type ServerResult, valuesOf } from '../servers/results.ts';
import {
  type ConfiguredServer,
  findServers,
  readConfigs,
} from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';

/**
 * Lists the installed integrations, or some of them; with a configuration also
 * how many of their options it manages.
 */
export const list: CommandBody = (run) => {
  const { options } = run;
  return listOn(run, options, (api, server) =>
    listInstalled(api, server, options),
  );
};

/**
 * Shows the integration errors that servers hold, of all or of some
 * integrations, the latest last.
 */
export const errors: CommandBody = async (run) => {
  const { options } = run;
  const { only, since } = options;
  const start = since === undefined ? 0 : parseSince(since, run.runtime.now());
  return listOn(run, options, async (api, server) => {
    const wanted = new Set<string>();
    const live = only === undefined ? [] : await api.integrations({ wanted });
    const choice = choose(server, live, only);
    const shown = (await api.errors()).filter(
      (error) => choice.isMeant(error.integration) && isSince(error, start),
    );
    shown.sort(
      (a, b) =>
        compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id),
    );
    const listing = { errors: shown };
    return { ...choice, listing, diagnostics: [] };
  });
};

/** What `--only` selects on one server, and could have meant there. */
interface Choice {
  readonly isMeant: (id: string) => boolean;
  /** The names of its entries. */
  readonly names: readonly string[];
  /** The ids and names of what is installed. */
  readonly installed: readonly string[];
}

/** What was read of one server. */
interface ListResult extends Choice {
  readonly listing: Listing;
  readonly diagnostics: readonly Diagnostic[];
}

async function listOn(
  run: Run,
  options: Options,
  work: (api: Api, server: ConfiguredServer) => Promise<ListResult>,
): Promise<CommandResult> {
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  const isBare = configured.some(({ layers }) => layers.length === 0);
  if (options.unmanaged === true && isBare) {
    fail(diagnostic('no-configuration', {}));
  }
  const results = await onServers(run, configured, work);
  const servers: (Listing & { readonly name: string; readonly url: string })[] =
    [];
  for (const { server, value } of results) {
    if (value === undefined) continue;
    const url = plainAddress(server.url.href);
    servers.push({ name: server.name, url, ...value.listing });
  }
  const isFleet = configured.some(({ isInFleet }) => isInFleet);
  return {
    diagnostics: [...findingsOn(results), ...unmetOn(results, options.only)],
    report: linesReport({ servers, isFleet }, renderLists, (lists) => {
      return { servers: lists.servers };
    }),
  };
}

async function listInstalled(
  api: Api,
  server: ConfiguredServer,
  options: Options,
): Promise<ListResult> {
  const read = await api.integrations({ wanted: new Set() });
  const live = read.toSorted((a, b) => compareText(a.id, b.id));
  const choice = choose(server, live, options.only);
  const matched = matchEntries(resolveConfig(server.linked), live);
  const { diagnostics } = matched;
  const unmatched = new Set(matched.unmatched);
  const desired = new Map(matched.integrations.map((own) => [own.id, own]));
  const hasConfig = server.layers.length > 0;
  const integrations: Listed[] = [];
  for (const integration of live) {
    const { id, name, acronym, status, autosubscribe } = integration;
    if (!choice.isMeant(id) || !isAskedFor(integration, options)) continue;
    if (options.unmanaged === true && !unmatched.has(id)) continue;
    const { optionKeys, errorCount: errors } = integration;
    const managed = countManaged(optionKeys, desired.get(id)?.settings);
    integrations.push({
      id,
      name,
      acronym,
      status,
      autosubscribe,
      errors,
      options: optionKeys.size,
      managedOptions: hasConfig ? managed : undefined,
    });
  }
  const isWhole = integrations.length === live.length;
  const installed = isWhole ? undefined : live.length;
  return { ...choice, listing: { integrations, installed }, diagnostics };
}

/** Whether an integration has the status, and the errors, that flags ask for. */
function isAskedFor(
  { status, errorCount }: LiveIntegration,
  options: Options,
): boolean {
  if (options.withErrors === true && errorCount === 0) return false;
  return options.status === undefined || status === options.status;
}

/**
 * Counts managed options among those that are listed; all of them if none is.
 */
function countManaged(
  listed: ReadonlySet<string>,
  settings: Settings | undefined,
): number {
  const managed = settings === undefined ? [] : managedOptions(settings);
  if (listed.size === 0) return managed.length;
  return managed.filter((key) => listed.has(key)).length;
}

/**
 * Makes what selects integrations by their ids: by a glob on these, or on the
 * names of what is installed and of entries.
 */
function choose(
  { linked }: ConfiguredServer,
  live: readonly LiveIntegration[],
  only: string | undefined,
): Choice {
  const entries = resolveConfig(linked);
  const selected = matchEntries(entries, live, only).integrations;
  const ids = new Set(selected.map(({ id }) => id));
  const matches = globMatcher(only ?? '*');
  const installed: string[] = [];
  for (const { id, name = id } of live) {
    installed.push(id, name);
    if (matches(name)) ids.add(id);
  }
  return {
    isMeant: (id) => ids.has(id) || matches(id),
    names: entries.map(({ name }) => name),
    installed,
  };
}

/**
 * Warns of an `--only` that names nothing on any server. Nothing is known if
 * one of them could not be read.
 */
function unmetOn(
  results: readonly ServerResult<Choice>[],
  only: string | undefined,
): Diagnostic[] {
  const read = valuesOf(results);
  if (only === undefined || read.length < results.length) return [];
  const installed = read.flatMap((result) => result.installed);
  if (installed.some(globMatcher(only))) return [];
  const names = read.flatMap((result) => result.names);
  return unmetOnly(only, names.length > 0 ? names : installed, installed);
}

/** An error whose time cannot be read is shown rather than hidden. */
function isSince({ occurredOn }: IntegrationError, since: number): boolean {
  const time = Date.parse(occurredOn.replace(' ', 'T'));
  return Number.isNaN(time) || time >= since;
}

const UNIT: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration back from now (`90m`, `24h`, `7d`) or an ISO 8601 date or
 * time.
 */
function parseSince(text: string, now: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (UNIT[unit] ?? 0);
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  const time = Date.parse(text.replace(' ', 'T'));
  if (day !== undefined && !Number.isNaN(time)) {
    // Date takes 30 February for a day of March.
    if (new Date(day).toISOString().startsWith(day)) return time;
  }
  return failUsage(
    '--since is neither a duration nor a time.',
    'Write 24h, 7d or 2026-01-31T12:00:00Z.',
  );
}
