/** A field of an integration: the flag of its own, or one of an option. */
export type FieldName =
  | { readonly field: 'autosubscribe' }
  | { readonly field: 'value' | 'permission'; readonly option: string };

/** Where a field is inside its integration: `autosubscribe`, `options.apiKey.value`. */
export function pathOf(name: FieldName): string {
  return name.field === 'autosubscribe' ? name.field : `options.${name.option}.${name.field}`;
}

/** The address of a field: `virustotal.options.apiKey.value`. It is composed and compared; names and keys may hold dots. */
export function fieldAddress(integration: string, name: FieldName): string {
  return `${integration}.${pathOf(name)}`;
}

/**
 * Whether what a person typed names a field: an integration, an option (`virustotal.options.apiKey`), a field, or
 * `virustotal.apiKey` for the value of that option.
 */
export function namesField(typed: string, integration: string, name: FieldName): boolean {
  const address = fieldAddress(integration, name);
  if (typed === integration || typed === address) return true;
  if (name.field === 'autosubscribe') return false;
  const isShort = name.field === 'value' && typed === `${integration}.${name.option}`;
  return isShort || typed === `${integration}.options.${name.option}`;
}

/** The field of an integration that has an address; undefined if the address is of another integration. */
export function fieldIn(integration: string, address: string): FieldName | undefined {
  if (!address.startsWith(`${integration}.`)) return undefined;
  const path = address.slice(integration.length + 1);
  if (path === 'autosubscribe') return { field: 'autosubscribe' };
  const [, option, field] = /^options\.(.+)\.(value|permission)$/s.exec(path) ?? [];
  if (option === undefined) return undefined;
  return { field: field === 'permission' ? 'permission' : 'value', option };
}
