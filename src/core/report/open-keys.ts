import { nearNames } from '../model/near-names.ts';
import { RISK_NAMES } from '../plan/risk.ts';
import type { YamlToken } from '../yaml/tokens.ts';

/**
 * Which scalars are keys that may be shown, by their index. A scalar before a colon is not enough: a value that lost its
 * quotes or its `|` has colons too. So a key must look like one, and stand where the configuration has keys that people
 * choose, or be nearly one of the words that it has elsewhere. Where the text is no valid YAML, anything may stand
 * anywhere: then a key has letters only, as the keys of options have, and secrets seldom.
 */
export function openKeys(tokens: readonly YamlToken[], isSound: boolean): ReadonlySet<number> {
  const walk = new KeyWalk(tokens, isSound ? KEY : PLAIN_KEY);
  return new Set([...tokens.keys()].filter((index) => walk.isOpen(index)));
}

/** What a key looks like, in quotes or without. */
const KEY = /^(["']?)([\p{L}\p{M}\p{N}\p{Cf}_.$~/-]{1,128})\1$/u;

const PLAIN_KEY = /^(["']?)([a-z][A-Za-z]{0,31})\1$/;

/** The keys of the configuration's own format. */
const WORDS = [
  'version',
  'values',
  'integrations',
  'match',
  'expect',
  'autosubscribe',
  'options',
  'value',
].concat(
  ['permission', 'sensitive', 'display', 'id', 'name', 'acronym', 'servers', 'policy', 'url', 'config'],
  ['labels', 'tls', 'caFile'],
  RISK_NAMES,
);

/** Follows the tokens in order, and keeps the keys that stand around the present one. */
class KeyWalk {
  readonly #tokens: readonly YamlToken[];
  readonly #pattern: RegExp;
  readonly #blocks: { readonly column: number; readonly key: string }[] = [];
  readonly #brackets: (readonly string[])[] = [];
  #path: readonly string[] = [];
  #lineStart = 0;

  constructor(tokens: readonly YamlToken[], pattern: RegExp) {
    this.#tokens = tokens;
    this.#pattern = pattern;
  }

  /** To be asked for each token in turn. */
  isOpen(index: number): boolean {
    const token = this.#tokens[index];
    if (token === undefined) return false;
    const column = token.from - this.#lineStart;
    this.#pass(token);
    if (!token.isScalar || !isKey(this.#tokens, index)) return false;
    const key = this.#pattern.exec(token.source)?.[2] ?? '';
    const around = this.#brackets.at(-1) ?? this.#blocksAround(column);
    if (this.#brackets.length === 0) this.#blocks.push({ column, key });
    this.#path = [...around, key];
    return key !== '' && isShown(around, key);
  }

  #pass({ source, from, isScalar }: YamlToken): void {
    const lineEnd = source.lastIndexOf('\n');
    if (lineEnd >= 0) this.#lineStart = from + lineEnd + 1;
    if (isScalar) return;
    if (source === '{' || source === '[') {
      if (source === '[') this.#path = [...this.#path, ''];
      this.#brackets.push(this.#path);
    } else if (source === '}' || source === ']') {
      this.#brackets.pop();
      // The next member of a list stands where this one stood, not below it.
      this.#path = this.#brackets.at(-1) ?? [];
    }
  }

  #blocksAround(column: number): readonly string[] {
    while ((this.#blocks.at(-1)?.column ?? -1) >= column) this.#blocks.pop();
    return this.#blocks.map(({ key }) => key);
  }
}

/** Whether a scalar stands where a key can stand, and a colon behind it. */
function isKey(tokens: readonly YamlToken[], index: number): boolean {
  const next = tokens.slice(index + 1, index + 3).find(isMark);
  if (next?.source !== ':') return false;
  const before = tokens.slice(Math.max(0, index - 3), index).findLast(isMark);
  // A block of text takes the end of its last line with it.
  if (before?.isScalar === true) return before.source.endsWith('\n');
  return before === undefined || /^[-?{[,]$|^\r?\n$/.test(before.source);
}

/** Whether a token is more than blanks. A block without any text is a token of no characters. */
function isMark({ source }: YamlToken): boolean {
  return !/^[ \t]*$/.test(source);
}

/** `around` holds the keys that stand around a key, the outermost first. */
function isShown(around: readonly string[], key: string): boolean {
  const [section, , part] = around;
  const isChosen =
    (section === 'values' && around.length === 1) ||
    ((section === 'integrations' || section === 'servers') && around.length === 1) ||
    ((part === 'options' || part === 'labels') && around.length === 3);
  return isChosen || nearNames(key, WORDS).length > 0;
}
