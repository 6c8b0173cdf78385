import { compareText } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';

/** What a schema says of one integration, however many copies of it are installed. */
export interface Kind {
  /** The part of the id that is the same everywhere. */
  readonly base: string;
  /** Names and acronyms that no other integration has. */
  readonly names: readonly string[];
  readonly acronyms: readonly string[];
  readonly summary: string;
  /** The options of all copies, in the order of the integration. */
  readonly options: readonly LiveOption[];
}

/** Groups integrations by their base name, ordered by it. */
export function kindsOf(integrations: readonly LiveIntegration[]): Kind[] {
  const groups = grouped(integrations, ({ id }) => definableName(baseOfId(id)));
  const all = [...groups].sort(([a], [b]) => compareText(a, b));
  return all.map(([base, copies]): Kind => {
    const others = all.flatMap(([other, found]) => (other === base ? [] : found));
    return {
      base,
      names: ownTexts(copies, others, ({ name }) => name),
      acronyms: ownTexts(copies, others, ({ acronym }) => acronym),
      summary: summaryOf(base, copies),
      options: optionsOf(copies),
    };
  });
}

/** Ids have letters, digits, underscores and dashes; one with more is selected by its name alone. */
function definableName(base: string): string {
  return base.replace(/[^\w-]/g, '_');
}

function ownTexts(
  copies: readonly LiveIntegration[],
  others: readonly LiveIntegration[],
  textOf: (integration: LiveIntegration) => string | undefined,
): string[] {
  const foreign = new Set(others.map(textOf));
  const own = new Set(copies.flatMap((copy) => textOf(copy) ?? []));
  return [...own].filter((text) => !foreign.has(text)).sort(compareText);
}

function summaryOf(base: string, copies: readonly LiveIntegration[]): string {
  const { name = base, description = '' } = copies[0] ?? {};
  return description === '' ? `${name}.` : `${name}: ${description}`;
}

function optionsOf(copies: readonly LiveIntegration[]): LiveOption[] {
  const all = copies.flatMap(({ options }) => [...options.values()]);
  return [...grouped(all, ({ key }) => key).values()].flatMap(([first]) => first ?? []);
}
