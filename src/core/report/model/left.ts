import { grouped } from '../../model/json.ts';
import type {
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../plan/plan.ts';
import { fieldName } from './row.ts';

/** Why fields are left as they are, in the order in which people read them. */
const LEFT_KINDS = [
  'unread',
  'hidden',
  'waived',
  'settled',
  'released',
  'sameSecrets',
  'notCompared',
] as const;

export type LeftKind = (typeof LEFT_KINDS)[number];

/** Fields that are left for one reason. */
export interface Left {
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
  readonly name: string;
  readonly server: string;
}

/** What is left, each kind that has any. */
export function leftOf({ servers }: Document): Left[] {
  const all: Left[] = [];
  for (const kind of LEFT_KINDS) {
    const facts = servers.flatMap((server) => factsOn(server, kind));
    if (facts.length === 0) continue;
    const integrations: LeftIntegration[] = [];
    for (const [name, own] of grouped(facts, (fact) => fact.name)) {
      integrations.push({ name, fields: fieldsOf(own, servers.length) });
    }
    all.push({ kind, fields: facts.length, integrations });
  }
  return all;
}

function factsOn(server: ServerDocument, kind: LeftKind): LeftFact[] {
  return server.integrations.flatMap((integration) =>
    factsIn(integration, kind, server.name),
  );
}

function factsIn(
  integration: IntegrationDocument,
  kind: LeftKind,
  server: string,
): LeftFact[] {
  const { name } = integration;
  const nameOf = (address: string): string => fieldName(address, name);
  if (kind === 'waived') {
    return integration.waived.map(({ address, reason, until }) => {
      return {
        name,
        server,
        field: nameOf(address),
        waiver: { reason, until },
      };
    });
  }
  if (kind === 'hidden' || kind === 'unread') {
    return integration[kind].map(({ address, reference }) => {
      return { name, server, field: nameOf(address), reference };
    });
  }
  const addresses = integration[kind] ?? [];
  return addresses.map((address) => {
    return { name, server, field: nameOf(address) };
  });
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
