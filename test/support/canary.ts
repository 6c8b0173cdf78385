import fc from 'fast-check';
import { dotenvLines } from '../../src/core/config/dotenv.ts';
import { optionId } from '../../src/core/model/ids.ts';
import { configuration, option } from './live-sandbox.ts';
import { hardSecret } from './secret-forms.ts';
import type { Seeded } from './seeded.ts';

const LETTERS = [...'QXZJKWVquxzjkwv0987'];

function word({ pick }: Seeded, length: number): string {
  return Array.from({ length }, () => pick(LETTERS)).join('');
}

/** Secrets that the masker finds and that no other text of a run holds by chance, by their kind. */
const KINDS: Readonly<Record<string, (draw: Seeded) => string>> = {
  hard: ({ random }) =>
    fc.sample(hardSecret, {
      seed: Math.floor(random() * 2 ** 31),
      numRuns: 1,
    })[0] ?? '',
  plain: (draw) => word(draw, 8 + Math.floor(draw.random() * 60)),
  long: (draw) => word(draw, 100 + Math.floor(draw.random() * 3_997)),
  'a key': (draw) =>
    `-----BEGIN PRIVATE KEY-----\n${word(draw, 64)}\n${word(draw, 64)}\n-----END PRIVATE KEY-----\n`,
  'several lines': (draw) =>
    `${word(draw, 12)}\n${word(draw, 5)}\r\n\n ${word(draw, 20)}`,
  'blanks at its ends': (draw) => `  ${word(draw, 9)}\t`,
  'an address': (draw) =>
    `https://${word(draw, 9)}/${word(draw, 16)}?key=${word(draw, 12)}`,
};

/** A secret of any kind. */
export function anySecret(draw: Seeded): string {
  return draw.pick(Object.values(KINDS))(draw);
}

/** A secret in its place: what the environment, files and YAML of a run are. */
export interface Planted {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** What names the files of the run that are no configuration. */
  readonly flags?: readonly string[];
  /** The options of `alpha`, as YAML writes them, and what comes before the entries. */
  readonly options?: readonly string[];
  readonly values?: string;
  /** The token that a login leads to, if the secret is that: all others come from outside, so that runners mask them first. */
  readonly token?: string;
  /** When a run knows it. */
  readonly known: 'at once' | 'once logged in' | 'with the configuration';
}

/** A text as a YAML scalar that is no reference. */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll('${', '$${'));
}

const KEYS = ['apiKey', 'url', 'pem'];

function referenced(
  reference: string,
  { pick }: Seeded,
  secret: string,
): string[] {
  const key = pick(KEYS);
  const written = pick([
    `{ value: "${reference}", permission: lock-and-show, sensitive: true }`,
    JSON.stringify(reference),
    JSON.stringify(`{"login": "${reference}", "x": [1]}`),
  ]);
  const others = KEYS.filter((each) => each !== key);
  // What repeats a secret beside it: a comment, another value, a list of lines.
  const beside = /^\s|\s$/.test(secret) ? 'other' : secret;
  const isOneLine = !/[\r\n]/.test(beside);
  return [
    `${key}: ${written}${isOneLine ? ` # was ${beside}` : ''}`,
    `${pick(others)}: ${quoted(`say ${beside} there`)}`,
  ];
}

/** In a place that is a header. */
const asToken = (secret: string, planted: Planted) =>
  /^[\x21-\x7e]*$/.test(secret) ? planted : undefined;

const asReference =
  (reference: string, place: (secret: string) => Partial<Planted>) =>
  (secret: string, draw: Seeded): Planted => ({
    ...place(secret),
    options: referenced(reference, draw, secret),
    known: 'with the configuration',
  });

/** All places where a secret can be. */
export const PLACES: Readonly<
  Record<string, (secret: string, draw: Seeded) => Planted | undefined>
> = {
  SETPOINT_PASSWORD: (secret) => ({
    env: { SETPOINT_PASSWORD: secret },
    known: 'at once',
  }),
  SETPOINT_TOKEN: (secret) =>
    asToken(secret, { env: { SETPOINT_TOKEN: secret }, known: 'at once' }),
  'the token of a login': (secret) =>
    asToken(secret, { token: secret, known: 'once logged in' }),
  SETPOINT_PASSWORD_FILE: (secret) => ({
    env: { SETPOINT_PASSWORD: '', SETPOINT_PASSWORD_FILE: 'password' },
    files: { password: `${secret}\n` },
    known: 'at once',
  }),
  'a variable': asReference('${env:SETPOINT_X}', (secret) => ({
    env: { SETPOINT_X: secret },
  })),
  'a file': asReference('${file:keys/x}', (secret) => ({
    files: { 'keys/x': `${secret}\n` },
  })),
  'a file of variables': (secret, draw) => {
    const lines = dotenvLines('SETPOINT_X', secret);
    if (lines === undefined) return undefined;
    const placed = asReference('${env:SETPOINT_X}', () => ({
      files: { 'secrets.env': `${lines}\n` },
      flags: ['--secrets-file', 'secrets.env'],
    }));
    return placed(secret, draw);
  },
  'a named value': asReference('${value:key}', (secret) => ({
    env: { SETPOINT_X: secret },
    values: 'values: { key: "${env:SETPOINT_X}" }\n',
  })),
};

const OPTIONS = [
  option('apiKey', 'password', 'first-of-its-keys'),
  option('spare', 'password', 'left-as-it-was'),
  option('url', 'text', 'https://old.example'),
  option('pem', 'text', 'two\nlines'),
  option('limit', 'number', 1),
  option(
    'mode',
    'select',
    { value: 'fast', display: 'Fast' },
    { options: [{ value: 'fast', display: 'Fast' }] },
  ),
];

/** The integrations of the server that a secret is kept from. */
export const CANARY_CATALOG: Readonly<Record<string, string>> = {
  'alpha.json': configuration(...OPTIONS),
  'beta.json': configuration(option('note', 'text', 'none')),
};

/** The body of the PATCH that makes `alpha` as it was at first. */
export function restored(id: string): object {
  const data = OPTIONS.map(({ key, default: value }) => ({
    id: optionId(id, key),
    type: 'integration-options',
    attributes: { value, 'admin-only': true, 'user-can-edit': false },
  }));
  return { data };
}
