import { count, enumerated, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';

/** The report of a pull from one server. */
export interface PullReport {
  readonly name: string;
  readonly url: string;
  /** The files that were written. */
  readonly files: readonly { readonly path: string }[];
  /** The folder of new entries. */
  readonly into: string;
  /** How many entries were written. */
  readonly adopted: number;
  /** How many options they declare. */
  readonly options: number;
  /** How it differs from what it shares with others, in its first pull. */
  readonly overlay?: OverlaySummary | undefined;
  /** The shared entries that a later pull took back here. */
  readonly notInstalled: readonly string[];
  /** The layers that an overlay is laid over. */
  readonly shared: readonly string[];
  /** Whether all files were written. */
  readonly isWhole: boolean;
  /** Whether a flag or an interruption kept integrations out. */
  readonly isPart: boolean;
  /** How many integrations the configuration managed before. */
  readonly managed: number;
  /** The variables of the new entries. */
  readonly variables: readonly PulledVariable[];
  /** The file that lists the variables; absent if there are none. */
  readonly example?: string;
  /** The file with the secrets, if one was asked for. */
  readonly secrets?: WrittenSecrets;
  readonly leftOut: readonly LeftOut[];
  readonly outdated: readonly OutdatedMatch[];
  readonly undeclared: readonly Undeclared[];
  readonly next: readonly PullStep[];
}

/** How many shared entries are alike on a server, differ, or are absent. */
interface OverlaySummary {
  readonly alike: number;
  readonly differing: number;
  /** How many fields differ. */
  readonly fields: number;
  readonly absent: number;
}

interface WrittenSecrets {
  readonly path: string;
  readonly count: number;
  /** How many of them have a file of their own. */
  readonly files: number;
}

interface PulledVariable {
  readonly variable: string;
  /** Whether the server shows its value. */
  readonly isShown: boolean;
}

/** A field, option or integration that is not written, and why. */
interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

/** An entry whose match finds nothing by now, and a match that fits. */
interface OutdatedMatch {
  readonly name: string;
  readonly match: string;
  readonly fitting: string;
}

/** Options of an integration that no file declares. */
interface Undeclared {
  readonly name: string;
  readonly options: readonly string[];
}

/**
 * Something for a person to do: in words, or a command that runs as it is
 * printed.
 */
export interface PullStep {
  readonly text: string;
  readonly isCommand: boolean;
}

/**
 * Shows the files and secrets of pulls, what is left out, and the next steps.
 */
export function renderPull(
  { servers }: { readonly servers: readonly PullReport[] },
  view: View,
): string {
  return servers.map((report) => pullText(report, view)).join('');
}

function pullText(report: PullReport, view: View): string {
  const { width } = view;
  const { undeclared, leftOut, outdated } = report;
  const alone = undeclared.length === 0 ? [] : [undeclaredText(undeclared)];
  const leftOutTexts = [
    ...leftOutLines(leftOut),
    ...outdated.map(outdatedText),
  ];
  return paragraphs([
    wrapped(pulledText(report), width),
    secretLines(report, width),
    section('Left out:', leftOutTexts, width),
    alone.flatMap((text) => wrapped(text, width)),
    stepLines(report.next, view),
  ]);
}

function wrapped(text: string, width: number, indent = 0): string[] {
  return filled(visible(text), width, indent);
}

/** Wraps texts under a title; nothing without any. */
function section(
  title: string,
  texts: readonly string[],
  width: number,
): string[] {
  if (texts.length === 0) return [];
  return [title, ...texts.flatMap((text) => wrapped(text, width, 2))];
}

function pulledText(report: PullReport): string {
  const { name, managed, overlay } = report;
  if (overlay !== undefined) return overlayText(report, overlay);
  const none = report.isWhole ? 'Nothing new on' : 'Nothing was written for';
  const texts = [
    report.adopted === 0 ? `${none} ${name}.` : adoptedText(report),
  ];
  if (managed > 0) {
    const before = count(managed, 'integration is', 'integrations are');
    texts.push(`${before} managed already.`);
  }
  if (report.notInstalled.length > 0) texts.push(notInstalledText(report));
  return texts.join(' ');
}

/** Says which shared entries a later pull took back for this server. */
function notInstalledText({ notInstalled, into }: PullReport): string {
  const entries = count(notInstalled.length, 'entry is', 'entries are');
  const are = notInstalled.length === 1 ? 'is' : 'are';
  const names = listed(notInstalled, 5);
  return `${entries} not installed: ${names} ${are} null in ${into}.`;
}

/** Says how a server differs from what it shares with others. */
function overlayText(report: PullReport, overlay: OverlaySummary): string {
  const { name, into, shared, adopted, options } = report;
  const { alike, differing, fields, absent } = overlay;
  const parts = [count(alike, 'entry is alike', 'entries are alike')];
  if (differing > 0) {
    const differ = differing === 1 ? 'differs' : 'differ';
    parts.push(`${differing} ${differ} in ${count(fields, 'field')}`);
  }
  if (absent > 0) {
    const are = absent === 1 ? 'is' : 'are';
    parts.push(`${absent} ${are} not installed`);
  }
  const counts = `${name} against ${enumerated(shared)}: ${enumerated(parts)}.`;
  const isEmpty = differing + absent + adopted === 0;
  if (isEmpty) return `${counts} It needs no overlay.`;
  if (adopted === 0) return `${counts} ${into} has what differs.`;
  const own = `${count(adopted, 'integration')} of its own with ${count(options, 'option')}`;
  return `${counts} ${into} has what differs, and ${own}.`;
}

/** Counts what was written: an account that sees little writes little. */
function adoptedText(report: PullReport): string {
  const { into, adopted, managed, isPart } = report;
  const integrations = count(adopted, 'integration');
  const options = count(report.options, 'option');
  // A match alone declares none.
  const declared = report.options === 0 ? '' : ` with ${options}`;
  const written = `${into}: ${integrations}${declared}`;
  const isAll = managed === 0 && !isPart;
  return isAll ? `${written}, all that this account sees.` : `${written}.`;
}

function secretLines(report: PullReport, width: number): string[] {
  const { variables, example, secrets } = report;
  const lines: string[] = [];
  if (variables.length > 0) {
    const needed = count(variables.length, 'secret');
    const { name, overlay } = report;
    const needing = overlay ? `${name} needs` : 'The new entries need';
    const text = `${needing} ${needed}, listed in ${example}.`;
    lines.push(...wrapped(text, width));
  }
  if (secrets !== undefined) {
    const written = count(secrets.count, 'secret');
    const { path, files } = secrets;
    const beside = `, ${files} of them as files in ${path}.d/`;
    const text = `Wrote ${written} to ${path}${files > 0 ? beside : ''}.`;
    lines.push(...wrapped(text, width));
  }
  const hidden: string[] = [];
  for (const { isShown, variable } of variables) {
    if (!isShown) hidden.push(variable);
  }
  const names = hidden.length === 0 ? [] : [listed(hidden)];
  lines.push(...section('The server does not show:', names, width));
  return lines;
}

/** Groups what is left out by its reasons. */
function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const lines: string[] = [];
  for (const [reason, alike] of grouped(leftOut, (left) => left.reason)) {
    const addresses = alike.map(({ address }) => address);
    lines.push(`${reason}: ${listed(addresses, 3)}`);
  }
  return lines;
}

/** Says how to mend an entry whose integration has another id by now. */
function outdatedText({ name, match, fitting }: OutdatedMatch): string {
  return `${name}: ${match} matches nothing by now; change it to ${fitting}`;
}

/**
 * Names options that no file declares: a few by their keys, more as a count.
 */
function undeclaredText(undeclared: readonly Undeclared[]): string {
  let total = 0;
  const names: string[] = [];
  for (const { name, options } of undeclared) {
    total += options.length;
    const keys = options.length > 3 ? `${options.length}` : options.join(', ');
    names.push(`${name} (${keys})`);
  }
  return `Not managed: ${count(total, 'option')} that no file declares: ${listed(names, 5)}.`;
}

function stepLines(steps: readonly PullStep[], view: View): string[] {
  if (steps.length === 0) return [];
  const lines = [view.paint.strong('Next:')];
  for (const { text, isCommand } of steps) {
    if (isCommand) lines.push(`  ${visible(text)}`);
    else lines.push(...wrapped(text, view.width));
  }
  return lines;
}
