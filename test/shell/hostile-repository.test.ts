import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  hostileRepository,
  OUTSIDE,
  SECRET,
  THING_NAMES,
} from '../support/hostile-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { run } from '../support/run.ts';
import { logIn } from '../support/sandbox.ts';

interface Attack {
  readonly files: (url: string) => Readonly<Record<string, string>>;
  readonly traps?: readonly string[];
  /** The folder in the repository that commands are run in. */
  readonly at?: string;
  readonly prepare?: (root: string) => Promise<unknown>;
  /** How many errors an apply tells. */
  readonly errors: number;
}

const entry = (options: string) =>
  `version: 1\nvalues: { unused: 1 }\nintegrations:\n  a: { match: threat_lookup_*, options: { ${options} } }\n`;
const MISTAKEN = 'version: 1\nvalues: { v: 0123 }\n';
const HARMLESS = entry('timeout: 5');
const server = (url: string, config = '[base/]') =>
  `version: 1\nservers:\n  a:\n    url: ${url}\n    config: ${config}\n`;
const things = (pattern: string) =>
  THING_NAMES.map((name) => pattern.replace('*', name));

const NAMES = [
  ...['two\nlines', '\u001b[31mred\u001b]0;title\u0007', '--help', '-f', '*'],
  ...['::error::named', '##[error]named', '%0a::warning::named', '!a', '~'],
  ...['[a-z]', '{a,b}', '$(evil.sh)', '`evil.sh`', 'n'.repeat(250)],
  ...['\u202elmay.on', '\u0085\u200b'],
];

const references = (...names: readonly string[]) =>
  entry(names.map((name, at) => `o${at}: "\${${name}}"`).join(', '));

const ATTACKS: Readonly<Record<string, Attack>> = {
  'the names of its files, each with a mistake': {
    files: (url) => ({
      'setpoint.yaml': server(url),
      ...Object.fromEntries(
        NAMES.map((name) => [`base/${name}.yaml`, MISTAKEN]),
      ),
    }),
    errors: NAMES.length,
  },
  'references to secrets of the run, and to what is no file of its own': {
    files: (url) => ({
      'setpoint.yaml': server(url),
      'base/a.yaml': references(
        ...['env:AWS_SECRET_ACCESS_KEY', 'env:HOME', 'env:PATH'],
        ...things('file:secrets/*'),
        'file:.git/config',
        'file:git-link',
        'file:submodule/.git',
        'file:/etc/passwd',
        'file:../outside/secret.yaml',
      ),
    }),
    traps: things('secrets/*'),
    prepare: (root) => symlink('.git/config', join(root, 'git-link')),
    // A link to nothing is a file that is not there.
    errors: 13,
  },
  'references to the credentials of setpoint': {
    files: (url) => ({
      'setpoint.yaml': server(url),
      'base/a.yaml': references(
        ...['env:SETPOINT_TOKEN', 'env:SETPOINT_SERVER_PRODUCTION_TOKEN'],
      ),
    }),
    errors: 2,
  },
  'layers that are no files of its own': {
    files: (url) => ({
      'setpoint.yaml': server(
        url,
        `[${things('base/*.yaml').join(', ')}, ../outside/, folder-link, "**/*.yaml", round/]`,
      ),
      'round/a.yaml': HARMLESS,
    }),
    traps: things('base/*.yaml'),
    prepare: (root) =>
      Promise.all([
        symlink('../outside', join(root, 'folder-link')),
        symlink('..', join(root, 'round/up')),
      ]),
    errors: 9,
  },
  ...Object.fromEntries(
    ['pipe', 'out'].map((name): [string, Attack] => [
      `a setpoint.yaml that is no file of its own: ${name}`,
      {
        files: () => ({ 'base/a.yaml': HARMLESS }),
        traps: [`${name}.link`],
        prepare: (root) => symlink(`${name}.link`, join(root, 'setpoint.yaml')),
        errors: 1,
      },
    ]),
  ),
  'a .git that is a file with another place': {
    files: (url) => ({
      'submodule/setpoint.yaml': server(url),
      'submodule/base/a.yaml': HARMLESS,
    }),
    at: 'submodule',
    errors: 0,
  },
};

test.each(Object.entries(ATTACKS))(
  '%s',
  async (_, { files, traps, at = '', prepare, errors }) => {
    const sandbox = await liveSandbox();
    const repository = await hostileRepository(files(sandbox.url), traps);
    await prepare?.(repository.root);
    const before = await repository.outside();
    const env = {
      PATH: repository.bin,
      HOME: SECRET,
      CI: 'true',
      SETPOINT_ALLOWED_ORIGINS: sandbox.url,
      SETPOINT_TOKEN: await logIn(sandbox.url, 'admin'),
      SETPOINT_SERVER_PRODUCTION_TOKEN: `${SECRET}-production`,
      AWS_SECRET_ACCESS_KEY: `${SECRET}-aws`,
    };
    const cwd = join(repository.root, at);
    const validated = await run(['validate'], { cwd, env });
    const applied = await run(['apply', '--yes'], { cwd, env });
    for (const { code } of [validated, applied])
      expect(code, applied.stderr).toBe(errors > 0 ? 3 : 0);
    const found = applied.stderr.match(/^error\[[a-z-]+\]:/gm) ?? [];
    expect(found).toHaveLength(errors);
    for (const { screen } of [validated, applied]) {
      for (const hidden of [OUTSIDE, SECRET, env.SETPOINT_TOKEN])
        expect(screen).not.toContain(hidden);
      expect(screen).not.toMatch(/\n\s+at |node:internal/);
      expect(screen).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^\s*::|##\[/mu);
    }
    expect(await repository.started()).toBe('');
    expect(await repository.outside()).toEqual(before);
  },
);
