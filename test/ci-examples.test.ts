import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  commentsApi,
  issuesApi,
  notesApi,
  projectIssuesApi,
} from './support/comments-api.ts';
import { run } from './support/run.ts';
import { type Ended, gitHub, gitLab, type Service } from './support/runner.ts';
import { exchange, logIn, setOption } from './support/sandbox.ts';
import { type Team, team } from './support/team.ts';

const GITHUB = 'examples/ci/github.yml';

/** A service, and how a test sees what people see there. */
interface Forge {
  readonly name: string;
  readonly of: (given: Team) => Promise<Service>;
  readonly issues: typeof issuesApi | typeof projectIssuesApi;
  readonly comments: () => Promise<Comments>;
  /** The artifact of a job that applies. */
  readonly applied: string;
}

interface Comments {
  readonly url: string;
  readonly texts: () => string[];
}

const FORGES: readonly Forge[] = [
  {
    name: 'GitHub',
    of: (given) => gitHub(given, GITHUB),
    issues: issuesApi,
    comments: async () => {
      const { url, comments } = await commentsApi();
      return { url, texts: () => comments.map(({ body }) => body) };
    },
    applied: 'applied-production',
  },
  {
    name: 'GitLab',
    of: gitLab,
    issues: projectIssuesApi,
    comments: async () => {
      const { url, notes } = await notesApi([]);
      return { url, texts: () => notes.map(({ body }) => body) };
    },
    applied: 'apply production',
  },
];

const BOTH = ['staging', 'production'];
const WITHOUT_PRODUCTION = ['setpoint-production'];

function environmentOf(server: string): string {
  return `setpoint-${server}`;
}

/** The files of the team with another number of results. */
function withResults(results: number): Record<string, string> {
  return edited('base/values.yaml', 'results: 25', `results: ${results}`);
}

function edited(
  path: string,
  from: string,
  to: string,
): Record<string, string> {
  const text = readFileSync(`examples/team/${path}`, 'utf8');
  expect(text).toContain(from);
  return { [path]: text.replace(from, () => to) };
}

const LOOKUPS = 'base/intelligence.yaml';
const KEY = 'SETPOINT_THREATLOOKUP_KEY}", permission: lock-and-hide';

/** Changes an option behind the back of the configuration. */
async function drift(
  { url }: { readonly url: string },
  value: unknown,
  key = 'timeout',
): Promise<void> {
  const token = await logIn(url, 'admin');
  const { body } = await exchange(url, 'GET', '/api/integrations', { token });
  const { data } = body as { data: readonly { readonly id: string }[] };
  const lookup = data.find(({ id }) => id.startsWith('threat_lookup_'));
  await setOption(url, `${lookup?.id}-${key}`, value);
}

/** What people read first in a report, up to its folds. */
function firstOf(report = ''): string {
  const [above = ''] = report.split(/<details>|<sub>/);
  const lines = above.split('\n').filter((line) => line !== '');
  return lines.join('\n');
}

/** A transcript: what happened, how the jobs ended, which servers were written to, and what there is to read. */
class Transcript {
  text: string;
  readonly given: Team;
  constructor(name: string, given: Team) {
    this.text = `# Two servers on ${name}\n`;
    this.given = given;
  }
  add(title: string, ended: Ended, report?: string): void {
    const codes = Object.entries(ended).map((pair) => pair.join(' '));
    const written = this.given.written().join(' and ') || 'no server';
    this.text += `\n## ${title}\n\nJobs: ${codes.join(', ')}. Written: ${written}.\n`;
    if (report !== undefined)
      this.text += `\n~~~markdown\n${firstOf(report)}\n~~~\n`;
  }
  expectGolden(path: string): void {
    if (process.env['UPDATE_TRANSCRIPTS'] === '1')
      writeFileSync(path, this.text);
    else expect(this.text).toBe(readFileSync(path, 'utf8'));
  }
}

