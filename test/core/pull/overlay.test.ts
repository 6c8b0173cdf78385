import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseConfig,
  referenceFindings,
} from '../../../src/core/config/config.ts';
import {
  framed,
  outsideReferences,
  type ReferenceTable,
  referenceTable,
  resolveConfig,
} from '../../../src/core/config/resolve.ts';
import { hasErrors } from '../../../src/core/findings/explain.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import { fieldsOf, type Setting } from '../../../src/core/model/desired.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import type { SourceFile } from '../../../src/core/model/place.ts';
import { reveal } from '../../../src/core/model/secret.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { fieldKey, optionOf } from '../../../src/core/model/subject.ts';
import { canonicalText, isEmpty } from '../../../src/core/model/value.ts';
import { compareIntegration } from '../../../src/core/plan/compare.ts';
import { brief, entries, file, validConfig } from '../../support/config.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import {
  type Layers,
  type PulledInto,
  pulledInto,
  type Turn,
} from '../../support/pull-input.ts';
import { KEYS, serverPair } from '../../support/server-pair.ts';
import { seeds } from '../../support/soak.ts';

const NO_FILES: ReferenceTable = new Map();

/** A pull into the last of some layers. */
function pulled(
  live: readonly LiveIntegration[],
  layers: Layers,
  turn: Turn,
  only?: string,
): PulledInto {
  configOf(layers);
  return pulledInto(live, layers, turn, { only });
}

function configOf(layers: Layers) {
  const { value, diagnostics } = parseConfig(layers);
  const relevant = diagnostics.filter(({ code }) => code !== 'nothing-managed');
  if (value === undefined || hasErrors(relevant))
    throw new Error(relevant.map(brief).join(', '));
  return value;
}

/** The files of a pull as a layer. */
function layerOf({ files }: PulledInto, folder: string): SourceFile[] {
  return files.map(({ name, text }) => ({
    path: `${folder}/${name}.yaml`,
    text,
  }));
}

/** What layers ask of a server, with the secrets that it shows. */
function desiredOf(
  layers: Layers,
  live: readonly LiveIntegration[],
  { shown }: PulledInto,
) {
  const config = configOf(layers);
  const env: Record<string, string> = {};
  for (const [name, text] of shown)
    env[name] = typeof text === 'string' ? 'K-by-hand' : framed(reveal(text));
  const wanted = outsideReferences(config);
  const table = referenceTable(wanted, env, () => true, []);
  const resolved = resolveConfig(config, table);
  const matched = matchEntries(resolved, live);
  const findings = [...matched.diagnostics, ...referenceFindings(resolved)];
  if (hasErrors(findings)) throw new Error(findings.map(brief).join(', '));
  return matched.integrations;
}

type Desired = ReturnType<typeof desiredOf>;

/** The fields that a plan would change, and its errors. */
function planOf(desired: Desired, live: readonly LiveIntegration[]): string[] {
  const found: string[] = [];
  for (const asked of desired) {
    const installed = live.find(({ id }) => id === asked.id);
    if (installed === undefined) continue;
    const { comparisons, diagnostics } = compareIntegration(asked, installed);
    found.push(...diagnostics.map(brief));
    for (const { state, subject } of comparisons)
      if (state === 'differs') found.push(`${asked.id} ${fieldKey(subject)}`);
  }
  return found;
}

/**
 * What is asked of each field, by its id, but for values that are empty and
 * what the server hides.
 */
function stateOf(
  desired: Desired,
  live: readonly LiveIntegration[],
): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const { id, settings } of desired)
    for (const { subject, setting } of fieldsOf(id, settings)) {
      const key = `${id} ${fieldKey(subject)}`;
      const held = optionIn(live, id, optionOf(subject));
      const text = textOf(setting, held);
      if (text !== undefined) state.set(key, text);
    }
  return new Map([...state].sort());
}

function optionIn(
  live: readonly LiveIntegration[],
  id: string,
  key = '',
): LiveOption | undefined {
  return live.find((each) => each.id === id)?.options.get(key);
}

