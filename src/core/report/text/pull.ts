import { count, enumerated, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { EntriesReport, OverlaySummary } from '../../pull/report.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';
import { nextLines, type Step } from './next.ts';

/** The report of a pull from one server. */
export interface PullReport extends EntriesReport {
  readonly name: string;
  readonly url: string;
  /** The files that were written. */
  readonly files: readonly { readonly path: string }[];
  /** The folder of new entries. */
  readonly into: string;
  /** The folder of what the server alone has, or has otherwise. */
  readonly own: string;
  /** The layers that it shares. */
  readonly shared: readonly string[];
  /** Whether all files were written. */
  readonly isWhole: boolean;
  /** Whether a flag or an interruption kept integrations out. */
  readonly isPart: boolean;
  /** The file that lists the variables; absent if there are none. */
  readonly example?: string | undefined;
  /** The file with the secrets, if one was asked for. */
  readonly secrets?: WrittenSecrets | undefined;
  readonly next: readonly Step[];
}

interface WrittenSecrets {
  readonly path: string;
  readonly count: number;
  /** How many of them have a file of their own. */
  readonly files: number;
}

/**
 * Shows the files and secrets of a pull, what is left out, and the next steps.
 */
export function renderPull(
  { servers: [report] }: { readonly servers: readonly [PullReport] },
  view: View,
): string {
  const { next, variables } = report;
  const wrapped = (text: string, indent = 0): string[] =>
    filled(visible(text), view.width, indent);
  /** Texts under a title; nothing without any. */
  const section = (title: string, texts: readonly string[]): string[] =>
    texts.length === 0
      ? []
      : [title, ...texts.flatMap((text) => wrapped(text, 2))];
  const hidden = variables.filter(({ isShown }) => !isShown);
  const names = listed(hidden.map(({ variable }) => variable));
  const notShown = hidden.length === 0 ? [] : [names];
  return paragraphs([
    wrapped(pulledText(report)),
    [
      ...secretTexts(report).flatMap((text) => wrapped(text)),
      ...section('The server does not show:', notShown),
    ],
    section('Left out:', leftOutTexts(report)),
    nextLines(next, view),
  ]);
}

function pulledText(report: PullReport): string {
  const { name, managed, overlay, isWhole, own } = report;
  const texts: string[] = [];
  if (!isWhole) texts.push(`Not all files of ${name} were written.`);
  else if (overlay !== undefined) return overlayText(report, overlay);
  else if (report.adopted > 0) texts.push(adoptedText(report));
  else texts.push(`Nothing new on ${name}.`);
  if (managed > 0) {
    const before = count(managed, 'integration is', 'integrations are');
    texts.push(`${before} managed already.`);
  }
  if (!isWhole) return texts.join(' ');
  const { rematched, notInstalled } = report;
  if (rematched.length > 0) {
    const matches = count(rematched.length, 'entry', 'entries');
    texts.push(
      `${own} has another match for ${matches}: ${listed(rematched, 5)}.`,
    );
  }
  if (notInstalled.length > 0) {
    const entries = count(notInstalled.length, 'entry is', 'entries are');
    const are = notInstalled.length === 1 ? 'is' : 'are';
    const names = listed(notInstalled, 5);
    texts.push(`${entries} not installed: ${names} ${are} null in ${own}.`);
  }
  return texts.join(' ');
}

/** Says how a server differs from what it shares with others. */
function overlayText(report: PullReport, overlay: OverlaySummary): string {
  const { name, own, shared, adopted, options } = report;
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
  if (adopted === 0) return `${counts} ${own} has what differs.`;
  const more = `${count(adopted, 'integration')} of its own with ${count(options, 'option')}`;
  return `${counts} ${own} has what differs, and ${more}.`;
}

/** Counts what was written: an account that sees little writes little. */
function adoptedText(report: PullReport): string {
  const { into, own, files, adopted, managed, isPart } = report;
  // What another server has in a file of its own is shared by nobody.
  const folders = [...new Set([into, own])].filter((folder) =>
    files.some(({ path }) => path.startsWith(folder)),
  );
  const integrations = count(adopted, 'integration');
  const options = count(report.options, 'option');
  const written = `${enumerated(folders)}: ${integrations} with ${options}`;
  const isAll = managed === 0 && !isPart;
  return isAll ? `${written}, all that this account sees.` : `${written}.`;
}

function secretTexts(report: PullReport): string[] {
  const { variables, example, secrets, name, overlay } = report;
  const texts: string[] = [];
  if (variables.length > 0) {
    const needed = count(variables.length, 'secret');
    const needing = overlay ? `${name} needs` : 'The new entries need';
    texts.push(`${needing} ${needed}, listed in ${example}.`);
  }
  if (secrets !== undefined) {
    const { path, files } = secrets;
    const beside = files > 0 ? `, ${files} of them as files in ${path}.d/` : '';
    texts.push(`Wrote ${count(secrets.count, 'secret')} to ${path}${beside}.`);
  }
  return texts;
}

/** Groups what is left out by its reasons; what a person has to change last. */
function leftOutTexts({ leftOut, outdated }: PullReport): string[] {
  const texts: string[] = [];
  for (const [reason, alike] of grouped(leftOut, (left) => left.reason)) {
    const addresses = alike.map(({ address }) => address);
    texts.push(`${reason}: ${listed(addresses, 3)}`);
  }
  for (const { name, match, fitting } of outdated)
    texts.push(
      `${name}: ${match} does not match its integration alone; change it to ${fitting}`,
    );
  return texts;
}
