import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { Change, PlanSummary, ServerPlan } from '../../../src/core/plan/plan.ts';
import { RENDERERS } from '../../../src/core/report/formats.ts';
import { PLAIN } from '../../../src/core/report/paint.ts';
import type { Report } from '../../../src/core/report/report.ts';

const view = { paint: PLAIN, width: 80, scrub: (text: string) => text, tool: { name: 't', version: '0' } };
const summary: PlanSummary = {
  managed: 1,
  managedInAll: 1,
  changed: 0,
  changes: 0,
  blocked: 0,
  cannotTell: 0,
  unmanagedOptions: 0,
  unmanagedIntegrations: 0,
  reads: 1,
  writes: 0,
};
const server = (own: Partial<PlanSummary>): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: { ...summary, ...own },
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

describe('every format', () => {
  const secret = 'canary-of-a-secret';
  const foreign = 'a\u001b[31m\u009b\u202e\u200b\r\u2028b';
  const base = {
    label: 'change',
    risks: [],
    source: { file: foreign, line: 1, column: 1 },
    option: foreign,
  } as const;
  const before = `${foreign} 1`;
  const changes: Change[] = [
    {
      ...base,
      address: `${foreign}.options.x.value`,
      field: 'value',
      sensitive: false,
      before,
      after: foreign,
    },
    {
      ...base,
      address: `${foreign}.options.y.value`,
      field: 'value',
      sensitive: true,
      before: null,
      after: hide(secret),
      reference: foreign,
    },
  ];
  const integration = {
    name: foreign,
    id: foreign,
    status: foreign,
    blocked: true,
    changes,
    unmanagedOptions: 0,
  };
  const cannotTell = [{ address: foreign, reason: 'masked', source: base.source }] as const;
  const own = { name: foreign, url: 'https://s' };
  const listed = { id: foreign, name: foreign, acronym: foreign, status: foreign, autosubscribe: true };
  const error = { id: foreign, integration: foreign, code: foreign, title: foreign, detail: foreign };
  const hostile: readonly Report[] = [
    {
      ...REPORTS.plan,
      servers: [{ ...server({ changes: 2 }), ...own, integrations: [{ ...integration, cannotTell }] }],
    },
    { kind: 'list', servers: [{ ...own, integrations: [{ ...listed, errors: 1, options: 1 }] }] },
    {
      kind: 'errors',
      servers: [{ ...own, errors: [{ ...error, count: 1, occurredOn: foreign, status: 1 }] }],
    },
  ];
  const cells = Object.entries(RENDERERS).flatMap(([format, render]) =>
    hostile.map((report) => ({ format, kind: report.kind, text: render(report, [], view) })),
  );

  test.each(cells)('$format of $kind escapes foreign text and holds no secret', ({ text }) => {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('[31m');
    expect(text).not.toContain(secret);
  });
  test('text holds no known secret on either side of a change', () => {
    const [change] = changes;
    const plain = { ...change, before: 'from canary to', after: 'to canary from' } as Change;
    const integrations = [{ ...integration, changes: [plain], cannotTell: [] }];
    const scrub = (text: string) => text.replaceAll('canary', '[secret]');
    const servers = [{ ...server({ changes: 1 }), integrations }];
    expect(RENDERERS.text({ ...REPORTS.plan, servers }, [], { ...view, scrub })).not.toContain('canary');
  });
});
