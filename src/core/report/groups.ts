import { count } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import type { ChangeDocument, IntegrationDocument, ServerDocument } from '../plan/plan.ts';
import { fieldName, LABELS } from './change.ts';

/** Integrations with equal changes: what their first one changes, with all places where they are declared. */
export type Group = ReturnType<typeof sectionsOf>[number]['groups'][number];

/** The changes of each label that has any, one group for all integrations with equal ones; `full` keeps each by itself. */
export function sectionsOf(integrations: readonly IntegrationDocument[], full = false) {
  const sections = Object.entries(LABELS).map(([label, { title }]) => {
    const own = integrations.map((each) => ({
      ...each,
      changes: each.changes.filter((change) => change.label === label),
    }));
    const groups = grouped(own.filter(hasChanges), (each) => (full ? each.id : keyOf(each)));
    return { label, title, groups: [...groups.values()].map(groupOf) };
  });
  return sections.filter(({ groups }) => groups.length > 0);
}

function groupOf(members: readonly [IntegrationDocument, ...IntegrationDocument[]]) {
  const [first] = members;
  const changes = first.changes.map((change, at) => {
    const sources = members.flatMap((each) => each.changes[at]?.source ?? []);
    const [place, ...others] = new Set(sources.map(({ file, line }) => `${file}:${line}`));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return { change, field: fieldName(change.address, first.name), place: `${place}${more}` };
  });
  return { first, names: members.map(({ name }) => name), isRunning: isRunning(first), changes };
}

/** What people read of the changes of an integration, without its name. */
function keyOf(integration: IntegrationDocument): string {
  const words = integration.changes.map(({ source: _, address, ...rest }) => {
    // Two secrets are known to be equal only if both are references.
    const isUntold = rest.secret === true && rest.reference === undefined;
    return [isUntold ? address : fieldName(address, integration.name), rest];
  });
  return JSON.stringify([isRunning(integration), words]);
}

/** Whether an integration takes changes, as far as the server says. */
function isRunning({ status }: IntegrationDocument): boolean {
  return status === null || status.toLowerCase() === 'running';
}

/** Groups equal integrations by the servers that have them: the servers of each group, and what they share. */
export function alikeServers(servers: readonly ServerDocument[]) {
  const all = servers.flatMap((server) => {
    const shown = server.integrations.filter(hasContent);
    return shown.length === 0 ? [{ server, own: [] }] : shown.map((each) => ({ server, own: [each] }));
  });
  // The integrations of one server are grouped by their changes alone.
  const equal = grouped(all, ({ server: { base, head, snapshot }, own }) =>
    servers.length === 1
      ? own
      : JSON.stringify([base, head, snapshot, own.map(({ id: _, ...each }) => each)]),
  );
  const groups = grouped([...equal.values()], (of) => JSON.stringify(of.map(({ server }) => server.name)));
  return [...groups.values()].map(([alike, ...others]) => {
    const { base, head, snapshot } = alike[0].server;
    const integrations = [alike, ...others].flatMap(([first]) => first.own);
    return { servers: alike.map(({ server }) => server), base, head, snapshot, integrations };
  });
}

function hasContent({ changes, hidden, waived, settled, released, unplanned }: IntegrationDocument): boolean {
  return unplanned === true || [changes, hidden, waived, settled, released].some(({ length }) => length > 0);
}

function hasChanges({ changes }: IntegrationDocument): boolean {
  return changes.length > 0;
}

/** The integrations of servers that have changes. */
export function changedOn(servers: readonly ServerDocument[]): IntegrationDocument[] {
  return servers.flatMap(({ integrations }) => integrations.filter(hasChanges));
}

/** The changes of servers. */
export function changesOf(servers: readonly ServerDocument[]): ChangeDocument[] {
  return servers.flatMap(({ integrations }) => integrations.flatMap(({ changes }) => changes));
}

/** The fields of integrations that are not changes, or the integrations that were not planned. */
export function addressesOf(
  { integrations }: Pick<ServerDocument, 'integrations'>,
  of: 'hidden' | 'waived' | 'settled' | 'released' | 'unplanned',
): string[] {
  return integrations.flatMap((each) => (of !== 'unplanned' ? each[of] : each.unplanned ? [each.name] : []));
}

/** A ref with the start of its commit. */
export function revisionText({ ref, commit }: NonNullable<ServerDocument['base']>): string {
  const short = commit.slice(0, 12);
  return ref === commit ? short : `${ref} (${short})`;
}

/** The day of a snapshot, and its age when the document was made. A time may be foreign: only a day is shown. */
export function snapshotText(takenAt: string, createdAt: string | undefined): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(takenAt)?.[0] ?? 'an unknown day';
  const days = Math.floor((Date.parse(createdAt ?? '') - Date.parse(takenAt)) / 86_400_000);
  return `From a snapshot of ${day}${days > 0 ? `, ${count(days, 'day')} old` : ''}.`;
}
