import { missingReferences, oddReferences } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig, withoutMissing } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { isCostlyGlob } from '../../core/model/costly-glob.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import { show as showWord } from '../../core/show/show.ts';
import { findTargets, integrationIn } from '../../core/show/targets.ts';
import { allOrFail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { planServers } from '../reconcile/plan.ts';
import { readConfigs } from '../reconcile/prepare.ts';
import { reportTargets } from '../reports.ts';
import type { CommandBody, Run } from '../run.ts';
import { findServers } from '../servers/server.ts';
import { findAccount, findingsOn } from '../servers/sessions.ts';
import { isOfShell } from '../sources/pipe.ts';
import { readReferences } from '../sources/references.ts';
import { readSaved } from '../sources/saved.ts';

/** Shows an integration, a field with all that declares it, or a saved document. */
export const show: CommandBody = async (run, options, [word = '']) => {
  const { full = false } = options;
  if (word.endsWith('.json') || isOfShell(word)) {
    const document = await readSaved(run, word, 'show');
    return {
      diagnostics: [],
      report: { kind: 'document', document, shown: { full } },
    };
  }
  // Only a saved document has pages.
  reportTargets(options.report ?? [], false);
  if (isCostlyGlob(word)) failUsage('The glob has too many wildcards.');
  const servers = await configuredServers(run, options, word);
  // A server that nobody has credentials for is shown without what is live.
  const accounts = await allOrFail(
    servers.map((server) => findAccount(run, server)),
  );
  const asked = servers.filter(
    (_, index) => 'credentials' in (accounts[index] ?? {}),
  );
  const results = await planServers(run, options, asked);
  const read = new Map(
    results.map(({ server, value }) => [server.name, value]),
  );
  const known = servers.map(({ name, url, linked }) => {
    const planned = read.get(name);
    const live = planned && { installed: planned.live, planned };
    return {
      name,
      url: plainAddress(url.href),
      config: linked,
      live,
    };
  });
  const { value, diagnostics } = showWord(known, word);
  const errors = findingsOn(run, results).filter((each) => hasErrors([each]));
  return {
    diagnostics: distinct([
      ...servers.flatMap(({ odd }) => odd),
      ...errors,
      ...diagnostics,
    ]),
    report: linesReport(value, (shown, view) =>
      renderShown(shown, { ...view, full }),
    ),
  };
};

/** The servers with their configurations, as they are written and as they are compared; a reference may be missing. */
async function configuredServers(run: Run, options: Options, word: string) {
  const { configured } = await readConfigs(
    run,
    await findServers(run, options),
  );
  return Promise.all(
    configured.map(async (server) => {
      const { linked, root } = server;
      const table = await readReferences(run, linked, {
        allowEnv: options.allowEnv ?? [],
        root,
      });
      const config = resolveConfig(linked, withoutMissing(table));
      const only = integrationIn(word, linked);
      const isMeant = globMatcher(only);
      const odd: readonly Diagnostic[] = [
        ...missingReferences(config, isMeant),
        ...oddReferences(config, isMeant),
      ];
      return { ...server, config, only, odd, also: alsoOf(word, linked) };
    }),
  );
}

/** What to read in addition to what is managed: all options of what a word names. */
function alsoOf(word: string, linked: WrittenConfig) {
  return (listed: readonly LiveIntegration[]) =>
    findTargets(word, linked, listed).named.flatMap(
      ({ target: { installed, keys } }) => {
        if (installed === undefined) return [];
        // If a list has no key at all, there may be options all the same.
        const unlisted = installed.optionKeys.size === 0 ? ['*'] : [];
        return {
          id: installed.id,
          keys: [...keys, ...unlisted],
          autosubscribe: true,
        };
      },
    );
}
