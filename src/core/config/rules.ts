import type { Diagnostic } from '../findings/diagnostic.ts';
import { anyWithoutMatch, emptyEntry, idleNull, sameMatch, unusedValue } from './rules/entry-rules.ts';
import type { Rule, RuleInput } from './rules/rule.ts';
import {
  exposedSecret,
  likelySecret,
  placeholder,
  plainSecret,
  secretFallback,
  userProvidesValue,
} from './rules/secret-rules.ts';
import { brokenUrl, hiddenCharacter, referenceTypo } from './rules/text-rules.ts';

/** What a part of a configuration shows by itself. */
const RULES: readonly Rule[] = [
  plainSecret,
  likelySecret,
  secretFallback,
  exposedSecret,
  userProvidesValue,
  placeholder,
  referenceTypo,
  brokenUrl,
  hiddenCharacter,
];

/** What only a whole configuration shows: what seems to be missing may be in a file that could not be read. */
const WHOLE_RULES: readonly Rule[] = [emptyEntry, anyWithoutMatch, sameMatch, idleNull, unusedValue];

/** Everything that the rules find in a configuration, or in the part of it that could be read. */
export function checkRules(input: RuleInput, isWhole: boolean): Diagnostic[] {
  return (isWhole ? [...RULES, ...WHOLE_RULES] : RULES).flatMap((rule) => rule(input));
}
