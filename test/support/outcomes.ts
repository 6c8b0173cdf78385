import type { OUTCOMES } from '../../src/core/plan/plan.ts';

/** What tests need of an integration in the document of an apply. */
export type Outcome = keyof typeof OUTCOMES;

export interface Outcomes {
  readonly name: string;
  readonly changes: readonly { readonly outcome?: Outcome | undefined }[];
}

/** What became of an integration: of its changes the first that is not verified. */
export function outcomeOf({ changes }: Pick<Outcomes, 'changes'>): Outcome | undefined {
  const outcomes = changes.map(({ outcome }) => outcome);
  return outcomes.find((each) => each !== 'verified') ?? outcomes[0];
}
