import type { ServerDiff } from '../diff/revision-diff.ts';
import { integrationsOf } from '../findings/about.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import { cut } from '../findings/words.ts';
import { OUTCOMES } from '../plan/outcome.ts';
import type { IntegrationPlan, ServerPlan } from '../plan/plan.ts';
import { asOfTexts } from './as-of.ts';
import { withoutCommands } from './escape.ts';
import { xmlText } from './escape-sinks.ts';
import { placeFromRoot } from './from-root.ts';
import { changeRemark, fieldRemark, findingRemark, isAstray, type Remark } from './remark.ts';
import type { Renderer, Report } from './report.ts';
import { commandOf } from './run-title.ts';
import { partsOfDiff } from './text/diff.ts';

/** Characters of a failure's message; its text has all. */
const LONGEST_MESSAGE = 300;

/** The tests of one server, or of the run itself. */
interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** What stands for the server, and its age. */
  readonly asOf?: string | undefined;
}

/** One test: it fails where something is wrong, and prints the rest. */
interface Case {
  readonly name: string;
  readonly wrong: readonly Remark[];
  readonly said: readonly Remark[];
}

/**
 * A suite for each server with a test for each integration, and one for what concerns no integration. A test fails by an
 * error, a refusal, drift or a conflict that is still there, and an outcome that is not as planned.
 */
export const renderJunit: Renderer = (report, findings, { folder }) => {
  const suites = suitesOf(report, findings)
    .filter(({ cases }) => cases.length > 0)
    .map((suite) => suiteFromRoot(suite, placeFromRoot(report, folder)));
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="setpoint ${commandOf(report)}" ${counts}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ];
  return `${withoutCommands(lines.join('\n'))}\n`;
};

function suitesOf(report: Report, findings: readonly Diagnostic[]): Suite[] {
  if (report.kind === 'diff') return [...partsOfDiff(report).map(diffSuite), runSuite(report, findings)];
  if (report.kind !== 'plan') return [runSuite(report, findings)];
  const { servers } = report;
  const { byCase, others } = findingsByCase(servers, findings);
  return [
    ...servers.map((plan) => ({
      name: plan.name,
      asOf: asOfTexts([plan])[0],
      cases: plan.integrations.map((each) =>
        planCase(each, plan, byCase.get(keyOf(plan.name, each.name)) ?? []),
      ),
    })),
    runSuite(report, others),
  ];
}

function suiteFromRoot({ cases, ...suite }: Suite, fromRoot: ReturnType<typeof placeFromRoot>): Suite {
  const placed = (remark: Remark) => ({ ...remark, ...fromRoot(remark) });
  return {
    ...suite,
    cases: cases.map((each) => ({
      name: each.name,
      wrong: each.wrong.map(placed),
      said: each.said.map(placed),
    })),
  };
}

/** The findings about each integration, also those about several, and all others. One without a server is about each server. */
function findingsByCase(servers: readonly ServerPlan[], findings: readonly Diagnostic[]) {
  const all = servers.flatMap(({ name, integrations }) =>
    integrations.map((each): [string, Diagnostic[]] => [keyOf(name, each.name), []]),
  );
  const byCase = new Map(all);
  const others: Diagnostic[] = [];
  for (const found of findings) {
    const on = found.server === undefined ? servers.map(({ name }) => name) : [found.server];
    const cases = integrationsOf(found).flatMap((name) =>
      on.flatMap((server) => {
        const own = byCase.get(keyOf(server, name));
        return own === undefined ? [] : [own];
      }),
    );
    for (const each of cases.length === 0 ? [others] : cases) each.push(found);
  }
  return { byCase, others };
}

function keyOf(server: string, integration: string): string {
  return JSON.stringify([server, integration]);
}

