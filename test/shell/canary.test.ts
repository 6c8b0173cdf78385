import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { anySecret, PLACES, type Planted } from '../support/canary.ts';
import {
  type Hostility,
  hostileServer,
  type Served,
} from '../support/hostile-server.ts';
import { type RunResult, run } from '../support/run.ts';
import { FORMS } from '../support/secret-forms.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** How many runs one server serves, and how many such servers there are. */
const RUNS = Math.min(50, seeds(5, 10_000));
const SERVERS = seeds(1, 10_000 / RUNS);

const PLACED = /^(plan|apply|reviewed|undone|validate|compare)$/;
const LEVELS = [[], ['--quiet'], ['--verbose']] as const;

/** The commands that get to know the secrets of the configuration; `reviewed` saves a plan and applies it. */
const COMPARING = ['plan', 'apply', 'reviewed', 'show', 'accept'] as const;
/** An `undone` apply is taken back by a run that reads no configuration. */
const OTHERS = [
  'undone',
  'validate',
  'list',
  'compare',
  'errors',
  'schema',
] as const;
const COMMANDS = [...COMPARING, ...OTHERS] as const;
type Command = (typeof COMMANDS)[number];

/** Mistakes in the YAML: each leads to a finding, often with an excerpt of the lines beside a secret. */
const MISTAKES = [
  '      unheardOf: 1\n',
  '      limit: 0123\n',
  '      limit: { valeu: 5 }\n',
  '      limit: { permission: nobody }\n',
  '      limit: ${env:SETPOINT_MISSING}\n',
  '      mode: quick\n',
  '  gamma: { autosubscribe: true }\n',
  '  beta: { match: beta_*, options: { note: [1, { }] } }\n',
] as const;

test.each(Array.from({ length: SERVERS }, (_, index) => index * RUNS))(
  `no secret leaves setpoint in ${RUNS} random runs from %i`,
  async (from) => {
    const title = process.title;
    const tally = { hidden: 0, masked: 0 };
    const served = await hostileServer(from);
    for (let seed = from; seed < from + RUNS; seed += 1) {
      const { texts, isMasked } = await runOne(seed, served);
      if (/\(secret\)/.test(texts)) tally.hidden += 1;
      if (isMasked) tally.masked += 1;
    }
    // What is never repeated is never hidden either: then the server was not hostile.
    expect(tally.hidden).toBeGreaterThan(RUNS / 10);
    expect(tally.masked).toBeGreaterThan(0);
    expect(process.title).toBe(title);
  },
);

/** One run with a secret of its own; fails where anything that it leaves behind holds it. */
async function runOne(
  seed: number,
  { proxy, dialect, behave, restore }: Served,
) {
  const draw = seeded(seed);
  const { pick, random } = draw;
  const secret = anySecret(draw);
  const [place, planted] = anyPlace(secret, draw);
  const isOfSession = planted.known !== 'with the configuration';
  const command = pick<Command>(
    isOfSession || random() < 0.3 ? COMMANDS : COMPARING,
  );
  const formats = PLACED.test(command) ? FORMATS : ['text', 'json'];
  const format = pick(formats);
  const told = `seed ${seed}: ${command}, ${place}, ${dialect}, ${format}`;
  await restore();
  behave(hostilityOf(seed, secret, planted, command));
  const files = { 'a.yaml': yamlOf(planted, draw), ...planted.files };
  const cwd = await tempFolder(files);
  const isRunner = random() < 0.25;
  const wish = {
    cwd,
    env: {
      SETPOINT_USERNAME: 'admin',
      SETPOINT_PASSWORD: 'the-password-of-a-user',
      ...(isRunner ? { GITHUB_ACTIONS: 'true' } : {}),
      ...planted.env,
    },
    isTTY: random() < 0.2,
    columns: pick([40, 80, 200]),
    answer: 'yes',
    random,
    onSleep: () => proxy.comeBack(),
  };
  const level = pick(LEVELS);
  const outputs: RunResult[] = [];
  const flags = command === 'validate' ? [] : (planted.flags ?? []);
  const reports = formats.flatMap((each) => [
    '--report',
    each === format ? each : `${each}=report.${each}`,
  ]);
  for (const line of linesOf(command, proxy.url, draw)) {
    const args = [...line.split(' '), ...flags, ...reports, ...level];
    outputs.push(await run(args, wish));
    await proxy.comeBack();
  }
  const left = await textsIn(cwd, new Set(Object.keys(files)));
  const written = newLines(
    files['a.yaml'],
    await readFile(join(cwd, 'a.yaml'), 'utf8'),
  );
  expectHidden(secret, written, `${told}: what was written into the YAML`);
  const masks = outputs.map(({ stderr }) =>
    expectMaskedFirst(secret, planted, isRunner, stderr, told),
  );
  const texts = [
    ...outputs.flatMap(({ stdout, stderr }) => [stdout, withoutMasks(stderr)]),
    ...left,
  ].join('\n');
  expect(texts, told).not.toContain('error[unexpected]');
  expectHidden(secret, texts, told);
  return { texts, isMasked: masks.includes(true) };
}

