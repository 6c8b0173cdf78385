import { expect, test } from 'vitest';
import { isOwnCredential, isPasswordFile } from '../../../src/core/model/own-credential.ts';

test.each([
  'SETPOINT_TOKEN',
  'SETPOINT_USERNAME',
  'SETPOINT_PASSWORD',
  'SETPOINT_PASSWORD_FILE',
  'SETPOINT_PRODUCTION_EU_TOKEN',
  'SETPOINT_PRODUCTION_PASSWORD_FILE',
  'setpoint_Token',
])('no reference reads %s', (name) => {
  expect(isOwnCredential(name)).toBe(true);
});

test.each([
  'SETPOINT_VT_API_KEY',
  'SETPOINT_TOKENS',
  'SETPOINT_VTTOKEN',
  'MY_SETPOINT_TOKEN',
  'SETPOINT_',
])('a reference may read %s', (name) => {
  expect(isOwnCredential(name)).toBe(false);
});

test('only the variables for files of passwords name one', () => {
  const names = [
    'SETPOINT_PASSWORD_FILE',
    'setpoint_a_password_file',
    'SETPOINT_PASSWORD',
    'X_PASSWORD_FILE',
  ];
  expect(names.map(isPasswordFile)).toEqual([true, true, false, false]);
  expect(isPasswordFile('SETPOINT_PASSWORD_FILE_TOKEN')).toBe(false);
});
