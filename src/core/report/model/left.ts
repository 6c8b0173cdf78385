import { grouped } from '../../model/json.ts';
import type {
  Document,
  LeftDocument,
  ServerDocument,
} from '../../plan/plan.ts';
import { fieldName } from './row.ts';

/**
 * Why fields are left as they are, in the order in which people read them, and
 * in all words for it.
 */
const LEFT = {
  unread: { name: 'Unread', words: 'not compared: references are not set' },
  hidden: {
    name: 'Hidden',
    words: 'not compared; --write-hidden ADDRESS or all writes them',
  },
  waived: { name: 'Waived', words: 'left alone for now' },
  settled: { name: 'Settled', words: 'live already' },
  released: {
    name: 'Released',
    words: 'no longer managed; their values stay on the server',
  },
  same: { name: 'Same', words: 'with the same secret on both servers' },
  unknown: {
    name: 'Cannot tell',
    words: 'that a server or a snapshot does not show',
  },
} as const satisfies Record<LeftReason | 'same' | 'unknown', LeftWords>;

type LeftReason = LeftDocument['because'];

interface LeftWords {
  readonly name: string;
  /** What follows their number. */
  readonly words: string;
}

export type LeftKind = keyof typeof LEFT;

/** Fields that are left for one reason. */
export interface Left extends LeftWords {
  readonly kind: LeftKind;
  /** How many fields, over all servers. */
  readonly fields: number;
  readonly integrations: readonly LeftIntegration[];
}

/** The fields of one integration. */
export interface LeftIntegration {
  readonly name: string;
  readonly fields: readonly LeftOn[];
}

export interface LeftOn {
  readonly field: string;
  /** Empty if it is left on all servers. */
  readonly servers: readonly string[];
  /** Of a waived field: why, and until which day. */
  readonly waiver?: Waiver | undefined;
  /** Of an unread value: the references that are not set. */
  readonly reference?: string | undefined;
}

interface Waiver {
  readonly reason?: string | undefined;
  readonly until: string;
}

/** One field on one server. */
interface LeftFact extends Pick<LeftOn, 'field' | 'waiver' | 'reference'> {
  readonly kind: LeftKind;
  readonly name: string;
  readonly server: string;
}

/** What is left, each kind that has any. */
export function leftOf({ servers }: Document): Left[] {
  const byKind = grouped(servers.flatMap(factsOn), ({ kind }) => kind);
  const all: Left[] = [];
  for (const kind of Object.keys(LEFT) as LeftKind[]) {
    const facts = byKind.get(kind);
    if (facts === undefined) continue;
    const integrations: LeftIntegration[] = [];
    for (const [name, own] of grouped(facts, (fact) => fact.name)) {
      integrations.push({ name, fields: fieldsOf(own, servers.length) });
    }
    all.push({ ...LEFT[kind], kind, fields: facts.length, integrations });
  }
  return all;
}

function factsOn(server: ServerDocument): LeftFact[] {
  const { name: on, comparedWith } = server;
  const facts: LeftFact[] = [];
  for (const { name, left, sameSecrets = [] } of server.integrations) {
    for (const { address, because, reference, reason, until } of left) {
      const isUnknown = because === 'hidden' && comparedWith !== undefined;
      facts.push({
        kind: isUnknown ? 'unknown' : because,
        ...{ name, server: on, field: fieldName(address, name), reference },
        waiver: until === undefined ? undefined : { reason, until },
      });
    }
    for (const address of sameSecrets) {
      const field = fieldName(address, name);
      facts.push({ kind: 'same', name, server: on, field });
    }
  }
  return facts;
}

function fieldsOf(facts: readonly LeftFact[], servers: number): LeftOn[] {
  const alike = grouped(facts, ({ field, waiver }) =>
    JSON.stringify([field, waiver]),
  );
  const fields: LeftOn[] = [];
  for (const group of alike.values()) {
    const [{ field, waiver, reference }] = group;
    const isEverywhere = group.length === servers;
    const names = isEverywhere ? [] : group.map(({ server }) => server);
    fields.push({ field, servers: names, waiver, reference });
  }
  return fields;
}
