import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';
import type { RuleFacts } from './rule-facts.ts';

/** A field that is no longer as it was planned from, both sides in words; of a secret only whether it is another one. */
export interface Moved {
  readonly address: string;
  readonly before: string;
  readonly now: string;
}

/** How far an apply came, by the names of the integrations that it was to change. */
export interface Reached {
  readonly applied: readonly string[];
  readonly notApplied: readonly string[];
  readonly unknown: readonly string[];
}

/** How many integrations change in all, and on each server where they are a large part of the managed ones. */
interface Size {
  readonly changed: number;
  readonly large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[];
}

/** What is wrong with a command line, and with the files that it names. */
export interface UsageFacts {
  usage: { readonly problem: string; readonly hint?: string };
  'no-configuration': {
    /** What was given without it, if anything was. */
    readonly given?: 'url';
    /** A file whose name is nearly setpoint.yaml. */
    readonly near?: string;
  };
  'unknown-server': {
    readonly wanted: string;
    readonly known: readonly string[];
    /** Each as `label=value`. */
    readonly labels: readonly string[];
  };
  'servers-alike': { readonly name: string; readonly other: string };
  'same-url': { readonly name: string; readonly other: string };
  'file-unreadable': { readonly path: string; readonly reason: string };
  'file-too-large': { readonly bytes: number; readonly limit: number };
  'not-utf8': Record<never, never>;
  'report-refused': { readonly path: string; readonly reason: string };
  'report-unwritable': { readonly path?: string; readonly reason: string; readonly reached?: Reached };
}

/** What is wrong with a configuration file by itself. */
export interface YamlFacts {
  'yaml-syntax': { readonly problem: string };
  'yaml-version': Record<never, never>;
  'several-documents': Record<never, never>;
  'unknown-tag': Record<never, never>;
  'merge-key': Record<never, never>;
  'duplicate-key': { readonly first: Place };
  'non-string-key': { readonly form: 'scalar' | 'other' };
  'empty-value': { readonly of: 'key' | 'map' | 'item'; readonly in?: 'project' };
  'stray-character': { readonly codePoint: number };
  'unsafe-integer': Record<never, never>;
  'ambiguous-scalar': { readonly kind: 'number' | 'boolean' | 'null'; readonly in?: 'project' };
  'too-complex': { readonly limit: number };
  'too-deep': { readonly limit: number };
  'too-many-keys': { readonly limit: number };
  'too-many-aliases': { readonly problem: 'nodes' | 'text' | 'itself'; readonly limit: number };
  'unsupported-version': Record<never, never>;
  'unknown-key': {
    readonly key?: string;
    readonly allowed: readonly string[];
    /** The key below which it may belong. */
    readonly below?: 'integrations' | 'servers' | 'options';
  };
  'missing-key': { readonly key: string };
  'wrong-type': { readonly expected: readonly string[]; readonly written?: BooleanWord };
  'not-allowed': { readonly allowed: readonly string[] };
  'bad-name': {
    readonly of: 'name' | 'option';
    readonly characters: readonly string[];
  };
  'bad-length': { readonly problem: string };
  'duplicate-field': { readonly address: string; readonly other: Place };
}

/** What is wrong with references. */
export interface ReferenceFacts {
  'reference-syntax': { readonly problem: string };
  'reference-misplaced': { readonly of: 'match' | 'key' };
  'reference-not-allowed': { readonly name: string };
  'reference-missing': {
    readonly reference: string;
    readonly near?: string;
    /** True for a named value that is declared as null. */
    readonly isNull?: boolean;
  };
  'reference-file': { readonly reference: string; readonly reason: string };
  'reference-cycle': { readonly names: readonly string[] };
  'reference-too-long': { readonly limit: number };
  'reference-form': { readonly reference: string };
}

