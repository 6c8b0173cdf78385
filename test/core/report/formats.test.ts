import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic, onServer } from '../../../src/core/findings/diagnostic.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { Change, PlanSummary, ServerPlan } from '../../../src/core/plan/plan.ts';
import { cleaned } from '../../../src/core/report/clean.ts';
import { forLog, forTerminal, jsonForTerminal } from '../../../src/core/report/escape.ts';
import { type Format, RENDERERS } from '../../../src/core/report/formats.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { scrubber } from '../../../src/core/scrub/scrubber.ts';
import { sourceText } from '../../support/config.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { rendered, renderedFindings } from '../../support/rendered.ts';
import { FORMS, hardSecret } from '../../support/secret-forms.ts';

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
    'model/live',
    'model/permission',
  ]
    .map((path) => readFileSync(`src/core/${path}.ts`, 'utf8'))
    .flatMap((text) => [...text.matchAll(/^\s*(?:readonly|\||export type|message: \(f: \{)[^\n]*/gm)])
    .filter(([line]) => !/Pick<|'(?:readable|empty|unreadable)'/.test(line))
    .flatMap(([line]) => [...line.matchAll(/'([a-zA-Z][\w-]*)'/g)].map(([, word = '']) => word)),
);

/** One report of each kind; a kind without one does not compile. */
const REPORTS: { readonly [Kind in Report['kind']]: Report & { readonly kind: Kind } } = {
  plan: { kind: 'plan', isComplete: true, servers: [server({})] },
  list: { kind: 'list', servers: [{ name: 's', url: 'https://s', integrations: [] }] },
  errors: { kind: 'errors', servers: [{ name: 's', url: 'https://s', errors: [] }] },
  validation: { kind: 'validation', files: 1, integrations: 2, valid: true },
  schema: { kind: 'schema', schema: { type: 'object' } },
  none: { kind: 'none' },
};
const reports = Object.values(REPORTS);
const formats = Object.keys(RENDERERS) as Format[];

describe('JSON', () => {
  test.each(reports)('of $kind has the fields that programs rely on, in one order', (report) => {
    const text = rendered('json', report, [diagnostic('held-back', {})]);
    const document = JSON.parse(text);
    const keys = Object.keys(document);
    expect([keys.slice(0, 2), keys.at(-1)]).toEqual([['formatVersion', 'tool'], 'diagnostics']);
    expect(Array.isArray(document.servers)).toBe(true);
    expect(document.diagnostics).toMatchObject([{ code: 'held-back' }]);
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
  ].map((report) => report as Report);
}

/** Findings with a foreign text in every field that can hold one. */
function foreignFindings(foreign: string): readonly Diagnostic[] {
  const place = { file: foreign, line: 1, column: 1 };
  const detail = { request: foreign, status: 500, detail: foreign };
  const found = [
    diagnostic('http-status', detail, place),
    diagnostic('unknown-option', { key: foreign, integration: foreign, known: [foreign] }, place),
    diagnostic('logout-failed', { reason: foreign }),
  ];
  return found.map((each) => onServer(each, foreign));
}

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/u;

describe('every format', () => {
  const foreign = 'a\u001b[31m\u009b\u202e\u200b\r\u2028\u3164\u2800\ufe0f\u115f\u1160\uffa0\u034fb';
  const cells = formats.flatMap((format) =>
    foreignReports(foreign).map((report) => ({ format, kind: report.kind, text: rendered(format, report) })),
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
      { numRuns: 25 },
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
      expect(text).toContain('not shown');
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

  test.each(formats)('of %s', (format) =>
    fc.assert(
      fc.property(text, (each) => {
        for (const report of foreignReports(each))
          expect(rendered(format, report, foreignFindings(each))).not.toMatch(COMMAND);
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
