import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPEN_POINTS } from '../support/dialects.ts';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { filesIn, loaded, type Pulled } from '../support/pulled.ts';
import { findingsOf, integrationsOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { hardSecret } from '../support/secret-forms.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

const FEW = 4;
const ALL = 1_000;

const corpus = process.env['SETPOINT_CORPUS'];

type Report = { readonly servers: readonly Pulled[] };

const told = (result: RunResult) =>
  findingsOf(result).flatMap(({ code, severity }) =>
    severity === 'note' ? [] : [code],
  );

test.each(Array.from({ length: seeds(FEW, ALL) }, (_, seed) => seed))(
  'a random server %i is pulled, valid and as desired, and no secret is in a file but that of secrets',
  async (seed) => {
    const draw = seeded(seed);
    const { files, ...server } = randomServer(draw);
    await pulledWhole({
      ...server,
      catalog: await tempFolder(files),
      settings: {
        passwords: OPEN_POINTS.passwords[Math.floor(seed / 4) % 4],
        dialect: OPEN_POINTS.dialect[seed % 4],
        store: draw.pick(OPEN_POINTS.store),
        selects: draw.pick(OPEN_POINTS.selects),
      },
    });
  },
);

test.runIf(corpus)('real integrations are pulled', () =>
  pulledWhole({ catalog: corpus ?? '' }),
);

/** The file of secrets, beside the configuration that refers to it. */
const SECRETS = 'conf/s.env';

/** Pulls a server, and looks at all that the files promise. */
async function pulledWhole({
  secrets = [],
  ...wish
}: LiveWish & { readonly secrets?: readonly string[] }) {
  const { url } = await liveSandbox(wish);
  const cwd = await tempFolder();
  const command = `pull --url ${url} --out conf --report json`;
  const pulled = await run(`${command} --secrets-file ${SECRETS}`, { cwd });
  expect([pulled.code, told(pulled)], pulled.screen).toEqual([0, []]);
  const files = filesIn(cwd);
  for (const [path, text] of [...files, ['the screen', pulled.screen] as const])
    if (!path.startsWith(SECRETS))
      for (const secret of secrets) keeps(text, secret, path);
  const { variables = [], leftOut = [] } =
    json<Report>(pulled).servers[0] ?? {};
  const named =
    files.get(SECRETS)?.match(/^(?:# )?SETPOINT_[A-Z_0-9]+(?==)/gm) ?? [];
  expect(named.map((name) => name.replace('# ', '')).sort()).toEqual(
    variables.map(({ variable }) => variable).sort(),
  );
  const shown = loaded(join(cwd, SECRETS));
  const [seen, unseen] = [true, false].map((isSeen) =>
    variables.filter(({ isShown }) => isShown === isSeen),
  );
  expect(Object.keys(shown).sort()).toEqual(
    seen?.map(({ variable }) => variable).sort(),
  );
  expect((await stat(join(cwd, SECRETS))).mode & 0o777).toBe(0o600);
  if (files.has('conf/setpoint.yaml')) {
    const byHand = Object.fromEntries(
      unseen?.map(({ variable }) => [variable, 'filled-in-by-hand']) ?? [],
    );
    const env = { ...ADMIN, ...byHand, ...shown };
    const wishes = { cwd: join(cwd, 'conf'), env };
    const validated = await run('validate --report json', wishes);
    // A server may show a secret to all users, which validate cannot know.
    const codes = new Set([...told(validated), 'exposes-secret']);
    expect([validated.code, codes.size], validated.screen).toEqual([0, 1]);
    // What the server does not show cannot be told, and no file has some texts.
    const planned = await run('plan --report json', wishes);
    // Everyone may see what a person fills in, which apply refuses.
    const isRefused = told(planned).includes('risk-refused');
    expect([planned.code, told(planned)], planned.screen).toEqual(
      isRefused ? [6, ['risk-refused']] : [0, []],
    );
    const hard = new Set(leftOut.map(({ address }) => address));
    const byPerson = unseen?.map(({ address }) => address).sort() ?? [];
    const integrations = integrationsOf(planned);
    const changed = integrations.flatMap(({ changes }) => changes);
    expect(changed.map(({ address }) => address).sort()).toEqual(
      byPerson.filter((address) => hard.has(address)),
    );
    const hidden = integrations.flatMap(({ left }) => left);
    expect(hidden.map(({ address }) => address).sort()).toEqual(
      byPerson.filter((address) => !hard.has(address)),
    );
  }
  const again = await run(command, { cwd });
  expect(again.code).toBe(0);
  expect(told(again)).toEqual([]);
  expect([...filesIn(cwd)]).toEqual([...files]);
  const [nothing] = json<Report>(again).servers;
  expect(nothing).toMatchObject({ files: [], adopted: 0 });
}

/** Fails where a text shows a secret, whole or a line of it; the frame of a key is none. */
function keeps(text: string, secret: string, where: string): void {
  const lines = secret
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('-----'));
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...lines];
  for (const form of forms.filter(({ length }) => length >= 8))
    if (text.includes(form)) throw new Error(`${where} shows ${form}`);
}

/** Texts that a careless writer of YAML, dotenv or configuration gets wrong. */
const HOSTILE_TEXTS: readonly string[] = [
  'no¦null¦~¦0123¦1e5¦1.10¦12345678901234567890¦-¦?¦a: b¦a #b¦# x¦- a¦[x¦{y',
  '|¦>¦@x¦%y¦!tag¦&a¦*a¦"¦\'¦\\¦=¦<<¦...¦---¦a,b,c¦2026-11-21¦12:30',
  '${env:HOME}¦$${x}¦${¦$${env:SETPOINT_X}¦$SETPOINT_X¦%SETPOINT_X%¦env:HOME',
  '$(env:A)¦{{entity}}¦{{#if x}}y{{/if}}¦<your key>¦changeme¦TODO¦xxxxxxxx',
  '********¦undefined¦lock-and-hide¦{"a": [1, 2]}¦it\'s "q" $x `y` \\z !',
  'two\nlines¦two\nlines\n¦\nfirst¦ends\n\n¦a\r\nb¦tab\there¦a\rb¦',
  ' ¦  padded  ¦\u200bhidden¦a\u202eb¦\u0000¦\u0007bell¦é¦東京¦😀¦\ufeffmark',
  '\u2028line¦\u0085next¦select * from t where a = 1',
  '0:None, 1-3:warn:Suspicious¦https//x.example¦http:///x.example',
  'https://https://x.example¦https://u:pw12345@h.example/',
  'https://x.example/a//b¦https://x.example?api_key=kD93kfKs02',
  'Bearer abcdefghijklmnopqrstuvwxyz¦AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK¦ENC[AES256_GCM,data]',
  'x'.repeat(5_000),
].flatMap((texts) => texts.split('¦'));

const KEYS: readonly string[] = [
  'apiKey¦url¦userToken¦password¦maxTokens¦a.b¦a b¦0¦true¦constructor',
  '__proto__¦x-y¦ключ¦a: b¦#c¦"¦options¦value¦lookupThrottleDuration¦api_key',
  'API-Key',
].flatMap((keys) => keys.split('¦'));

const BASES =
  'jira JIRA jira_sir a-b setpoint Big_Name 0123456789abcdef01'.split(' ');

/** A server with integrations, options and texts of all kinds, and the values of its passwords. */
function randomServer(draw: Seeded) {
  const secrets: string[] = [];
  const bases = draw.some(BASES, 1, 5);
  const copies = draw.random() < 0.3 ? bases.slice(0, 1) : [];
  const definitions = new Map(
    bases.map((base) => [
      base,
      JSON.stringify(definition(base, { ...draw, secrets })),
    ]),
  );
  const files: Record<string, string> = {};
  const ids: Record<string, string> = {};
  for (const [index, base] of [...bases, ...copies].entries()) {
    const isFirst = index < bases.length;
    const file = isFirst ? base : `${base}2`;
    ids[file] = idOf(base, index, isFirst, draw);
    files[`${file}.json`] = definitions.get(base) ?? '';
  }
  return { files, ids, secrets };
}

/** An id as those of servers, or the bare name. */
function idOf(base: string, index: number, isFirst: boolean, draw: Seeded) {
  const suffixes = ['_node_18_', '_3_5_0_node_18_', '_v2_3_5_0_node_20_', ''];
  const suffix = draw.pick(suffixes);
  if (suffix === '' && isFirst) return base;
  return `${base}${suffix || '_node_22_'}${1_725_278_818 + index}`;
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
  const select = { type: 'select', options: choices };
  const kinds = ['text', 'text', 'password', 'number', 'boolean'];
  switch (pick([...kinds, 'select', 'multi'])) {
    case 'password': {
      const value = random() < 0.3 ? '' : secretOf(draw);
      return { type: 'password', default: value };
    }
    case 'number': {
      const numbers = [0, 5, -1, 1.5, 30_000, 2 ** 53, 1e-7, 1e21];
      return { type: 'number', default: pick(numbers) };
    }
    case 'boolean':
      return { type: 'boolean', default: random() < 0.5 };
    case 'select':
      return { ...select, default: pick(choices), multiple: false };
    case 'multi':
      return { ...select, default: some(choices, 0, 6), multiple: true };
    default:
      return { type: 'text', default: pick(HOSTILE_TEXTS) };
  }
}

function secretOf({ secrets, ...draw }: Drawing): string {
  const seed = Math.floor(draw.random() * 2 ** 31);
  const secret = draw.pick([
    () => `CANARY-${fc.sample(hardSecret, { seed, numRuns: 1 })[0] ?? ''}`,
    () => `CANARY${seed}\nsecond line ${seed}\n`,
    () =>
      `-----BEGIN PRIVATE KEY-----\nCANARY${seed}CANARY${seed}\n-----END PRIVATE KEY-----`,
    () => `CANARY${seed}'"$HOME\`x\`\\n#!`,
  ])();
  secrets.push(secret);
  return secret;
}
