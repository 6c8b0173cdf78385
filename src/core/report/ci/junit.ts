import { grouped } from '../../model/grouped.ts';
import { forXml, withoutCommands } from '../escape.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** Remarks of a test of a suite. */
interface Case {
  readonly suite: string;
  readonly name: string;
  readonly remarks: readonly Remark[];
}

/** A suite for each server, with a test for each integration and for each code about no single one. */
export const renderJunit: Renderer = (document) => {
  const { servers, command } = document;
  const [server] = servers;
  const general = server === undefined || servers.length > 1 ? 'setpoint' : server.name;
  const cases: Case[] = [
    ...servers.flatMap(({ name: suite, integrations }) =>
      integrations.map(({ name }) => ({ suite, name, remarks: [] })),
    ),
    ...remarksOf(document).map((remark) => {
      const { server: suite = general, integration: name = remark.code } = remark;
      return { suite, name, remarks: [remark] };
    }),
  ];
  // Readers take a report without a test for a broken one.
  if (cases.length === 0) cases.push({ suite: general, name: command, remarks: [] });
  const suites = [...grouped(cases, ({ suite }) => suite)].flatMap(([name, own]) => suiteLines(name, own));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="setpoint ${command}">`,
    ...suites,
    '</testsuites>',
  ];
  return `${withoutCommands(lines.join('\n'))}\n`;
};

function suiteLines(suite: string, cases: readonly Case[]): string[] {
  const tests = [...grouped(cases, ({ name }) => name)].map(([name, same]) => ({
    name,
    remarks: same.flatMap(({ remarks }) => remarks),
  }));
  const failures = tests.filter(({ remarks }) => remarks.some(({ isWrong }) => isWrong)).length;
  return [
    `  <testsuite name="${forXml(suite)}" tests="${tests.length}" failures="${failures}" errors="0">`,
    ...tests.flatMap(({ name, remarks }) => testLines(suite, name, remarks)),
    '  </testsuite>',
  ];
}

/** A test that fails if a remark is wrong, and prints the others. */
function testLines(suite: string, name: string, remarks: readonly Remark[]): string[] {
  const wrong = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const place = [...wrong, ...others][0]?.place;
  const at = place === undefined ? '' : ` file="${forXml(place.file)}" line="${place.line}"`;
  return [
    `    <testcase classname="${forXml(suite)}" name="${forXml(name)}"${at}>`,
    ...wrong.slice(0, 1).map(({ code, message }) => {
      const reason = `type="${forXml(code)}" message="${forXml(message)}"`;
      return `      <failure ${reason}>${textOf(wrong)}</failure>`;
    }),
    ...(others.length === 0 ? [] : [`      <system-out>${textOf(others)}</system-out>`]),
    '    </testcase>',
  ];
}

function textOf(remarks: readonly Remark[]): string {
  const lines = remarks.map(({ level, code, message, place }) => {
    const at = place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;
    return `${at}${level} ${code}: ${message}`;
  });
  return lines.map(forXml).join('\n');
}
