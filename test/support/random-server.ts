import fc from 'fast-check';
import { hardSecret } from './secret-forms.ts';
import type { Seeded } from './seeded.ts';

/** Texts that a careless writer of YAML, dotenv or configuration gets wrong. */
const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '  padded  ', 'no', 'null', '~', '0123', '1e5', '1.10', '12345678901234567890', '-', '?'],
  ...['a: b', 'a #b', '# x', '- a', '[x', '{y', '|', '>', '@x', '%y', '!tag', '&a', '*a', '"', "'", '\\'],
  ...['${env:HOME}', '$${x}', '${', '$${env:SETPOINT_X}', '$SETPOINT_X', '%SETPOINT_X%', 'env:HOME'],
  ...['$(env:A)'],
  ...['{{entity}}', '{{#if x}}y{{/if}}', '<your key>', 'changeme', 'TODO', 'xxxxxxxx', '********'],
  ...['undefined'],
  ...['two\nlines', 'two\nlines\n', '\nfirst', 'ends\n\n', 'a\r\nb', 'tab\there', '\u200bhidden', 'a\u202eb'],
  ...['\u0000', '\u0007bell', 'é', '東京', '😀', '\ufeffmark', '\u2028line', '\u0085next', 'a\rb'],
  ...['https//x.example', 'http:///x.example', 'https://https://x.example', 'https://u:pw12345@h.example/'],
  ...['https://x.example/a//b', 'https://x.example?api_key=kD93kfKs02', 'Bearer abcdefghijklmnopqrstuvwxyz'],
  ...['AKIAIOSFODNN7EXAMPLE', 'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK', 'ENC[AES256_GCM,data]'],
  ...['{"a": [1, 2]}', 'it\'s "q" $x `y` \\z !', '2026-11-21', '12:30', 'lock-and-hide', 'x'.repeat(5_000)],
  ...['select * from t where a = 1', 'a,b,c', '0:None, 1-3:warn:Suspicious', '=', '<<', '...', '---'],
];

const KEYS: readonly string[] = [
  ...['apiKey', 'url', 'userToken', 'password', 'maxTokens', 'a.b', 'a b', '0', 'true', 'constructor'],
  ...['__proto__'],
  ...['x-y', 'ключ', 'a: b', '#c', '"', 'options', 'value', 'lookupThrottleDuration', 'api_key', 'API-Key'],
];

const BASES: readonly string[] = [
  'jira',
  'JIRA',
  'jira_sir',
  'virustotal',
  'x',
  'a-b',
  'setpoint',
  'Big_Name',
  '0123456789abcdef01',
];

/** A server for a test: the texts of its catalog by file, the ids, and the values of its passwords. */
export interface RandomServer {
  readonly catalog: Readonly<Record<string, string>>;
  readonly ids: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** A server with integrations, options and texts of all kinds. */
export function randomServer(draw: Seeded): RandomServer {
  const secrets: string[] = [];
  const bases = draw.some(BASES, 1, 5);
  const copies = draw.random() < 0.3 ? bases.slice(0, 1) : [];
  const definitions = new Map(
    bases.map((base) => [base, JSON.stringify(definition(base, { ...draw, secrets }))]),
  );
  const files = [...bases, ...copies].map((base, index) => ({
    file: index < bases.length ? base : `${base}2`,
    base,
    index,
  }));
  return {
    catalog: Object.fromEntries(files.map(({ file, base }) => [`${file}.json`, definitions.get(base) ?? ''])),
    ids: Object.fromEntries(
      files.map(({ file, base, index }) => [file, idOf(base, index, index < bases.length, draw)]),
    ),
    secrets,
  };
}

/** An id as those of servers, or the bare name. */
function idOf(base: string, index: number, isFirst: boolean, { pick }: Seeded): string {
  const suffix = pick(['_node_18_', '_3_5_0_node_18_', '_v2_3_5_0_node_20_', '']);
  return suffix === '' && isFirst ? base : `${base}${suffix || '_node_22_'}${1_725_278_818 + index}`;
}

interface Drawing extends Seeded {
  readonly secrets: string[];
}

function definition(base: string, draw: Drawing): object {
  const text = () => draw.pick(HOSTILE_TEXTS).replaceAll('\u0000', '');
  return {
    name: draw.pick([base, `The ${base}`, text().slice(0, 200) || 'A']),
    acronym: draw.pick(['ABC', 'X+', '', text().slice(0, 200)]),
    description: text(),
    options: draw.some(KEYS, 0, 8).map((key) => ({
      key,
      name: draw.pick([key, text().slice(0, 200)]),
      description: text(),
      ...typed(draw),
      ...draw.pick([
        { adminOnly: true, userCanEdit: false },
        { adminOnly: false, userCanEdit: false },
        { adminOnly: false, userCanEdit: true },
      ]),
    })),
  };
}

function typed(draw: Drawing): object {
  const { pick, some, random } = draw;
  const choices = ['fast', 'slow', '1', 'true', 'a: b', 'no'].map((value) => ({
    value,
    display: `Is ${value}`,
  }));
  switch (pick(['text', 'text', 'password', 'number', 'boolean', 'select', 'multi'])) {
    case 'password':
      return { type: 'password', default: random() < 0.3 ? '' : secretOf(draw) };
    case 'number':
      return { type: 'number', default: pick([0, 5, -1, 1.5, 30_000, 2 ** 53, 1e-7, 1e21]) };
    case 'boolean':
      return { type: 'boolean', default: random() < 0.5 };
    case 'select':
      return { type: 'select', options: choices, default: pick(choices), multiple: false };
    case 'multi':
      return { type: 'select', options: choices, default: some(choices, 0, 6), multiple: true };
    default:
      return { type: 'text', default: pick(HOSTILE_TEXTS) };
  }
}

function secretOf({ secrets, ...draw }: Drawing): string {
  const seed = Math.floor(draw.random() * 2 ** 31);
  const secret = draw.pick([
    () => `CANARY-${fc.sample(hardSecret, { seed, numRuns: 1 })[0] ?? ''}`,
    () => `CANARY${seed}\nsecond line ${seed}\n`,
    () => `-----BEGIN PRIVATE KEY-----\nCANARY${seed}CANARY${seed}\n-----END PRIVATE KEY-----`,
    () => `CANARY${seed}'"$HOME\`x\`\\n#!`,
  ])();
  secrets.push(secret);
  return secret;
}
