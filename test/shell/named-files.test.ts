import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

const ENTRY =
  'version: 1\nintegrations: { a: { match: dns_*, autosubscribe: true } }\n';

const OUT = 'a link that leads out';

const THINGS = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdir(path),
  'a device that never ends': (path) => symlink('/dev/zero', path),
  'a file that the system makes up': (path) =>
    symlink('/proc/self/environ', path),
  [OUT]: (path) => symlink('../outside', path),
  'a link to itself': (path) => symlink('thing', path),
  'a file that is too large': async (path) => {
    await writeFile(path, '');
    await truncate(path, 2 * 1024 * 1024 + 1);
  },
} satisfies Record<string, (path: string) => unknown>;

interface Kind {
  readonly files?: (url: string) => Readonly<Record<string, string>>;
  readonly args: (url: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The finding, as `code file:line:column`. */
  readonly finding: string;
  /** Whether it may be a link to anywhere: a person names it, not the repository. */
  readonly isOurs?: true;
  /** Whether it may come from a pipe, since a flag or an argument names it. */
  readonly takesPipes?: true;
}

const project = (url: string, rest: string) =>
  `version: 1\nservers:\n  a:\n    url: ${url}\n    ${rest}\n`;
const TLS = 'config: [a.yaml]\n    tls: { caFile: thing }';
const flags = (url: string) => ['-f', 'a.yaml', '--url', url];

const KINDS: Readonly<Record<string, Kind>> = {
  'a layer': {
    files: (url) => ({ 'setpoint.yaml': project(url, 'config: [thing]') }),
    args: () => ['plan'],
    finding: 'file-unreadable setpoint.yaml:5:14',
  },
  'the certificates of setpoint.yaml': {
    files: (url) => ({ 'setpoint.yaml': project(url, TLS) }),
    args: () => ['plan'],
    finding: 'file-unreadable setpoint.yaml:6:20',
  },
  'a password': {
    args: (url) => ['plan', ...flags(url)],
    env: { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD_FILE: 'thing' },
    finding: 'file-unreadable',
    isOurs: true,
    takesPipes: true,
  },
  'a saved plan': {
    args: (url) => ['apply', 'thing', ...flags(url), '--yes'],
    finding: 'file-unreadable',
    isOurs: true,
    takesPipes: true,
  },
  'a file of a catalog': {
    args: () => ['validate', 'a.yaml', '--catalog', 'catalog'],
    finding: 'file-unreadable catalog/a.json:1:1',
  },
};

/** All kinds are read by one function: one meets all things, and the others two. */
const CELLS = Object.entries(KINDS).flatMap(([name, kind]) =>
  Object.entries(THINGS).flatMap(([thing, make]) => {
    const isTried =
      name === 'a layer' ||
      (thing === 'a pipe' && kind.takesPipes === undefined) ||
      (thing === OUT && kind.isOurs === undefined);
    return isTried ? [{ name, kind, thing, make }] : [];
  }),
);

describe('a name that leads to no plain file of its kind is refused at once, and nothing is sent', () => {
  test.each(CELLS)('$name: $thing', async ({ kind, make }) => {
    const { url, exchanges } = await liveSandbox();
    const outside = { outside: 'canary', 'work/.git/HEAD': '' };
    const cwd = join(await tempFolder(outside), 'work');
    await writeFiles(cwd, { 'a.yaml': ENTRY, ...kind.files?.(url) });
    await mkdir(join(cwd, 'catalog'));
    await symlink('../thing', join(cwd, 'catalog/a.json'));
    await make(join(cwd, 'thing'));
    const args = [...kind.args(url), '--report', 'json'];
    const result = await run(args, { cwd, env: kind.env ?? ADMIN });
    expect(result.code).toBe(3);
    expect(placesOf(result)).toEqual([kind.finding]);
    expect(exchanges).toEqual([]);
  });
});

test('2,000 files of configuration are read, 2,001 are not', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => [
    `base/${index}.yaml`,
    'version: 1\n',
  ]);
  const files = Object.fromEntries(names);
  const cwd = await tempFolder({ ...files, 'a.yaml': ENTRY });
  const validate = (layers: string) =>
    run(`validate ${layers} --report json`, { cwd });
  const most = await validate('base');
  expect(most.code).toBe(0);
  expect(placesOf(most)).toEqual(['nothing-managed base/0.yaml:1:1']);
  // Counted before any of them is read.
  await writeFile(join(cwd, 'base/2000.yaml'), 'version: 1\n');
  const more = await validate('a.yaml base');
  expect([more.code, placesOf(more)]).toEqual([3, ['too-large']]);
});
