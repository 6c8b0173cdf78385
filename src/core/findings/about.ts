import {
  addressOf,
  type OptionSubject,
  type Subject,
  type Trait,
} from '../model/subject.ts';

/** The field that a finding is about. */
export interface AboutField {
  readonly address: string;
  /** Its integration; undefined for a named value, or an address as typed. */
  readonly integration: string | undefined;
}

/** A field that sentences call by its option. */
export interface AboutOption extends AboutField {
  /** The address of the option: `virustotal.options.apiKey`. */
  readonly option: string;
}

/** The integrations that share a finding about one field. */
export interface SharedBy {
  /** The integration of the field first; absent if it is the only one. */
  readonly integrations?: readonly string[] | undefined;
}

/** The fields that a finding is about. */
export interface AboutFields {
  readonly addresses: readonly string[];
  /** Their integrations, each once. */
  readonly integrations: readonly string[];
}

/** The facts of a finding about a field. */
export function aboutField(subject: Subject | Trait): AboutField {
  return { address: addressOf(subject), integration: subject.integration };
}

/** The facts of a finding about a field of an option, whichever it is. */
export function aboutOptionField(subject: OptionSubject): AboutOption {
  const { integration, option } = subject;
  const address = `${integration}.options.${option}`;
  return { ...aboutField(subject), option: address };
}

/** The facts of a finding about fields. */
export function aboutFields(
  subjects: readonly (Subject | Trait)[],
): AboutFields {
  return aboutAll(subjects.map(aboutField));
}

/** The facts of one finding about the fields of several. */
export function aboutAll(fields: readonly AboutField[]): AboutFields {
  const integrations = new Set<string>();
  for (const { integration } of fields) {
    if (integration !== undefined) integrations.add(integration);
  }
  const addresses = fields.map(({ address }) => address);
  return { addresses, integrations: [...integrations] };
}
