import { referenceFindings } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { isCostlyGlob } from '../../core/model/costly-glob.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import { type ServerToShow, show as showWord } from '../../core/show/show.ts';
import { findTargets, integrationIn } from '../../core/show/targets.ts';
import { allOrFail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { type ConfiguredServer, readConfigs } from '../reconcile/configs.ts';
import { type OfflinePlan, planServers } from '../reconcile/plan.ts';
import type { AdditionalParts, Prepared } from '../reconcile/prepare.ts';
import { reportTargets } from '../reports.ts';
import type { CommandBody, CommandResult, Run } from '../run.ts';
import { findAccount } from '../servers/accounts.ts';
import { findingsOn, type ServerResult } from '../servers/results.ts';
import { findServers } from '../servers/server.ts';
import { isOfShell } from '../sources/pipe.ts';
import { refuseMistaken } from '../sources/project.ts';
import { readReferences } from '../sources/references.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Shows an integration, a field with all that declares it, or a saved document.
 */
export const show: CommandBody = async (run, options, [word = '']) => {
  if (word.endsWith('.json') || isOfShell(word)) {
    const document = await readSaved(run, word, 'show');
    const shown = { full: options.full };
    return { diagnostics: [], report: { kind: 'document', document, shown } };
  }
  // Only a saved document has pages.
  reportTargets(options.report ?? [], false);
  if (isCostlyGlob(word)) failUsage('The glob has too many wildcards.');
  return showDeclared(run, options, word);
};

async function showDeclared(
  run: Run,
  options: Options,
  word: string,
): Promise<CommandResult> {
  const found = await findServers(run, options);
  const { configured } = await readConfigs(run, found);
  const preparing = configured.map((server) =>
    prepareToShow(run, options, server, word),
  );
  const servers = await Promise.all(preparing);
  const accessible = await withAccounts(run, servers);
  const results = await planServers(run, options, accessible);
  const { value, diagnostics } = showWord(toShow(servers, results), word);
  if (hasErrors(diagnostics)) await refuseMistaken(run, [word]);
  const errors = findingsOn(results).filter((finding) => hasErrors([finding]));
  const warnings = servers.flatMap((server) => server.warnings);
  const withoutCredentials = namesWithout(servers, accessible);
  const shown = { full: options.full, withoutCredentials };
  return {
    diagnostics: distinct([...warnings, ...errors, ...diagnostics]),
    report: linesReport(value, (data, view) =>
      renderShown(data, { ...view, ...shown }),
    ),
  };
}

/** Joins each server with what was read of it. */
function toShow(
  servers: readonly ShownServer[],
  results: readonly ServerResult<OfflinePlan>[],
): ServerToShow[] {
  const plans = new Map<string, OfflinePlan>();
  for (const { server, value } of results) {
    if (value !== undefined) plans.set(server.name, value);
  }
  return servers.map(({ name, url, linked }) => {
    const planned = plans.get(name);
    const live = planned && { installed: planned.live, planned };
    return { name, url: plainAddress(url.href), config: linked, live };
  });
}

/** Names the servers that are shown without their live state. */
function namesWithout(
  servers: readonly ShownServer[],
  accessible: readonly ShownServer[],
): string[] {
  const names: string[] = [];
  for (const server of servers) {
    if (!accessible.includes(server)) names.push(server.name);
  }
  return names;
}

/** A server with its configuration, as it is written and as it is compared. */
interface ShownServer extends ConfiguredServer, Prepared {
  /**
   * The findings on the references of what is shown: a missing one is no
   * failure.
   */
  readonly warnings: readonly Diagnostic[];
}

async function prepareToShow(
  run: Run,
  { allowEnv }: Options,
  server: ConfiguredServer,
  word: string,
): Promise<ShownServer> {
  const { linked, root, variables } = server;
  const reading = { allowEnv, variables, root };
  const table = await readReferences(run, linked, reading);
  const config = resolveConfig(linked, table);
  const only = integrationIn(word, linked);
  const isMeant = globMatcher(only);
  const warnings = referenceFindings(config, isMeant);
  return { ...server, config, only, warnings, also: alsoOf(word, linked) };
}

/**
 * Makes what to read in addition to what is managed: all options that a word
 * names.
 */
function alsoOf(word: string, linked: WrittenConfig): AdditionalParts {
  return (listed) => {
    const parts: Wanted[] = [];
    for (const { target } of findTargets(word, linked, listed).named) {
      const { installed, keys } = target;
      if (installed === undefined) continue;
      // If a list has no key at all, there may be options all the same.
      const unlisted = installed.optionKeys.size === 0 ? ['*'] : [];
      const { id } = installed;
      parts.push({ id, keys: [...keys, ...unlisted], autosubscribe: true });
    }
    return parts;
  };
}

/**
 * Selects the servers that there are credentials for. Another is shown without
 * its live state.
 */
async function withAccounts(
  run: Run,
  servers: readonly ShownServer[],
): Promise<readonly ShownServer[]> {
  const finding = servers.map((server) => findAccount(run, server));
  const accounts = await allOrFail(finding);
  return servers.filter((_, index) => {
    const account = accounts[index];
    return account !== undefined && 'credentials' in account;
  });
}
