import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic, onServer } from '../../../src/core/findings/diagnostic.ts';
import { findingHelp } from '../../../src/core/findings/help.ts';
import type { Place } from '../../../src/core/model/place.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { Change, PlanSummary, ServerPlan } from '../../../src/core/plan/plan.ts';
import { cleaned } from '../../../src/core/report/clean.ts';
import { forLog, forTerminal, jsonForTerminal } from '../../../src/core/report/escape.ts';
import { type Format, RENDERERS } from '../../../src/core/report/formats.ts';
import type { Pulled, Report } from '../../../src/core/report/report.ts';
import { scrubber } from '../../../src/core/scrub/scrubber.ts';
import { sourceText } from '../../support/config.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { rendered, renderedFindings } from '../../support/rendered.ts';
import { FORMS, hardSecret } from '../../support/secret-forms.ts';
import { seeds } from '../../support/soak.ts';

const server = (own: Partial<PlanSummary>): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: { ...SUMMARY, ...own },
  integrations: [],
});

/** The words of the unions in the types of reports and findings. */
const OWN_UNIONS: ReadonlySet<string> = new Set(
  [
    'findings/apply',
    'findings/connection',
    'findings/usage',
    'findings/server',
    'plan/plan',
    'plan/guard',
    'report/report',
    'revision/revision-diff',
    'show/shown',
    'model/live',
    'model/permission',
  ]
    .map((path) => readFileSync(`src/core/${path}.ts`, 'utf8'))
    .flatMap((text) => [...text.matchAll(/^\s*(?:readonly|\||export type|message: \(f: \{)[^\n]*/gm)])
    .filter(([line]) => !/Pick<|'(?:readable|empty|unreadable)'/.test(line))
    .flatMap(([line]) => [...line.matchAll(/'([a-zA-Z][\w-]*)'/g)].map(([, word = '']) => word)),
);

const PULLED: Pulled = {
  files: [{ path: 'setpoint.yaml' }],
  into: 'integrations/',
  adopted: 2,
  unwritten: 0,
  managed: 1,
  bare: 1,
  variables: [{ variable: 'SETPOINT_A_KEY', address: 'a.options.key.value', isShown: false }],
  example: '.env.example',
  secrets: { path: 'secrets.env', added: 1, stale: [] },
  leftOut: [{ address: 'a.options.b.value', reason: 'a reason' }],
  notInstalled: [{ name: 'old' }],
  next: [{ text: 'setpoint plan', isCommand: true }],
};

/** One report of each kind; a kind without one does not compile. */
const REPORTS: { readonly [Kind in Report['kind']]: Report & { readonly kind: Kind } } = {
  plan: { kind: 'plan', isComplete: true, servers: [server({})] },
  list: { kind: 'list', servers: [{ name: 's', url: 'https://s', integrations: [] }] },
  errors: { kind: 'errors', servers: [{ name: 's', url: 'https://s', errors: [] }] },
  validation: { kind: 'validation', files: 1, integrations: 2, valid: true },
  diff: {
    kind: 'diff',
    base: { ref: 'main', commit: 'c0ffee' },
    servers: [{ name: 's', change: 'kept', entries: [] }],
  },
  schema: { kind: 'schema', schema: { type: 'object' } },
  pull: { kind: 'pull', servers: [{ name: 's', url: 'https://s', ...PULLED }] },
  snapshot: {
    kind: 'snapshot',
    name: 's',
    url: 'https://s',
    takenAt: '2026-11-20T03:00:00Z',
    file: 'server.json',
    integrations: 1,
    options: 2,
    fingerprinted: 1,
    hidden: 0,
    unreadable: 0,
  },
  show: {
    kind: 'show',
    servers: [{ name: 's', live: 'not-asked' }],
    integrations: [{ server: 's', name: 'x', entries: [], autosubscribe: {}, options: [] }],
    fields: [],
    uses: [],
    absent: [],
    leftOut: [],
  },
  explanations: { kind: 'explanations', findings: [findingHelp('unknown-option')] },
  accept: {
    kind: 'accept',
    servers: [{ name: 's', url: 'https://s' }],
    files: [
      {
        path: 'a.yaml',
        isNew: false,
        diff: [{ kind: 'add', text: 'timeout: 30' }],
        fields: [
          { server: 's', address: 'vt.options.timeout.value', place: { file: 'a.yaml', line: 1, column: 1 } },
        ],
      },
    ],
    isWritten: false,
    isSeen: false,
  },
  none: { kind: 'none' },
};
const reports = Object.values(REPORTS);
const formats = Object.keys(RENDERERS) as Format[];

describe('JSON', () => {
  test.each(reports)('of $kind has the fields that programs rely on, in one order', (report) => {
    const text = rendered('json', report, [
      diagnostic('not-attempted', { integrations: [], because: 'unplanned' }),
    ]);
    const document = JSON.parse(text);
    const keys = Object.keys(document);
    expect([keys.slice(0, 2), keys.at(-1)]).toEqual([['formatVersion', 'tool'], 'diagnostics']);
    expect(Array.isArray(document.servers)).toBe(true);
    expect(document.diagnostics).toMatchObject([{ code: 'not-attempted' }]);
    expect(document).not.toHaveProperty('kind');
  });
});

test('JSON of a plan that lacks a server has no fingerprint', () => {
  const document = (isComplete: boolean) => JSON.parse(rendered('json', { ...REPORTS.plan, isComplete }));
  expect(document(true)).toHaveProperty('fingerprint');
  expect(document(false)).not.toHaveProperty('fingerprint');
});

describe('text', () => {
  test.each(reports)('of $kind ends with a newline unless it is empty', (report) => {
    const text = rendered('text', report);
    expect(text === '' || text.endsWith('\n')).toBe(true);
    expect(text === '').toBe(report.kind === 'none');
  });
  test('of an invalid configuration is empty: its findings go to stderr', () => {
    expect(rendered('text', { ...REPORTS.validation, valid: false })).toBe('');
  });
  test('names servers only where there are several', () => {
    const [one, two] = [REPORTS.list.servers, [...REPORTS.list.servers, ...REPORTS.list.servers]];
    expect(rendered('text', { kind: 'list', servers: one })).not.toMatch(/^s$/m);
    expect(rendered('text', { kind: 'list', servers: two }).match(/^s$/gm)).toHaveLength(2);
  });
  test.each([
    [0, '1 managed integration is as desired'],
    [1, '1 field is as desired, 1 field cannot be seen'],
  ])('of a plan that cannot see %s fields', (cannotTell, expected) => {
    expect(rendered('text', { ...REPORTS.plan, servers: [server({ cannotTell })] })).toContain(expected);
  });
});

/** Of lists, errors and schemas the others say the findings alone. */
const SHOW_EVERY_KIND: ReadonlySet<string> = new Set(['text', 'json', 'markdown']);

/** Whether a format has more than findings to say of a kind. */
const isShown = (format: Format, kind: Report['kind']) => SHOW_EVERY_KIND.has(format) || kind === 'plan';

const secret = 'canary-of-a-secret';

/** Reports with a foreign text in every field that can hold one. */
function foreignReports(foreign: string): readonly Report[] {
  const base = {
    label: 'change',
    risks: [],
    source: { file: foreign, line: 1, column: 1 },
    option: foreign,
  } as const;
  const value = { ...base, address: `${foreign}.options.x.value`, field: 'value' } as const;
  const list = [foreign, `${foreign} 2`].map((each) => ({ display: each, value: each }));
  const changes: Change[] = [
    { ...value, sensitive: false, before: `${foreign} 1`, after: foreign },
    { ...value, sensitive: false, before: [], after: list },
    { ...value, sensitive: false, before: `${foreign}\n${foreign}`, after: `1\n${foreign}` },
    { ...value, sensitive: true, before: null, after: hide(secret), reference: foreign },
  ];
  const cannotTell = [{ address: foreign, reason: 'masked', source: base.source }] as const;
  const integration = {
    name: foreign,
    id: foreign,
    status: foreign,
    blocked: true,
    changes,
    cannotTell,
    unmanagedOptions: 0,
  };
  const own = { name: foreign, url: 'https://s' };
  const listed = { id: foreign, name: foreign, acronym: foreign, status: foreign, autosubscribe: true };
  const error = { id: foreign, integration: foreign, code: foreign, title: foreign, detail: foreign };
  const plan = { ...server({ changes: 2 }), ...own, integrations: [integration] };
  return [
    { kind: 'plan', isComplete: true, showRequests: true, servers: [plan] },
    { kind: 'list', servers: [{ ...own, integrations: [{ ...listed, errors: 1, options: 1 }] }, server({})] },
    {
      kind: 'errors',
      servers: [{ ...own, errors: [{ ...error, count: 1, occurredOn: foreign, status: 1 }] }],
    },
    { kind: 'schema', schema: { title: foreign, [foreign]: foreign } },
    foreignShown(foreign, base.source),
  ].map((report) => report as Report);
}

/** What is there, with a foreign text in every field that can hold one. */
function foreignShown(foreign: string, source: Place): Report {
  const head = { id: foreign, title: foreign, acronym: foreign, status: foreign };
  const setting = { declared: { value: null, reference: foreign }, source, verdict: 'differs' } as const;
  const live = { kind: 'shown', value: foreign } as const;
  const choices = [{ display: foreign, value: foreign }];
  const managed = { value: setting };
  const option = {
    option: foreign,
    type: foreign,
    title: foreign,
    description: foreign,
    choices,
    default: live,
    live,
  };
  const origin = {
    kind: 'base',
    layer: foreign,
    entry: foreign,
    source,
    wins: true,
    declared: { value: foreign },
    reference: foreign,
    aliased: { alias: source, written: source },
    names: [{ name: foreign, layer: foreign, source, wins: true }],
    outside: [{ kind: 'env', name: foreign, found: 'given' }],
  } as const;
  const on = [foreign, `${foreign} 2`].map(
    (server) => ({ ...head, server, likeness: { live: 'differs' }, live, origins: [origin] }) as const,
  );
  const use = { address: foreign, isDefault: true, source, through: [{ name: foreign, source }] };
  return {
    kind: 'show',
    servers: [{ name: foreign, url: foreign, live: 'not-asked' }],
    integrations: [
      {
        ...head,
        server: foreign,
        name: foreign,
        description: foreign,
        entries: [{ entry: foreign, isDefault: true, source }],
        autosubscribe: { managed: setting },
        options: [{ ...option, managed }],
      },
    ],
    fields: [{ address: foreign, on }],
    uses: [{ kind: 'value', name: foreign, on: [{ server: foreign, fields: [use] }] }],
    absent: [{ word: foreign, on: [foreign] }],
    leftOut: [{ server: foreign, source }],
  };
}

/** Findings with a foreign text in every field that can hold one. */
function foreignFindings(foreign: string): readonly Diagnostic[] {
  const place = { file: foreign, line: 1, column: 1 };
  const detail = { request: foreign, status: 500, detail: foreign };
  const found = [
    diagnostic('http-status', detail, place),
    diagnostic('unknown-option', { key: foreign, integration: foreign, known: [foreign] }, place),
    diagnostic('incomplete-read', { list: foreign, problem: foreign }),
  ];
  return found.map((each) => onServer(each, foreign));
}

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/u;

describe('every format', () => {
  const foreign = 'a\u001b[31m\u009b\u202e\u200b\r\u2028\u3164\u2800\ufe0f\u115f\u1160\uffa0\u034fb';
  const cells = formats.flatMap((format) =>
    foreignReports(foreign)
      .filter(({ kind }) => isShown(format, kind))
      .map((report) => ({ format, kind: report.kind, text: rendered(format, report) })),
  );

  test.each(cells)('$format of $kind escapes foreign text and holds no secret', ({ text }) => {
    expect(text).not.toMatch(INVISIBLE);
    expect(text).toContain('[31m');
    expect(text).not.toContain(secret);
  });
});

describe('no format shows a known secret', () => {
  const form = fc.constantFrom(...Object.values(FORMS));
  test.each(formats)('in any field and any form: %s', (format) =>
    fc.assert(
      fc.property(hardSecret, form, fc.string(), (known, write, before) => {
        const foreign = `${before} ${write(known)} end`;
        for (const report of foreignReports(foreign)) {
          const text = rendered(format, report, foreignFindings(foreign), [known]);
          expect(text).not.toContain(forTerminal(known));
          expect(text).not.toContain(JSON.stringify(known).slice(1, -1));
          expect(text).not.toContain(jsonForTerminal(JSON.stringify(foreign)).slice(1, -1));
        }
      }),
      { numRuns: seeds(2, 50) },
    ),
  );
  test('and findings neither, nor the lines that they stand at', () =>
    fc.assert(
      fc.property(hardSecret, form, (known, write) => {
        const foreign = write(known);
        const sources = new Map([[foreign, sourceText(`# ${foreign}\nversion: 1 # ${foreign}`)]]);
        const shown = renderedFindings(foreignFindings(foreign), { sources }, [known]);
        expect(shown).not.toContain(forTerminal(known));
        expect(shown).not.toContain(forTerminal(foreign));
      }),
    ));
  test.each(formats)('where a secret is one of our own words, %s is still whole', (format) => {
    const words = [
      'plan',
      'list',
      'errors',
      'schema',
      'value',
      'masked',
      'http-status',
      'permission',
      'change',
    ];
    for (const report of foreignReports('x'))
      expect(rendered(format, report, foreignFindings('x'), words)).not.toContain('undefined');
  });
  test.each(formats)('too short to be found: %s hides what a server says, and fallbacks', (format) => {
    const own = { id: 'x_1', name: 'SAID-☂', acronym: 'SAID-☂', status: 'SAID-☂', errors: 0, options: 0 };
    const error = { id: 'SAID-☂', code: 'SAID-☂', title: 'SAID-☂', detail: 'SAID-☂', occurredOn: 'SAID-☂' };
    const [plan] = foreignReports('${env:SETPOINT_X:-☂}').filter(({ kind }) => kind === 'plan');
    const list: Report = { kind: 'list', servers: [{ name: 's', url: 'https://s', integrations: [own] }] };
    const errors: Report = {
      kind: 'errors',
      servers: [{ name: 's', url: '', errors: [{ ...error, integration: 'x_1', count: 1, status: null }] }],
    };
    const schema: Report = { kind: 'schema', schema: { title: 'SAID-☂', description: 'SAID-☂' } };
    for (const report of [list, errors, schema]) {
      const text = rendered(format, report, [], ['☂']);
      if (isShown(format, report.kind)) expect(text).toContain('not shown');
      expect(text).not.toContain('SAID');
    }
    expect(plan === undefined ? '' : rendered(format, plan, [], ['☂'])).toContain('SETPOINT_X:-[secret]');
  });
  test('the words that tables are keyed by are no secrets', () => {
    const known = scrubber([...OWN_UNIONS]);
    expect([...OWN_UNIONS].filter((word) => cleaned({ word }, known).word !== word)).toEqual([]);
  });
});

describe('no line is a command of a CI runner', () => {
  const parts = [
    '::',
    ':',
    '##[',
    '##vso[',
    '#',
    '[',
    ']',
    ' ',
    '\t',
    '\r',
    '\n',
    '\u3164',
    '\u001b[1m',
    'word',
  ];
  const foreign = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 60 });
  const text = foreign.map((words) => words.join(''));
  const COMMAND = /^\s*::|##\w*\[/m;
  /** The annotations are our own commands: each a line whose properties hold no end of them. */
  const withoutOwn = (format: Format, lines: string) =>
    format === 'github' ? lines.replace(/^::(error|warning|notice) (\w+=[^,:]*,?)+::/gm, '$1 ') : lines;

  test.each(formats)('of %s', (format) =>
    fc.assert(
      fc.property(text, (each) => {
        for (const report of foreignReports(each))
          expect(withoutOwn(format, rendered(format, report, foreignFindings(each)))).not.toMatch(COMMAND);
      }),
    ),
  );
  test('of findings, in narrow lines too', () =>
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 80 }), (each, width) => {
        const sources = new Map([[each, sourceText(`${each}: x # ${each}`)]]);
        const shown = renderedFindings(foreignFindings(each), { sources, width });
        expect(shown).not.toMatch(COMMAND);
        expect(shown).not.toMatch(INVISIBLE);
      }),
    ));
  test('not even where two fields meet, or behind a colour', () => {
    expect(forLog('##[secret]\n\u001b[1m ::stop::x\n\r::y')).toBe(
      '#\\u{23}[secret]\n\u001b[1m :\\u{3a}stop::x\n\r:\\u{3a}y',
    );
  });
  test('JSON stays the same document', () =>
    fc.assert(
      fc.property(text, (each) => {
        const [, list, , schema] = foreignReports(each);
        for (const report of [list, schema] as const)
          expect(JSON.parse(rendered('json', report as Report))).toMatchObject(
            JSON.parse(JSON.stringify({ ...report, kind: undefined })),
          );
      }),
    ));
});

