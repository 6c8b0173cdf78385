import { expect, test } from 'vitest';
import { pullEntries } from '../../../src/core/pull/pull.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

test.each([
  ['', 'virustotal', 'apiKey', 'SETPOINT_VIRUSTOTAL_API_KEY'],
  ['eu-1', 'jira', 'URLToken', 'SETPOINT_EU_1_JIRA_URL_TOKEN'],
  ['', 'vault', 'token', 'SETPOINT_VAULT_TOKEN'],
  ['', 'password', 'file', 'SETPOINT_OPTION_PASSWORD_FILE'],
  ['server', 'jira', 'token', 'SETPOINT_OPTION_SERVER_JIRA_TOKEN'],
])(
  'on the server %j, %s.%s is read from its own variable, never one of a login',
  (server, id, key, name) => {
    // The second key differs in nothing that a variable can have.
    const options = [key, `${key}_`].map((each) =>
      liveOption(each, { type: 'password', value: readable('x7Gq2-hunter') }),
    );
    const live = [liveIntegration(id, options)];
    const { needed } = pullEntries({
      live,
      existing: { values: new Map(), entries: [] },
      taken: [],
      server,
      schema: 'schema.json',
    });
    expect(needed.map(({ variable }) => variable)).toEqual([name, `${name}_2`]);
  },
);
