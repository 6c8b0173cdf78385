import { symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pMap from 'p-map';
import { expect, onTestFinished, test } from 'vitest';
import { hostileRepository, OUTSIDE, SECRET, THING_NAMES } from '../support/hostile-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { run } from '../support/run.ts';
import { logIn } from '../support/sandbox.ts';

/** A server that somebody outside of the repository allows, and one that only the repository names. */
interface Origins {
  readonly allowed: string;
  readonly foreign: string;
}

interface Attack {
  readonly files: (origins: Origins) => Readonly<Record<string, string>>;
  readonly traps?: readonly string[];
  /** The folder in the repository that commands are run in. */
  readonly at?: string;
  readonly prepare?: (root: string) => Promise<unknown>;
  /** How many errors validate or plan tells, where each trap is one. */
  readonly errors?: number;
  readonly commands: (origins: Origins) => readonly (readonly [code: number, ...args: readonly string[]])[];
}

const entry = (options: string) =>
  `version: 1\nvalues: { unused: 1 }\nintegrations:\n  a: { match: threat_lookup_*, options: { ${options} } }\n`;
const HARMLESS = entry('timeout: 5');
const repeated = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('');
const server = (url: string, rest = 'config: [base/]', name = 'a') =>
  `version: 1\nservers:\n  ${name}:\n    url: ${url}\n    ${rest}\n`;
const things = (pattern: string) => THING_NAMES.map((name) => pattern.replace('*', name));

/** What reads a project without a server, and with one, with their exit codes. */
const projectCommands =
  (applied: number, validated = applied) =>
  () =>
    [
      [validated, 'validate'],
      [applied, 'apply', '--yes'],
    ] as const;

const NAMES = [
  'two\nlines',
  '\u001b[31mred\u001b]0;title\u0007',
  '::error::named',
  '##[error]named',
  '--help',
  '-f',
  '*',
  '[a-z]',
  '{a,b}',
  '!a',
  '$(evil.sh)',
  '`evil.sh`',
  '~',
  '%0a::warning::named',
  '\u202elmay.on',
  '\u0085\u200b',
  'n'.repeat(250),
];

const named = (text: (at: number) => string) =>
  Object.fromEntries(NAMES.map((name, at) => [`base/${name}.yaml`, text(at)]));

const references = (...names: readonly string[]) =>
  entry(names.map((name, at) => `o${at}: "\${${name}}"`).join(', '));

const ATTACKS: Readonly<Record<string, Attack>> = {
  'the names of its files': {
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed),
      'base/a.yaml': HARMLESS,
      ...named((at) => `version: 1\nvalues: { v${at}: 1 }\n`),
    }),
    commands: projectCommands(0),
  },
  'the names of its files, each with a mistake': {
    errors: 17,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed),
      ...named(() => 'version: 1\nvalues: { v: 0123 }\n'),
    }),
    commands: projectCommands(3),
  },
  'a name that is no text': {
    errors: 1,
    files: ({ allowed }) => ({ 'setpoint.yaml': server(allowed), 'base/a.yaml': HARMLESS }),
    prepare: (root) =>
      writeFile(
        Buffer.concat([Buffer.from(`${root}/base/`), Buffer.from([0xff, 0x9b]), Buffer.from('.yaml')]),
        '',
      ),
    commands: projectCommands(3),
  },
  'another origin, with the credentials of another name': {
    files: ({ allowed, foreign }) => ({
      'setpoint.yaml': `${server(allowed)}  production:\n    url: ${foreign}\n    config: [base/]\n`,
      'base/a.yaml': HARMLESS,
    }),
    commands: () => [
      [0, 'validate'],
      ...['plan', 'apply', 'list', 'errors'].map((command) => [3, command] as const),
      [3, 'schema', '--server', 'production'],
      [0, 'list', '--server', 'a'],
    ],
  },
  'references to the credentials of setpoint': {
    errors: 2,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed),
      'base/a.yaml': references('env:SETPOINT_TOKEN', 'env:SETPOINT_SERVER_PRODUCTION_TOKEN'),
    }),
    commands: projectCommands(3),
  },
  'references to other secrets of the run': {
    errors: 3,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed),
      'base/a.yaml': references('env:AWS_SECRET_ACCESS_KEY', 'env:HOME', 'env:PATH'),
    }),
    commands: projectCommands(3, 0),
  },
  'references to what is no file of its own': {
    errors: 11,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed),
      'base/a.yaml': references(
        ...things('file:secrets/*'),
        'file:.git/config',
        'file:git-link',
        'file:submodule/.git',
        'file:../outside/secret.yaml',
        'file:/etc/passwd',
      ),
    }),
    traps: things('secrets/*'),
    prepare: (root) => symlink('.git/config', join(root, 'git-link')),
    commands: projectCommands(3, 0),
  },
  'layers that are no files of its own': {
    errors: 9,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(
        allowed,
        `config: [${things('base/*.yaml').join(', ')}, ../outside/, folder-link, "**/*.yaml", round/]`,
      ),
      'round/a.yaml': HARMLESS,
    }),
    traps: things('base/*.yaml'),
    prepare: (root) =>
      Promise.all([symlink('../outside', join(root, 'folder-link')), symlink('..', join(root, 'round/up'))]),
    commands: projectCommands(3),
  },
  ...Object.fromEntries(
    ['pipe', 'out'].map((name): [string, Attack] => [
      `a setpoint.yaml that is no file of its own: ${name}`,
      {
        files: () => ({ 'base/a.yaml': HARMLESS }),
        traps: [`${name}.link`],
        prepare: (root) => symlink(`${name}.link`, join(root, 'setpoint.yaml')),
        commands: () => [
          [3, 'validate'],
          [3, 'plan'],
          [3, 'apply', '--yes'],
        ],
      },
    ]),
  ),
  'a .git that is a file with another place': {
    files: ({ allowed }) => ({
      'submodule/setpoint.yaml': server(allowed),
      'submodule/base/a.yaml': HARMLESS,
    }),
    at: 'submodule',
    commands: projectCommands(0),
  },
  'little YAML that costs much to parse': {
    errors: 3,
    files: ({ allowed }) => ({
      'setpoint.yaml': server(allowed, 'config: [base/, "**/**/**/**/*{a,b}*{a,b}*.yaml"]'),
      'base/aliases.yaml': `version: 1\nvalues:\n  a0: &a0 xxxxxxxx\n${repeated(
        40,
        (at) => `  a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}, *a${at}]\n`,
      )}`,
      'base/deep.yaml': `version: 1\nvalues: ${'['.repeat(100_000)}\n`,
    }),
    commands: projectCommands(3),
  },
};

