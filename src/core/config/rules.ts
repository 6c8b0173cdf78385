import type { Diagnostic } from '../findings/diagnostic.ts';
import type { WrittenFile } from './entry.ts';
import { type Gaps, isWhole } from './gaps.ts';
import type { MergedConfig } from './layers.ts';
import { resolveOffline } from './offline.ts';
import { oddCharacter, oddKey } from './rules/character-rules.ts';
import {
  anyWithoutMatch,
  emptyEntry,
  misplacedKey,
  permissionAsValue,
  sameMatch,
  subscribesByDefault,
} from './rules/entry-rules.ts';
import { alikeKeys, fileTwice, idleNull, strayEntry, unusedValue } from './rules/layer-rules.ts';
import { matchBlank, matchCharacter, patternMatch } from './rules/match-rules.ts';
import { absoluteFile, alikeVariables, escapingFile } from './rules/reference-rules.ts';
import type { Rule } from './rules/rule.ts';
import { ruleInput } from './rules/rule-input.ts';
import {
  exposedSecret,
  likelySecret,
  placeholder,
  plainSecret,
  secretFallback,
  userProvidesValue,
} from './rules/secret-rules.ts';
import {
  booleanAsText,
  brokenUrl,
  outerBlank,
  referenceTypo,
  repeatedChoice,
  stillEncrypted,
  trailingSlash,
} from './rules/text-rules.ts';

/** What a file shows by itself. */
const RULES: readonly Rule[] = [
  plainSecret,
  likelySecret,
  secretFallback,
  exposedSecret,
  userProvidesValue,
  placeholder,
  anyWithoutMatch,
  emptyEntry,
  sameMatch,
  subscribesByDefault,
  patternMatch,
  matchBlank,
  matchCharacter,
  permissionAsValue,
  misplacedKey,
  oddKey,
  oddCharacter,
  outerBlank,
  trailingSlash,
  referenceTypo,
  repeatedChoice,
  brokenUrl,
  stillEncrypted,
  booleanAsText,
  alikeKeys,
  alikeVariables,
  escapingFile,
  absoluteFile,
  fileTwice,
];

/** What needs all files: where one could not be read, what seems to be missing may stand there. */
const WHOLE_RULES: readonly Rule[] = [idleNull, unusedValue, strayEntry];

/** Everything that the rules find in a configuration, and nothing that may only seem so because of its gaps. */
export function checkRules(
  layers: readonly (readonly WrittenFile[])[],
  config: MergedConfig,
  gaps: Gaps,
): Diagnostic[] {
  const { value: resolved, diagnostics } = resolveOffline(config);
  const rules = isWhole(gaps) ? [...RULES, ...WHOLE_RULES] : RULES;
  const input = ruleInput(layers, config, resolved, gaps);
  const missed = (found: Diagnostic) =>
    found.code !== 'reference-missing' || !(gaps.anyValue || gaps.values.has(namedBy(found.facts.reference)));
  return [...diagnostics.filter(missed), ...rules.flatMap((rule) => rule(input))];
}

/** The name in a reference to a value. */
function namedBy(reference: string): string {
  return reference.slice('${value:'.length, -1);
}
