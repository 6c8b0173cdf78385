import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { CANARY } from './faulty-apply.ts';
import { codesOf, type Outcome, outcomeOf, serversOf } from './report.ts';
import type { RunResult } from './run.ts';
import type { Exchange } from './sandbox.ts';
import { ASSETS, LOGS, THREAT, TICKETS, VAULT } from './sandbox-requests.ts';

/** What a configuration asks of one integration: its YAML, and each attribute by the address that a PATCH has for it. */
export interface Desired {
  readonly name: string;
  readonly id: string;
  readonly yaml: string;
  /** `optionId#attribute` or `integrationId#autosubscribe`, and its value as it goes over the wire. */
  readonly fields: ReadonlyMap<string, unknown>;
}

const ZONES = 'time_zones_node_18_1688358965';
const LOCKED = { 'admin-only': false, 'user-can-edit': false };
const HIDDEN = { 'admin-only': true, 'user-can-edit': false };

/** What nothing of holds on a fresh example catalog whose Ticket Desk has subscribers. */
export const DESIRED: readonly Desired[] = [
  desired(
    'threat',
    THREAT,
    'autosubscribe: true, options: { apiKey: "${env:SETPOINT_CANARY}", timeout: 30 }',
    {
      apiKey: { value: CANARY },
      timeout: { value: 30 },
      '': { autosubscribe: true },
    },
  ),
  desired(
    'tickets',
    TICKETS,
    'autosubscribe: false, options: { url: "https://t.example.com", allowCreate: false }',
    {
      url: { value: 'https://t.example.com' },
      allowCreate: { value: false },
      '': { autosubscribe: false },
    },
  ),
  desired('vault', VAULT, 'options: { orgId: { value: 7, permission: lock-and-show }, writeBack: true }', {
    orgId: { value: 7, ...LOCKED },
    writeBack: { value: true },
  }),
  desired('logs', LOGS, 'options: { maxConcurrent: 9, fields: { permission: lock-and-hide } }', {
    maxConcurrent: { value: 9 },
    fields: HIDDEN,
  }),
  // Where passwords cannot be read, nobody can tell by reading what came of its options.
  desired('assets', ASSETS, 'options: { password: "${env:SETPOINT_CANARY}" }', {
    password: { value: CANARY },
  }),
];

/** One more, for configurations that are drawn at random. */
export const SPARE: Desired = desired('zones', ZONES, 'autosubscribe: true, options: { format: "HH:mm" }', {
  format: { value: 'HH:mm' },
  '': { autosubscribe: true },
});

/** The configuration file that asks for these. */
export function yamlOf(all: readonly Desired[]): string {
  const entries = all.map(({ name, id, yaml }) => `  ${name}: { match: ${id}, ${yaml} }\n`);
  return `version: 1\nintegrations:\n${entries.join('')}`;
}

/** What the service holds of the desired fields: those that a PATCH which it accepted has set. */
export function heldOf(exchanges: readonly Exchange[]): ReadonlyMap<string, unknown> {
  const accepted = exchanges.filter(({ method, status }) => method === 'PATCH' && status < 300);
  return new Map(accepted.flatMap(({ body }) => fieldsOf(body)));
}

/** Whether the service holds all that is desired of one integration. */
export function isHeld({ fields }: Pick<Desired, 'fields'>, held: ReadonlyMap<string, unknown>): boolean {
  return [...fields].every(([address, value]) => isDeepStrictEqual(held.get(address), value));
}

/** Writes of anything but what is desired. */
export function wrongWrites(
  all: readonly Pick<Desired, 'fields'>[],
  exchanges: readonly Exchange[],
): string[] {
  const wanted = new Map(all.flatMap(({ fields }) => [...fields]));
  const sent = exchanges.filter(({ method }) => method === 'PATCH').flatMap(({ body }) => fieldsOf(body));
  return sent.flatMap(([address, value]) =>
    wanted.has(address) && isDeepStrictEqual(wanted.get(address), value) ? [] : [address],
  );
}

/** Integrations of which two option PATCHes came without a reading between them, though the first was neither 429 nor 401. */
function blindRepeats(exchanges: readonly Exchange[]): string[] {
  const unread = new Set<string>();
  const found: string[] = [];
  for (const { method, path, status, body } of exchanges) {
    if (method === 'GET') {
      if (path.startsWith('/api/integrations?')) unread.clear();
      for (const id of [...unread]) if (decodeURIComponent(path).includes(id)) unread.delete(id);
    }
    if (method !== 'PATCH' || path !== '/api/integration-options') continue;
    const owner =
      [...DESIRED, SPARE].find(({ id }) => fieldsOf(body)[0]?.[0].startsWith(`${id}-`) === true)?.id ?? '';
    if (unread.has(owner)) found.push(owner);
    if (status !== 429 && status !== 401) unread.add(owner);
  }
  return found;
}

function desired(
  name: string,
  id: string,
  yaml: string,
  attributes: Readonly<Record<string, object>>,
): Desired {
  const fields = Object.entries(attributes).flatMap(([key, values]) =>
    Object.entries(values).map(([attribute, value]): [string, unknown] => [
      `${key === '' ? id : `${id}-${key}`}#${attribute}`,
      value,
    ]),
  );
  return { name, id, yaml, fields: new Map(fields) };
}

/** Each attribute of the body of a PATCH, by its address. */
export function fieldsOf(body: unknown): [string, unknown][] {
  const { data } = body as { data: Item | readonly Item[] };
  return [data]
    .flat()
    .flatMap(({ id, attributes }) =>
      Object.entries(attributes).map(([name, value]): [string, unknown] => [`${id}#${name}`, value]),
    );
}

interface Item {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
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
  expect(result.stdout + result.stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d|Error:/);
  const told = serversOf(result).filter(({ name }) => server === undefined || name === server);
  const integrations = told.flatMap((each) => each.integrations);
  const outcomes = new Map(integrations.map((each) => [each.name, outcomeOf(each)]));
  const said = all.map(({ name }) => [name, outcomes.get(name) ?? 'nothing'] as const);
  for (const [index, desired] of all.entries()) {
    const outcome = said[index]?.[1] ?? 'nothing';
    const truth = isHeld(desired, held) ? 'held' : 'open';
    const was = isHeld(desired, before) ? 'held' : 'open';
    const wrote = since.some(
      ({ body, status }) => status < 300 && JSON.stringify(body ?? '').includes(desired.id),
    );
    const allowed = HONEST[outcome]({ truth, was, wrote, result });
    expect(allowed, `${desired.name} is ${truth}, the report says ${outcome}`).toBe(true);
  }
  if (result.code === 0) expect(all.every((desired) => isHeld(desired, held))).toBe(true);
  const troubled = said.some(
    ([, outcome]) => outcome !== 'nothing' && outcome !== 'verified' && outcome !== 'sent',
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
  'not-attempted': ({ truth, wrote }) => truth === 'open' && !wrote,
  stale: ({ truth, wrote }) => truth === 'open' && !wrote,
  blocked: ({ truth }) => truth === 'open',
  nothing: ({ was, truth, wrote, result }) =>
    !wrote && truth === was && (was === 'held' || result.code !== 0),
};
