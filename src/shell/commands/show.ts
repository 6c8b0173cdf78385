import { referenceFindings } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { isCostlyGlob } from '../../core/model/costly-glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import { show as showWord } from '../../core/show/show.ts';
import { integrationIn, namedBy, targetsOf } from '../../core/show/targets.ts';
import { allOrFail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { quoted } from '../paths.ts';
import type { WholeIds } from '../reconcile/live.ts';
import { planServers } from '../reconcile/plan.ts';
import { refusePages } from '../reports.ts';
import type { CommandBody, CommandResult, Run } from '../run.ts';
import { findCredentials } from '../servers/accounts.ts';
import { findingsOn } from '../servers/results.ts';
import { findServers, readConfigs } from '../servers/server.ts';
import { isOfShell } from '../sources/files.ts';
import { readReferences } from '../sources/references.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Shows an integration, a field with all that declares it, or a saved document.
 */
export const show: CommandBody = async (run, [word = '']) => {
  const { options } = run;
  if (word.endsWith('.json') || isOfShell(word)) {
    const document = await readSaved(run, word, 'show');
    const typed = { flags: '', choices: '', json: quoted(word) };
    const shown = { full: options.full, typed };
    return { diagnostics: [], report: { kind: 'document', document, shown } };
  }
  // Only a saved document has pages.
  refusePages(run.targets);
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
  const preparing = configured.map(async (server) => {
    const { written, root, variables } = server;
    const reading = { allowEnv: options.allowEnv, variables, root };
    const table = await readReferences(run, written, reading);
    const config = resolveConfig(written, table);
    const only = integrationIn(word, written);
    return { ...server, config, only, whole: wholeIn(word, written) };
  });
  const servers = await Promise.all(preparing);
  const credentials = await allOrFail(
    servers.map((server) => findCredentials(run, server)),
  );
  // Without credentials a server is shown as it is declared.
  const accessible = servers.filter((_, index) => {
    return 'secret' in (credentials[index] ?? {});
  });
  const results = await planServers(run, accessible);
  const plans = new Map(
    results.map(({ server, value }) => [server.name, value]),
  );
  const toShow = servers.map(({ name, url, written }) => ({
    name,
    url: plainAddress(url.href),
    config: written,
    planned: plans.get(name),
  }));
  const { value, diagnostics } = showWord(toShow, word);
  // A reference that is not set is no failure.
  const warnings = servers.flatMap(({ config, only }) =>
    referenceFindings(config, only),
  );
  const errors = findingsOn(results).filter((finding) => hasErrors([finding]));
  return {
    diagnostics: distinct([...warnings, ...errors, ...diagnostics]),
    report: linesReport(value, (data, view) =>
      renderShown(data, { ...view, full: options.full }),
    ),
  };
}

/** Names the integrations that a word means, which are read whole. */
function wholeIn(word: string, written: WrittenConfig): WholeIds {
  return (listed) => {
    const targets = namedBy(word, targetsOf(written, listed));
    return targets.flatMap(({ installed }) => installed?.id ?? []);
  };
}
