import type { Selector } from '../config/entry.ts';
import { literalStart } from '../model/glob.ts';
import { grouped } from '../model/grouped.ts';
import { globOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { LiveIndex } from './live-index.ts';

/** Finds for an integration the match that means it and no other of those installed; each is looked for once. */
export class NarrowMatches {
  readonly #index: LiveIndex;
  readonly #found = new Map<LiveIntegration, string | undefined>();
  #shared: { readonly names: ReadonlySet<string>; readonly acronyms: ReadonlySet<string> } | undefined;

  constructor(index: LiveIndex) {
    this.#index = index;
  }

  /** What to write under `match`; undefined where nothing tells the integration from others. */
  of(meant: LiveIntegration): string | undefined {
    if (!this.#found.has(meant)) {
      const proven = this.#selectorsFor(meant).find((selector) => this.#meansOnly(selector, meant));
      this.#found.set(meant, proven && yamlOf(proven));
    }
    return this.#found.get(meant);
  }

  /** A glob on its id that outlasts an upgrade, else its id; undefined where neither means it alone. */
  globOf(meant: LiveIntegration): string | undefined {
    return idGlobs(meant.id).find((id) => this.#meansOnly({ id }, meant));
  }

  /** Selectors for one integration, best first: those that outlast an upgrade, which changes ids, before its id. */
  #selectorsFor({ id, name, acronym }: LiveIntegration): Selector[] {
    this.#shared ??= {
      names: repeated(this.#index.all.map((each) => each.name)),
      acronyms: repeated(this.#index.all.map((each) => each.acronym)),
    };
    const { names, acronyms } = this.#shared;
    return [
      ...literal(name, names).map((glob) => ({ name: glob })),
      ...literal(acronym, acronyms).map((glob) => ({ acronym: glob })),
      ...idGlobs(id).map((glob) => ({ id: glob })),
    ];
  }

  #meansOnly(selector: Selector, { id }: LiveIntegration): boolean {
    const found = this.#index.found(selector);
    return found.length === 1 && found[0]?.id === id;
  }
}

/** Globs on an id, best first. */
function idGlobs(id: string): string[] {
  return [...(literal(id).length === 0 ? [] : [globOfId(id)]), ...literal(id)];
}

/** The texts that several integrations have. */
function repeated(texts: readonly (string | undefined)[]): ReadonlySet<string> {
  const groups = grouped(
    texts.flatMap((text) => text ?? []),
    (text) => text,
  );
  return new Set([...groups].flatMap(([text, all]) => (all.length > 1 ? [text] : [])));
}

/** A text as a glob, if it means only itself and no other integration has it. */
function literal(text: string | undefined, shared: ReadonlySet<string> = new Set()): string[] {
  return text && literalStart(text) === text && !shared.has(text) ? [text] : [];
}

function yamlOf({ id, name, acronym }: Selector): string {
  if (id !== undefined) return scalar(id);
  return name !== undefined ? `{ name: ${scalar(name)} }` : `{ acronym: ${scalar(acronym ?? '')} }`;
}

/** A text as YAML reads it back: bare words, else in quotes. */
function scalar(text: string): string {
  const isBare = /^[a-z][\w.-]*\*?( [a-z][\w.-]*)*$/i.test(text) && !RESERVED.test(text);
  return isBare ? text : JSON.stringify(text);
}

const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;
