import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsOf } from '../../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { shownSide } from '../../../src/core/model/side.ts';
import { addressOf, type Subject } from '../../../src/core/model/subject.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import {
  type AcceptingServer,
  accepting,
  planOf,
  type Texts,
} from '../../support/accepting.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { seeds } from '../../support/soak.ts';

/** Draws one of some items. */
type Pick = <T>(...items: readonly T[]) => T;

const CHOICES = ['ip', 'url', 'domain', 'hash'].map((value) => ({
  value,
  display: value.toUpperCase(),
}));

const PERMISSIONS = ['lock-and-hide', 'lock-and-show', 'user-provides'];

/** Values of options in the forms of YAML, and as servers hold them. */
const OPTIONS: Readonly<
  Record<
    string,
    { readonly type: string; readonly live: (draw: number) => OptionValue }
  >
> = {
  url: { type: 'text', live: (draw) => `w${draw}` },
  note: {
    type: 'text',
    live: (draw) => (draw % 2 ? `n${draw}\nm${draw}` : `n${draw}, "m"`),
  },
  limit: { type: 'number', live: (draw) => draw },
  flag: { type: 'boolean', live: (draw) => draw % 2 === 0 },
  mode: { type: 'select', live: (draw) => CHOICES[draw % 4] ?? '' },
  types: {
    type: 'multi',
    live: (draw) => CHOICES.filter((_, index) => (draw >> index) % 2),
  },
};

const KEYS = Object.keys(OPTIONS);

