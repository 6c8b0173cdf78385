import { isOwnCredential } from '../model/own-credential.ts';
import { error } from './entry.ts';

export interface Missing {
  reference: string;
  near?: string;
  /** True for a named value that is declared as null. */
  isNull?: boolean;
}

/** What is wrong with references. */
export const REFERENCES = {
  'reference-syntax': error('A reference is malformed', {
    message: (f: { problem: string }) => f.problem,
    hint: 'Write ${env:NAME}, ${env:NAME:-fallback}, ${file:path} or ${value:name}; $${ is a literal ${.',
  }),
  'reference-misplaced': error('A reference is used where none is allowed', {
    message: (f: { of: 'match' | 'key' }) => `A ${f.of} cannot contain references.`,
    hint: (f) =>
      f.of === 'key'
        ? 'Write the key out.'
        : 'Write the glob out; where servers need different ones, put them in layers of their own.',
  }),
  'reference-not-allowed': error('An environment variable may not be read', {
    message: (f: { name: string }) => `References may not read the environment variable ${f.name}.`,
    hint: (f) => `Rename it to ${allowedName(f.name)}, or pass --allow-env ${f.name}.`,
  }),
  'reference-own-credential': error("A reference names one of setpoint's own credentials", {
    message: (f: { name: string }) =>
      `References never read ${f.name}: it holds a credential of setpoint itself.`,
    hint: 'Use another name, such as SETPOINT_VENDOR_KEY.',
  }),
  'reference-missing': error('A reference has no value', {
    message: (f: Missing) => `${f.reference} has no value.`,
    hint: (f) =>
      f.reference.startsWith('${value:')
        ? namedValueHint(f)
        : 'Set the variable, or add a fallback: ${env:NAME:-fallback}.',
  }),
  'reference-file': error('The file of a reference cannot be read', {
    message: (f: { reference: string; reason: string; hint?: string }) =>
      `Cannot read ${f.reference}: ${f.reason}.`,
    hint: (f) =>
      f.hint ??
      'Paths start at the folder of setpoint.yaml, or without one at the root of the git work tree.',
  }),
  'reference-cycle': error('Named values refer to each other in a cycle', {
    message: (f: { names: readonly string[] }) =>
      `Values refer to each other in a cycle: ${f.names.join(' -> ')}.`,
  }),
  'reference-too-long': error('Named values expand to too much text', {
    message: (f: { limit: number }) => `The named values expand to more than ${f.limit} characters.`,
    hint: 'Look for values that refer to others several times.',
  }),
  'reference-form': error('A reference to a select or list is part of a text', {
    message: (f: { reference: string }) =>
      `${f.reference} is a select or a list, so it cannot be part of a text.`,
    hint: 'Make the reference the whole value.',
  }),
};

/** A name that references may read without a flag. */
function allowedName(variable: string): string {
  const name = `SETPOINT_${variable.replace(/^_+/, '')}`;
  return isOwnCredential(name) ? `${name}_VALUE` : name;
}

function namedValueHint({ near, isNull }: Missing): string {
  if (isNull === true) return 'It is null under values: set it, or remove the reference.';
  return near === undefined ? 'Declare it under values.' : `Did you mean ${near}?`;
}
