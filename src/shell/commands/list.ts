import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import type { IntegrationError } from '../../core/live/errors.ts';
import { matchEntries } from '../../core/match/match.ts';
import {
  type DesiredIntegration,
  managedOptions,
} from '../../core/model/desired.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { unmetOnly } from '../../core/plan/unmet.ts';
import { type LinesReport, linesReport } from '../../core/report/report.ts';
import {
  type Listed,
  type Lists,
  renderLists,
} from '../../core/report/text/list.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { type ConfiguredServer, readConfigs } from '../reconcile/configs.ts';
import type { CommandBody, Run } from '../run.ts';
import { findingsOn, type ServerResult, valuesOf } from '../servers/results.ts';
import { type FoundServers, findServers } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';

/**
 * Lists the installed integrations, or some of them; with a configuration also
 * how many of their options it manages.
 */
export const list: CommandBody = async (run, options) => {
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  const isBare = configured.some(({ layers }) => layers.length === 0);
  if (options.unmanaged === true && isBare) {
    fail(diagnostic('no-configuration', {}));
  }
  const results = await onServers(run, options, configured, (api, server) =>
    listInstalled(api, server, options),
  );
  return {
    diagnostics: [...findingsOn(results), ...unmetOn(results, options.only)],
    report: listsReport(results, found),
  };
};

/** What `--only` could have meant on one server. */
interface Nameable {
  /** The names of its entries. */
  readonly names: readonly string[];
  /** The ids and names of what is installed; none is read without `--only`. */
  readonly installed: readonly string[];
}

