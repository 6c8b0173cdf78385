import { type Acceptance, acceptDrift } from '../../core/accept/accept.ts';
import { acceptChoice, heldWaivers, unknownAddresses } from '../../core/accept/accept-choice.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { linesReport } from '../../core/report/report.ts';
import { type AcceptReport, acceptanceFields, renderAcceptance } from '../../core/report/text/acceptance.ts';
import { Failure, failUsage } from '../failure.ts';
import { editedServers, rootOf } from '../reconcile/edited-servers.ts';
import { type LivePlan, planLive } from '../reconcile/planning.ts';
import { namesOf, type PlanningOptions, type Prepared, prepare } from '../reconcile/preparation.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { refuseUnwritable, writeEdited } from '../sources/edited-files.ts';

interface AcceptOptions extends Omit<PlanningOptions, 'writeSecrets' | 'writeFlags' | 'onlyLabels'> {
  readonly all?: boolean | undefined;
  /** Whether places that also feed other servers or integrations are edited. */
  readonly everywhere?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Takes differences of servers back into the YAML by the smallest edits. It writes nothing to a server. */
export function accept(
  addresses: readonly string[],
  options: AcceptOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    checkArguments(addresses, options);
    const { dryRun = false, yes = false } = options;
    if (!dryRun && !yes && !runtime.canAsk)
      return {
        diagnostics: [diagnostic('needs-confirmation', {})],
        report: { kind: 'none' },
      };
    const { servers, warnings } = await prepared(run, addresses, options);
    const results = await onServers(run, { ...options, mode: 'read' }, servers, (open, server) =>
      planLive(run, open, server),
    );
    const planned = results.flatMap(({ value }) => value ?? []);
    const found = [...warnings, ...findingsOn(results)];
    if (planned.length < servers.length)
      return {
        diagnostics: [...found, diagnostic('not-attempted', { integrations: [], because: 'unplanned' })],
        report: { kind: 'none' },
      };
    const unmet = [
      ...unmetChoices(options, namesOf(servers), planned),
      ...unknownAddresses(addresses, planned),
    ];
    if (hasErrors(unmet)) throw new Failure([...found, ...unmet]);
    const edited = await editedServers(run, servers, planned);
    const acceptance = acceptDrift(
      edited,
      acceptChoice(addresses, (text) => run.secrets.scrubber.clean(text) !== text),
      options.everywhere === true,
    );
    const report = reportOf(planned, acceptance);
    const diagnostics = [...found, ...unmet, ...acceptance.diagnostics];
    const texts = await Promise.all(
      acceptance.files.map(async (file) => ({ ...file, root: await rootOf(run, servers, file.path) })),
    );
    await refuseUnwritable(texts);
    if (dryRun || texts.length === 0) return { diagnostics, report: shown(report) };
    const isAgreed = yes || (await confirmed(run, report, diagnostics));
    if (!isAgreed)
      return { diagnostics: [...diagnostics, diagnostic('not-confirmed', {})], report: { kind: 'none' } };
    await writeEdited(run, texts);
    return { diagnostics, report: shown({ ...report, isWritten: true, isSeen: !yes }) };
  });
}

function checkArguments(addresses: readonly string[], { all = false, dryRun, yes }: AcceptOptions): void {
  if (all && addresses.length > 0)
    failUsage('--all takes everything back; it cannot be combined with addresses.');
  if (!all && addresses.length === 0)
    failUsage('accept needs the addresses of what to take back, or --all.', 'setpoint plan shows them.');
  if (dryRun === true && yes === true)
    failUsage('--dry-run writes nothing; it cannot be combined with --yes.');
}

/** What `plan` prepares; with a base, what the branch itself has changed is no drift. */
async function prepared(run: Run, addresses: readonly string[], options: AcceptOptions) {
  const { servers, warnings } = await prepare(run, options);
  const without = ({ waivers, ...server }: Prepared) => ({
    ...server,
    waivers: heldWaivers(waivers, addresses),
  });
  return { servers: servers.map(without), warnings };
}

function reportOf(planned: readonly LivePlan[], { files }: Acceptance): AcceptReport {
  const servers = planned.map(({ plan: { name, url } }) => ({ name, url }));
  const shown = files.map(({ path, isNew, diff, fields }) => ({ path, isNew, diff, fields }));
  return { servers, files: shown, isWritten: false, isSeen: false };
}

function shown(report: AcceptReport) {
  return linesReport(report, renderAcceptance, acceptanceFields);
}

/** Shows the edits and what is found, and asks; only the full word counts. */
async function confirmed(run: Run, report: AcceptReport, found: readonly Diagnostic[]): Promise<boolean> {
  run.writer.preview(shown(report));
  run.writer.findings(found, run.sources);
  const question = `\nWrite these edits to ${count(report.files.length, 'file')}? Type yes: `;
  const answer = await run.writer.ask(question, run.interruption.stopping);
  return answer?.trim().toLowerCase() === 'yes';
}
