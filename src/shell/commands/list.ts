import { resolveConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import { DAY } from '../../core/findings/time.ts';
import type { IntegrationError } from '../../core/live/errors.ts';
import { type Matched, matchEntries } from '../../core/match/match.ts';
import { managedOptions, type Settings } from '../../core/model/desired.ts';
import { byId } from '../../core/model/lists.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { selectedBy } from '../../core/model/selected.ts';
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
export const list: CommandBody = (run) =>
  listOn(run, async (api, server) => {
    const installed = await readInstalled(api, server, run.options.only);
    const { diagnostics } = installed.matched;
    const listing = listingOf(installed, server, run.options);
    return { installed, listing, diagnostics };
  });

/**
 * Shows the integration errors that servers hold, of all or of some
 * integrations, the latest last.
 */
export const errors: CommandBody = async (run) => {
  const { only, since } = run.options;
  const start = since === undefined ? 0 : parseSince(since, run.runtime.now());
  return listOn(run, async (api, server) => {
    const installed =
      only === undefined ? undefined : await readInstalled(api, server, only);
    const { isMeant = () => true } = installed ?? {};
    const shown = (await api.errors()).filter(
      (error) => isMeant(error.integration) && isSince(error, start),
    );
    shown.sort(
      (a, b) =>
        compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id),
    );
    return { installed, listing: { errors: shown }, diagnostics: [] };
  });
};

/** What was read of one server. */
interface ListResult {
  listing: Listing;
  diagnostics: readonly Diagnostic[];
  installed: Installed | undefined;
}

async function listOn(
  run: Run,
  work: (api: Api, server: ConfiguredServer) => Promise<ListResult>,
): Promise<CommandResult> {
  const { only, unmanaged } = run.options;
  const found = await findServers(run, run.options);
  const { configured } = await readConfigs(run, found);
  const isBare = configured.some(({ layers }) => layers.length === 0);
  if (unmanaged === true && isBare) fail(diagnostic('no-configuration', {}));
  const results = await onServers(run, configured, work);
  const servers: (Listing & { name: string; url: string })[] = [];
  for (const { server, value } of results) {
    if (value === undefined) continue;
    const url = plainAddress(server.url.href);
    servers.push({ name: server.name, url, ...value.listing });
  }
  const isFleet = configured.some(({ isInFleet }) => isInFleet);
  return {
    diagnostics: [...findingsOn(results), ...unmetOn(results, only)],
    report: linesReport({ servers, isFleet }, renderLists, (lists) => {
      return { servers: lists.servers };
    }),
  };
}

/** What is installed on a server, and what `--only` selects of it. */
interface Installed {
  /** Ordered by id. */
  live: readonly LiveIntegration[];
  matched: Matched;
  /** Whether an integration is selected, by its id. */
  isMeant: (id: string) => boolean;
  /** The names of its entries. */
  names: readonly string[];
  /** The ids and names of what is installed. */
  words: readonly string[];
}

async function readInstalled(
  api: Api,
  { written }: ConfiguredServer,
  only: string | undefined,
): Promise<Installed> {
  const read = await api.integrations({ wanted: new Set() });
  const live = read.toSorted((a, b) => compareText(a.id, b.id));
  const matched = matchEntries(resolveConfig(written), live);
  const isSelected = selectedBy(only);
  const meant = new Set<string>();
  // By its name in the YAML, and by its name on the server.
  for (const { id, name = id } of [...live, ...matched.integrations]) {
    if (isSelected(id, name)) meant.add(id);
  }
  const names = written.entries.map(({ name }) => name);
  const words = live.flatMap(({ id, name = id }) => [id, name]);
  return {
    live,
    matched,
    // Errors may be of what is not installed.
    isMeant: (id) => meant.has(id) || isSelected(id),
    names,
    words,
  };
}

function listingOf(
  { live, matched, isMeant }: Installed,
  server: ConfiguredServer,
  options: Options,
): Listing {
  const unmatched = new Set(matched.unmatched);
  const desired = byId(matched.integrations);
  const hasConfig = server.layers.length > 0;
  const integrations: Listed[] = [];
  for (const integration of live) {
    const { id, name, acronym, status, autosubscribe } = integration;
    if (!isMeant(id) || !isAskedFor(integration, options)) continue;
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
  return { integrations, installed: isWhole ? undefined : live.length };
}

/**
 * Whether an integration has the status, and the errors, that flags ask for.
 */
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
 * Warns of an `--only` that names nothing on any server. Nothing is known if
 * one of them could not be read.
 */
function unmetOn(
  results: readonly ServerResult<ListResult>[],
  only: string | undefined,
): Diagnostic[] {
  const read = valuesOf(results);
  if (only === undefined || read.length < results.length) return [];
  const words = read.flatMap(({ installed }) => installed?.words ?? []);
  if (selectedBy(only)(...words)) return [];
  const names = read.flatMap(({ installed }) => installed?.names ?? []);
  return unmetOnly(only, names.length > 0 ? names : words, words);
}

/** An error whose time cannot be read is shown rather than hidden. */
function isSince({ occurredOn }: IntegrationError, since: number): boolean {
  const time = Date.parse(occurredOn.replace(' ', 'T'));
  return Number.isNaN(time) || time >= since;
}

const UNIT: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: DAY,
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
