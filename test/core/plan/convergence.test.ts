import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { asTold, showsPasswords } from '../../../src/core/live/told.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import { optionId } from '../../../src/core/model/ids.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { fingerprinter } from '../../../src/core/plan/fingerprint.ts';
import { type Planned, planServer } from '../../../src/core/plan/plan-server.ts';
import { encodeRequests } from '../../../src/core/plan/requests.ts';
import { brief, NO_REFERENCES } from '../../support/config.ts';
import { seeds } from '../../support/soak.ts';
import { decoded, page, patched, type WireIntegration } from '../../support/wire.ts';

/** Pairs of live and desired that the properties are tried on. */
const PAIRS = seeds(2_000, 10_000);

const choices = ['fast', 'deep', 'quiet'].map((value) => ({ value, display: `The ${value} one` }));
const choice = fc.constantFrom(...choices);
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('0123', 'no', '{{ENTITY}}', 'a\nb', '5', 'true', 'ü'),
);
const integer = fc.integer({ min: -1000, max: 9999 });

/** Each type of option: what a server may hold of it, what people may write for it, and its other attributes. */
const kinds = {
  text: { live: fc.oneof(text, fc.constant(null)), written: fc.oneof(text, integer), extra: {} },
  password: { live: text, written: text, extra: {} },
  number: {
    live: fc.oneof(integer, integer.map(String)),
    written: fc.oneof(integer, integer.map(String)),
    extra: {},
  },
  boolean: {
    live: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false')),
    written: fc.boolean(),
    extra: {},
  },
  select: {
    live: fc.oneof(
      choice,
      fc.constantFrom('fast', 'deep'),
      fc.constant({ value: 'fast', display: 'Renamed' }),
    ),
    written: fc.oneof(choice, fc.constantFrom('fast', 'deep', 'quiet')),
    extra: { options: choices, multiple: false },
  },
  multi: {
    live: fc.uniqueArray(choice, { selector: ({ value }) => value }),
    written: fc.oneof(fc.subarray(choices), fc.subarray(['fast', 'deep', 'quiet'])),
    extra: { options: choices, multiple: true },
  },
} as const;

const flags = fc.record({ 'admin-only': fc.boolean(), 'user-can-edit': fc.boolean() });
const permission = fc.constantFrom('lock-and-hide', 'lock-and-show', 'user-provides');
const key = fc.constantFrom('apiKey', 'url', 'max-results', 'b', 'b-c', 'k/e~y', 'mode', '__proto__x');

const option = fc
  .constantFrom(...(['text', 'password', 'number', 'boolean', 'select', 'multi'] as const))
  .chain((kind) => {
    const { live, written, extra } = kinds[kind];
    const type = kind === 'multi' ? 'select' : kind;
    return fc.record({
      key,
      attributes: fc
        .record({ value: live, flags })
        .map(({ value, flags: pair }) => ({ type, value, ...pair, ...extra })),
      desired: fc.option(fc.record({ value: written, permission }, { requiredKeys: [] }), { nil: undefined }),
    });
  });

const pair = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('vt', 'vt-a', 'otx_node_18_1', 'a', 'a-b', 'ip_db', 'zeta'),
    attributes: fc.record({ autosubscribe: fc.boolean(), status: fc.constantFrom('running', 'stopped') }),
    options: fc.uniqueArray(option, { selector: (each) => each.key, maxLength: 4 }),
    autosubscribe: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);

type Pair = typeof pair extends fc.Arbitrary<infer T> ? T : never;

/** Two integrations can compose one option id; the service has no answer to that, so such pairs are left out here. */
function isUnambiguous(live: Pair): boolean {
  const ids = live.flatMap(({ id, options }) => options.map((each) => optionId(id, each.key)));
  return new Set(ids).size === ids.length;
}

/** The YAML of one integration, as a file of its own; `turned` writes every map in the opposite order. */
function yamlOf({ id, options, autosubscribe }: Pair[number], turned: boolean): string {
  const turn = <T>(all: T[]) => (turned ? [...all].reverse() : all);
  const managed = options.flatMap((each) =>
    each.desired === undefined
      ? []
      : [[each.key, Object.fromEntries(turn(Object.entries(each.desired)))] as const],
  );
  const entry = {
    options: Object.fromEntries(turn(managed.map(([name, desired]) => [name, escapeReferences(desired)]))),
    ...(autosubscribe === undefined ? {} : { autosubscribe }),
  };
  return stringify({ version: 1, integrations: { [id]: Object.fromEntries(turn(Object.entries(entry))) } });
}

function escapeReferences<T>(desired: T): T {
  return JSON.parse(JSON.stringify(desired).replaceAll('${', '$$${')) as T;
}

const secrets = {
  fingerprints: fingerprinter(() => Buffer.alloc(32, 1)),
  isKnown: () => false,
  scrub: (text: string) => text,
  writesUnreadable: () => false,
  writesUnknownFlags: () => false,
};

function planOf(files: readonly string[], read: readonly LiveIntegration[]): Planned {
  const live = read.map((each) => asTold(each, showsPasswords(read)));
  const { value: config, diagnostics } = parseConfig([
    files.map((content, index) => ({ path: `${content.length}-${index}.yaml`, text: content })),
  ]);
  if (config === undefined) throw new Error(diagnostics.map(brief).join(', '));
  const desired = matchEntries(resolveConfig(config, NO_REFERENCES), live);
  if (desired.value === undefined) throw new Error(desired.diagnostics.map(brief).join(', '));
  const server = { name: 'test', url: 'http://127.0.0.1' };
  const { value: planned } = planServer({ server, desired: desired.value, live, reads: 1, secrets });
  if (planned === undefined) throw new Error('no plan');
  return planned;
}

/** The plan as bytes, without the places: other files have other lines. */
function bytes({ plan }: Planned): string {
  return JSON.stringify(plan, (name, value) => (name === 'source' ? undefined : value));
}

test(`a plan that was applied leaves nothing to plan, in ${PAIRS} random pairs; order changes no byte`, {
  timeout: 240_000,
}, () => {
  const seen = { changes: 0 };
  fc.assert(
    fc.property(pair.filter(isUnambiguous), (live) => {
      const wire: WireIntegration[] = live;
      const files = live.map((each) => yamlOf(each, false));
      const planned = planOf(files, decoded(page(wire)));
      seen.changes += planned.plan.summary.changes;

      const requests = planned.plan.integrations.flatMap((each) => encodeRequests(each));
      expect(requests.length).toBe(planned.plan.summary.writes);
      const after = requests.reduce(patched, wire);
      expect(planOf(files, decoded(page(after))).plan.summary.changes).toBe(0);

      const unmanaged = after.map(({ options }, index) =>
        options.filter((_, each) => live[index]?.options[each]?.desired === undefined),
      );
      expect(unmanaged).toEqual(
        live.map(({ options }) => options.filter(({ desired }) => desired === undefined)),
      );

      const turned = [...live].reverse();
      const pages = turned.map((each) =>
        page([{ ...each, options: [...each.options].reverse() }], live.length),
      );
      const shuffled = planOf(
        turned.map((each) => yamlOf(each, true)),
        decoded(...pages),
      );
      expect(bytes(shuffled)).toBe(bytes(planned));
    }),
    { numRuns: PAIRS },
  );
  expect(seen.changes).toBeGreaterThan(PAIRS / 2);
});
