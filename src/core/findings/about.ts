import type { Diagnostic } from './diagnostic.ts';

/** What follows the integration in the address of a field. */
export const FIELD_END = /\.(options\..*|autosubscribe)$/;

/** The integration of a finding about one: the first part of a field address, or a fact of its own. */
export function integrationOf({ facts }: Diagnostic): string | undefined {
  if ('address' in facts && facts.address !== undefined) return facts.address.replace(FIELD_END, '');
  return 'integration' in facts ? facts.integration : undefined;
}

/** The integrations that a finding is about, each once; none where it is about a server, a file or a flag. */
export function integrationsOf(found: Diagnostic): readonly string[] {
  const { facts, said } = found;
  if (said !== undefined) return said.integrations ?? [];
  if ('addresses' in facts) return [...new Set(facts.addresses.map((each) => each.replace(FIELD_END, '')))];
  if ('integrations' in facts && typeof facts.integrations === 'object') return facts.integrations;
  return [integrationOf(found) ?? []].flat();
}
