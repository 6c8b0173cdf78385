import pMap from 'p-map';
import { expect, test } from 'vitest';
import { DESIRED } from '../support/desired.ts';
import { type Seen, startFaultProxy } from '../support/fault-proxy.ts';
import { type Fault, withBody } from '../support/faults.ts';
import { CANARY } from '../support/faulty-apply.ts';
import { fleetOf, UNITS, yamlOf } from '../support/fleet.ts';
import { scene } from '../support/live-sandbox.ts';
import { codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

/** Hostile answers in all runs together. */
const ANSWERS = seeds(20, 3_000);

const COMMANDS = [
  ...['plan -f a.yaml', 'apply -f a.yaml --yes', 'list -f a.yaml'],
  ...['list', 'errors'],
];

const EXIT_CODES = [0, 1, 3, 4, 5, 6];

/** Runs a command whose every second answer is hostile; gives how many were. */
async function runHostile(
  seed: number,
  target: string,
  cwd: string,
): Promise<number> {
  const draw = seeded(seed);
  const hits = { count: 0 };
  const answer = ({ kind }: Seen) => {
    // A run that cannot log in sees no other answer.
    if (draw.random() < (kind === 'login' ? 0.95 : 0.5)) return undefined;
    hits.count += 1;
    return hostileAnswer(draw);
  };
  const proxy = await startFaultProxy(target, answer);
  try {
    const command = draw.pick(COMMANDS);
    const line = `${command} --url ${proxy.url} --report json --timeout 8`;
    const env = { ...ADMIN, SETPOINT_CANARY: CANARY };
    const result = await run(line, { cwd, env, random: draw.random });
    const told = `seed ${seed}, ${command}: ${result.stderr.slice(0, 2_000)}`;
    expect(EXIT_CODES, told).toContain(result.code);
    expect(codesOf(result), told).not.toContain('unexpected');
    expect(result.stdout + result.stderr, told).not.toMatch(
      /\n\s+at |node:internal/,
    );
    return hits.count;
  } finally {
    await proxy.close();
  }
}

test(`${ANSWERS} hostile answers: each run ends with a report and an exit code, and without a defect`, async () => {
  const wish = { ...(await fleetOf(UNITS)), settings: { maxPageSize: 3 } };
  const { sandbox, cwd } = await scene(yamlOf(DESIRED), wish);
  const first = Number(process.env['SETPOINT_FUZZ_SEED'] ?? 0) + 1;
  let hits = 0;
  const attack = async (seed: number) => {
    hits += await runHostile(seed, sandbox.url, cwd);
  };
  for (let seed = first; hits < ANSWERS; seed += 8) {
    const batch = Array.from({ length: 8 }, (_, at) => seed + at);
    await pMap(batch, attack, { concurrency: 2 });
  }
});

const deep = (wrap: (inner: unknown) => unknown) =>
  Array.from({ length: 500 }).reduce<unknown>((inner) => wrap(inner), 1);

/** What a server could send in place of any part of an answer. */
const HOSTILE: readonly unknown[] = [
  null,
  '',
  -1,
  1e308,
  2 ** 53,
  true,
  [],
  {},
  '__proto__',
  '\u0000\u001b[31m\u202e\ud800\u2028',
  'x'.repeat(300),
  'https://a/?'.repeat(20_000),
  `bearer ${'x'.repeat(2_000_000)}`,
  '-'.repeat(100_000),
  Array.from({ length: 3_000 }, (_, index) => ({
    id: `a-${index}`,
    type: 'integration-options',
  })),
  Array.from({ length: 3_000 }, (_, index) => index),
  deep((inner) => [inner]),
  deep((inner) => ({ errors: [{ meta: inner }] })),
  JSON.parse('{"__proto__": {"id": 1}, "constructor": 2, "toString": 3}'),
  { display: {}, value: [] },
];

/** Bodies that are cheap to make and dear to read. */
const WEIGHTY: readonly (() => string)[] = [
  () =>
    `${'{"errors":[{"title":"x","meta":'.repeat(20_000)}1${'}]}'.repeat(20_000)}`,
  () => `{"data":[${'{},'.repeat(5_000_000)}{}],"meta":{"page":{"total":1}}}`,
  () =>
    `{"data":[{"id":"${'x'.repeat(15_000_000)}"}],"meta":{"page":{"total":1}}}`,
];

const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** A fault that changes a part of the service's answer, or takes its place; slow and silent ones are for other tests. */
function hostileAnswer(draw: Seeded): Fault {
  const kind = draw.random();
  if (kind < 0.7) return withBody((body) => changed(body, draw));
  if (kind < 0.8)
    return withBody((body) =>
      body.slice(0, Math.floor(body.length * draw.random())),
    );
  if (kind < 0.85)
    return {
      status: draw.pick([200, 400, 422]),
      headers: JSON_API,
      body: draw.pick(WEIGHTY)(),
    };
  const status = draw.pick([
    200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 503,
  ]);
  const made = draw.pick(HOSTILE);
  const body = draw.pick([
    { errors: made },
    { errors: [{ detail: made, meta: made }] },
    { data: made },
    made,
  ]);
  return status === 204
    ? { status }
    : { status, headers: JSON_API, body: JSON.stringify(body) };
}

/** A JSON text with some of its parts replaced, left out or repeated. */
function changed(body: string, draw: Seeded): string {
  if (body === '') return body;
  const document = { body: JSON.parse(body) as unknown };
  const times = draw.pick([1, 1, 2, 5]);
  for (let time = 0; time < times; time += 1)
    changePart(document, draw, JSON.stringify(document).length < MOST_REPEATED);
  return JSON.stringify(document.body);
}

/** The most characters of an answer of which a part is repeated: a few rounds would make gigabytes of it. */
const MOST_REPEATED = 50_000;

function changePart(root: object, draw: Seeded, mayRepeat: boolean): void {
  let parent: object = root;
  let key = 'body';
  for (;;) {
    const inner: unknown = Reflect.get(parent, key);
    const keys =
      typeof inner === 'object' && inner !== null ? Object.keys(inner) : [];
    if (keys.length === 0 || draw.random() < 0.15) break;
    parent = inner as object;
    key = draw.pick(keys);
  }
  const part: unknown = Reflect.get(parent, key);
  const turn = draw.random();
  if (turn < 0.2) Reflect.deleteProperty(parent, key);
  else if (turn < 0.4 && mayRepeat && Array.isArray(part))
    Reflect.set(parent, key, Array(200).fill(part).flat());
  else Reflect.set(parent, key, structuredClone(draw.pick(HOSTILE)));
}
