import { count } from '../findings/words.ts';
import type { CannotTell, ServerPlan } from '../plan/plan.ts';

/** A field that the branch changed and that the server does not show: it is no difference, and is not written. */
interface UnseenChange {
  readonly server: string;
  readonly integration: string;
  readonly field: CannotTell;
  /** What writes it, or makes it comparable. */
  readonly remedy: string;
}

/** The fields of plans that the branch changed and that nobody can compare. */
export function unseenChanges(servers: readonly ServerPlan[]): UnseenChange[] {
  return servers.flatMap(({ name: server, integrations, snapshot }) =>
    integrations.flatMap(({ name: integration, cannotTell }) =>
      cannotTell
        .filter(({ isTouched }) => isTouched === true)
        .map((field) => ({
          server,
          integration,
          field,
          remedy: remedyFor(field, snapshot !== undefined),
        })),
    ),
  );
}

/** How many there are, for a headline. */
export function unseenChangesCount(number: number): string {
  return `this branch changed ${count(number, 'field')} that cannot be seen`;
}

/** How many there are, in a sentence above their names. */
export function unseenChangesTitle(number: number): string {
  return `This branch changed ${count(number, 'field')} that cannot be seen, and that ${number === 1 ? 'is' : 'are'} not written`;
}

/** What to do about some of them, each remedy once. */
export function remediesOf(changes: readonly UnseenChange[]): string[] {
  return [...new Set(changes.map(({ remedy }) => remedy))];
}

/** Where one is declared. */
export function placeText({ source }: CannotTell): string {
  return `${source.file}:${source.line}`;
}

function remedyFor({ address, reason }: CannotTell, isOffline: boolean): string {
  if (reason === 'unresolved') return 'Set what its reference names.';
  if (isOffline) return 'Plan with the server, and pass --write-secrets changed to write it.';
  if (address.endsWith('.value')) return 'Pass --write-secrets changed to write it.';
  return address.endsWith('.permission')
    ? 'Pass --write-flags with its address to write it.'
    : 'The server must show it before it can be written.';
}