describe.each(FORGES)('$name', (forge) => {
  test('is told from one merge to the next, with a real remote', async () => {
    const given = await team();
    const service = await forge.of(given);
    const { url, issues } = await forge.issues();
    const comments = await forge.comments();
    const log = new Transcript(forge.name, given);
    const night = async (title: string) => {
      const ended = await service.run({ event: 'schedule', api: url });
      const last = issues.at(-1);
      const isOpen = last?.state.startsWith('open');
      log.add(title, ended, isOpen ? last?.body : undefined);
      log.text += `\nThe issue is ${isOpen ? 'open' : 'closed'}.\n`;
    };
    const push = { event: 'push' } as const;
    const first = given.remoteCommit('main');
    log.add('The first push is applied everywhere', await service.run(push));

    await given.push(withResults(40));
    const waiting = { ...push, withheld: WITHOUT_PRODUCTION };
    log.add(
      'A change is merged, and production waits for its approval',
      await service.run(waiting),
    );
    await night('A night: merged, not applied yet');
    const again = await service.run({ event: 'workflow_dispatch' });
    log.add('Somebody runs it again, and approves production', again);
    await drift(given.production, 31);
    given.written();
    await night('A night: somebody changed production by hand');
    await drift(given.production, 20);
    given.written();
    await night('A night without differences');

    const rotated = KEY.concat(', rotated: 2026-11-21');
    await given.push(edited(LOOKUPS, KEY, rotated));
    const both = BOTH.map(environmentOf);
    const unapproved = await service.run({ ...push, withheld: both });
    log.add('A key was rotated, and waits', unapproved);
    await night('A night: rotated, not written');
    given.rotate('k-9876543210');
    log.add('The key is written', await service.run(push));

    const shown = edited(LOOKUPS, 'lock-and-hide', 'lock-and-show');
    await given.push(shown, 'risky');
    const risky = { event: 'pull_request', branch: 'risky' } as const;
    const refused = await service.run({ ...risky, api: comments.url });
    log.add(
      'A branch would show a key to everybody',
      refused,
      comments.texts()[0],
    );

    given.git('checkout', '--quiet', 'main');
    await given.push(withResults(60));
    log.add('A mistake is merged and applied', await service.run(push));
    const report = join(service.artifact(forge.applied), 'applied.json');
    const undo = await run(['undo', report, '--yes', '--quiet'], {
      cwd: given.root,
      env: given.secrets['setpoint'] ?? {},
    });
    log.text += '\nIts report is an artifact, and undoes it:\n';
    log.add('It is undone', { undo: undo.code }, lastLine(undo.stdout));

    const force = ['push', '--force', 'origin'];
    for (const name of BOTH) {
      const pushed = given.remoteCommit(`applied/${name}`);
      const rewind = `${first}:refs/heads/applied/${name}`;
      expect(() => given.git(...force, rewind)).toThrow('non-fast-forward');
      expect(given.remoteCommit(`applied/${name}`)).toBe(pushed);
    }
    const old = await service.run({ ...push, commit: first });
    log.add('Somebody repeats the run of the first push', old);
    log.expectGolden(`test/fixtures/walk-${forge.name.toLowerCase()}.md`);
  });

  test('reviews without a secret, and is red for what cannot be merged', async () => {
    const given = await team();
    const service = await forge.of(given);
    const comments = await forge.comments();
    const review = (branch: string, more = {}) =>
      service.run({
        event: 'pull_request',
        branch,
        api: comments.url,
        ...more,
      });
    await given.push(withResults(40), 'early');
    // Without snapshots it compares what the files say.
    expect(await review('early')).toMatchObject({ review: 0 });
    given.git('checkout', '--quiet', 'main');
    await service.run({ event: 'push' });
    given.written();
    await given.push(withResults(40), 'branch');
    expect(await review('branch')).toMatchObject({ review: 0 });
    expect(comments.texts().at(-1)).toContain('from snapshots since');
    expect(await review('branch', { isFork: true })).toMatchObject({
      review: 0,
    });
    // What nobody merged has reached no server.
    expect(given.written()).toEqual([]);

    given.git('checkout', '--quiet', 'main');
    await drift(given.production, 'https://other.example.com/v3', 'url');
    const { url: api } = await forge.issues();
    await service.run({ event: 'schedule', api });
    await given.push(edited(LOOKUPS, '/v3', '/v4'), 'conflict');
    expect(await review('conflict')).toMatchObject({ review: 1 });

    given.git('checkout', '--quiet', 'main');
    await given.push(withResults(50));
    expect(await review('branch')).toMatchObject({ review: 1 });
  });

  test('waits for servers with changes alone, and counts the others as applied', async () => {
    const given = await team();
    const service = await forge.of(given);
    await service.run({ event: 'push' });
    const commit = await given.push({ 'notes.txt': 'none' });
    const appliedBy = async (more = {}) => {
      const ended = await service.run({ event: 'push', ...more });
      expect(Object.values(ended).filter((code) => code !== 0)).toEqual([]);
      return Object.keys(ended).filter((name) => name.startsWith('apply '));
    };
    expect(await appliedBy()).toEqual([]);
    for (const name of BOTH)
      expect(given.remoteCommit(`applied/${name}`)).toBe(commit);
    const next = await given.push(
      edited('production.yaml', '${value:results}', '30'),
    );
    expect(await appliedBy({ withheld: BOTH.map(environmentOf) })).toEqual([]);
    expect(given.remoteCommit('applied/staging')).toBe(next);
    expect(given.remoteCommit('applied/production')).toBe(commit);
    expect(await appliedBy()).toEqual(['apply production']);
  });

  test('writes to no server with the secret of another, nor after one that failed', async () => {
    const given = await team();
    const { 'setpoint-production': production = {}, ...secrets } =
      given.secrets;
    const mixed = { ...secrets, 'setpoint-staging': production };
    const stranger = await forge.of({ ...given, secrets: mixed });
    const ended = await stranger.run({ event: 'push' });
    expect(ended['apply staging']).toBe(4);
    given.refuse(true);
    const service = await forge.of(given);
    const refused = await service.run({ event: 'push' });
    expect(refused['apply staging']).toBe(5);
    expect(refused).not.toHaveProperty('apply production');
    expect(() => given.remoteCommit('applied/staging')).toThrow();
    expect(given.production.seen().join('\n')).not.toContain('PATCH');
  });

  test('applies the rest if one entry matches nothing, and lets many change if a person says so', async () => {
    const given = await team();
    const service = await forge.of(given);
    const nowhere = '  nowhere: { match: nothing_*, options: { a: 1 } }\n';
    const text = readFileSync('examples/team/production.yaml', 'utf8');
    await given.push({ 'production.yaml': text + nowhere });
    const name = forge.name === 'GitHub' ? 'allow-changes' : 'ALLOW_CHANGES';
    const ended = await service.run({
      event: 'workflow_dispatch',
      inputs: { [name]: '20' },
    });
    expect(ended).toMatchObject({
      plan: 3,
      'apply staging': 0,
      'apply production': 5,
    });
    expect(given.written()).toEqual(BOTH);
    expect(given.remoteCommit('applied/staging')).toBe(
      given.remoteCommit('main'),
    );
    expect(() => given.remoteCommit('applied/production')).toThrow();
  });
});

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

