import { expect, test } from 'vitest';
import { PARSERS, thrownBy } from '../support/parsers.ts';
import { seeds } from '../support/soak.ts';

const INPUTS = seeds(30, 1_000);
const SEED = Number(process.env['SETPOINT_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

test.each(Object.keys(PARSERS))(`${INPUTS} hostile inputs throw nothing: %s (seed ${SEED})`, (name) => {
  expect(thrownBy(name, INPUTS, SEED)).toEqual([]);
});
