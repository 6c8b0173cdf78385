import type { Selector } from '../config/entry.ts';
import { compareText } from '../findings/diagnostic.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';

const ATTRIBUTES = ['id', 'name', 'acronym'] as const;

type Attribute = (typeof ATTRIBUTES)[number];

/** Finds integrations by globs; looks only at those whose text begins like the glob. */
export class LiveIndex {
  /** All integrations, ordered by id, as every answer is. */
  readonly all: readonly LiveIntegration[];
  readonly #byText = new Map<Attribute, readonly Listed[]>();

  constructor(live: readonly LiveIntegration[]) {
    this.all = [...live].sort((a, b) => compareText(a.id, b.id));
  }

  /** The integrations that a `match` means: globs on attributes that must all hold. */
  found(selector: Selector): readonly LiveIntegration[] {
    const tests = ATTRIBUTES.flatMap((attribute) => {
      const glob = selector[attribute];
      return glob === undefined ? [] : [{ attribute, glob }];
    });
    const narrowest = tests.reduce<(typeof tests)[number] | undefined>(
      (best, each) =>
        best === undefined || literalStart(each.glob).length > literalStart(best.glob).length ? each : best,
      undefined,
    );
    if (narrowest === undefined) return [];
    const matchers = tests.map(({ attribute, glob }) => ({ attribute, matches: globMatcher(glob) }));
    const found = this.#beginningWith(narrowest.attribute, literalStart(narrowest.glob)).filter(
      (integration) =>
        matchers.every(({ attribute, matches }) => {
          const text = integration[attribute];
          return text !== undefined && matches(text);
        }),
    );
    return narrowest.attribute === 'id' ? found : found.sort((a, b) => compareText(a.id, b.id));
  }

  #beginningWith(attribute: Attribute, start: string): LiveIntegration[] {
    const listed = this.#byText.get(attribute) ?? listedBy(attribute, this.all);
    this.#byText.set(attribute, listed);
    const found: LiveIntegration[] = [];
    for (let at = firstFrom(listed, start); at < listed.length; at += 1) {
      const next = listed[at];
      if (next === undefined || !next.text.startsWith(start)) break;
      found.push(next.integration);
    }
    return found;
  }
}

/** An integration under the text of one of its attributes. */
interface Listed {
  readonly text: string;
  readonly integration: LiveIntegration;
}

function listedBy(attribute: Attribute, live: readonly LiveIntegration[]): Listed[] {
  return live
    .flatMap((integration) => {
      const text = integration[attribute];
      return text === undefined ? [] : [{ text, integration }];
    })
    .sort((a, b) => compareText(a.text, b.text));
}

/** The first place in an ordered list whose text does not come before another, by bisection. */
function firstFrom(listed: readonly Listed[], text: string): number {
  const search = (low: number, high: number): number => {
    if (low >= high) return low;
    const middle = Math.floor((low + high) / 2);
    return (listed[middle]?.text ?? '') < text ? search(middle + 1, high) : search(low, middle);
  };
  return search(0, listed.length);
}
