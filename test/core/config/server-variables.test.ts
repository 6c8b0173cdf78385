import { expect, test } from 'vitest';
import { mistypedVariables } from '../../../src/core/config/server-variables.ts';

const SERVERS = ['production', 'eu-west', 'staging'];

const variable = (word: string, kind = 'TOKEN') =>
  `SETPOINT_SERVER_${word}_${kind}`;

/** What was likely meant, by server. */
function meant(variables: readonly string[], servers = SERVERS) {
  const found = mistypedVariables(servers, SERVERS, variables);
  return Object.fromEntries(
    [...found].map(([server, each]) => [server, [each.variable, each.meant]]),
  );
}

test.each<[string, string]>([
  ['PRODUCTON', 'TOKEN'],
  ['PRODUCTION1', 'USERNAME'],
  ['PRODUCTION_', 'PASSWORD_FILE'],
  ['PORDUCTION', 'PASSWORD'],
])('a variable for %s is meant for production', (word, kind) => {
  expect(meant([variable(word, kind)])).toEqual({
    production: [variable(word, kind), variable('PRODUCTION', kind)],
  });
});

test.each<[string, string[]]>([
  ['is named after a server', [variable('PRODUCTION'), variable('EU_WEST')]],
  [
    'is like a server with variables of its own',
    [variable('PRODUCTION'), variable('PRODUCTON')],
  ],
  ['is like no server', [variable('EU_EAST_2')]],
  ['has more before it', [`MY_${variable('PRODUCTON')}`]],
  ['is no credential', [variable('PRODUCTON', 'URL'), 'SETPOINT_TOKEN']],
])('no variable that %s', (_, variables) => {
  expect(meant(variables)).toEqual({});
});

test('a variable of a server that the run does not select is known', () => {
  const project = ['eu1', 'eu2'];
  const variables = [variable('EU2')];
  expect(mistypedVariables(['eu1'], project, variables).size).toBe(0);
  expect(mistypedVariables(['eu1'], ['eu1'], variables).size).toBe(1);
});
