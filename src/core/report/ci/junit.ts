import { cut } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { Document } from '../../plan/document.ts';
import { forXml, withoutCommands } from '../escape.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** Characters of the message of a failure; its text has all. */
const LONGEST_MESSAGE = 300;

/** A test: it fails if a remark is wrong, and prints the others. */
interface Case {
  readonly suite: string;
  readonly name: string;
  readonly remarks: readonly Remark[];
}

/** A suite for each server and one for the rest, with a test for each integration and for each code about no single one. */
export const renderJunit: Renderer = (document) => {
  const all = casesOf(document);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="setpoint ${document.command}" ${countsOf(all)}>`,
    ...[...grouped(all, ({ suite }) => suite)].flatMap(([name, cases]) => [
      `  <testsuite name="${forXml(name)}" ${countsOf(cases)}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${withoutCommands(lines.join('\n'))}\n`;
};

function casesOf(document: Document): Case[] {
  const remarks = remarksOf(document);
  const byName = grouped(remarks, ({ integrations: [name = '', ...others] }) => (others[0] ? '' : name));
  const told = new Set<Remark>();
  const own = document.servers.flatMap(({ name: suite, integrations }) =>
    integrations.map(({ name }) => {
      const found = (byName.get(name) ?? []).filter(({ server = suite }) => server === suite);
      for (const each of found) told.add(each);
      return { suite, name, remarks: found };
    }),
  );
  const rest = remarks.filter((each) => !told.has(each));
  const general = [...grouped(rest, ({ server, code }) => JSON.stringify([server, code])).values()];
  const others = general.map((found) => ({
    suite: found[0]?.server ?? 'setpoint',
    name: found[0]?.code ?? '',
    remarks: found,
  }));
  const isNone = others.every(({ suite }) => suite !== 'setpoint');
  return [...own, ...others, ...(isNone ? [{ suite: 'setpoint', name: document.command, remarks: [] }] : [])];
}

function countsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ remarks }) => remarks.some(({ isWrong }) => isWrong)).length;
  return `tests="${cases.length}" failures="${failures}" errors="0"`;
}

function caseLines({ suite, name, remarks }: Case): string[] {
  const [first, ...more] = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const place = (first ?? others[0])?.place;
  const at = place === undefined ? '' : ` file="${forXml(place.file)}" line="${place.line}"`;
  const lines = [`    <testcase classname="${forXml(suite)}" name="${forXml(name)}"${at}>`];
  if (first !== undefined) {
    const message = forXml(cut(first.message, '', LONGEST_MESSAGE));
    const text = [first, ...more].map(textOf).join('\n');
    lines.push(`      <failure type="${forXml(first.code)}" message="${message}">${text}</failure>`);
  }
  if (others.length > 0) lines.push(`      <system-out>${others.map(textOf).join('\n')}</system-out>`);
  return [...lines, '    </testcase>'];
}

function textOf({ level, code, message, place }: Remark): string {
  const at = place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;
  return forXml(`${at}${level} ${code}: ${message}`);
}
