import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { liveSandbox } from './support/live-sandbox.ts';
import { program } from './support/program.ts';
import { ADMIN } from './support/run.ts';
import { logIn } from './support/sandbox.ts';
import { writeFiles } from './support/temp.ts';

const start = promisify(execFile);

const HERE = process.versions.node;
/** The Node of the tests, the oldest that is supported, and the newest of later lines: packages with the program alone. */
const NODES = [HERE, '20.18.1', '22', '24'];
const nodePackage = (version: string) =>
  `node-${process.platform}-${process.arch}@${version}`;

/** A configuration of one option. */
const formatted = (format: string) =>
  `version: 1\nintegrations:\n  time_zones: { match: time_zones_*, options: { format: ${format} } }\n`;

const PROJECT = {
  'package.json': '{ "private": true, "type": "module" }',
  'a.yaml': formatted('"HH:mm"'),
  'silent.yaml': formatted('{ permission: lock-and-hide }'),
  'gate.ts': readFileSync('examples/gate/gate.ts', 'utf8'),
  'library.ts': `declare const text: string, snapshot: string;\n${snippetOf('docs/library.md')}`,
  // What the gate does not use, without the types of Node.
  'consumer.ts': `import { type Checked, type Diagnostic, type Document, type Format, type ServerDocument, type TakenServer, decode, parse, plan, render } from 'setpoint';
    export const text = (format: Format): Promise<string> => render(plan(parse([]), { server: { name: 'a', url: 'https://a.example' }, takenAt: '2026-11-20T10:00:00Z', live: [] }), format);
    export const changes = (made: ServerDocument): number => made.integrations.reduce((sum, each) => sum + each.changes.length, 0);
    export const again = (server: TakenServer): Document => plan(parse([]), server, { 'overrides-users': 'warn' });
    export const found = (text: string): string => { const server = decode(text); return 'problem' in server ? server.problem : server.takenAt; };
    export const ends = ({ diagnostics }: Checked<unknown>): number => diagnostics.length;
    export const codes = (found: readonly Diagnostic[]) => found.map(({ code }) => code);
    // @ts-expect-error: a text is no configuration.
    export const wrong = (server: TakenServer) => plan('a.yaml', server);
    // @ts-expect-error: there is no such format.
    export const none = (made: Document) => render(made, 'pdf');\n`,
  'tsconfig.json': tsconfig(['consumer.ts'], { types: [], lib: ['es2023'] }),
  'tsconfig.gate.json': tsconfig(['gate.ts', 'library.ts'], {
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  }),
};

/** The TypeScript in a text. */
function snippetOf(path: string): string {
  return /```ts\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
}

/** As strict as a compiler gets, the types of the package included. */
function tsconfig(files: readonly string[], types: object): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    skipLibCheck: false,
    ...types,
  };
  return JSON.stringify({ compilerOptions, files });
}

const shared = { folder: '' };

beforeAll(async () => {
  shared.folder = await mkdtemp(join(tmpdir(), 'setpoint-installed-'));
  await writeFiles(shared.folder, PROJECT);
  const flags = [
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    shared.folder,
  ];
  const { stdout } = await start('npm', ['pack', ...flags]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await install(shared.folder, join(shared.folder, filename));
  // What runs it is no part of the project that it is installed into.
  await writeFiles(shared.folder, {
    'nodes/package.json': '{ "private": true }',
  });
  const [, ...others] = NODES;
  const named = others.map(
    (version) => `node-${version}@npm:${nodePackage(version)}`,
  );
  if (named.length > 0) await install(join(shared.folder, 'nodes'), ...named);
});
afterAll(() => rm(shared.folder, { recursive: true, force: true }));

/** Installs packages; nothing of them runs. */
function install(cwd: string, ...packages: readonly string[]) {
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  return start('npm', ['install', ...flags, ...packages], { cwd });
}

/** Compiles a part of the project; fails with what the compiler says. */
async function compile(project: string): Promise<void> {
  const compiling = start(resolve('node_modules/.bin/tsc'), ['-p', project], {
    cwd: shared.folder,
  });
  await compiling.catch(({ stdout }) => expect(stdout).toBe(''));
}

/** Runs a program of the project with one of the Nodes first on the path. */
async function ran(
  version: string,
  program: string,
  args: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Promise<string> {
  const other = join(
    shared.folder,
    'nodes',
    'node_modules',
    `node-${version}`,
    'bin',
  );
  const bin = version === HERE ? dirname(process.execPath) : other;
  const env = { ...ADMIN, ...own, PATH: `${bin}:${process.env['PATH']}` };
  return (await start(program, args, { cwd: shared.folder, env })).stdout;
}

describe('the package, installed from its tarball into an empty project', () => {
  test('is one package without any other', async () => {
    const installed = await readdir(join(shared.folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual([
      'setpoint',
    ]);
  });
  test.each(NODES)('is a program on Node %s', async (version) => {
    expect(await ran(version, 'node', ['--version'])).toMatch(
      new RegExp(`^v${version}\\b`),
    );
    const { url } = await liveSandbox();
    const setpoint = join('node_modules', '.bin', 'setpoint');
    expect(await ran(version, setpoint, ['validate', 'a.yaml'])).toMatch(
      /^Valid: 1 file, 1 entry\.\n/,
    );
    const target = ['-f', 'a.yaml', '--url', url];
    expect(await ran(version, setpoint, ['plan', ...target])).toContain(
      '\nPlan  1 change ',
    );
    expect(
      await ran(version, setpoint, ['apply', ...target, '--yes']),
    ).toContain('(1 verified)');
  });
  test('brings the catalog along that its sandbox serves', async () => {
    const path = join(shared.folder, 'node_modules', '.bin', 'setpoint');
    const child = program(['sandbox', '--port', '0'], {
      cwd: shared.folder,
      path,
    });
    onTestFinished(() => void child.process.kill());
    await child.says('setpoint sandbox listens on ');
  });
  test('is a library that strict TypeScript takes, without the types of Node', async () => {
    await compile('tsconfig.json');
    const print =
      "import('./consumer.js').then(({ text }) => text('text')).then(console.log)";
    for (const version of NODES)
      expect(await ran(version, 'node', ['--eval', print])).toContain('Plan  ');
  });
});

describe('the example of a gate, in strict TypeScript', () => {
  beforeAll(() => compile('tsconfig.gate.json'));
  const gate = async (version: string, url: string, file: string) => {
    const setpoint = join(shared.folder, 'node_modules', '.bin', 'setpoint');
    const token = { SETPOINT_TOKEN: await logIn(url, 'admin') };
    const out = ['--url', url, '--out', 'server.json'];
    await ran(version, setpoint, ['snapshot', ...out], token);
    return ran(version, 'node', ['gate.js', 'server.json', file]);
  };
  test.each(NODES)(
    'holds a plan against its rule on Node %s',
    async (version) => {
      const { url } = await liveSandbox();
      expect(await gate(version, url, 'a.yaml')).toContain('\nPlan  1 change ');
      const stdout = expect.stringContaining(
        'error[say-why]: time_zones.options.format.permission',
      );
      await expect(gate(version, url, 'silent.yaml')).rejects.toMatchObject({
        code: 1,
        stdout,
      });
    },
  );
});
