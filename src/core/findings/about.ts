import { addressOf, type Subject, type Trait } from '../model/subject.ts';

/** The field that a finding is about. */
export interface AboutField {
  address: string;
  /** Its integration; undefined for a named value, or an address as typed. */
  integration: string | undefined;
  /**
   * All integrations that share the finding, its own first; absent if it is the
   * only one.
   */
  integrations?: readonly string[] | undefined;
}

/** The fields that a finding is about. */
export interface AboutFields {
  addresses: readonly string[];
  /** Their integrations, each once. */
  integrations: readonly string[];
}

/** The facts of a finding about a field. */
export function aboutField(subject: Subject | Trait): AboutField {
  return { address: addressOf(subject), integration: subject.integration };
}

/** The facts of a finding about fields. */
export function aboutFields(
  subjects: readonly (Subject | Trait)[],
): AboutFields {
  const integrations = new Set(subjects.map(({ integration }) => integration));
  const addresses = subjects.map(addressOf);
  return { addresses, integrations: [...integrations] };
}
