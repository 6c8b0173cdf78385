import { cut } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { Document } from '../../plan/document.ts';
import { withoutCommands } from '../escape.ts';
import { xmlText } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** Characters of the message of a failure; its text has all. */
const LONGEST_MESSAGE = 300;

/** A test: it fails if a remark is wrong, and prints the others. */
interface Case {
  readonly name: string;
  readonly remarks: readonly Remark[];
}

/**
 * A suite for each server with a test for each integration, and one for what concerns no integration. A test fails by an
 * error, by drift or a conflict that is still there, and by an outcome that is not as planned.
 */
export const renderJunit: Renderer = (document) => {
  const suites = suitesOf(document).filter(({ cases }) => cases.length > 0);
  const all = suites.flatMap(({ cases }) => cases);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="setpoint ${document.command}" ${countsOf(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${xmlText(name)}" ${countsOf(cases)}>`,
      ...cases.flatMap((each) => caseLines(each, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${withoutCommands(lines.join('\n'))}\n`;
};

function suitesOf(document: Document): { readonly name: string; readonly cases: readonly Case[] }[] {
  const remarks = remarksOf(document);
  const byName = grouped(
    remarks.flatMap((remark) => remark.integrations.map((name) => ({ name, remark }))),
    ({ name }) => name,
  );
  const told = new Set<Remark>();
  const suites = document.servers.map(({ name: server, integrations }) => ({
    name: server,
    cases: integrations.map(({ name }) => {
      const about = (byName.get(name) ?? []).map(({ remark }) => remark);
      const own = about.filter((each) => each.server === undefined || each.server === server);
      for (const each of own) told.add(each);
      return { name, remarks: own };
    }),
  }));
  const run = { name: document.command, remarks: remarks.filter((each) => !told.has(each)) };
  return [...suites, { name: 'setpoint', cases: [run] }];
}

function countsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ remarks }) => remarks.some(({ isWrong }) => isWrong)).length;
  return `tests="${cases.length}" failures="${failures}" errors="0"`;
}

function caseLines({ name, remarks }: Case, server: string): string[] {
  const wrong = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const [first] = wrong;
  const place = (first ?? others[0])?.place;
  const at = place === undefined ? '' : ` file="${xmlText(place.file)}" line="${place.line}"`;
  const lines = (all: readonly Remark[]) => all.map((each) => xmlText(textOf(each))).join('\n');
  return [
    `    <testcase classname="${xmlText(server)}" name="${xmlText(name)}"${at}>`,
    ...(first === undefined
      ? []
      : [
          `      <failure type="${xmlText(first.code)}" message="${xmlText(cut(first.message, '', LONGEST_MESSAGE))}">${lines(wrong)}</failure>`,
        ]),
    ...(others.length === 0 ? [] : [`      <system-out>${lines(others)}</system-out>`]),
    '    </testcase>',
  ];
}

function textOf({ level, code, message, place }: Remark): string {
  return `${place.file}:${place.line}:${place.column} ${level} ${code}: ${message}`;
}
