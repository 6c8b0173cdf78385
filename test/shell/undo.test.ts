import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/plan-document.ts';
import { FORMATS } from '../../src/core/report/formats.ts';
import { faultyProxy, turnstile } from '../support/fault-proxy.ts';
import {
  asked,
  envOf,
  type FleetState,
  readFleet,
  STATES,
  startFleets,
  writeByHand,
  yamlOf,
} from '../support/fleet.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import {
  addressesOf,
  changesOf,
  codesOf,
  findingsOf,
  integrationsOf,
  outcomesOf,
  serversOf,
} from '../support/report.ts';
import { ADMIN, json, type RunWish, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';
import { writeFiles } from '../support/temp.ts';

type Fleets = Awaited<ReturnType<typeof startFleets>>;

/** Where commands are run. */
type Place = Pick<Fleets, 'cwd' | 'env'>;

/** Runs a command on fleets; its JSON is the report that it saves, too. */
async function runOn({ cwd, env }: Place, line: string, wish: RunWish = {}) {
  return run(`${line} --report json`, { cwd, env, ...wish });
}

/** Applies what the project asks for, and saves the report. */
async function apply(on: Place, flags = '', wish: RunWish = {}) {
  const applied = await runOn(on, `apply --yes${flags}`, wish);
  await writeFile(join(on.cwd, 'applied.json'), applied.stdout);
  return applied;
}

/** Takes a saved report back, and saves that report. */
async function undo(on: Place, flags = '', file = 'applied.json') {
  const undone = await runOn(on, `undo ${file} --yes${flags}`);
  await writeFile(join(on.cwd, 'undone.json'), undone.stdout);
  return undone;
}

/** The PATCHes that servers took since the last call. */
function patchesOn({ sandboxes }: Fleets): string[][] {
  return sandboxes.map(({ seen }) => {
    return seen().filter((request) => request.startsWith('PATCH'));
  });
}

/** What the servers hold, without the keys, which no undo knows. */
async function heldOn({ sandboxes }: Fleets) {
  const reading = sandboxes.map(({ url }) => readFleet(url));
  const all = await Promise.all(reading);
  return all.map((fleet) => {
    return [...fleet].map(([id, { apiKey: _, ...state }]) => ({
      id,
      ...state,
    }));
  });
}

/** A state of some integrations, as `heldOn` has it. */
function fleetIn(
  { apiKey: _, ...state }: FleetState,
  names: readonly string[],
) {
  return names.map((id) => ({ id, ...state }));
}

const BOTH = ['east', 'west'];

describe('an apply on two servers', () => {
  test('is taken back with one PATCH for options and one for attributes; then nothing is left, and the undo is taken back', async () => {
    const fleets = await startFleets(3, { servers: BOTH });
    const { names } = fleets;
    await apply(fleets);
    patchesOn(fleets);
    const undone = await undo(fleets);
    expect(await heldOn(fleets)).toEqual(
      BOTH.map(() => fleetIn(STATES.old, names)),
    );
    for (const sent of patchesOn(fleets)) {
      const options = sent.filter((each) => each.endsWith('-options'));
      expect([options.length, sent.length]).toEqual([3, 6]);
    }
    // The key alone is left: nobody knows the old one.
    expect(undone.code).toBe(5);
    expect(new Set(codesOf(undone))).toEqual(
      new Set(['not-attempted', 'still-declared']),
    );
    const { command, undone: origin } = json<Document>(undone);
    expect([command, origin?.command]).toEqual(['undo', 'apply']);
    expect(
      changesOf(undone).every(({ outcome }) => outcome === 'verified'),
    ).toBe(true);
    const again = await undo(fleets);
    expect([again.code, addressesOf(again)]).toEqual([5, []]);
    expect(patchesOn(fleets)).toEqual([[], []]);
    await writeFile(join(fleets.cwd, 'undone.json'), undone.stdout);
    const redone = await undo(fleets, '', 'undone.json');
    expect([redone.code, codesOf(redone)]).toEqual([0, []]);
    const planned = await runOn(fleets, 'plan --exit-code');
    expect([planned.code, addressesOf(planned)]).toEqual([0, []]);
  });

  test('is taken back in the order of setpoint.yaml; a failure stops there', async () => {
    let isBroken = false;
    const fleets = await startFleets(1, {
      servers: BOTH,
      way: async (sandbox, server) => {
        if (server > 0) return sandbox;
        return faultyProxy(sandbox.url, ({ method }) =>
          isBroken && method === 'PATCH' ? { status: 400 } : undefined,
        );
      },
    });
    const document = json<Document>(await apply(fleets));
    isBroken = true;
    const turned = { ...document, servers: document.servers.toReversed() };
    await writeFiles(fleets.cwd, { 'turned.json': JSON.stringify(turned) });
    const stopped = await undo(fleets, '', 'turned.json');
    expect(outcomesOf(stopped)).toEqual(['failed', 'not-attempted']);
    expect(stopped.code).toBe(5);
    const kept = await undo(fleets, ' --keep-going', 'turned.json');
    expect(outcomesOf(kept)).toEqual(['failed', 'verified']);
  });
});

describe('what somebody else wrote since', () => {
  test('is left alone and named; the rest of its integration is taken back', async () => {
    const fleets = await startFleets(2);
    await apply(fleets);
    await writeByHand(fleets.url, 'unit000', { limit: 4_000 });
    const undone = await undo(fleets);
    expect(undone.code).toBe(5);
    const [held] = await heldOn(fleets);
    const [moved, other] = fleetIn(STATES.old, fleets.names);
    expect(held).toEqual([{ ...moved, limit: 4_000 }, other]);
    const stale = findingsOf(undone).filter(({ code }) => code === 'stale');
    const address = 'unit000.options.limit.value';
    expect(stale.map(({ addresses }) => addresses)).toEqual([[address]]);
  });
});

describe('what was not written is left alone', () => {
  const NO_KEY: FleetState = { ...STATES.a, apiKey: STATES.old.apiKey };

  test.each([
    ['once', 'verified'],
    ['twice', 'unknown'],
  ])('of an apply that was interrupted %s', async (times, outcome) => {
    let left = times === 'once' ? 1 : 2;
    let interrupt = (): void => {};
    const fleets = await startFleets(6, {
      way: ({ url }) =>
        turnstile(url, {
          before: ({ method, path }) => {
            const isWrite = method === 'PATCH' && path.endsWith('-options');
            if (isWrite && left > 0) interrupt();
            left -= isWrite ? 1 : 0;
            return true;
          },
        }),
    });
    const env = envOf(NO_KEY);
    const applied = await apply({ ...fleets, env }, ' --concurrency 2', {
      onStart: (signal) => {
        interrupt = () => signal('SIGINT');
      },
    });
    expect(applied.code).toBe(130);
    const written = integrationsOf(applied).filter(({ changes }) =>
      changes.some((change) => change.outcome === outcome),
    );
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThan(6);
    patchesOn(fleets);
    const undone = await undo(fleets);
    expect([undone.code, codesOf(undone)]).toEqual([0, ['still-declared']]);
    expect(await heldOn(fleets)).toEqual([fleetIn(STATES.old, fleets.names)]);
    expect(integrationsOf(undone).length).toBe(written.length);
  });
});

describe('a report that cannot be taken back is refused before any request', () => {
  test.each([
    ['of a plan', 'plan', '', ''],
    [
      'of a server elsewhere',
      'apply --yes',
      /"url": ".*"/,
      '"url": "https://e"',
    ],
    [
      'of an unknown server',
      'apply --yes',
      '"name": "east"',
      '"name": "north"',
    ],
  ])('%s', async (_, line, old, text) => {
    const fleets = await startFleets(1);
    const { stdout } = await runOn(fleets, line);
    const edited = stdout.replace(old, text);
    await writeFiles(fleets.cwd, { 'applied.json': edited });
    fleets.sandbox.seen();
    const undone = await undo(fleets);
    expect(undone.code).toBe(3);
    expect(codesOf(undone)[0]).toMatch(/^(file-unusable|unknown-name|usage)$/);
    expect(fleets.sandbox.seen()).toEqual([]);
  });

  test('credentials go to granted origins alone', async () => {
    const fleets = await startFleets(1);
    await apply(fleets);
    const env = { ...fleets.env, CI: 'true' };
    const before = fleets.sandbox.exchanges.length;
    const undone = await undo({ ...fleets, env });
    expect([undone.code, codesOf(undone)]).toEqual([3, ['origin-not-allowed']]);
    expect(fleets.sandbox.exchanges.length).toBe(before);
  });
});

describe('the guards of an apply hold', () => {
  test('if nobody can be asked, the log shows what a person would be asked about', async () => {
    const fleets = await startFleets(1);
    const { cwd, env } = fleets;
    await apply(fleets);
    patchesOn(fleets);
    const declined = await run('undo applied.json', { cwd, env, answer: 'no' });
    const unasked = await run('undo applied.json', { cwd, env });
    const [preview = ''] = declined.stderr.split('\nApply these changes');
    expect(preview).toMatch(/limit +20 -> 1\n[\s\S]*\nUndo +\d+ changes/);
    expect(unasked.stderr.startsWith(preview)).toBe(true);
    expect([declined.code, unasked.code, unasked.stdout]).toEqual([6, 3, '']);
    expect(patchesOn(fleets)).toEqual([[]]);
    expect(await heldOn(fleets)).toEqual([fleetIn(STATES.a, fleets.names)]);
  });

  test('many integrations need a number', async () => {
    const fleets = await startFleets(10);
    await apply(fleets, ' --allow-changes 10');
    const refused = await undo(fleets);
    expect(refused.code).toBe(6);
    expect(codesOf(refused)).toEqual(['not-attempted', 'many-changes']);
    const allowed = await undo(fleets, ' --allow-changes 10');
    expect(new Set(outcomesOf(allowed))).toEqual(new Set(['verified']));
  });
});

test('reports name files from the root, wherever the undo runs, and no format shows a secret', async () => {
  const fleets = await startFleets(1);
  await apply(fleets);
  await writeByHand(fleets.url, 'unit000', { limit: 4_000 });
  await writeFiles(fleets.cwd, { 'deep/down/note.txt': '' });
  const cwd = join(fleets.cwd, 'deep/down');
  const reports = FORMATS.flatMap((format) => [
    '--report',
    format === 'text' ? 'text' : `${format}=report.${format}`,
  ]);
  const args = ['undo', '../../applied.json', '--yes', ...reports];
  const undone = await run(args, { cwd, env: fleets.env });
  expect(undone.code).toBe(5);
  const texts = [undone.stdout, undone.stderr];
  for (const format of FORMATS) {
    if (format === 'text') continue;
    texts.push(await readFile(join(cwd, `report.${format}`), 'utf8'));
  }
  for (const text of texts) {
    expect(text).not.toContain(STATES.a.apiKey);
    expect(text).not.toContain(STATES.old.apiKey);
  }
  const stdout = await readFile(join(cwd, 'report.json'), 'utf8');
  const files = changesOf({ stdout }).map(({ source }) => source?.file);
  expect(new Set(files)).toEqual(new Set(['a.yaml']));
  const places = findingsOf({ stdout }).flatMap(({ places = [] }) => places);
  expect(new Set(places.map(({ file }) => file))).toEqual(new Set(['a.yaml']));
  const shown = await runOn({ ...fleets, cwd }, 'show report.json');
  expect(serversOf(shown)).toEqual(serversOf({ stdout }));
});

test('a server of a flag is taken back without a project', async () => {
  const fleets = await startFleets(1);
  const { url, env } = fleets;
  const yaml = yamlOf(fleets.names.map((name) => asked(name, { limit: 20 })));
  const cwd = await fleets.projectOf(STATES.a);
  await writeFiles(cwd, { 'alone/.git/HEAD': '', 'alone/a.yaml': yaml });
  const alone = { env, cwd: join(cwd, 'alone') };
  await apply(alone, ` -f a.yaml --url ${url}`);
  // A project beside it that knows other servers only.
  await writeFiles(alone.cwd, {
    'setpoint.yaml':
      'version: 1\nservers: { other: { url: "http://127.0.0.1:1", config: [a.yaml] } }\n',
  });
  const [lost] = findingsOf(await undo(alone));
  expect(lost?.message).toContain(`no server "${new URL(url).host}"`);
  await rm(join(alone.cwd, 'setpoint.yaml'));
  const undone = await undo(alone, ` --url ${url}`);
  expect(undone.code).toBe(0);
  expect(addressesOf(undone)).toEqual(['unit000.options.limit.value']);
  const named = { ...alone, env: { ...env, SETPOINT_URL: url } };
  const again = await undo(named);
  expect([again.code, addressesOf(again)]).toEqual([0, []]);
});

test('the report of a shard is taken back, as is that of all of them', async () => {
  const fleets = await startFleets(1, { servers: BOTH });
  await apply(fleets, ' --shard 1/2');
  const undone = await undo(fleets);
  expect(serversOf(undone).map(({ name }) => name)).toEqual(['east']);
  const one = await apply(fleets, ' --shard 1/2');
  const two = await apply(fleets, ' --shard 2/2');
  const parts = { 'one.json': one.stdout, 'two.json': two.stdout };
  await writeFiles(fleets.cwd, parts);
  const merged = await runOn(fleets, 'merge one.json two.json');
  await writeFiles(fleets.cwd, { 'merged.json': merged.stdout });
  await undo(fleets, '', 'merged.json');
  expect(await heldOn(fleets)).toEqual(
    BOTH.map(() => fleetIn(STATES.old, fleets.names)),
  );
});

/** How an option is a secret; the last one is none. */
const SECRECY: readonly [string, string, object, string][] = [
  ['its type', 'password', {}, 'k3y'],
  ['a mark', 'text', { sensitive: true }, 'k3y'],
  ['a reference', 'text', { value: '${env:SETPOINT_K}' }, 'k3y'],
  ['a form', 'text', {}, 'https://u:pw12345@h.example/'],
  ['nothing', 'text', {}, 'k3y'],
];

const LOCKS = ['lock-and-hide', 'lock-and-show', 'user-provides'] as const;

/** A transition of a permission that an apply makes, an option, and what became of the YAML, which no undo reads. */
const LOCKINGS = SECRECY.flatMap(([kind, type, own, value]) =>
  LOCKS.flatMap((before) =>
    LOCKS.filter((after) => after !== before).flatMap((after) =>
      ['as it was', 'broken', 'unnamed'].map(
        (yaml) => ({ kind, type, own, value, before, after, yaml }) as const,
      ),
    ),
  ),
);

test.each(sampled(LOCKINGS, 17))(
  'a secret by $kind: $before -> $after is taken back with the YAML $yaml as an apply would',
  async ({ kind, type, own, value, before, after, yaml }) => {
    const locks = {
      adminOnly: before === 'lock-and-hide',
      userCanEdit: before === 'user-provides',
    };
    const held = configuration(option('plain', type, value, locks));
    const wish = { ...own, permission: after };
    const entry = `vt: { options: { plain: ${JSON.stringify(wish)} } }`;
    const { sandbox, cwd, patches } = await ownCatalog({ vt: held }, entry);
    const { url } = sandbox;
    const project = `version: 1\nservers: { s: { url: "${url}", config: [a.yaml] } }\n`;
    const isNamed = yaml !== 'unnamed';
    if (isNamed) await writeFiles(cwd, { 'setpoint.yaml': project });
    const at = isNamed ? '' : ` --url ${url}`;
    const files = isNamed ? '' : ' -f a.yaml';
    const env = { ...ADMIN, SETPOINT_K: value };
    const allow = ' --allow exposes-secret';
    const applied = await apply({ cwd, env }, allow + at + files);
    const address = 'vt.options.plain.permission';
    expect([applied.code, addressesOf(applied)]).toEqual([0, [address]]);
    if (yaml === 'broken') await writeFiles(cwd, { 'a.yaml': '[' });
    const sent = patches().length;
    const undone = await undo({ cwd, env: ADMIN }, at);
    const isExposing = kind !== 'nothing' && before === 'lock-and-show';
    if (isExposing) {
      expect([undone.code, codesOf(undone)]).toEqual([6, ['risk-refused']]);
      expect(patches()).toHaveLength(sent);
    }
    const allowed = isExposing
      ? await undo({ cwd, env: ADMIN }, allow + at)
      : undone;
    expect([allowed.code, outcomesOf(allowed)]).toEqual([0, ['verified']]);
    const told = findingsOf(allowed).filter(
      ({ code }) => code === 'still-declared',
    );
    expect(told).toMatchObject([{ addresses: [address] }]);
  },
);
