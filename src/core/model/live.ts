import { recordOf, textOf } from './json.ts';
import type { LivePermission } from './permission.ts';
import { contentOf, type LiveSide } from './side.ts';
import { type Choice, isChoice, isChoiceList } from './value.ts';

export interface LiveOption {
  key: string;
  /**
   * Its value as far as the server shows it; a secret is hidden from printing.
   */
  value: LiveSide;
  permission: LivePermission;
  /**
   * `text`, `password`, `number`, `boolean`, `select` or a new type; absent if
   * the server does not send it.
   */
  type?: string | undefined;
  /** The choices of a select; empty if the server fills them in at run time. */
  choices: readonly Choice[];
  /**
   * Whether a select takes several choices; absent if the server does not send
   * it.
   */
  multiple?: boolean | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** True if the server sends only the value of a choice. */
  isBare?: true | undefined;
  /** True if the server calls its resource type `integration-option`. */
  isSingular?: true | undefined;
}

export interface LiveIntegration {
  id: string;
  name?: string | undefined;
  acronym?: string | undefined;
  description?: string | undefined;
  /**
   * `running` or another word of an open set; absent if the server does not
   * send it.
   */
  status?: string | undefined;
  autosubscribe?: boolean | undefined;
  /** How many integration errors the server relates to it. */
  errorCount: number;
  /**
   * Keys of the options that the server relates to it, whether or not their
   * values were read; in order.
   */
  optionKeys: ReadonlySet<string>;
  /** The wanted options whose attributes were read, by key. */
  options: ReadonlyMap<string, LiveOption>;
}

/** How an option stores its value; `any` if it is unknown. */
export type OptionForm =
  | 'text'
  | 'number'
  | 'boolean'
  | 'select'
  | 'multi-select'
  | 'any';

/**
 * The form of an option: by its type, or by the value it holds if no type is
 * served.
 */
export function formOf({
  type,
  multiple,
  value,
  choices,
}: LiveOption): OptionForm {
  const live = contentOf(value);
  const isList = live !== undefined && isChoiceList(live);
  if (type === 'text' || type === 'password') return 'text';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'select' || choices.length > 0)
    return (multiple ?? isList) ? 'multi-select' : 'select';
  if (isList) return 'multi-select';
  return isChoice(live) ? 'select' : 'any';
}

/**
 * Decodes a choice. A bare value or a number takes the display of the known
 * choice with that value.
 */
export function decodeChoice(
  raw: unknown,
  known: readonly Choice[] = [],
): Choice | undefined {
  if (isChoice(raw)) return raw;
  const bare = typeof raw === 'object' ? recordOf(raw)['value'] : raw;
  if (typeof bare !== 'string' && typeof bare !== 'number') return undefined;
  const value = String(bare);
  const display = textOf(recordOf(raw)['display']) ?? value;
  return known.find((choice) => choice.value === value) ?? { display, value };
}

/**
 * Decodes a list of choices, whole or not at all: a part would look like a
 * difference.
 */
export function decodeChoices(
  raw: readonly unknown[],
  known?: readonly Choice[],
) {
  const choices = raw.flatMap((choice) => decodeChoice(choice, known) ?? []);
  return choices.length === raw.length ? choices : undefined;
}

/**
 * Whether an integration is likely to refuse changes; a status that is not
 * served says nothing.
 */
export function isStopped(status: string | null | undefined): boolean {
  return typeof status === 'string' && status.toLowerCase() !== 'running';
}
