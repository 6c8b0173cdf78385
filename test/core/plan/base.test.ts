import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import type {
  LiveIntegration,
  LiveOption,
  LiveValue,
} from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type {
  Change,
  ServerDocument,
  ServerPlan,
} from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { savedPlan } from '../../support/saved-plan.ts';

type Label = Change['label'] | 'settled' | 'released';

/** The label of a field in the words of a reviewer: who moved, and whether there is anything left to do. */
function labelOf<T>(
  base: T | undefined,
  head: T | undefined,
  live: T | undefined,
): Label | undefined {
  if (head === undefined) return base === undefined ? undefined : 'released';
  const hasBranchMoved = base !== head;
  if (live === head) return hasBranchMoved ? 'settled' : undefined;
  const hasServerMoved = base !== undefined && live !== base;
  if (hasBranchMoved && hasServerMoved) return 'conflict';
  return hasBranchMoved ? 'change' : 'drift';
}

const BASE = { ref: 'main', commit: 'c0ffee'.padEnd(40, '0') };
const TABLE = {
  env: new Map(
    ['OLD', 'NEW'].map(
      (name) =>
        [`SETPOINT_${name}`, { text: hide(`${name}-secret-value`) }] as const,
    ),
  ),
  file: new Map(),
};

interface Wish {
  readonly only?: string;
  readonly waivers?: readonly { readonly address: string }[];
  /** Whether all hidden fields are written. */
  readonly writesAll?: boolean;
  readonly reviewed?: ServerDocument;
}

/** The plan of a branch beside its base, each the YAML of its entries; and the codes of what was found. */
function planned(
  base: string,
  head: string,
  live: readonly LiveIntegration[],
  wish: Wish = {},
) {
  const config = (yaml: string) =>
    validConfig(yaml.startsWith('version') ? yaml : entries(yaml));
  const before = matchEntries(resolveConfig(config(base)), live).value;
  const desired = desiredOf(config(head), live, TABLE, new Map());
  const { plan, diagnostics } = planServer({
    server: {
      name: 's',
      url: 'https://s',
      ...(wish.only === undefined ? {} : { only: wish.only }),
    },
    desired,
    live,
    reads: 1,
    writeHidden: wish.writesAll === true ? ['all'] : [],
    base: wish.reviewed ? undefined : { base: BASE, before },
    waivers: wish.waivers,
    reviewed: wish.reviewed,
  });
  return { plan, codes: diagnostics.map(({ code }) => code) };
}

/** Each field of a plan with its label. */
function labels({ integrations }: ServerPlan): Record<string, Label> {
  return Object.fromEntries(
    integrations.flatMap(({ changes, settled = [], released = [] }) => [
      ...changes.map(({ address, label }): [string, Label] => [address, label]),
      ...settled.map((address): [string, Label] => [address, 'settled']),
      ...released.map((address): [string, Label] => [address, 'released']),
    ]),
  );
}

const vt = (...options: LiveOption[]) => liveIntegration('vt', options);
const holding = (value: string | number) =>
  liveOption('o', { value: readable(value) });

/** The label of the value of `o`, where the two sides and the server hold these; `undefined` for none. */
function labelWith(
  base: string | undefined,
  head: string | undefined,
  live: LiveOption,
): Label | undefined {
  const yaml = (value: string | undefined) =>
    `vt: { options: { p: same${value === undefined ? '' : `, o: ${value}`} } }`;
  const other = liveOption('p', { value: readable('same') });
  return labels(planned(yaml(base), yaml(head), [vt(live, other)]).plan)[
    'vt.options.o.value'
  ];
}

