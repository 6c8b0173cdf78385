import { expect, test } from 'vitest';
import { type Diagnostic, diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { foreignPlan } from '../../support/foreign-report.ts';
import { rendered } from '../../support/rendered.ts';
import { planOf, REPORT_PLANS } from '../../support/report-plans.ts';
import { codeOf } from '../../support/sinks.ts';

const plans = (name: string): Report => ({
  kind: 'plan',
  isComplete: true,
  servers: REPORT_PLANS[name]?.() ?? [],
});

test('a page of 3,000 changes ends between two of them, and says how many it leaves out', () => {
  const page = rendered('markdown', plans('three-thousand-changes'));
  expect(page.length).toBeLessThanOrEqual(60_000);
  expect(page.length).toBeGreaterThan(50_000);
  expect(page).toContain('## setpoint plan: 3000 changes in 300 integrations on 1 server');
  const shown = codeOf(page).fences.flatMap((fence) => fence.match(/^@@ /gm) ?? []).length;
  const [, left] = /Left out here: (\d+) of 3000 changes/.exec(page) ?? [];
  expect(shown + Number(left)).toBe(3000);
});

test('lists of what stays as it is leave room for the changes of all servers', () => {
  const [changing] = REPORT_PLANS['one-change']?.() ?? [];
  if (changing === undefined) throw new Error('no plan');
  const cannotTell = Array.from({ length: 5_000 }, (_, index) => ({
    address: `quiet.options.secret-${index}.value`,
    reason: 'masked' as const,
    source: { file: 'base/quiet.yaml', line: index + 1, column: 1 },
  }));
  const quiet = changing.integrations.map((each) => ({ ...each, name: 'quiet', changes: [], cannotTell }));
  const servers = [planOf('a', quiet), { ...changing, name: 'b' }, planOf('c', quiet)];
  const page = rendered('markdown', { kind: 'plan', isComplete: true, servers });
  expect(page.length).toBeLessThanOrEqual(60_000);
  expect(page).toMatch(/^@@ .*limit/m);
  expect(page).toMatch(/Left out here: \d+ of 10000 fields\./);
});

test('a page starts with the mark of its kind alone, by which a comment is found', () => {
  const first = (report: Report) => rendered('markdown', report).split('\n')[0];
  expect(first(plans('all-labels'))).toBe('<!-- setpoint plan -->');
  expect(first({ kind: 'diff', base: { ref: 'main', commit: 'c0ffee' }, servers: [] })).toBe(
    '<!-- setpoint diff -->',
  );
});

test('a run that failed early says so above why', () => {
  const page = (...found: readonly Diagnostic[]) => rendered('markdown', { kind: 'none' }, found);
  expect(page(diagnostic('no-configuration', {}))).toMatch(/^<!-- .* -->\n\n## setpoint: ended early/);
  expect(page(diagnostic('idle-declaration', { of: 'entry', name: 'x' }))).toMatch(
    /^<!-- .* -->\n\n## setpoint\n/,
  );
});

test('risks come before changes, and changes of the branch before conflicts and drift', () => {
  const page = rendered('markdown', plans('all-labels'));
  const order = [
    '**exposes-secret**',
    'Changed by this',
    '#### In conflict',
    '#### Drift',
    'Settled',
    'Waived',
  ];
  const found = order.map((each) => page.indexOf(each));
  expect(found.every((index) => index > 0)).toBe(true);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

test('a risk names a field once, with the servers that have it', () => {
  const [plan] = REPORT_PLANS['all-labels']?.() ?? [];
  const servers = ['staging', 'production'].flatMap((name) =>
    plan === undefined ? [] : [{ ...plan, name }],
  );
  const risk = (some: typeof servers) =>
    rendered('markdown', { kind: 'plan', isComplete: true, servers: some }).match(/^- \*\*exposes.*$/m)?.[0];
  expect(risk(servers)).toMatch(/, 2 changes: `[\w.]+` on `staging`, `production`$/);
  expect(risk(servers.slice(1))).toMatch(/, 1 change: `[\w.]+`$/);
});

test('the fields of an integration are named before its details are opened', () => {
  const page = rendered('markdown', plans('three-servers'));
  expect(page).toContain('**`beta`** `beta_node_1`: failed – `limit`\n\n<details>');
});

test('the same change in several integrations is shown once, and counts for each', () => {
  const page = rendered('markdown', plans('three-servers'));
  expect(page).toContain('**`proxy` in 5 integrations**');
  expect(page.match(/^@@ proxy/gm)).toHaveLength(1);
  expect(page).toContain('| all 3 servers | 7 | 0 | 0 | 1 | 1 |');
});

test('texts without an end, and servers without number, make no page too long', () => {
  const servers = Array.from({ length: 2000 }, (_, index) => planOf(`${'x'.repeat(200)}${index}`, []));
  for (const some of [servers, [foreignPlan('`|\u202e\n'.repeat(20_000))]]) {
    const page = rendered('markdown', { kind: 'plan', isComplete: true, servers: some });
    expect(page.length).toBeLessThanOrEqual(60_000);
    codeOf(page);
  }
});

test('a long table is cut between two lines', () => {
  const integrations = Array.from({ length: 2000 }, (_, index) => ({
    ...{ id: `x_${index}`, name: 'x', acronym: '', status: 'running', autosubscribe: true },
    ...{ errors: 0, options: 1 },
  }));
  const page = rendered('markdown', { kind: 'list', servers: [{ name: 's', url: '', integrations }] });
  expect(page.length).toBeLessThanOrEqual(60_000);
  expect(page).toMatch(/Left out here: \d+ of 200\d lines/);
  codeOf(page);
});

test.each([
  ['no server', [], 'not planned'],
  ['only some servers', REPORT_PLANS['one-change']?.() ?? [], 'not every server was planned'],
] as const)(
  'a page does not say that nothing changes where %s could be planned',
  async (_, servers, words) => {
    for (const format of ['markdown', 'html'] as const) {
      expect(rendered(format, { kind: 'plan', isComplete: false, servers })).toContain(words);
    }
  },
);

test('every result of SARIF has a place, as code scanning asks', () => {
  const found = [diagnostic('no-configuration', { given: 'url' })];
  const { runs } = JSON.parse(rendered('sarif', { kind: 'none' }, found));
  expect(runs[0].results.map(({ locations }: { locations: unknown[] }) => locations.length)).toEqual([1]);
});
