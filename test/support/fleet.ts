import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { optionId } from '../../src/core/model/ids.ts';
import type { Exchange } from '../../src/sandbox/service.ts';
import { at, listAt, recordAt } from './at.ts';
import {
  configuration,
  installed,
  type LiveSandbox,
  type LiveWish,
  liveSandbox,
  option,
} from './live-sandbox.ts';
import { ADMIN } from './run.ts';
import { exchange, logIn } from './sandbox.ts';
import { tempFolder } from './temp.ts';

const choice = (value: string) => ({ value, display: `The ${value} one` });

/** What an integration holds at first: values of options, the permission of `hint`, whether all are subscribed. */
const OLD = {
  url: 'https://old.example',
  apiKey: 'old-key-0123456789',
  limit: 1,
  strict: false,
  mode: 'fast',
  types: ['ip'],
  hint: 'lock-and-hide',
  autosubscribe: false,
  other: 'left alone',
};
export type Field = keyof typeof OLD;
export type FleetState = Readonly<Record<Field, unknown>>;
export const FIELDS = Object.keys(OLD) as Field[];

/** The states that a fleet is in at first and that configurations ask for; they differ in every field that is managed. */
export const STATES: Readonly<Record<'old' | 'a' | 'b', FleetState>> = {
  old: OLD,
  a: {
    url: 'https://a.example',
    apiKey: 'a-key-abcdefghij',
    limit: 20,
    strict: true,
    mode: 'deep',
    types: ['ip', 'url'],
    hint: 'lock-and-show',
    autosubscribe: true,
    other: 'left alone',
  },
  b: {
    url: 'https://b.example',
    apiKey: 'b-key-klmnopqrst',
    limit: 300,
    strict: false,
    mode: 'quiet',
    types: ['domain'],
    hint: 'user-provides',
    autosubscribe: false,
    other: 'left alone',
  },
};

const CHOICES = {
  mode: ['fast', 'deep', 'quiet', 'odd'].map(choice),
  types: ['ip', 'url', 'domain', 'odd'].map(choice),
};

interface FleetWish extends Omit<LiveWish, 'catalog' | 'ids'> {
  /** The names of the servers, each with a fleet of its own. */
  readonly servers?: readonly string[];
  /** What stands before a server. */
  readonly way?: (
    sandbox: LiveSandbox,
    server: number,
  ) => Promise<{ readonly url: string }>;
}

/**
 * Fleets of alike integrations with an option of every type, one on each server, and a project in a folder that asks for a
 * state of all of them.
 */
export async function startFleets(
  count: number,
  {
    servers = ['east'],
    way = async (sandbox) => sandbox,
    ...wish
  }: FleetWish = {},
) {
  const names = Array.from(
    { length: count },
    (_, index) => `unit${String(index).padStart(3, '0')}`,
  );
  const fleet = await fleetOf(names);
  const started = servers.map(async (name, index) => {
    const sandbox = await liveSandbox({ ...wish, ...fleet });
    return { name, sandbox, url: (await way(sandbox, index)).url };
  });
  const all = await Promise.all(started);
  const projectOf = (state: FleetState) => {
    const listed = all.map(
      ({ name, url }) => `  ${name}: { url: "${url}", config: [a.yaml] }\n`,
    );
    return tempFolder({
      '.git/HEAD': '',
      'setpoint.yaml': `version: 1\nservers:\n${listed.join('')}`,
      'a.yaml': yamlOf(names.map((name) => asked(name, state))),
    });
  };
  const [first] = all;
  if (first === undefined) throw new Error('a server was asked for');
  const { sandbox, url } = first;
  const sandboxes = all.map((each) => each.sandbox);
  return {
    names,
    sandbox,
    url,
    sandboxes,
    projectOf,
    cwd: await projectOf(STATES.a),
    env: envOf(STATES.a),
  };
}

/** The environment of runs that bring fleets to a state. */
export function envOf({ apiKey }: FleetState): Record<string, string> {
  return { ...ADMIN, [KEY_VARIABLE]: String(apiKey) };
}

