import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { severityOf } from '../core/findings/explain.ts';
import { renderDiagnostics } from '../core/report/diagnostics-text.ts';
import { forTerminal } from '../core/report/escape.ts';
import type { Paint } from '../core/report/paint.ts';
import type { Scrub } from '../core/report/secret.ts';
import type { Runtime } from './runtime.ts';

/** Milliseconds between two lines of progress where there is no terminal. */
const LINE_EVERY = 10_000;

/** Columns of findings where there is no terminal. */
const WIDTH_OF_LOGS = 80;

/** Milliseconds between two redraws of the status line on a terminal. */
const REDRAW_EVERY = 100;

export interface TalkOptions {
  readonly runtime: Runtime;
  readonly paint: Paint;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** All that is said to a person beside the data: progress, warnings and errors, on stderr. */
export class Talk {
  readonly #runtime: Runtime;
  readonly #paint: Paint;
  readonly #quiet: boolean;
  readonly #verbose: boolean;
  #lastProgress: number;
  #statusShown = false;

  constructor({ runtime, paint, quiet, verbose }: TalkOptions) {
    this.#runtime = runtime;
    this.#paint = paint;
    this.#quiet = quiet;
    this.#verbose = verbose;
    this.#lastProgress = runtime.now();
  }

  /** One status line on a terminal, a plain line every 10 seconds elsewhere; the text is ours. */
  progress(text: string): void {
    if (this.#quiet) return;
    const { stderr } = this.#runtime;
    const now = this.#runtime.now();
    if (now - this.#lastProgress < (stderr.isTTY ? REDRAW_EVERY : LINE_EVERY)) return;
    this.#lastProgress = now;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text.slice(0, stderr.columns - 1)}`);
    else stderr.write(`${text}\n`);
    this.#statusShown = stderr.isTTY;
  }

  /** A line for those who asked for details. */
  detail(text: string): void {
    if (!this.#verbose) return;
    this.#clearStatus();
    this.#runtime.stderr.write(`${this.#paint.faint(forTerminal(text))}\n`);
  }

  /** What a person must see before a question, silence or not. */
  show(text: string): void {
    this.#clearStatus();
    this.#runtime.stderr.write(text);
  }

  /** Said when a signal waits for requests under way; after a silence it would look as if it had not come. */
  held(): void {
    if (this.#quiet) return;
    // A terminal has shown ^C where its cursor stood.
    const start = this.#runtime.stderr.isTTY ? '\n' : '';
    this.show(
      `${start}Interrupted: nothing new starts, what is under way ends.\nInterrupt again to stop at once.\n`,
    );
  }

  /** Takes the status line away, before data goes to the same terminal. */
  done(): void {
    this.#clearStatus();
  }

  /** Findings. Silence leaves the errors alone. */
  findings(found: readonly Diagnostic[], sources: ReadonlyMap<string, string>, scrub: Scrub): void {
    this.#clearStatus();
    const diagnostics = this.#quiet ? found.filter((each) => severityOf(each) === 'error') : found;
    if (diagnostics.length === 0) return;
    const { stderr } = this.#runtime;
    const width = stderr.isTTY ? Math.max(40, stderr.columns) : WIDTH_OF_LOGS;
    const view = { sources, paint: this.#paint, scrub, notes: this.#verbose, width };
    stderr.write(renderDiagnostics(diagnostics, view));
  }

  /** Asks a question on the terminal; undefined where nobody answers. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.#clearStatus();
    return this.#runtime.ask(question, signal);
  }

  #clearStatus(): void {
    if (this.#statusShown) this.#runtime.stderr.write('\r\u001b[K');
    this.#statusShown = false;
  }
}

/** The finding for an error that nobody foresaw: its message, without a stack. */
export function unexpected(thrown: unknown): Diagnostic {
  return diagnostic('unexpected', { reason: thrown instanceof Error ? thrown.message : 'an unknown error' });
}
