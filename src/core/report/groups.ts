import { grouped } from '../model/json.ts';
import type { IntegrationDocument, ServerDocument } from '../plan/plan.ts';
import { fieldName, LABELS } from './change.ts';

/** Integrations with equal changes: what their first one changes, with all places where they are declared. */
export type Group = ReturnType<typeof groupOf>;

/** Groups equal changes by the servers that have them: the servers of each group, and its changes; `full` keeps integrations apart. */
export function alikeServers(servers: readonly ServerDocument[], full = false) {
  const all = servers.flatMap((server) => {
    const changed = server.integrations.filter(hasChanges);
    return changed.length === 0 ? [{ server, own: [] }] : changed.map((each) => ({ server, own: [each] }));
  });
  // The integrations of one server are grouped by their changes alone.
  const equal = grouped(all, ({ server: { base, head, snapshot }, own }) => {
    const shown = own.map(({ name, status, changes }) => ({ name, status, changes }));
    return servers.length === 1 ? own : JSON.stringify([base, head, snapshot, shown]);
  });
  const groups = grouped([...equal.values()], (of) => JSON.stringify(of.map(({ server }) => server.name)));
  return [...groups.values()].map(([alike, ...others]) => {
    const integrations = [alike, ...others].flatMap(([first]) => first.own);
    const sections = sectionsOf(integrations, full);
    return { first: alike[0].server, servers: alike.map(({ server }) => server), integrations, sections };
  });
}

/** The changes of each label that has any, one group for all integrations with equal ones. */
function sectionsOf(integrations: readonly IntegrationDocument[], full: boolean) {
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

function hasChanges({ changes }: IntegrationDocument): boolean {
  return changes.length > 0;
}
