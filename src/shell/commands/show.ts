import { resolveConfig, withoutMissing } from '../../core/config/resolve.ts';
import { urlText } from '../../core/config/server-url.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { isCostlyGlob } from '../../core/model/glob.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { decodeSavedReport } from '../../core/plan/saved.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import type { ServerToShow } from '../../core/show/server.ts';
import { show as showWord } from '../../core/show/show.ts';
import { fieldsAt, integrationIn, isMeant, targetsOf } from '../../core/show/targets.ts';
import { Failure, fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { planWhole } from '../reconcile/planning.ts';
import { type Prepared, readConfigs } from '../reconcile/preparation.ts';
import { reportTargets } from '../reports.ts';
import type { CommandResult, Run } from '../run.ts';
import { readCredentials } from '../servers/credentials.ts';
import { findServers } from '../servers/server.ts';
import { findingsOn, type OpenServer, onServers } from '../servers/sessions.ts';
import { findProject } from '../sources/config.ts';
import { readReferences } from '../sources/references.ts';
import { isSavedPlan, readSaved } from '../sources/saved.ts';

/** A server with its configuration, as it is written and as it is compared. */
interface Configured extends Prepared {
  readonly shown: ServerToShow;
}

/** Shows an integration, a field with all that declares it, or a saved document. */
export async function show(
  run: Run,
  options: Options,
  [word = '']: readonly string[],
): Promise<CommandResult> {
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
  const asked = await withCredentials(run, servers);
  const results = await onServers(run, { ...options, mode: 'read' }, asked, (open, server) =>
    readServer(run, open, server, word),
  );
  const read = new Map(results.map(({ server, value }) => [server.name, value?.live]));
  const known = servers.map(({ shown, name }) => ({ ...shown, live: read.get(name) }));
  const { value, diagnostics } = showWord(known, word);
  return {
    diagnostics: [...findingsOn(results), ...diagnostics],
    report: linesReport(value, (shown, view) => renderShown(shown, { ...view, full })),
  };
}

/** The servers with their configurations; a reference may be missing. Without any configuration only --url needs none. */
async function configuredServers(run: Run, options: Options, word: string): Promise<Configured[]> {
  const found = await findServers(run, options);
  const isBare = found.layers.some((layers) => layers.length === 0);
  if (isBare && (await findProject(run)) !== undefined) fail(diagnostic('no-configuration', {}));
  const { configured } = await readConfigs(run, found);
  return Promise.all(
    configured.map(async ({ server, config, written, files }) => {
      const { name, url, layers, root } = server;
      const table = await readReferences(run, config, { allowEnv: options.allowEnv ?? [], root });
      const only = integrationIn(word, written);
      const layerNames = layers.map(({ path }) => path);
      const shown = { name, url: urlText(url), layers: written, layerNames };
      return {
        ...server,
        config: resolveConfig(config, withoutMissing(table)),
        files,
        only,
        failFast: false,
        shown,
      };
    }),
  );
}

/** The servers that somebody has credentials for. */
async function withCredentials(run: Run, servers: readonly Configured[]): Promise<readonly Configured[]> {
  const all = await Promise.all(
    servers.map((server) =>
      readCredentials(run, server.credentialsName).then(
        () => [server],
        (thrown: unknown) => {
          const isNone = thrown instanceof Failure && thrown.diagnostics.every(isWithout);
          if (!isNone) throw thrown;
          return [];
        },
      ),
    ),
  );
  return all.flat();
}

function isWithout({ code, facts }: Failure['diagnostics'][number]): boolean {
  return code === 'no-credentials' && facts.missing === undefined;
}

/** Plans one server, and reads all options of what a word names there. */
async function readServer(run: Run, open: OpenServer, server: Configured, word: string) {
  const wanted = (listed: readonly LiveIntegration[]) =>
    targetsOf(server.shown.layers, listed).flatMap((target) => {
      const { installed, keys } = target;
      const isShown = isMeant(word, target) || fieldsAt(word, target).length > 0;
      if (installed === undefined || !isShown || !isPathSafe(installed.id)) return [];
      // If a list has no key at all, there may be options all the same.
      const unlisted = installed.optionKeys.size === 0 ? ['*'] : [];
      return [{ id: installed.id, keys: [...keys, ...unlisted], autosubscribe: true }];
    });
  const { live: installed, diagnostics, ...planned } = await planWhole(run, open, server, wanted);
  return { live: { installed, planned }, diagnostics: diagnostics.filter((each) => hasErrors([each])) };
}
