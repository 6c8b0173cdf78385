import { describe, expect, test } from 'vitest';
import type { referenceTable } from '../../../src/core/config/resolve.ts';
import type {
  LiveIntegration,
  LiveOption,
  LiveValue,
} from '../../../src/core/model/live.ts';
import { hide, isHidden, reveal } from '../../../src/core/model/secret.ts';
import { diffIntegration } from '../../../src/core/plan/diff.ts';
import type { Field } from '../../../src/core/plan/plan.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

/** What the environment holds: the value of SETPOINT_KEY. */
const env = (text: string): ReturnType<typeof referenceTable> => ({
  env: new Map([['SETPOINT_KEY', { text: hide(text) }]]),
  file: new Map(),
});
const REFERENCE = '${env:SETPOINT_KEY}';

/** Whether hidden fields are written. */
const KEEPING = false;
const WRITING = true;

const masked: LiveValue = { kind: 'hidden', reason: 'masked' };

/** The differences of `vt` from what the YAML of its entry asks. */
function diff(
  yaml: string,
  live: LiveIntegration,
  writesHidden: boolean = KEEPING,
  key = 'n3wkey-of-vt',
) {
  const [desired] = desiredOf(
    validConfig(entries(`vt: ${yaml}`)),
    [live],
    env(key),
  );
  if (desired === undefined) throw new Error('not desired');
  const rules = writesHidden ? { fateOf: () => 'changed' as const } : {};
  const { fields, diagnostics } = diffIntegration(desired, live, rules);
  const of = (fate: Field['fate']) =>
    fields.filter((each) => each.fate === fate);
  return {
    changes: of('changed'),
    hidden: of('hidden'),
    same: of('same'),
    diagnostics,
  };
}

/** The same of its only option. */
const diffOption = (
  written: string,
  option: LiveOption,
  keeping: boolean = KEEPING,
  key?: string,
) =>
  diff(
    `{ options: { ${option.key}: ${written} } }`,
    liveIntegration('vt', [option]),
    keeping,
    key,
  );

const at = (column: number) => expect.objectContaining({ line: 3, column });

describe('what is as desired is no change', () => {
  test('and has both sides all the same', () => {
    const live = liveIntegration(
      'vt',
      [
        liveOption('key', {
          type: 'password',
          value: readable('n3wkey-of-vt'),
        }),
        liveOption('o', { value: readable('x'), permission: 'lock-and-show' }),
      ],
      { autosubscribe: true },
    );
    const yaml = `{ autosubscribe: true, options: { key: "${REFERENCE}", o: { value: x, permission: lock-and-show } } }`;
    const { same, changes } = diff(yaml, live);
    expect(changes).toEqual([]);
    expect(
      same.map(({ address, before, after }) => [
        address,
        isHidden(after),
        reveal(before),
      ]),
    ).toEqual([
      ['vt.options.key.value', true, 'n3wkey-of-vt'],
      ['vt.options.o.permission', false, 'lock-and-show'],
      ['vt.options.o.value', false, 'x'],
      ['vt.autosubscribe', false, true],
    ]);
  });
  test('also in another form', () => {
    const found = diffOption(
      '5',
      liveOption('o', { type: 'number', value: readable('5') }),
    );
    expect(found).toMatchObject({ changes: [], hidden: [], diagnostics: [] });
  });
});

describe('the reference of a field is shown without what may be a secret in it', () => {
  const SECRET = { type: 'password', value: masked };
  const reference = '${env:SETPOINT_KEY}';
  const hidden = '${env:SETPOINT_KEY:-(secret)}';
  test.each<[string, string, Partial<LiveOption>, string]>([
    [
      'what is around it',
      '"pre-${env:SETPOINT_KEY}-post"',
      SECRET,
      `(secret)${reference}(secret)`,
    ],
    [
      'but a scheme is',
      '"Bearer ${env:SETPOINT_KEY}"',
      SECRET,
      `Bearer ${reference}`,
    ],
    [
      'what is around it, though it begins with a certificate',
      '"-----BEGIN CERTIFICATE-----AAAA-----BEGIN PRIVATE KEY-----${env:SETPOINT_KEY}"',
      SECRET,
      `(secret)${reference}`,
    ],
    [
      'of a masked text',
      '"${env:SETPOINT_KEY:-winter}"',
      { value: readable('*****') },
      hidden,
    ],
    [
      'of an unseen text',
      '"${env:SETPOINT_KEY:-winter}"',
      { value: masked },
      hidden,
    ],
    [
      'of a text, that may be a secret',
      '"${env:SETPOINT_KEY:-Pr0d-77xQ}"',
      {},
      hidden,
    ],
    [
      'of a text that is marked as no secret',
      '{ value: "${env:SETPOINT_KEY:-Pr0d-77xQ}", sensitive: false }',
      { value: masked },
      '${env:SETPOINT_KEY:-Pr0d-77xQ}',
    ],
  ])('%s', (_, written, option, shown) => {
    const live = liveOption('o', option);
    expect(diffOption(written, live, WRITING).changes).toMatchObject([
      { setting: { reference: shown } },
    ]);
  });
  test('also of no type', () => {
    const { type: _, ...live } = liveOption('o');
    const { changes } = diffOption('"${env:SETPOINT_KEY:-winter}"', live);
    expect(changes).toMatchObject([{ setting: { reference: hidden } }]);
  });
  test('the marks of a list are none', () => {
    const option = liveOption('o', {
      type: 'select',
      multiple: true,
      value: { kind: 'unset' },
    });
    const [change] = diffOption(
      '["${env:SETPOINT_KEY}", "${env:SETPOINT_KEY:-n3wkey}", c]',
      {
        ...option,
        choices: [
          { value: 'c', display: 'c' },
          { value: 'n3wkey-of-vt', display: 'n' },
        ],
      },
    ).changes;
    expect(change?.setting).toMatchObject({
      reference: '[${env:SETPOINT_KEY}, ${env:SETPOINT_KEY:-(secret)}, …]',
    });
  });
});

