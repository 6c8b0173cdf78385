import { grouped } from '../model/grouped.ts';
import type { ChangeDocument, IntegrationDocument, ServerDocument } from '../plan/document.ts';
import { fieldName, hasChanges, LABEL_NAMES, type Label } from './change-words.ts';

/** Integrations with equal changes; `changes` are those of the first. */
export interface Group {
  readonly integrations: readonly IntegrationDocument[];
  readonly changes: readonly GroupedChange[];
}

/** A change of a group, and all places where it is declared. */
export interface GroupedChange {
  readonly change: ChangeDocument;
  readonly places: readonly string[];
}

/** Groups integrations with equal changes; `full` keeps each by itself. */
export function groupsOf(integrations: readonly IntegrationDocument[], full = false): Group[] {
  const changed = integrations.filter(hasChanges);
  const groups = grouped(changed, (each) => (full ? each.id : keyOf(each)));
  return [...groups.values()].map((members) => ({
    integrations: members,
    changes: (members[0]?.changes ?? []).map((change, at) => ({
      change,
      places: [...new Set(members.flatMap(({ changes }) => placeText(changes[at])))],
    })),
  }));
}

function placeText(change: ChangeDocument | undefined): string[] {
  return change === undefined ? [] : [`${change.source.file}:${change.source.line}`];
}

/** What people read of the changes of an integration, without its name. */
function keyOf({ name, status, changes }: IntegrationDocument): string {
  return JSON.stringify([isRunning(status), changes.map((change) => changeKey(change, name))]);
}

function changeKey({ source: _, address, ...words }: ChangeDocument, name: string): unknown {
  // Two secrets are known to be equal only if both are references.
  const isUntold = words.secret === true && words.reference === undefined;
  return [isUntold ? address : fieldName(address, name), words];
}

/** Whether an integration takes changes, as far as the server says. */
export function isRunning(status: string | null): boolean {
  return status === null || status.toLowerCase() === 'running';
}

/** The same integrations with only the changes of a label, for each label that has any. */
export function byLabel(
  integrations: readonly IntegrationDocument[],
): { readonly label: Label; readonly integrations: readonly IntegrationDocument[] }[] {
  return LABEL_NAMES.map((label) => ({
    label,
    integrations: integrations
      .map((each) => ({ ...each, changes: each.changes.filter((change) => change.label === label) }))
      .filter(hasChanges),
  })).filter((section) => section.integrations.length > 0);
}

/** Groups equal integrations by the servers that have them: each group is its servers, with only what they share. */
export function alikeServers(servers: readonly ServerDocument[]): (readonly ServerDocument[])[] {
  const all = servers.flatMap((server) => {
    const shown = server.integrations.filter(hasContent);
    return shown.length === 0 ? [{ server, own: [] }] : shown.map((each) => ({ server, own: [each] }));
  });
  const equal = grouped(all, ({ server: { base, head, snapshot }, own }) =>
    JSON.stringify([base, head, snapshot, ...own.map(({ id: _, ...each }) => each)]),
  );
  const groups = grouped([...equal.values()], (of) => JSON.stringify(of.map(({ server }) => server.name)));
  return [...groups.values()].map(([first = [], ...others]) =>
    first.map(({ server }, at) => ({
      ...server,
      integrations: [first, ...others].flatMap((of) => of[at]?.own ?? []),
    })),
  );
}

function hasContent({ changes, hidden, waived, settled, released, unplanned }: IntegrationDocument): boolean {
  return unplanned === true || [changes, hidden, waived, settled, released].some(({ length }) => length > 0);
}
