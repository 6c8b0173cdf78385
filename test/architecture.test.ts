import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: string;
  readonly isLazy: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.startsWith('generated/'));
const imports = files.flatMap(importsOf);

/** Every import and re-export of a file, types included, with the line that an error should show. */
function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8');
  const pattern =
    /^(?:import|export)\b[^;'"]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
  return [...text.matchAll(pattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    const line = `${from}:${text.slice(0, match.index).split('\n').length}: ${match[0].replace(/\s+/g, ' ')}`;
    return {
      from,
      to: target.startsWith('.') ? resolveImport(from, target) : target,
      line,
      isLazy: match[3] !== undefined,
    };
  });
}

function resolveImport(from: string, target: string): string {
  return relative(root, join(root, dirname(from), target)).replaceAll('\\', '/');
}

/** The lines of imports from files under one of `from` to anything that `allowed` does not hold. */
function offending(from: RegExp, allowed: readonly RegExp[]): string[] {
  return imports
    .filter((each) => from.test(each.from) && !allowed.some((pattern) => pattern.test(each.to)))
    .map(({ line }) => line);
}

test('the imports were read', () => {
  expect(imports.length).toBeGreaterThan(150);
  expect(imports.some(({ isLazy }) => isLazy)).toBe(true);
});

describe('imports point one way', () => {
  /** What all of the core meets in. */
  const base = /^core\/(model|findings)\//;
  test.each([
    [
      'the core computes on plain data',
      /^core\//,
      [
        /^core\//,
        /^generated\//,
        /^(yaml|ajv|picomatch|diff|fast-string-width|fastest-levenshtein|node:crypto)$/,
      ],
    ],
    [
      'the base of the core knows nothing above it',
      base,
      [base, /^(fastest-levenshtein|picomatch)$/, /^generated\/[a-z]+-(schema|types)\.ts$/],
    ],
    ['yaml knows only the base', /^core\/yaml\//, [base, /^core\/yaml\//, /^yaml$/]],
    ['config knows yaml', /^core\/config\//, [base, /^core\/(yaml|config)\//, /^generated\//, /^ajv$/]],
    ['match knows config', /^core\/match\//, [base, /^core\/(config|match)\//]],
    ['live knows only the base', /^core\/live\//, [base, /^core\/live\//]],
    [
      'the schema for editors knows only the base',
      /^core\/schema\//,
      [base, /^core\/schema\//, /^generated\//],
    ],
    ['plan knows only the base', /^core\/plan\//, [base, /^core\/plan\//, /^generated\//, /^node:crypto$/]],
    ['diff knows config and plan', /^core\/diff\//, [base, /^core\/(config|plan|diff)\//]],
    [
      'pull knows what reads and compares its text',
      /^core\/pull\//,
      [base, /^core\/(pull|config|match|plan|yaml)\//],
    ],
    [
      'snapshot knows live and plan',
      /^core\/snapshot\//,
      [
        base,
        /^core\/(live|plan|snapshot)\//,
        /^core\/config\/server-url\.ts$/,
        /^generated\/snapshot-(validator\.js|types\.ts)$/,
      ],
    ],
    [
      'show sees config, match, plan and diff',
      /^core\/show\//,
      [base, /^core\/(config|match|plan|diff|show)\//],
    ],
    [
      'accept knows yaml, config, match and plan',
      /^core\/accept\//,
      [base, /^core\/(yaml|config|match|plan|accept)\//, /^(yaml|diff)$/],
    ],
    ['pacing knows nothing', /^core\/pacing\//, [/^core\/pacing\//]],
    [
      'report sees plan',
      /^core\/report\//,
      [
        base,
        /^core\/(report|plan|diff|snapshot)\//,
        /^core\/show\/show\.ts$/,
        /^core\/live\/errors\.ts$/,
        /^core\/accept\/accept\.ts$/,
        /^generated\/report-page\.ts$/,
        /^(diff|fast-string-width|node:crypto)$/,
      ],
    ],
    ['text is no part of a page', /^core\/report\/text\//, [/^(?!core\/report\/(page|pipelines)\.ts)/]],
    ['a page is no part of a pipeline', /^core\/report\/page\.ts/, [/^(?!core\/report\/(text\/|pipelines))/]],
    ['the sandbox stands alone', /^sandbox\//, [/^sandbox\//, /^core\/model\//, /^[^.]*$/]],
    ['the bin only starts', /^cli\.ts$/, [/^shell\/(program|runtime)\.ts$/, /^node:module$/]],
    ['the library knows only the core', /^index\.ts$/, [/^core\//]],
  ])('%s', (_, from, allowed) => {
    expect(offending(from, allowed)).toEqual([]);
  });
  /** The rooms of the shell from the top down: what a file imports of the shell is in its own room or below. */
  const rooms = [
    /^shell\/(program|command-table)\.ts$/,
    /^shell\/commands\//,
    /^shell\/reconcile\//,
    /^shell\/servers\//,
    /^shell\/sources\//,
    /^shell\/git\//,
    /^shell\/http\//,
    /^shell\/(run|run-command|runtime|writer|reports|interruption|paths|new-file|failure|flags)\.ts$/,
  ];
  test('each file of the shell is in one room', () => {
    const shell = files.filter((path) => path.startsWith('shell/'));
    expect(shell.filter((path) => rooms.filter((room) => room.test(path)).length !== 1)).toEqual([]);
  });
  test.each(rooms.map((room, index) => [room, rooms.slice(index)] as const))(
    '%s imports nothing of the shell from above',
    (room, allowed) => {
      expect(
        offending(room, [...allowed, /^core\//, /^generated\//, /^sandbox\//, /^undici\//, /^[^.]*$/]),
      ).toEqual([]);
    },
  );
  test('only its command imports the sandbox', () => {
    const users = imports.filter(({ from, to }) => to.startsWith('sandbox/') && !from.startsWith('sandbox/'));
    expect(users.filter(({ from }) => from !== 'shell/commands/sandbox.ts').map(({ line }) => line)).toEqual(
      [],
    );
  });
  test('commands do not know each other, and only the command line starts them, lazily', () => {
    const users = imports.filter(({ to }) => to.startsWith('shell/commands/'));
    expect(
      users
        .filter(({ from, isLazy }) => from !== 'shell/command-table.ts' || !isLazy)
        .map(({ line }) => line),
    ).toEqual([]);
  });
});

describe('libraries stay where they belong', () => {
  test.each([
    ['undici', /^shell\/http\/dispatcher\.ts$/],
    ['commander', /^shell\/program\.ts$/],
    ['hono', /^sandbox\//],
    ['@hono/node-server', /^sandbox\//],
  ])('%s', (library, home) => {
    const users = imports.filter(({ to }) => to === library || to.startsWith(`${library}/`));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter(({ from }) => !home.test(from)).map(({ line }) => line)).toEqual([]);
  });
  test('only what compares, masks or encodes opens a secret', () => {
    const openers = imports
      .filter(({ to, line }) => to === 'core/model/secret.ts' && /\b(reveal|encodeOpen)\b/.test(line))
      .map(({ from }) => from);
    expect([...new Set(openers)].sort()).toEqual([
      'core/config/resolve.ts',
      'core/diff/config-diff.ts',
      'core/model/live.ts',
      'core/plan/conform.ts',
      'core/plan/history.ts',
      'core/plan/judge.ts',

      'core/plan/requests.ts',
      'index.ts',
      'shell/http/transport.ts',
      'shell/sources/secrets-file.ts',
      'shell/writer.ts',
    ]);
  });
  test('only the writer writes, but for the help of the program', () => {
    const sinks = /\b(stdout\b(?!')|stderr\b(?!')|replaceFile|console)\b/;
    const homes = /^(cli|shell\/(writer|runtime|program|reports|new-file|commands\/(accept|snapshot)))\.ts$/;
    const lines = files
      .filter((path) => !homes.test(path))
      .flatMap((path) =>
        codeLines(path)
          .filter(({ code }) => sinks.test(code))
          .map(({ where, code }) => `${where}: ${code}`),
      );
    expect(lines).toEqual([]);
  });
  test('undici is loaded lazily', () => {
    const users = imports.filter(
      ({ from, to }) =>
        /^shell\/http\/(dispatcher|transport)\.ts$/.test(to) && from !== 'shell/http/transport.ts',
    );
    expect(users.map(({ from, isLazy }) => [from, isLazy])).toEqual([['shell/servers/sessions.ts', true]]);
  });
  test('the HTML report is loaded lazily', () => {
    const users = imports.filter(
      ({ to, line }) => to === 'core/report/page.ts' && !line.includes('import type'),
    );
    expect(new Set(users.map(({ isLazy }) => isLazy))).toEqual(new Set([true]));
  });
  test('the core and the library read no clock, environment, file, network or terminal', () => {
    const ambient = /\b(process|console|Date\.now|new Date\(\)|setTimeout|setInterval|fetch|Math\.random)\b/;
    const lines = files
      .filter((path) => /^(core\/|index\.ts)/.test(path))
      .flatMap((path) =>
        codeLines(path)
          .filter(({ code }) => ambient.test(code))
          .map(({ where, code }) => `${where}: ${code}`),
      );
    expect(lines).toEqual([]);
  });
});

/** The lines of a file without comments and texts. */
function codeLines(path: string): { where: string; code: string }[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line, index) => ({
      where: `${path}:${index + 1}`,
      code: line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""').replace(/^\s*(\/\*\*|\*|\/\/).*|\/\/ .*/, ''),
    }));
}

test('there is no cycle, types included', () => {
  const graph = new Map(
    files.map((file) => [
      file,
      imports.filter(({ from, to }) => from === file && files.includes(to)).map(({ to }) => to),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' -> ')];
    if (done.has(file)) return [];
    const found = (graph.get(file) ?? []).flatMap((next) => visit(next, [...path, file]));
    done.add(file);
    return found;
  };
  expect(files.flatMap((file) => visit(file, []))).toEqual([]);
});

describe('sizes and names', () => {
  test('no file has more than 250 lines', () => {
    const long = files.filter((path) => codeLines(path).length > 251);
    expect(long).toEqual([]);
  });
  test('no file is named after nothing', () => {
    expect(files.filter((path) => /(utils?|helpers?|common|manager|misc)\b/.test(path))).toEqual([]);
  });
  test('there is no any, no double cast and no non-null assertion', () => {
    const escapes = /:\s*any\b|<any>|\bas any\b|\bas unknown as\b|[A-Za-z0-9_\])]!(\.|;|,|\))/;
    const lines = files.flatMap((path) =>
      codeLines(path)
        .filter(({ code }) => escapes.test(code))
        .map(({ where, code }) => `${where}: ${code}`),
    );
    expect(lines).toEqual([]);
  });
});
