import { at } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, forXml } from '../escape.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** A test of JUnit. */
interface Test {
  readonly server: string;
  readonly name: string;
  readonly remarks: Remark[];
  /** True if errors keep it from being planned. */
  readonly isUnplanned: boolean;
}

/** What is about no integration, or about several. */
const GENERAL = 'setpoint';

/** A test for each integration of each server, and for each other code. */
export function renderJunit(document: Document): string {
  const tests = testsOf(document);
  let failures = 0;
  let skipped = 0;
  const cases: string[] = [];
  for (const { server, name, remarks, isUnplanned } of tests) {
    const wrong = remarks.find(({ isWrong }) => isWrong);
    const place = (wrong ?? remarks[0])?.place;
    const subject = `classname="${forXml(server)}" name="${forXml(name)}"`;
    const where = place && ` file="${forXml(place.file)}" line="${place.line}"`;
    cases.push(`  <testcase ${subject}${where ?? ''}>`);
    const text = remarks.map(remarkLine).join('\n');
    if (wrong !== undefined) {
      failures += 1;
      const reason = `type="${forXml(wrong.code)}" message="${forXml(wrong.message)}"`;
      cases.push(`    <failure ${reason}>${text}</failure>`);
    } else if (isUnplanned) {
      skipped += 1;
      cases.push('    <skipped message="Left out, because of errors."/>');
    }
    if (wrong === undefined && text !== '') {
      cases.push(`    <system-out>${text}</system-out>`);
    }
    cases.push('  </testcase>');
  }
  const counts = `tests="${tests.length}" failures="${failures}" errors="0"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="setpoint ${document.command}" ${counts} skipped="${skipped}">`,
    ...cases,
    '</testsuite>',
  ];
  return `${forLog(lines.join('\n'))}\n`;
}

function testsOf(document: Document): Test[] {
  const tests = new Map<string, Test>();
  const testOf = (server: string, name: string, isUnplanned = false): Test => {
    const key = JSON.stringify([server, name]);
    const test = tests.get(key) ?? { server, name, remarks: [], isUnplanned };
    tests.set(key, test);
    return test;
  };
  for (const { name: server, integrations } of document.servers) {
    for (const { name, unplanned } of integrations) {
      testOf(server, name, unplanned);
    }
  }
  for (const remark of remarksOf(document)) {
    const { servers, integrations, code } = remark;
    const [server = GENERAL, ...others] = servers;
    const [name = code, ...names] = integrations;
    const isOne = others.length === 0 && names.length === 0;
    const test = isOne ? testOf(server, name) : testOf(GENERAL, code);
    test.remarks.push(remark);
  }
  // Readers take a report without a test for a broken one.
  if (tests.size === 0) testOf(GENERAL, document.command);
  return [...tests.values()];
}

function remarkLine({ level, code, message, place }: Remark): string {
  const where = place === undefined ? '' : `${at(place)} `;
  return forXml(`${where}${level} ${code}: ${message}`);
}
