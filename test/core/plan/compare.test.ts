import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
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

/** The codes of what was found; nothing was compared. */
function codesOf({ comparisons, diagnostics }: Compared): string[] {
  expect(comparisons).toEqual([]);
  return diagnostics.map(({ code }) => code);
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
  const hidden = '${env:SETPOINT_KEY:-(secret)}';
  const fallback = '"${env:SETPOINT_KEY:-Pr0d-77xQ}"';
  test.each([
    {
      name: 'what is around it',
      written: '"pre-${env:SETPOINT_KEY}-post"',
      option: secret,
      reference: `(secret)${REFERENCE}(secret)`,
    },
    {
      name: 'what is around it, though it begins with a certificate',
      written:
        '"-----BEGIN CERTIFICATE-----AAAA-----BEGIN PRIVATE KEY-----${env:SETPOINT_KEY}"',
      option: secret,
      reference: `(secret)${REFERENCE}`,
    },
    {
      name: 'of an unseen text',
      written: '"${env:SETPOINT_KEY:-winter}"',
      option: { value: MASKED },
      reference: hidden,
    },
    {
      name: 'of a text that is marked as no secret',
      written: `{ value: ${fallback}, sensitive: false }`,
      option: { value: MASKED },
      reference: '${env:SETPOINT_KEY:-Pr0d-77xQ}',
    },
  ])('$name', ({ written, option, reference }) => {
    const live = liveOption('o', option);
    expect(only(comparedOption(written, live)).reference).toBe(reference);
  });
  test('the marks of a list are none', () => {
    const option = liveOption('o', {
      type: 'select',
      multiple: true,
      value: UNSET,
      choices: [
        { value: 'c', display: 'c' },
        { value: 'n3wkey-of-vt', display: 'n' },
      ],
    });
    const written = '["${env:SETPOINT_KEY}", "${env:SETPOINT_KEY:-n3wkey}", c]';
    expect(only(comparedOption(written, option)).reference).toBe(
      '${env:SETPOINT_KEY}, ${env:SETPOINT_KEY:-(secret)}',
    );
  });
});

describe('a fallback is an error', () => {
  const written = '"${env:SETPOINT_KEY:-winter}"';
  test.each([
    { name: 'in a password', asked: written, type: 'password' },
    {
      name: 'in a password that is marked as no secret',
      asked: `{ value: ${written}, sensitive: false }`,
      type: 'password',
    },
    {
      name: 'in a text that is marked',
      asked: `{ value: ${written}, sensitive: true }`,
      type: 'text',
    },
  ])('$name', ({ asked, type }) => {
    const found = comparedOption(asked, liveOption('o', { type }));
    expect(codesOf(found)).toEqual(['secret-fallback']);
    expect(found.diagnostics).toMatchObject([
      { facts: { address: 'vt.options.o.value', isCertain: true } },
    ]);
  });
  test('but not in a text', () => {
    expect(comparedOption(written, liveOption('o')).diagnostics).toEqual([]);
  });
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
  test.each([
    {
      name: 'a secret whose type is not served, and that is a mask',
      value: readable('a****z'),
      reason: 'masked',
    },
    {
      name: 'an empty secret that is hidden',
      value: { kind: 'hidden', reason: 'empty' } as const,
      reason: 'empty',
    },
  ])('$name', ({ value, reason }) => {
    const option = untyped(liveOption('apiKey', { value }));
    expect(only(comparedOption(`"${REFERENCE}"`, option))).toMatchObject({
      subject: { kind: 'value', integration: 'vt', option: 'apiKey' },
      state: 'hidden',
      before: { kind: 'hidden', reason },
      setting: { place: at(28) },
    });
  });

  test('the permission of an option that is only listed', () => {
    const live = liveIntegration('vt', [], { optionKeys: new Set(['o']) });
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    expect(only(compared(yaml, live))).toMatchObject({
      state: 'hidden',
      before: ABSENT,
    });
  });
  test('also if nothing is wanted: nobody knows whether there is something', () => {
    const option = liveOption('key', { type: 'password', value: MASKED });
    expect(only(comparedOption('""', option)).state).toBe('hidden');
  });
  test('and its desired side is never shown: nobody knows whether it is a secret', () => {
    const option = liveOption('o', { value: MASKED });
    const { after, isSecret } = only(comparedOption('x', option));
    expect([after.kind, isSecret]).toEqual(['secret', false]);
  });
});

