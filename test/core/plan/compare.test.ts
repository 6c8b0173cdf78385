import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { type LiveSide, secretSide } from '../../../src/core/model/side.ts';
import {
  type Compared,
  type Comparison,
  compareIntegration,
} from '../../../src/core/plan/compare.ts';
import {
  compared,
  comparedOption,
  environment,
  REFERENCE,
} from '../../support/compared.ts';
import { desiredOf, NO_REFERENCES, validConfig } from '../../support/config.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';

const UNSET: LiveSide = { kind: 'unset' };
const ABSENT: LiveSide = { kind: 'hidden', reason: 'absent' };
const SNAPSHOT: LiveSide = { kind: 'hidden', reason: 'snapshot' };

const at = (column: number) => expect.objectContaining({ line: 3, column });

/** The comparison of the only field of which something is asked. */
function only({ comparisons, diagnostics }: Compared): Comparison {
  const [comparison] = comparisons;
  expect([comparisons.length, diagnostics]).toEqual([1, []]);
  if (comparison === undefined) throw new Error('not compared');
  return comparison;
}

/** The same option of a server that serves no type of it. */
function untyped({ type: _, ...option }: LiveOption): LiveOption {
  return option;
}

describe('what is as desired is no change', () => {
  test.each([
    { written: '5', type: 'number', held: '5' },
    { written: '42', type: 'number', held: '42.0' },
    { written: 'true', type: 'boolean', held: '1' },
  ])('also in another form: $written, $held', ({ written, type, held }) => {
    const option = liveOption('o', { type, value: readable(held) });
    expect(only(comparedOption(written, option)).state).toBe('same');
  });
  test('but a text in another form is another text', () => {
    const option = liveOption('o', { value: readable('42.0') });
    expect(only(comparedOption('42', option)).state).toBe('differs');
  });
});

describe('the reference of a field is shown without what may be a secret in it', () => {
  const secret: Partial<LiveOption> = { type: 'password', value: MASKED };
  const shown = (written: string, option: Partial<LiveOption>) =>
    only(comparedOption(written, liveOption('o', option))).reference;
  test('nor what is around it', () => {
    const around = '"pre-${env:SETPOINT_KEY}-post"';
    expect(shown(around, secret)).toBe(`(secret)${REFERENCE}(secret)`);
    const keys = '-----BEGIN CERTIFICATE-----AAAA-----BEGIN PRIVATE KEY-----';
    const behind = shown(`"${keys}${REFERENCE}"`, secret);
    expect(behind).toBe(`(secret)${REFERENCE}`);
  });
  test('nor the fallback of an unseen text, unless that is marked as no secret', () => {
    const reference = '${env:SETPOINT_KEY:-Pr0d-77xQ}';
    const unseen = { value: MASKED };
    const hidden = '${env:SETPOINT_KEY:-(secret)}';
    expect(shown(`"${reference}"`, unseen)).toBe(hidden);
    const marked = `{ value: "${reference}", sensitive: false }`;
    expect(shown(marked, unseen)).toBe(reference);
  });
  test('the marks of a list are none', () => {
    const choices = ['c', 'n3wkey-of-vt'].map((value) => ({
      value,
      display: value,
    }));
    const select = { type: 'select', multiple: true, value: UNSET, choices };
    const written = '["${env:SETPOINT_KEY}", "${env:SETPOINT_KEY:-n3wkey}", c]';
    expect(shown(written, select)).toBe(
      '${env:SETPOINT_KEY}, ${env:SETPOINT_KEY:-(secret)}',
    );
  });
});

test('a fallback is an error in a password, whatever its mark, and in a marked text', () => {
  const fallback = '"${env:SETPOINT_KEY:-winter}"';
  const marked = (mark: boolean) =>
    `{ value: ${fallback}, sensitive: ${mark} }`;
  for (const [written, type] of [
    [fallback, 'password'],
    [marked(false), 'password'],
    [marked(true), 'text'],
  ] as const) {
    const found = comparedOption(written, liveOption('o', { type }));
    const facts = { address: 'vt.options.o.value', isCertain: true };
    expect(found).toMatchObject({
      comparisons: [],
      diagnostics: [{ code: 'plain-secret', facts }],
    });
  }
  expect(comparedOption(fallback, liveOption('o')).diagnostics).toEqual([]);
});

test('a literal in a password is an error at its place, a reference or nothing is none', () => {
  const password = liveOption('o', { type: 'password', value: readable('x') });
  const { diagnostics } = comparedOption('hunter2', password);
  expect(diagnostics).toMatchObject([
    {
      code: 'plain-secret',
      facts: { address: 'vt.options.o.value' },
      place: at(23),
    },
  ]);
  for (const written of ['""', `"${REFERENCE}"`]) {
    expect(only(comparedOption(written, password)).state).toBe('differs');
  }
});

describe('what the server does not show cannot be told', () => {
  const found = (written: string, option: LiveOption) =>
    only(comparedOption(written, option));
  test('of a secret that is a mask or hidden, whose type is not served', () => {
    for (const [value, reason] of [
      [readable('a****z'), 'masked'],
      [{ kind: 'hidden', reason: 'empty' }, 'empty'],
    ] as const) {
      const option = untyped(liveOption('apiKey', { value }));
      expect(found(`"${REFERENCE}"`, option)).toMatchObject({
        state: 'hidden',
        before: { kind: 'hidden', reason },
        setting: { place: at(28) },
      });
    }
  });
  test('the permission of an option that is only listed', () => {
    const live = liveIntegration('vt', [], { optionKeys: new Set(['o']) });
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    const hidden = { state: 'hidden', before: ABSENT };
    expect(only(compared(yaml, live))).toMatchObject(hidden);
  });
  test('also if nothing is wanted: nobody knows whether there is something', () => {
    const option = liveOption('key', { type: 'password', value: MASKED });
    expect(found('""', option).state).toBe('hidden');
  });
  test('and its desired side is never shown: nobody knows whether it is a secret', () => {
    const option = liveOption('o', { value: MASKED });
    const { after, isSecret } = found('x', option);
    expect([after.kind, isSecret]).toEqual(['secret', false]);
  });
});