describe('the label of a field in a plan', () => {
  const SIDES = [undefined, 'a', 'b'] as const;
  test('of a text is what a reviewer would say, in each of the 27 cells', () => {
    for (const base of SIDES)
      for (const head of SIDES)
        for (const live of SIDES)
          expect([
            base,
            head,
            live,
            labelWith(base, head, holding(live ?? '')),
          ]).toEqual([base, head, live, labelOf(base, head, live)]);
  });
  test('of autosubscribe, and of a permission beside it, is the same', () => {
    const PERMISSIONS = ['lock-and-hide', 'lock-and-show'] as const;
    const yaml = (on: boolean) =>
      `vt: { autosubscribe: ${on}, options: { o: { permission: ${PERMISSIONS[Number(on)]} } } }`;
    for (const base of [true, false])
      for (const head of [true, false])
        for (const autosubscribe of [true, false]) {
          const permission = PERMISSIONS[Number(autosubscribe)] ?? 'invalid';
          const live = liveIntegration(
            'vt',
            [liveOption('o', { permission })],
            { autosubscribe },
          );
          const found = labels(planned(yaml(base), yaml(head), [live]).plan);
          const expected = labelOf(base, head, autosubscribe);
          expect([
            found['vt.options.o.permission'],
            found['vt.autosubscribe'],
          ]).toEqual([expected, expected]);
        }
  });
  const several = liveOption('o', {
    type: 'select',
    multiple: true,
    value: readable([{ display: 'X', value: 'x' }]),
  });
  const choices = ['slow', 'fast', 'passive'].map((value) => ({
    value,
    display: value,
  }));
  const mode = liveOption('o', {
    type: 'select',
    choices,
    value: readable({ value: 'fast', display: 'fast' }),
  });
  const numeric = liveOption('o', { type: 'number', value: readable(5) });
  test.each<[string, string, string, LiveOption, Label | undefined]>([
    ['a number and its text', '4', '"4"', holding('5'), 'drift'],
    [
      'a choice by its value alone',
      '{ display: A, value: a }',
      'a',
      holding('x'),
      'drift',
    ],
    ['a list in another order', '[a, b]', '[b, a]', several, 'drift'],
    [
      'what the base asks for, in the form that the option stores',
      'a',
      'b',
      liveOption('o', {
        type: 'select',
        value: readable({ display: 'A', value: 'a' }),
      }),
      'change',
    ],
    ['a list in place of a text', 'a', '[a]', several, 'conflict'],
    [
      'a choice that the option does not have, live another',
      'slowest',
      'passive',
      mode,
      'conflict',
    ],
    ['a choice that is live', 'fast', 'passive', mode, 'change'],
    ['a choice that is live since', 'slowest', 'fast', mode, 'settled'],
    ['a text that no number is', 'text', '7', numeric, 'conflict'],
  ])('compares %s', (_, base, head, live, label) => {
    expect(labelWith(base, head, live)).toBe(label);
  });
});

describe('a secret is compared by its reference and the day beside it', () => {
  const secret = (name: string, rotated?: string) =>
    `vt: { options: { key: { value: "\${env:SETPOINT_${name}}"${rotated === undefined ? '' : `, rotated: ${rotated}`} } } }`;
  const key = (value: LiveValue) =>
    vt(liveOption('key', { type: 'password', value }));
  const masked: LiveValue = { kind: 'hidden', reason: 'masked' };
  const DAYS = [undefined, '2026-01-01', '2026-02-02'] as const;
  const NAMES = ['OLD', 'NEW'] as const;
  test('with each reference and day on both sides, readable and not', () => {
    for (const was of NAMES)
      for (const name of NAMES)
        for (const before of DAYS)
          for (const day of DAYS)
            for (const live of ['OLD', 'NEW', 'OTHER', undefined]) {
              const value =
                live === undefined ? masked : readable(`${live}-secret-value`);
              const isTouched = was !== name || before !== day;
              const { plan } = planned(secret(was, before), secret(name, day), [
                key(value),
              ]);
              const label =
                live === name
                  ? isTouched
                    ? 'settled'
                    : undefined
                  : isTouched
                    ? 'change'
                    : 'drift';
              const isUntold = live === undefined && !isTouched;
              expect([
                was,
                name,
                before,
                day,
                live,
                labels(plan)['vt.options.key.value'],
              ]).toEqual([
                was,
                name,
                before,
                day,
                live,
                isUntold ? undefined : label,
              ]);
              expect(plan.integrations[0]?.hidden.length).toBe(
                isUntold ? 1 : 0,
              );
            }
  });
  test('and is written with its permission if nobody can see it', () => {
    const base = secret('NEW').replace(
      ' } } }',
      ', permission: user-provides } } }',
    );
    const head = base.replace('user-provides', 'lock-and-hide');
    const live = [
      vt(
        liveOption('key', {
          type: 'password',
          value: masked,
          permission: 'user-provides',
        }),
      ),
    ];
    expect(labels(planned(base, head, live).plan)).toEqual({
      'vt.options.key.value': 'change',
      'vt.options.key.permission': 'change',
    });
    expect(labels(planned(head, head, live).plan)).toEqual({
      'vt.options.key.permission': 'drift',
    });
  });
  test('and is no drift where nobody can see it and a flag alone has it written', () => {
    const yaml = (name: string, permission: string) =>
      secret(name)
        .replace(', rotated', ',')
        .replace(' } } }', `, permission: ${permission} } } }`);
    const untold = vt(
      liveOption('key', {
        type: 'password',
        value: masked,
        permission: 'unknown',
      }),
    );
    const head = yaml('NEW', 'lock-and-hide');
    for (const base of [head, yaml('OLD', 'user-provides')])
      expect(
        labels(planned(base, head, [untold], { writesAll: true }).plan),
      ).toEqual({
        'vt.options.key.value': 'change',
        'vt.options.key.permission': 'change',
      });
  });
  test('a reference that comes by another named value is the same, and a named value that changes is none', () => {
    const named = (values: string, value: string) =>
      `version: 1\nvalues: { ${values} }\nintegrations:\n  vt: { options: { key: ${value} } }\n`;
    const live = [vt(liveOption('key', { value: readable('another') }))];
    const touched = (base: string, head: string) =>
      labels(planned(base, head, live).plan)['vt.options.key.value'] ===
      'change';
    const base = named('a: "${env:SETPOINT_OLD}"', '"${value:a}"');
    expect(
      touched(base, named('b: "${env:SETPOINT_OLD}"', '"${value:b}"')),
    ).toBe(false);
    expect(touched(base, named('unused: 1', '"${env:SETPOINT_OLD}"'))).toBe(
      false,
    );
    expect(
      touched(base, named('a: "${env:SETPOINT_NEW}"', '"${value:a}"')),
    ).toBe(true);
    expect(
      touched(base, named('a: "${env:SETPOINT_OLD:-x}"', '"${value:a}"')),
    ).toBe(true);
    expect(touched(base, named('unused: 1', '"$${env:SETPOINT_OLD}"'))).toBe(
      true,
    );
  });
});

