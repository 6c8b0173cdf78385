import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/core/model/desired.ts';
import {
  desiredOf,
  entries,
  file,
  matchedWith,
  merged,
  validConfig,
} from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { wantedContent } from '../../support/resolved.ts';

const live = [
  liveIntegration('virustotal_node_18_1', [liveOption('apiKey')], {
    name: 'VirusTotal',
    acronym: 'VT',
  }),
  liveIntegration('virustotal_eu_node_18_2', [liveOption('apiKey')], {
    name: 'VirusTotal EU',
    acronym: 'VT',
  }),
  liveIntegration('shodan_node_18_3', [liveOption('apiKey')], {
    name: 'Shodan',
    acronym: 'SHO',
  }),
];

describe('matching', () => {
  test('of several, each comes with a glob that means it alone and outlasts an upgrade', () => {
    const [both, ids] = [
      live.slice(0, 2),
      live.slice(0, 2).map(({ id }) => id),
    ];
    const of = (match: string) =>
      matchedWith(
        validConfig(entries(`s: { match: ${match}, autosubscribe: true }`)),
        both,
      );
    const [problem] = of('"*"').diagnostics;
    const candidates =
      problem?.code === 'several-matches' ? problem.facts.candidates : [];
    const matches = candidates.map(
      (each) => / \(match: (.*)\)$/.exec(each)?.[1] ?? '',
    );
    expect(matches.sort()).toEqual([
      'virustotal_eu_node_*',
      'virustotal_node_*',
    ]);
    const meant = matches.flatMap((match) =>
      of(match).integrations.map(({ id }) => id),
    );
    expect(meant.sort()).toEqual(ids.sort());
  });
  test('defaults stand back behind a specific entry, field by field, in any layer', () => {
    const defaults = entries(
      'all: { match: "*", expect: any, autosubscribe: false, options: { apiKey: { value: d, permission: lock-and-hide } } }',
    );
    const specific = entries(
      's: { match: shodan_*, options: { apiKey: { value: own } } }',
    );
    for (const layers of [
      [defaults, specific],
      [specific, defaults],
    ]) {
      const shodan = desiredOf(validConfig(...layers), live).find(
        ({ name }) => name === 's',
      );
      if (shodan === undefined) throw new Error('nothing is asked of it');
      const wanted = fieldsOf('s', shodan.settings).map(({ setting }) => {
        return { kind: setting.kind, want: wantedContent(setting) };
      });
      expect(wanted).toEqual([
        { kind: 'permission', want: 'lock-and-hide' },
        { kind: 'value', want: 'own' },
        { kind: 'autosubscribe', want: false },
      ]);
    }
  });
  test('two equal entries that set one field are an error that names both', () => {
    const yaml = ['shodan_*', 'sho*', '"*dan*"'].map(
      (match, index) => `e${index}: { match: ${match}, autosubscribe: true }`,
    );
    const { diagnostics } = matchedWith(
      validConfig(entries(yaml.join('\n'))),
      live,
    );
    expect(diagnostics).toMatchObject([
      {
        code: 'duplicate-field',
        place: { line: 4 },
        facts: { other: { line: 3 } },
      },
      {
        code: 'duplicate-field',
        place: { line: 5 },
        facts: { other: { line: 3 } },
      },
    ]);
  });
});

test('a null is idle if nothing is set when its layer comes, be it taken back before', () => {
  const set = entries('vt: { options: { k: x } }');
  const stopped = entries('vt: { options: null }');
  const again = entries('vt: { options: { k: null } }');
  const layers = [set, stopped, again].map((text, index) => [
    file(text, `layer${index}.yaml`),
  ]);
  const idle = merged(layers).diagnostics.map(({ code, place }) => {
    return { code, file: place?.file };
  });
  expect(idle).toEqual([{ code: 'idle-declaration', file: 'layer2.yaml' }]);
});
