import { describe, expect, test } from 'vitest';
import { PLAIN } from '../../../src/core/report/paint.ts';
import { renderShown } from '../../../src/core/report/text/show.ts';
import type { KnownServer } from '../../../src/core/show/known.ts';
import { show } from '../../../src/core/show/show.ts';
import { knownServer } from '../../support/known-server.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const HEAD = 'version: 1\nintegrations:\n';

const VIEW = { paint: PLAIN, width: 80, full: false };

function text(servers: readonly KnownServer[], ...words: readonly string[]): string {
  return renderShown(show(servers, { words, uses: [] }).value, VIEW);
}

describe('of servers that were not asked', () => {
  const desk = { 'one.yaml': `${HEAD}  desk: { match: desk_*, autosubscribe: true }\n` };
  const one = knownServer([desk], { name: 'one' });
  const two = knownServer([], { name: 'two', installed: [liveIntegration('vt_1')] });

  test('what the one that was asked has not is shown from the others, and told', () => {
    const shown = text([one, two], 'desk');
    expect(shown).toContain('on one');
    expect(shown).toContain('Nothing on two is called desk: no entry, and nothing installed.');
    expect(shown).toContain('one was not asked: --server or --url shows what is live.');
    expect(shown).not.toContain('No server was asked');
  });
  test('only those are told that are shown', () => {
    expect(text([one, two], 'vt_1')).not.toContain('asked');
    expect(text([one, two], 'vt_1.autosubscribe')).toContain('one was not asked');
    expect(text([one], 'desk')).toContain('No server was asked');
  });
  test('nothing is said to be missing on them', () => {
    expect(text([one, two], 'vt_1.autosubscribe')).toContain(
      '  one: no entry means it; what is installed there is not known\n',
    );
  });
});

describe('side by side', () => {
  const server = (name: string, live: string, yaml = 'x') =>
    knownServer([{ 'a.yaml': `${HEAD}  vt: { match: vt_*, options: { k: ${yaml} } }\n` }], {
      name,
      installed: [liveIntegration('vt_1', [liveOption('k', { value: readable(live) })])],
    });

  test.each([
    ['declared the same as on one; live otherwise than on one', [server('one', 'x'), server('two', 'y')]],
    [
      'declared otherwise than on one; live the same as on one',
      [server('one', 'x'), server('two', 'x', 'y')],
    ],
  ])('%s', (words, servers) => {
    expect(text(servers, 'vt.options.k')).toContain(`  two: ${words}\n`);
  });
});

test('options of which none is managed have no marks to explain', () => {
  const server = knownServer([], { installed: [liveIntegration('vt_1', [liveOption('k')])] });
  expect(text([server], 'vt_1')).toContain('1 option: none is managed.');
});

describe('at 80 columns', () => {
  const folder = 'configurations/of-all-customers/in-the-region-of-central-europe';
  const base = `version: 1
values: { key: "\${env:SETPOINT_A_VERY_LONG_NAME_OF_A_VARIABLE_OF_THREAT_LOOKUP_CENTRAL_EUROPE}", host: api.example }
integrations:
  other: { match: other_*, options: { words: &words "one two three four five six seven eight nine ten" } }
  vt: { match: vt_*, options: { apiKey: "\${value:key}", url: "https://\${value:host}/v3", words: *words } }
`;
  const overlay = `version: 1
values: { host: api.eu.example }
integrations: { vt: { options: { words: "eleven twelve thirteen fourteen fifteen sixteen" } } }
`;
  const layers = [{ [`${folder}/base.yaml`]: base }, { [`${folder}/overlay.yaml`]: overlay }];
  const words = ['vt.options.apiKey', 'vt.options.url', 'vt.options.words'];
  const { value } = show([knownServer(layers)], { words, uses: ['host', 'key'] });
  const lines = renderShown(value, VIEW).split('\n');

  test('lines with long paths are wrapped between words', () => {
    const long = lines.filter((line) => line.length > 80);
    // A path, a name or an address alone is longer than there is room.
    expect(long.filter((line) => !/^ +(> )?\S+$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
  });
  test('no path and no word is broken or lost', () => {
    const whole = lines.map((line) => line.trim()).join(' ');
    const place = `${folder}/base.yaml`;
    for (const text of [
      `> ${place}:5:41 \${env:SETPOINT_A`,
      `value key ${place}:2:16`,
      `value host ${folder}/overlay.yaml:2:17 over ${place}:2:`,
      `alias ${place}:5:`,
      `of what is written at ${place}:4:`,
      'variable SETPOINT_A_VERY_LONG_NAME_OF_A_VARIABLE_OF_THREAT_LOOKUP_CENTRAL_EUROPE is missing',
    ])
      expect(whole).toContain(text);
  });
  test('a long title has lines of its own, and a long description ends with a whole word', () => {
    const id = 'of_some_integration_with_a_long_name_1';
    const name = 'Of Some Integration With a Long Name';
    const description = 'word '.repeat(60);
    const server = knownServer([], {
      installed: [liveIntegration(id, [], { name, acronym: 'OSI', description })],
    });
    const shown = text([server], id);
    expect(shown).toContain(`${id}\n  ${name}  (OSI)\n`);
    expect(shown).toMatch(/^ {2}(word )+word …$/m);
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('a null is told as such', () => {
    const stop = { 'stop.yaml': `${HEAD}  vt: { options: { url: null } }\n` };
    expect(text([knownServer([...layers, stop])], 'vt.options.url')).toContain(
      '  > stop.yaml:3:25  null: not managed from here on\n',
    );
  });
});
