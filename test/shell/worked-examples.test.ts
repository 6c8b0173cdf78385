import { describe, expect, test } from 'vitest';
import { allFindingHelp } from '../../src/core/findings/explained/help.ts';
import { useProgram } from '../support/program.ts';
import { SITUATIONS } from '../support/situations.ts';
import { worked } from '../support/worked-example.ts';

const all = allFindingHelp();
const proven = all.filter(({ unproven }) => unproven === undefined);

describe('the examples of a finding', () => {
  const program = useProgram();
  test.each(proven)('$code', async ({ code, wrong, right }) => {
    expect((await worked(wrong, program)).codes).toContain(code);
    // Nothing else is wrong with the right one either.
    expect(await worked(right, program)).toEqual({ code: 0, codes: [] });
  });
  test('cannot be run for two codes', () => {
    const unproven = all.filter((help) => !proven.includes(help));
    expect(unproven.map(({ code }) => code)).toEqual(['document-missing', 'unexpected']);
  });
  test('tell every situation that comes about', () => {
    const told = proven.flatMap(({ wrong, right }) => [wrong.situation, right.situation]);
    expect(new Set(told.filter((each) => each !== undefined))).toEqual(new Set(Object.keys(SITUATIONS)));
  });
});
