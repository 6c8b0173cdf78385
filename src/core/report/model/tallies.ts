import type { ChangeDocument, Outcome } from '../../plan/plan.ts';
import { RISK_NAMES, RISKS, type Risk } from '../../plan/risk.ts';
import { type Fact, namesIn, serversIn } from './facts.ts';
import { OUTCOME_LOOKS, OUTCOME_NAMES, type Tone } from './tones.ts';

/** How many changes are of a kind. */
export interface Tally<Key extends string = string> {
  readonly key: Key;
  readonly changes: number;
  /** Its name for people: `by this branch`. */
  readonly words: string;
  readonly tone: Tone;
  /** What it means, if its name does not say it. */
  readonly meaning?: string | undefined;
  /** The names of integrations. */
  readonly names: readonly string[];
  readonly servers: readonly string[];
}

/** The counts of a document, each that is not zero. */
export interface Tallies {
  readonly labels: readonly Tally[];
  readonly risks: readonly Tally<Risk>[];
  readonly outcomes: readonly Tally<Outcome>[];
}

type Label = ChangeDocument['label'];

/** Who moved fields, in words for a number of them. */
const LABELS = {
  change: () => 'by this branch',
  conflict: (changes) => (changes === 1 ? 'conflict' : 'conflicts'),
  drift: () => 'drift',
} as const satisfies Record<Label, (changes: number) => string>;

/** Counts changes: by who moved them, by risk and by outcome. */
export function talliesOf(facts: readonly Fact[]): Tallies {
  const labels: Tally[] = [];
  for (const [key, words] of Object.entries(LABELS)) {
    const own = facts.filter(({ change }) => change.label === key);
    labels.push(tallyOf(key, own, words(own.length), key as Label));
  }
  const risks: Tally<Risk>[] = [];
  for (const risk of RISK_NAMES) {
    const own = facts.filter(({ change }) => change.risks.includes(risk));
    const tone = own.some(({ refused }) => refused) ? 'bad' : 'risk';
    risks.push(tallyOf(risk, own, risk, tone, RISKS[risk].words));
  }
  const outcomes: Tally<Outcome>[] = [];
  for (const outcome of OUTCOME_NAMES) {
    const own = facts.filter(({ change }) => change.outcome === outcome);
    const { words, tone, ...look } = OUTCOME_LOOKS[outcome];
    const meaning = 'meaning' in look ? look.meaning : undefined;
    outcomes.push(tallyOf(outcome, own, words, tone, meaning));
  }
  const hasAny = ({ changes }: Tally): boolean => changes > 0;
  return {
    labels: labels.filter(hasAny),
    risks: risks.filter(hasAny),
    outcomes: outcomes.filter(hasAny),
  };
}

function tallyOf<Key extends string>(
  key: Key,
  facts: readonly Fact[],
  words: string,
  tone: Tone,
  meaning?: string,
): Tally<Key> {
  const names = namesIn(facts);
  const servers = serversIn(facts);
  return { key, changes: facts.length, words, tone, meaning, names, servers };
}
