import { styleText } from 'node:util';
import { ownCredentials } from '../core/model/own-credential.ts';
import type { Sources } from '../core/model/place.ts';
import { proxyIn } from '../core/model/proxy.ts';
import { hide, reveal, type Secret } from '../core/model/secret.ts';
import type { Document } from '../core/plan/plan-document.ts';
import { commandData, forLog, visible } from '../core/report/escape.ts';
import { type Masker, masker } from '../core/report/mask.ts';
import {
  PLAIN,
  type Tone,
  type Typed,
  type View,
} from '../core/report/report.ts';
import { flagNamed, type Options } from './flags.ts';
import { quoted } from './paths.ts';
import type { Environment, Runtime, Sink } from './runtime.ts';

/** Milliseconds of silence before a line of progress outside a terminal. */
const LINE_EVERY = 30_000;

/** Milliseconds between two redraws of the status line on a terminal. */
const REDRAW_EVERY = 100;

/** Columns of a line of progress. */
const WIDEST_LINE = 80;

type Findings = Document['diagnostics'];

/** What is done on a server, or on all of them. */
export interface ProgressLine {
  /** As setpoint.yaml spells it; undefined for all servers. */
  server: string | undefined;
  text: string;
  /** The columns of the longest name of a server. */
  columns: number;
  /** When its work began. */
  since: number;
}

/**
 * The only way from a run to the terminal: data on stdout, talk on stderr,
 * without the secrets that the run knows.
 */
export class Writer {
  readonly #runtime: Runtime;
  readonly #talk: Options;
  readonly #secrets = new Set<string>();
  #mask: Masker | undefined;
  #lastProgress: number;
  #statusShown = false;
  /** Whether a text stands above that a blank line should follow. */
  #isBelowText = false;
  readonly #reported = new Set<string>();

  constructor(runtime: Runtime, talk: Options) {
    this.#runtime = runtime;
    this.#talk = talk;
    // A terminal shows the first status at once.
    this.#lastProgress = this.#hasStatus
      ? Number.NEGATIVE_INFINITY
      : runtime.now();
    const { env } = runtime;
    const secrets = [...ownCredentials(env), ...(proxyIn(env)?.secrets ?? [])];
    for (const text of secrets) this.addSecret(hide(text));
  }