function textOf(
  setting: Setting,
  held: LiveOption | undefined,
): string | undefined {
  if (setting.kind === 'permission' && held?.permission === 'unknown')
    return undefined;
  if (setting.kind !== 'value') return String(setting.want);
  const { want } = setting;
  if (want.kind === 'unread' || held?.value.kind === 'hidden') return undefined;
  const value = want.kind === 'literal' ? want.value : reveal(want.value);
  return isEmpty(value) ? undefined : canonicalText(value, held?.type);
}

/** The fields that a copy leaves out, by the ids of their integrations. */
function leftOutOf({ leftOut }: PulledInto, desired: Desired): string[] {
  const addresses = new Set(leftOut.map(({ address }) => address));
  const fields: string[] = [];
  for (const { id, name } of desired)
    for (const key of KEYS)
      if (addresses.has(`${name}.options.${key}.value`))
        fields.push(`${id} value ${key}`, `${id} permission ${key}`);
  return fields;
}

describe('of two random servers', () => {
  test('the base and the overlay mean what a full copy does, and leave nothing to plan or to pull', () => {
    const property = fc.property(serverPair, ({ first, second }) => {
      const base = pulled(first, [[]], 'alone');
      const shared = layerOf(base, 'integrations');
      const over = pulled(second, [shared, []], 'first');
      const overlay = layerOf(over, 'servers/second');
      const copy = pulled(second, [[]], 'alone');
      const ofFirst = desiredOf([shared], first, base);
      const ofSecond = desiredOf([shared, overlay], second, over);
      const ofCopy = desiredOf([layerOf(copy, 'second')], second, copy);
      expect(planOf(ofFirst, first)).toEqual([]);
      expect(planOf(ofSecond, second)).toEqual([]);
      const ofBoth = new Map(stateOf(ofSecond, second));
      // A copy leaves out what looks like a secret that YAML must not hold.
      const ofOne = stateOf(ofCopy, second);
      for (const field of leftOutOf(copy, ofCopy))
        if (!ofOne.has(field)) ofBoth.delete(field);
      expect(ofBoth).toEqual(ofOne);
      const again = pulled(second, [shared, overlay], 'later');
      expect(again.files).toEqual([]);
    });
    fc.assert(property, { numRuns: seeds(30, 2_000) });
  });
});

/** The names of entries that match nothing where one is expected. */
function unmatchedIn(
  layers: Layers,
  live: readonly LiveIntegration[],
): ReadonlySet<string> {
  const config = configOf(layers);
  const { diagnostics } = matchEntries(resolveConfig(config), live);
  const unmet = diagnostics.filter(({ code }) => code === 'no-match');
  const places = new Set(unmet.map(({ place }) => place));
  const unmatched = config.entries.filter(({ match, place }) =>
    places.has(match?.place ?? place),
  );
  return new Set(unmatched.map(({ name }) => name));
}

describe('a later pull of a random server', () => {
  test('mends the entries that match nothing, leaves all others, and adds nothing again', () => {
    const tally = { stopped: 0, unseen: 0 };
    const property = fc.property(
      serverPair,
      fc.nat(),
      ({ first, second }, draw) => {
        const shared = layerOf(pulled(first, [[]], 'alone'), 'integrations');
        // One entry of the base is newer than the overlay.
        const newer = shared[draw % shared.length];
        const older = shared.filter((each) => each !== newer);
        const over = pulled(second, [older, []], 'first');
        const overlay = layerOf(over, 'servers/second');
        // The server may have had the newer one first, under another name.
        fc.pre(!hasErrors(parseConfig([shared, overlay]).diagnostics));
        const before = unmatchedIn([shared, overlay], second);
        const later = pulled(second, [shared, overlay], 'later');
        const added = layerOf(later, 'servers/second').filter(
          ({ path }) => !overlay.some((each) => each.path === path),
        );
        const names = configOf([added]).entries.map(({ name }) => name);
        const base = new Set(
          configOf([shared]).entries.map(({ name }) => name),
        );
        for (const name of names)
          if (base.has(name)) expect(before).toContain(name);
        const now = [...overlay, ...added];
        const unseen = new Set(later.leftOut.map(({ address }) => address));
        for (const name of unmatchedIn([shared, now], second))
          expect(unseen).toContain(name);
        tally.stopped += later.notInstalled.length;
        tally.unseen += unmatchedIn([shared, now], second).size;
        const again = pulled(second, [shared, now], 'later');
        expect(again.files).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: seeds(60, 2_000), seed: 7 });
    expect(tally.stopped).toBeGreaterThan(0);
  });
});

