import { grouped } from '../model/grouped.ts';
import type { Place } from '../model/place.ts';
import { isDefault, type WrittenConfig } from './entry.ts';
import { namesIn, partsOf, type Template } from './template.ts';

/** What values refer to: a named value, an environment variable, or a file by its path. */
export interface Referent {
  readonly kind: 'value' | 'env' | 'file';
  readonly name: string;
}

/** The value of an option that a referent feeds. */
export interface Use {
  readonly address: string;
  readonly place: Place;
  /** Whether it is one of defaults, so that it may feed several integrations. */
  readonly isDefault: boolean;
  /** The named values between the field and the referent, in the order in which they are named. */
  readonly through: readonly { readonly name: string; readonly place: Place }[];
}

/** Every field of a merged configuration that a referent feeds, also through named values; by the shortest way. */
export function usesOf(config: WrittenConfig, referent: Referent): readonly Use[] {
  const ways = waysTo(config, referent);
  return config.entries.flatMap((entry) =>
    [...entry.options.values()].flatMap(({ key, value }): Use[] => {
      const through = value?.value ? wayOf(value.value, referent, ways) : undefined;
      if (value === undefined || through === undefined) return [];
      const named = through.flatMap((name) => {
        const place = config.values.get(name)?.place;
        return place === undefined ? [] : [{ name, place }];
      });
      const address = `${entry.name}.options.${key}.value`;
      return [{ address, place: value.place, isDefault: isDefault(entry), through: named }];
    }),
  );
}

/** All that the values of a merged configuration refer to, and all named values, each once. */
export function referentsIn({ values, entries }: WrittenConfig): readonly Referent[] {
  const templates = [
    ...[...values.values()].flatMap(({ value }) => value ?? []),
    ...entries.flatMap(({ options }) => [...options.values()].flatMap(({ value }) => value?.value ?? [])),
  ];
  const defined = [...values].flatMap(([name, { value }]): Referent[] =>
    value === null ? [] : [{ kind: 'value', name }],
  );
  const all = [...defined, ...templates.flatMap(referents)];
  return [...new Map(all.map((each) => [`${each.kind}:${each.name}`, each])).values()];
}

function referents(template: Template): Referent[] {
  return partsOf(template).flatMap((part) =>
    part.kind === 'text' ? [] : [{ kind: part.kind, name: part.name }],
  );
}

function refersTo(template: Template, { kind, name }: Referent): boolean {
  return partsOf(template).some((part) => part.kind === kind && part.name === name);
}

/** The next named value on the shortest way to a referent, and how many follow. */
interface Way {
  readonly next?: string;
  readonly length: number;
}

/** The named values that lead to a referent. */
type Ways = ReadonlyMap<string, Way>;

function waysTo({ values }: WrittenConfig, referent: Referent): Ways {
  const defined = [...values].flatMap(([name, { value }]) => (value === null ? [] : [{ name, value }]));
  const steps = defined.flatMap(({ name: user, value }) => namesIn(value).map((used) => ({ used, user })));
  const stepsTo = grouped(steps, ({ used }) => used);
  const starts = defined.filter(({ value }) => refersTo(value, referent));
  const ways = new Map<string, Way>(starts.map(({ name }) => [name, { length: 0 }]));
  // A map tells also what is added while it is gone through, so the shortest ways come first.
  for (const [next, { length }] of ways)
    for (const { user } of stepsTo.get(next) ?? [])
      if (!ways.has(user)) ways.set(user, { next, length: length + 1 });
  return ways;
}

/** The named values through which a value leads to a referent; none where it names it, undefined where it does not lead there. */
function wayOf(template: Template, referent: Referent, ways: Ways): readonly string[] | undefined {
  if (refersTo(template, referent)) return [];
  const [nearest] = namesIn(template)
    .filter((name) => ways.has(name))
    .sort((a, b) => (ways.get(a)?.length ?? 0) - (ways.get(b)?.length ?? 0));
  if (nearest === undefined) return undefined;
  const way: string[] = [];
  for (let name: string | undefined = nearest; name !== undefined; name = ways.get(name)?.next)
    way.push(name);
  return way;
}
