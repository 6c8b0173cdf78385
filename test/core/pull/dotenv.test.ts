import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hide, reveal } from '../../../src/core/model/secret.ts';
import { differing, dotenvText, settingsOf, unset } from '../../../src/core/pull/dotenv.ts';
import { loaded } from '../../support/pulled.ts';
import { tempFolder } from '../../support/temp.ts';

const dotenv = (texts: readonly string[]) =>
  reveal(dotenvText(texts.map((text, index) => ({ variable: `SETPOINT_A${index}`, text: hide(text) }))));

const HARD = fc.string({ minLength: 1, unit: fc.constantFrom(...'aZ0 \t\n\'"\\$`!#=;&|<>(){}[]*?~%^é😀\r') });

test('a shell loads each text as it is', async () => {
  const texts = fc.sample(HARD, { numRuns: 400, seed: 1 });
  const path = join(await tempFolder(), 's.env');
  await writeFile(path, dotenv(texts));
  expect(Object.values(loaded(path))).toHaveLength(texts.length);
  const env = loaded(path);
  expect(texts.map((_, index) => env[`SETPOINT_A${index}`])).toEqual(texts);
});

describe('other readers', () => {
  test.each([
    ['plain-Key_1/x=='],
    ["it's"],
    ['a "b" $c `d` \\e'],
    ['two\nlines'],
    ['# no comment'],
    [' padded '],
  ])('take %j', (text) => {
    expect(parseEnv(dotenv([text]))).toEqual({ SETPOINT_A0: text });
  });
});

describe('the settings of a file', () => {
  const settings = (text: string) =>
    Object.fromEntries([...settingsOf(hide(text))].map(([name, value]) => [name, reveal(value)]));
  test('are found however they are written', () => {
    expect(settings(`# A=it's\nB=1\n export C = 2\nD\nE="x\ny"\nF='a'"b\\"c"\\ d # e\n`)).toEqual({
      B: '1',
      C: '2',
      E: 'x\ny',
      F: 'ab"c d',
    });
  });
  test('have none inside of quotes', () => {
    expect(settings(`KEY='first\nOTHER=1\nlast'\nB="x\n C=2\n"\n`)).toEqual({
      KEY: 'first\nOTHER=1\nlast',
      B: 'x\n C=2\n',
    });
  });
  test('are the texts that were written', () => {
    fc.assert(
      fc.property(HARD, (text) => {
        expect(settings(`${dotenv([text])}B=1\n`)).toEqual({ SETPOINT_A0: text, B: '1' });
      }),
      { numRuns: 300, seed: 1 },
    );
  });
  test('lack a variable or its text, or differ from other texts', () => {
    const set = settingsOf(hide("A='x y'\nB=1\nD=1\nD=\nE=''\n"));
    const variables = [
      { variable: 'A', text: hide('x y') },
      { variable: 'B', text: hide('2') },
      { variable: 'C', text: hide('3') },
      { variable: 'D', text: hide('4') },
      { variable: 'E', text: hide('5') },
    ];
    expect(differing(set, variables)).toEqual(['B']);
    expect(unset(set, variables).map(({ variable }) => variable)).toEqual(['C', 'D', 'E']);
  });
});
