import type { OUTCOMES } from '../../src/core/plan/outcome.ts';
import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../src/core/plan/plan-document.ts';
import { refusalsIn } from '../../src/core/plan/refusals.ts';
import { json, type RunResult } from './run.ts';

type Printed = Pick<RunResult, 'stdout'>;

/** The servers of the report that a run printed as JSON. */
export function serversOf(result: Printed): readonly ServerDocument[] {
  return json<Document>(result).servers;
}

/** The revision that the report of a run is compared with. */
export function baseOf(result: Printed): Document['base'] {
  return json<Document>(result).base;
}

export function integrationsOf(
  result: Printed,
): readonly IntegrationDocument[] {
  return serversOf(result).flatMap(({ integrations }) => integrations);
}

export function changesOf(result: Printed): readonly ChangeDocument[] {
  return integrationsOf(result).flatMap(({ changes }) => changes);
}

export const addressesOf = (result: Printed) =>
  changesOf(result).map(({ address }) => address);

/** All findings of a run, with what an apply refuses. */
export function findingsOf(result: Printed): Document['diagnostics'] {
  const document = json<Document>(result);
  // The servers of lists have other parts.
  const isOfPlan = document.servers.every((server) => 'refusals' in server);
  return isOfPlan
    ? [...document.diagnostics, ...refusalsIn(document)]
    : document.diagnostics;
}

export const codesOf = (result: Printed) =>
  findingsOf(result).map(({ code }) => code);

/** The findings as `code file:line:column`, each at its first place. */
export function placesOf(result: Printed): string[] {
  return findingsOf(result).map(({ code, places: [place] = [] }) =>
    place === undefined
      ? code
      : `${code} ${place.file}:${place.line}:${place.column}`,
  );
}

export type Outcome = keyof typeof OUTCOMES;

/** What became of an integration: of its changes the first that is not verified. */
export function outcomeOf({
  changes,
}: {
  readonly changes: readonly { readonly outcome?: Outcome | undefined }[];
}): Outcome | undefined {
  const outcomes = changes.map(({ outcome }) => outcome);
  return outcomes.find((each) => each !== 'verified') ?? outcomes[0];
}

export const outcomesOf = (result: Printed) =>
  integrationsOf(result).map(outcomeOf);
