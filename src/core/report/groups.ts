import { grouped } from '../model/json.ts';
import type { ChangeDocument, IntegrationDocument, ServerDocument } from '../plan/plan.ts';
import { fieldName, hasChanges, LABEL_NAMES } from './change-words.ts';

/** Integrations with equal changes; `changes` are those of the first, with all places where they are declared. */
export type Group = ReturnType<typeof groupsOf>[number];
export type GroupedChange = Group['changes'][number];

/** Groups integrations with equal changes; `full` keeps each by itself. */
export function groupsOf(integrations: readonly IntegrationDocument[], full = false) {
  const groups = grouped(integrations.filter(hasChanges), (each) => (full ? each.id : keyOf(each)));
  return [...groups.values()].map((members) => ({
    integrations: members,
    changes: (members[0]?.changes ?? []).map((change, at) => {
      const sources = members.flatMap(({ changes }) => changes[at]?.source ?? []);
      return { change, places: [...new Set(sources.map(({ file, line }) => `${file}:${line}`))] };
    }),
  }));
}

/** What people read of the changes of an integration, without its name. */
function keyOf({ name, status, changes }: IntegrationDocument): string {
  const words = changes.map(({ source: _, address, ...rest }) => {
    // Two secrets are known to be equal only if both are references.
    const isUntold = rest.secret === true && rest.reference === undefined;
    return [isUntold ? address : fieldName(address, name), rest];
  });
  return JSON.stringify([isRunning(status), words]);
}

/** Whether an integration takes changes, as far as the server says. */
export function isRunning(status: string | null): boolean {
  return status === null || status.toLowerCase() === 'running';
}

/** The same integrations with only the changes of a label, for each label that has any. */
export function byLabel(integrations: readonly IntegrationDocument[]) {
  const sections = LABEL_NAMES.map((label) => {
    const own = (all: readonly ChangeDocument[]) => all.filter((change) => change.label === label);
    const changed = integrations.map((each) => ({ ...each, changes: own(each.changes) }));
    return { label, integrations: changed.filter(hasChanges) };
  });
  return sections.filter((section) => section.integrations.length > 0);
}

/** Groups equal integrations by the servers that have them; the first server of a group has only what all share. */
export function alikeServers(servers: readonly ServerDocument[]): (readonly ServerDocument[])[] {
  const all = servers.flatMap((server) => {
    const shown = server.integrations.filter(hasContent);
    return shown.length === 0 ? [{ server, own: [] }] : shown.map((each) => ({ server, own: [each] }));
  });
  const equal = grouped(all, ({ server: { base, head, snapshot }, own }) =>
    JSON.stringify([base, head, snapshot, own.map(({ id: _, ...each }) => each)]),
  );
  const groups = grouped([...equal.values()], (of) => JSON.stringify(of.map(({ server }) => server.name)));
  return [...groups.values()].map((of) => {
    const integrations = of.flatMap(([first]) => first?.own ?? []);
    return (of[0] ?? []).map(({ server }) => ({ ...server, integrations }));
  });
}

function hasContent({ changes, hidden, waived, settled, released, unplanned }: IntegrationDocument): boolean {
  return unplanned === true || [changes, hidden, waived, settled, released].some(({ length }) => length > 0);
}
