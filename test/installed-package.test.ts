import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN } from './support/run.ts';
import { writeFiles } from './support/temp.ts';

const start = promisify(execFile);

/** The oldest Node that is supported, and the newest of the later lines; each is a package that holds the program alone. */
const NODES = ['20.18.1', '22', '24'];
const nodePackage = (version: string) => `node-${process.platform}-${process.arch}@${version}`;

const PROJECT = {
  'package.json': '{ "private": true, "type": "module" }',
  'a.yaml':
    'version: 1\nintegrations:\n  time_zones: { match: time_zones_*, options: { format: "HH:mm" } }\n',
  'consumer.ts': `import { main, processRuntime, type Runtime } from 'setpoint';
    const runtime: Runtime = { ...processRuntime(), now: () => 0 };
    const code: number = await main(['validate', 'a.yaml'], runtime);
    if (code !== 0) throw new Error(String(code));
    // @ts-expect-error: a number is no argument.
    export const wrong = () => main([1], runtime);\n`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
      ...{ noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, skipLibCheck: false, types: [] },
    },
    files: ['consumer.ts'],
  }),
};

const shared = { folder: '' };

beforeAll(async () => {
  shared.folder = await mkdtemp(join(tmpdir(), 'setpoint-installed-'));
  await writeFiles(shared.folder, PROJECT);
  const { stdout } = await start('npm', [
    ...['pack', '--ignore-scripts', '--json', '--pack-destination', shared.folder],
  ]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await install(shared.folder, join(shared.folder, filename));
  // What runs it is no part of the project that it is installed into.
  await writeFiles(shared.folder, { 'nodes/package.json': '{ "private": true }' });
  const named = NODES.map((version) => `node-${version}@npm:${nodePackage(version)}`);
  await install(join(shared.folder, 'nodes'), ...named);
}, 300_000);
afterAll(() => rm(shared.folder, { recursive: true, force: true }));

/** Installs packages; nothing of them runs. */
function install(cwd: string, ...packages: readonly string[]) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  return start('npm', ['install', ...flags, ...packages], { cwd });
}

/** Runs a program of the project with one of the Nodes first on the path. */
async function ran(version: string, program: string, ...args: readonly string[]): Promise<string> {
  const bin = join(shared.folder, 'nodes', 'node_modules', `node-${version}`, 'bin');
  const env = { ...ADMIN, PATH: `${bin}:${process.env['PATH']}` };
  return (await start(program, args, { cwd: shared.folder, env })).stdout;
}

describe('the package, installed from its tarball into an empty project', () => {
  test('is one package without any other', async () => {
    const installed = await readdir(join(shared.folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['setpoint']);
  });
  test.each(NODES)('is a program on Node %s', async (version) => {
    expect(await ran(version, 'node', '--version')).toMatch(new RegExp(`^v${version}\\b`));
    const { url } = await liveSandbox();
    const setpoint = join('node_modules', '.bin', 'setpoint');
    expect(await ran(version, setpoint, 'validate', 'a.yaml')).toBe('Valid: 1 file, 1 entry.\n');
    const target = ['-f', 'a.yaml', '--url', url];
    expect(await ran(version, setpoint, 'plan', ...target)).toContain('Plan: 1 change ');
    expect(await ran(version, setpoint, 'apply', ...target, '--yes')).toContain('1 of 1 change verified');
  });
  test('compiles into a program of strict TypeScript, which runs on every Node', async () => {
    const tsc = resolve('node_modules/.bin/tsc');
    await start(tsc, ['-p', 'tsconfig.json'], { cwd: shared.folder }).catch(({ stdout }) => {
      throw new Error(String(stdout));
    });
    for (const version of NODES)
      expect(await ran(version, 'node', 'consumer.js')).toBe('Valid: 1 file, 1 entry.\n');
  });
});
