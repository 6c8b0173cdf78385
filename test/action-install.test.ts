import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runAction } from './support/composite-action.ts';
import { PROGRAM } from './support/program.ts';
import { loopbackRegistry, type Registry } from './support/registry.ts';
import { tempFolder, writePrograms } from './support/temp.ts';

const start = promisify(execFile);
const VALID = 'version: 1\nintegrations: { a: { options: { b: 1 } } }\n';

/** A checkout that wants to run its own code, and sends npm to a registry of its own. */
async function hostileWorkspace(attacker: Registry): Promise<string> {
  const cwd = await tempFolder({ 'a.yaml': VALID });
  const mark = `touch "${cwd}/ran"`;
  const module = `require('node:fs').writeFileSync(${JSON.stringify(`${cwd}/ran`)}, '');`;
  const npmrc = [
    `registry=${attacker.url}`,
    'ignore-scripts=false',
    `script-shell=${cwd}/setpoint`,
    `node-options=--require=${cwd}/hook.cjs`,
    `prefix=${cwd}`,
    `globalconfig=${cwd}/.npmrc`,
  ];
  const manifest = {
    name: 'setpoint',
    version: '0.1.0',
    bin: { setpoint: 'setpoint' },
    scripts: { preinstall: mark, postinstall: mark, prepare: mark },
    workspaces: ['*'],
    dependencies: { setpoint: '*' },
    overrides: { esbuild: 'file:./node_modules/esbuild' },
  };
  await writePrograms(cwd, {
    setpoint: `#!/bin/sh\n${mark}\n`,
    'node_modules/.bin/setpoint': `#!/bin/sh\n${mark}\n`,
    'node_modules/esbuild/index.js': module,
    'node_modules/ajv/index.js': module,
    'hook.cjs': module,
    '.npmrc': npmrc.join('\n'),
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': '{ "extends": "./none.json" }',
  });
  return cwd;
}

/** An npm that writes down how it is called, and then runs a line of a shell. */
async function recordedNpm(line: string) {
  const folder = await tempFolder();
  const script = [
    '#!/bin/sh',
    `printf '%s\\n' "$PWD" "$@" > "${folder}/call"`,
    `env > "${folder}/environment"`,
    line,
  ];
  await writePrograms(folder, { npm: script.join('\n') });
  return {
    folder,
    call: async () =>
      (await readFile(join(folder, 'call'), 'utf8')).trim().split('\n'),
    environment: () => readFile(join(folder, 'environment'), 'utf8'),
  };
}

const INSTALLED = resolve('node_modules');
/** The packages of the lock file: hard links of those that are installed here, or what npm fetches. */
const PACKAGES = [
  ['links', `cp -Rl "${INSTALLED}" . || cp -R "${INSTALLED}" .`],
  ['a registry', `PATH="${process.env['PATH']}"; exec npm "$@"`],
] as const;

test.each(PACKAGES)(
  'the commit of the action is built, with packages from %s, and nothing of the workspace runs',
  async (from, line) => {
    const attacker = await loopbackRegistry();
    const mirror = await loopbackRegistry({ refused: 'setpoint' });
    const cwd = await hostileWorkspace(attacker);
    const npm = await recordedNpm(line);
    // As actions/setup-node names a registry; the settings of a workspace would beat it.
    const settings = await tempFolder({ npmrc: `registry=${mirror.url}\n` });
    const env = {
      PATH: `${cwd}/node_modules/.bin:${npm.folder}:${process.env['PATH']}`,
      NODE_ENV: 'production',
      npm_config_userconfig: join(settings, 'npmrc'),
      SETPOINT_TOKEN: 't-0123456789',
      SETPOINT_THREATLOOKUP_KEY: 'k-0123456789',
    };
    const {
      code,
      log,
      path,
      stepOutputs,
      folder: temporary,
    } = await runAction({
      cwd,
      env,
      inputs: { command: 'validate', config: 'a.yaml', summary: 'false' },
      only: ['Packages', 'Install', 'Run'],
    });
    // The key of the cache, which holds nothing but packages that the lock file has the checksums of.
    expect(stepOutputs['packages.lock']).toBe(await sumOf('package-lock.json'));
    expect([code, log]).toEqual([0, expect.stringContaining('Valid: 1 file')]);
    expect(await readdir(cwd)).not.toContain('ran');

    const [folder = '', ...words] = await npm.call();
    expect(folder).not.toContain(cwd);
    expect(words).toEqual(
      expect.arrayContaining([
        ...['ci', '--ignore-scripts', '--include=dev'],
        ...['--cache', join(temporary, 'setpoint-npm')],
      ]),
    );
    expect(await npm.environment()).not.toMatch(/^SETPOINT_|0123456789/m);

    const program = stepOutputs['install.program'] ?? '';
    expect(program).toBe(join(folder, 'dist', 'cli.cjs'));
    expect(await readFile(program)).toEqual(await readFile(PROGRAM));
    const found = await start('setpoint', ['--version'], {
      env: { PATH: path.join(':') },
    });
    expect(found.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await readdir(cwd)).not.toContain('ran');

    expect(attacker.requests).toEqual([]);
    expect(
      mirror.requests.filter((each) => /^\/setpoint\b/.test(each)),
    ).toEqual([]);
    expect(mirror.requests.includes('/esbuild')).toBe(from === 'a registry');
  },
);

