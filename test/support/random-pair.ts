import fc from 'fast-check';
import { stringify } from 'yaml';
import { optionId } from '../../src/core/model/ids.ts';

const choices = ['fast', 'deep', 'quiet'].map((value) => ({
  value,
  display: `The ${value} one`,
}));
const choice = fc.constantFrom(...choices);
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('0123', 'no', '{{ENTITY}}', 'a\nb', '5', 'true', 'ü'),
);
const integer = fc.integer({ min: -1000, max: 9999 });

/** Each type of option: what a server may hold of it, what people may write for it, and its other attributes. */
const kinds = {
  text: {
    live: fc.oneof(text, fc.constant(null)),
    written: fc.oneof(text, integer),
    extra: {},
  },
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
    written: fc.oneof(
      fc.subarray(choices),
      fc.subarray(['fast', 'deep', 'quiet']),
    ),
    extra: { options: choices, multiple: true },
  },
} as const;

const flags = fc.record({
  'admin-only': fc.boolean(),
  'user-can-edit': fc.boolean(),
});
const permission = fc.constantFrom(
  'lock-and-hide',
  'lock-and-show',
  'user-provides',
);
const key = fc.constantFrom(
  'apiKey',
  'url',
  'max-results',
  'b',
  'b-c',
  'k/e~y',
  'mode',
  '__proto__x',
);

const option = fc
  .constantFrom(
    ...(['text', 'password', 'number', 'boolean', 'select', 'multi'] as const),
  )
  .chain((kind) => {
    const { live, written, extra } = kinds[kind];
    const type = kind === 'multi' ? 'select' : kind;
    return fc.record({
      key,
      attributes: fc
        .record({ value: live, flags })
        .map(({ value, flags: pair }) => ({ type, value, ...pair, ...extra })),
      desired: fc.option(
        fc.record({ value: written, permission }, { requiredKeys: [] }),
        { nil: undefined },
      ),
    });
  });

/** What a server holds of some integrations, and what a configuration asks of each. */
export const pair = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(
      'vt',
      'vt-a',
      'otx_node_18_1',
      'a',
      'a-b',
      'ip_db',
      'zeta',
    ),
    attributes: fc.record({
      autosubscribe: fc.boolean(),
      status: fc.constantFrom('running', 'stopped'),
    }),
    options: fc.uniqueArray(option, {
      selector: (each) => each.key,
      maxLength: 4,
    }),
    autosubscribe: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);

type Pair = typeof pair extends fc.Arbitrary<infer T> ? T : never;

/** Two integrations can compose one option id; the service has no answer to that, so such pairs are left out here. */
export function isUnambiguous(live: Pair): boolean {
  const ids = live.flatMap(({ id, options }) =>
    options.map((each) => optionId(id, each.key)),
  );
  return new Set(ids).size === ids.length;
}

/** The YAML of one integration, as a file of its own; `turned` writes every map in the opposite order. */
export function yamlOf(
  { id, options, autosubscribe }: Pair[number],
  turned: boolean,
): string {
  const turn = <T>(all: T[]) => (turned ? [...all].reverse() : all);
  const managed = options.flatMap((each) =>
    each.desired === undefined
      ? []
      : [
          [
            each.key,
            Object.fromEntries(turn(Object.entries(each.desired))),
          ] as const,
        ],
  );
  const entry = {
    options: Object.fromEntries(
      turn(managed.map(([name, desired]) => [name, escapeReferences(desired)])),
    ),
    ...(autosubscribe === undefined ? {} : { autosubscribe }),
  };
  return stringify({
    version: 1,
    integrations: { [id]: Object.fromEntries(turn(Object.entries(entry))) },
  });
}

function escapeReferences<T>(desired: T): T {
  return JSON.parse(JSON.stringify(desired).replaceAll('${', '$$${')) as T;
}
