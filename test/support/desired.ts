import { expect } from 'vitest';
import type { Exchange } from '../../src/sandbox/service.ts';
import { CANARY } from './faulty-apply.ts';
import {
  asked,
  type Desired,
  fieldsOf,
  heldOf,
  isHeld,
  wrongWrites,
} from './fleet.ts';
import { codesOf, type Outcome, outcomeOf, serversOf } from './report.ts';
import type { RunResult } from './run.ts';

/** What nothing of holds on a fresh fleet whose `tickets` has subscribers. */
export const DESIRED: readonly Desired[] = [
  asked('threat', { apiKey: CANARY, limit: 30, autosubscribe: true }),
  asked('tickets', {
    url: 'https://t.example.com',
    strict: true,
    autosubscribe: false,
  }),
  asked('vault', { limit: 7, strict: true, hint: 'lock-and-show' }),
  asked('logs', { limit: 9, types: ['url', 'domain'], hint: 'user-provides' }),
  // Where passwords cannot be read, nobody can tell by reading what came of its options.
  asked('assets', { apiKey: CANARY }),
];

/** One more, for configurations that are drawn at random. */
export const SPARE: Desired = asked('zones', {
  url: 'https://z.example.com',
  autosubscribe: true,
});

/** Integrations of which two option PATCHes came without a reading between them, though the first was neither 429 nor 401. */
function blindRepeats(exchanges: readonly Exchange[]): string[] {
  const unread = new Set<string>();
  const found: string[] = [];
  for (const { method, path, status, body } of exchanges) {
    if (method === 'GET') {
      if (path.startsWith('/api/integrations?')) unread.clear();
      for (const id of [...unread])
        if (decodeURIComponent(path).includes(id)) unread.delete(id);
    }
    if (method !== 'PATCH' || path !== '/api/integration-options') continue;
    const owner = fieldsOf(body)[0]?.[0].replace(/-.*/, '') ?? '';
    if (unread.has(owner)) found.push(owner);
    if (status !== 429 && status !== 401) unread.add(owner);
  }
  return found;
}

/**
 * Fails unless the report and the exit code of an apply say what the service really holds, and nothing was written that
 * should not have been. `since` are the requests that the service saw in this run, `exchanges` all that it ever saw; `server`
 * is its name where there are several.
 */
export function expectTruth(
  all: readonly Desired[],
  result: RunResult,
  exchanges: readonly Exchange[],
  since: readonly Exchange[] = exchanges,
  server?: string,
): void {
  const held = heldOf(exchanges);
  const before = heldOf(exchanges.slice(0, exchanges.length - since.length));
  expect(wrongWrites(all, since)).toEqual([]);
  expect(blindRepeats(since)).toEqual([]);
  expect(result.stdout + result.stderr).not.toContain(CANARY);
  expect(result.stdout + result.stderr).not.toMatch(
    /\n\s+at |node:internal|\.ts:\d|Error:/,
  );
  const told = serversOf(result).filter(
    ({ name }) => server === undefined || name === server,
  );
  const integrations = told.flatMap((each) => each.integrations);
  const outcomes = new Map(
    integrations.map((each) => [each.name, outcomeOf(each)]),
  );
  const said = all.map(
    ({ name }) => [name, outcomes.get(name) ?? 'nothing'] as const,
  );
  for (const [index, desired] of all.entries()) {
    const outcome = said[index]?.[1] ?? 'nothing';
    const truth = isHeld(desired, held) ? 'held' : 'open';
    const was = isHeld(desired, before) ? 'held' : 'open';
    const wrote = since.some(
      ({ body, status }) =>
        status < 300 && JSON.stringify(body ?? '').includes(`"${desired.name}`),
    );
    const allowed = HONEST[outcome]({ truth, was, wrote, result });
    expect(
      allowed,
      `${desired.name} is ${truth}, the report says ${outcome}`,
    ).toBe(true);
  }
  if (result.code === 0)
    expect(all.every((desired) => isHeld(desired, held))).toBe(true);
  const troubled = said.some(
    ([, outcome]) =>
      outcome !== 'nothing' && outcome !== 'verified' && outcome !== 'sent',
  );
  if (troubled) expect([4, 5, 130, 143]).toContain(result.code);
  if (result.code !== 0) expect(codesOf(result)).not.toEqual([]);
}

interface Fact {
  readonly truth: 'held' | 'open';
  readonly was: 'held' | 'open';
  readonly wrote: boolean;
  readonly result: RunResult;
}

/** Whether an outcome, or the lack of one, says what is true. */
const HONEST: Record<Outcome | 'nothing', (fact: Fact) => boolean> = {
  verified: ({ truth }) => truth === 'held',
  sent: ({ truth }) => truth === 'held',
  failed: ({ truth }) => truth === 'open',
  'not-converged': ({ truth }) => truth === 'open',
  unknown: () => true,
  // A hidden field is planned whatever is held.
  'not-attempted': ({ was, truth, wrote }) => !wrote && truth === was,
  stale: ({ truth, wrote }) => truth === 'open' && !wrote,
  blocked: ({ truth }) => truth === 'open',
  nothing: ({ was, truth, wrote, result }) =>
    !wrote && truth === was && (was === 'held' || result.code !== 0),
};
