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

test('defaults stand back behind a specific entry, field by field, in any layer', () => {
  const defaults = entries(
    'all: { match: "*", expect: any, autosubscribe: false, options: { apiKey: { value: d, permission: lock-and-hide } } }',
  );
  const specific = entries(
    's: { match: shodan_*, options: { apiKey: { value: own } } }',
  );
  const live = ['virustotal_node_18_1', 'shodan_node_18_3'].map((id) =>
    liveIntegration(id, [liveOption('apiKey')]),
  );
  for (const layers of [
    [defaults, specific],
    [specific, defaults],
  ]) {
    const desired = desiredOf(validConfig(...layers), live);
    const shodan = desired.find(({ name }) => name === 's');
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
  const config = validConfig(entries(yaml.join('\n')));
  const live = [liveIntegration('shodan_node_18_3')];
  const clash = { code: 'duplicate-field', facts: { other: { line: 3 } } };
  expect(matchedWith(config, live).diagnostics).toMatchObject([
    { ...clash, place: { line: 4 } },
    { ...clash, place: { line: 5 } },
  ]);
});

describe('a null is idle', () => {
  const setsK = entries('vt: { options: { k: x } }');
  const setsBoth = entries(
    'vt: { options: { k: { value: x, permission: lock-and-hide } } }',
  );
  const subscribes = entries('vt: { autosubscribe: true }');
  const selects = entries('vt: { match: vt_*, expect: any }');
  const stopsEntry = entries('vt: null');
  const stopsOptions = entries('vt: { options: null }');
  const stopsK = entries('vt: { options: { k: null } }');
  const stopsValue = entries('vt: { options: { k: { value: null } } }');
  const stopsPermission = entries(
    'vt: { options: { k: { permission: null } } }',
  );
  const stopsFlag = entries('vt: { autosubscribe: null }');

  /** Each idle null by its address and its layer. */
  function idleNulls(texts: readonly string[]): string[] {
    const layers = texts.map((text, index) => [file(text, `layer${index}`)]);
    const idle: string[] = [];
    for (const { code, facts, place } of merged(layers).diagnostics) {
      expect([code, Reflect.get(facts, 'of')]).toEqual([
        'idle-declaration',
        'null',
      ]);
      idle.push(`${Reflect.get(facts, 'name')} ${place?.file}`);
    }
    return idle;
  }

  const options = [setsBoth, stopsValue, stopsPermission];
  const defaults = (asked: string) =>
    entries(`all: { match: "*", expect: any, ${asked} }`);
  test('over what nothing sets, or only selects', () => {
    expect(idleNulls([selects, stopsEntry])).toEqual(['vt layer1']);
    expect(idleNulls([subscribes, stopsOptions])).toEqual([
      'vt.options layer1',
    ]);
    expect(idleNulls([setsK, stopsFlag])).toEqual(['vt.autosubscribe layer1']);
    const ofOptions = defaults('options: { k: x }');
    const permission = ['vt.options.k.permission layer1'];
    expect(idleNulls([ofOptions, stopsPermission])).toEqual(permission);
  });
  test('behind one in place of its entry, its option or its fields', () => {
    const flag = ['vt.autosubscribe layer2'];
    expect(idleNulls([subscribes, stopsEntry, stopsFlag])).toEqual(flag);
    expect(idleNulls([setsK, stopsK, stopsK])).toEqual(['vt.options.k layer2']);
    expect(idleNulls([...options, stopsK])).toEqual(['vt.options.k layer3']);
  });

  test.each<[string, string[]]>([
    ['over a flag', [subscribes, stopsFlag]],
    ['over an entry with a flag alone', [subscribes, stopsEntry]],
    ['over a field', [setsK, stopsValue]],
    ['over an option', [setsK, stopsK]],
    ['behind one for another field', options],
    [
      'over a flag, behind one in place of all options',
      [setsK, subscribes, stopsOptions, stopsFlag],
    ],
    ['over a field that is set again', [setsK, stopsK, setsK, stopsK]],
    ['over the flag of defaults', [defaults('autosubscribe: true'), stopsFlag]],
  ])('but not %s', (_, layers) => {
    expect(idleNulls(layers)).toEqual([]);
  });
});

describe('files of one layer clash', () => {
  /** Where later files of one layer clash with the first. */
  const clashes = (...texts: readonly string[]) => {
    const files = texts.map((text, index) => file(entries(text), `${index}`));
    const found: string[] = [];
    for (const { code, facts, place } of merged([files]).diagnostics) {
      if (code !== 'duplicate-field') continue;
      expect(facts.other.file).toBe('0');
      const { file: name, line, column } = place ?? {};
      found.push(`${facts.address} in ${name} at ${line}:${column}`);
    }
    return found;
  };
  const setsK = (yaml: string) => `vt: { options: { k: ${yaml} } }`;
  test('if both set one field, or one stops what the other sets a part of', () => {
    const both = 'vt: { options: { b: 1, k: 2 } }';
    const field = ['vt.options.k.value in 1 at 3:29'];
    expect(clashes(setsK('1'), both)).toEqual(field);
    expect(clashes(setsK('1'), 'vt: null')).toEqual(['vt in 1 at 3:7']);
  });
  test('not if they are about options whose keys begin alike', () => {
    const stops = 'vt: { options: { keyvalue: null } }';
    expect(clashes(stops, 'vt: { options: { key: 1 } }')).toEqual([]);
  });
  test('with the first, also if they are three', () => {
    expect(clashes(setsK('1'), setsK('2'), setsK('3'))).toEqual([
      'vt.options.k.value in 1 at 3:23',
      'vt.options.k.value in 2 at 3:23',
    ]);
    const permission = '{ permission: lock-and-hide }';
    const stopped = clashes(setsK('1'), setsK(permission), setsK('null'));
    expect(stopped).toEqual(['vt.options.k in 2 at 3:23']);
  });
});

test('a named value of two files of a layer clashes, that of one does not', () => {
  const values = (text: string) => `version: 1\nvalues: { ${text} }\n`;
  const files = ['a: 1', 'b: 1, a: 2'].map((text, index) =>
    file(values(text), `${index}`),
  );
  expect(merged([files]).diagnostics).toMatchObject([
    {
      code: 'duplicate-field',
      facts: { address: 'values.a', other: { file: '0' } },
      place: { file: '1', column: 20 },
    },
  ]);
});

describe('an overlay without an entry below it', () => {
  const below = entries(
    'vt: { match: vt_*, autosubscribe: false, options: { a: 1, b: 1 } }\ndx: { match: dx_*, options: { d: 1 } }',
  );
  const renamed = (...overlays: readonly string[]) => {
    const layers = [below, ...overlays.map(entries)];
    const { diagnostics } = merged(
      layers.map((text, index) => [file(text, `${index}`)]),
    );
    return diagnostics.flatMap(({ code, facts, place }) =>
      code === 'no-match' ? [`${place?.file}: ${facts.renamed}`] : [],
    );
  };
  test.each([
    ['otx: { options: { a: 2 } }', 'vt'],
    ['otx: { autosubscribe: true }', 'vt'],
    ['otx: { match: vt_2_* }', 'dx,vt'],
  ])('names what may have been renamed: %s, from %s', (overlay, names) => {
    expect(renamed(overlay)).toEqual([`1: ${names}`]);
  });
  test.each([
    ['it has a field that no other has', ['otx: { options: { a: 2, c: 2 } }']],
    [
      'the other has no flag',
      ['otx: { autosubscribe: true, options: { d: 2 } }'],
    ],
    ['it selects by itself', ['otx: { match: otx_*, options: { a: 2 } }']],
    ['it is of defaults', ['otx: { expect: any, options: { a: 2 } }']],
    ['its name is an id', ['otx_node_18_1: { options: { a: 2 } }']],
    ['the other is refined', ['otx: { options: { a: 2 } }\nvt: null']],
    [
      'the other is refined later',
      ['otx: { options: { a: 2 } }', 'vt: { options: { b: 2 } }'],
    ],
  ])('but not if %s', (_, overlays) => {
    expect(renamed(...overlays)).toEqual([]);
  });
});
