import type { Entry } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { isSecret, type Told } from '../model/secrecy.ts';
import { asOptionValue } from '../model/written.ts';
import type { ChangeDocument } from '../plan/document.ts';
import { type RiskFacts, risksOf } from '../plan/risk.ts';
import type { Declaration } from './declarations.ts';
import { openValue } from './shown-value.ts';

/** The risks of a declaration that differs from the base, as far as they show without a server. */
export function risksOfDeclaration(
  declaration: Declaration,
  base: Entry<ResolvedValue> | undefined,
  head: Entry<ResolvedValue> | undefined,
  told: Told,
): ChangeDocument['risks'] {
  const facts = factsOf(declaration, base, head, told);
  return facts === undefined ? [] : risksOf(facts);
}

function factsOf(
  { field, option: key = '' }: Declaration,
  base: Entry<ResolvedValue> | undefined,
  head: Entry<ResolvedValue> | undefined,
  told: Told,
): RiskFacts | undefined {
  if (field === 'autosubscribe') return { field, after: head?.autosubscribe?.value === true };
  const [was, now] = [base, head].map((entry) => entry?.options.get(key));
  const [before, after] = [was, now].map((option) => option?.permission?.value ?? undefined);
  const resolved = now?.value?.value ?? undefined;
  const value = resolved && openValue(resolved).value;
  const literals = resolved === undefined || resolved.isFromOutside || value === undefined ? [] : [value];
  const isExposable = isSecret({ key, ...told, values: literals });
  if (field === 'permission' && after !== undefined)
    return { field, before: before ?? 'unknown', after, isExposable };
  if (field !== 'value' || resolved === undefined || value === undefined) return undefined;
  return {
    field,
    after: asOptionValue(value),
    isExposable,
    permission: before === after ? after : undefined,
  };
}
