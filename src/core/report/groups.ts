import { count } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import {
  type Document,
  type IntegrationDocument,
  type RevisionDocument,
  type ServerDocument,
  shortCommit,
} from '../plan/plan.ts';
import { fieldName, LABELS } from './change.ts';

/** Groups equal changes by the servers that have them: what these are compared with, and the changes; `full` keeps integrations apart. */
export function alikeServers(document: Document, full = false) {
  const { servers } = document;
  const all = servers.flatMap((server) => {
    const changed = server.integrations.filter(
      ({ changes }) => changes.length > 0,
    );
    return changed.length === 0
      ? [{ server, own: [] }]
      : changed.map((each) => ({ server, own: [each] }));
  });
  // The integrations of one server are grouped by their changes alone.
  const equal = grouped(all, ({ server: { snapshot }, own }) => {
    if (servers.length === 1) return own;
    const shown = own.map(({ name, status, changes }) => ({
      name,
      status,
      changes,
    }));
    return JSON.stringify([snapshot, shown]);
  });
  const groups = grouped([...equal.values()], (of) =>
    JSON.stringify(of.map(({ server }) => server.name)),
  );
  return [...groups.values()].map(([alike, ...others]) => {
    const integrations = [alike, ...others].flatMap(([first]) => first.own);
    const [{ server: first }] = alike;
    return {
      ...{ first, servers: alike.map(({ server }) => server), integrations },
      basis: basisOf(first, document),
      sections: sectionsOf(integrations, full),
    };
  });
}

/** The changes of each label that has any, one group for all integrations with equal ones. */
function sectionsOf(
  integrations: readonly IntegrationDocument[],
  full: boolean,
) {
  const sections = Object.entries(LABELS).map(([label, { title }]) => {
    const own = integrations.flatMap((each) => {
      const changes = each.changes.filter((change) => change.label === label);
      return changes.length === 0 ? [] : [{ ...each, changes }];
    });
    const groups = grouped(own, (each) => (full ? each.id : keyOf(each)));
    return { label, title, groups: [...groups.values()].map(groupOf) };
  });
  return sections.filter(({ groups }) => groups.length > 0);
}

/** Integrations with equal changes: what their first one changes, with all places where they are declared. */
function groupOf(
  members: readonly [IntegrationDocument, ...IntegrationDocument[]],
) {
  const [first] = members;
  const changes = first.changes.map((change, at) => {
    const sources = members.flatMap((each) => each.changes[at]?.source ?? []);
    const [place, ...others] = new Set(
      sources.map(({ file, line }) => `${file}:${line}`),
    );
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return {
      change,
      field: fieldName(change.address, first.name),
      place: `${place}${more}`,
    };
  });
  return {
    first,
    names: members.map(({ name }) => name),
    isRunning: isRunning(first),
    changes,
  };
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

/** What a server is compared with: a snapshot, or revisions of the configuration. */
function basisOf(
  { snapshot }: ServerDocument,
  { base, head, createdAt }: Document,
): [title: string, names: string[]][] {
  return [
    [
      'From a snapshot of',
      snapshot === undefined ? [] : [snapshotAge(snapshot.takenAt, createdAt)],
    ],
    ['Compared with', base === undefined ? [] : [revisionText(base)]],
    ['Shows', head === undefined ? [] : [revisionText(head)]],
  ];
}

/** A ref with the start of its commit. */
function revisionText({ ref, commit }: RevisionDocument): string {
  const short = shortCommit(commit);
  return ref === commit ? short : `${ref} (${short})`;
}

/** The day of a snapshot, and its age when the document was made. A time may be foreign: only a day is shown. */
function snapshotAge(takenAt: string, createdAt?: string): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(takenAt)?.[0] ?? 'an unknown day';
  const days = Math.floor(
    (Date.parse(createdAt ?? '') - Date.parse(takenAt)) / 86_400_000,
  );
  return `${day}${days > 0 ? `, ${count(days, 'day')} old` : ''}`;
}
