import type { DesiredIntegration } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { contentOf, type LiveSide } from '../model/side.ts';
import { canonicalText, isEmpty } from '../model/value.ts';

/** Texts of variables; undefined if the server does not show one. */
export type ShownVariables = ReadonlyMap<string, Secret<string> | undefined>;

/** What a server shows of a variable that is the whole value of an option. */
export interface Reading {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  readonly text: string | undefined;
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
  const readings: Reading[] = [];
  for (const integration of integrations)
    readings.push(...readingsIn(integration, live.get(integration.id)));
  return readings;
}

function readingsIn(
  { name, settings }: DesiredIntegration,
  live: LiveIntegration | undefined,
): Reading[] {
  const readings: Reading[] = [];
  for (const { option, value: setting } of settings.options.values()) {
    const variable = wholeVariable(setting?.reference ?? '');
    if (variable === undefined) continue;
    const held = live?.options.get(option)?.value;
    const text = held && heldText(held);
    const address = `${name}.options.${option}.value`;
    readings.push({ variable, address, text });
  }
  return readings;
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

/** The texts of variables; none is shown for different texts. */
export function shownBy(readings: readonly Reading[]): ShownVariables {
  const shown = new Map<string, Secret<string> | undefined>();
  for (const [name, same] of grouped(readings, ({ variable }) => variable)) {
    const texts = new Set(same.map(({ text }) => text));
    const [text] = texts;
    const isClear = text !== undefined && texts.size === 1;
    shown.set(name, isClear ? hide(text) : undefined);
  }
  return shown;
}
