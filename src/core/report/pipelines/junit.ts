import { grouped } from '../../model/json.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, forXml } from '../escape.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** A test of JUnit. */
interface Test {
  readonly server: string;
  readonly name: string;
  readonly remarks: readonly Remark[];
  /** True if errors keep it from being planned. */
  readonly isUnplanned: boolean;
}

/** A test for each integration of each server, and for each other code. */
export function renderJunit(document: Document): string {
  const tests = testsOf(document);
  const failures = tests.filter(isFailed).length;
  const skipped = tests.filter(isSkipped).length;
  const counts = `tests="${tests.length}" failures="${failures}" errors="0"`;
  const name = `setpoint ${document.command}`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${name}" ${counts} skipped="${skipped}">`,
  ];
  for (const test of tests) lines.push(...testLines(test));
  lines.push('</testsuite>');
  return `${forLog(lines.join('\n'))}\n`;
}

function testsOf(document: Document): Test[] {
  const { servers, command } = document;
  const [single, ...others] = servers;
  const isSingle = single !== undefined && others.length === 0;
  const general = isSingle && single.name !== '' ? single.name : 'setpoint';
  const remarks = grouped(remarksOf(document), (remark) =>
    subjectOf(remark, general),
  );
  const tests: Test[] = [];
  for (const { name: server, integrations } of servers) {
    for (const { name, unplanned } of integrations) {
      const key = keyOf(server, name);
      const own = remarks.get(key) ?? [];
      remarks.delete(key);
      const isUnplanned = unplanned === true;
      tests.push({ server, name, remarks: own, isUnplanned });
    }
  }
  for (const [key, own] of remarks) {
    const [server = '', name = ''] = JSON.parse(key);
    tests.push({ server, name, remarks: own, isUnplanned: false });
  }
  // Readers take a report without a test for a broken one.
  if (tests.length > 0) return tests;
  return [{ server: general, name: command, remarks: [], isUnplanned: false }];
}

/** The test of a remark: its integration's, if it is about a single one. */
function subjectOf(remark: Remark, general: string): string {
  const { code } = remark;
  const [server = general, ...servers] = remark.servers;
  const [name = code, ...names] = remark.integrations;
  const place = servers.length === 0 ? server : general;
  const isOne = servers.length === 0 && names.length === 0;
  return keyOf(place, isOne ? name : code);
}

function keyOf(server: string, name: string): string {
  return JSON.stringify([server, name]);
}

function isFailed({ remarks }: Test): boolean {
  return remarks.some(({ isWrong }) => isWrong);
}

function isSkipped(test: Test): boolean {
  return test.isUnplanned && !isFailed(test);
}

/** A test that fails if a remark is wrong, and prints the others. */
function testLines(test: Test): string[] {
  const { server, name, remarks } = test;
  const wrong = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const [first] = [...wrong, ...others];
  const subject = `classname="${forXml(server)}" name="${forXml(name)}"`;
  const lines = [`  <testcase ${subject}${placeAttributes(first)}>`];
  if (first !== undefined && wrong.length > 0) {
    const { code, message } = first;
    const reason = `type="${forXml(code)}" message="${forXml(message)}"`;
    lines.push(`    <failure ${reason}>${textOf(wrong)}</failure>`);
  }
  if (isSkipped(test)) {
    lines.push('    <skipped message="Not planned, because of errors."/>');
  }
  if (others.length > 0) {
    lines.push(`    <system-out>${textOf(others)}</system-out>`);
  }
  lines.push('  </testcase>');
  return lines;
}

function placeAttributes(remark: Remark | undefined): string {
  if (remark?.place === undefined) return '';
  const { file, line } = remark.place;
  return ` file="${forXml(file)}" line="${line}"`;
}

function textOf(remarks: readonly Remark[]): string {
  const lines: string[] = [];
  for (const { level, code, message, place } of remarks) {
    const text = `${level} ${code}: ${message}`;
    if (place === undefined) lines.push(forXml(text));
    else {
      const { file, line, column } = place;
      lines.push(forXml(`${file}:${line}:${column} ${text}`));
    }
  }
  return lines.join('\n');
}
