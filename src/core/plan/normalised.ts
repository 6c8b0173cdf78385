import { canonicalText, isChoiceList, type OptionValue } from '../model/value.ts';

/** What services change in texts that they store, and how two texts read without it. */
const NORMALISATIONS: readonly { readonly what: string; readonly without: (text: string) => string }[] = [
  { what: 'a slash at its end', without: (text) => text.replace(/\/+$/, '') },
  { what: 'blanks around it', without: (text) => text.trim() },
  { what: 'its line ends', without: (text) => text.replace(/\r\n?/g, '\n').trimEnd() },
  { what: 'capitals', without: (text) => text.toLowerCase() },
  { what: 'the form of Unicode', without: (text) => text.normalize('NFKC') },
  { what: 'how it is written as JSON', without: compactJson },
];

/** In what alone two values that are not equal differ, if a service could store the one as the other; undefined for any else. */
export function onlyDifference(one: OptionValue, other: OptionValue): string | undefined {
  if (isChoiceList(one) || isChoiceList(other)) return undefined;
  const [a, b] = [canonicalText(one), canonicalText(other)];
  return NORMALISATIONS.find(({ without }) => without(a) === without(b))?.what;
}

function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
