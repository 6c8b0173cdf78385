import { expect, test } from 'vitest';
import { Variables } from '../../../src/core/pull/variables.ts';

test.each<[string | undefined, string, string, string]>([
  [undefined, 'virustotal', 'apiKey', 'SETPOINT_VIRUSTOTAL_API_KEY'],
  ['eu-1', 'jira', 'URLToken', 'SETPOINT_EU_1_JIRA_URL_TOKEN'],
  [undefined, 'vault', 'token', 'SETPOINT_VAULT_TOKEN'],
  [undefined, 'password', 'file', 'SETPOINT_OPTION_PASSWORD_FILE'],
  ['server', 'jira', 'token', 'SETPOINT_OPTION_SERVER_JIRA_TOKEN'],
])(
  'on the server %s, %s.%s is read from its own variable, never one of a login',
  (server, entry, key, name) => {
    const variables = new Variables(server, [`${name.toLowerCase()}_2`]);
    const names = [1, 2].map(() => variables.nameFor(entry, key));
    expect(names).toEqual([name, `${name}_3`]);
  },
);
