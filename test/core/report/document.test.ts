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
import type { OpenWaiver } from '../../../src/core/plan/decide.ts';
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

describe('the document of a plan', () => {
  test('holds no byte of a secret, even where hidden values are opened', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^#\w{4,20}$/),
        fc.stringMatching(/^#\w{4,20}$/),
        (before, after) => {
          const document = encodeOpen(
            documented(planOf([secret(before, after)])),
          );
          expect(document).not.toContain(before);
          expect(document).not.toContain(after);
        },
      ),
    );
  });
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
    const document = documentOf({
      command: 'apply',
      servers,
      findings: [answer, refusal],
    });
    expect(document.diagnostics.map(({ code }) => code)).toEqual([
      'not-confirmed',
    ]);
  });
  test('for its size stands on the servers that are too large', () => {
    const large = ['s'];
    const code = 'many-changes';
    expect(refusalsIn(diagnostic(code, { ...size, large }))).toEqual([
      [{ code, severity: 'error' }],
      [],
      [],
    ]);
  });
  test('for a risk stands on its server, with the fields', () => {
    const code = 'risk-refused';
    const facts = {
      risk: 'exposes-secret',
      addresses: ['vt.options.host.value'],
      integrations: ['vt'],
      isBarred: false,
    } as const;
    const refusal = { ...diagnostic(code, facts), server: 't' };
    const { risk, addresses, integrations } = facts;
    const about = { server: 't', risk, addresses, integrations };
    expect(refusalsIn(refusal)).toEqual([
      [],
      [{ code, severity: 'error', ...about }],
      [],
    ]);
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

describe('an integration in a document', () => {
  const fromRoot = (file: string) => `sub/${file}`;
  const hidden = valueChange('hidden', 3).comparison;
  const unread = {
    ...valueChange('unread', 4).comparison,
    reference: '${env:SETPOINT_A}',
  };
  const waived = valueChange('waived', 5).comparison;
  const left = (
    comparison: Comparison,
    because: LeftReason,
    waiver?: OpenWaiver,
  ): LeftField => {
    return { subject: comparison.subject, because, comparison, waiver };
  };
  const waiver = { address: 'vt', until: '2026-12-31', reason: 'slow' };
  const [integration] =
    documentOf({
      command: 'apply',
      fromRoot,
      servers: [
        {
          ...planOf([]),
          integrations: [
            {
              name: 'vt',
              id: 'vt_1',
              status: 'running',
              ...NOTHING,
              place: { file: 'a.yaml', line: 2, column: 3 },
              changes: [
                {
                  ...plain,
                  comparison: { ...plain.comparison, type: 'text' },
                  outcome: 'failed',
                  reason: 'too long',
                },
              ],
              left: [
                left(waived, 'waived', waiver),
                left(unread, 'unread'),
                left(hidden, 'hidden'),
                left(plain.comparison, 'not-reviewed'),
              ],
            },
          ],
        },
      ],
    }).servers[0]?.integrations ?? [];
  const source = (line: number) => ({ file: 'sub/a.yaml', line, column: 1 });
  test('has what is left in one list, each with the reason', () => {
    expect(integration?.left).toEqual([
      {
        address: 'vt.options.hidden.value',
        because: 'hidden',
        source: source(3),
      },
      {
        address: 'vt.options.unread.value',
        because: 'unread',
        source: source(4),
        reference: '${env:SETPOINT_A}',
      },
      {
        address: 'vt.options.waived.value',
        because: 'waived',
        source: source(5),
        until: '2026-12-31',
        reason: 'slow',
        before: 'old',
        after: 'new',
      },
    ]);
  });
});

test('the places of a finding are named from the root of the repository, the most certain one first', () => {
  const [first, second] = [3, 5].map((line) => ({
    ...{ file: 'a.yaml', line, column: 1 },
  }));
  if (first === undefined || second === undefined) throw new Error('no place');
  const found = diagnostic(
    'layers-overlap',
    { outer: 'a', inner: ['b'] },
    second,
  );
  const { diagnostics } = documentOf({
    command: 'plan',
    findings: [withPlaces(found, [first, second])],
    fromRoot: (file) => `sub/${file}`,
  });
  const file = 'sub/a.yaml';
  expect(diagnostics).toMatchObject([
    {
      places: [
        { ...second, file },
        { ...first, file },
      ],
    },
  ]);
});