function planCase(integration: IntegrationPlan, plan: ServerPlan, findings: readonly Diagnostic[]): Case {
  const { name, changes } = integration;
  const remarks = (areWrong: boolean) =>
    changes
      .filter((change) => isAstray(change, integration) === areWrong)
      .map((change) => changeRemark(change, integration, plan));
  const { wrong, said } = findingCase(name, findings);
  return {
    name,
    wrong: [...(wrong.length > 0 ? wrong : unfinished(integration)), ...remarks(true)],
    said: [...said, ...remarks(false)],
  };
}

/** What is wrong with an integration as a whole, where no finding says why. */
function unfinished({ name, outcome, unplanned }: IntegrationPlan): Remark[] {
  const about = { level: 'error', integration: name, identity: '' } as const;
  if (outcome !== undefined && OUTCOMES[outcome].countsAs !== 'applied')
    return [{ ...about, code: outcome, title: 'Not applied', message: `The outcome is ${outcome}.` }];
  return unplanned === true
    ? [{ ...about, code: 'unplanned', title: 'Not planned', message: 'Errors keep it from being planned.' }]
    : [];
}

function diffSuite({ name, entries }: ServerDiff): Suite {
  const cases = entries.map((entry) => ({
    name: entry.name,
    wrong: [],
    said: entry.fields.map((field) => fieldRemark(field, entry.name, name)),
  }));
  return { name, cases };
}

/** The run itself as one test, of all that is about no integration. */
function runSuite(report: Report, findings: readonly Diagnostic[]): Suite {
  const command = commandOf(report);
  const { wrong, said } = findingCase(command, findings);
  const cases = [
    {
      name: command === 'none' ? 'run' : command,
      wrong: wrong.map(onItsServer),
      said: said.map(onItsServer),
    },
  ];
  return { name: 'setpoint', cases };
}

function onItsServer(remark: Remark): Remark {
  const { server, message } = remark;
  return server === undefined ? remark : { ...remark, message: `${server}: ${message}` };
}

function findingCase(name: string, findings: readonly Diagnostic[]): Case {
  const isWrong = (found: Diagnostic) => {
    const { severity, exit } = explain(found);
    return severity === 'error' || exit === 'guard';
  };
  return {
    name,
    wrong: findings.filter(isWrong).map(findingRemark),
    said: findings.filter((found) => !isWrong(found)).map(findingRemark),
  };
}

function countsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ wrong }) => wrong.length > 0);
  return `tests="${cases.length}" failures="${failures.length}" errors="0"`;
}

function suiteLines({ name, cases, asOf }: Suite): string[] {
  return [
    `  <testsuite name="${xmlText(name)}" ${countsOf(cases)} skipped="0">`,
    ...(asOf === undefined
      ? []
      : [
          '    <properties>',
          `      <property name="snapshot" value="${xmlText(asOf)}"/>`,
          '    </properties>',
        ]),
    ...cases.flatMap((each) => caseLines(each, name)),
    '  </testsuite>',
  ];
}

function caseLines({ name, wrong, said }: Case, suite: string): string[] {
  const file = [...wrong, ...said].find(({ place }) => place !== undefined)?.place?.file;
  const where = file === undefined ? '' : ` file="${xmlText(file)}"`;
  const start = `    <testcase name="${xmlText(name)}" classname="${xmlText(suite)}"${where}`;
  if (wrong.length + said.length === 0) return [`${start}/>`];
  return [`${start}>`, ...failureLines(wrong), ...outputLines(said), '    </testcase>'];
}

/** Readers show one failure of a test. */
function failureLines(wrong: readonly Remark[]): string[] {
  const [first] = wrong;
  if (first === undefined) return [];
  const more = wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more)`;
  const message = `${cut(first.message, '', LONGEST_MESSAGE)}${more}`;
  const start = `      <failure type="${xmlText(first.code)}" message="${xmlText(message)}">`;
  return [`${start}${wrong.map(remarkLine).join('\n')}</failure>`];
}

function outputLines(said: readonly Remark[]): string[] {
  return said.length === 0 ? [] : [`      <system-out>${said.map(remarkLine).join('\n')}</system-out>`];
}

function remarkLine({ level, code, message, hint, place }: Remark): string {
  const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;
  return xmlText(`${where}${level} ${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}
