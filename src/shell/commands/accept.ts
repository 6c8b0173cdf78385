import { acceptDrift } from '../../core/accept/accept.ts';
import { unmanaged } from '../../core/accept/drift.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { fieldAddress } from '../../core/model/place.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { linesReport } from '../../core/report/report.ts';
import { type AcceptReport, acceptanceFields, renderAcceptance } from '../../core/report/text/acceptance.ts';
import { Failure, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { editedServers, rootOf } from '../reconcile/edited-servers.ts';
import { type LivePlan, planLive } from '../reconcile/planning.ts';
import { namesOf, prepare } from '../reconcile/preparation.ts';
import type { CommandResult, Run } from '../run.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { editedFiles } from '../sources/edited-files.ts';

/** Accepts drift: edits values where they are declared. Never writes to a server. */
export async function accept(
  run: Run,
  options: Options,
  addresses: readonly string[],
): Promise<CommandResult> {
  const { all = false, yes = false } = options;
  checkArguments(addresses, all);
  const { servers, warnings } = await prepare(run, options);
  const results = await onServers(run, { ...options, mode: 'read' }, servers, (open, server) =>
    planLive(run, open, server),
  );
  const planned = results.flatMap(({ value }) => value ?? []);
  const found = [...warnings, ...findingsOn(results)].filter(({ code }) => code !== 'hides-secrets');
  if (planned.length < servers.length)
    return {
      diagnostics: [...found, diagnostic('not-attempted', { integrations: [] })],
    };
  found.push(...unmetChoices(options, namesOf(servers), planned), ...unknownAddresses(addresses, planned));
  if (hasErrors(found)) throw new Failure(found);
  if (!yes && !run.runtime.canAsk) return { diagnostics: [diagnostic('needs-confirmation', {})] };
  const holdsSecret = (text: string) => run.secrets.mask.text(text) !== text;
  const choice = { addresses, holdsSecret };
  const { files, diagnostics } = acceptDrift(await editedServers(run, servers, planned), choice);
  found.push(...diagnostics);
  const texts = await Promise.all(
    files.map(async (file) => ({ ...file, root: await rootOf(run, servers, file.path) })),
  );
  const { write } = await editedFiles(run, texts);
  const named = planned.map(({ plan: { name, url } }) => ({ name, url }));
  const report: AcceptReport = { servers: named, files, isWritten: false, isSeen: false };
  if (texts.length === 0) return { diagnostics: found, report: shown(report) };
  if (!yes && !(await confirmed(run, report, found)))
    return { diagnostics: [...found, diagnostic('not-confirmed', {})] };
  await write();
  return { diagnostics: found, report: shown({ ...report, isWritten: true, isSeen: !yes }) };
}

function checkArguments(addresses: readonly string[], all: boolean): void {
  if (all && addresses.length > 0) failUsage('--all cannot be combined with addresses.');
  if (!all && addresses.length === 0)
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
}

/** A finding for each address that names no managed field. */
function unknownAddresses(addresses: readonly string[], planned: readonly LivePlan[]): Diagnostic[] {
  const managed = planned.flatMap(({ desired }) =>
    desired.flatMap(({ name: integration, settings }) =>
      settings.map((field) => ({ integration, field, address: fieldAddress(integration, field) })),
    ),
  );
  const short = (address: string) => address.replace('.options.', '.').replace(/\.value$/, '');
  const known = managed.flatMap(({ integration, address }) => [integration, address, short(address)]);
  return unmanaged(addresses, managed).map((word) => {
    const [near] = nearNames(word, known);
    return diagnostic('unknown-name', { word, of: 'managed field', ...present({ near }) });
  });
}

function shown(report: AcceptReport) {
  return linesReport(report, renderAcceptance, acceptanceFields);
}

/** Shows the edits and what is found, and asks. */
function confirmed(run: Run, report: AcceptReport, found: readonly Diagnostic[]): Promise<boolean> {
  run.writer.preview(shown(report));
  run.writer.findings(diagnosticDocuments(found), run.sources);
  const question = `Write these edits to ${count(report.files.length, 'file')}?`;
  return run.writer.confirm(question, run.interruption.stopping);
}
