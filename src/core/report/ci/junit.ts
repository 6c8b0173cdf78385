import { grouped } from '../../model/json.ts';
import { forXml, withoutCommands } from '../escape.ts';
import type { Renderer } from '../report.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** A test, or a remark of one. */
type Case = Readonly<{ server: string; name: string; remarks: readonly Remark[] }>;

/** A test for each integration of each server, and for each code about no single one. */
export const renderJunit: Renderer = (document) => {
  const { servers, command } = document;
  const general = (servers.length === 1 && servers[0]?.name) || 'setpoint';
  const all: Case[] = [
    ...servers.flatMap(({ name: server, integrations }) =>
      integrations.map(({ name }) => ({ server, name, remarks: [] })),
    ),
    ...remarksOf(document).map((remark) => {
      const { server = general, integration: name = remark.code } = remark;
      return { server, name, remarks: [remark] };
    }),
  ];
  // Readers take a report without a test for a broken one.
  if (all.length === 0) all.push({ server: general, name: command, remarks: [] });
  const tests = [...grouped(all, ({ server, name }) => JSON.stringify([server, name])).values()].map(testOf);
  const failures = tests.filter((test) => test.includes('<failure ')).length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="setpoint ${command}" tests="${tests.length}" failures="${failures}" errors="0">`,
    ...tests,
    '</testsuite>',
  ];
  return `${withoutCommands(lines.join('\n'))}\n`;
};

/** A test that fails if a remark is wrong, and prints the others. */
function testOf(parts: readonly Case[]): string {
  const { server = '', name = '' } = parts[0] ?? {};
  const remarks = parts.flatMap((part) => part.remarks);
  const wrong = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const [first] = [...wrong, ...others];
  const place = first?.place && ` file="${forXml(first.place.file)}" line="${first.place.line}"`;
  const reason = first && `type="${forXml(first.code)}" message="${forXml(first.message)}"`;
  return [
    `  <testcase classname="${forXml(server)}" name="${forXml(name)}"${place ?? ''}>`,
    ...(wrong.length === 0 ? [] : [`    <failure ${reason}>${textOf(wrong)}</failure>`]),
    ...(others.length === 0 ? [] : [`    <system-out>${textOf(others)}</system-out>`]),
    '  </testcase>',
  ].join('\n');
}

function textOf(remarks: readonly Remark[]): string {
  const lines = remarks.map(({ level, code, message, place }) => {
    const at = place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;
    return forXml(`${at}${level} ${code}: ${message}`);
  });
  return lines.join('\n');
}