describe('what is too long', () => {
  const bytes = (lines: string) => Math.max(...lines.split('\n').map((line) => Buffer.byteLength(line)));
  const long = ['\u6771'.repeat(100_000), 'many words '.repeat(100_000)];

  test.each(long)('is cut in text, with a count of what is left out', (foreign) => {
    const [plan, list, errors] = foreignReports(foreign).map((each) => rendered('text', each));
    const sources = new Map([['a.yaml', sourceText(`${foreign}: x # ${foreign}`)]]);
    const findings = renderedFindings(foreignFindings(foreign), { sources });
    for (const each of [plan, list, errors, findings]) expect(bytes(each ?? '')).toBeLessThanOrEqual(4096);
    for (const each of [list, errors, findings]) expect(each).toMatch(/… \(\d+ more bytes\)/);
    expect(findings.length).toBeLessThan(1_000_000);
  });
  test('is whole in JSON and in a schema, which programs read', () => {
    const [foreign = ''] = long;
    const schema = { kind: 'schema', schema: { title: foreign } } as const;
    expect(JSON.parse(rendered('text', schema))).toEqual(schema.schema);
    const [, list] = foreignReports(foreign);
    expect(rendered('json', list as Report)).toContain(foreign);
  });
  test('loses its colour at the cut', () => {
    expect(forLog(`\u001b[1m${'x'.repeat(5000)}\u001b[22m\nnext`)).toMatch(
      /x\p{Cc}\[0m… \(\d+ more bytes\)\nnext$/u,
    );
  });
  test('once cut, is not cut again', () => {
    const once = forLog('x'.repeat(9000));
    expect(forLog(once)).toBe(once);
  });
});