/** What does not fit the integrations of a catalog or a server. */
export interface ServerFacts {
  'catalog-unreadable': { readonly problem: string };
  'not-in-catalog': {
    readonly selector: string;
    /** What could be meant, as a `match` writes it. */
    readonly candidates: readonly string[];
    readonly glob?: string;
  };
  'several-in-catalog': {
    readonly selector: string;
    readonly candidates: readonly string[];
    readonly total: number;
  };
  'no-match': {
    readonly selector: string;
    readonly candidates: readonly string[];
    readonly total: number;
    /** The glob that was meant, where only its wildcard was forgotten. */
    readonly glob?: string;
  };
  'idle-default': { readonly name: string };
  'ambiguous-name': { readonly name: string; readonly id: string };
  'several-matches': {
    readonly selector: string;
    readonly candidates: readonly string[];
    readonly total: number;
  };
  'nothing-to-write': { readonly address: string };
  'only-matches-nothing': { readonly glob: string };
  'unknown-option': {
    readonly key: string;
    readonly integration?: string;
    /** Of how many integrations none has it, where it is not one alone. */
    readonly integrations?: number;
    readonly known: readonly string[];
  };
  'wrong-value-type': {
    readonly address: string;
    readonly type: string;
    readonly written?: BooleanWord;
  };
  'unknown-choice': {
    readonly address: string;
    readonly choices: readonly string[];
    readonly written?: string;
  };
  'mask-as-value': { readonly address: string };
  'equal-in-other-form': { readonly address: string; readonly live: string; readonly desired: string };
  'not-told': { readonly address: string };
  'not-running': { readonly integration: string; readonly status: string };
}

/** What goes wrong between here and a server. */
export interface ConnectionFacts {
  'no-credentials': { readonly server?: string };
  'half-credentials': { readonly given: string; readonly missing: string };
  'bad-url': { readonly problem: string };
  'login-failed': { readonly status: number; readonly detail?: string };
  'token-refused': { readonly kind: 'given' | 'login' };
  'not-permitted': { readonly request: string; readonly detail?: string };
  unreachable: { readonly origin: string; readonly reason: string };
  timeout: { readonly request: string; readonly seconds: number };
  'run-deadline': { readonly seconds: number; readonly reached?: Reached };
  'asked-to-wait': { readonly request: string; readonly seconds: number };
  redirected: { readonly request: string; readonly status: number };
  'http-status': { readonly request: string; readonly status: number; readonly detail?: string };
  'bad-media-type': { readonly request: string; readonly mediaType: string };
  'bad-answer': { readonly request: string; readonly problem: string };
  'answer-too-large': { readonly request: string; readonly limit: number };
  'incomplete-read': { readonly problem: string };
  'logout-failed': { readonly reason: string };
}

/** What stops an apply, and what comes of it. */
export interface ApplyFacts {
  'plan-malformed': { readonly path: string; readonly problem: string };
  'plan-lacks-value': { readonly address: string };
  'plan-not-applicable': { readonly address: string };
  'plan-altered': { readonly path: string };
  'plan-of-other-server': { readonly name: string; readonly planned: string; readonly now: string };
  'plan-secret-changed': { readonly address: string; readonly reference: string };
  'risk-refused': {
    readonly risk: string;
    readonly addresses: readonly string[];
    readonly by: 'default' | 'policy';
  };
  'many-changes': Size;
  'many-changes-refused': Size & { readonly allowed?: number };
  'not-confirmed': Record<never, never>;
  'needs-confirmation': Record<never, never>;
  'held-back': Record<never, never>;
  'apply-failed': {
    readonly integration: string;
    readonly detail: string;
    readonly taken: readonly string[];
  };
  'apply-unknown': {
    readonly integration: string;
    readonly detail: string;
    /** Whether the server has said that it took all of it. */
    readonly acknowledged: boolean;
  };
  'apply-blocked': {
    readonly integration: string;
    readonly detail: string;
    readonly taken: readonly string[];
  };
  stale: { readonly integration: string; readonly moved: readonly Moved[] };
  /** What was to be written stands before, what the server holds now. */
  'not-converged': { readonly integration: string; readonly moved: readonly Moved[] };
  'not-attempted': { readonly integrations: readonly string[] };
  'integration-error': {
    readonly integration: string;
    readonly detail: string;
    readonly count: number;
    /** How often it had occurred before the apply; 0 for a new one. */
    readonly before: number;
  };
  'errors-rose': { readonly count: number };
  'errors-unread': { readonly reason: string };
  'errors-unknown': { readonly reason: string };
  interrupted: { readonly signal: 'SIGINT' | 'SIGTERM'; readonly reached?: Reached };
  unexpected: { readonly problem: string };
}

/** The facts of each kind of finding. Sentences live in the catalogue, where a code without an entry does not compile. */
export interface DiagnosticFacts
  extends UsageFacts,
    YamlFacts,
    ReferenceFacts,
    RuleFacts,
    ServerFacts,
    ConnectionFacts,
    ApplyFacts {}
