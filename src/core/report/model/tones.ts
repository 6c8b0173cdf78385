import type { Outcome } from '../../plan/plan.ts';

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

/** What an outcome is called, and means. */
interface OutcomeLook {
  readonly tone: Tone;
  readonly words: string;
  /** What it means, if its name does not say it. */
  readonly meaning?: string | undefined;
}

/** Outcomes in the order in which people read them. */
export const OUTCOME_LOOKS = {
  failed: { tone: 'bad', words: 'failed' },
  unknown: { tone: 'bad', words: 'unknown', meaning: 'no clear answer' },
  'not-converged': {
    tone: 'bad',
    words: 'not converged',
    meaning: 'the server holds something else',
  },
  stale: {
    tone: 'risk',
    words: 'stale',
    meaning: 'moved after the plan',
  },
  blocked: { tone: 'risk', words: 'blocked', meaning: 'not running' },
  'not-attempted': { tone: 'dim', words: 'not attempted' },
  sent: {
    tone: 'good',
    words: 'sent',
    meaning: 'accepted, but not shown by the server',
  },
  verified: { tone: 'good', words: 'verified' },
} as const satisfies Record<Outcome, OutcomeLook>;

export const OUTCOME_NAMES = Object.keys(OUTCOME_LOOKS) as readonly Outcome[];