describe('on GitHub', () => {
  test('without approvals a person applies the plan of a run by hand', async () => {
    const given = await team();
    const service = await gitHub(given, GITHUB);
    const vars = { SETPOINT_BY_HAND: 'true' };
    const planned = await service.run({ event: 'push', vars });
    expect([planned, given.written()]).toEqual([{ plan: 0, live: 0 }, []]);
    const event = 'workflow_dispatch';
    const inputs = { run: '1', server: 'staging' };
    const applied = await service.run({ event, vars, inputs });
    expect(applied).toEqual({ 'apply staging': 0, live: 0 });
    expect(given.written()).toEqual(['staging']);
    // A plan of another commit is not that of this one.
    await given.push(withResults(40));
    const late = await service.run({ event, vars, inputs });
    expect(late).toEqual({ 'apply staging': 1, live: 0 });
    expect(given.written()).toEqual([]);
  });

  test('one server needs one page', async () => {
    const given = await team();
    const project = readFileSync(join(given.root, 'setpoint.yaml'), 'utf8');
    const alone = project.replace(/ {2}staging:\n(?: {4}.*\n)+/, '');
    await given.push({ 'setpoint.yaml': alone });
    const token = given.secrets['setpoint-production']?.['SETPOINT_TOKEN'];
    const secrets = {
      setpoint: { SETPOINT_TOKEN: token ?? '' },
      'setpoint-production': given.secrets['setpoint-production'] ?? {},
    };
    const path = 'examples/ci/one-server.yml';
    const service = await gitHub({ ...given, secrets }, path);
    const { url, issues } = await issuesApi();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(61);
    const withheld = WITHOUT_PRODUCTION;
    expect(await service.run({ event: 'push', withheld })).toEqual({ plan: 0 });
    await service.run({ event: 'schedule', api: url });
    expect(issues.map(({ state }) => state)).toEqual(['open']);
    const both = { plan: 0, apply: 0 };
    expect(await service.run({ event: 'push' })).toEqual(both);
    await service.run({ event: 'schedule', api: url });
    expect(issues.map(({ state }) => state)).toEqual(['closed']);
    // A commit without a change for the server is applied too.
    const commit = await given.push({ 'notes.txt': 'none' });
    expect(await service.run({ event: 'push' })).toEqual({ plan: 0 });
    expect(given.remoteCommit('applied/production')).toBe(commit);
    // An old run that is repeated ends before it writes.
    await given.push(withResults(45));
    expect(await service.run({ event: 'push' })).toEqual(both);
    const repeated = await service.run({ event: 'push', commit });
    expect(repeated).toEqual({ plan: 0, apply: 1 });
    await service.run({ event: 'schedule', api: url });
    expect(issues.map(({ state }) => state)).toEqual(['closed']);
    await given.push(withResults(40), 'branch');
    const { url: api } = await commentsApi();
    const review = { event: 'pull_request', branch: 'branch', api } as const;
    expect(await service.run(review)).toEqual({ review: 0 });
  });
});
