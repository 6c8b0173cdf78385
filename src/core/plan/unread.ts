import { aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { Comparison } from './compare.ts';
import { type IntegrationPlan, leftBecause, type ServerPlan } from './plan.ts';

/** Notes once the values of all plans that were not compared, and the references that are not set. */
export function unreadNote(plans: readonly ServerPlan[]): Diagnostic[] {
  const unread: Comparison[] = [];
  for (const { integrations } of plans) {
    for (const integration of integrations) {
      unread.push(...leftBecause(integration, 'unread'));
    }
  }
  if (unread.length === 0) return [];
  const facts = {
    ...aboutFields(unread.map(({ subject }) => subject)),
    values: unread.length,
    references: [...new Set(unread.flatMap(unsetIn))],
  };
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
  for (const { name: server, integrations } of plans) {
    const finding = lackingOf(integrations);
    if (finding === undefined) continue;
    findings.push(isFleet ? { ...finding, server } : finding);
  }
  return findings;
}

function lackingOf(
  integrations: readonly IntegrationPlan[],
): Diagnostic | undefined {
  const lacking: Comparison[] = [];
  for (const comparison of integrations.flatMap(neededIn)) {
    if (unsetIn(comparison).length > 0) lacking.push(comparison);
  }
  if (lacking.length === 0) return undefined;
  const facts = {
    ...aboutFields(lacking.map(({ subject }) => subject)),
    needed: [...new Set(lacking.flatMap(unsetIn))],
  };
  const places = lacking.map(({ setting }) => setting.place);
  const finding = diagnostic('reference-missing', facts, places[0]);
  return withPlaces(finding, places);
}

/** What an apply compares or writes of an integration, unless it has ended. */
function neededIn(integration: IntegrationPlan): Comparison[] {
  if (integration.end !== undefined) return [];
  const changing = integration.changes.map(({ comparison }) => comparison);
  return [...changing, ...leftBecause(integration, 'unread')];
}

/** The references of a field that are not set, as they are written. */
function unsetIn({ setting }: Comparison): readonly string[] {
  if (setting.kind !== 'value' || setting.want.kind !== 'unread') return [];
  return setting.want.unset;
}
