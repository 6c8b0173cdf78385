import { PROJECT_FILE } from '../core/config/project.ts';
import type { Diagnostic } from '../core/findings/diagnostic.ts';
import { type DiagnosticDocument, diagnosticDocuments } from '../core/findings/explain.ts';
import type { SourceText } from '../core/model/place.ts';
import { commandNamed, type Document, documentOf, serverDocument } from '../core/plan/document.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import { commandData, forLog, forTerminal } from '../core/report/escape.ts';
import { type Format, RENDERERS } from '../core/report/formats.ts';
import { isMasked } from '../core/report/mask.ts';
import { PLAIN } from '../core/report/paint.ts';
import type { LinesReport, Report, View } from '../core/report/report.ts';
import { renderFindings } from '../core/report/text/diagnostics.ts';
import { renderText } from '../core/report/text/plan.ts';
import { type ColourChoice, columnsOf, paintFor } from './colour.ts';
import { fileFromRoot, pathsInRepository } from './git-root.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { appendSummary, type ReportTarget, replaceFile } from './report-target.ts';
import type { LostOutput, Runtime } from './runtime.ts';

/** Milliseconds between two lines of progress outside a terminal. */
const LINE_EVERY = 10_000;

/** Milliseconds between two redraws of the status line on a terminal. */
const REDRAW_EVERY = 100;

interface WriterOptions {
  readonly color: ColourChoice;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/**
 * The only way from a run to stdout, stderr and files: data on stdout and in reports, talk on stderr. It takes the secrets
 * that the run knows out of all that it writes.
 */
export class Writer {
  readonly #runtime: Runtime;
  readonly #options: WriterOptions;
  readonly #secrets: KnownSecrets;
  #lastProgress: number;
  #madeAt: number | undefined;
  #statusShown = false;
  /** Whether something was written that a blank line should follow. */
  #printed = false;
  readonly #told = new Set<string>();

  constructor(runtime: Runtime, options: WriterOptions, secrets: KnownSecrets) {
    this.#runtime = runtime;
    this.#options = options;
    this.#secrets = secrets;
    // A terminal shows the first status at once.
    this.#lastProgress = runtime.stderr.isTTY ? Number.NEGATIVE_INFINITY : runtime.now();
  }