test.each(Object.entries(ATTACKS))('%s', async (_, attack) => {
  const origins = { allowed: '', foreign: '' };
  const sandbox = await liveSandbox();
  const foreign = await recordingServer();
  Object.assign(origins, { allowed: sandbox.url, foreign: foreign.url });
  const repository = await hostileRepository(attack.files(origins), attack.traps);
  await attack.prepare?.(repository.root);
  const before = await repository.outside();
  const env = {
    PATH: repository.bin,
    HOME: SECRET,
    CI: 'true',
    SETPOINT_ALLOWED_ORIGINS: sandbox.url,
    SETPOINT_TOKEN: await logIn(sandbox.url, 'admin'),
    SETPOINT_SERVER_PRODUCTION_TOKEN: `${SECRET}-production`,
    SETPOINT_FINGERPRINT_KEY: `${SECRET}-fingerprint`,
    SETPOINT_VENDOR_KEY: `${SECRET}-vendor`,
    AWS_SECRET_ACCESS_KEY: `${SECRET}-aws`,
  };
  const cwd = join(repository.root, attack.at ?? '');
  const commands = attack.commands(origins);
  const ended = await pMap(commands, async ([, ...args]) => ({ args, ...(await run(args, { cwd, env })) }), {
    concurrency: 2,
  });
  expect(ended.map(({ code, args }) => [code, ...args])).toEqual(commands);
  const errors = ended.map(({ stderr }) => stderr.match(/^(\S+ )?error [a-z-]+:/gm)?.length ?? 0);
  if (attack.errors !== undefined) expect(Math.max(...errors)).toBe(attack.errors);
  for (const { args, stdout, stderr } of ended) {
    const all = `${args.join(' ')}: ${stdout}${stderr}`;
    for (const hidden of [OUTSIDE, SECRET, env.SETPOINT_TOKEN]) expect(all).not.toContain(hidden);
    expect(all).not.toMatch(/\n\s+at |node:internal/);
    expect(all).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^\s*::|##\[/mu);
  }
  expect([await repository.started(), foreign.heard(), await repository.outside()]).toEqual(['', '', before]);
});

/** A server that answers nobody; what it hears begins with a mark for each connection. */
async function recordingServer() {
  const heard: string[] = [];
  const listener = createServer((socket) => {
    heard.push('connected ');
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      heard.push(String(chunk));
      socket.destroy();
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  onTestFinished(() => void listener.close());
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, heard: () => heard.join('') };
}
