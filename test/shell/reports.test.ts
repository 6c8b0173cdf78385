import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import {
  codeOf,
  commandsOf,
  issuesOf,
  resultsOf,
  suitesOf,
} from '../support/sinks.ts';
import { tempFolder } from '../support/temp.ts';

const YAML = `version: 1
integrations:
  threat: { match: ${THREAT}, options: { timeout: 30 } }
`;

const FILES = {
  markdown: 'plan.md',
  gitlab: 'gitlab.json',
  junit: 'junit.xml',
  sarif: 'plan.sarif',
} as const;

/** Wishes for a file of each format, and for annotations on stdout. */
const REPORTS = [
  ...Object.entries(FILES).flatMap(([format, file]) => [
    '--report',
    `${format}=${file}`,
  ]),
  '--report',
  'github',
];

/** What the files hold, and what was printed, each read by the parser of its sink. */
async function readBack(cwd: string, stdout: string) {
  const text = async (name: keyof typeof FILES) => {
    const written = await readFile(join(cwd, FILES[name]), 'utf8');
    // What was typed is no part of a plan.
    return written.replace(/ -f a\.yaml --url http:[\d./:]+/, '');
  };
  return {
    page: await text('markdown'),
    code: codeOf(await text('markdown')),
    issues: issuesOf(await text('gitlab')),
    suites: suitesOf(await text('junit')),
    results: resultsOf(await text('sarif')),
    commands: commandsOf(stdout).commands,
  };
}

describe('all reports of a run come from one read', () => {
  test('of a plan, of the same plan when it is shown, and of its apply with outcomes', async () => {
    const sandbox = await liveSandbox();
    const cwd = await tempFolder({ 'a.yaml': YAML });
    const flags = ['-f', 'a.yaml', '--url', sandbox.url];
    await run(['plan', ...flags], { cwd, env: ADMIN });
    const alone = sandbox.seen();
    const planned = await run(
      ['plan', ...flags, '--report', 'json=plan.json', ...REPORTS],
      {
        cwd,
        env: ADMIN,
      },
    );
    expect(sandbox.seen()).toEqual(alone);
    const plan = await readBack(cwd, planned.stdout);
    expect(plan.page).toMatch(
      /^<!-- setpoint plan -->\n\n### setpoint plan: 1 change in 1 integration on /,
    );
    expect(plan.commands).toMatchObject([
      { name: 'notice', properties: { file: 'a.yaml', line: '3' } },
    ]);
    expect(plan.results.map(({ ruleId }) => ruleId)).toEqual(['change']);
    expect(plan.issues.map(({ severity }) => severity)).toEqual(['info']);
    expect(
      plan.suites.flatMap(({ cases }) =>
        cases.map((each) => each['@_classname']),
      ),
    ).toEqual(['change']);

    const shown = await run(['show', 'plan.json', ...REPORTS], { cwd });
    expect(await readBack(cwd, shown.stdout)).toEqual(plan);

    const applied = await run(['apply', ...flags, '--yes', ...REPORTS], {
      cwd,
      env: ADMIN,
    });
    const after = await readBack(cwd, applied.stdout);
    expect(applied.code).toBe(0);
    expect(after.page).toContain('**1 of 1 change written (1 verified) on ');
    expect(after.results[0]?.message.text).toContain('[verified]');
    expect(after.results[0]?.partialFingerprints).toEqual(
      plan.results[0]?.partialFingerprints,
    );
  });
});