/** The integrations of one server, and the findings of its entries. */
interface ListResult extends Nameable {
  readonly shown: {
    readonly integrations: readonly Listed[];
    readonly installed?: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}

async function listInstalled(
  api: Api,
  { layers, linked }: ConfiguredServer,
  options: Options,
): Promise<ListResult> {
  const read = await api.integrations({ wanted: new Set() });
  const live = read.toSorted((a, b) => compareText(a.id, b.id));
  const config = layers.length === 0 ? undefined : resolveConfig(linked);
  const matched = matchEntries(config ?? [], live);
  const { integrations: desired, diagnostics } = matched;
  const managed = managedById(desired);
  const isMeant = integrationSelector(config ?? [], live, options.only);
  const unmatched = new Set(matched.unmatched);
  const integrations: Listed[] = [];
  for (const integration of live) {
    const { id } = integration;
    if (!isMeant(id) || !isListed(integration, options)) continue;
    if (options.unmanaged === true && !unmatched.has(id)) continue;
    const keys = managed.get(id) ?? new Set();
    integrations.push(listedIntegration(integration, config && keys));
  }
  const isWhole = integrations.length === live.length;
  const installed = isWhole ? undefined : live.length;
  return {
    shown: { integrations, ...present({ installed }) },
    names: config?.map(({ name }) => name) ?? [],
    installed: live.flatMap(namesOf),
    diagnostics,
  };
}

function namesOf({ id, name = id }: LiveIntegration): string[] {
  return [id, name];
}

/** The keys of managed options, by the ids of their integrations. */
function managedById(
  desired: readonly DesiredIntegration[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const managed = new Map<string, ReadonlySet<string>>();
  for (const { id, settings } of desired) {
    managed.set(id, new Set(managedOptions(settings)));
  }
  return managed;
}

/** Whether an integration has the status, and the errors, that flags ask for. */
function isListed(
  { status = '', errorCount = 0 }: LiveIntegration,
  options: Options,
): boolean {
  if (options.withErrors === true && errorCount === 0) return false;
  return options.status === undefined || status === options.status;
}

/**
 * Lists an integration; `managed` are the keys of its managed options,
 * undefined without a configuration.
 */
function listedIntegration(
  integration: LiveIntegration,
  managed: ReadonlySet<string> | undefined,
): Listed {
  const { id, name, acronym, status, autosubscribe, optionKeys } = integration;
  const counts = { errors: integration.errorCount };
  const options = optionKeys.size;
  const shown = { name, acronym, status, autosubscribe, ...counts };
  const managedOptions = managed && countManaged(optionKeys, managed);
  return { id, ...present(shown), options, ...present({ managedOptions }) };
}

/**
 * Counts managed options among those that are listed; all of them if none is.
 */
function countManaged(
  listed: ReadonlySet<string>,
  managed: ReadonlySet<string>,
): number {
  if (listed.size === 0) return managed.size;
  let count = 0;
  for (const key of managed) {
    if (listed.has(key)) count += 1;
  }
  return count;
}

/**
 * Shows the integration errors that servers hold, of all or of some
 * integrations, the latest last.
 */
export const errors: CommandBody = async (run, options) => {
  const { only } = options;
  const since = sinceOf(run, options);
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  const results = await onServers(run, options, configured, (api, server) =>
    listErrors(api, server, { only, since }),
  );
  return {
    diagnostics: [...findingsOn(results), ...unmetOn(results, only)],
    report: listsReport(results, found),
  };
};

/** The errors to show. */
interface ErrorChoice {
  /** A glob on ids and names. */
  readonly only: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The errors of one server. */
interface ErrorsResult extends Nameable {
  readonly shown: { readonly errors: readonly IntegrationError[] };
  readonly diagnostics: readonly Diagnostic[];
}

async function listErrors(
  api: Api,
  { linked }: ConfiguredServer,
  { only, since }: ErrorChoice,
): Promise<ErrorsResult> {
  const live =
    only === undefined ? [] : await api.integrations({ wanted: new Set() });
  const entries = resolveConfig(linked);
  const isMeant = integrationSelector(entries, live, only);
  const shown: IntegrationError[] = [];
  for (const error of await api.errors()) {
    if (isMeant(error.integration) && isSince(error, since)) shown.push(error);
  }
  return {
    shown: { errors: shown.sort(compareErrors) },
    names: entries.map(({ name }) => name),
    installed: live.flatMap(namesOf),
    diagnostics: [],
  };
}

/**
 * Makes what selects integrations by their ids: by a glob on these, or on the
 * names of their entries.
 */
function integrationSelector(
  entries: ResolvedConfig,
  live: readonly LiveIntegration[],
  only: string | undefined,
): (id: string) => boolean {
  const selected = matchEntries(entries, live, only).integrations;
  const ids = new Set(selected.map(({ id }) => id));
  const matches = globMatcher(only ?? '*');
  for (const { id, name = '' } of live) if (matches(name)) ids.add(id);
  return (id) => ids.has(id) || matches(id);
}

function compareErrors(a: IntegrationError, b: IntegrationError): number {
  return compareText(a.occurredOn, b.occurredOn) || compareText(a.id, b.id);
}

/**
 * Warns of an `--only` that names nothing on any server. Nothing is known if
 * one of them could not be read.
 */
function unmetOn(
  results: readonly ServerResult<Nameable>[],
  only: string | undefined,
): Diagnostic[] {
  const read = valuesOf(results);
  if (only === undefined || read.length < results.length) return [];
  const installed = read.flatMap((result) => result.installed);
  if (installed.some(globMatcher(only))) return [];
  const names = read.flatMap((result) => result.names);
  return unmetOnly(only, names.length > 0 ? names : installed, installed);
}

/** What was read of one server. */
interface ReadServer {
  readonly shown: ListResult['shown'] | ErrorsResult['shown'];
}

/** Reports what was read of each server. */
function listsReport(
  results: readonly ServerResult<ReadServer>[],
  { isFleet }: FoundServers,
): LinesReport {
  const servers: (Lists['servers'][number] & { readonly url: string })[] = [];
  for (const { server, value } of results) {
    if (value === undefined) continue;
    const { name } = server;
    const url = plainAddress(server.url.href);
    servers.push({ name, url, ...value.shown });
  }
  return linesReport({ servers, isFleet }, renderLists, (lists) => {
    return { servers: lists.servers };
  });
}

/** An error whose time cannot be read is shown rather than hidden. */
function isSince({ occurredOn }: IntegrationError, since: number): boolean {
  const time = Date.parse(occurredOn.replace(' ', 'T'));
  return Number.isNaN(time) || time >= since;
}

/**
 * Returns the start of `--since`, in milliseconds since the epoch; 0 without
 * the flag.
 */
function sinceOf({ runtime }: Run, { since }: Options): number {
  return since === undefined ? 0 : parseSince(since, runtime.now());
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
