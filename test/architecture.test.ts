import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    const number = text.slice(0, match.index).split('\n').length;
    const line = `${from}:${number}: ${match[0].replace(/\s+/g, ' ')}`;
    const isOurs = target.startsWith('.');
    const to = isOurs ? join(dirname(from), target) : target;
    return { from, to, line, isLazy: match[3] !== undefined };
  });
}

/** The lines of imports from files under one of `from` to anything that `allowed` does not hold. */
function offending(from: RegExp, allowed: readonly RegExp[]): string[] {
  return linesOf(
    ({ from: file, to }) =>
      from.test(file) && !allowed.some((pattern) => pattern.test(to)),
  );
}

/** The lines of imports of which something is wrong. */
function linesOf(isWrong: (each: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ line }) => line);
}

test('the imports were read', () => {
  expect(imports.length).toBeGreaterThan(150);
  expect(imports.some(({ isLazy }) => isLazy)).toBe(true);
});

/** A pattern of what is named by these words: modules, or files and folders of the sources. */
const named = (words: string) =>
  new RegExp(`^(${words.replaceAll(' ', '|')})(/|\\.ts$|$)`);

/** What all of the core meets in. */
const BASE = 'core/model core/findings';

describe('imports point one way', () => {
  test.each([
    [
      'core',
      'core generated yaml ajv picomatch diff fast-string-width fastest-levenshtein node:crypto',
    ],
    [
      BASE,
      `${BASE} fastest-levenshtein picomatch generated/[a-z]+-(schema|types)`,
    ],
    ['core/yaml', `${BASE} core/yaml yaml`],
    ['core/config', `${BASE} core/yaml core/config generated ajv`],
    ['core/match', `${BASE} core/config core/match`],
    ['core/live', `${BASE} core/live`],
    ['core/schema', `${BASE} core/schema generated`],
    ['core/plan', `${BASE} core/plan generated node:crypto`],
    ['core/diff', `${BASE} core/config core/match core/plan core/diff`],
    [
      'core/pull',
      `${BASE} core/pull core/config core/match core/plan core/yaml`,
    ],
    [
      'core/snapshot',
      `${BASE} core/live core/plan core/snapshot core/config/server-url generated/snapshot-(validator.js|types)`,
    ],
    [
      'core/show',
      `${BASE} core/config core/match core/plan core/diff core/show`,
    ],
    [
      'core/accept',
      `${BASE} core/yaml core/config core/match core/plan core/pull core/accept yaml`,
    ],
    ['core/pacing', 'core/pacing'],
    [
      'core/report',
      `${BASE} core/report core/plan core/diff core/snapshot core/show/show core/live/errors core/accept/accept core/pull/report generated/report-page diff fast-string-width node:crypto`,
    ],
    ['core/report/model', '(?!core/report/(text|page|comment|pipelines)).+'],
    ['core/report/text', '(?!core/report/(page|comment|pipelines)).+'],
    ['core/report/page', '(?!core/report/(text|comment|pipelines)).+'],
    ['core/report/comment', '(?!core/report/(text|page|pipelines)).+'],
    ['core/report/pipelines', '(?!core/report/(text|page|comment)).+'],
    ['sandbox', 'sandbox core/model [^.]+$'],
    ['cli', 'shell/program shell/runtime node:module'],
    ['index', 'core'],
  ])('%s imports nothing but %s', (from, allowed) => {
    expect(files.some((path) => named(from).test(path))).toBe(true);
    expect(offending(named(from), [named(allowed)])).toEqual([]);
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
    /^shell\/(run|run-command|runtime|writer|progress|reports|interruption|paths|new-file|failure|flags)\.ts$/,
  ];
  test('each file of the shell is in one room', () => {
    const shell = files.filter((path) => path.startsWith('shell/'));
    const roomsOf = (path: string) => rooms.filter((room) => room.test(path));
    expect(shell.filter((path) => roomsOf(path).length !== 1)).toEqual([]);
  });
  test.each(rooms)('%s imports nothing of the shell from above', (room) => {
    const below = rooms.slice(rooms.indexOf(room));
    const others = named('core generated sandbox undici [^.]+$');
    expect(offending(room, [...below, others])).toEqual([]);
  });
  test('only its command imports the sandbox', () => {
    const homes = /^(sandbox\/|shell\/commands\/sandbox\.ts)/;
    const wrong = linesOf(
      ({ from, to }) => to.startsWith('sandbox/') && !homes.test(from),
    );
    expect(wrong).toEqual([]);
  });
  test('commands do not know each other, and only the command line starts them, lazily', () => {
    const wrong = linesOf(
      ({ from, to, isLazy }) =>
        to.startsWith('shell/commands/') &&
        (from !== 'shell/command-table.ts' || !isLazy),
    );
    expect(wrong).toEqual([]);
  });
});

describe('libraries stay where they belong', () => {
  test.each([
    ['undici', /^shell\/http\/dispatcher\.ts$/],
    ['commander', /^shell\/program\.ts$/],
    ['hono', /^sandbox\//],
    ['@hono/node-server', /^sandbox\//],
  ])('%s', (library, home) => {
    const isOfIt = ({ to }: Import) => `${to}/`.startsWith(`${library}/`);
    expect(imports.some(isOfIt)).toBe(true);
    const wrong = linesOf((each) => isOfIt(each) && !home.test(each.from));
    expect(wrong).toEqual([]);
  });
  test('only what compares, masks or encodes opens a secret', () => {
    const opening: Readonly<Record<string, RegExp>> = {
      'core/model/secret.ts': /\b(reveal|encodeOpen)\b/,
      // This opens a side, whether or not it is a secret.
      'core/model/side.ts': /\bcontentOf\b/,
    };
    const openers = new Set<string>();
    for (const { from, to, line } of imports) {
      if (opening[to]?.test(line)) openers.add(from);
    }
    expect([...openers].sort().join(' ').replaceAll('.ts', '')).toBe(
      'core/accept/drift core/config/resolve core/model/live core/model/side ' +
        'core/plan/compare core/plan/conform core/plan/judge core/plan/label core/plan/requests core/plan/risk ' +
        'core/pull/entry core/pull/secrets core/snapshot/snapshot ' +
        'sandbox/catalog shell/http/dispatcher shell/reconcile/secrets-file shell/writer',
    );
  });
  test('only the writer writes, but for the help of the program', () => {
    const homes =
      /^(cli|shell\/(writer|runtime|program|reports|new-file|commands\/(accept|snapshot)))\.ts$/;
    const sinks = /\b(stdout\b(?!')|stderr\b(?!')|replaceFile|console)\b/;
    const others = files.filter((path) => !homes.test(path));
    expect(linesWith(sinks, others)).toEqual([]);
  });
  test('undici is loaded lazily', () => {
    const users = imports.filter(
      ({ from, to, line }) =>
        /^shell\/http\/(dispatcher|transport)\.ts$/.test(to) &&
        from !== 'shell/http/transport.ts' &&
        !line.includes('import type'),
    );
    expect(users.map(({ from, isLazy }) => [from, isLazy])).toEqual([
      ['shell/servers/sessions.ts', true],
    ]);
  });
  test('the HTML report is loaded lazily', () => {
    const users = imports.filter(
      ({ to, line }) =>
        to === 'core/report/page/page.ts' && !line.includes('import type'),
    );
    expect(new Set(users.map(({ isLazy }) => isLazy))).toEqual(new Set([true]));
  });
  test('the core and the library read no clock, environment, file, network or terminal', () => {
    const ambient =
      /\b(process|console|Date\.now|new Date\(\)|setTimeout|setInterval|fetch|Math\.random)\b/;
    const pure = files.filter((path) => /^(core\/|index\.ts)/.test(path));
    expect(linesWith(ambient, pure)).toEqual([]);
  });
});

/** The lines of files in which code, without comments and texts, has a pattern. */
function linesWith(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    codeLines(path)
      .filter(({ code }) => pattern.test(code))
      .map(({ where, code }) => `${where}: ${code}`),
  );
}

/** The lines of a file without comments and texts. */
function codeLines(path: string): { where: string; code: string }[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line, index) => ({
      where: `${path}:${index + 1}`,
      code: line
        .replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""')
        .replace(/^\s*(\/\*\*|\*|\/\/).*|\/\/ .*/, ''),
    }));
}

test('there is no cycle, types included', () => {
  const graph = new Map(files.map((file): [string, string[]] => [file, []]));
  for (const { from, to } of imports)
    if (graph.has(to)) graph.get(from)?.push(to);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file))
      return [[...path.slice(path.indexOf(file)), file].join(' -> ')];
    if (done.has(file)) return [];
    const found = (graph.get(file) ?? []).flatMap((next) =>
      visit(next, [...path, file]),
    );
    done.add(file);
    return found;
  };
  expect(files.flatMap((file) => visit(file, []))).toEqual([]);
});

describe('names and types', () => {
  test('no file is named after nothing', () => {
    const nothing = /(utils?|helpers?|common|manager|misc)\b/;
    expect(files.filter((path) => nothing.test(path))).toEqual([]);
  });
  test('there is no any, no double cast and no non-null assertion', () => {
    const escapes =
      /:\s*any\b|<any>|\bas any\b|\bas unknown as\b|[A-Za-z0-9_\])]!(\.|;|,|\))/;
    expect(linesWith(escapes, files)).toEqual([]);
  });
});
