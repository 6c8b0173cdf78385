import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import {
  aboutCompared,
  type Comparison,
  isShownAsSecret,
  placesOf,
} from './compare.ts';
import {
  comparisonsOf,
  type IntegrationPlan,
  leftBecause,
  type ServerPlan,
} from './plan.ts';

/**
 * Finds, once each: what does not run, secrets if all read as empty, and what
 * was not reviewed. `isSecretSeen` is false if all secrets of a server were
 * read, and none of them was set.
 */
export function notesOn(
  integrations: readonly IntegrationPlan[],
  isSecretSeen: boolean,
): Diagnostic[] {
  const written = integrations.flatMap(({ changes }) => comparisonsOf(changes));
  const secrets = written.filter(isShownAsSecret);
  const notes = stoppedNote(integrations);
  if (!isSecretSeen && secrets.length > 0) {
    const facts = { ...aboutCompared(secrets), isSent: false };
    const note = diagnostic('hides-secrets', facts);
    notes.push(withPlaces(note, placesOf(secrets)));
  }
  const differences = integrations
    .flatMap((integration) => leftBecause(integration, 'not-reviewed'))
    // Nobody can tell whether a value without its reference differs.
    .filter(({ state }) => state !== 'unread').length;
  if (differences > 0) notes.push(diagnostic('not-reviewed', { differences }));
  return notes;
}

function stoppedNote(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const blocked = integrations.filter((integration) => integration.blocked);
  if (blocked.length === 0) return [];
  const changes = blocked.flatMap((integration) => integration.changes);
  const note = diagnostic('not-running', {
    stopped: blocked.map(({ id, status }) => ({ id, status: status ?? '' })),
    integrations: blocked.map(({ name }) => name),
  });
  return [withPlaces(note, placesOf(comparisonsOf(changes)))];
}

/**
 * Notes once the values of all plans that were not compared, planned ones too,
 * and the references that are not set.
 */
export function unreadNote(plans: readonly ServerPlan[]): Diagnostic[] {
  const { fields, references } = lackingIn(plans);
  if (fields.length === 0) return [];
  const facts = { ...aboutCompared(fields), values: fields.length, references };
  return [diagnostic('reference-missing', facts)];
}

/**
 * Finds the references that an apply lacks, once a server, with all their
 * places: of what it compares or writes, not of what it leaves alone.
 */
export function lackingReferences(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const plan of plans) {
    const { fields, references: needed } = lackingIn([plan]);
    if (fields.length === 0) continue;
    const places = placesOf(fields);
    const facts = { ...aboutCompared(fields), needed };
    const found = diagnostic('reference-missing', facts, places[0]);
    const finding = withPlaces(found, places);
    findings.push(isFleet ? { ...finding, server: plan.name } : finding);
  }
  return findings;
}

/**
 * Finds what an apply of plans compares or writes although a reference of it is
 * not set; an integration that has ended lacks nothing.
 */
function lackingIn(plans: readonly ServerPlan[]) {
  const fields: Comparison[] = [];
  const references = new Set<string>();
  for (const integration of plans.flatMap((plan) => plan.integrations)) {
    if (integration.end !== undefined) continue;
    const written = comparisonsOf(integration.changes);
    for (const field of [...written, ...leftBecause(integration, 'unread')]) {
      const { setting } = field;
      if (setting.kind !== 'value' || setting.want.kind !== 'unread') continue;
      fields.push(field);
      for (const reference of setting.want.unset) references.add(reference);
    }
  }
  return { fields, references: [...references] };
}
