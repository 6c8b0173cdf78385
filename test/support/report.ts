import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  OUTCOMES,
  ServerDocument,
} from '../../src/core/plan/plan.ts';
import { json, type RunResult } from './run.ts';

type Printed = Pick<RunResult, 'stdout'>;

/** The servers of the report that a run printed as JSON. */
export function serversOf(result: Printed): readonly ServerDocument[] {
  return json<Document>(result).servers;
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

export function findingsOf(result: Printed): Document['diagnostics'] {
  return json<Document>(result).diagnostics;
}

export const codesOf = (result: Printed) =>
  findingsOf(result).map(({ code }) => code);

/** The findings as `code file:line:column`. */
export function placesOf(result: Printed): string[] {
  return findingsOf(result).map(({ code, file, line, column }) =>
    file === undefined ? code : `${code} ${file}:${line}:${column}`,
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
