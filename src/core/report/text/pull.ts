import { count, enumerated, listed } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { EntriesReport } from '../../pull/report.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from './spans.ts';
import { nextLines, type Step } from './steps.ts';

/** The report of a pull from one server. */
export interface PullReport extends EntriesReport {
  name: string;
  url: string;
  /** The files that were written. */
  files: readonly { path: string }[];
  /** The folder of new entries. */
  into: string;
  /** The folder of what the server alone has, or has otherwise. */
  own: string;
  /** The file with the secrets, if one was asked for. */
  secrets?: { path: string; count: number } | undefined;
  next: readonly Step[];
}

/** The most names in a sentence. */
const MOST_NAMES = 3;

/**
 * Shows the files and secrets of a pull, what is left out, and the next steps.
 */
export function renderPull(
  { servers: [report] }: { servers: readonly [PullReport] },
  view: View,
): string {
  const { variables, secrets, next } = report;
  const texts = [pulledText(report)];
  if (variables.length > 0) {
    texts.push(`The YAML needs ${count(variables.length, 'secret')}.`);
  }
  const hidden = variables.filter(({ isShown }) => !isShown);
  if (hidden.length > 0) {
    const names = hidden.map(({ variable }) => variable);
    texts.push(`The server does not show ${listed(names)}.`);
  }
  if (secrets !== undefined) {
    texts.push(`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`);
  }
  const leftOut: string[] = [];
  for (const [reason, alike] of grouped(report.leftOut, (out) => out.reason)) {
    const addresses = alike.map(({ address }) => address);
    const text = visible(`${reason}: ${listed(addresses, MOST_NAMES)}`);
    leftOut.push(...filled(text, view.width, 2));
  }
  if (leftOut.length > 0) leftOut.unshift('Left out:');
  const lines = texts.flatMap((text) => filled(visible(text), view.width));
  return paragraphs([lines, leftOut, nextLines(next, view)]);
}

/** Says what became of integrations and entries. */
function pulledText(report: PullReport): string {
  const { name, into, own, files, adopted, options, managed } = report;
  const { differing, notInstalled } = report;
  const texts: string[] = [];
  if (adopted + differing.length + notInstalled.length === 0) {
    texts.push(`Nothing new on ${name}.`);
  }
  if (adopted > 0) {
    // What another server has in a file of its own is shared by nobody.
    const folders = [...new Set([into, own])].filter((folder) =>
      files.some(({ path }) => path.startsWith(folder)),
    );
    const integrations = count(adopted, 'integration');
    const all = count(options, 'option');
    texts.push(`${enumerated(folders)}: ${integrations} with ${all}.`);
  }
  if (managed > 0) {
    texts.push(`Managed already: ${count(managed, 'integration')}.`);
  }
  if (differing.length > 0) {
    const names = listed(differing, MOST_NAMES);
    texts.push(`Differing, so also in ${own}: ${names}.`);
  }
  if (notInstalled.length > 0) {
    const names = listed(notInstalled, MOST_NAMES);
    texts.push(`Not installed, so null in ${own}: ${names}.`);
  }
  return texts.join(' ');
}
