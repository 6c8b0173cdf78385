/**
 * One field of an integration. It becomes a text only where it is shown or
 * typed.
 */
export type Subject =
  | { kind: 'autosubscribe'; integration: string }
  | OptionSubject;

interface OptionSubject {
  kind: 'permission' | 'value';
  integration: string;
  option: string;
}

/**
 * What files or servers say of an integration or an option that is no field of
 * a server.
 */
export type Trait =
  | {
      kind: 'name' | 'match' | 'expect' | 'installed';
      integration: string;
    }
  | {
      kind: 'sensitive' | 'rotated';
      integration: string;
      option: string;
    };

/** The option of a field; undefined for that of the integration itself. */
export function optionOf(subject: Subject): string | undefined {
  return subject.kind === 'autosubscribe' ? undefined : subject.option;
}

/** The address that people see: `virustotal.options.apiKey.value`. */
export function addressOf(subject: Subject | Trait): string {
  const { integration, kind } = subject;
  if (!('option' in subject)) return `${integration}.${kind}`;
  return `${integration}.options.${subject.option}.${kind}`;
}

/** A key for maps of the fields of one integration. */
export function fieldKey(subject: Subject): string {
  const { kind } = subject;
  return kind === 'autosubscribe' ? kind : `${kind} ${subject.option}`;
}

/**
 * Whether a typed text names a field: by its integration, its option, its
 * address with or without `options`, or `virustotal.apiKey` for the value of
 * that option. Names and keys may hold dots, so what could have been typed is
 * composed; nothing is taken apart.
 */
export function isNamedBy(typed: string, subject: Subject): boolean {
  const { integration } = subject;
  if (!typed.startsWith(integration)) return false;
  if (typed === integration || spellings(subject).includes(typed)) return true;
  if (subject.kind === 'autosubscribe') return false;
  return typed === `${integration}.options.${subject.option}`;
}

/** The ways in which a person types the address of a field. */
export function spellings(subject: Subject): string[] {
  const address = addressOf(subject);
  if (subject.kind === 'autosubscribe') return [address];
  const { integration, option, kind } = subject;
  const typed = [address, `${integration}.${option}.${kind}`];
  if (kind === 'value') typed.push(`${integration}.${option}`);
  return typed;
}

/**
 * Lists the fields of an integration that has these options, each value before
 * its permission.
 */
export function fieldsWith(
  integration: string,
  options: Iterable<string>,
): Subject[] {
  const fields: Subject[] = [{ kind: 'autosubscribe', integration }];
  for (const option of options) {
    fields.push({ kind: 'value', integration, option });
    fields.push({ kind: 'permission', integration, option });
  }
  return fields;
}