describe('what is no longer managed', () => {
  const live = [
    vt(holding('x')),
    liveIntegration('us', [liveOption('o', { value: readable('x') })]),
  ];
  test('is released, also with its whole entry, and is no change', () => {
    const { plan } = planned(
      'vt: { autosubscribe: true, options: { o: a } }\nus: { options: { o: a } }',
      'vt: { autosubscribe: false }',
      live,
    );
    expect(labels(plan)).toEqual({
      'vt.autosubscribe': 'settled',
      'vt.options.o.value': 'released',
      'us.options.o.value': 'released',
    });
    expect(plan.summary).toMatchObject({ managed: 1, changes: 0, writes: 0 });
    expect(plan.integrations.map(({ name }) => name)).toEqual(['us', 'vt']);
  });
  test('is found by its id, whatever it is called', () => {
    const base =
      'old: { match: vt, options: { o: x } }\nus: { options: { o: x } }';
    const head =
      'new: { match: vt, options: { o: x } }\nus: { options: { o: x } }';
    expect(labels(planned(base, head, live).plan)).toEqual({});
  });
  test('is left out with what --only does not select', () => {
    const base = 'vt: { options: { o: x } }\nus: { options: { o: x } }';
    const head = 'vt: { options: { o: x } }';
    expect(labels(planned(base, head, live, { only: 'vt' }).plan)).toEqual({});
    expect(labels(planned(base, head, live, { only: 'u*' }).plan)).toEqual({
      'us.options.o.value': 'released',
    });
  });
});

describe('what is left alone', () => {
  const waiver = (address: string) => ({ address });
  const base = 'vt: { options: { o: x, p: x, q: x } }';
  const head = 'vt: { options: { o: x, p: y, q: x } }';
  const live = [
    vt(
      liveOption('o', { value: readable('moved') }),
      liveOption('p', { value: readable('x') }),
      liveOption('q', { value: readable('moved') }),
    ),
  ];
  const shown = (...waivers: readonly ReturnType<typeof waiver>[]) => {
    const { plan, codes } = planned(base, head, live, { waivers });
    const [vt] = plan.integrations;
    return {
      changes: vt?.changes.map(({ address }) => address),
      waived: vt?.waived,
      codes,
    };
  };
  test('is drift that a waiver allows, and no change of the branch', () => {
    expect(shown(waiver('vt.options.o'), waiver('vt.options.p.value'))).toEqual(
      {
        changes: ['vt.options.p.value', 'vt.options.q.value'],
        waived: ['vt.options.o.value'],
        codes: [],
      },
    );
  });
  test('is all that a reviewed plan lacks', () => {
    const reviewed = savedPlan(
      planned(base, head, live, { waivers: [waiver('vt')] }).plan,
    );
    const again = planned(base, head, live, { reviewed }).plan.integrations[0];
    expect(again?.changes.map(({ address }) => address)).toEqual([
      'vt.options.p.value',
    ]);
  });
  test('a secret is not exposed by a permission that is left alone', () => {
    const yaml = (key: string) =>
      `vt: { options: { key: { value: "\${env:SETPOINT_${key}}", permission: lock-and-hide } } }`;
    const exposed = [
      vt(
        liveOption('key', {
          type: 'password',
          value: readable('old'),
          permission: 'lock-and-show',
        }),
      ),
    ];
    const risks = (wish: Wish) =>
      planned(
        yaml('OLD'),
        yaml('NEW'),
        exposed,
        wish,
      ).plan.integrations.flatMap(({ changes }) =>
        changes.map(({ setting, label, risks: each }) => [
          setting.field,
          label,
          each,
        ]),
      );
    expect(risks({})).toEqual([
      ['permission', 'drift', []],
      ['value', 'change', []],
    ]);
    expect(risks({ waivers: [waiver('vt.options.key.permission')] })).toEqual([
      ['value', 'change', ['exposes-secret']],
    ]);
  });
});
