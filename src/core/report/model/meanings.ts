import type { Document, Outcome } from '../../plan/plan.ts';

/** What outcomes mean, in few words. */
export type Meanings = Readonly<Partial<Record<Outcome, string>>>;

/** Those whose names do not say it. */
const MEANINGS: Meanings = {
  sent: 'accepted, but not shown by the server',
  'not-converged': 'the server holds something else',
  stale: 'moved since, left alone',
  blocked: 'refused, not running',
  'not-attempted': 'something before it failed',
  unknown: 'no clear answer',
};

const INTERRUPTED: Meanings = {
  ...MEANINGS,
  'not-attempted': 'the run was interrupted',
};

/** What the outcomes of a document mean. */
export function meaningsIn({ diagnostics }: Document): Meanings {
  const isInterrupted = diagnostics.some(({ code }) => code === 'interrupted');
  return isInterrupted ? INTERRUPTED : MEANINGS;
}
