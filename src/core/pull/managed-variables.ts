import { isDefault, selectorOf } from '../config/entry.ts';
import type { Linked, LinkedConfig } from '../config/link.ts';
import { LiveIndex } from '../match/live-index.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveIntegration } from '../model/live.ts';
import { hide, reveal } from '../model/secret.ts';
import { canonicalText, isChoiceList, isEmpty } from '../model/value.ts';
import type { Variable } from './dotenv.ts';
import { isForOptions } from './variables.ts';

/** The variables that a configuration reads for whole values that the server shows; one for values that differ is left out. */
export function managedVariables(
  existing: LinkedConfig,
  live: readonly LiveIntegration[],
): readonly Variable[] {
  const index = new LiveIndex(live);
  const shown = existing
    .filter((entry) => !isDefault(entry))
    .flatMap((entry) => {
      const [only, second] = index.found(selectorOf(entry));
      if (only === undefined || second !== undefined) return [];
      return [...entry.options.values()].flatMap(({ key, value }) => {
        const variable = value?.value ? variableOf(value.value) : undefined;
        const held = only.options.get(key)?.value;
        const text = held?.kind === 'readable' ? reveal(held.value) : undefined;
        if (variable === undefined || text === undefined || isEmpty(text) || isChoiceList(text)) return [];
        return [{ variable, text: canonicalText(text) }];
      });
    });
  return [...grouped(shown, ({ variable }) => variable)].flatMap(([variable, all]) => {
    const [text, other] = new Set(all.map((each) => each.text));
    return text === undefined || other !== undefined ? [] : [{ variable, text: hide(text) }];
  });
}

/** The variable that a value consists of. */
function variableOf(value: Linked): string | undefined {
  const [part, second] = value.kind === 'text' ? value.parts : [];
  if (part?.kind !== 'env' || part.fallback !== undefined || second !== undefined) return undefined;
  return isForOptions(part.name) ? part.name : undefined;
}
