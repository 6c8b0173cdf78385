import { phrase } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Document, LeftDocument } from '../../plan/plan.ts';
import { type Fact, fieldName } from './facts.ts';
import { whereText } from './servers.ts';

/** Fields that a report only counts or names, for one reason. */
export interface Left {
  readonly title: string;
  readonly how: string;
  readonly fields: readonly LeftField[];
  /** How many fields, those of each server. */
  readonly size: number;
}

interface LeftField {
  /** With its integration: `vt.apiKey`. */
  readonly field: string;
  /** Where it is left, until when and why; empty if there is nothing to say. */
  readonly more: string;
}

interface Reason {
  readonly title: string;
  readonly how: string;
}

/** Why a field is left as it is. Two reasons may share a title. */
const REASONS: Record<LeftDocument['because'], Reason> = {
  hidden: {
    title: 'Not compared',
    how: 'hidden by the server (--write-hidden ADDRESS writes them)',
  },
  unread: { title: 'Not compared', how: 'of variables that are not set' },
  waived: { title: 'Waived', how: 'until the day that setpoint.yaml says' },
  settled: { title: 'Already live', how: 'changed here, and on the server' },
  released: { title: 'No longer managed', how: 'kept on the server' },
};

/** A field that is left on a server. */
interface LeftOn extends LeftField {
  readonly server: string;
  readonly reason: LeftDocument['because'];
}

/** What is left, in the order of the reasons. */
export function leftOf({ servers, command }: Document): Left[] {
  const fields: LeftOn[] = [];
  for (const { name: server, integrations } of servers) {
    for (const { name, left } of integrations) {
      for (const each of left) {
        const field = shortAddress(name, each.address);
        const more = moreOf(each);
        fields.push({ server, reason: each.because, field, more });
      }
    }
  }
  const order = Object.keys(REASONS);
  const rank = ({ reason }: LeftOn): number => order.indexOf(reason);
  fields.sort((one, other) => rank(one) - rank(other));
  const isOffline =
    command === 'compare' || servers.some(({ snapshot }) => snapshot);
  const lefts: Left[] = [];
  const byTitle = grouped(fields, ({ reason }) => REASONS[reason].title);
  for (const [title, own] of byTitle) {
    const hows = own.map(({ reason }) => {
      // A comparison writes nothing, nor does a plan from snapshots.
      const isShut = reason === 'hidden' && isOffline;
      return isShut ? 'with a value that is not shown' : REASONS[reason].how;
    });
    lefts.push({
      title,
      how: [...new Set(hows)].join(', or '),
      fields: onServers(own, servers.length),
      size: own.length,
    });
  }
  return lefts;
}

/** The address of a field as people type it. */
function shortAddress(integration: string, address: string): string {
  return `${integration}.${fieldName(address, integration)}`;
}

function moreOf({ until, reason, because, reference }: LeftDocument): string {
  const day = until && `until ${until}`;
  const unset = because === 'unread' && reference;
  return phrase([day, reason, unset], ', ');
}

/** Fields that are left for one reason, each once for all of its servers. */
function onServers(fields: readonly LeftOn[], servers: number): LeftField[] {
  const alike = grouped(fields, ({ reason, field, more }) =>
    JSON.stringify([reason, field, more]),
  );
  const shown: LeftField[] = [];
  for (const group of alike.values()) {
    const [{ field, more }] = group;
    const on = group.map(({ server }) => server);
    const where = on.length < servers ? whereText(on, servers) : undefined;
    shown.push({ field, more: phrase([where, more], ', ') });
  }
  return shown;
}

/** The secrets that two servers have in common. */
export function sameSecrets(servers: Document['servers']): Left {
  const fields: LeftField[] = [];
  for (const { integrations } of servers) {
    for (const { name, sameSecrets: addresses = [] } of integrations) {
      for (const address of addresses) {
        fields.push({ field: shortAddress(name, address), more: '' });
      }
    }
  }
  const how = 'with equal values on both servers';
  const { length: size } = fields;
  return { title: 'Same secrets', how, fields, size };
}

/** Changes that are only named, for a reason of their own. */
export function namedFacts(
  title: string,
  how: string,
  facts: readonly Fact[] = [],
): Left {
  const names = new Set(facts.map(({ name, field }) => `${name}.${field}`));
  const fields = [...names].map((field) => ({ field, more: '' }));
  return { title, how, fields, size: facts.length };
}
