import { expect, test } from 'vitest';
import { uniquely, variableName } from '../../../src/core/pull/names.ts';

test.each<[string, string, string, string]>([
  ['', 'virustotal', 'apiKey', 'SETPOINT_VIRUSTOTAL_API_KEY'],
  ['eu-1', 'jira', 'URLToken', 'SETPOINT_EU_1_JIRA_URL_TOKEN'],
  ['', 'vault', 'token', 'SETPOINT_VAULT_TOKEN'],
  ['', 'password', 'file', 'SETPOINT_OPTION_PASSWORD_FILE'],
  ['server', 'jira', 'token', 'SETPOINT_OPTION_SERVER_JIRA_TOKEN'],
])('on the server %j, %s.%s is read from its own variable, never one of a login', (...words) => {
  const name = words.pop() ?? '';
  const free = uniquely([`${name.toLowerCase()}_2`], '_');
  expect([free(variableName(words)), free(variableName(words))]).toEqual([name, `${name}_3`]);
});