describe('a reference that was not read', () => {
  const found = (value: LiveSide, written = '"${env:SETPOINT_X}"') => {
    const option = liveOption('o', { value });
    return only(comparedOption(written, option, NO_REFERENCES));
  };
  test.each([
    { name: 'is not compared', value: readable('x'), state: 'unread' },
    { name: 'nor is a mask', value: MASKED, state: 'hidden' },
    { name: 'but differs from nothing', value: UNSET, state: 'differs' },
  ])('$name', ({ value, state }) => {
    const unread = { kind: 'unread', written: '${env:SETPOINT_X}' };
    expect(found(value)).toMatchObject({ state, after: unread });
  });
  test('hides what is live, even if it is marked as no secret', () => {
    expect(found(readable('x')).before.kind).toBe('secret');
    const written = '{ value: "${env:SETPOINT_X}", sensitive: false }';
    const marked = found(readable('x'), written);
    expect([marked.before.kind, marked.isSecret]).toEqual(['secret', false]);
  });
});

describe('an option is a secret', () => {
  const CREDENTIAL = 'https://me:hunter22@a';
  const found = (written: string, value: LiveSide) => {
    const option = liveOption('url', { value });
    const { isSecret, before, after } = only(comparedOption(written, option));
    return [isSecret, before.kind, after.kind];
  };
  test('if either side holds one', () => {
    const first = [true, 'unset', 'secret'];
    expect(found(CREDENTIAL, UNSET)).toEqual(first);
    const live = readable('https://me:hunter22@b');
    expect(found('https://a', live)).toEqual([true, 'secret', 'secret']);
  });
  test('no more if a mark says so, whatever its name', () => {
    const key = untyped(liveOption('apiKey', { value: secretSide('old') }));
    const marked = '{ value: x, sensitive: false }';
    expect(only(comparedOption(marked, key)).before).toEqual(readable('old'));
  });
  test('if a snapshot leaves it out, unless it is marked as none; not if the server does not send it', () => {
    expect(found('https://a', SNAPSHOT)[0]).toBe(true);
    const marked = '{ value: https://a, sensitive: false }';
    const hidden = [false, 'hidden', 'secret'];
    expect(found(marked, SNAPSHOT)).toEqual(hidden);
    expect(found('https://a', ABSENT)).toEqual(hidden);
  });
  test.each([
    ['live value', CREDENTIAL, ''],
    ['declared value', 'x', `, value: ${CREDENTIAL}`],
    ['reference', 'x', `, value: "${REFERENCE}"`],
  ])('which its permission knows by its %s', (_, value, asked) => {
    const option = liveOption('url', { value: readable(value) });
    const written = `{ permission: lock-and-show${asked} }`;
    const [permission] = comparedOption(written, option).comparisons;
    const secret = { subject: { kind: 'permission' }, isSecret: true };
    expect(permission).toMatchObject(secret);
  });
});

describe('the mask of a secret is never written as one', () => {
  const found = (text: string) => {
    const option = liveOption('key', { type: 'password' });
    return comparedOption(`"${REFERENCE}"`, option, environment(text));
  };
  test('it is found at its place', () => {
    const facts = { address: 'vt.options.key.value', integration: 'vt' };
    const finding = { code: 'wrong-value', facts, place: at(25) };
    expect(found('[redacted]')).toEqual({
      comparisons: [],
      diagnostics: [finding],
    });
  });
  test('and of what is no secret they are only text', () => {
    const { after } = only(comparedOption('"********"', liveOption('o')));
    expect(after).toEqual(readable('********'));
  });
});

describe('a value that does not fit is shown in excerpts', () => {
  const choices = [{ value: 'fast', display: 'Fast' }];
  const select = liveOption('o', { type: 'select', choices });
  const isShown = (written: string, option: LiveOption = select) => {
    const [found, ...others] = comparedOption(written, option).diagnostics;
    expect([found?.code, others]).toEqual(['wrong-value', []]);
    return found && Reflect.get(found.facts, 'showsText');
  };
  test('as a choice of a known type', () => {
    expect(isShown('fsat')).toBe(true);
    expect(isShown('fsat', untyped(select))).toBeUndefined();
  });
  test('not from outside, nor if it may be or is marked as a secret', () => {
    expect(isShown(`"${REFERENCE}"`)).toBeUndefined();
    const marked = `{ value: "${REFERENCE}", sensitive: false }`;
    expect(isShown(marked)).toBeUndefined();
    expect(isShown('AKIAIOSFODNN7EXAMPLE')).toBeUndefined();
    expect(isShown('{ value: fsat, sensitive: true }')).toBeUndefined();
  });
  test('not of a named value, which stands elsewhere', () => {
    const text =
      'version: 1\nvalues: { a: fsat }\nintegrations:\n  vt: { options: { o: "${value:a}" } }\n';
    const live = liveIntegration('vt', [select]);
    const [desired] = desiredOf(validConfig(text), [live]);
    if (desired === undefined) throw new Error('not desired');
    const [found] = compareIntegration(desired, live).diagnostics;
    expect(found?.code).toBe('wrong-value');
    expect(found?.facts).not.toHaveProperty('showsText', true);
  });
});