const number = (pick: Pick): number =>
  pick(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

/** The value of an option as YAML behind its key, in one line or more. */
function written(key: string, pick: Pick, indent: string): string {
  const draw = number(pick);
  switch (key) {
    case 'url':
      return pick(`w${draw}`, `"w${draw}"`, '${value:shared}', `'w${draw}'`);
    case 'note':
      return pick(`n${draw}`, `|-\n${indent}  n${draw}\n${indent}  m${draw}`);
    case 'mode':
      return pick('ip', 'url', '{ value: own, display: Own }');
    case 'types':
      return pick('[ip, url]', '[]', `\n${indent}- ip\n${indent}- domain`);
    case 'flag':
      return pick('true', 'false');
    default:
      return String(draw);
  }
}

function optionText(key: string, pick: Pick, indent: string): string {
  const comment = pick('', '', ' # why', '   # as agreed');
  const permission = pick(...PERMISSIONS);
  const simple = key === 'url' || key === 'limit' || key === 'flag';
  const value = written(key, pick, simple ? indent : `${indent}  `);
  const end = value.includes('\n') ? '' : comment;
  switch (pick('short', 'flow', 'block', 'permission', 'absent')) {
    case 'absent':
      return '';
    case 'permission':
      return `${indent}${key}: { permission: ${permission} }${comment}\n`;
    case 'flow':
      if (!value.includes('\n') && !value.includes('${'))
        return `${indent}${key}: { value: ${value}, permission: ${permission} }${comment}\n`;
      break;
    case 'block':
      return `${indent}${key}:\n${indent}  # ${key}\n${indent}  value: ${value}${end}\n${indent}  permission: ${permission}\n`;
  }
  return `${indent}${key}: ${value}${end}\n`;
}

function entryText(name: string, head: string, pick: Pick): string {
  const options = KEYS.map((key) => optionText(key, pick, '      ')).join('');
  const flag = pick('', '    autosubscribe: true\n');
  const body =
    options === '' ? '' : `    options:${pick('', ' # c')}\n${options}`;
  if (head + flag + body === '') return '';
  return `  ${name}:${pick('', ' # an entry')}\n${head}${flag}${body}${pick('', '    # the end\n')}`;
}

const START = 'version: 1\nvalues:\n  shared: w99\n';

function baseText(pick: Pick): string {
  const defaults = pick(
    '',
    '  all: { match: "*", expect: any, options: { common: w1, url: w2 } } # all\n',
  );
  const ofVt = entryText('vt', '    match: vt_*\n', pick);
  const ofJira = entryText('jira', '    match: { id: jira_* }\n', pick);
  return `${START}integrations:\n${ofVt}${ofJira}${defaults}  keep: { match: vt_*, options: { kept: "\${value:shared}" } }\n`;
}

/** What a file of its own says of an entry, in block or in flow form. */
function ownText(pick: Pick): string {
  const flow = pick(
    '{ options: { limit: 3 } }',
    '{ options: { limit: 3, flag: { permission: lock-and-show } } } # here',
    '{ autosubscribe: true }',
  );
  const inBlocks = entryText('vt', '', pick);
  const body = pick('', `  vt: ${flow}\n`, inBlocks);
  const after = pick('', '# the end of the file\n');
  if (body === '') return `version: 1\nintegrations: {}\n${after}`;
  return `version: 1\nintegrations:\n${body}${after}`;
}

interface Scene {
  readonly servers: AcceptingServer[];
  readonly texts: Texts;
}

function sceneOf(pick: Pick): Scene {
  const texts: Record<string, string> = { 'base/a.yaml': baseText(pick) };
  const servers = ['one', 'two', 'three'].map((name): AcceptingServer => {
    const folder = `servers/${name}/`;
    switch (pick('none', 'file', 'folder')) {
      case 'file': {
        const path = `${name}.yaml`;
        texts[path] = ownText(pick);
        return { name, layers: [['base/a.yaml'], [path]], own: path };
      }
      case 'folder': {
        const path = `${folder}${pick('vt', 'other')}.yaml`;
        texts[path] = ownText(pick);
        return { name, layers: [['base/a.yaml'], [path]], own: folder };
      }
    }
    return { name, layers: [['base/a.yaml'], []], own: folder };
  });
  const isCrlf = pick(false, true);
  for (const [path, text] of Object.entries(texts))
    if (isCrlf) texts[path] = text.replaceAll('\n', '\r\n');
  return { texts, servers };
}

function installed(): LiveIntegration[] {
  return ['vt_node_18_1', 'jira_node_18_2'].map((id) => {
    const options = KEYS.map((key) =>
      liveOption(key, {
        type: OPTIONS[key]?.type.replace('multi', 'select') ?? '',
        multiple: key === 'types',
        choices: key === 'mode' || key === 'types' ? CHOICES : [],
      }),
    );
    const more = ['common', 'kept'].map((key) => liveOption(key));
    return liveIntegration(id, [...options, ...more]);
  });
}

/** A server with other fields. */
function holding(
  server: AcceptingServer,
  fields: readonly (readonly [Subject, OptionValue])[],
): AcceptingServer {
  const live = (server.live ?? []).map((integration) => {
    const options = new Map(integration.options);
    let { autosubscribe } = integration;
    for (const [subject, value] of fields) {
      const start = subject.integration.replace('keep', 'vt');
      if (!integration.id.startsWith(start)) continue;
      if (subject.kind === 'autosubscribe') autosubscribe = value === true;
      else {
        const held = options.get(subject.option);
        if (held === undefined) continue;
        const field =
          subject.kind === 'value'
            ? { value: shownSide(value) }
            : { permission: value as typeof held.permission };
        options.set(subject.option, { ...held, ...field });
      }
    }
    return { ...integration, options, autosubscribe };
  });
  return { ...server, live };
}

/** What is to be changed on a server, without places. */
function changesOn(server: AcceptingServer, texts: Texts) {
  const changes = planOf(server, texts).integrations.flatMap(
    ({ changes: all }) => all.map(({ comparison }) => comparison),
  );
  return changes.map(({ subject, after }) => ({
    address: addressOf(subject),
    subject,
    after,
  }));
}

/** A server that is as its files say. */
function settled(server: AcceptingServer, texts: Texts): AcceptingServer {
  const empty = { ...server, live: installed() };
  const fields = changesOn(empty, texts).flatMap(({ subject, after }) =>
    after.kind === 'shown' ? [[subject, after.value] as const] : [],
  );
  return holding(empty, fields);
}

function drifting(
  server: AcceptingServer,
  texts: Texts,
  pick: Pick,
): AcceptingServer {
  const { integrations } = planOf({ ...server, live: installed() }, texts);
  const managed = integrations.flatMap(({ name, settings }) =>
    fieldsOf(name, settings).map(({ subject }) => subject),
  );
  const fields = managed
    .filter(() => pick(true, false, false))
    .map((subject): readonly [Subject, OptionValue] => {
      const draw = 16 + number(pick);
      if (subject.kind === 'autosubscribe') return [subject, pick(true, false)];
      if (subject.kind === 'permission') return [subject, pick(...PERMISSIONS)];
      return [subject, OPTIONS[subject.option]?.live(draw) ?? `x${draw}`];
    });
  return holding(server, fields);
}

/** The words of an old text that a new one has less often. */
function lostOf(before: string, after: string): string[] {
  const lost: string[] = [];
  const rest = [...wordsIn(after)];
  for (const word of wordsIn(before)) {
    const at = rest.indexOf(word);
    if (at < 0) lost.push(word);
    else rest.splice(at, 1);
  }
  return lost;
}

function wordsIn(text: string): string[] {
  return text.match(/[a-z]\w*/gi) ?? [];
}

function commentsIn(text: string): string[] {
  return text.match(/ *#.*/g) ?? [];
}

let accepted = 0;
let left = 0;

function check(pick: Pick): void {
  const { texts, servers } = sceneOf(pick);
  const held = servers.map((server) => settled(server, texts));
  const [first, ...others] = held;
  if (first === undefined) throw new Error('no server');
  const drifted = drifting(first, texts, pick);
  const drift = changesOn(drifted, texts);
  // Nothing is known of what is not selected.
  const unread = others.map(({ live: _, ...server }) => server);
  const result = accepting([drifted, ...unread], texts);
  const moved = result.files.flatMap(({ fields }) => fields);
  const now = [drifted, ...others].map((server) => {
    const { own = '', layers } = server;
    const made = result.files.flatMap(({ path, before }) =>
      before === undefined && path.startsWith(own) ? [path] : [],
    );
    const last = [...(layers.at(-1) ?? []), ...made];
    return { ...server, layers: [...layers.slice(0, -1), last] };
  });
  const [after, ...rest] = now;
  if (after === undefined) throw new Error('no server');
  const facts = JSON.stringify({ texts, after: result.texts }, undefined, 1);
  // What was accepted is settled, and nothing else.
  const isMoved = new Set(moved.map(({ address }) => address));
  const open = drift
    .map(({ address }) => address)
    .filter((each) => !isMoved.has(each));
  expect(
    changesOn(after, result.texts).map(({ address }) => address),
    facts,
  ).toEqual(open);
  const skipped = result.diagnostics.flatMap(({ code, facts: about }) =>
    code === 'not-accepted' ? about.addresses : [],
  );
  expect(skipped.sort(), facts).toEqual(open.sort());
  // Nobody else notices.
  for (const server of rest)
    expect(changesOn(server, result.texts), facts).toEqual([]);
  // All else stands.
  const values = moved.map(({ desired }) => JSON.stringify(desired)).join(' ');
  for (const { before = '', after: text } of result.files) {
    expect(commentsIn(text), facts).toEqual(commentsIn(before));
    for (const word of lostOf(before, text))
      expect([word, values.includes(word)], facts).toEqual([word, true]);
  }
  // Where each stands is told.
  for (const { path, fields, after: text } of result.files)
    for (const { place, address } of fields) {
      expect([path, address]).toEqual([place.file, address]);
      const line = text.split(/\r?\n/)[place.line - 1] ?? '';
      expect(line.length, facts).toBeGreaterThanOrEqual(place.column);
    }
  accepted += moved.length;
  left += open.length;
}

test('drift of one server is taken back into its own layer, other servers do not notice, and every other byte stands', () => {
  const property = fc.property(fc.gen(), (draw) => {
    check((...items) => draw(fc.constantFrom, ...items));
  });
  fc.assert(property, { numRuns: seeds(60, 2_000) });
  expect(accepted).toBeGreaterThan(left);
});
