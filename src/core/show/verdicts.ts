import type { Diagnostic } from '../findings/diagnostic.ts';
import { type FieldName, fieldAddress } from '../model/address.ts';
import { Suggestions } from '../model/near-names.ts';
import { diffIntegration } from '../plan/diff.ts';
import type { KnownServer, Target } from './known.ts';
import type { FieldVerdict } from './shown.ts';

/** How the managed fields of an integration compare with the live ones, by address, and what is wrong with them. */
export interface Verdicts {
  readonly of: ReadonlyMap<string, FieldVerdict>;
  readonly diagnostics: readonly Diagnostic[];
}

const NONE: Verdicts = { of: new Map(), diagnostics: [] };

/** Compares all managed fields of an integration, or those of one option; nothing where no server was read. */
export function verdictsOf({ inventory, live }: KnownServer, target: Target, option?: string): Verdicts {
  const { installed, desired } = target;
  if (live !== 'read' || inventory === undefined || installed === undefined || desired === undefined)
    return NONE;
  const asked =
    option === undefined
      ? desired
      : { ...desired, options: desired.options.filter(({ key }) => key === option) };
  const { changes, cannotTell, held, diagnostics } = diffIntegration(
    asked,
    installed,
    () => false,
    new Suggestions(),
  );
  const verdict = (word: FieldVerdict) => (field: { readonly address: string }) =>
    [field.address, word] as const;
  return {
    of: new Map([
      ...changes.map(verdict('differs')),
      ...cannotTell.map(verdict('cannot-tell')),
      ...held.map(verdict('as-desired')),
    ]),
    diagnostics,
  };
}

/** How a managed field compares; one whose references this run lacks cannot be told, like what the server does not show. */
export function verdictOf(
  { live }: KnownServer,
  { name, installed }: Target,
  field: FieldName,
  { of }: Verdicts,
): FieldVerdict | undefined {
  const isUnread = live !== 'read' || installed === undefined;
  return of.get(fieldAddress(name, field)) ?? (isUnread ? undefined : 'cannot-tell');
}
