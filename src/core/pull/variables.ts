import type { DesiredIntegration } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { contentOf, type LiveSide } from '../model/side.ts';
import { canonicalText, isEmpty } from '../model/value.ts';

/** What a server shows of a variable. */
export type ShownVariable =
  | { readonly kind: 'text'; readonly text: Secret<string> }
  /** No option that reads it holds anything. */
  | { readonly kind: 'unset' }
  /** The server does not show it, or options hold different texts. */
  | { readonly kind: 'hidden' };

export type ShownVariables = ReadonlyMap<string, ShownVariable>;

/** What a server shows of a variable that is the whole value of an option. */
export interface Reading {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  /** Undefined if it is empty, or not shown. */
  readonly text: string | undefined;
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
  live: ReadonlyMap<string, LiveIntegration>,
): Reading[] {
  const isTelling = showsSecrets([...live.values()]);
  const readings: Reading[] = [];
  for (const integration of integrations) {
    const installed = live.get(integration.id);
    readings.push(...readingsIn(integration, installed, isTelling));
  }
  return readings;
}

/** Whether a server tells which secrets are set: it shows or masks any. */
export function showsSecrets(live: readonly LiveIntegration[]): boolean {
  return live.some(({ options }) => [...options.values()].some(isHeldSecret));
}

function readingsIn(
  { name, settings }: DesiredIntegration,
  live: LiveIntegration | undefined,
  isTelling: boolean,
): Reading[] {
  const readings: Reading[] = [];
  for (const { option, value: setting } of settings.options.values()) {
    const variable = wholeVariable(setting?.reference ?? '');
    if (variable === undefined) continue;
    const address = `${name}.options.${option}.value`;
    const held = live?.options.get(option);
    const text = held && heldText(held.value);
    const isUnset = held !== undefined && isKnownUnset(held, isTelling);
    readings.push({ variable, address, text, isUnset });
  }
  return readings;
}

/** Whether an option holds nothing; an empty secret may only be hidden. */
function isKnownUnset(
  { key, type, value }: LiveOption,
  isTelling: boolean,
): boolean {
  if (value.kind === 'hidden' || heldText(value) !== undefined) return false;
  return isTelling || !isSecret({ key, type });
}

/** What a side shows; undefined if it is hidden or empty. */
export function heldText(side: LiveSide): string | undefined {
  const value = contentOf(side);
  return isEmpty(value) ? undefined : canonicalText(value);
}

/** Whether an option of secrets holds one, be it hidden. */
export function isHeldSecret({ key, type, value }: LiveOption): boolean {
  const isSet = value.kind === 'hidden' || heldText(value) !== undefined;
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
  if (set.length === 0) return { kind: 'unset' };
  const texts = new Set(set.map(({ text }) => text));
  const [text] = texts;
  if (text === undefined || texts.size > 1) return { kind: 'hidden' };
  return { kind: 'text', text: hide(text) };
}
