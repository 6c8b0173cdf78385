import { distance } from 'fastest-levenshtein';
import type { Diagnostic, DiagnosticCode } from './diagnostic.ts';
import type { DiagnosticFacts, Reached } from './facts.ts';
import type { Place } from './model.ts';

export type Severity = 'error' | 'warning' | 'note';

/** The row of the exit-code table that an error of this code leads to. */
export type ExitClass = 'failure' | 'configuration' | 'permission' | 'apply' | 'guard' | 'interrupted';

interface Entry<Code extends DiagnosticCode> {
  readonly severity: Severity;
  readonly exit: ExitClass;
  readonly message: (facts: DiagnosticFacts[Code]) => string;
  readonly hint?: (facts: DiagnosticFacts[Code]) => string | undefined;
}

type Catalogue = { readonly [Code in DiagnosticCode]: Entry<Code> };

/** A diagnostic as a person reads it. Texts may hold foreign words: escape them for the sink. */
export interface Explained {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly exit: ExitClass;
  readonly message: string;
  readonly hint?: string;
  readonly place?: Place;
  readonly server?: string;
}

/** Facts that repeat what a server or a file said; the sentences around them are our own. */
const FOREIGN_FACTS = new Set([
  'detail',
  'reason',
  'mediaType',
  'candidates',
  'known',
  'choices',
  'written',
  'reference',
  'moved',
  'before',
  'now',
]);

/** A diagnostic with its foreign facts cleaned of something, such as known secrets. */
export function withCleanFacts(found: Diagnostic, clean: (text: string) => string): Diagnostic {
  const isForeign = (name: string) =>
    FOREIGN_FACTS.has(name) || (found.code === 'unexpected' && name === 'problem');
  // The names and types of the facts are as they were.
  return { ...found, facts: cleanedMembers(found.facts, isForeign, clean) } as Diagnostic;
}

function cleanedMembers(
  facts: object,
  isForeign: (name: string) => boolean,
  clean: (text: string) => string,
) {
  const entries = Object.entries(facts).map(([name, fact]) => [
    name,
    isForeign(name) ? cleaned(fact, clean) : fact,
  ]);
  return Object.fromEntries(entries);
}

function cleaned(fact: unknown, clean: (text: string) => string): unknown {
  if (typeof fact === 'string') return clean(fact);
  if (Array.isArray(fact)) return fact.map((each) => cleaned(each, clean));
  const isGroup = typeof fact === 'object' && fact !== null;
  return isGroup ? cleanedMembers(fact, (name) => FOREIGN_FACTS.has(name), clean) : fact;
}

/** Looks a diagnostic up: its sentence, its remedy, how severe it is and which exit code it leads to. */
export function explain(found: Diagnostic): Explained {
  // Each member of the union pairs one code with its own facts, so the entry under that code takes them.
  const entry = CATALOGUE[found.code] as Entry<DiagnosticCode>;
  const facts = found.facts as DiagnosticFacts[DiagnosticCode] & Record<never, never>;
  const message = (entry.message as (facts: unknown) => string)(facts);
  const hint = (entry.hint as ((facts: unknown) => string | undefined) | undefined)?.(facts);
  return {
    code: found.code,
    severity: entry.severity,
    exit: entry.exit,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(found.place === undefined ? {} : { place: found.place }),
    ...(found.server === undefined ? {} : { server: found.server }),
  };
}

/** How severe a finding is. */
export function severityOf({ code }: Diagnostic): Severity {
  return CATALOGUE[code].severity;
}