describe('a later pull', () => {
  const names = ['a', 'b', 'c', 'd'];
  const shared = names.map(
    (name) => `${name}: { match: ${name}_*, autosubscribe: false }`,
  );
  const base = [file(entries(shared.join('\n')))];
  const live = (...ids: string[]) =>
    ids.map((name) => liveIntegration(`${name}_node_18_1`));
  const own = (yaml: string): SourceFile[] => [
    { path: 'own/x.yaml', text: entries(yaml) },
  ];
  const nulled = own('a: null');
  const later = (
    installed: readonly LiveIntegration[],
    layers: Layers = [base, nulled],
    only?: string,
  ) => pulled(installed, layers, 'later', only);
  test('takes back what is absent, once, and nothing else', () => {
    const { files, notInstalled } = later(live('b', 'c'));
    expect(files.map(({ name }) => name)).toEqual(['not-installed']);
    expect(files[0]?.text).toMatch(/ {2}d: null {2}# not installed here\n$/);
    expect(notInstalled).toEqual(['d']);
  });
  test('leaves entries that the own layers mention', () => {
    const texts = ['b', 'c', 'd'].map((name) => `${name}: { options: {} }`);
    const result = later(live('a'), [base, own(texts.join('\n'))]);
    expect([result.notInstalled, result.leftOut]).toEqual([[], []]);
  });
  test.each([
    ['b', []],
    ['d', ['d']],
  ])('with --only %s takes back %j', (only, expected) => {
    const { notInstalled } = later(live('b', 'c'), [base, nulled], only);
    expect(notInstalled).toEqual(expected);
  });
  test('takes back nothing if the account sees little, and names it all', () => {
    const { files, leftOut } = later(live('b'), [base, []]);
    expect(files).toEqual([]);
    expect(leftOut.map(({ address }) => address)).toEqual(['a', 'c', 'd']);
  });
  test('gives an entry a match of its own if the id has another form', () => {
    const others = [...live('a', 'b', 'c'), liveIntegration('d-x')];
    const yaml = 'd-x: { match: d_x_node_*, autosubscribe: true }';
    const more = [...base, file(entries(yaml), 'e.yaml')];
    const { files, notInstalled } = later(others, [more, nulled]);
    expect(notInstalled).toEqual(['d']);
    expect(files.map(({ name }) => name)).toEqual(['d-x', 'not-installed']);
    // In what else it differs is drift.
    expect(files[0]?.text).toMatch(/ {2}d-x:\n {4}match: d-x\n$/);
  });
  test('names the null of an integration that is installed by now', () => {
    const result = later(live(...names));
    expect([result.files, result.managed]).toEqual([[], 3]);
    const reason = 'null in own/x.yaml; remove that to manage it';
    expect(result.leftOut).toEqual([{ address: 'a', reason }]);
  });
});

describe('a later pull after an upgrade that adds a version to an id', () => {
  const yaml =
    'jira: { match: jira_node_*, autosubscribe: false }\nvt: { match: vt_node_*, autosubscribe: false }';
  const shared = [file(entries(yaml))];
  const own = (text: string): SourceFile[] => [
    { path: 'own/jira.yaml', text: entries(text) },
  ];
  const live = ['vt_node_18_1', 'jira_4_0_0_node_18_1'].map((id) =>
    liveIntegration(id),
  );
  const later = (layers: Layers, only?: string) =>
    pulled(live, layers, 'later', only);
  const MATCH = 'jira:\n    match: jira_[0-9]*_node_*';
  /** The entries that a pull writes, in short. */
  const textsIn = ({ files }: PulledInto) =>
    files.map(({ text }) => text.split('\n').slice(3).join('\n').trim());
  /** A pull that writes nothing, and says how to change the entry. */
  const expectOutdated = (result: PulledInto, match: string) => {
    const reason = `change its match, ${match}, to jira_[0-9]*_node_*`;
    const leftOut = [{ address: 'jira', reason }];
    expect(result).toMatchObject({ files: [], leftOut, managed: 1 });
  };
  test('says how to change the entry of the first server, of a copy, or an overlay that has a match', () => {
    const match = 'jira_node_*';
    expectOutdated(pulled(live, [shared], 'alone'), match);
    expectOutdated(pulled(live, [shared, own('vt: {}')], 'alone'), match);
    const versioned = 'jira_v[0-9]*_node_*';
    const overlay = own(`jira: { match: "${versioned}" }`);
    expectOutdated(later([shared, overlay]), versioned);
  });
  test.each([
    ['does not mention it', 'vt: { autosubscribe: true }'],
    ['has fields of it', 'jira: { autosubscribe: true }'],
  ])('adds a match to an overlay that %s, once', (_, text) => {
    const result = later([shared, own(text)]);
    expect(textsIn(result)).toEqual([MATCH]);
    expect(result).toMatchObject({ leftOut: [], managed: 1 });
    const now = [shared, [...own(text), ...layerOf(result, 'new')]];
    expect(unmatchedIn(now, live)).toEqual(new Set());
    expect(later(now).files).toEqual([]);
  });
  test.each([
    ['jira', 1],
    ['jira_4_*', 1],
    ['vt', 0],
  ])('says so with --only %s: %i', (only, expected) => {
    const result = pulled(live, [shared], 'alone', only);
    expect([result.leftOut.length, result.files]).toEqual([expected, []]);
  });
  test('adds no second entry if --only has the new id', () => {
    const result = later([shared, own('vt: {}')], 'jira_4_*');
    expect(textsIn(result)).toEqual([MATCH]);
  });
  test('leaves what a null is about', () => {
    const old = 'old: { match: "jira_[0-9]*_node_*", autosubscribe: false }';
    const stop = file(entries(old), 'old.yaml');
    const result = later([[...shared, stop], own('jira: {}\nold: null')]);
    expect(result.files).toEqual([]);
    expect(result.leftOut.map(({ address }) => address)).toEqual(['old']);
  });
});

describe('an overlay', () => {
  const text = (key: string, value: string) =>
    liveOption(key, { value: readable(value) });
  const password = (key: string, value: LiveSide) =>
    liveOption(key, { type: 'password', value });
  /** The entries that a server gets over some shared ones, in short. */
  const over = (
    live: readonly LiveIntegration[],
    yaml: string,
    table = NO_FILES,
  ) => {
    const layers = [[file(entries(yaml))], []];
    const result = pulledInto(live, layers, 'first', { table });
    const lines = result.files.flatMap((pulledFile) =>
      pulledFile.text.trimEnd().split('\n').slice(3),
    );
    return { ...result, lines: lines.map((line) => line.trim()) };
  };
  test('selects the most alike of several that an entry matches; others are its own', () => {
    const live = [
      liveIntegration('vt_node_18_1', [text('url', 'a'), text('mode', 'x')]),
      liveIntegration('vt_node_18_2', [text('url', 'b'), text('mode', 'x')]),
    ];
    const yaml = 'vt: { match: vt_node_*, options: { url: b, mode: x } }';
    const { lines, adopted, differing } = over(live, yaml);
    expect(lines.slice(0, 2)).toEqual(['vt-2:', 'match: vt_node_18_1']);
    expect(lines[lines.indexOf('vt:') + 1]).toBe('match: vt_node_18_2');
    expect([adopted, differing]).toEqual([1, ['vt']]);
  });
  test('selects an integration of the same name if its id has another form', () => {
    const live = [liveIntegration('vt_3_5_0_node_20_1', [text('url', 'a')])];
    const yaml =
      'vt: { match: vt_node_*, autosubscribe: false, options: { url: { value: a, permission: lock-and-hide } } }';
    expect(over(live, yaml).lines).toEqual(['vt:', 'match: vt_[0-9]*_node_*']);
  });
  test('means the integration whose id is the name of an entry', () => {
    const live = [liveIntegration('vt'), liveIntegration('vt_node_18_1')];
    const yaml = 'vt: { match: vt_node_*, autosubscribe: false }';
    expect(over(live, yaml).lines).toEqual([
      'vt-2:',
      'match: vt_node_*',
      'autosubscribe: false',
      'vt:',
      'match: vt',
    ]);
  });
  test('takes back what is absent, and leaves what is optional', () => {
    const yaml =
      'gone: { options: { url: a } }\nmaybe: { expect: optional, options: { url: a } }';
    const { lines, notInstalled } = over([], yaml);
    expect(lines).toEqual(['gone: null  # not installed here']);
    expect(notInstalled).toEqual(['gone']);
  });
  /** What an overlay says of the option `k` of `vt` that a shared entry declares. */
  const saysOf = (declared: string, held: LiveOption, table = NO_FILES) => {
    const value = `{ value: ${declared}, permission: lock-and-hide }`;
    const yaml = `vt: { autosubscribe: false, options: { k: ${value} } }`;
    const { lines } = over([liveIntegration('vt', [held])], yaml, table);
    return lines.slice(2);
  };
  const variable = '"${env:SETPOINT_K}"';
  test('says nothing of a secret that has a variable or is masked, and that one is not set', () => {
    const shown = password('k', readable('K-2'));
    expect(saysOf(variable, shown)).toEqual([]);
    expect(saysOf(variable, password('k', MASKED))).toEqual([]);
    // Of a part of a text, nobody knows what its variable holds.
    const leftover = password('k', readable('$(TL_KEY)'));
    expect(saysOf('"x ${env:SETPOINT_K}"', leftover)).toEqual([]);
    const unset = password('k', { kind: 'unset' });
    const remark = 'k: { value: null }  # not set here';
    expect(saysOf(variable, unset)).toEqual([remark]);
  });
  test('has a variable for a secret in place of a literal or a file that others share', () => {
    const own = ['k: ${env:SETPOINT_VT_K}'];
    const secret = password('k', readable('K-1'));
    expect(saysOf('plain', secret)).toEqual(own);
    expect(saysOf('"${file:key.pem}"', secret)).toEqual(own);
  });
  test('leaves a file that holds what is live', () => {
    const files = [['key.pem', { text: 'K-3' }]] as const;
    const table = referenceTable(new Map(), {}, () => true, files);
    const secret = password('k', readable('K-3'));
    expect(saysOf('"${file:key.pem}"', secret, table)).toEqual([]);
  });
  test('says of a value that it is of its users, of flags that they contradict, and what is absent', () => {
    const users = { ...text('k', 'x'), permission: 'user-provides' } as const;
    expect(saysOf('plain', users)).toEqual([
      "k: { value: null, permission: user-provides }  # each user's own here",
    ]);
    const flags = { ...text('k', 'plain'), permission: 'invalid' } as const;
    expect(saysOf('plain', flags)).toEqual([
      'k:',
      '# permission: the flags contradict each other',
      'permission: null',
    ]);
    expect(saysOf('plain', text('other', 'x'))).toEqual([
      'k: null  # absent here',
      'other: { value: x, permission: lock-and-hide }',
    ]);
  });
  test('compares a value with the fallback of a variable', () => {
    const fallback = '"${env:SETPOINT_K:-abc}"';
    const yaml = entries(`vt: { options: { k: ${fallback} } }`);
    const wanted = outsideReferences(validConfig(yaml));
    const table = referenceTable(wanted, {}, () => true, []);
    expect(saysOf(fallback, text('k', 'abc'), table)).toEqual([]);
    expect(saysOf(fallback, text('k', 'other'), table)).toEqual(['k: other']);
  });
  test('says so if two secrets that share a variable are not the same here', () => {
    const key = `{ value: ${variable}, permission: lock-and-hide }`;
    const yaml = `vt: { autosubscribe: false, options: { a: ${key}, b: ${key} } }`;
    const secrets = ['a', 'b'].map((name) => password(name, readable(name)));
    const { lines, leftOut } = over([liveIntegration('vt', secrets)], yaml);
    expect(lines).toEqual([]);
    expect(leftOut.map(({ address }) => address)).toEqual([
      'vt.options.a.value',
      'vt.options.b.value',
    ]);
  });
  test('is written of no integration that several entries select, which is told', () => {
    const yaml =
      'vt: { match: vt_*, options: { k: a } }\nmore: { match: vt_*, options: { l: a } }';
    const live = liveIntegration('vt_node_18_1', [text('k', 'b')]);
    const { lines, leftOut } = over([live], yaml);
    expect(lines).toEqual([]);
    expect(leftOut.map(({ address }) => address)).toEqual(['more', 'vt']);
  });
});
