import { expect, test } from 'vitest';
import {
  isOwnCredential,
  ownCredentials,
} from '../../../src/core/model/own-credential.ts';

test.each([
  'SETPOINT_TOKEN',
  'setpoint_token',
  'SETPOINT_USERNAME',
  'SETPOINT_PASSWORD',
  'SETPOINT_PASSWORD_FILE',
  'SETPOINT_SERVER_EU_TOKEN',
  'SETPOINT_SERVER_EU_ANYTHING',
])('%s is reserved for the login', (name) => {
  expect(isOwnCredential(name)).toBe(true);
});

test.each([
  'SETPOINT_VT_API_KEY',
  'SETPOINT_VENDOR_TOKEN',
  'SETPOINT_VENDOR_PASSWORD',
  'SETPOINT_SERVERS',
  'TOKEN',
])('%s is a name for a secret of an integration', (name) => {
  expect(isOwnCredential(name)).toBe(false);
});

test('tokens and passwords are secrets; a password that equals its user name is none', () => {
  const env = {
    SETPOINT_TOKEN: 'a-token',
    SETPOINT_SERVER_EU_PASSWORD: 'a-password',
    SETPOINT_USERNAME: 'admin',
    SETPOINT_PASSWORD: 'admin',
    SETPOINT_VENDOR_TOKEN: 'not ours',
  };
  expect(ownCredentials(env)).toEqual(['a-token', 'a-password']);
});
