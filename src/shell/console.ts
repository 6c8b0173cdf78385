import type { Diagnostic } from '../core/findings/diagnostic.ts';
import { severityOf } from '../core/findings/explain.ts';
import type { SourceText } from '../core/model/place.ts';
import { renderDiagnostics } from '../core/report/diagnostics-text.ts';
import { forLog, forTerminal } from '../core/report/escape.ts';
import type { Paint } from '../core/report/paint.ts';
import type { Scrub } from '../core/report/secret.ts';
import { columnsOf } from './colour.ts';
import type { Runtime } from './runtime.ts';

/** Milliseconds between two lines of progress outside a terminal. */
const LINE_EVERY = 10_000;

/** Milliseconds between two redraws of the status line on a terminal. */
const REDRAW_EVERY = 100;

interface ConsoleOptions {
  readonly paint: Paint;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** What a person reads beside the data, on stderr: progress, warnings, errors and questions. */
export class Console {
  readonly #runtime: Runtime;
  readonly #options: ConsoleOptions;
  #lastProgress: number;
  #statusShown = false;

  constructor(runtime: Runtime, options: ConsoleOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#lastProgress = runtime.now();
  }

  /** Shows one status line on a terminal, a plain line every 10 seconds elsewhere. Takes our own words only. */
  progress(text: string): void {
    if (this.#options.quiet) return;
    const { stderr } = this.#runtime;
    const line = forLog(text);
    const now = this.#runtime.now();
    if (now - this.#lastProgress < (stderr.isTTY ? REDRAW_EVERY : LINE_EVERY)) return;
    this.#lastProgress = now;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${line.slice(0, stderr.columns - 1)}`);
    else stderr.write(`${line}\n`);
    this.#statusShown = stderr.isTTY;
  }

  /** Writes a line of detail under --verbose. */
  detail(text: string): void {
    if (!this.#options.verbose) return;
    this.done();
    this.#runtime.stderr.write(forLog(`${this.#options.paint.faint(forTerminal(text))}\n`));
  }

  /** Writes what a person must see before a question, even under --quiet. */
  show(text: string): void {
    this.done();
    this.#runtime.stderr.write(forLog(text));
  }

  /** Confirms a signal that waits for requests in flight. */
  held(): void {
    if (this.#options.quiet) return;
    // A terminal has printed ^C at the cursor.
    const start = this.#runtime.stderr.isTTY ? '\n' : '';
    this.show(
      `${start}Interrupted: finishing requests in flight, starting no new ones.\nInterrupt again to stop at once.\n`,
    );
  }

  /** Clears the status line, before data goes to the same terminal. */
  done(): void {
    if (this.#statusShown) this.#runtime.stderr.write('\r\u001b[K');
    this.#statusShown = false;
  }

  /** Writes findings; under --quiet only the errors. */
  findings(found: readonly Diagnostic[], sources: ReadonlyMap<string, SourceText>, scrub: Scrub): void {
    this.done();
    const { paint, quiet, verbose } = this.#options;
    const diagnostics = quiet ? found.filter((each) => severityOf(each) === 'error') : found;
    if (diagnostics.length === 0) return;
    const { stderr } = this.#runtime;
    const view = { sources, paint, scrub, notes: verbose, width: columnsOf(stderr) };
    stderr.write(renderDiagnostics(diagnostics, view));
  }

  /** Asks a question on the terminal; undefined without an answer. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.done();
    return this.#runtime.ask(forLog(question), signal);
  }
}