test.each([
  ['a password', '"${env:SETPOINT_KEY:-winter}"', { type: 'password' }],
  [
    'a password that is marked as no secret',
    '{ value: "${env:SETPOINT_KEY:-winter}", sensitive: false }',
    { type: 'password' },
  ],
  [
    'a text that is marked',
    '{ value: "${env:SETPOINT_KEY:-winter}", sensitive: true }',
    {},
  ],
])('a fallback in %s is an error', (_, written, option) => {
  const { changes, diagnostics } = diffOption(
    written,
    liveOption('o', option),
    WRITING,
  );
  expect([changes, diagnostics.map(({ code }) => code)]).toEqual([
    [],
    ['secret-fallback'],
  ]);
});

describe('what the server does not show cannot be told, and is not written', () => {
  test.each<[string, LiveValue['kind'] | string, Partial<LiveOption>]>([
    ['a value that is masked', 'masked', { value: masked }],
    [
      'a secret whose type is not served, and that is a mask',
      'masked',
      { value: readable('a****z') },
    ],
    [
      'an empty secret that is hidden',
      'empty',
      { value: { kind: 'hidden', reason: 'empty' } },
    ],
  ])('%s', (_, reason, option) => {
    const { type: _type, ...untyped } = liveOption('apiKey', option);
    expect(diffOption(`"${REFERENCE}"`, untyped)).toMatchObject({
      changes: [],
      diagnostics: [],
      hidden: [
        {
          address: 'vt.options.apiKey.value',
          unreadable: reason,
          setting: { place: at(28) },
        },
      ],
    });
  });
  test('a text that is no secret is no mask, whatever it looks like', () => {
    const { changes } = diffOption(
      'x',
      liveOption('o', { value: readable('****') }),
    );
    expect(changes).toMatchObject([{ before: '****', after: 'x' }]);
  });
  test('an option that is only listed, flags and subscriptions', () => {
    const { autosubscribe: _flag, ...live } = liveIntegration(
      'vt',
      [liveOption('flags', { permission: 'unknown' })],
      { optionKeys: new Set(['flags', 'o']) },
    );
    const yaml =
      '{ autosubscribe: true, options: { flags: { permission: lock-and-show }, o: x } }';
    expect(diff(yaml, live)).toMatchObject({
      changes: [],
      diagnostics: [],
      hidden: [
        {
          address: 'vt.options.flags.permission',
          unreadable: 'absent',
          setting: { place: at(62) },
        },
        {
          address: 'vt.options.o.value',
          unreadable: 'absent',
          setting: { place: at(82) },
        },
        {
          address: 'vt.autosubscribe',
          unreadable: 'absent',
          setting: { place: at(24) },
        },
      ],
    });
  });
});

describe('what cannot be read is written where a person asks for it', () => {
  const option = liveOption('key', { type: 'password', value: masked });
  test('and is marked as unreadable', () => {
    const declared = '{ value: x, sensitive: true }';
    const [change] = diffOption(
      declared,
      liveOption('key', { value: masked }),
      WRITING,
    ).changes;
    expect(change).toMatchObject({ before: null, unreadable: 'masked' });
    expect(change).not.toHaveProperty('empty');
  });
  test('also where nothing is to be written: nobody knows whether there is something', () => {
    expect(diffOption('""', option, WRITING)).toMatchObject({
      changes: [{ unreadable: 'masked' }],
    });
  });
  test('but what is empty for sure is as desired', () => {
    const unset = liveOption('key', {
      type: 'password',
      value: { kind: 'unset' },
    });
    expect(diffOption('""', unset, WRITING)).toMatchObject({
      changes: [],
      hidden: [],
    });
  });
});

