import { at } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, forXml } from '../escape.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** A test of JUnit. */
interface Test {
  readonly server: string;
  readonly name: string;
  /** The remarks for which it fails. */
  readonly wrong: Remark[];
  readonly others: Remark[];
  /** True if errors keep it from being planned. */
  readonly isUnplanned: boolean;
}

/** A test for each integration of each server, and for each other code. */
export function renderJunit(document: Document): string {
  const tests = testsOf(document);
  const failures = tests.filter(({ wrong }) => wrong.length > 0).length;
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
  const tests = new Map<string, Test>();
  const testOf = (server: string, name: string, isUnplanned = false): Test => {
    const key = JSON.stringify([server, name]);
    const known = tests.get(key);
    const test = known ?? { server, name, wrong: [], others: [], isUnplanned };
    tests.set(key, test);
    return test;
  };
  for (const { name: server, integrations } of servers) {
    for (const { name, unplanned } of integrations) {
      testOf(server, name, unplanned);
    }
  }
  const single = servers.length === 1 ? servers[0]?.name : undefined;
  const general = single || 'setpoint';
  for (const remark of remarksOf(document)) {
    // It is its integration's, if it is about a single one.
    const { code, isWrong } = remark;
    const [server = general, ...others] = remark.servers;
    const [name = code, ...names] = remark.integrations;
    const place = others.length === 0 ? server : general;
    const isOne = others.length === 0 && names.length === 0;
    const test = testOf(place, isOne ? name : code);
    test[isWrong ? 'wrong' : 'others'].push(remark);
  }
  // Readers take a report without a test for a broken one.
  if (tests.size === 0) testOf(general, command);
  return [...tests.values()];
}

function isSkipped({ isUnplanned, wrong }: Test): boolean {
  return isUnplanned && wrong.length === 0;
}

/** A test that fails if a remark is wrong, and prints the others. */
function testLines(test: Test): string[] {
  const { server, name, wrong, others } = test;
  const [{ place, code = '', message = '' } = {}] = [...wrong, ...others];
  const subject = `classname="${forXml(server)}" name="${forXml(name)}"`;
  const where = place && ` file="${forXml(place.file)}" line="${place.line}"`;
  const lines = [`  <testcase ${subject}${where ?? ''}>`];
  if (wrong.length > 0) {
    const reason = `type="${forXml(code)}" message="${forXml(message)}"`;
    lines.push(`    <failure ${reason}>${textOf(wrong)}</failure>`);
  }
  if (isSkipped(test)) {
    lines.push('    <skipped message="Left out, because of errors."/>');
  }
  if (others.length > 0) {
    lines.push(`    <system-out>${textOf(others)}</system-out>`);
  }
  lines.push('  </testcase>');
  return lines;
}

function textOf(remarks: readonly Remark[]): string {
  const lines: string[] = [];
  for (const { level, code, message, place } of remarks) {
    const where = place === undefined ? '' : `${at(place)} `;
    lines.push(forXml(`${where}${level} ${code}: ${message}`));
  }
  return lines.join('\n');
}
