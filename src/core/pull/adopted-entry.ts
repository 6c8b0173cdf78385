import { hasReference } from '../config/read-file.ts';
import { isPathSafe } from '../model/ids.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { aboutOption, type EntryLines, entryLines, type OptionText } from './entry-text.ts';
import { flawsOf } from './proof.ts';
import type { NeededVariable, Variables } from './variables.ts';
import { isExposed, type Manner, type Way, type WritableOption, writable } from './ways.ts';

/** What is not written, by the address of a field or option or the id of an integration, and why. */
interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

/** An integration as an entry of YAML. */
export interface AdoptedEntry {
  readonly name: string;
  /** Its lines below `integrations:`; empty where there is nothing to declare. */
  readonly lines: readonly string[];
  readonly needed: readonly NeededVariable[];
  readonly leftOut: readonly LeftOut[];
}

interface Wanted extends Manner {
  readonly name: string;
  /** What selects it; undefined where nothing tells it from others. */
  readonly match: string | undefined;
  /** Whether an entry for something else has its id as a name. */
  readonly isIdTaken: boolean;
  readonly variables: Variables;
  readonly hasComments: boolean;
  /** Text of a server without secrets. */
  readonly clean: (text: string) => string;
  /** Whether a name shows a secret that is no mere word. */
  readonly isNameShowing: (text: string) => boolean;
}

/** An integration as an entry that is valid and as desired: what would not be is written in another way, or left out. */
export function adoptedEntry(live: LiveIntegration, wanted: Wanted): AdoptedEntry {
  const { name } = wanted;
  const address = wanted.clean(live.id);
  const refused = (reason: string) => ({ name, lines: [], needed: [], leftOut: [{ address, reason }] });
  const found = matchOf(live, wanted);
  if ('reason' in found) return refused(found.reason);
  const all = [...live.options.values()];
  const options = all
    .filter(({ key }) => !wanted.isNameShowing(key))
    .map((option) => new Candidate(option, wanted));
  for (;;) {
    const made = entryLines({
      name,
      match: found.match,
      autosubscribe: live.autosubscribe,
      options: options.map((each) => each.text),
      commentOf: wanted.hasComments ? (option) => aboutOption(option).map(wanted.clean) : undefined,
    });
    const needed = options.flatMap((each) => each.needed);
    const flaws = made.isManaging ? flawsOf(fileOf(made), live, needed) : [];
    if (flaws.length === 0)
      return {
        name,
        lines: made.isManaging ? made.lines.map(({ text }) => text) : [],
        needed,
        leftOut: [
          ...all.flatMap((option) => unnamed(option, wanted)),
          ...options.flatMap((each) => each.leftOut),
        ],
      };
    const keys = new Map(flaws.map(({ line, reason }) => [keyAt(made, line), reason]));
    const flawed = options.filter(({ option }) => keys.has(option.key));
    const isMended = flawed.map((each) => each.fallBack(keys.get(each.option.key) ?? '')).includes(true);
    if (!isMended) return refused(flaws[0]?.reason ?? '');
  }
}

/** What selects an integration, or why it has no entry. */
function matchOf({ id }: LiveIntegration, { match, isIdTaken, isNameShowing }: Wanted) {
  if (!isPathSafe(id)) return { reason: 'its id cannot be a part of a path' };
  if (match === undefined) return { reason: 'no match tells it from the other integrations' };
  if (isIdTaken) return { reason: 'another entry has its id as a name' };
  return [id, match].some(isNameShowing) ? { reason: 'its id shows a secret' } : { match };
}

/** An option that cannot be named. */
function unnamed({ key }: LiveOption, { name, clean, isNameShowing }: Wanted): LeftOut[] {
  const address = `${name}.options.${clean(key)}`;
  return isNameShowing(key) ? [{ address, reason: 'its key shows a secret' }] : [];
}

/** The option that a line of the file belongs to. */
function keyAt({ lines }: EntryLines, line = 0): string | undefined {
  return lines[line - HEAD.length - 1]?.key;
}

/** How each file begins. */
export const HEAD = ['version: 1', 'integrations:'] as const;

function fileOf({ lines }: EntryLines): string {
  return `${[...HEAD, ...lines.map(({ text }) => text)].join('\n')}\n`;
}

/** An option, and the way in which it is written so far. */
class Candidate {
  readonly option: LiveOption;
  readonly #writable: WritableOption;
  readonly #wanted: Wanted;
  #at = 0;
  #reason: string | undefined;
  #isDropped: boolean;
  #variable: string | undefined;

  constructor(option: LiveOption, wanted: Wanted) {
    this.option = option;
    this.#wanted = wanted;
    this.#writable = writable(option, wanted);
    if (hasReference(option.key)) this.#reason = 'its key would be read as a reference';
    this.#isDropped = this.#reason !== undefined;
  }

  /** Takes the next way, the last of which is none. Returns false where it is written in none already. */
  fallBack(reason: string): boolean {
    if (this.#isDropped) return false;
    this.#reason = reason;
    this.#isDropped = this.#way.kind === 'none';
    this.#at += 1;
    return true;
  }

  get text(): OptionText {
    const { option } = this;
    const way = this.#way;
    const hasVariable = way.kind === 'reference' || (way.kind === 'none' && way.isOffered === true);
    return {
      option,
      way,
      variable: hasVariable ? this.#variableName : undefined,
      permission: this.#isDropped || this.#isExposed ? undefined : this.#writable.permission,
      leftOut: this.#parts,
    };
  }

  get needed(): readonly NeededVariable[] {
    const way = this.#way;
    if (way.kind !== 'reference') return [];
    const { text } = way;
    const needed = { variable: this.#variableName, address: `${this.#address}.value` };
    return [text === undefined ? needed : { ...needed, text }];
  }

  get leftOut(): readonly LeftOut[] {
    return this.#parts.map(({ field, reason }) => ({
      address: [this.#address, ...(field === undefined ? [] : [field])].join('.'),
      reason,
    }));
  }

  get #parts(): OptionText['leftOut'] {
    const way = this.#way;
    if (this.#isDropped) return [{ reason: this.#reason ?? '' }];
    const reason = way.kind === 'none' ? way.reason : undefined;
    const unsaid = this.#isExposed ? 'shows a secret to all users' : this.#writable.unsaid;
    return [
      ...(reason === undefined ? [] : [{ field: 'value', reason } as const]),
      ...(unsaid === undefined ? [] : [{ field: 'permission', reason: unsaid } as const]),
    ];
  }

  get #way(): Way {
    const none: Way = { kind: 'none', ...present({ reason: this.#reason }) };
    return this.#isDropped ? none : (this.#writable.ways[this.#at] ?? none);
  }

  get #isExposed(): boolean {
    return isExposed(this.#writable, this.#way);
  }

  get #address(): string {
    return `${this.#wanted.name}.options.${this.option.key}`;
  }

  get #variableName(): string {
    this.#variable ??= this.#wanted.variables.nameFor(this.#wanted.name, this.option.key);
    return this.#variable;
  }
}
