import { acceptDrift } from '../../core/accept/accept.ts';
import { unmanaged } from '../../core/accept/drift.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { fieldIn } from '../../core/model/address.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { linesReport } from '../../core/report/report.ts';
import { type AcceptReport, acceptanceFields, renderAcceptance } from '../../core/report/text/acceptance.ts';
import { Failure, failUsage } from '../failure.ts';
import { editedServers, rootOf } from '../reconcile/edited-servers.ts';
import { type LivePlan, planLive } from '../reconcile/planning.ts';
import { namesOf, type PlanningOptions, prepare } from '../reconcile/preparation.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { refuseUnwritable, writeEdited } from '../sources/edited-files.ts';

interface AcceptOptions extends PlanningOptions {
  readonly all?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Accepts drift: edits values where they are declared. Never writes to a server. */
export function accept(
  addresses: readonly string[],
  options: AcceptOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { all = false, yes = false } = options;
    checkArguments(addresses, all);
    const { servers, warnings } = await prepare(run, options);
    const results = await onServers(run, { ...options, mode: 'read' }, servers, (open, server) =>
      planLive(run, open, server),
    );
    const planned = results.flatMap(({ value }) => value ?? []);
    const found = [...warnings, ...findingsOn(results)].filter(({ code }) => code !== 'hides-secrets');
    if (planned.length < servers.length)
      return nothing([...found, diagnostic('not-attempted', { integrations: [] })]);
    const unmet = [
      ...unmetChoices(options, namesOf(servers), planned),
      ...unknownAddresses(addresses, planned),
    ];
    if (hasErrors(unmet)) throw new Failure([...found, ...unmet]);
    if (!yes && !runtime.canAsk) return nothing([diagnostic('needs-confirmation', {})]);
    const holdsSecret = (text: string) => run.secrets.mask.text(text) !== text;
    const { files, diagnostics } = acceptDrift(await editedServers(run, servers, planned), {
      addresses,
      holdsSecret,
    });
    const named = planned.map(({ plan: { name, url } }) => ({ name, url }));
    const report: AcceptReport = { servers: named, files, isWritten: false, isSeen: false };
    const told = [...found, ...unmet, ...diagnostics];
    const texts = await Promise.all(
      files.map(async (file) => ({ ...file, root: await rootOf(run, servers, file.path) })),
    );
    await refuseUnwritable(texts);
    if (texts.length === 0) return { diagnostics: told, report: shown(report) };
    if (!yes && !(await confirmed(run, report, told)))
      return nothing([...told, diagnostic('not-confirmed', {})]);
    await writeEdited(run, texts);
    return { diagnostics: told, report: shown({ ...report, isWritten: true, isSeen: !yes }) };
  });
}

function checkArguments(addresses: readonly string[], all: boolean): void {
  if (all && addresses.length > 0) failUsage('--all cannot be combined with addresses.');
  if (!all && addresses.length === 0)
    failUsage('accept needs addresses, or --all.', 'setpoint plan shows them.');
}

function nothing(diagnostics: readonly Diagnostic[]): CommandResult {
  return { diagnostics, report: { kind: 'none' } };
}

/** A finding for each address that names no managed field. */
function unknownAddresses(addresses: readonly string[], planned: readonly LivePlan[]): Diagnostic[] {
  const managed = planned.flatMap(({ plan, held }) =>
    plan.integrations.flatMap(({ name, id, changes, cannotTell, waived = [] }) =>
      [
        ...[...changes, ...cannotTell, ...(held.get(id) ?? [])].map((each) => each.address),
        ...waived,
      ].flatMap((address) => {
        const field = fieldIn(name, address);
        return field === undefined ? [] : [{ integration: name, field, address }];
      }),
    ),
  );
  const short = (address: string) => address.replace('.options.', '.').replace(/\.value$/, '');
  const known = managed.flatMap(({ integration, address }) => [integration, address, short(address)]);
  return unmanaged(addresses, managed).map((address) =>
    diagnostic('unknown-name', {
      word: address,
      of: 'managed field',
      ...present({ near: nearNames(address, known)[0] }),
    }),
  );
}

function shown(report: AcceptReport) {
  return linesReport(report, renderAcceptance, acceptanceFields);
}

/** Shows the edits and what is found, and asks; only the full word counts. */
async function confirmed(run: Run, report: AcceptReport, found: readonly Diagnostic[]): Promise<boolean> {
  run.writer.preview(shown(report));
  run.writer.findings(diagnosticDocuments(found), run.sources);
  const question = `\nWrite these edits to ${count(report.files.length, 'file')}? Type yes: `;
  const answer = await run.writer.ask(question, run.interruption.stopping);
  return answer?.trim().toLowerCase() === 'yes';
}
