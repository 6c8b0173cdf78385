import { describe, expect, test } from 'vitest';
import { parseProject } from '../../../src/core/config/project.ts';
import { diffServers } from '../../../src/core/diff/server-diff.ts';

/** A project with servers, each as `name@host` or `name@host#label`. */
const project = (text: string, rest = '') => {
  const lines = text.split(' ').map((each) => {
    const [name, host, tier] = each.split(/[@#]/);
    const labels = tier === undefined ? '' : `, labels: { tier: ${tier} }`;
    return `  ${name}: { url: "https://${host}.example", config: [a.yaml]${labels} }\n`;
  });
  const { value } = parseProject({
    path: 'setpoint.yaml',
    text: `version: 1\nservers:\n${lines.join('')}${rest}`,
  });
  if (value === undefined) throw new Error('no project');
  return { ...value, trusted: value.servers.map((server) => ({ server })) };
};

/** Each difference: how, of what, and whether it is weaker. */
const fields = (before: string, after: string, { meant = '', rest = '' } = {}) => {
  const { trusted, waivers } = project(after, rest);
  const isMeant = ({ name }: { readonly name: string }) => meant === '' || name === meant;
  return diffServers(project(before).trusted, trusted, { isMeant, waivers }).flatMap((entry) =>
    entry.fields.map(({ address, change, isWeaker }) => `${change} ${address}${isWeaker ? ' weaker' : ''}`),
  );
};

const WAS = 'production@p staging@s';
const PRODUCTION = 'changed servers.production.url weaker';
const STAGING = 'changed servers.staging.url weaker';

describe('where credentials go', () => {
  test.each([
    ['is another address where two names are swapped', 'production@s staging@p', [PRODUCTION, STAGING]],
    [
      'is another address where one name takes the server of another',
      'production@s',
      [PRODUCTION, 'released servers.staging weaker'],
    ],
    [
      'is another address for a name that reads the same variables',
      'PRODUCTION@s stage@p',
      [
        'changed servers.PRODUCTION',
        PRODUCTION.replace('production', 'PRODUCTION'),
        'added servers.stage weaker',
        'released servers.staging weaker',
      ],
    ],
    ['is the same for a new name at an address', 'production@p test@s', ['changed servers.test']],
    [
      'is a new server for a name that takes over an address',
      'staging@p test@s',
      ['released servers.production weaker', STAGING, 'added servers.test weaker'],
    ],
  ])('%s', (_, after, expected) => {
    expect(fields(WAS, after)).toEqual(expected);
  });
  test('is told of the servers that are meant', () => {
    expect(fields(WAS, 'production@s staging@p', { meant: 'production' })).toEqual([PRODUCTION]);
    expect(fields(WAS, 'production@p test@s', { meant: 'staging' })).toEqual(['changed servers.test']);
  });
});

describe('the labels of a server', () => {
  const LABELS = 'changed servers.production.labels';
  const rest = 'waivers: [{ address: a.options.b, server: tier=s, until: 2026-12-31, reason: slow }]\n';
  test.each([
    ['production@p#p', [LABELS]],
    ['production@p', ['released servers.production.labels']],
    ['production@p#x', []],
  ])('are told: %s', (after, expected) => {
    expect(fields('production@p#x', after)).toEqual(expected);
  });
  test.each([
    ['production@p#p staging@s#s', 'production@p#s staging@s#s', [`${LABELS} weaker`]],
    ['production@p#s staging@s#s', 'production@p#p staging@s#s', [LABELS]],
    ['production@p staging@s#s', 'production@p#s staging@s#s', ['added servers.production.labels weaker']],
  ])('are weaker where a waiver covers more: %s -> %s', (before, after, expected) => {
    expect(fields(before, after, { rest })).toEqual(expected);
  });
});
