import { resolveConfig, withoutMissing } from '../../core/config/resolve.ts';
import { urlText } from '../../core/config/server-url.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { isCostlyGlob } from '../../core/model/costly-glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { decodeSavedReport } from '../../core/plan/saved.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import { show as showWord } from '../../core/show/show.ts';
import { installedAs, integrationIn, type ServerToShow } from '../../core/show/targets.ts';
import { allOrFail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { planLive } from '../reconcile/plan.ts';
import { type Prepared, readConfigs } from '../reconcile/prepare.ts';
import { reportTargets } from '../reports.ts';
import type { CommandBody, Run } from '../run.ts';
import { findAccount } from '../servers/account.ts';
import { findServers } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { readReferences } from '../sources/references.ts';
import { isSavedPlan, readSaved } from '../sources/saved.ts';

/** Shows an integration, a field with all that declares it, or a saved document. */
export const show: CommandBody = async (run, options, [word = '']) => {
  const { full = false } = options;
  if (await isSavedPlan(word, run.runtime.cwd)) {
    const document = await readSaved(run, word, decodeSavedReport);
    return { diagnostics: [], report: { kind: 'document', document, shown: { full } } };
  }
  // Only a saved document has pages.
  reportTargets(options.report ?? [], false);
  if (word === '') failUsage('The name is empty.', 'setpoint list has all names.');
  if (isCostlyGlob(word)) failUsage('The glob has too many wildcards.');
  const servers = await configuredServers(run, options, word);
  // A server that nobody has credentials for is shown without what is live.
  const accounts = await allOrFail(servers.map((server) => findAccount(run, server)));
  const asked = servers.filter((_, index) => accounts[index] !== undefined);
  const results = await onServers(run, options, asked, (api, server) => readServer(run, api, server, word));
  const read = new Map(results.map(({ server, value }) => [server.name, value?.live]));
  const known = servers.map(({ shown, name }) => ({ ...shown, live: read.get(name) }));
  const { value, diagnostics } = showWord(known, word);
  return {
    diagnostics: [...findingsOn(results), ...diagnostics],
    report: linesReport(value, (shown, view) => renderShown(shown, { ...view, full })),
  };
};

/** A server with its configuration, as it is written and as it is compared. */
interface ShownServer extends Prepared {
  readonly shown: ServerToShow;
}

/** The servers with their configurations; a reference may be missing. */
async function configuredServers(run: Run, options: Options, word: string): Promise<ShownServer[]> {
  const { configured } = await readConfigs(run, await findServers(run, options));
  return Promise.all(
    configured.map(async ({ linked, written, ...server }) => {
      const { name, url, root } = server;
      const table = await readReferences(run, linked, { allowEnv: options.allowEnv ?? [], root });
      const only = integrationIn(word, written);
      const shown = { name, url: urlText(url), layers: written };
      return { ...server, config: resolveConfig(linked, withoutMissing(table)), only, shown };
    }),
  );
}

/** Plans one server, and reads all options of what a word names there. */
async function readServer(run: Run, api: Api, server: ShownServer, word: string) {
  const also = (listed: readonly LiveIntegration[]) =>
    installedAs(word, server.shown.layers, listed).flatMap(({ installed, keys }) => {
      // If a list has no key at all, there may be options all the same.
      const unlisted = installed.optionKeys.size === 0 ? ['*'] : [];
      return { id: installed.id, keys: [...keys, ...unlisted], autosubscribe: true };
    });
  const { live: installed, diagnostics, ...planned } = await planLive(run, api, server, undefined, also);
  return { live: { installed, planned }, diagnostics: diagnostics.filter((each) => hasErrors([each])) };
}
