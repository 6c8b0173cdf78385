import { phrase } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Document, LeftDocument } from '../../plan/plan-document.ts';
import { type Fact, fieldName, serversText } from './facts.ts';

/** Fields that a report only counts or names, for one reason. */
export interface Left {
  title: string;
  how: string;
  fields: readonly LeftField[];
  /** How many fields, those of each server. */
  size: number;
}

interface LeftField {
  /** With its integration: `vt.apiKey`. */
  field: string;
  /** Where it is left, until when and why; empty if there is nothing to say. */
  more: string;
}

/** How many fields are left, for all reasons. */
export function sizeOf(lefts: readonly Left[]): number {
  return lefts.reduce((sum, { size }) => sum + size, 0);
}

/** Why a field is left as it is: the title, and how. */
const REASONS: Record<LeftDocument['because'], readonly [string, string]> = {
  hidden: [
    'Not compared',
    'hidden by the server (--write-hidden ADDRESS writes them)',
  ],
  unread: ['Not compared', 'of variables that are not set'],
  waived: ['Waived', 'until the day that setpoint.yaml says'],
  settled: ['Already live', 'changed here, and on the server'],
  released: ['No longer managed', 'kept on the server'],
};

/** A field that is left on a server. */
interface LeftOn extends LeftField {
  server: string;
  because: string;
}

/** What is left, in the order of the reasons. */
export function leftOf({ servers, command }: Document): Left[] {
  const all: LeftOn[] = [];
  for (const { name: server, integrations } of servers) {
    for (const { name, left } of integrations) {
      for (const { address, because, until, reason, reference } of left) {
        const field = shortAddress(name, address);
        const day = until && `until ${until}`;
        const unset = because === 'unread' && reference;
        const more = phrase([day, reason, unset], ', ');
        all.push({ server, because, field, more });
      }
    }
  }
  const byReason = grouped(all, ({ because }) => because);
  const lefts: Left[] = [];
  for (const [because, [title, words]] of Object.entries(REASONS)) {
    // What a comparison hides may be managed by nobody.
    const isBare = because === 'hidden' && command === 'compare';
    const how = isBare ? 'hidden by a server' : words;
    const own = byReason.get(because) ?? [];
    const fields = onServers(own, servers.length);
    lefts.push({ title, how, fields, size: own.length });
  }
  return lefts;
}

/** The address of a field as people type it. */
function shortAddress(integration: string, address: string): string {
  return `${integration}.${fieldName(address, integration)}`;
}

/** Fields that are left for one reason, each once for all of its servers. */
function onServers(fields: readonly LeftOn[], servers: number): LeftField[] {
  const alike = grouped(fields, ({ field, more }) => `${field} ${more}`);
  const shown: LeftField[] = [];
  for (const group of alike.values()) {
    const [{ field, more }] = group;
    const on = group.map(({ server }) => server);
    const where = on.length < servers && serversText(on);
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