  /** Whether stderr can show a line that is written again and again. */
  get #hasStatus(): boolean {
    const { env, stderr } = this.#runtime;
    return stderr.isTTY && env['TERM'] !== 'dumb';
  }

  /** Keeps the secrets of the run out of all that it writes. */
  get mask(): Masker {
    this.#mask ??= masker(this.#secrets);
    return this.#mask;
  }

  /**
   * Adds a secret that the run was given by the environment, a file or a login.
   */
  addSecret(secret: Secret<string>): void {
    const text = reveal(secret);
    if (text === '' || this.#secrets.has(text)) return;
    this.#secrets.add(text);
    this.#mask = undefined;
    this.#maskInJob(text);
  }

  /**
   * Lets the runner of GitHub Actions take a secret out of the log of the whole
   * job.
   */
  #maskInJob(secret: string): void {
    const { env, stderr } = this.#runtime;
    // In a file or on a terminal the line would stay.
    if (stderr.isFile || stderr.isTTY) return;
    if (env['GITHUB_ACTIONS'] !== 'true') return;
    for (const part of new Set([secret, ...secret.split(/\r?\n/)])) {
      const isMasked = masker([part]).text(part) !== part;
      if (isMasked) stderr.write(`::add-mask::${commandData(part)}\n`);
    }
  }

  /** Returns how text is shown on a sink, or in a file. */
  view(sink: 'stdout' | 'stderr' | 'file'): View {
    const { color = 'auto', verbose, quiet } = this.#talk;
    const common = { verbose, quiet, typed: typedOf(this.#talk) };
    if (sink === 'file') return { paint: PLAIN, width: 80, ...common };
    const { env, [sink]: shown } = this.#runtime;
    return {
      ...common,
      paint: wantsColour(color, env, shown) ? COLOURED : PLAIN,
      width: Math.max(40, shown.columns),
      isPiped: !shown.isTTY,
    };
  }

  /**
   * Shows one status line on a terminal that can move its cursor, a line after
   * 30 seconds of silence elsewhere.
   */
  status(line: ProgressLine): void {
    if (this.#talk.quiet) return;
    const { stderr } = this.#runtime;
    const pause = this.#hasStatus ? REDRAW_EVERY : LINE_EVERY;
    const now = this.#runtime.now();
    if (now - this.#lastProgress < pause) return;
    this.#lastProgress = now;
    if (!this.#hasStatus) {
      this.#say(`${this.#timed(line)}\n`);
      return;
    }
    const { server, text } = line;
    const status = this.#line(
      server === undefined ? text : `${server}: ${text}`,
    );
    stderr.write(`\r\u001b[K${status.slice(0, stderr.columns - 1)}`);
    this.#statusShown = true;
  }

  /** Writes a line of progress that stays. */
  stays(line: ProgressLine, tone: Tone): void {
    if (this.#talk.quiet) return;
    const { paint } = this.view('stderr');
    this.#say(`${this.#timed(line, paint[tone])}\n`);
    this.#lastProgress = this.#runtime.now();
  }

  /** A line of progress with the time that it took at the right edge. */
  #timed(
    { server, text, columns, since }: ProgressLine,
    paint = PLAIN.note,
  ): string {
    const seconds = (this.#runtime.now() - since) / 1000;
    const time = `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
    const lead =
      server === undefined ? text : `${server.padEnd(columns)}  ${text}`;
    const line = this.#line(lead);
    const width = Math.min(this.#runtime.stderr.columns, WIDEST_LINE);
    const gap = Math.max(2, width - line.length - time.length);
    return `${paint(line)}${' '.repeat(gap)}${time}`;
  }

  /** Writes a line of detail under --verbose. */
  detail(text: string): void {
    if (!this.#talk.verbose) return;
    const { paint } = this.view('stderr');
    this.#say(`${paint.dim(this.#line(text))}\n`);
  }

  /** Writes a line to stderr, even under --quiet. */
  log(text: string): void {
    this.#say(`${this.#line(text)}\n`);
  }

  /**
   * Shows what a question is about, even under --quiet. It must be masked
   * already.
   */
  preview(text: string): void {
    this.#say(text);
    this.#isBelowText = true;
  }

  /**
   * Writes findings, each once in a run; under --quiet only those that decide
   * about the exit code. With `isBeforeTotal` the rest of a report follows.
   */
  async findings(
    findings: Findings,
    sources: Sources,
    isBeforeTotal = false,
  ): Promise<void> {
    this.#clear();
    const unreported = this.#unreported(findings);
    if (unreported.length === 0) return;
    const { renderFindings } = await import('../core/report/text/findings.ts');
    const view = { ...this.view('stderr'), sources, isBeforeTotal };
    const rendered = renderFindings(this.mask.data(unreported), view);
    const text = this.mask.text(rendered);
    if (text === '') return;
    const hasBlank = this.#isBelowText && !isBeforeTotal;
    this.#runtime.stderr.write(hasBlank ? `\n${text}` : text);
  }

  /** Selects the findings to report, and remembers them. */
  #unreported(findings: Findings): Findings {
    const { quiet, strict } = this.#talk;
    const unreported: Findings[number][] = [];
    for (const finding of findings) {
      const { severity } = finding;
      const isDecisive =
        severity === 'error' || (severity === 'warning' && strict === true);
      if (quiet && !isDecisive) continue;
      const key = JSON.stringify(finding);
      if (!this.#reported.has(key)) unreported.push(finding);
      this.#reported.add(key);
    }
    return unreported;
  }

  /**
   * Asks a question on the terminal; only the full word is a yes. After a `y`
   * it asks once more.
   */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    this.#clear();
    let answer = await this.#ask(`\n${question} Type yes: `, signal);
    if (answer === 'y') {
      answer = await this.#ask('Type the whole word, yes: ', signal);
    }
    this.#say('\n');
    this.#isBelowText = false;
    return answer === 'yes';
  }

  async #ask(
    question: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const prompt = forLog(this.mask.text(question));
    const answer = await this.#runtime.ask(prompt, signal);
    return answer?.trim().toLowerCase();
  }

  /** Writes data to stdout, which must be masked already. */
  print(data: string): void {
    this.#clear();
    const { stdout, stderr } = this.#runtime;
    stdout.write(data);
    // On a terminal findings would follow on the next line.
    if (data !== '' && stdout.isTTY && stderr.isTTY) this.#isBelowText = true;
  }

  /** Returns why what was written to stdout is lost. */
  lost(): Promise<string | undefined> {
    return this.#runtime.stdout.lost();
  }

  /**
   * Clears the status line, before something else goes to the same terminal.
   */
  #clear(): void {
    if (this.#statusShown) this.#runtime.stderr.write('\r\u001b[K');
    this.#statusShown = false;
  }

  #say(text: string): void {
    this.#clear();
    this.#runtime.stderr.write(forLog(text));
  }

  #line(text: string): string {
    return forLog(visible(this.mask.text(text)));
  }
}

/** What the next command needs again: of what it is, and how it gets there. */
const CARRIED = [
  'file',
  'url',
  'server',
  'secretsFile',
  'allowEnv',
  'caFile',
  'insecure',
  'hidesSecrets',
] as const satisfies readonly (keyof Options)[];

/** The choices of a plan, which it holds when it is saved. */
const CHOICES = [
  'only',
  'writeHidden',
  'allow',
  'allowChanges',
] as const satisfies readonly (keyof Options)[];

/** What the next command needs again, as typed. */
function typedOf(options: Options): Typed {
  const json = options.report?.find(({ format }) => format === 'json')?.path;
  return {
    flags: flagsOf(CARRIED, options),
    choices: flagsOf(CHOICES, options),
    live: flagsOf(['live'], options),
    json: json && quoted(json),
  };
}

function flagsOf(
  names: readonly ((typeof CARRIED | typeof CHOICES)[number] | 'live')[],
  options: Options,
): string {
  let flags = '';
  for (const name of names) {
    const value = options[name];
    const { short, typed } = flagNamed(name);
    const flag = ` ${short ?? typed}`;
    if (value === true) flags += flag;
    else for (const word of wordsOf(value)) flags += `${flag} ${quoted(word)}`;
  }
  return flags;
}

/** The values of a flag; a pipe is gone by the next command. */
function wordsOf(value: string | number | readonly string[] = []): string[] {
  const words = typeof value === 'object' ? value : [`${value}`];
  return words.filter((word) => !word.startsWith('/dev/'));
}

/**
 * Decides whether to colour: by the flag, else by NO_COLOR, FORCE_COLOR and
 * TERM, else on a terminal only.
 */
function wantsColour(
  choice: NonNullable<Options['color']>,
  env: Environment,
  sink: Sink,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return sink.isTTY && env['TERM'] !== 'dumb';
}

type Formats = Parameters<typeof styleText>[0];

/**
 * Makes what colours text. Whether to do so is decided already, so styleText
 * does not ask its stream.
 */
function style(formats: Formats): (text: string) => string {
  const options = { validateStream: false };
  return (text) => (text === '' ? '' : styleText(formats, text, options));
}

const COLOURED: View['paint'] = {
  good: style('green'),
  remove: style('red'),
  addedPart: style(['green', 'inverse']),
  removedPart: style(['red', 'inverse']),
  change: style('yellow'),
  risk: style('yellow'),
  conflict: style('magenta'),
  drift: style('cyan'),
  bad: style(['red', 'bold']),
  error: style(['red', 'bold']),
  warning: style('yellow'),
  note: style('gray'),
  strong: style('bold'),
  dim: style('gray'),
};