/** What a sandbox installs: integrations with these ids, alike, with an option of every type. */
export function fleetOf(names: readonly string[]) {
  const definition = configuration(
    option('url', 'text', OLD.url),
    option('apiKey', 'password', OLD.apiKey),
    option('limit', 'number', OLD.limit),
    option('strict', 'boolean', OLD.strict),
    option('mode', 'select', choice('fast'), {
      options: CHOICES.mode,
      multiple: false,
    }),
    option('types', 'select', [choice('ip')], {
      options: CHOICES.types,
      multiple: true,
    }),
    option('hint', 'text', ''),
    option('other', 'text', OLD.other),
  );
  return installed(Object.fromEntries(names.map((name) => [name, definition])));
}

/** The environment variable that holds the key of a configuration. */
const KEY_VARIABLE = 'SETPOINT_CANARY';

/** What a configuration asks of one integration: its YAML, and each attribute by the address that a PATCH has for it. */
export interface Desired {
  readonly name: string;
  readonly yaml: string;
  /** `optionId#attribute` or `integrationId#autosubscribe`, and its value as it goes over the wire. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** The integrations of applies that something goes wrong with. */
export const UNITS = 'threat tickets vault logs assets zones mail hosts'.split(
  ' ',
);

/** What asks for some fields of an integration; never for `other`. */
export function asked(
  name: string,
  { other: _, ...state }: Partial<FleetState>,
): Desired {
  const { autosubscribe, ...options } = state;
  const own =
    autosubscribe === undefined
      ? []
      : [['autosubscribe', autosubscribe] as const];
  const written = Object.entries(options).map(([key, value]) => {
    if (key === 'apiKey') return `apiKey: "\${env:${KEY_VARIABLE}}"`;
    return `${key}: ${key === 'hint' ? `{ permission: ${value} }` : JSON.stringify(value)}`;
  });
  const lines = [
    ...own.map((each) => each.join(': ')),
    `options: { ${written.join(', ')} }`,
  ];
  const attributes = own.map(([key, value]): [string, unknown] => [
    `${name}#${key}`,
    value,
  ]);
  const fields = new Map([
    ...fieldsOf(handWritten(name, options)),
    ...attributes,
  ]);
  return { name, yaml: lines.join(', '), fields };
}

/** The configuration file that asks for these. */
export function yamlOf(all: readonly Desired[]): string {
  return `version: 1\nintegrations:\n${all.map(({ name, yaml }) => `  ${name}: { ${yaml} }\n`).join('')}`;
}

/** The body that sets some fields of one integration by hand; without `autosubscribe`, which has a request of its own. */
function handWritten(id: string, fields: Partial<Record<Field, unknown>>) {
  const data = Object.entries(fields).map(([key, value]) => ({
    id: optionId(id, key),
    type: 'integration-options',
    attributes:
      key === 'hint'
        ? flagsOf(String(value))
        : { value: wireValue(key, value) },
  }));
  return { data };
}

/** Writes fields of one integration as another administrator would. */
export async function writeByHand(
  url: string,
  id: string,
  { autosubscribe, ...options }: Partial<Record<Field, unknown>>,
): Promise<void> {
  const token = await logIn(url, 'admin');
  const patch = async (path: string, body: object) =>
    expect((await exchange(url, 'PATCH', path, { token, body })).status).toBe(
      200,
    );
  if (autosubscribe !== undefined)
    await patch(`/api/integrations/${id}`, {
      data: { id, attributes: { autosubscribe } },
    });
  if (Object.keys(options).length > 0)
    await patch('/api/integration-options', handWritten(id, options));
}

function wireValue(key: string, value: unknown): unknown {
  if (key === 'mode') return choice(String(value));
  return key === 'types' && Array.isArray(value)
    ? value.map((each) => choice(String(each)))
    : value;
}

function flagsOf(permission: string) {
  return {
    'admin-only': permission === 'lock-and-hide',
    'user-can-edit': permission === 'user-provides',
  };
}

/** What a sandbox holds of a fleet, by id; read past setpoint, from a server that shows everything in its list. */
export async function readFleet(
  url: string,
): Promise<ReadonlyMap<string, FleetState>> {
  const token = await logIn(url, 'admin');
  const { body } = await exchange(
    url,
    'GET',
    '/api/integrations?page[size]=1000',
    { token },
  );
  const options = new Map(
    listAt(body, 'included').map((each) => [
      at(each, 'id'),
      recordAt(each, 'attributes'),
    ]),
  );
  return new Map(
    listAt(body, 'data').map((resource) => {
      const id = String(at(resource, 'id'));
      const held = FIELDS.map((key) => [
        key,
        heldIn(key, options.get(optionId(id, key)) ?? {}),
      ]);
      const autosubscribe = at(resource, 'attributes', 'autosubscribe');
      return [id, { ...Object.fromEntries(held), autosubscribe }];
    }),
  );
}

/** What an option holds, as states have it. */
function heldIn(
  key: Field,
  attributes: Readonly<Record<string, unknown>>,
): unknown {
  if (key === 'mode') return at(attributes, 'value', 'value');
  if (key === 'types')
    return listAt(attributes, 'value').map((each) => at(each, 'value'));
  if (key !== 'hint') return attributes['value'];
  if (attributes['admin-only'] === true) return 'lock-and-hide';
  return attributes['user-can-edit'] === true
    ? 'user-provides'
    : 'lock-and-show';
}

/**
 * What the log of a service says of an apply that was to bring a fleet from another state to this one: attributes that were
 * sent with anything else, those that were sent again after they had been accepted, and integrations that lack some.
 */
export function toldByLog(
  exchanges: readonly Exchange[],
  names: readonly string[],
  state: FleetState,
) {
  const all = names.map((name) => asked(name, state));
  const held = heldOf(exchanges);
  const accepted = acceptedIn(exchanges).map(([address]) => address);
  return {
    undeclared: wrongWrites(all, exchanges),
    again: accepted.filter(
      (address, index) => accepted.indexOf(address) < index,
    ),
    open: all.filter((each) => !isHeld(each, held)).map(({ name }) => name),
  };
}

function acceptedIn(exchanges: readonly Exchange[]): [string, unknown][] {
  const accepted = exchanges.filter(
    ({ method, status }) => method === 'PATCH' && status < 300,
  );
  return accepted.flatMap(({ body }) => fieldsOf(body));
}

/** What the service holds of the desired fields: those that a PATCH which it accepted has set. */
export function heldOf(
  exchanges: readonly Exchange[],
): ReadonlyMap<string, unknown> {
  return new Map(acceptedIn(exchanges));
}

/** Whether the service holds all that is desired of one integration. */
export function isHeld(
  { fields }: Desired,
  held: ReadonlyMap<string, unknown>,
): boolean {
  return [...fields].every(([address, value]) =>
    isDeepStrictEqual(held.get(address), value),
  );
}

/** Writes of anything but what is desired. */
export function wrongWrites(
  all: readonly Desired[],
  exchanges: readonly Exchange[],
): string[] {
  const wanted = new Map(all.flatMap(({ fields }) => [...fields]));
  const sent = exchanges
    .filter(({ method }) => method === 'PATCH')
    .flatMap(({ body }) => fieldsOf(body));
  return sent.flatMap(([address, value]) =>
    wanted.has(address) && isDeepStrictEqual(wanted.get(address), value)
      ? []
      : [address],
  );
}

/** Each attribute of the body of a PATCH, by its address. */
export function fieldsOf(body: unknown): [string, unknown][] {
  return [at(body, 'data')].flat().flatMap((item) => {
    const attributes = Object.entries(recordAt(item, 'attributes'));
    return attributes.map(([name, value]): [string, unknown] => [
      `${at(item, 'id')}#${name}`,
      value,
    ]);
  });
}
