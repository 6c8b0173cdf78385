import fc from 'fast-check';
import type { LiveIntegration, LiveOption } from '../../src/core/model/live.ts';
import type { LivePermission } from '../../src/core/model/permission.ts';
import type { LiveSide } from '../../src/core/model/side.ts';
import { liveIntegration, MASKED } from './live.ts';

/** Two servers of one team: what is installed on each. */
export interface ServerPair {
  readonly first: readonly LiveIntegration[];
  readonly second: readonly LiveIntegration[];
}

const CHOICES = ['fast', 'deep', 'quiet'].map((value) => ({
  value,
  display: `The ${value} one`,
}));

/** The keys of all options. */
export const KEYS = ['apiKey', 'url', 'limit', 'a.b', 'token'] as const;

/** What an option can hold on a server, by its type. */
const HELD: Readonly<Record<string, fc.Arbitrary<LiveSide>>> = {
  text: shown(
    fc.constantFrom(
      '',
      'a',
      'b',
      '0123',
      'a ${env:X} b',
      'x\ny',
      'https://u:pw1234@h',
    ),
  ),
  password: fc.oneof(
    {
      weight: 4,
      arbitrary: shown(fc.constantFrom('K-1', "it's", 'two\nlines\n')),
    },
    // What no reference may hold.
    {
      weight: 2,
      arbitrary: shown(
        fc.constantFrom<unknown>('null', '$(X)', '\u0007', CHOICES.slice(1)),
      ),
    },
    { weight: 2, arbitrary: fc.constant<LiveSide>({ kind: 'unset' }) },
    { weight: 1, arbitrary: fc.constant(MASKED) },
  ),
  number: shown(fc.constantFrom(1, 2, '3', 1.5)),
  boolean: shown(fc.constantFrom(true, false, 'true')),
  select: fc.oneof(
    shown(fc.constantFrom(...CHOICES)),
    fc.constant<LiveSide>({ kind: 'unset' }),
  ),
};

function shown(values: fc.Arbitrary<unknown>): fc.Arbitrary<LiveSide> {
  return values.map((value) => ({ kind: 'shown', value }) as LiveSide);
}

const permission: fc.Arbitrary<LivePermission> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<LivePermission>(
      'lock-and-hide',
      'lock-and-show',
      'user-provides',
    ),
  },
  { weight: 1, arbitrary: fc.constant<LivePermission>('invalid') },
);

/** How often the second server has the same as the first. */
const ALIKE = { weight: 3, arbitrary: fc.constant(undefined) };

/** An option on both servers; undefined on one that lacks it. */
const option = fc
  .tuple(
    fc.constantFrom(...KEYS),
    fc.constantFrom(
      'text',
      'password',
      'number',
      'boolean',
      'select',
      undefined,
    ),
  )
  .chain(([key, type]) => {
    const held =
      HELD[type ?? 'text'] ?? fc.constant<LiveSide>({ kind: 'unset' });
    const side = fc.record({ value: held, permission });
    const other = fc.oneof(ALIKE, { weight: 2, arbitrary: side });
    return fc.record({
      key: fc.constant(key),
      first: fc.option(side, { freq: 8 }),
      second: fc.option(other, { freq: 8 }),
      otherType: fc.constantFrom(type, type, type, type, 'text', 'password'),
      type: fc.constant(type),
    });
  });

type OptionPair = typeof option extends fc.Arbitrary<infer T> ? T : never;

/** An integration; its ids on each server. */
const integration = fc
  .tuple(
    fc.constantFrom('splunk', 'jira', 'jira_sir', 'a-b', 'Big_Name', 'vt'),
    fc.uniqueArray(option, { selector: ({ key }) => key, maxLength: 5 }),
  )
  .chain(([base, options]) =>
    fc.record({
      options: fc.constant(options),
      base: fc.constant(base),
      first: ids(base, 1_700),
      second: ids(base, 1_800),
      flags: fc.tuple(fc.boolean(), fc.boolean()),
    }),
  );

type IntegrationPair =
  typeof integration extends fc.Arbitrary<infer T> ? T : never;

/** No, one or several installations of an integration. */
function ids(base: string, start: number): fc.Arbitrary<string[]> {
  const suffixes = [
    `_node_18_${start}`,
    `_node_18_${start}`,
    `_3_5_0_node_20_${start}`,
    `_v2_3_5_0_node_20_${start}`,
    '',
  ];
  const id = fc.constantFrom(...suffixes).map((suffix) => `${base}${suffix}`);
  const more = fc.constant(`${base}_node_18_${start + 1}`);
  return fc.oneof(
    { weight: 8, arbitrary: id.map((one) => [one]) },
    { weight: 1, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(id, more).map((both) => [...new Set(both)]),
    },
  );
}

/** Two random servers that have much in common, such as their version. */
export const serverPair: fc.Arbitrary<ServerPair> = fc
  .record({
    integrations: fc.uniqueArray(integration, {
      selector: ({ base }) => base,
      minLength: 1,
      maxLength: 4,
    }),
    servesFlags: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
  })
  .map(({ integrations, servesFlags }) => {
    const on = (server: 'first' | 'second'): LiveIntegration[] => {
      const all = integrations.flatMap((pair) => installed(pair, server));
      return servesFlags ? all : all.map(withoutFlags);
    };
    return { first: on('first'), second: on('second') };
  });

function withoutFlags(integration: LiveIntegration): LiveIntegration {
  const options = new Map<string, LiveOption>();
  for (const [key, option] of integration.options)
    options.set(key, { ...option, permission: 'unknown' });
  return { ...integration, options };
}

function installed(
  pair: IntegrationPair,
  server: 'first' | 'second',
): LiveIntegration[] {
  const options: LiveOption[] = [];
  for (const each of pair.options) {
    const found = optionOn(each, server);
    if (found !== undefined) options.push(found);
  }
  const autosubscribe = pair.flags[server === 'first' ? 0 : 1];
  return pair[server].map((id) =>
    liveIntegration(id, options, { autosubscribe }),
  );
}

function optionOn(
  pair: OptionPair,
  server: 'first' | 'second',
): LiveOption | undefined {
  const { key, type, otherType, first } = pair;
  const own = server === 'first' ? first : pair.second;
  if (own === null) return undefined;
  const held = own ?? first;
  if (held === null) return undefined;
  const isAlike = own === undefined || server === 'first';
  const typed = isAlike ? type : otherType;
  const choices = typed === 'select' ? CHOICES : [];
  const isFitting = isAlike || typed === type;
  const value: LiveSide = isFitting
    ? held.value
    : { kind: 'shown', value: 'K-2' };
  return {
    key,
    type: typed,
    choices,
    multiple: typed === 'select' ? false : undefined,
    permission: held.permission,
    value,
  };
}
