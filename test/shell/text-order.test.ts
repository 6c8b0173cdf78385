import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, type RunResult, type RunWish, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

/** A change, a risk that is refused, a warning and an error. */
const YAML = `version: 1
integrations:
  logs:
    match: log_search_*
    options: { columns: 5 }
  threat:
    match: ${THREAT}
    options:
      timeout: 30
      url: { value: "https://lookup.example.com/v3", permission: user-provides }
      apiKey: { permission: lock-and-show }
`;

/** Parts of what is printed, in the order in which a person reads them. */
const PARTS = [
  ...['setpoint plan,', '~ timeout ', 'warning[', 'error[unknown-option]'],
  ...['Left out ', 'Plan  ', 'REFUSED ', 'Next '],
];

const ENV = { ...ADMIN, NO_COLOR: '1' };

async function planned(
  args: readonly string[],
  wish: RunWish = {},
): Promise<RunResult> {
  const { url } = await liveSandbox();
  const cwd = wish.cwd ?? (await tempFolder({ 'a.yaml': YAML }));
  const all = ['plan', '-f', 'a.yaml', '--url', url, ...args];
  return run(all, { env: ENV, ...wish, cwd });
}

/** The parts in the order in which a text has them. */
function partsIn(text: string): string[] {
  const found = PARTS.filter((part) => text.includes(part));
  return found.sort((a, b) => text.indexOf(a) - text.indexOf(b));
}

describe('text goes from what is long to what matters', () => {
  test('findings before the total, then the refusal and what to do', async () => {
    const { screen, stdout, stderr } = await planned([], { isTTY: true });
    expect(partsIn(screen)).toEqual(PARTS);
    expect(partsIn(stdout).slice(-2)).toEqual(['REFUSED ', 'Next ']);
    expect(stderr).not.toContain('risk-refused');
  });

  test('stderr has the refusal if stdout has another format', async () => {
    const { stderr } = await planned(['--report', 'json']);
    expect(stderr).toContain('error[risk-refused]');
  });

  test('a file has both parts of a text, as stdout does', async () => {
    const cwd = await tempFolder({ 'a.yaml': YAML });
    const args = ['--report', 'text=plan.txt'];
    const { stdout } = await planned(args, { cwd, now: () => 0 });
    expect(await readFile(join(cwd, 'plan.txt'), 'utf8')).toBe(stdout);
    expect(stdout).not.toContain('warning[');
  });

  test('quiet: the same without warnings and hidden fields', async () => {
    const { screen } = await planned(['--quiet'], { isTTY: true });
    const isQuiet = (part: string) => !/^(warning|See|Next)/.test(part);
    expect(partsIn(screen)).toEqual(PARTS.filter(isQuiet));
  });
});

test('the next command has what this one was given, except how it looks', async () => {
  const cwd = await tempFolder({
    'a.yaml': YAML,
    'more.env': 'SETPOINT_X=1234567890\n',
  });
  const given = [
    ...["--only 'threat*'", '--secrets-file more.env', '--hides-secrets'],
    ...['--write-hidden all', '--allow exposes-secret', '--allow-changes 9'],
  ];
  const typed = given.join(' ').replaceAll("'", '').split(' ');
  const { stdout } = await planned([...typed, '--full'], { cwd });
  const next = stdout.replace(/\s+/g, ' ').split(' Next ')[1];
  for (const words of given) expect(next).toContain(words);
  expect(next).not.toContain('full');
});

test('a question stands below the total, and only outcomes below its answer', async () => {
  const { url } = await liveSandbox();
  const text = YAML.replace(/ {2}logs:[\s\S]*?(?= {2}threat)/, '');
  const cwd = await tempFolder({ 'a.yaml': text });
  const flags = ['-f', 'a.yaml', '--url', url, '--allow', 'exposes-secret'];
  const { screen, code } = await run(['apply', ...flags], {
    cwd,
    env: ENV,
    answer: 'yes',
    isTTY: true,
  });
  const [before = '', after = ''] = screen.split('Type yes: ');
  const above = ['setpoint plan,', '~ timeout ', 'warning[', 'Plan  '];
  expect(partsIn(before)).toEqual(above);
  const shown = after.split('\u001b[K').at(-1) ?? '';
  expect(shown.trim()).toMatch(
    /^Apply {2}(\d) of \1 changes? written \(\1 verified\) on \S+$/,
  );
  expect(code).toBe(0);
});
