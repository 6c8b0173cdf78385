import { error, type Problem } from './entry.ts';

/** Mistakes in references. */
export const REFERENCES = {
  'reference-syntax': error('A reference is malformed or not possible here', {
    message: (f: Problem) => f.problem,
    hint: 'Write ${env:NAME}, ${env:NAME:-fallback}, ${file:path} or ${value:name}; $${ is a literal ${.',
    why: 'References may stand in values and named values, not in keys and matches. A select or a list must be the whole value:\n  proxy: http://${env:SETPOINT_PROXY_HOST}:3128',
  }),
  'reference-not-allowed': error('An environment variable may not be read', {
    message: (f: { name: string; isOwn?: true }) =>
      f.isOwn
        ? `\${env:${f.name}} is reserved for setpoint's own login.`
        : `References may not read the environment variable ${f.name}.`,
    hint: (f) =>
      `Give the variable another name, such as SETPOINT_VENDOR_KEY${f.isOwn ? '' : `, or pass --allow-env ${f.name}`}.`,
    why: 'A pull request could otherwise send any variable of the pipeline to a server. References read variables that begin with SETPOINT_, and others only with --allow-env.',
  }),
  'reference-missing': error('A reference has no value', {
    message: (f: { reference: string; near?: string }) => `${f.reference} has no value.`,
    hint: ({ reference }) =>
      reference.startsWith('${value:')
        ? 'Give it a value under values.'
        : 'Set the variable. If it is no secret, a fallback can stand in: ${env:NAME:-fallback}.',
    why: 'Set the variable, or declare the value under values. All missing references are reported together, before anything is sent.',
  }),
  'reference-file': error('The file of a reference cannot be read', {
    message: (f: { reference: string; reason: string; hint?: string }) =>
      `Cannot read ${f.reference}: ${f.reason}.`,
    hint: 'Paths start at the folder of setpoint.yaml, or without one at the root of the git work tree.',
    why: 'References read regular files of at most 64 KiB inside the configuration root, never in .git.',
  }),
};
