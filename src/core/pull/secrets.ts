import { outsideReferences } from '../config/resolve.ts';
import { textFlaws } from '../config/text-flaws.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { contentOf, type LiveSide } from '../model/side.ts';
import {
  canonicalText,
  isChoiceList,
  isEmpty,
  type OptionValue,
} from '../model/value.ts';
import type { Reference, Referrer } from './entry.ts';
import { reasonOf, uniquely, variableName } from './names.ts';
import type { PullState } from './state.ts';

/** Texts for files, by the paths of their references. */
export type SecretFiles = ReadonlyMap<string, Secret<string>>;

/** The secrets that a pull writes. */
export interface PulledSecrets {
  /** What the server shows of all variables of the configuration. */
  readonly shown: ShownVariables;
  /** The secrets that only files can hold, by the paths of references. */
  readonly secretFiles: SecretFiles;
}

/** What a server shows of a variable. */
export type ShownVariable =
  | { readonly kind: 'text'; readonly text: Secret<string> }
  /** No option that reads it holds anything. */
  | { readonly kind: 'unset' }
  /** The server does not show it, or options hold different texts. */
  | { readonly kind: 'hidden' }
  /** A reference would refuse its text. */
  | { readonly kind: 'unfit'; readonly reason: string };

export type ShownVariables = ReadonlyMap<string, ShownVariable>;

/** The references to secrets, while entries are written. */
export interface SecretWriting {
  /** Finds a new reference for the secret of an option. */
  readonly referrerOf: (entry: string, option: string) => Referrer;
  /** Whether a variable can hold a value: it holds no other one yet. */
  readonly mayHold: (variable: string, value: OptionValue) => boolean;
  readonly files: SecretFiles;
}

export function secretWriting({
  prefix = '',
  secrets,
  config,
}: PullState): SecretWriting {
  const variables = outsideReferences(config).env.keys();
  const freeVariable = uniquely([...variables], '_');
  const files = new Map<string, Secret<string>>();
  const texts = new Map<string, string>();
  const refer = (name: string, text: string): Reference => {
    const reference = `\${env:${name}}`;
    // Without a file for secrets a person fills it in.
    if (secrets === undefined || secrets.isSayable(text)) return { reference };
    const { folder } = secrets;
    if ('reason' in folder) return folder;
    const reason = secrets.flawOfFile(text);
    if (reason !== undefined) return { reason };
    const path = `${folder.path}/${name}`;
    files.set(path, hide(text));
    return { reference: `\${file:${path}}` };
  };
  const referrerOf = (entry: string, option: string): Referrer => {
    return (value) => {
      const reason = value === undefined ? undefined : flawOf(value);
      if (reason !== undefined) return { reason };
      const name = freeVariable(variableName([prefix, entry, option]));
      return refer(name, value === undefined ? '' : canonicalText(value));
    };
  };
  const mayHold = (variable: string, value: OptionValue): boolean => {
    const text = canonicalText(value);
    if (flawOf(value) !== undefined) return false;
    if (secrets !== undefined && !secrets.isSayable(text)) return false;
    const held = texts.get(variable) ?? text;
    texts.set(variable, held);
    return held === text;
  };
  return { referrerOf, mayHold, files };
}

/** Why a reference cannot stand for a value; undefined if it can. */
function flawOf(value: OptionValue): string | undefined {
  if (isChoiceList(value)) return 'no reference can stand for a list';
  const [flaw] = textFlaws({
    text: canonicalText(value),
    subject: { reference: '' },
    place: NOWHERE,
    isSecret: true,
  }).filter((finding) => hasErrors([finding]));
  return flaw && reasonOf(flaw);
}

const NOWHERE = { file: '', line: 1, column: 1 };

/** What a server shows of a variable that is the whole value of an option. */
export interface Reading {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  /** What is held; undefined if it is empty, or not shown. */
  readonly value: OptionValue | undefined;
  /** Whether the field is known to hold nothing. */
  readonly isUnset: boolean;
}

/** The variable that is all of a value. */
export function wholeVariable(reference: string): string | undefined {
  const [, name] = /^\$\{env:(SETPOINT_\w+)\}$/.exec(reference) ?? [];
  return name;
}

/** Finds the variables that are whole values of integrations. */
export function readingsOf(
  integrations: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): Reading[] {
  const byId = new Map(live.map((installed) => [installed.id, installed]));
  const isTelling = showsSecrets(live);
  const readings: Reading[] = [];
  for (const { id, name, settings } of integrations) {
    for (const { option, value: setting } of settings.options.values()) {
      const variable = wholeVariable(setting?.reference ?? '');
      if (variable === undefined) continue;
      const address = `${name}.options.${option}.value`;
      const held = byId.get(id)?.options.get(option);
      const value = held && heldValue(held.value);
      const mayBeHidden =
        held === undefined ||
        held.value.kind === 'hidden' ||
        (!isTelling && isSecret(held));
      const isUnset = value === undefined && !mayBeHidden;
      readings.push({ variable, address, value, isUnset });
    }
  }
  return readings;
}

/** Whether a server tells which secrets are set: it shows or masks any. */
export function showsSecrets(live: readonly LiveIntegration[]): boolean {
  return live.some(({ options }) => [...options.values()].some(isHeldSecret));
}

/** What a side shows; undefined if it is hidden or empty. */
export function heldValue(side: LiveSide): OptionValue | undefined {
  const value = contentOf(side);
  return isEmpty(value) ? undefined : value;
}

/** Whether an option of secrets holds one, be it hidden. */
export function isHeldSecret({ key, type, value }: LiveOption): boolean {
  const isSet = value.kind === 'hidden' || heldValue(value) !== undefined;
  return isSet && isSecret({ key, type });
}

/**
 * What is shown of variables: none of different texts. A field that is not set
 * says nothing of the variable that it shares with others.
 */
export function shownBy(readings: readonly Reading[]): ShownVariables {
  const shown = new Map<string, ShownVariable>();
  for (const [name, same] of grouped(readings, ({ variable }) => variable)) {
    const set = same.filter(({ isUnset }) => !isUnset);
    shown.set(name, sharedVariable(set));
  }
  return shown;
}

/** What fields show of the variable that they share. */
function sharedVariable(set: readonly Reading[]): ShownVariable {
  const [first] = set;
  if (first === undefined) return { kind: 'unset' };
  const texts = new Set(
    set.map(({ value }) =>
      value === undefined ? undefined : canonicalText(value),
    ),
  );
  const [text] = texts;
  if (first.value === undefined || text === undefined || texts.size > 1)
    return { kind: 'hidden' };
  const reason = flawOf(first.value);
  if (reason !== undefined) return { kind: 'unfit', reason };
  return { kind: 'text', text: hide(text) };
}
