import { count, enumerated } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Outcome } from '../../plan/outcome.ts';
import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../plan/plan-document.ts';
import { RISK_NAMES, RISKS, type Risk } from '../../plan/risk.ts';

/** What something means to its reader, the worst first. */
export const TONES = [
  'bad',
  'conflict',
  'risk',
  'dim',
  'change',
  'drift',
  'good',
] as const;

export type Tone = (typeof TONES)[number];

/**
 * What outcomes are called, and mean, in the order in which people read them.
 */
export const OUTCOME_LOOKS = {
  failed: { tone: 'bad', words: 'failed' },
  unknown: { tone: 'bad', words: 'unknown' },
  'not-converged': { tone: 'bad', words: 'not converged' },
  stale: { tone: 'risk', words: 'stale' },
  blocked: { tone: 'risk', words: 'blocked' },
  'not-attempted': { tone: 'dim', words: 'not attempted' },
  sent: { tone: 'good', words: 'sent' },
  verified: { tone: 'good', words: 'verified' },
} as const satisfies Record<Outcome, { tone: Tone; words: string }>;

const OUTCOME_NAMES = Object.keys(OUTCOME_LOOKS) as readonly Outcome[];

/** A change on one server. */
export interface Fact {
  server: string;
  name: string;
  integration: IntegrationDocument;
  change: ChangeDocument;
  /** The field without its integration: `apiKey`, `apiKey.permission`. */
  field: string;
  /** The risk for which an apply refuses it. */
  refused?: Risk | undefined;
  /** What people read of it, wherever it is declared. */
  key: string;
}

/** All changes of a document, in the order of its servers. */
export function factsOf({ servers }: Document): Fact[] {
  const facts: Fact[] = [];
  for (const { name: server, integrations, refusals } of servers) {
    for (const integration of integrations) {
      const { name } = integration;
      for (const change of integration.changes) {
        const field = fieldName(change.address, name);
        const refused = change.risks.find((risk) => {
          return refusals.some((refusal) => refusal.risk === risk);
        });
        const key = keyOf(change, field, refused);
        facts.push({ server, name, integration, change, field, refused, key });
      }
    }
  }
  return facts;
}

function keyOf(
  { source, address, maybeWritten, ...shown }: ChangeDocument,
  field: string,
  refused: Risk | undefined,
): string {
  // Two secrets are known to be equal only if both are references.
  const isUntold = shown.secret === true && shown.reference === undefined;
  return JSON.stringify([isUntold ? address : field, shown, refused]);
}

/** The address of a field inside its integration, as people type it. */
export function fieldName(address: string, integration: string): string {
  const inside = address.slice(integration.length + 1);
  if (!inside.startsWith('options.')) return inside;
  return inside.slice('options.'.length).replace(/\.value$/, '');
}

/** What a change means to its reader. */
export function toneOf({ change, refused }: Fact): Tone {
  const { outcome, label, risks } = change;
  if (outcome !== undefined) return OUTCOME_LOOKS[outcome].tone;
  if (refused !== undefined) return 'bad';
  if (label === 'conflict') return 'conflict';
  return risks.length > 0 ? 'risk' : label;
}

let byName: Intl.Collator | undefined;

/** The order of names: numbers in them count. */
export function compareNames(one: string, other: string): number {
  // Made once it is needed: it takes 5 ms.
  byName ??= new Intl.Collator('en', { numeric: true });
  return byName.compare(one, other);
}

interface Named {
  name: string;
}

/** The names of integrations, each once, in their order. */
export function namesIn(items: readonly Named[]): string[] {
  return [...new Set(items.map(({ name }) => name))].sort(compareNames);
}

/** How many names integrations have: sorting many takes long. */
export function countNames(items: readonly Named[]): number {
  return new Set(items.map(({ name }) => name)).size;
}

/** The servers of changes, each once, in the order of the document. */
export function serversIn(facts: readonly Fact[]): string[] {
  return [...new Set(facts.map(({ server }) => server))];
}

/** The changes of a kind: with the same label, risk or outcome. */
export interface Tally {
  kind: 'label' | 'risk' | 'outcome';
  key: string;
  /** Its name for people: `by this branch`. */
  words: string;
  tone: Tone;
  /** What it means, if its name does not say it. */
  meaning?: string | undefined;
  facts: readonly Fact[];
}

/** The kinds of changes that a document has. */
export interface Tallies {
  /** None if all have the same. */
  labels: readonly Tally[];
  risks: readonly Tally[];
  outcomes: readonly Tally[];
}

/** Who moved fields. */
const LABELS = [
  ['change', 'by this branch'],
  ['conflict', 'in conflict'],
  ['drift', 'drift'],
] as const;

/** Groups changes: by who moved them, by risk and by outcome. */
export function talliesOf(facts: readonly Fact[]): Tallies {
  const byLabel = grouped(facts, ({ change }) => change.label);
  const labels = LABELS.map(([key, words]): Tally => {
    const own = byLabel.get(key) ?? [];
    return { kind: 'label', key, words, tone: key, facts: own };
  });
  const risks = RISK_NAMES.map((key): Tally => {
    const own = facts.filter(({ change }) => change.risks.includes(key));
    const tone = own.some(({ refused }) => refused) ? 'bad' : 'risk';
    const meaning = RISKS[key].words;
    return { kind: 'risk', key, words: key, tone, meaning, facts: own };
  });
  const byOutcome = grouped(facts, ({ change }) => change.outcome);
  const outcomes = OUTCOME_NAMES.map((key): Tally => {
    const own = byOutcome.get(key) ?? [];
    return { kind: 'outcome', key, ...OUTCOME_LOOKS[key], facts: own };
  });
  const hasAny = ({ facts: own }: Tally): boolean => own.length > 0;
  const kinds = labels.filter(hasAny);
  return {
    labels: kinds.length > 1 ? kinds : [],
    risks: risks.filter(hasAny),
    outcomes: outcomes.filter(hasAny),
  };
}

/** A number that a document has of each server. */
type Summed = Exclude<keyof ServerDocument['summary'], 'left'>;

/** Sums up a number of servers. */
export function sumOf(
  servers: readonly ServerDocument[],
  name: Summed,
): number {
  return servers.reduce((sum, { summary }) => sum + (summary[name] ?? 0), 0);
}

/** More servers are counted. */
const NAMED_AT_MOST = 3;

/** Servers in a sentence: their names, or how many they are. */
export function serversText(servers: readonly string[]): string {
  if (servers.length > NAMED_AT_MOST) return count(servers.length, 'server');
  return enumerated(servers);
}
