import { type Entries, error } from './entry.ts';
import type { ReferenceFacts } from './facts.ts';

/** What is wrong with references. */
export const REFERENCES: Entries<ReferenceFacts> = {
  'reference-syntax': {
    ...error,
    message: (f) => f.problem,
    hint: () =>
      'References are ${env:NAME}, ${env:NAME:-fallback}, ${file:path} and ${value:name}; write $${ for a literal ${.',
  },
  'reference-misplaced': {
    ...error,
    message: (f) => `References are not resolved in a ${f.of}.`,
    hint: (f) =>
      f.of === 'key'
        ? 'Write the key out.'
        : 'Write the glob out. Where it differs from server to server, give each its own in its own layer.',
  },
  'reference-not-allowed': {
    ...error,
    message: (f) => `The environment variable ${f.name} may not be read.`,
    hint: (f) => `Name it SETPOINT_${f.name.replace(/^_+/, '')}, or pass --allow-env ${f.name}.`,
  },
  'reference-missing': {
    ...error,
    message: (f) => `${f.reference} has no value.`,
    hint: (f) =>
      f.reference.startsWith('${value:')
        ? namedValueHint(f)
        : 'Set the variable, or give a fallback: ${env:NAME:-fallback}.',
  },
  'reference-file': {
    ...error,
    message: (f) => `${f.reference} cannot be read: ${f.reason}.`,
    hint: () => 'Paths begin in the folder of setpoint.yaml; without one, at the root of the git work tree.',
  },
  'reference-cycle': {
    ...error,
    message: (f) => `Values refer to each other in a circle: ${f.names.join(' -> ')}.`,
  },
  'reference-too-long': {
    ...error,
    message: (f) => `The named values come to more than ${f.limit} characters of text.`,
    hint: () => 'Do named values refer to others several times, and those again?',
  },
  'reference-form': {
    ...error,
    message: (f) => `${f.reference} is a select or a list, which cannot be a part of a text.`,
    hint: () => 'Let the reference be the whole value.',
  },
};

function namedValueHint({ near, isNull }: ReferenceFacts['reference-missing']): string {
  if (isNull === true) return 'It is null under values. Give it a value, or take the reference away too.';
  return near === undefined ? 'Declare it under values.' : `Did you mean ${near}?`;
}