/** The lines that a file did not have before, without the comments that the test wrote behind them. */
function newLines(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  const lines = after.split('\n').filter((line) => !known.has(line));
  return lines.map((line) => line.replace(/ # was .*$/, '')).join('\n');
}

/** A place that can hold a secret, with the secret in it. */
function anyPlace(secret: string, draw: Seeded): readonly [string, Planted] {
  const [name, plant] = draw.pick(Object.entries(PLACES));
  const planted = plant(secret, draw);
  return planted === undefined ? anyPlace(secret, draw) : [name, planted];
}

/** What a server does, and what it repeats: nothing that the run cannot know by then. */
function hostilityOf(
  seed: number,
  secret: string,
  planted: Planted,
  command: Command,
): Hostility {
  const { token = 'the-token-of-a-login', known } = planted;
  const echo = (draw: Seeded) =>
    AROUND.join(draw.pick(Object.values(FORMS))(secret));
  const isRead =
    known !== 'with the configuration' ||
    COMPARING.some((each) => each === command);
  const echoes =
    known === 'once logged in' ? 'after the login' : isRead ? 'all' : 'none';
  return { seed, token, echo, echoes };
}

function yamlOf(
  { options = ['url: https://new.example'], values = '' }: Planted,
  { pick, random }: Seeded,
): string {
  const mistake = random() < 0.2 ? pick(MISTAKES) : '';
  const own = options.map((line) => `      ${line}\n`).join('');
  return `version: 1\n${values}integrations:\n  alpha:\n    match: alpha_*\n    options:\n${own}${mistake}`;
}

/** The command lines of a run: one, or two where a plan is saved and then applied. */
function linesOf(command: Command, url: string, { pick }: Seeded): string[] {
  const server = `--url ${url} --timeout 0.5`;
  const planning = `-f a.yaml ${server}`;
  const writing = pick(['', ' --write-hidden all']);
  const yes = pick(['', ' --yes', ' --yes --fail-on-errors']);
  const consent = `--allow exposes-secret${yes}`;
  switch (command) {
    case 'validate':
      return ['validate a.yaml'];
    case 'plan':
      return [`plan ${planning}${writing}`];
    case 'show': {
      const options = ['apiKey', 'url', 'pem'].map(
        (key) => `alpha.options.${key}`,
      );
      return ['alpha', ...options, '*'].map(
        (word) => `show ${word} ${planning}${pick(['', ' --full'])}`,
      );
    }
    case 'apply':
      return [`apply ${planning}${writing} ${consent}`];
    case 'reviewed':
      return [
        `plan ${planning}${writing} --report json=plan.json`,
        `apply plan.json ${planning} ${consent}`,
      ];
    case 'undone':
      return [
        `apply ${planning}${writing} ${consent} --report json=done.json`,
        `undo done.json ${server} ${consent}`,
      ];
    case 'accept':
      return [`accept --all ${planning}${pick(['', ' --yes'])}`];
    case 'list':
      return [`list ${server}${pick(['', ' -f a.yaml'])}`];
    case 'compare':
      return [`compare ${url} ${url} --timeout 0.5 --full`];
    case 'errors':
    case 'schema':
      return [`${command} ${server}`];
  }
}

/** The texts of all files below a folder but those of the test's own. */
async function textsIn(
  folder: string,
  own: ReadonlySet<string>,
): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !own.has(path.slice(folder.length + 1)));
  return Promise.all(paths.map((path) => readFile(path, 'utf8')));
}

/** What goes around a secret in the texts of a hostile server. */
const AROUND = ['SAID-', '-END'] as const;

/** Fails if a text holds a secret in any encoding that the masker knows. */
function expectHidden(secret: string, texts: string, told: string): void {
  const squeezed = texts.replace(/\s+/g, '');
  const has = (text: string) =>
    texts.includes(text) || squeezed.includes(text.replace(/\s+/g, ''));
  const shown = Object.entries(FORMS).flatMap(([name, form]) =>
    has(form(secret)) ? [name] : [],
  );
  expect(shown, `${told}\n${secret}\n${texts}`).toEqual([]);
}

const MASK = /^::add-mask::.*\n/gm;

/** What a run printed to stderr beside its orders to a runner. */
const withoutMasks = (stderr: string) => stderr.replace(MASK, '');

/**
 * Fails unless runners, and nobody else, are told to mask what comes from outside before anything else is printed. Returns
 * whether they were.
 */
function expectMaskedFirst(
  secret: string,
  { token }: Planted,
  isRunner: boolean,
  stderr: string,
  told: string,
): boolean {
  if (!isRunner) expect(stderr, told).not.toContain('::add-mask::');
  const coded = secret
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
  const at = stderr.indexOf(`::add-mask::${coded}`);
  if (token !== undefined || at < 0) return false;
  expect(withoutMasks(stderr.slice(0, at)), told).toBe('');
  return true;
}