/** A workspace with a package of setpoint as `npm pack` makes it, and its sum. */
async function packed() {
  const cwd = await tempFolder({ 'a.yaml': VALID });
  const flags = ['--ignore-scripts', '--json', '--pack-destination', cwd];
  const { stdout } = await start('npm', ['pack', ...flags]);
  const [{ filename: tarball }] = JSON.parse(stdout) as [{ filename: string }];
  return { cwd, tarball, sha256: await sumOf(join(cwd, tarball)) };
}

async function sumOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Installs from a tarball, where any call of npm would be noticed; returns what is left of it too. */
async function installed(cwd: string, inputs: Record<string, string>) {
  const npm = await recordedNpm('exit 1');
  const env = { PATH: `${npm.folder}:${process.env['PATH']}` };
  const result = await runAction({ cwd, env, inputs, only: ['Install'] });
  expect(await readdir(npm.folder)).toEqual(['npm']);
  const program = result.stepOutputs['install.program'];
  const files = await readdir(result.folder, { recursive: true });
  const isUnpacked = files.some((name) => name.endsWith('cli.cjs'));
  return { ...result, program, isUnpacked };
}

describe('a tarball', () => {
  test('with the sum that the workflow names is what runs, and nothing is built', async () => {
    const { cwd, tarball, sha256 } = await packed();
    for (const sum of [sha256, sha256.toUpperCase()]) {
      const { code, program } = await installed(cwd, { tarball, sha256: sum });
      expect(code).toBe(0);
      expect(await readFile(program ?? '')).toEqual(await readFile(PROGRAM));
    }
    const absolute = join(cwd, tarball);
    const { code } = await runAction({
      cwd,
      inputs: {
        ...{ command: 'validate', config: 'a.yaml', summary: 'false' },
        ...{ tarball: absolute, sha256 },
      },
      only: ['Install', 'Run'],
    });
    expect(code).toBe(0);
  });
  test('without that sum is an error, and nothing of it is unpacked', async () => {
    const tarball = 'setpoint.tgz';
    const cwd = await tempFolder();
    const members = [{ name: 'package/dist/cli.cjs' }];
    await writeFile(join(cwd, tarball), archiveOf(members));
    const sha256 = await sumOf(join(cwd, tarball));
    const right = await installed(cwd, { tarball, sha256 });
    expect([right.code, right.isUnpacked]).toEqual([0, true]);
    await symlink('/dev/zero', join(cwd, 'endless.tgz'));
    const wrong = sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{ tarball, sha256: wrong }, 'does not have the SHA-256'],
      [{ tarball, sha256: sha256.slice(0, 8) }, 'does not have the SHA-256'],
      [{ tarball }, 'need each other'],
      [{ sha256 }, 'need each other'],
      [{ tarball: 'none.tgz', sha256 }, 'names no file'],
      [{ tarball: '.', sha256 }, 'names no file'],
      [{ tarball: 'endless.tgz', sha256 }, 'names no file'],
      [{ tarball: '--version', sha256 }, 'names no file'],
    ];
    for (const [inputs, message] of cases) {
      const { code, log, program, isUnpacked } = await installed(cwd, inputs);
      expect([inputs, code, log]).toEqual([
        inputs,
        1,
        expect.stringMatching(new RegExp(`^::error::.*${message}`)),
      ]);
      expect([program, isUnpacked]).toEqual([undefined, false]);
    }
  });
  test('of something else is an error, and writes nothing outside of its folder', async () => {
    const cwd = await tempFolder();
    const outside = await tempFolder();
    const archives: Readonly<Record<string, readonly Member[]>> = {
      other: [{ name: 'package/index.js' }],
      up: [{ name: 'package/dist/../../../../escaped' }],
      link: [
        { name: 'package/dist', link: outside },
        { name: 'package/dist/cli.cjs' },
      ],
    };
    for (const [name, members] of Object.entries(archives)) {
      const tarball = `${name}.tgz`;
      await writeFile(join(cwd, tarball), archiveOf(members));
      const sha256 = await sumOf(join(cwd, tarball));
      const { code, log } = await installed(cwd, { tarball, sha256 });
      expect([name, code, log]).toEqual([
        name,
        1,
        expect.stringContaining('::error::The tarball is not a package'),
      ]);
    }
    expect(await readdir(outside)).toEqual([]);
  });
});

/** A file without bytes, or a link. */
interface Member {
  readonly name: string;
  readonly link?: string;
}

/** A compressed archive in the form of ustar, with names that no program would write. */
function archiveOf(members: readonly Member[]): Buffer {
  const headers = members.map(({ name, link }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write('00000000000\0', 124);
    header.write(' '.repeat(8), 148);
    header.write(link === undefined ? '0' : '2', 156);
    header.write(link ?? '', 157);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return header;
  });
  return gzipSync(Buffer.concat([...headers, Buffer.alloc(1024)]));
}
