import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import type { LiveIntegration, LiveOption } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { type AdoptionWish, adopt } from '../../../src/core/pull/adoption.ts';
import { scrubber } from '../../../src/core/scrub/scrubber.ts';
import { entries, file } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const NODE = '_node_18_1725278818';

function adopted(
  live: readonly LiveIntegration[],
  { yaml, secrets = [], ...wish }: Partial<AdoptionWish> & { yaml?: string; secrets?: string[] } = {},
) {
  const existing = yaml === undefined ? [] : (parseConfig([[file(entries(yaml))]]).value ?? []);
  return adopt({ live, server: 'main', existing, hasComments: false, scrubber: scrubber(secrets), ...wish });
}

/** The lines of the only option of the only integration, without their common indentation. */
function written(option: LiveOption, wish: Parameters<typeof adopted>[1] = {}): string[] {
  const [entry] = adopted([liveIntegration(`x${NODE}`, [option])], wish).entries;
  const lines = entry?.lines ?? [];
  const at = lines.findIndex((line) => /^ {4}(# )?options:$/.test(line));
  return lines.slice(at < 0 ? 3 : at + 1).map((line) => line.replace(/^ {6}/, ''));
}

describe('a value', () => {
  const hidden = (text: string) => liveOption('k', { type: 'password', value: readable(text) });
  test.each<[string, LiveOption, string[]]>([
    [
      'that is locked',
      liveOption('k', { value: readable('a') }),
      ['k: { value: a, permission: lock-and-hide }'],
    ],
    [
      'that is a list',
      liveOption('k', { multiple: true, value: readable('a, b'), permission: 'lock-and-show' }),
      ['k: { value: "a, b", permission: lock-and-show }'],
    ],
    [
      'of several lines',
      liveOption('k', { value: readable('a\nb') }),
      ['k:', '  value: |-', '    a', '    b', '  permission: lock-and-hide'],
    ],
    [
      'too long for a line',
      liveOption('k', { value: readable('word '.repeat(12).trim()) }),
      ['k:', `  value: ${'word '.repeat(12).trim()}`, '  permission: lock-and-hide'],
    ],
    ['without known flags', liveOption('k', { value: readable('a'), permission: 'unknown' }), ['k: a']],
    [
      'of each user',
      liveOption('k', { value: readable('a'), permission: 'user-provides' }),
      ['k: { permission: user-provides }'],
    ],
    ['that was never set', liveOption('k', { value: { kind: 'empty' }, permission: 'unknown' }), []],
    [
      'stored as text',
      liveOption('k', { type: 'number', value: readable('5'), permission: 'unknown' }),
      ['k: 5'],
    ],
    ...(
      [
        [1e-7, 'k: 1e-7'],
        [-1.5e-9, 'k: -1.5e-9'],
        [1e21, '# k: too large for a number in YAML'],
        [2 ** 60, 'k: "1152921504606847000"'],
        ['1e-7', 'k: 1e-7'],
        ['1e21', '# k: the option does not take what it holds'],
      ] as const
    ).map(([value, line]): [string, LiveOption, string[]] => [
      `that is a number: ${JSON.stringify(value)}`,
      liveOption('k', { type: 'number', value: readable(value), permission: 'unknown' }),
      [line],
    ]),
    [
      'that YAML takes for a number',
      liveOption('k', { value: readable('0123'), permission: 'unknown' }),
      ['k: "0123"'],
    ],
    [
      'that looks like a reference',
      liveOption('k', { value: readable('${env:HOME}'), permission: 'unknown' }),
      ['k: $${env:HOME}'],
    ],
    [
      'with an invisible character',
      liveOption('k', { value: readable('a\u200bb'), permission: 'unknown' }),
      ['k: ${env:SETPOINT_X_K}'],
    ],
    [
      'that is a placeholder',
      liveOption('k', { value: readable('changeme'), permission: 'unknown' }),
      ['k: ${env:SETPOINT_X_K}'],
    ],
    [
      'that no variable can hold',
      liveOption('k', { value: readable('a\0'), permission: 'unknown' }),
      ['# k: a text contains invisible characters'],
    ],
    [
      'in an unknown form',
      liveOption('k', { value: { kind: 'unreadable', reason: 'form' }, permission: 'unknown' }),
      ['# k: held in a form that YAML cannot have'],
    ],
    [
      'that is no choice',
      liveOption('k', {
        type: 'select',
        choices: [{ value: 'a', display: 'A' }],
        value: readable({ value: 'b', display: 'B' }),
        permission: 'unknown',
      }),
      ['# k: the option does not take what it holds'],
    ],
    ['of a password', hidden('s3cr3t'), ['k: { value: "${env:SETPOINT_X_K}", permission: lock-and-hide }']],
    [
      'of a password that is empty',
      { ...hidden(''), value: { kind: 'empty' } },
      ['k: { permission: lock-and-hide }'],
    ],
    [
      'of a masked password',
      { ...hidden(''), value: { kind: 'unreadable', reason: 'masked' } },
      ['k: { value: "${env:SETPOINT_X_K}", permission: lock-and-hide }'],
    ],
    [
      'of a password that reads as empty',
      { ...hidden(''), value: { kind: 'unreadable', reason: 'empty' } },
      [
        'k:',
        '  # value: ${env:SETPOINT_X_K}  # reads as empty (not set, or not shown)',
        '  permission: lock-and-hide',
      ],
    ],
    [
      'of a password that users see',
      { ...hidden('s3cr3t'), permission: 'lock-and-show' },
      ['k:', '  value: ${env:SETPOINT_X_K}', '  # permission: shows a secret to all users'],
    ],
    [
      'with flags that contradict each other',
      liveOption('k', { value: readable('a'), permission: 'invalid' }),
      ['k:', '  value: a', '  # permission: flags contradict each other'],
    ],
  ])('%s', (_, option, lines) => {
    expect(written(option)).toEqual(lines);
  });
  test('that contains a known secret, or looks like one, is a reference', () => {
    const reference = ['k: ${env:SETPOINT_X_K}'];
    const text = (value: string) => liveOption('k', { value: readable(value), permission: 'unknown' });
    expect(written(text('use s3cr3t-key here'), { secrets: ['s3cr3t-key'] })).toEqual(reference);
    expect(written(text('AKIAIOSFODNN7EXAMPLE'))).toEqual(reference);
    expect(written({ ...text('kD93kfKs02kd'), key: 'userToken' })).toEqual([
      'userToken: ${env:SETPOINT_X_USER_TOKEN_VALUE}',
    ]);
  });
  test('has a comment of the words that there are', () => {
    const about = (title: string, description: string) =>
      written(liveOption('k', { value: readable('a'), permission: 'unknown', title, description }), {
        hasComments: true,
      });
    expect(about('', ' \n')).toEqual(['k: a']);
    expect(about('\u200b', 'What it is')).toEqual(['# What it is', 'k: a']);
    expect(about('K', 'What it is')).toEqual(['# K: What it is', 'k: a']);
  });
  test('at its default is left out where the default is known', () => {
    const option = liveOption('k', { value: readable('a'), initial: 'a' });
    const catalog = [liveIntegration('x_node_18_0000000000', [option])];
    expect(written(option, { catalog })).toEqual([]);
    expect(written({ ...option, value: readable('b') }, { catalog })).toEqual(['k: b']);
    expect(written({ ...option, permission: 'lock-and-show' }, { catalog })).toEqual([
      'k: { permission: lock-and-show }',
    ]);
  });
  test.each(['k', 'a: b', '#c', 'x\ny'])(
    'that a person may add is valid without the # before it: %j',
    (key) => {
      const live = { ...liveOption(key, { type: 'password' }), permission: 'unknown' } as const;
      const option: LiveOption = { ...live, value: { kind: 'unreadable', reason: 'empty' } };
      const [entry] = adopted([liveIntegration(`x${NODE}`, [option])]).entries;
      const text = entry?.lines.join('\n').replaceAll(/^( +)# /gm, '$1') ?? '';
      const { value, diagnostics } = parseConfig([[file(`version: 1\nintegrations:\n${text}\n`)]]);
      expect([diagnostics, value?.[0]?.options.get(key)?.value]).toMatchObject([
        [],
        { value: { kind: 'text' } },
      ]);
    },
  );
  test('of an option whose key shows a secret is left out, and so is its key', () => {
    const live = [liveIntegration(`x${NODE}`, [liveOption('k-s3cr3t-99'), liveOption('l')])];
    const [entry] = adopted(live, { secrets: ['s3cr3t-99'] }).entries;
    expect(entry?.leftOut).toEqual([{ address: 'x.options.k-[secret]', reason: 'its key shows a secret' }]);
    expect(entry?.lines.join('\n')).not.toContain('s3cr3t');
  });
  test('of an option whose key is a reference is left out, and said to be', () => {
    const option = liveOption('k', { permission: 'user-provides' });
    expect(written({ ...option, key: '${env:HOME}' })).toEqual([
      '# ${env:HOME}: its key would be read as a reference',
    ]);
    expect(written({ ...option, key: 'a${b' })).toEqual(['"a${b": { permission: user-provides }']);
  });
  test('of an option whose id another integration has too is left out', () => {
    const live = [
      liveIntegration('a-b', [liveOption('c', { value: readable('x') })]),
      liveIntegration('a', [liveOption('b-c', { value: readable('x') })]),
    ];
    const { entries: made } = adopted(live);
    expect(made.flatMap(({ leftOut }) => leftOut.map(({ address }) => address))).toEqual([
      'a.options.b-c',
      'a-b.options.c',
    ]);
  });
});

describe('a match', () => {
  const matches = (...ids: readonly string[]) =>
    adopted(ids.map((id) => liveIntegration(id))).entries.map(({ lines }) => lines[1]?.trim());
  test('is a glob that outlasts an upgrade, where that means one', () => {
    expect(matches(`jira${NODE}`, `misp_3_5_0${NODE}`)).toEqual(['match: jira_*', 'match: misp_*']);
    expect(matches(`jira${NODE}`, `jira_sir${NODE}`)).toEqual(['match: jira_node_*', 'match: jira_sir_*']);
  });
  test('is the id where a glob means several', () => {
    expect(matches('jira_node_18_1', 'jira_node_18_2')).toEqual([
      'match: jira_node_18_1',
      'match: jira_node_18_2',
    ]);
  });
  test('that cannot be found leaves the integration out', () => {
    const [entry] = adopted([liveIntegration('a*'), liveIntegration('ab')]).entries;
    expect([entry?.lines, entry?.leftOut]).toEqual([
      [],
      [{ address: 'a*', reason: 'no match tells it from the other integrations' }],
    ]);
  });
});

describe('an integration is left out by its id', () => {
  const leftOut = (id: string, secrets: string[] = []) =>
    adopted([liveIntegration(id), liveIntegration(`jira${NODE}`)], { secrets }).entries.map((entry) => [
      entry.lines.length > 0,
      entry.leftOut,
    ]);
  test.each(['', '.', '..', 'a/b', '../x', 'a\\b'])('that no path can hold: %j', (address) => {
    const reason = 'its id cannot be a part of a path';
    expect(leftOut(address)).toContainEqual([false, [{ address, reason }]]);
    expect(leftOut(address)).toContainEqual([true, []]);
  });
  test('that shows a secret', () => {
    const reason = 'its id shows a secret';
    const told = [false, [{ address: 'x-[secret]', reason }]];
    expect(leftOut('x-s3cr3t-99', ['s3cr3t-99'])).toContainEqual(told);
  });
});

describe('a name', () => {
  const names = (live: readonly LiveIntegration[], yaml?: string) =>
    adopted(live, yaml === undefined ? {} : { yaml }).entries.map(({ name }) => name);
  test.each<[string, Partial<LiveIntegration>, string]>([
    [`Cisco_Umbrella${NODE}`, {}, 'cisco-umbrella'],
    [`virustotal_v3_1_0_2${NODE}`, {}, 'virustotal'],
    [`0123456789abcdef01${NODE}`, { name: 'Big Thing', acronym: 'BT' }, 'big-thing'],
    [`${'very_'.repeat(12)}long${NODE}`, { name: 'Ünïcode, Inc.', acronym: 'U' }, 'unicode-inc'],
    [`東京${NODE}`, { name: '東京', acronym: 'TK' }, 'tk'],
    [`東京${NODE}`, { name: '東京', acronym: '京' }, 'integration'],
    [`setpoint${NODE}`, { name: 'setpoint', acronym: 'SP' }, 'setpoint-2'],
    // Windows takes these for devices.
    [`con${NODE}`, { name: 'CON', acronym: 'C' }, 'con-2'],
    ['NUL', { name: 'Null device', acronym: 'N' }, 'null-device'],
    [`lpt1${NODE}`, { name: 'lpt1', acronym: 'L' }, 'lpt1-2'],
    [`com${NODE}`, { name: 'com', acronym: 'C' }, 'com'],
  ])('of %s', (id, changes, name) => {
    expect(names([liveIntegration(id, [], changes)])).toEqual([name]);
  });
  test('tells copies apart by their names, else by numbers', () => {
    const copy = (number: number, name: string) =>
      liveIntegration(`jira_node_18_${number}`, [], { name, acronym: 'J' });
    expect(names([copy(2, 'Jira EU'), copy(1, 'Jira'), copy(3, 'Jira'), copy(4, 'Jira')])).toEqual([
      'jira',
      'jira-2',
      'jira-3',
      'jira-eu',
    ]);
  });
  test('is no name or id that is there', () => {
    const live = [liveIntegration(`jira${NODE}`), liveIntegration('misp_node_18_2'), liveIntegration('misp')];
    expect(names(live, 'jira: { match: misp, autosubscribe: true }')).toEqual(['jira-2', 'misp-2']);
  });
  test('is no id that differs by case alone', () => {
    const named = (...ids: readonly string[]) =>
      adopted(ids.map((id) => liveIntegration(id))).entries.map(({ name, lines }) => [
        name,
        lines[1]?.trim(),
      ]);
    expect(named('CAFE', 'cafe')).toEqual([
      ['cafe', 'match: cafe'],
      ['cafe-2', 'match: CAFE'],
    ]);
    expect(named('CAFE', 'Cafe', '0')).toEqual([
      ['cafe', 'match: Cafe'],
      ['cafe-2', 'match: CAFE'],
      ['integration', 'match: "0"'],
    ]);
  });
  test('of an entry that is there is no id of what is pulled', () => {
    const [entry] = adopted([liveIntegration('jira'), liveIntegration('misp')], {
      yaml: 'jira: { match: misp, autosubscribe: true }',
    }).entries;
    expect([entry?.lines, entry?.leftOut]).toEqual([
      [],
      [{ address: 'jira', reason: 'another entry has its id as a name' }],
    ]);
  });
  test.each(['true', 'null', '1e5', '0x1f', 'yes', 'no'])(
    'that YAML reads as no text is quoted: %s',
    (id) => {
      const [entry] = adopted([liveIntegration(`${id}${NODE}`, [liveOption('k')])]).entries;
      expect([entry?.lines[0], entry?.leftOut]).toEqual([`  "${id}":`, []]);
    },
  );
  test('shows no secret', () => {
    const [entry] = adopted([liveIntegration(`k1${NODE}`, [], { name: 'Is s3cr3t-99' })], {
      secrets: ['s3cr3t-99'],
    }).entries;
    expect(entry?.name).toBe('k1');
  });
});

describe('what is there already', () => {
  const live = [liveIntegration(`jira${NODE}`), liveIntegration(`misp${NODE}`)];
  const of = (yaml: string, only?: string) => {
    const { entries: made, managed, diagnostics } = adopted(live, { yaml, only });
    return [made.map(({ name }) => name), managed, diagnostics.map(({ code }) => code)];
  };
  test('stays; defaults select none', () => {
    expect(of('j: { match: jira_*, autosubscribe: true }')).toEqual([['misp'], 1, []]);
    expect(of('all: { match: "*", expect: any, autosubscribe: true }')).toEqual([['jira', 'misp'], 0, []]);
  });
  test('is told where it selects several, which are neither new nor managed', () => {
    const yaml = 'j: { match: "*", options: { k: "${env:SETPOINT_K}" } }';
    expect(of(yaml)).toEqual([[], 0, ['several-matches']]);
    for (const only of ['j', `jira${NODE}`]) expect(of(yaml, only)).toEqual([[], 0, ['several-matches']]);
    expect(of(yaml, 'x')).toEqual([[], 0, []]);
  });
  test('is listed where it is no longer installed, unless it is optional or manages nothing', () => {
    const yaml = [
      'gone: { match: gone_*, autosubscribe: true }',
      'may: { match: may_*, expect: optional, autosubscribe: true }',
    ].join('\n');
    expect(adopted(live, { yaml }).notInstalled).toEqual(['gone']);
    expect(adopted(live, { yaml, only: 'j*' }).notInstalled).toEqual([]);
  });
  test('has variables that nothing else gets', () => {
    const option = liveOption('apiKey', { type: 'password', value: readable('s3cr3t') });
    const [entry] = adopted([liveIntegration(`jira${NODE}`, [option])], {
      yaml: 'x: { match: x_*, options: { k: "${env:SETPOINT_JIRA_API_KEY}" } }',
    }).entries;
    expect(entry?.needed).toEqual([
      { variable: 'SETPOINT_JIRA_API_KEY_VALUE', address: 'jira.options.apiKey.value', text: hide('s3cr3t') },
    ]);
  });
});

describe('a variable that other YAML reads', () => {
  const option = liveOption('apiKey', { type: 'password', value: readable('s3cr3t') });
  const variable = (variables: readonly string[], yaml?: string) =>
    adopted([liveIntegration(`jira${NODE}`, [option])], {
      variables,
      ...(yaml === undefined ? {} : { yaml }),
    }).entries[0]?.needed[0]?.variable;
  test('is another one, with the name of the server', () => {
    expect(variable(['SETPOINT_JIRA_API_KEY'])).toBe('SETPOINT_MAIN_JIRA_API_KEY');
    expect(variable(['setpoint_jira_api_key'])).toBe('SETPOINT_MAIN_JIRA_API_KEY');
    expect(variable(['SETPOINT_JIRA_API_KEY', 'SETPOINT_MAIN_JIRA_API_KEY'])).toBe(
      'SETPOINT_MAIN_JIRA_API_KEY_VALUE',
    );
    expect(variable(['SETPOINT_OTHER_API_KEY'])).toBe('SETPOINT_JIRA_API_KEY');
  });
});

test('the order in which a server lists integrations makes no difference', () => {
  const live = ['b', 'a', 'jira', 'jira_sir'].map((base) =>
    liveIntegration(`${base}${NODE}`, [liveOption('token', { type: 'password', value: readable('s3cr3t') })]),
  );
  expect(adopted([...live].reverse())).toEqual(adopted(live));
});
