import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic, onServer } from '../../../src/core/findings/diagnostic.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { Change, PlanSummary, ServerPlan } from '../../../src/core/plan/plan.ts';
import { renderDiagnostics } from '../../../src/core/report/diagnostics-text.ts';
import { forLog } from '../../../src/core/report/escape.ts';
import { RENDERERS } from '../../../src/core/report/formats.ts';
import { PLAIN } from '../../../src/core/report/paint.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { sourceText } from '../../support/config.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const view = { paint: PLAIN, width: 80, scrub: (text: string) => text, tool: { name: 't', version: '0' } };
const server = (own: Partial<PlanSummary>): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: { ...SUMMARY, ...own },
  integrations: [],
});

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

describe('JSON', () => {
  test.each(reports)('of $kind has the fields that programs rely on, in one order', (report) => {
    const text = RENDERERS.json(report, [diagnostic('held-back', {})], view);
    const document = JSON.parse(text);
    const keys = Object.keys(document);
    expect([keys.slice(0, 2), keys.at(-1)]).toEqual([['formatVersion', 'tool'], 'diagnostics']);
    expect(Array.isArray(document.servers)).toBe(true);
    expect(document.diagnostics).toMatchObject([{ code: 'held-back' }]);
    expect(document).not.toHaveProperty('kind');
  });
});

test('JSON of a plan that lacks a server has no fingerprint', () => {
  const document = (isComplete: boolean) =>
    JSON.parse(RENDERERS.json({ ...REPORTS.plan, isComplete }, [], view));
  expect(document(true)).toHaveProperty('fingerprint');
  expect(document(false)).not.toHaveProperty('fingerprint');
});

describe('text', () => {
  test.each(reports)('of $kind ends with a newline unless it is empty', (report) => {
    const text = RENDERERS.text(report, [], view);
    expect(text === '' || text.endsWith('\n')).toBe(true);
    expect(text === '').toBe(report.kind === 'none');
  });
  test('of an invalid configuration is empty: its findings go to stderr', () => {
    expect(RENDERERS.text({ ...REPORTS.validation, valid: false }, [], view)).toBe('');
  });
  test('names servers only where there are several', () => {
    const [one, two] = [REPORTS.list.servers, [...REPORTS.list.servers, ...REPORTS.list.servers]];
    expect(RENDERERS.text({ kind: 'list', servers: one }, [], view)).not.toMatch(/^s$/m);
    expect(RENDERERS.text({ kind: 'list', servers: two }, [], view).match(/^s$/gm)).toHaveLength(2);
  });
  test.each([
    [0, true, false],
    [1, false, true],
  ])('of a plan that cannot see %s fields', (cannotTell, isAsDesired, isHowToWrite) => {
    const text = RENDERERS.text({ ...REPORTS.plan, servers: [server({ cannotTell })] }, [], view);
    expect(text.includes('as desired')).toBe(isAsDesired);
    expect(text.includes('--write-secrets')).toBe(isHowToWrite);
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
  const cells = Object.entries(RENDERERS).flatMap(([format, render]) =>
    foreignReports(foreign).map((report) => ({ format, kind: report.kind, text: render(report, [], view) })),
  );

  test.each(cells)('$format of $kind escapes foreign text and holds no secret', ({ text }) => {
    expect(text).not.toMatch(INVISIBLE);
    expect(text).toContain('[31m');
    expect(text).not.toContain(secret);
  });
  test('text holds no known secret on either side of a change', () => {
    const [plan] = foreignReports('x');
    const servers = (plan as typeof REPORTS.plan).servers.map((each) => ({
      ...each,
      integrations: each.integrations.map((integration) => ({
        ...integration,
        changes: integration.changes
          .slice(0, 1)
          .map((change) => ({ ...change, before: 'from canary to', after: 'to canary from' }) as Change),
      })),
    }));
    const scrub = (text: string) => text.replaceAll('canary', '[secret]');
    expect(RENDERERS.text({ ...REPORTS.plan, servers }, [], { ...view, scrub })).not.toContain('canary');
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

  test.each(Object.entries(RENDERERS))('of %s', (_, render) =>
    fc.assert(
      fc.property(text, (each) => {
        for (const report of foreignReports(each))
          expect(render(report, foreignFindings(each), view)).not.toMatch(COMMAND);
      }),
    ),
  );
  test('of findings, in narrow lines too', () =>
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 80 }), (each, width) => {
        const sources = new Map([[each, sourceText(`${each}: x # ${each}`)]]);
        const shown = renderDiagnostics(foreignFindings(each), { ...view, sources, notes: true, width });
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
          expect(JSON.parse(RENDERERS.json(report as Report, [], view))).toMatchObject(
            JSON.parse(JSON.stringify({ ...report, kind: undefined })),
          );
      }),
    ));
});

describe('what is too long', () => {
  const bytes = (lines: string) => Math.max(...lines.split('\n').map((line) => Buffer.byteLength(line)));
  const long = ['\u6771'.repeat(100_000), 'many words '.repeat(100_000)];

  test.each(long)('is cut in text, with a count of what is left out', (foreign) => {
    const [plan, list, errors] = foreignReports(foreign).map((each) => RENDERERS.text(each, [], view));
    const sources = new Map([['a.yaml', sourceText(`${foreign}: x # ${foreign}`)]]);
    const findings = renderDiagnostics(foreignFindings(foreign), { ...view, sources, notes: true });
    for (const each of [plan, list, errors, findings]) expect(bytes(each ?? '')).toBeLessThanOrEqual(4096);
    for (const each of [list, errors, findings]) expect(each).toMatch(/… \(\d+ more bytes\)/);
    expect(findings.length).toBeLessThan(1_000_000);
  });
  test('is whole in JSON and in a schema, which programs read', () => {
    const [foreign = ''] = long;
    const schema = { kind: 'schema', schema: { title: foreign } } as const;
    expect(JSON.parse(RENDERERS.text(schema, [], view))).toEqual(schema.schema);
    const [, list] = foreignReports(foreign);
    expect(RENDERERS.json(list as Report, [], view)).toContain(foreign);
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
