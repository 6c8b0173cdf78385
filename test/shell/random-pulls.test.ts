import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pulled } from '../../src/core/report/text/results.ts';
import { type Dialect, OPEN_POINTS } from '../support/dialects.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { filesIn, loaded, namedIn } from '../support/pulled.ts';
import { randomServer } from '../support/random-server.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds, turned } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

const FEW = 4;
const ALL = 1_000;

const corpus = process.env['SETPOINT_CORPUS'];

interface Document {
  readonly servers: readonly (Pulled & {
    readonly integrations: readonly { readonly hidden: readonly string[] }[];
  })[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

const told = (result: RunResult) =>
  json<Document>(result).diagnostics.flatMap(({ code, severity }) => (severity === 'note' ? [] : [code]));

describe.each(Array.from({ length: seeds(FEW, ALL) }, (_, seed) => seed))('a random server %i', (seed) => {
  test('is pulled, valid and as desired, and no secret is in a file but that of secrets', async () => {
    const draw = seeded(seed);
    const passwords = OPEN_POINTS.passwords[Math.floor(seed / 4) % 4] ?? 'clear';
    const server = randomServer(draw);
    const catalog = await tempFolder(server.catalog);
    const settings = {
      passwords,
      dialect: OPEN_POINTS.dialect[seed % 4] ?? 'included',
      store: draw.pick(OPEN_POINTS.store),
      selects: draw.pick(OPEN_POINTS.selects),
    };
    await pulledWhole({ ...server, catalog, settings });
  });
});

describe.skipIf(corpus === undefined).each(OPEN_POINTS.passwords)(
  'real integrations, passwords %s',
  (passwords) => {
    // By turns of the table, and all of it in a soak.
    const turn = OPEN_POINTS.passwords.indexOf(passwords) % OPEN_POINTS.dialect.length;
    test.each(turned(turn, OPEN_POINTS.dialect))('are pulled in the dialect %s', async (dialect) => {
      const settings = { passwords, dialect };
      await pulledWhole({ catalog: corpus ?? '', ids: {}, secrets: [], settings });
    });
  },
);

interface Wish {
  readonly catalog: string;
  readonly ids: Readonly<Record<string, string>>;
  /** What no file may show but that of secrets. */
  readonly secrets: readonly string[];
  readonly settings: Dialect;
}

/** Pulls a server, and looks at all that the files promise. */
async function pulledWhole({ catalog, ids, secrets, settings }: Wish): Promise<void> {
  const { url } = await liveSandbox({ catalog, ids, settings });
  const cwd = await tempFolder();
  const command = ['pull', '--url', url, '--out', 'conf', '--report', 'json'];
  const pulled = await run([...command, '--secrets-file', 's.env'], { cwd });
  expect([pulled.code, told(pulled)], pulled.screen).toEqual([0, []]);
  const files = filesIn(cwd);
  for (const [path, text] of [...files, ['the screen', pulled.screen] as const])
    if (path !== 's.env') for (const secret of secrets) keeps(text, secret, path);
  const { variables = [] } = json<Document>(pulled).servers[0] ?? {};
  const env = { ...ADMIN, ...(await environmentOf(cwd, files, variables)) };
  if (files.has('conf/setpoint.yaml')) await isAsDesired(join(cwd, 'conf'), env, catalog, variables);
  const again = await run(command, { cwd });
  expect([again.code, told(again), [...filesIn(cwd)]]).toEqual([0, [], [...files]]);
  expect(json<Document>(again).servers[0]).toMatchObject({ files: [], adopted: 0 });
}

/** The variables as a shell loads them, those that the server does not show filled in by hand. */
async function environmentOf(
  cwd: string,
  files: ReadonlyMap<string, string>,
  variables: Pulled['variables'],
): Promise<Record<string, string>> {
  const names = (isShown: boolean) =>
    variables.flatMap((each) => (each.isShown === isShown ? [each.variable] : [])).sort();
  expect(namedIn(files.get('conf/.env.example') ?? '').sort()).toEqual(
    [...names(true), ...names(false)].sort(),
  );
  const path = join(cwd, 's.env');
  const secrets = loaded(path);
  expect(Object.keys(secrets).sort()).toEqual(names(true));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  return { ...Object.fromEntries(names(false).map((name) => [name, 'filled-in-by-hand'])), ...secrets };
}

/** Validates and plans: nothing is found, and nothing differs; what the server does not show cannot be told. */
async function isAsDesired(
  cwd: string,
  env: Record<string, string>,
  catalog: string,
  variables: Pulled['variables'],
): Promise<void> {
  const validated = await run(['validate', '--report', 'json'], { cwd, env });
  expect([validated.code, told(validated)], validated.screen).toEqual([0, []]);
  const checked = await run(['validate', '--catalog', catalog, '--report', 'json'], { cwd, env });
  // The ids of random servers need not be those that a catalog leads to.
  const found = told(checked).filter((code) => !/^(no-match|exposes-secret)$/.test(code));
  expect([checked.code, found], checked.screen).toEqual([0, []]);
  const planned = await run(['plan', '--exit-code', '--report', 'json'], { cwd, env });
  expect([planned.code, told(planned)], planned.screen).toEqual([0, []]);
  const untold = json<Document>(planned).servers.flatMap(({ integrations }) =>
    integrations.flatMap((each) => each.hidden),
  );
  const unshown = variables.flatMap(({ isShown, address }) => (isShown ? [] : [address]));
  expect(untold.sort()).toEqual(unshown.sort());
}

/** Fails where a text shows a secret, whole or a line of it; the frame of a key is none. */
function keeps(text: string, secret: string, where: string): void {
  const lines = secret.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...lines];
  for (const form of forms.filter(({ length }) => length >= 8))
    if (text.includes(form)) throw new Error(`${where} shows ${form}`);
}