  /** Shows one status line on a terminal, a plain line every 10 seconds elsewhere. */
  progress(text: string): void {
    if (this.#options.quiet) return;
    const { stderr } = this.#runtime;
    const now = this.#runtime.now();
    if (now - this.#lastProgress < (stderr.isTTY ? REDRAW_EVERY : LINE_EVERY)) return;
    this.#lastProgress = now;
    const line = this.#line(text);
    stderr.write(stderr.isTTY ? `\r\u001b[K${line.slice(0, stderr.columns - 1)}` : `${line}\n`);
    this.#statusShown = stderr.isTTY;
  }

  /** Writes a line of detail under --verbose. */
  detail(text: string): void {
    if (this.#options.verbose) this.#talk(`${this.#paint.faint(this.#line(text))}\n`);
  }

  /** Writes a line to stderr, even under --quiet. */
  log(text: string): void {
    this.#talk(`${this.#line(text)}\n`);
  }

  /** Confirms a signal that waits for requests in flight. */
  held(): void {
    if (this.#options.quiet) return;
    // A terminal has printed ^C at the cursor.
    const start = this.#runtime.stderr.isTTY ? '\n' : '';
    this.#talk(
      `${start}Interrupted: finishing requests in flight, starting no new ones.\nInterrupt again to stop at once.\n`,
    );
  }

  /** Shows plans before a question, even under --quiet. */
  plans(servers: readonly ServerPlan[]): void {
    const documents = servers.map((plan) => serverDocument(plan, []));
    const document = documentOf({
      command: 'plan',
      servers: documents,
      findings: [],
      fromRoot: (file) => file,
    });
    this.#preview((view) => renderText(this.#secrets.mask.data(document), view));
  }

  /** Shows what a question is about, even under --quiet. */
  preview(report: LinesReport): void {
    this.#preview((view) => report.text(this.#secrets.mask, view));
  }

  #preview(render: (view: View) => string): void {
    this.#talk(render({ paint: this.#paint, width: columnsOf(this.#runtime.stderr) }));
    this.#printed = true;
  }

  /** Writes findings, each once in a run; under --quiet only the errors. */
  findings(found: readonly DiagnosticDocument[], sources: ReadonlyMap<string, SourceText>): void {
    this.done();
    const { quiet, verbose } = this.#options;
    const untold = found.filter((each) => !this.#told.has(JSON.stringify(each)));
    const findings = quiet ? untold.filter(({ severity }) => severity === 'error') : untold;
    for (const each of findings) this.#told.add(JSON.stringify(each));
    const { stderr } = this.#runtime;
    const { text, data } = this.#secrets.mask;
    const view = { sources, paint: this.#paint, notes: verbose, width: columnsOf(stderr) };
    const shown = text(renderFindings(data(findings), view));
    // On a terminal a report may end on the line before.
    if (shown !== '') stderr.write(`${stderr.isTTY && this.#printed ? '\n' : ''}${shown}`);
  }

  /** Tells a person at a terminal, below the findings, how to read more of the first error. */
  explains(found: readonly DiagnosticDocument[]): void {
    const error = found.find(({ severity, code }) => severity === 'error' && code !== 'usage');
    if (this.#options.quiet || !this.#runtime.stderr.isTTY || error === undefined) return;
    this.#talk(`\nSee setpoint explain ${error.code} for more.\n`);
  }

  /** Asks a question on the terminal; undefined without an answer. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.done();
    return this.#runtime.ask(forLog(this.#secrets.mask.text(question)), signal);
  }

  /** Prints a line of our own to stdout. */
  print(text: string): void {
    this.#runtime.stdout.write(`${this.#line(text)}\n`);
  }

  /** Writes a report to stdout, or to `place`, the checked path of its file. Returns what was lost. */
  async report(
    report: Report,
    findings: readonly Diagnostic[],
    { format, path }: ReportTarget,
    place: string | undefined,
  ): Promise<LostOutput | undefined> {
    this.done();
    const { stdout, env } = this.#runtime;
    const view = {
      paint: paintFor(path === undefined ? this.#options.color : 'never', env, stdout),
      width: path === undefined ? columnsOf(stdout) : 80,
    };
    const text = await this.#rendered(report, findings, format, view);
    if (place !== undefined) return replaceFile(place, text);
    stdout.write(text);
    this.#printed = text !== '' && stdout.isTTY;
    return stdout.lost();
  }

  /** Adds a report to the summary of a step, where it runs in one of GitHub. Returns why it was not written. */
  async stepSummary(report: Report, findings: readonly Diagnostic[]): Promise<string | undefined> {
    const path = this.#runtime.env['GITHUB_STEP_SUMMARY'];
    if (path === undefined || path === '') return undefined;
    const text = await this.#rendered(report, findings, 'markdown', { paint: PLAIN, width: 80 });
    return appendSummary(path, text);
  }

  async #rendered(
    report: Report,
    findings: readonly Diagnostic[],
    format: Format,
    { paint, width }: Pick<View, 'paint' | 'width'>,
  ): Promise<string> {
    const { mask } = this.#secrets;
    const shown = 'shown' in report ? report.shown : {};
    const view = { ...shown, paint, width, verbose: this.#options.verbose };
    if (report.kind === 'lines' && format === 'text') {
      const text = report.text(mask, view);
      return report.isData === true ? text : forLog(text);
    }
    const [render, document] = await Promise.all([RENDERERS[format](), this.#document(report, findings)]);
    return render(document, view);
  }

  /** The document of a report, without secrets; lists have other servers in it, and only JSON shows them. */
  async #document(report: Report, findings: readonly Diagnostic[]): Promise<Document> {
    const { mask } = this.#secrets;
    if (report.kind === 'document') {
      const diagnostics = [...report.document.diagnostics, ...diagnosticDocuments(findings)];
      return mask.data({ ...report.document, diagnostics });
    }
    const { folder } = await pathsInRepository(this.#runtime.cwd, PROJECT_FILE);
    const command = commandNamed(this.#runtime.command);
    this.#madeAt ??= this.#runtime.now();
    const document = documentOf({
      ...{ command, servers: [], now: this.#madeAt, findings },
      ...partsOf(report, findings),
      fromRoot: (file) => fileFromRoot(file, folder, refsIn(report)),
    });
    const { diagnostics, ...rest } = mask.data(document);
    return { ...rest, ...(report.kind === 'lines' ? report.fields(mask) : {}), diagnostics };
  }

  /** Clears the status line, before data goes to the same terminal. */
  done(): void {
    if (this.#statusShown) this.#runtime.stderr.write('\r\u001b[K');
    this.#statusShown = false;
  }

  get #paint() {
    return paintFor(this.#options.color, this.#runtime.env, this.#runtime.stderr);
  }

  #talk(text: string): void {
    this.done();
    this.#runtime.stderr.write(forLog(text));
  }

  #line(text: string): string {
    return forLog(forTerminal(this.#secrets.mask.text(text)));
  }
}

/** The servers of a report, as its document has them. */
function partsOf(report: Report, findings: readonly Diagnostic[]) {
  if (report.kind === 'diff') return { servers: report.servers, loosened: report.loosened };
  if (report.kind !== 'changes') return {};
  const { command, servers, isComplete } = report;
  return { command, isComplete, servers: servers.map((plan) => serverDocument(plan, findings)) };
}

/** The refs that a file may be named after. */
function refsIn(report: Report): string[] {
  if (report.kind !== 'diff') return [];
  return report.servers.flatMap(({ base, head }) => [base, head].flatMap((each) => each?.ref ?? []));
}

/**
 * Tells the runner of GitHub Actions to mask a secret in the log of the whole job, also in what other programs print. The
 * runner takes it out of the log; in a file it would stay.
 */
export function maskIn({ env, stderr }: Runtime): (secret: string) => void {
  if (env['GITHUB_ACTIONS'] !== 'true' || stderr.isFile) return () => {};
  return (secret) => {
    for (const text of new Set([secret, ...secret.split(/\r?\n/)]))
      if (isMasked(text)) stderr.write(`::add-mask::${commandData(text)}\n`);
  };
}