describe('a change is of a secret where either side holds one', () => {
  const isSensitive = (written: string, value: LiveValue) =>
    diffOption(written, liveOption('url', { value })).changes.map(({ after }) =>
      isHidden(after),
    );
  test.each<[string, string, LiveValue, boolean]>([
    ['neither', 'https://a', readable('https://b'), false],
    ['the desired one', 'https://me:hunter22@a', readable('https://b'), true],
    [
      'the desired one, the first',
      'https://me:hunter22@a',
      { kind: 'unset' },
      true,
    ],
    ['the live one', 'https://a', readable('https://me:hunter22@b'), true],
    ['none yet', 'https://a', { kind: 'unset' }, false],
  ])('%s', (_, written, value, expected) => {
    expect(isSensitive(written, value)).toEqual([expected]);
  });
});

describe('a secret that users will see is a risk', () => {
  const exposing = (
    written: string,
    option: Partial<LiveOption>,
    keeping: boolean = KEEPING,
  ) =>
    diffOption(written, liveOption('o', option), keeping)
      .changes.filter(({ risks }) => risks.includes('exposes-secret'))
      .map(({ setting }) => setting.field);
  const unflagged = {
    type: 'password',
    value: readable('0ldkey-of-vt'),
    permission: 'unknown',
  } as const;
  const password = { type: 'password' };
  const asked = (permission: string) =>
    `{ value: "${REFERENCE}", permission: ${permission} }`;
  test.each<[string, string, Partial<LiveOption>, boolean, readonly string[]]>([
    [
      'its flags stay',
      `"${REFERENCE}"`,
      { ...unflagged, permission: 'lock-and-show' },
      KEEPING,
      ['value'],
    ],
    [
      'its flags change, and carry it',
      asked('lock-and-show'),
      password,
      KEEPING,
      ['permission'],
    ],
    [
      'its flags are not served, and asked for',
      asked('lock-and-show'),
      unflagged,
      KEEPING,
      ['value'],
    ],
    [
      'and are written: they carry it',
      asked('lock-and-show'),
      unflagged,
      WRITING,
      ['permission'],
    ],
    [
      'but not where it is to be hidden',
      asked('lock-and-hide'),
      unflagged,
      KEEPING,
      [],
    ],
    [
      'nor where nothing is asked for',
      `"${REFERENCE}"`,
      unflagged,
      KEEPING,
      [],
    ],
  ])('%s', (_, written, option, keeping, expected) => {
    expect(exposing(written, option, keeping)).toEqual(expected);
  });
});

describe('the mask of a secret is never written as one', () => {
  const found = (key: string, type: string, text: string) => {
    const { changes, diagnostics } = diffOption(
      `"${REFERENCE}"`,
      liveOption(key, { type }),
      KEEPING,
      text,
    );
    return [changes.length, diagnostics];
  };
  test('it is found at its place', () => {
    const facts = { address: 'vt.options.key.value' };
    expect(found('key', 'password', '[redacted]')).toEqual([
      0,
      [{ code: 'wrong-value', facts, place: at(25) }],
    ]);
  });
  test('but stars among others may be a password', () => {
    expect(found('key', 'password', 's3***cret')).toEqual([1, []]);
  });
  test('and of what is no secret they are only text', () => {
    const { changes } = diffOption('"********"', liveOption('o'));
    expect(changes).toMatchObject([{ after: '********' }]);
  });
});

describe('a value that does not fit is shown in excerpts', () => {
  const choices = [{ value: 'fast', display: 'Fast' }];
  const shows = (written: string, option: LiveOption) =>
    diffOption(written, option).diagnostics.map(({ code, facts }) => [
      code,
      facts.showsText,
    ]);
  const select = liveOption('o', { type: 'select', choices });
  const { type: _, ...untyped } = select;
  const secret = liveOption('o', { type: 'token', choices });
  test.each<[string, string, LiveOption, true | undefined]>([
    ['a choice', 'fsat', select, true],
    ['a number', 'thirty', liveOption('o', { type: 'number' }), true],
    ['not if its type is unknown', 'fsat', untyped, undefined],
    ['not of a type of secrets', 'fsat', secret, undefined],
    ['not from outside', `"${REFERENCE}"`, select, undefined],
    [
      'not from outside, even if it is no secret',
      `{ value: "${REFERENCE}", sensitive: false }`,
      select,
      undefined,
    ],
    ['not a credential', 'AKIAIOSFODNN7EXAMPLE', select, undefined],
    [
      'not if it is marked',
      '{ value: fsat, sensitive: true }',
      select,
      undefined,
    ],
  ])('%s', (_name, written, option, isShown) => {
    expect(shows(written, option)).toEqual([['wrong-value', isShown]]);
  });
});
