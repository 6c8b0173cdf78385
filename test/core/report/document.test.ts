import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../../../src/core/findings/diagnostic.ts';
import { encodeOpen } from '../../../src/core/model/secret.ts';
import { secretSide } from '../../../src/core/model/side.ts';
import type { Comparison } from '../../../src/core/plan/compare.ts';
import {
  type Change,
  type LeftField,
  type LeftReason,
  NOTHING,
  type ServerPlan,
} from '../../../src/core/plan/plan.ts';
import { documentOf } from '../../../src/core/report/document.ts';
import {
  changeOfField,
  comparedSecret,
  valueChange,
} from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { documented } from '../../support/saved-plan.ts';

const plain = valueChange('host');
const secret = (before: string | null, after: string): Change =>
  changeOfField(comparedSecret('key', after, secretSide(before ?? '')));

/** A plan of one integration for each list of changes. */
const planOf = (...changes: readonly (readonly Change[])[]): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: changes.map((each, index) => ({
    name: `vt_${index}`,
    id: `vt_${index}`,
    status: 'running',
    ...NOTHING,
    changes: each,
  })),
});

test('a document holds no byte of a secret, even where hidden values are opened', () => {
  const text = fc.stringMatching(/^#\w{4,20}$/);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const plan = planOf([secret(before, after)]);
      const document = encodeOpen(documented(plan));
      expect(document).not.toContain(before);
      expect(document).not.toContain(after);
    }),
  );
});

/** A plan of one server on which some of its integrations change. */
const sized = (name: string, changed: number, managed: number): ServerPlan => ({
  ...planOf([plain]),
  name,
  summary: { ...SUMMARY, changed, managed },
});

describe('what an apply refuses', () => {
  const size = { changed: 5, allowed: undefined };
  const servers = [sized('s', 4, 10), sized('t', 1, 20), sized('u', 0, 20)];
  const refusalsIn = (...refusals: readonly Diagnostic[]) => {
    const command = 'plan';
    const parts = { command, servers, findings: refusals } as const;
    const document = documentOf(parts);
    expect(document.diagnostics).toEqual([]);
    return document.servers.map((server) =>
      server.refusals.map(({ message: _, hint: __, ...others }) => others),
    );
  };
  test('is not among the diagnostics; another answer is', () => {
    const answer = diagnostic('not-confirmed', { isAsked: true });
    const refusal = diagnostic('many-changes', { ...size, large: [] });
    const findings = [answer, refusal];
    const document = documentOf({ command: 'apply', servers, findings });
    const codes = document.diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['not-confirmed']);
  });
  test('for its size stands on the servers that are too large', () => {
    const large = ['s'];
    const code = 'many-changes';
    const refused = refusalsIn(diagnostic(code, { ...size, large }));
    expect(refused).toEqual([[{ code, severity: 'error' }], [], []]);
  });
  test('for a risk stands on its server, with the fields', () => {
    const about = {
      risk: 'exposes-secret',
      addresses: ['vt.options.host.value'],
      integrations: ['vt'],
    } as const;
    const code = 'risk-refused';
    const finding = diagnostic(code, { ...about, isBarred: false });
    const refusal = { code, severity: 'error', server: 't', ...about };
    const refused = refusalsIn({ ...finding, server: 't' });
    expect(refused).toEqual([[], [refusal], []]);
  });
});

test('what holds for all servers stands once, at the top', () => {
  const base = { ref: 'main', commit: 'a'.repeat(40) };
  const policy = { 'exposes-secret': 'error' } as const;
  const plans = ['s', 't'].map((name) => ({
    ...planOf([plain]),
    name,
    base,
    policy,
  }));
  const origin = { repository: 'https://h/r', commit: 'b'.repeat(40) };
  const parts = { command: 'plan', servers: plans, origin } as const;
  const document = documentOf(parts);
  expect(document).toMatchObject({ ...origin, base, policy });
  expect(document).not.toHaveProperty('head');
  for (const server of document.servers) {
    expect(server).not.toHaveProperty('base');
    expect(server).not.toHaveProperty('policy');
  }
  const head = { ref: 'feature', commit: 'c'.repeat(40) };
  expect(documentOf({ ...parts, head }).commit).toBe(head.commit);
});

test('a document has what is left in one list, each with the reason', () => {
  const hidden = valueChange('hidden', 3).comparison;
  const { comparison: unread } = valueChange('unread', 4);
  const reference = '${env:SETPOINT_A}';
  const waived = valueChange('waived', 5).comparison;
  const waiver = { address: 'vt', until: '2026-12-31', reason: 'slow' };
  const left = (
    comparison: Comparison,
    because: LeftReason,
    own: Partial<LeftField> = {},
  ) => ({ subject: comparison.subject, because, comparison, ...own });
  const plan = planOf([]);
  const integrations = plan.integrations.map((integration) => ({
    ...integration,
    left: [
      left(waived, 'waived', { waiver }),
      left({ ...unread, reference }, 'unread'),
      left(hidden, 'hidden'),
      left(plain.comparison, 'not-reviewed'),
    ],
  }));
  const servers = [{ ...plan, integrations }];
  const fromRoot = (path: string) => `sub/${path}`;
  const document = documentOf({ command: 'apply', fromRoot, servers });
  const source = (line: number) => ({ file: 'sub/a.yaml', line, column: 1 });
  const sides = { before: 'old', after: 'new' };
  const { until, reason } = waiver;
  const field = (because: LeftReason, line: number) => {
    const address = `vt.options.${because}.value`;
    return { address, because, source: source(line) };
  };
  expect(document.servers[0]?.integrations[0]?.left).toEqual([
    field('hidden', 3),
    { ...field('unread', 4), reference },
    { ...field('waived', 5), until, reason, ...sides },
  ]);
});

test('the places of a finding are named from the root of the repository, the most certain one first', () => {
  const first = { file: 'a.yaml', line: 3, column: 1 };
  const second = { ...first, line: 5 };
  const layers = { outer: 'a', inner: ['b'] };
  const found = diagnostic('layers-overlap', layers, second);
  const findings = [withPlaces(found, [first, second])];
  const fromRoot = (path: string) => `sub/${path}`;
  const document = documentOf({ command: 'plan', findings, fromRoot });
  const file = 'sub/a.yaml';
  const places = [second, first].map((place) => ({ ...place, file }));
  expect(document.diagnostics).toMatchObject([{ places }]);
});
