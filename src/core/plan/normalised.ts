import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { DesiredValue } from '../model/desired.ts';
import type { LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { canonicalText, isChoiceList, type OptionValue, plainNumber } from '../model/value.ts';
import { isTaken } from './conform.ts';

interface Normalisation {
  readonly what: string;
  readonly without: (text: string) => string;
}

/** What services change in texts that they store, and how a text reads without it; in an order in which all can be applied. */
const NORMALISATIONS: readonly Normalisation[] = [
  { what: 'the form of Unicode', without: (text) => text.normalize('NFKC') },
  { what: 'blanks around it', without: (text) => text.trim() },
  { what: 'its line ends', without: (text) => text.replace(/\r\n?/g, '\n').trimEnd() },
  { what: 'a slash at its end', without: (text) => text.replace(/(?<!\/)\/+$/, '') },
  { what: 'capitals', without: (text) => text.toLowerCase() },
  { what: 'the form of a number', without: plainNumber },
  { what: 'how it is written as JSON', without: compactJson },
];

/** In what alone two values that are not equal differ, if a service could store the one as the other; undefined for any else. */
export function onlyDifference(one: OptionValue, other: OptionValue): string | undefined {
  if (isChoiceList(one) !== isChoiceList(other)) return undefined;
  const isEqualWithout = (differences: readonly Normalisation[]) =>
    textWithout(one, differences) === textWithout(other, differences);
  if (!isEqualWithout(NORMALISATIONS)) return undefined;
  // What makes no difference beside the others is left out, the rarer ones first.
  const needed = NORMALISATIONS.reduceRight((kept, each) => {
    const others = kept.filter((other) => other !== each);
    return isEqualWithout(others) ? others : kept;
  }, NORMALISATIONS);
  return new Intl.ListFormat('en-GB').format(needed.map(({ what }) => what));
}

/** The finding for a value that a server may store in its own form: it would be sent the same again and again. */
export function nearlyEqual(
  { address, desired }: { readonly address: string; readonly desired: DesiredValue },
  live: LiveOption,
  before: OptionValue | undefined,
  after: OptionValue,
): readonly { readonly problem: Diagnostic }[] {
  const difference = before === undefined ? undefined : onlyDifference(before, after);
  if (before === undefined || difference === undefined) return [];
  const isRefused = !isTaken(before, live) || undefined;
  const facts = { address, difference, ...present({ isRefused }) };
  return [{ problem: diagnostic('nearly-equal', facts, desired.place) }];
}

/** The text by which two values are compared, each member of a list without what makes no difference. */
function textWithout(value: OptionValue, differences: readonly Normalisation[]): string {
  const plain = (text: string) => differences.reduce((rest, { without }) => without(rest), text);
  if (!isChoiceList(value)) return plain(canonicalText(value));
  return canonicalText(value.map((choice) => ({ ...choice, value: plain(choice.value) })));
}

/** A text that holds an object or a list, without the blanks between its parts. */
function compactJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