/** Whether a list of findings holds an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => severityOf(found) === 'error');
}

/** The members of `known` that are written nearly like `word`, best first, at most three. */
export function nearNames(word: string, known: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return known
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

function didYouMean(word: string, known: readonly string[]): string | undefined {
  const [best] = nearNames(word, known);
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

function oneOf(words: readonly string[]): string {
  const shown = words.slice(0, 20);
  const more = words.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Servers with how many of their integrations change. */
function partsOf(
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[],
): string {
  const parts = large.map(({ server, changed, managed }) => `${changed} of ${managed} on ${server}`);
  return `Of the managed integrations, ${oneOf(parts)}`;
}

function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A type of JSON in the words of YAML. */
function typeName(type: string): string {
  return TYPE_NAMES.get(type) ?? type;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['object', 'a map'],
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true, false'],
]);

/** The beginning of a long word; beside another one the part where the two begin to differ. */
function cut(word: string, other = ''): string {
  const [all, others] = [[...word], [...other]];
  if (all.length <= 64) return word;
  const differs = all.findIndex((character, index) => character !== others[index]);
  const start = Math.max(0, (differs < 0 ? all.length : differs) - 32);
  const shown = all.slice(start, start + 64).join('');
  return `${start > 0 ? '…' : ''}${shown}${start + 64 < all.length ? '…' : ''}`;
}

/** A character by its number, as Unicode writes it: `U+200B`. */
function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

function at(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** How far an apply came, every integration by its name: whoever reads it has nothing else to go by. */
function reachedText(reached: Reached | undefined): string {
  if (reached === undefined) return '';
  const { applied, notApplied, unknown } = reached;
  const told = (what: string, names: readonly string[]) =>
    ` ${what}: ${names.length === 0 ? 'none' : names.join(', ')}.`;
  return told('Applied', applied) + told('Not applied', notApplied) + told('Unknown', unknown);
}

function withDetail(sentence: string, detail: string | undefined): string {
  return detail === undefined || detail === '' ? `${sentence}.` : `${sentence}: ${detail}`;
}

const ALIAS_PROBLEMS: Record<DiagnosticFacts['too-many-aliases']['problem'], (limit: number) => string> = {
  nodes: (limit) => `The aliases of this file stand for more than ${limit} values in all.`,
  text: (limit) => `The aliases of this file repeat more than ${limit} characters of text.`,
  itself: () => 'This alias stands inside of what it stands for.',
};

const CANDIDATES_HINT = (facts: { candidates: readonly string[]; total: number }) =>
  facts.total === 0
    ? 'The server lists no integration that this account may see.'
    : `Candidates (name, acronym, id): ${facts.candidates.join('; ')}${
        facts.total > facts.candidates.length ? `; and ${facts.total - facts.candidates.length} more` : ''
      }.`;

const error = { severity: 'error', exit: 'configuration' } as const;
const warning = { severity: 'warning', exit: 'configuration' } as const;
const note = { severity: 'note', exit: 'configuration' } as const;
const failure = { severity: 'error', exit: 'failure' } as const;
const denied = { severity: 'error', exit: 'permission' } as const;
const guard = { severity: 'error', exit: 'guard' } as const;
const unapplied = { severity: 'error', exit: 'apply' } as const;

/** One entry a code: what is said of it, what can be done about it, and what it makes of the exit code. */
const CATALOGUE: Catalogue = {
  usage: { ...error, message: (f) => f.problem, hint: (f) => f.hint },
  'no-configuration': {
    ...error,
    message: () => 'No configuration was named, and there is no setpoint.yaml here or above.',
    hint: () =>
      'Name a file and a server: setpoint plan -f integrations.yaml --url https://integrations.example.com',
  },
  'unknown-server': {
    ...error,
    message: (f) => `setpoint.yaml has no server ${f.wanted}.`,
    hint: (f) => didYouMean(f.wanted, f.known) ?? `Its servers: ${oneOf(f.known)}.`,
  },
  'servers-alike': {
    ...error,
    message: (f) =>
      `The servers ${f.name} and ${f.other} would take the same credentials from the environment.`,
    hint: () => 'Give one another name: capitals, dashes and underscores do not tell names apart there.',
  },
  'same-url': {
    ...warning,
    message: (f) => `The server ${f.name} has the same url as ${f.other}.`,
    hint: () => 'Is it copied? Else join their layers: each apply would undo what the other wants otherwise.',
  },
  'file-unreadable': { ...error, message: (f) => `${f.path}: ${f.reason}.` },
  'file-too-large': {
    ...error,
    message: (f) => `The file has ${f.bytes} bytes; at most ${f.limit} are read.`,
    hint: () => 'Split it into several files.',
  },
  'not-utf8': { ...error, message: () => 'The file is not UTF-8 text.', hint: () => 'Save it as UTF-8.' },
  'report-refused': { ...error, message: (f) => `The report cannot go to ${f.path}: ${f.reason}.` },
  'report-unwritable': {
    ...failure,
    message: (f) =>
      `The report could not be written to ${f.path ?? 'stdout'}: ${f.reason}.${reachedText(f.reached)}`,
  },

  'yaml-syntax': { ...error, message: (f) => f.problem },
  'yaml-version': { ...error, message: () => 'Only YAML 1.2 is read.', hint: () => 'Remove the %YAML line.' },
  'several-documents': {
    ...error,
    message: () => 'The file holds more than one YAML document.',
    hint: () => 'Put each document into a file of its own.',
  },
  'unknown-tag': {
    ...error,
    message: () => 'This YAML tag is not known.',
    hint: () => 'Remove it, and quote the value if it is text.',
  },
  'merge-key': {
    ...error,
    message: () => 'YAML merge keys (<<) are not read.',
    hint: () => 'Write the keys out, or use an entry with expect: any for what several integrations share.',
  },
  'duplicate-key': {
    ...error,
    message: (f) => `This key stands twice; first at line ${f.first.line}.`,
    hint: () => 'Remove one of the two.',
  },
  'non-string-key': {
    ...error,
    message: () => 'A key must be text.',
    hint: (f) =>
      f.form === 'scalar'
        ? 'Put the key in quotes.'
        : 'If this is a text with brackets or braces, put all of it in quotes.',
  },
  'empty-value': {
    ...error,
    message: (f) => `Nothing stands behind this ${f.of === 'key' ? 'key' : 'dash'}.`,
    hint: (f) =>
      f.of === 'key'
        ? 'Write the value, "" for an empty text, or null to stop managing it.'
        : 'Write the value, or "" for an empty text.',
  },
  'stray-character': {
    ...error,
    message: (f) =>
      f.codePoint === 13
        ? 'A carriage return alone does not end a line.'
        : `The character ${codePointName(f.codePoint)} cannot stand in a YAML file.`,
    hint: (f) => (f.codePoint === 13 ? 'Save the file with LF or CRLF as line ends.' : 'Remove it.'),
  },
  'unsafe-integer': {
    ...error,
    message: () => 'This number is too large to be kept exactly.',
    hint: () => 'Put it in quotes if it is an identifier.',
  },
  'ambiguous-scalar': {
    ...error,
    message: (f) => `YAML reads this as a ${f.kind} that is not written as it would be stored.`,
    hint: (f) =>
      f.kind === 'null'
        ? 'Write null to stop managing a field, or put the text in quotes.'
        : `Put it in quotes if it is text; else write the ${f.kind} in its plain form.`,
  },
  'too-complex': {
    ...error,
    message: (f) =>
      `The file has more than ${f.limit} words and marks of YAML, which take too long to be read.`,
    hint: () => 'Split it into several files. Blank lines and comments do not count.',
  },
  'too-deep': { ...error, message: (f) => `The file is nested more than ${f.limit} levels deep.` },
  'too-many-keys': { ...error, message: (f) => `A map has more than ${f.limit} keys.` },
  'too-many-aliases': {
    ...error,
    message: (f) => ALIAS_PROBLEMS[f.problem](f.limit),
    hint: () => 'Put what several options share under values, and refer to it by ${value:name}.',
  },

  'unsupported-version': {
    ...error,
    message: () => 'This version of the format is not known.',
    hint: () => 'Write version: 1.',
  },
  'unknown-key': {
    ...error,
    message: (f) => (f.key === undefined ? 'This key is not known here.' : `Unknown key ${cut(f.key)}.`),
    hint: (f) =>
      (f.key === undefined ? undefined : didYouMean(f.key, f.allowed)) ?? `Known here: ${oneOf(f.allowed)}.`,
  },
  'missing-key': {
    ...error,
    message: (f) => `The key ${f.key} is missing.`,
    hint: (f) => (f.key === 'version' ? 'Begin the file with version: 1.' : undefined),
  },
  'wrong-type': { ...error, message: (f) => `Expected ${anyOf(f.expected.map(typeName))}.` },
  'not-allowed': { ...error, message: (f) => `Expected one of ${oneOf(f.allowed)}.` },
  'bad-name': {
    ...error,
    message: (f) =>
      `This cannot be a ${f.of === 'option' ? 'key of an option' : 'name'}${
        f.characters.length === 0 ? '.' : `: it holds ${f.characters.join(', ')}.`
      }`,
    hint: (f) =>
      f.of === 'option'
        ? 'Keys of options have 1 to 128 characters.'
        : 'Names have letters from A to Z, digits, underscores and dashes, at most 128 characters.',
  },
  'bad-length': { ...error, message: (f) => f.problem },
  'duplicate-field': {
    ...error,
    message: (f) => `${f.address} is set twice; also at ${at(f.other)}.`,
    hint: () => 'Keep one of the two, or make one entry a default with expect: any.',
  },

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
        ? f.near === undefined
          ? 'Declare it under values.'
          : `Did you mean ${f.near}?`
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

  'empty-entry': { ...warning, message: (f) => `${f.name} declares nothing.` },
  'empty-option': {
    ...warning,
    message: () => 'This option declares nothing.',
    hint: () => 'Write a value or a permission, or remove it.',
  },
  'user-provides-value': {
    ...warning,
    message: (f) => `${f.address} has a value, but with user-provides each user gives an own one.`,
    hint: () => 'Remove the value, or lock the option.',
  },
  'plain-secret': {
    ...error,
    message: (f) => `${f.address} is a secret written in clear.`,
    hint: () =>
      'Put it into an environment variable and write ${env:SETPOINT_NAME}. Then replace it: it is in the history.',
  },
  'likely-secret': {
    ...warning,
    message: (f) => `${f.address} looks like a secret written in clear.`,
    hint: () => 'Write ${env:SETPOINT_NAME}, and replace the secret: it is in the history.',
  },
  'secret-fallback': {
    ...warning,
    message: (f) => `${f.address} is a secret with a fallback.`,
    hint: () => 'Without the fallback a missing secret is found before anything is sent.',
  },
  placeholder: {
    ...warning,
    message: (f) => `${f.address} seems to stand for a value that was never filled in.`,
    hint: () => 'Write the value, or remove the option: then it is left as it is.',
  },
  'any-without-match': {
    ...warning,
    message: (f) => `${f.name} holds defaults, but matches only the id ${f.name}.`,
    hint: () => 'Add a match, such as match: "*".',
  },
  'subscribes-by-default': {
    ...warning,
    message: (f) => `${f.name} subscribes all users to every integration that it matches.`,
    hint: () => 'Write autosubscribe: true at the integrations that are meant.',
  },
  'glob-too-complex': {
    ...error,
    message: () => 'This glob has too many wildcards.',
    hint: () => 'Beside sets and alternatives there may be 3 stars, and 32 alternatives in all.',
  },
  'match-is-no-glob': {
    ...warning,
    message: () => 'This match looks like a regular expression; it is read as a glob.',
    hint: () => 'Write vt_* for all ids that begin with vt_.',
  },
  'same-match': {
    ...warning,
    message: (f) => `The entry ${f.name} has the same match (${at(f.other)}).`,
    hint: () => 'Join the two entries.',
  },
  'odd-key': {
    ...error,
    message: (f) => `This key holds characters that are not what they seem: ${f.characters.join(', ')}.`,
    hint: () => 'Type the key anew.',
  },
  'odd-character': {
    ...warning,
    message: (f) => `${f.address} holds characters that are not what they seem: ${f.characters.join(', ')}.`,
    hint: () => 'Type the text anew.',
  },
  'outer-blank': {
    ...warning,
    message: (f) => `${f.address} begins or ends with a blank or a line end.`,
    hint: () => 'Remove it; behind a | write |- to leave out the last line end.',
  },
  'trailing-slash': {
    ...warning,
    message: (f) =>
      `${f.address} ends with a slash; ${
        f.other === undefined ? `the default of ${f.neighbour} does not` : `at ${at(f.other)} it does not`
      }.`,
    hint: () => 'Remove the last slash: many integrations put a path behind it.',
  },
  'reference-typo': {
    ...warning,
    message: (f) => `${f.address} looks like a reference, but is taken as text.`,
    hint: () => 'References are ${env:NAME}, ${file:path} and ${value:name}; write $${ for a literal ${.',
  },
  'repeated-choice': {
    ...warning,
    message: (f) => `${f.address} names this choice twice.`,
    hint: () => 'Remove one of the two.',
  },
  'idle-null': {
    ...warning,
    message: (f) => `No earlier layer declares ${f.address}, so this null changes nothing.`,
    hint: () => 'Is it mistyped? Else remove it.',
  },
  'unused-value': { ...note, message: (f) => `Nothing refers to the value ${f.name}.` },
  'alike-keys': {
    ...warning,
    message: (f) => `${f.key} is written nearly like ${f.other} (${at(f.at)}).`,
    hint: () => 'Each letter counts, capitals too: one of the two is likely to be mistyped.',
  },
  'alike-variables': {
    ...warning,
    message: (f) => `The variable ${f.name} is written nearly like ${f.other} (${at(f.at)}).`,
    hint: () => 'One of the two is likely to be mistyped.',
  },
  'stray-entry': {
    ...warning,
    message: (f) => `${f.name} has no match, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}? Else give it a match.`,
  },
  'stray-value': {
    ...warning,
    message: (f) => `Nothing refers to the value ${f.name}, and no earlier layer declares it.`,
    hint: (f) => `Did you mean ${f.near}?`,
  },
  'permission-as-value': {
    ...warning,
    message: (f) => `${f.address} is set to the text ${f.word}, which is the word of a permission.`,
    hint: (f) => `Write { permission: ${f.word} }.`,
  },
  'misplaced-key': {
    ...warning,
    message: (f) => `${f.key} is taken as the key of an option here.`,
    hint: () => 'Is it indented too far?',
  },
  'file-twice': {
    ...warning,
    message: () => 'This file is part of two layers: it overrides what lies between them.',
    hint: () => 'Name it once. Is it in a folder that is named as well?',
  },
  'broken-url': {
    ...warning,
    message: (f) =>
      f.of === 'scheme'
        ? `${f.address} does not begin as a URL does.`
        : `${f.address} comes to a URL with two slashes in its path.`,
    hint: (f) =>
      f.of === 'scheme'
        ? 'URLs begin with https:// once.'
        : 'Remove the slash at the end of the named value.',
  },
  'still-encrypted': {
    ...warning,
    message: (f) => `${f.address} is still encrypted; it would be sent as it stands here.`,
    hint: () => 'Decrypt it into an environment variable, and write ${env:SETPOINT_NAME}.',
  },
  'exposes-secret': {
    ...warning,
    message: (f) => `${f.address} shows a secret to all users.`,
    hint: () => 'Write lock-and-hide, unless everybody may read it.',
  },

  'catalog-unreadable': {
    ...error,
    message: (f) => `This file of the catalog cannot be used: ${f.problem}.`,
    hint: () => "A catalog holds integrations' own configuration files, as they are installed.",
  },
  'not-in-catalog': {
    ...warning,
    message: (f) => `The catalog has no integration for ${f.selector}; its options are not checked.`,
    hint: (f) => didYouMean(f.selector, f.known),
  },

  'no-match': {
    ...error,
    message: (f) => `No installed integration matches ${f.selector}.`,
    hint: CANDIDATES_HINT,
  },
  'idle-default': {
    ...note,
    message: (f) => `The defaults of ${f.name} match no installed integration.`,
  },
  'ambiguous-name': {
    ...error,
    message: (f) =>
      `The entry ${f.name} means ${f.id}, but ${f.name} is also the id of another managed integration.`,
    hint: () => 'Give the entry another name: both would have the same field addresses.',
  },
  'several-matches': {
    ...error,
    message: (f) => `${f.total} installed integrations match ${f.selector}, but one is expected.`,
    hint: (f) => `${CANDIDATES_HINT(f)} Narrow the match, or write expect: any.`,
  },
  'nothing-to-write': {
    ...warning,
    message: (f) => `--write-secrets ${f.address} names no value that is to be written.`,
    hint: () =>
      'Addresses look like virustotal.options.apiKey.value, as the plan shows them; all stands for every one.',
  },
  'only-matches-nothing': {
    ...error,
    message: (f) => `No entry of the configuration matches --only ${f.glob}.`,
  },
  'unknown-option': {
    ...error,
    message: (f) => `${f.integration} has no option ${f.key}.`,
    hint: (f) =>
      didYouMean(f.key, f.known) ??
      (f.known.length === 0 ? 'It shows no option at all.' : `Its options: ${oneOf(f.known)}.`),
  },
  'wrong-value-type': {
    ...error,
    message: (f) => `${f.address} is an option of type ${f.type}; this value does not fit.`,
    hint: (f) => (f.type === 'multi-select' ? 'Write a list of choices: [one, other].' : undefined),
  },
  'unknown-choice': {
    ...error,
    message: (f) => `${f.address}: this is none of the choices.`,
    hint: (f) =>
      (f.written === undefined ? undefined : didYouMean(f.written, f.choices)) ??
      `Choices: ${oneOf(f.choices)}.`,
  },
  'mask-as-value': {
    ...error,
    message: (f) => `The value of ${f.address} is what servers show in place of a secret, not the secret.`,
    hint: () => 'Was it copied from a page or a report? Give the secret itself.',
  },
  'equal-in-other-form': {
    ...note,
    message: (f) =>
      `${f.address}: the server holds it as a ${f.live}, the configuration as a ${f.desired}; they are equal.`,
  },
  'not-told': {
    ...warning,
    message: (f) => `The server does not tell ${f.address}, so it cannot be compared.`,
  },
  'not-running': {
    ...warning,
    message: (f) => `${f.integration} is ${f.status}; it is likely to refuse changes.`,
    hint: () => 'Start it before the apply.',
  },

  'no-credentials': {
    ...error,
    message: () => 'No credentials were given.',
    hint: (f) =>
      f.server === undefined
        ? 'Set SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE.'
        : `Set SETPOINT_${f.server}_TOKEN, or SETPOINT_${f.server}_USERNAME with _PASSWORD or _PASSWORD_FILE; without them SETPOINT_TOKEN and so on are taken.`,
  },
  'half-credentials': {
    ...error,
    message: (f) => `${f.given} is set without ${f.missing}.`,
    hint: (f) =>
      `Set ${f.missing}${f.missing.endsWith('PASSWORD') ? ` or ${f.missing}_FILE` : ''} as well: an account is never put together of two.`,
  },
  'bad-url': { ...error, message: (f) => f.problem },
  'login-failed': {
    ...denied,
    message: (f) => withDetail(`The server refused the login (${f.status})`, f.detail),
    hint: (f) =>
      f.status === 401
        ? 'Check SETPOINT_USERNAME and SETPOINT_PASSWORD. Accounts of a single sign-on cannot log in here: use a local account or SETPOINT_TOKEN.'
        : undefined,
  },
  'token-refused': {
    ...denied,
    message: () => 'The server refused the token (401).',
    hint: (f) =>
      f.kind === 'given'
        ? 'The token in SETPOINT_TOKEN may be mistyped or expired; an API key also expires when it was not used for 30 days.'
        : 'It was refused again after a new login.',
  },
  'not-permitted': {
    ...denied,
    message: (f) => withDetail(`The account may not do this (403, ${f.request})`, f.detail),
    hint: () => 'It needs the role administrator or integration manager.',
  },
  unreachable: { ...failure, message: (f) => `${f.origin} cannot be reached: ${f.reason}.` },
  timeout: {
    ...failure,
    message: (f) => `No answer within ${f.seconds} s (${f.request}).`,
    hint: () => 'Give it more time with --timeout SECONDS.',
  },
  'run-deadline': {
    ...failure,
    message: (f) => `The run did not end within ${f.seconds} s (--deadline).${reachedText(f.reached)}`,
  },
  'asked-to-wait': {
    ...failure,
    message: (f) =>
      `The server asks to wait ${f.seconds} s before ${f.request}; that is too long for this run.`,
    hint: () => 'Run again later, perhaps with a smaller --concurrency.',
  },
  redirected: {
    ...failure,
    message: (f) => `The server redirects (${f.status}, ${f.request}); redirects are not followed.`,
    hint: () => 'Give the final address as --url.',
  },
  'http-status': {
    ...failure,
    message: (f) => withDetail(`The server answered ${f.status} (${f.request})`, f.detail),
  },
  'bad-media-type': {
    ...failure,
    message: (f) => `The answer is ${f.mediaType}, not application/vnd.api+json (${f.request}).`,
    hint: () => 'Is this the address of the integration server, without a proxy or login page in between?',
  },
  'bad-answer': { ...failure, message: (f) => `The answer cannot be used: ${f.problem} (${f.request}).` },
  'answer-too-large': {
    ...failure,
    message: (f) => `The answer has more than ${f.limit} bytes (${f.request}).`,
  },
  'incomplete-read': {
    ...failure,
    message: (f) => `The list of integrations could not be read completely: ${f.problem}.`,
    hint: () => 'Nothing is planned from an incomplete list. Run again when the server is at rest.',
  },
  'logout-failed': { severity: 'warning', exit: 'failure', message: (f) => `The logout failed: ${f.reason}` },

  'plan-malformed': {
    ...error,
    message: (f) => `${f.path} is no plan that can be applied: ${f.problem}.`,
    hint: () => 'Make one with setpoint plan --report json=FILE.',
  },
  'plan-lacks-value': {
    ...error,
    message: (f) =>
      `The plan does not hold the value of ${f.address}, which is a secret that stands in clear in the YAML.`,
    hint: () => 'Put it into the environment and write ${env:SETPOINT_NAME}, or apply from the YAML.',
  },
  'plan-altered': {
    ...guard,
    message: (f) => `${f.path} is not as it was written, or it was made with other credentials.`,
    hint: () =>
      'Plan again. Where plan and apply log in differently, give both the same SETPOINT_FINGERPRINT_KEY.',
  },
  'plan-of-other-server': {
    ...guard,
    message: (f) => `The plan for ${f.name} is for ${f.planned}, not for ${f.now}.`,
    hint: () => 'Plan again.',
  },
  'plan-secret-changed': {
    ...guard,
    message: (f) => `${f.reference} does not give the value for ${f.address} that was planned.`,
    hint: () => 'If the new value is meant, plan again.',
  },
  'risk-refused': {
    ...guard,
    message: (f) => `Refused for the risk ${f.risk}: ${oneOf(f.addresses)}.`,
    hint: (f) =>
      f.by === 'policy'
        ? 'The policy of setpoint.yaml calls it an error, which no flag can lift.'
        : `Accept it with --accept ${f.risk} if it is meant.`,
  },
  'many-changes': {
    ...warning,
    message: (f) => `${partsOf(f.large)} would change, which is more than 30 %.`,
    hint: (f) => `An apply is refused unless it says --allow-changes ${f.changed}.`,
  },
  'many-changes-refused': {
    ...guard,
    message: (f) => `${partsOf(f.large)} would change, which is more than 30 %.`,
    hint: (f) =>
      f.allowed === undefined
        ? `Say --allow-changes ${f.changed} if that is meant.`
        : `--allow-changes says ${f.allowed}, but ${f.changed} change in all: look at the plan again.`,
  },
  'not-confirmed': { ...guard, message: () => 'Not confirmed: nothing was changed.' },
  'needs-confirmation': {
    ...error,
    message: () => 'There is no terminal to ask on.',
    hint: () => 'Pass --yes to apply without a question.',
  },

  'held-back': {
    ...warning,
    message: () => 'Nothing was written, because another server could not be planned.',
    hint: () => 'Narrow the run to the servers that can be reached with --server NAME.',
  },

  'apply-failed': {
    ...unapplied,
    message: (f) =>
      withDetail(
        f.taken.length === 0
          ? `${f.integration} was not changed`
          : `${f.integration} was changed in part (done: ${oneOf(f.taken)})`,
        f.detail,
      ),
  },
  'apply-unknown': {
    ...unapplied,
    message: (f) => withDetail(`${f.integration} may or may not be changed`, f.detail),
    hint: () => 'Run plan to see what the server holds.',
  },
  'apply-blocked': {
    ...unapplied,
    message: (f) => withDetail(`${f.integration} is not running and refused the change`, f.detail),
    hint: () => 'Start the integration and apply again.',
  },
  stale: {
    ...unapplied,
    message: (f) =>
      `${f.integration} changed on the server since it was planned: ${f.moved
        .map(({ address, before, now }) => `${address} was ${cut(before, now)}, is now ${cut(now, before)}`)
        .join('; ')}.`,
    hint: () => 'It was left alone. Run again to plan from what is there now.',
  },
  'not-converged': {
    ...unapplied,
    message: (f) => `${f.integration} took the change, but reads back otherwise: ${oneOf(f.addresses)}.`,
  },
  'not-attempted': {
    ...unapplied,
    message: (f) => `Not attempted: ${oneOf(f.integrations)}.`,
  },
  'integration-error': {
    ...warning,
    message: (f) =>
      withDetail(
        f.before === 0
          ? `${f.integration} has a new error since the change`
          : `An error of ${f.integration} has risen from ${f.before} to ${f.count} since the change`,
        f.detail,
      ),
    hint: () => 'See setpoint errors; undo the change in the YAML if it is the cause.',
  },
  'errors-rose': {
    ...unapplied,
    message: (f) =>
      `${f.count} new or rising integration ${f.count === 1 ? 'error' : 'errors'} (--fail-on-errors).`,
  },
  'errors-unread': {
    ...warning,
    message: (f) => `Whether the changes led to integration errors is not known. ${f.reason}`,
  },
  'errors-unknown': {
    ...unapplied,
    message: (f) =>
      `Whether the changes led to integration errors is not known (--fail-on-errors). ${f.reason}`,
  },

  interrupted: {
    severity: 'error',
    exit: 'interrupted',
    message: (f) => `Interrupted (${f.signal}).${reachedText(f.reached)}`,
    hint: () => 'Run again to finish.',
  },
  unexpected: {
    ...failure,
    message: (f) => `Unexpected: ${f.problem}`,
    hint: () => 'This is a defect of setpoint. Please report it with the command that you ran.',
  },
};