describe('a reference that was not read', () => {
  const found = (value: LiveSide) => {
    const option = liveOption('o', { value });
    return only(comparedOption('"${env:SETPOINT_X}"', option, NO_REFERENCES));
  };
  const unread = { kind: 'unread', written: '${env:SETPOINT_X}' };
  test.each([
    { name: 'is not compared', value: readable('x'), state: 'unread' },
    { name: 'nor is a mask', value: MASKED, state: 'hidden' },
    { name: 'but differs from nothing', value: UNSET, state: 'differs' },
  ])('$name', ({ value, state }) => {
    expect(found(value)).toMatchObject({ state, after: unread });
  });
  test('hides what is live, even if it is marked as no secret', () => {
    expect(found(readable('x')).before.kind).toBe('secret');
    const written = '{ value: "${env:SETPOINT_X}", sensitive: false }';
    const option = liveOption('o', { value: readable('x') });
    const marked = only(comparedOption(written, option, NO_REFERENCES));
    expect(marked).toMatchObject({
      before: { kind: 'secret' },
      isSecret: false,
    });
  });
});

describe('an option is a secret', () => {
  const CREDENTIAL = 'https://me:hunter22@a';
  test.each([
    {
      name: 'if the desired side holds the first one',
      written: CREDENTIAL,
      value: UNSET,
      isSecret: true,
    },
    {
      name: 'if the live side holds one',
      written: 'https://a',
      value: readable('https://me:hunter22@b'),
      isSecret: true,
    },
    {
      name: 'if a snapshot leaves it out',
      written: 'https://a',
      value: SNAPSHOT,
      isSecret: true,
    },
    {
      name: 'unless a snapshot leaves it out and it is marked as none',
      written: '{ value: https://a, sensitive: false }',
      value: SNAPSHOT,
      isSecret: false,
    },
    {
      name: 'unless the server does not send it',
      written: 'https://a',
      value: ABSENT,
      isSecret: false,
    },
  ])('$name', ({ written, value, isSecret }) => {
    const found = only(comparedOption(written, liveOption('url', { value })));
    const isHidden = isSecret || value.kind === 'hidden';
    expect(found.isSecret).toBe(isSecret);
    expect(found.after.kind).toBe(isHidden ? 'secret' : 'shown');
    if (value.kind === 'shown') {
      expect(found.before.kind).toBe(isSecret ? 'secret' : 'shown');
    }
  });
  test.each([
    { name: 'by its live value', value: CREDENTIAL, asked: '' },
    {
      name: 'by its declared value',
      value: 'x',
      asked: `, value: ${CREDENTIAL}`,
    },
    { name: 'by its reference', value: 'x', asked: `, value: "${REFERENCE}"` },
  ])('which its permission knows $name', ({ value, asked }) => {
    const option = liveOption('url', { value: readable(value) });
    const written = `{ permission: lock-and-show${asked} }`;
    const [permission] = comparedOption(written, option).comparisons;
    expect(permission).toMatchObject({
      subject: { kind: 'permission' },
      isSecret: true,
    });
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
  test.each([
    { name: 'a choice', written: 'fsat', option: select, isShown: true },
    {
      name: 'not if its type is unknown',
      written: 'fsat',
      option: untyped(select),
    },
    {
      name: 'not from outside',
      written: `"${REFERENCE}"`,
      option: select,
    },
    {
      name: 'not from outside, even if it is no secret',
      written: `{ value: "${REFERENCE}", sensitive: false }`,
      option: select,
    },
    {
      name: 'not a credential',
      written: 'AKIAIOSFODNN7EXAMPLE',
      option: select,
    },
    {
      name: 'not if it is marked',
      written: '{ value: fsat, sensitive: true }',
      option: select,
    },
  ])('$name', ({ written, option, isShown }) => {
    const { diagnostics } = comparedOption(written, option);
    expect(
      diagnostics.map(({ code, facts }) => [code, facts.showsText]),
    ).toEqual([['wrong-value', isShown]]);
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
