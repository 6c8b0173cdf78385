import { aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import type { Comparison } from './compare.ts';
import { type IntegrationPlan, leftBecause } from './plan.ts';
import { isShownAsSecret } from './shown-sides.ts';

/** What the notes of a plan are about. */
export interface Noted {
  /** The integrations that are managed. */
  readonly plans: readonly IntegrationPlan[];
  /** The same, and those that are not managed any more. */
  readonly integrations: readonly IntegrationPlan[];
  /** Whether the server holds a secret, shown or masked. */
  readonly holdsSecret: boolean;
  readonly only?: string | undefined;
}

/** Finds, once each: what does not run, secrets if all read as empty, permissions that are not shown, and what was not reviewed. */
export function notesOn(noted: Noted): Diagnostic[] {
  const notes: Diagnostic[] = [];
  for (const note of [
    stoppedNote(noted),
    emptySecretsNote(noted),
    hiddenPermissionsNote(noted),
    notReviewedNote(noted),
  ]) {
    if (note !== undefined) notes.push(note);
  }
  return notes;
}

function stoppedNote({ plans }: Noted): Diagnostic | undefined {
  const stopped: { id: string; status: string }[] = [];
  const integrations: string[] = [];
  const places: Place[] = [];
  for (const { name, id, status, blocked, changes } of plans) {
    if (!blocked || status === null || status === '') continue;
    stopped.push({ id, status });
    integrations.push(name);
    places.push(...changes.map(({ comparison }) => placeOf(comparison)));
  }
  if (stopped.length === 0) return undefined;
  const note = diagnostic('not-running', { stopped, integrations });
  return withPlaces(note, places);
}

function emptySecretsNote(noted: Noted): Diagnostic | undefined {
  const { plans, holdsSecret, only } = noted;
  // Of a part of the secrets, all may be new.
  if (only !== undefined || holdsSecret) return undefined;
  const secrets: Comparison[] = [];
  for (const { changes } of plans) {
    for (const { comparison } of changes) {
      if (isShownAsSecret(comparison)) secrets.push(comparison);
    }
  }
  if (secrets.length === 0) return undefined;
  const about = aboutFields(secrets.map(({ subject }) => subject));
  const facts = { ...about, isSent: false };
  return withPlaces(diagnostic('hides-secrets', facts), secrets.map(placeOf));
}

function hiddenPermissionsNote({ plans }: Noted): Diagnostic | undefined {
  const permissions: Comparison[] = [];
  for (const plan of plans) {
    for (const comparison of leftBecause(plan, 'hidden')) {
      const isPermission = comparison.subject.kind === 'permission';
      if (isPermission) permissions.push(comparison);
    }
  }
  if (permissions.length === 0) return undefined;
  const about = aboutFields(permissions.map(({ subject }) => subject));
  const note = diagnostic('hidden-field', about);
  return withPlaces(note, permissions.map(placeOf));
}

/** Counts what a reviewed plan lacks, except in an integration that it has by another id. */
function notReviewedNote({
  plans,
  integrations,
}: Noted): Diagnostic | undefined {
  const reviewed = new Set<string>();
  for (const { end } of integrations) {
    const became = end?.kind === 'stale' ? end.became : undefined;
    if (became?.kind === 'other-id') reviewed.add(became.now);
  }
  let differences = 0;
  for (const plan of plans) {
    if (reviewed.has(plan.id)) continue;
    const left = leftBecause(plan, 'not-reviewed');
    // Nobody can tell whether a value without its reference differs.
    differences += left.filter(({ state }) => state !== 'unread').length;
  }
  if (differences === 0) return undefined;
  return diagnostic('not-reviewed', { differences });
}

function placeOf({ setting }: Comparison): Place {
  return setting.place;
}
