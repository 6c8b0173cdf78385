import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import type { Fact } from './facts.ts';
import { OUTCOME_LOOKS, OUTCOME_NAMES, type Tone } from './tones.ts';

/** The changes of a kind: with the same label, risk or outcome. */
export interface Tally {
  readonly kind: 'label' | 'risk' | 'outcome';
  readonly key: string;
  /** Its name for people: `by this branch`. */
  readonly words: string;
  readonly tone: Tone;
  /** What it means, if its name does not say it. */
  readonly meaning?: string | undefined;
  readonly facts: readonly Fact[];
}

/** The kinds of changes that a document has. */
export interface Tallies {
  /** None if all have the same. */
  readonly labels: readonly Tally[];
  readonly risks: readonly Tally[];
  readonly outcomes: readonly Tally[];
}

/** Who moved fields. */
const LABELS = [
  ['change', 'by this branch'],
  ['conflict', 'conflicts'],
  ['drift', 'drift'],
] as const;

/** Groups changes: by who moved them, by risk and by outcome. */
export function talliesOf(facts: readonly Fact[]): Tallies {
  const labels = LABELS.map(([key, name]): Tally => {
    const own = facts.filter(({ change }) => change.label === key);
    const isOne = key === 'conflict' && own.length === 1;
    const words = isOne ? 'conflict' : name;
    return { kind: 'label', key, words, tone: key, facts: own };
  });
  const risks = RISK_NAMES.map((key): Tally => {
    const own = facts.filter(({ change }) => change.risks.includes(key));
    const tone = own.some(({ refused }) => refused) ? 'bad' : 'risk';
    const meaning = RISKS[key].words;
    return { kind: 'risk', key, words: key, tone, meaning, facts: own };
  });
  const outcomes = OUTCOME_NAMES.map((key): Tally => {
    const own = facts.filter(({ change }) => change.outcome === key);
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
