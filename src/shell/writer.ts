import { PROJECT_FILE } from '../core/config/project.ts';
import { compareDiagnostics, type Diagnostic } from '../core/findings/diagnostic.ts';
import { severityOf } from '../core/findings/explain.ts';
import type { SourceText } from '../core/model/place.ts';
import { present } from '../core/model/present.ts';
import { FINDINGS_PAGE, VERSION } from '../core/model/version.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import { cleaned } from '../core/report/clean.ts';
import { commandData, forLog, forTerminal } from '../core/report/escape.ts';
import { type Format, FROM_ROOT, RENDERERS } from '../core/report/formats.ts';
import { PLAIN } from '../core/report/paint.ts';
import type { Report, View } from '../core/report/report.ts';
import { renderDiagnostics } from '../core/report/text/diagnostics.ts';
import { shownInText } from '../core/report/text/plan.ts';
import { renderText } from '../core/report/text/text.ts';
import { isHideable } from '../core/scrub/scrubber.ts';
import { type ColourChoice, columnsOf, paintFor } from './colour.ts';
import { pathsInRepository } from './git-root.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { appendSummary, type ReportTarget, replaceFile } from './report-target.ts';
import type { LostOutput, Runtime } from './runtime.ts';

/** Milliseconds between two lines of progress outside a terminal. */
const LINE_EVERY = 10_000;

/** Milliseconds between two redraws of the status line on a terminal. */
const REDRAW_EVERY = 100;

const TOOL = { name: 'setpoint', version: VERSION };

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
  #statusShown = false;
  /** Whether something was written that a blank line should follow. */
  #printed = false;
  readonly #told = new Set<string>();

  constructor(runtime: Runtime, options: WriterOptions, secrets: KnownSecrets) {
    this.#runtime = runtime;
    this.#options = options;
    this.#secrets = secrets;
    this.#lastProgress = runtime.now();
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
    this.preview({ kind: 'plan', servers, isComplete: true });
  }

  /** Shows what a question is about, even under --quiet. */
  preview(report: Report): void {
    const width = columnsOf(this.#runtime.stderr);
    const shown = this.#clean(shownInText(report));
    this.#talk(renderText(shown, this.#clean([]), { paint: this.#paint, width, folder: '', tool: TOOL }));
    this.#printed = true;
  }

  /** Writes findings, each once in a run; under --quiet only the errors. */
  findings(found: readonly Diagnostic[], sources: ReadonlyMap<string, SourceText>): void {
    this.done();
    const { quiet, verbose } = this.#options;
    const untold = found.filter((each) => !this.#told.has(JSON.stringify(each)));
    const diagnostics = quiet ? untold.filter((each) => severityOf(each) === 'error') : untold;
    for (const each of diagnostics) this.#told.add(JSON.stringify(each));
    if (diagnostics.length === 0) return;
    const { stderr } = this.#runtime;
    // On a terminal a report may end on the line before.
    if (stderr.isTTY && this.#printed) stderr.write('\n');
    const { find } = this.#secrets.scrubber;
    const view = { sources, paint: this.#paint, find, notes: verbose, width: columnsOf(stderr) };
    stderr.write(renderDiagnostics(this.#clean(diagnostics), view));
  }

  /** Tells a person at a terminal, below the findings, how to read more of the first error. */
  explains(found: readonly Diagnostic[]): void {
    const inOrder = found.toSorted(compareDiagnostics);
    const error = inOrder.find((each) => severityOf(each) === 'error' && each.code !== 'usage');
    if (this.#options.quiet || !this.#runtime.stderr.isTTY || error === undefined) return;
    this.#talk(`\nSee setpoint explain ${error.code} for more.\n`);
  }

  /** Asks a question on the terminal; undefined without an answer. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.done();
    return this.#runtime.ask(forLog(this.#secrets.scrubber.clean(question)), signal);
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
    view: Pick<View, 'paint' | 'width'>,
  ): Promise<string> {
    const render = await RENDERERS[format]();
    const needed = format === 'text' ? shownInText(report) : report;
    const { folder, found: project } = FROM_ROOT.has(format)
      ? await pathsInRepository(this.#runtime.cwd, PROJECT_FILE)
      : { folder: '' };
    return render(this.#clean(needed), this.#clean(findings), {
      ...view,
      ...present({ findingsPage: FINDINGS_PAGE, project }),
      folder,
      now: this.#runtime.now(),
      tool: TOOL,
    });
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
    return forLog(forTerminal(this.#secrets.scrubber.clean(text)));
  }

  #clean<T>(data: T) {
    return cleaned(data, this.#secrets.scrubber);
  }
}

/** The least characters of what a runner is told to mask: shorter ones would mask half of a log. */
const SHORTEST_MASK = 4;

/**
 * Tells the runner of GitHub Actions to mask a secret in the log of the whole job, also in what other programs print. The
 * runner takes it out of the log; in a file it would stay.
 */
export function maskIn({ env, stderr }: Runtime): (secret: string) => void {
  if (env['GITHUB_ACTIONS'] !== 'true' || stderr.isFile) return () => {};
  return (secret) => {
    for (const text of new Set([secret, ...secret.split(/\r?\n/)]))
      if (text.trim().length >= SHORTEST_MASK && isHideable(text))
        stderr.write(`::add-mask::${commandData(text)}\n`);
  };
}
