import { aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Comparison } from './compare.ts';
import { type IntegrationPlan, leftBecause, type ServerPlan } from './plan.ts';

/** Notes once the values of all plans that were not compared, and the references that are not set. */
export function unreadNote(plans: readonly ServerPlan[]): Diagnostic[] {
  const unread: Comparison[] = [];
  for (const { integrations } of plans) {
    for (const integration of integrations) {
      const left = leftBecause(integration, 'unread');
      unread.push(...left.map(({ comparison }) => comparison));
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
 * Finds the references that an apply lacks, with all their places: of what it
 * compares or writes, not of what it leaves alone.
 */
export function lackingReferences(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const { name: server, integrations } of plans) {
    for (const finding of lackingOf(integrations)) {
      findings.push(isFleet ? { ...finding, server } : finding);
    }
  }
  return findings;
}

/** A value, and a reference in it that is not set. */
interface Lack {
  readonly comparison: Comparison;
  readonly reference: string;
}

function lackingOf(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const lacks: Lack[] = [];
  for (const comparison of integrations.flatMap(neededIn)) {
    for (const reference of unsetIn(comparison)) {
      lacks.push({ comparison, reference });
    }
  }
  const findings: Diagnostic[] = [];
  for (const [reference, alike] of grouped(lacks, (lack) => lack.reference)) {
    const comparisons = alike.map(({ comparison }) => comparison);
    const places = comparisons.map(({ setting }) => setting.place);
    const facts = {
      ...aboutFields(comparisons.map(({ subject }) => subject)),
      reference,
    };
    const finding = diagnostic('reference-missing', facts, places[0]);
    findings.push(withPlaces(finding, places));
  }
  return findings;
}

/** What an apply compares or writes of an integration, unless it has ended. */
function neededIn(integration: IntegrationPlan): Comparison[] {
  if (integration.end !== undefined) return [];
  return [...integration.changes, ...leftBecause(integration, 'unread')].map(
    ({ comparison }) => comparison,
  );
}

/** The references of a field that are not set, as they are written. */
function unsetIn({ setting }: Comparison): readonly string[] {
  if (setting.kind !== 'value' || setting.want.kind !== 'unread') return [];
  return setting.want.unset;
}
