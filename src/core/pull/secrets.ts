import { dotenvLines } from '../config/dotenv.ts';
import { framed } from '../config/resolve.ts';
import { wholeReference } from '../config/template.ts';
import { textFlaws } from '../config/text-flaws.ts';
import { hasErrors } from '../findings/explain.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import { byId, grouped } from '../model/lists.ts';
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
import { reasonOf } from './names.ts';

/** What a server shows of variables: the text of each, or why there is none. */
export type ShownVariables = ReadonlyMap<string, Secret<string> | string>;

/** No option that reads a variable holds anything. */
export const UNSET = 'not set';

/** An option that reads a variable hides what it holds. */
export const UNSHOWN = 'not shown by the server';

/** Why a reference cannot stand for a value; undefined if it can. */
export function flawOf(value: OptionValue): string | undefined {
  if (isChoiceList(value)) return 'no reference can stand for a list';
  const flaw = textFlaws(canonicalText(value), {
    subject: { reference: '' },
    place: { file: '', line: 1, column: 1 },
    isSecret: () => true,
  }).find((finding) => hasErrors([finding]));
  return flaw && reasonOf(flaw);
}

/** What a server shows of a variable that is the whole value of an option. */
export interface VariableReading {
  variable: string;
  /** The field that reads it. */
  address: string;
  /** What is held; undefined if it is empty, or not shown. */
  value: OptionValue | undefined;
  /** Whether the field is known to hold nothing. */
  isUnset: boolean;
}

/** The variable that is all of a value. */
export function wholeVariable(reference: string): string | undefined {
  const { kind, name = '' } = wholeReference(reference) ?? {};
  return kind === 'env' && name.startsWith('SETPOINT_') ? name : undefined;
}

/** Finds the variables that are whole values of integrations. */
export function readingsOf(
  integrations: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): VariableReading[] {
  const installed = byId(live);
  const isTelling = showsSecrets(live);
  const readings: VariableReading[] = [];
  for (const { id, name, settings } of integrations) {
    for (const { option, value: setting } of settings.options.values()) {
      const variable = wholeVariable(setting?.reference ?? '');
      if (variable === undefined) continue;
      const address = `${name}.options.${option}.value`;
      const held = installed.get(id)?.options.get(option);
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
 * What is shown of variables. A field that is not set says nothing of the
 * variable that it shares with others.
 */
export function shownBy(readings: readonly VariableReading[]): ShownVariables {
  const shown = new Map<string, Secret<string> | string>();
  for (const [name, same] of grouped(readings, ({ variable }) => variable))
    shown.set(name, sharedText(same.filter(({ isUnset }) => !isUnset)));
  return shown;
}

/**
 * The text that set fields show of the variable that they share, or why there
 * is none.
 */
function sharedText(set: readonly VariableReading[]): Secret<string> | string {
  if (set.length === 0) return UNSET;
  const texts = new Set<string>();
  for (const { value } of set) {
    if (value === undefined) return UNSHOWN;
    const flaw = flawOf(value);
    if (flaw !== undefined) return flaw;
    texts.add(canonicalText(value));
  }
  const [text = ''] = texts;
  if (texts.size > 1) return 'options that share its variable hold other texts';
  const isSayable = dotenvLines('SETPOINT_X', framed(text)) !== undefined;
  return isSayable ? hide(text) : 'no dotenv file can hold its text';
}
