import { count, enumerated, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { EntriesReport } from '../../pull/report.ts';
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
  /** The file with the secrets, if one was asked for. */
  readonly secrets?: WrittenSecrets | undefined;
  readonly next: readonly Step[];
}

interface WrittenSecrets {
  readonly path: string;
  readonly count: number;
}

/**
 * Shows the files and secrets of a pull, what is left out, and the next steps.
 */
export function renderPull(
  { servers: [report] }: { readonly servers: readonly [PullReport] },
  view: View,
): string {
  const { variables, secrets, next } = report;
  const wrapped = (text: string, indent = 0): string[] =>
    filled(visible(text), view.width, indent);
  const sections = [wrapped(pulledText(report))];
  const texts: string[] = [];
  if (variables.length > 0) {
    const hidden = variables.filter(({ isShown }) => !isShown);
    const names = listed(hidden.map(({ variable }) => variable));
    const notShown =
      hidden.length === 0 ? '' : ` The server does not show ${names}.`;
    texts.push(
      `The YAML needs ${count(variables.length, 'secret')}.${notShown}`,
    );
  }
  if (secrets !== undefined)
    texts.push(`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`);
  sections.push(texts.flatMap((text) => wrapped(text)));
  const leftOut: string[] = [];
  for (const [reason, alike] of grouped(
    report.leftOut,
    (each) => each.reason,
  )) {
    const addresses = alike.map(({ address }) => address);
    leftOut.push(...wrapped(`${reason}: ${listed(addresses, 3)}`, 2));
  }
  if (leftOut.length > 0) sections.push(['Left out:', ...leftOut]);
  return paragraphs([...sections, nextLines(next, view)]);
}

/** Says what became of integrations and entries. */
function pulledText(report: PullReport): string {
  const { name, into, own, files, adopted, managed } = report;
  const { differing, notInstalled } = report;
  const texts: string[] = [];
  if (adopted + differing.length + notInstalled.length === 0)
    texts.push(`Nothing new on ${name}.`);
  if (adopted > 0) {
    // What another server has in a file of its own is shared by nobody.
    const folders = [...new Set([into, own])].filter((folder) =>
      files.some(({ path }) => path.startsWith(folder)),
    );
    const integrations = count(adopted, 'integration');
    const options = count(report.options, 'option');
    texts.push(`${enumerated(folders)}: ${integrations} with ${options}.`);
  }
  if (managed > 0) {
    const before = count(managed, 'integration is', 'integrations are');
    texts.push(`${before} managed already.`);
  }
  if (differing.length > 0) {
    const entries = count(differing.length, 'entry', 'entries');
    const names = listed(differing, 5);
    texts.push(
      `${own} has what differs (values or the match) in ${entries}: ${names}.`,
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
