import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serverDocument } from '../../src/core/plan/document.ts';
import { type Report, render } from '../../src/index.ts';
import { REPORT_PLANS } from '../support/report-plans.ts';
import { INVISIBLE } from '../support/sinks.ts';

const FOREIGN = '\n::error::\u001b[2J\u202e';

/** What a place of a plan is given: other data of all kinds, most of it small, and words that mean something elsewhere. */
const REPLACEMENT = fc.oneof(
  fc.constantFrom(FOREIGN, '', 'value', 'permission', 'autosubscribe', 'unknown', 'drift', 'toString'),
  fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 1e300, [], {}, [null], ['x']),
  fc.constant({ display: FOREIGN, value: FOREIGN }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Something new that a plan gets, or something of it that goes. */
interface Mutation {
  readonly place: number;
  readonly kind: 'replaced' | 'removed' | 'added';
  readonly key: string;
  readonly value: unknown;
}

const MUTATION: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replaced', 'replaced', 'removed', 'added'),
  key: fc.constantFrom(
    'snapshot',
    'policy',
    'labels',
    'outcome',
    'noted',
    'waived',
    'comment',
    '__proto__',
    FOREIGN,
  ),
  value: REPLACEMENT,
});

/** The objects and lists in plain data, each with its keys. */
function placesIn(data: unknown): { readonly holder: object; readonly key: string }[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, each]) => [{ holder: data, key }, ...placesIn(each)]);
}

/** A copy of a report with mutations anywhere below its plans and findings. */
function mutated(report: Report, mutations: readonly Mutation[]): Report {
  const { plans, diagnostics } = JSON.parse(JSON.stringify(report));
  const root = [...plans, ...diagnostics];
  for (const { place, kind, key, value: shared } of mutations) {
    const value = structuredClone(shared);
    const places = placesIn(root);
    const found = places[place % places.length];
    if (found === undefined) continue;
    const { holder, key: own } = found;
    if (kind === 'removed' && Array.isArray(holder)) holder.splice(Number(own), 1);
    else if (kind === 'removed') Reflect.deleteProperty(holder, own);
    else if (kind === 'added' && !Array.isArray(holder))
      Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
    else Reflect.set(holder, own, value);
  }
  return JSON.parse(
    JSON.stringify({ plans: root.slice(0, plans.length), diagnostics: root.slice(plans.length) }),
  );
}

/** A plan as it comes from a file. */
interface Json {
  readonly summary: object;
  readonly base: object;
  readonly integrations: readonly [
    { readonly changes: readonly [object]; readonly waived: readonly [{ readonly waiver: object }] },
  ];
}

const changeOf = ({ integrations: [{ changes }] }: Json) => changes[0];

const PLANS = ['all-labels', 'three-servers'].map((name) =>
  (REPORT_PLANS[name]?.() ?? []).map((plan) => serverDocument(plan, [], (file) => file)),
);

const FINDING = {
  code: 'own',
  severity: 'error',
  message: 'Wrong.',
  hint: 'Right it.',
  server: 'production',
  integrations: ['virustotal'],
  ...{ file: 'a.yaml', line: 1, column: 2, endColumn: 3 },
} as const;

/** What render makes of a report; nothing where it names what it refuses. */
function outcome(report: Report, format: 'text' | 'json', full: boolean): string {
  try {
    return render(report, format, { full, requests: full, notes: true });
  } catch (thrown) {
    const isNamed =
      thrown instanceof TypeError && /^report\.(plans|diagnostics)\[.* must be /.test(thrown.message);
    if (!isNamed) throw thrown;
    return '';
  }
}

describe('render', () => {
  test('makes lines without control characters of any plan, or names what is wrong with it', () => {
    const plans = fc.constantFrom(...PLANS);
    const mutations = fc.array(MUTATION, { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(plans, mutations, fc.boolean(), (made, changes, full) => {
        const wrong = mutated({ plans: made, diagnostics: [FINDING] }, changes);
        for (const format of ['text', 'json'] as const)
          expect(outcome(wrong, format, full)).not.toMatch(INVISIBLE);
      }),
      { numRuns: 2000 },
    );
  });
  test.each<[string, (plan: Json) => void]>([
    ['.summary.changed', ({ summary }) => Object.assign(summary, { changed: FOREIGN })],
    ['.base.commit', ({ base }) => Object.assign(base, { commit: FOREIGN })],
    [
      '.integrations[0].waived[0].waiver.until',
      ({ integrations: [{ waived }] }) => Object.assign(waived[0].waiver, { until: FOREIGN }),
    ],
    ['.base.ref', ({ base }) => Object.assign(base, { ref: null })],
    ['.policy["plain-secret"]', (plan) => Object.assign(plan, { policy: { 'plain-secret': 1 } })],
    ['.integrations[0].status', ({ integrations: [first] }) => Object.assign(first, { status: {} })],
    ['.integrations[0].changes[0].risks[0]', (plan) => Object.assign(changeOf(plan), { risks: ['x'] })],
    ['.integrations[0].changes[0].label', (plan) => Reflect.deleteProperty(changeOf(plan), 'label')],
    ['.integrations[0].changes[0].before[0]', (plan) => Object.assign(changeOf(plan), { before: [null] })],
    [
      '.integrations[0].changes[0].before',
      (plan) =>
        Object.assign(changeOf(plan), { field: 'permission', before: 'nope', after: 'lock-and-hide' }),
    ],
  ])('names %s', (name, change) => {
    const [plan] = JSON.parse(JSON.stringify(PLANS[0]));
    change(plan);
    for (const format of ['text', 'json'] as const)
      expect(() => render({ plans: [plan], diagnostics: [] }, format)).toThrow(
        new TypeError(`report.plans[0]${name} must be as schemas/plan.schema.json describes it.`),
      );
  });
  test('takes nothing from a key that is named __proto__', () => {
    const [made] = JSON.parse(JSON.stringify(PLANS[1]));
    const text = JSON.stringify({ plans: [made], diagnostics: [] });
    const edited = text.replaceAll('"unmanagedOptions"', '"__proto__":{"waived":["x"]},"unmanagedOptions"');
    expect(edited).not.toBe(text);
    expect(render(JSON.parse(edited), 'text')).toBe(render(JSON.parse(text), 'text'));
  });
  test('takes a plan without what its schema lets it leave out', () => {
    const [plan] = JSON.parse(JSON.stringify(PLANS[0]));
    for (const each of plan.integrations)
      for (const key of ['blocked', 'cannotTell', 'unmanagedOptions']) Reflect.set(each, key, undefined);
    expect(render({ plans: [plan], diagnostics: [] }, 'text')).not.toMatch(/undefined|NaN/);
  });
});
