import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { LABEL_NAMES } from '../../src/core/plan/label.ts';
import { RISK_NAMES } from '../../src/core/plan/risk.ts';
import { RENDERERS } from '../../src/core/report/formats.ts';
import { COMMANDS } from '../../src/shell/command-line.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const FORMATS = Object.keys(RENDERERS);
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

/** The commands, and the flags of each, as the help shows them. */
const helped: { readonly commands: string[]; readonly flags: Map<string, string[]> } = {
  commands: [],
  flags: new Map(),
};
beforeAll(async () => {
  const { stdout } = await run(['help']);
  const [, listed = ''] = /^Commands:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
  helped.commands.push(...[...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name));
  for (const name of helped.commands) {
    const { stdout: help } = await run([name, '--help']);
    const options = [...help.matchAll(/^ {2}(?:(-\w), )?(--[a-z-]+)/gm)];
    helped.flags.set(
      name,
      options.flatMap(([, short, long = '']) => (short === undefined ? [long] : [short, long])),
    );
  }
});

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run(['completion', shell], { env: {} });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** A folder with a script and some files, among them names that a shell could run. */
async function folder(shell: string) {
  return tempFolder({
    script: await script(shell),
    'a b.yaml': '',
    '$(touch ran)`touch ran`.yaml': '',
    'plan.json': '',
    'catalog/a.json': '',
  });
}

/** What bash offers for the last of the words, which are taken apart as readline does it. */
function inBash(cwd: string, ...words: string[]): string[] {
  const taken = words.flatMap((word) => word.split(/(=)/).filter((part, at) => part !== '' || at === 0));
  const given =
    'source ./script; COMP_WORDS=(setpoint "$@"); COMP_CWORD=$#; _setpoint; printf "%s\\n" "${COMPREPLY[@]}"';
  const printed = execFileSync('bash', ['--norc', '-c', given, 'bash', ...taken], { cwd, encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

describe('completion bash', () => {
  test('offers all commands, and all flags of each', async () => {
    const cwd = await folder('bash');
    expect(helped.commands.length).toBeGreaterThan(8);
    expect(inBash(cwd, '').sort()).toEqual([...helped.commands, '--help', '--version'].sort());
    expect(inBash(cwd, 'va')).toEqual(['validate']);
    expect(inBash(cwd, 'help', 'app')).toEqual(['apply']);
    for (const [name, flags] of helped.flags)
      if (name !== 'help') expect([name, inBash(cwd, name, '-').sort()]).toEqual([name, [...flags].sort()]);
  });
  test('offers what the program knows as values', async () => {
    const cwd = await folder('bash');
    expect(inBash(cwd, 'plan', '--report', '')).toEqual(FORMATS);
    expect(inBash(cwd, 'plan', '--report=')).toEqual(FORMATS);
    expect(inBash(cwd, 'plan', '--report=js')).toEqual(['json']);
    expect(inBash(cwd, 'plan', '--color', 'n')).toEqual(['never']);
    expect(inBash(cwd, 'apply', '--allow', '')).toEqual(RISK_NAMES);
    expect(inBash(cwd, 'plan', '--only-labels', '')).toEqual(LABEL_NAMES);
    expect(inBash(cwd, 'plan', '--only-labels', 'change,dr')).toEqual(['change,drift']);
    expect(inBash(cwd, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });
  test('offers files and folders whatever their names are, and runs none', async () => {
    const cwd = await folder('bash');
    const files = ['$(touch ran)`touch ran`.yaml', 'a b.yaml', 'catalog', 'plan.json', 'script'];
    for (const words of [['-f', ''], ['--file='], ['']])
      expect(inBash(cwd, 'plan', ...words).sort()).toEqual(files);
    expect(inBash(cwd, 'apply', '--yes', 'pl')).toEqual(['plan.json']);
    expect(inBash(cwd, 'plan', '--report', 'json=pl')).toEqual(['plan.json']);
    expect(inBash(cwd, 'plan', '--report=json=pl')).toEqual(['plan.json']);
    expect(inBash(cwd, 'validate', '--catalog', '')).toEqual(['catalog']);
  });
  test.skipIf(!('explain' in COMMANDS))('offers the codes of findings', async () => {
    expect(inBash(await folder('bash'), 'explain', 'unknown-rev')).toEqual(['unknown-revision']);
  });
  test('offers nothing where only a person knows', async () => {
    const cwd = await folder('bash');
    for (const words of [
      ['plan', '--url', ''],
      ['plan', '$(touch ran)', '--base='],
      ['none', ''],
      ['diff', ''],
    ])
      expect(inBash(cwd, ...words)).toEqual([]);
    expect(inBash(cwd, 'list', '-f', 'ran')).toEqual([]);
  });
});

describe.skipIf(!isInstalled('fish'))('completion fish, where fish is installed', () => {
  const inFish = (cwd: string, line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', 'source script; complete -C $argv[1]', line], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: cwd },
    })
      .split('\n')
      .map((each) => each.replace(/\t.*/, ''))
      .filter((each) => each !== '');
  test('offers commands, flags, words, and files where there may be some', async () => {
    const cwd = await folder('fish');
    expect(inFish(cwd, 'setpoint ').sort()).toEqual([...helped.commands].sort());
    for (const [name, flags] of helped.flags)
      if (name !== 'help')
        expect(inFish(cwd, `setpoint ${name} --`).sort()).toEqual(
          flags.filter((flag) => flag.startsWith('--')).sort(),
        );
    expect(inFish(cwd, 'setpoint apply --accept ').sort()).toEqual([...RISK_NAMES].sort());
    expect(inFish(cwd, 'setpoint plan --only-labels change,dr')).toEqual(['change,drift']);
    expect(inFish(cwd, 'setpoint plan --report js')).toContain('json');
    expect(inFish(cwd, 'setpoint apply pl')).toEqual(['plan.json']);
    expect(inFish(cwd, 'setpoint validate --catalog ')).toEqual(['catalog/']);
    expect(inFish(cwd, 'setpoint plan --url ')).toEqual([]);
    expect(inFish(cwd, 'setpoint help pl')).toEqual(['plan']);
  });
});

describe.skipIf(!isInstalled('zsh'))('completion zsh, where zsh is installed', () => {
  test('is taken by the completion of zsh, as a source and as a file of fpath', async () => {
    const cwd = await folder('zsh');
    const zsh = (command: string) =>
      execFileSync('zsh', ['-f', '-c', command], {
        cwd,
        encoding: 'utf8',
        env: { HOME: cwd, PATH: process.env['PATH'] },
      });
    zsh('zsh -n script');
    expect(zsh('autoload -U compinit; compinit -D; source ./script; print $_comps[setpoint]')).toBe(
      '_setpoint\n',
    );
    const asFile =
      'mkdir f; mv script f/_setpoint; fpath=($PWD/f $fpath); autoload -U compinit; compinit -u -D; print $_comps[setpoint]';
    expect(zsh(asFile)).toBe('_setpoint\n');
  });
  test('has every command and every flag', async () => {
    const text = await script('zsh');
    for (const [name, flags] of helped.flags) {
      const [, own = ''] = new RegExp(`\n    ${name}\\)\n([\\s\\S]*?)\n      ;;`).exec(text) ?? [];
      const typed = [...own.matchAll(/'\*(-[\w-]+)/g)].map(([, flag = '']) => flag);
      if (name !== 'help') expect([name, typed.sort()]).toEqual([name, [...flags].sort()]);
    }
  });
});

test('another shell is told the ones that there are', async () => {
  const { code, stderr } = await run(['completion', 'fihs']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('fish')]);
});
