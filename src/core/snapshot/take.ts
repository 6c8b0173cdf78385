import { compareText } from '../findings/diagnostic.ts';
import type { DesiredOption, DesiredState } from '../model/desired.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { present } from '../model/present.ts';
import { reveal } from '../model/secret.ts';
import { type Choice, inOrderOf, isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Scrubber } from '../scrub/scrubber.ts';
import {
  SNAPSHOT_VERSION,
  type Snapshot,
  type SnapshotIntegration,
  type SnapshotOption,
} from './document.ts';
import { declaredIn, secrecyOf } from './kept-out.ts';

/** What a snapshot is made from. */
export interface Taking extends Pick<Snapshot, 'server' | 'takenAt'> {
  /** The version of the program. */
  readonly version: string;
  readonly live: readonly LiveIntegration[];
  /** What is asked of them: it says which options hold secrets. */
  readonly desired: DesiredState;
  /** Knows all secrets of the run, those of `live` among them. */
  readonly scrubber: Scrubber;
}

/** A server as a document without secrets. The same server in any order makes the same document but for its time. */
export function takeSnapshot({ version, server, takenAt, live, desired, ...keeping }: Taking): Snapshot {
  const declared = declaredIn(desired);
  const none: ReadonlyMap<string, DesiredOption> = new Map();
  return {
    formatVersion: SNAPSHOT_VERSION,
    tool: { name: 'setpoint', version },
    server,
    takenAt,
    integrations: [...live]
      .sort((a, b) => compareText(a.id, b.id))
      .map((each) => takenIntegration(each, declared.get(each.id) ?? none, keeping)),
  };
}

type Keeping = Pick<Taking, 'scrubber'>;

function takenIntegration(
  integration: LiveIntegration,
  declared: ReadonlyMap<string, DesiredOption>,
  keeping: Keeping,
): SnapshotIntegration {
  const { id, name, acronym, description, status, autosubscribe, optionKeys, options } = integration;
  const { scrubber } = keeping;
  const keys = [...new Set([...optionKeys, ...options.keys()])].sort(compareText);
  return {
    id: scrubber.name(id),
    ...present({
      name: cleaned(name, scrubber.name),
      acronym: cleaned(acronym, scrubber.name),
      description: cleaned(description, scrubber.said),
      status: status === 'running' ? status : cleaned(status, scrubber.said),
      autosubscribe,
    }),
    options: keys.map((key) => {
      const option = options.get(key);
      return option === undefined
        ? { key: scrubber.name(key) }
        : takenOption(option, declared.get(key), keeping);
    }),
  };
}

function takenOption(
  option: LiveOption,
  declared: DesiredOption | undefined,
  keeping: Keeping,
): SnapshotOption {
  const { key, type, title, description, multiple, choices, initial, permission } = option;
  const { scrubber } = keeping;
  const isOpen = initial !== undefined && secrecyOf(initial, option, declared, scrubber) === undefined;
  return {
    key: scrubber.name(key),
    ...present({
      type: cleaned(type, scrubber.name),
      title: cleaned(title, scrubber.said),
      description: cleaned(description, scrubber.said),
      multiple,
      choices: takenChoices(choices, scrubber),
      initial: isOpen ? inOneOrder(initial, option) : undefined,
    }),
    permission,
    ...takenValue(option, declared, keeping),
  };
}

function takenValue(option: LiveOption, declared: DesiredOption | undefined, { scrubber }: Keeping) {
  const { value: live } = option;
  if (live.kind === 'empty') return { value: null };
  if (live.kind === 'unreadable')
    // A snapshot is no server: none is taken of one.
    return { unreadable: live.reason === 'snapshot' ? ('absent' as const) : live.reason };
  const value = reveal(live.value);
  const secret = secrecyOf(value, option, declared, scrubber);
  return secret === undefined ? { value: writtenValue(value, option) } : { secret };
}

/** A value as the server sends it, its parts in one order: a list of choices without displays as texts. */
function writtenValue(value: OptionValue, option: LiveOption): OptionValue | readonly string[] {
  const ordered = inOneOrder(value, option);
  return option.bareChoice === true && isChoiceList(ordered) ? ordered.map((each) => each.value) : ordered;
}

function inOneOrder(value: OptionValue, { choices }: LiveOption): OptionValue {
  if (isChoiceList(value)) return inOrderOf(choices, value).map(choiceInOrder);
  return isChoice(value) ? choiceInOrder(value) : value;
}

function choiceInOrder({ display, value }: Choice): Choice {
  return { display, value };
}

/** The choices of a select; unknown where it offers a known secret: without that one, they would tell that nobody may choose it. */
function takenChoices(choices: readonly Choice[], { name }: Scrubber): readonly Choice[] | undefined {
  if (choices.length === 0 || choices.some(({ value }) => name(value) !== value)) return undefined;
  return choices.map(({ display, value }) => ({ display: name(display), value }));
}

function cleaned(text: string | undefined, clean: (text: string) => string): string | undefined {
  return text === undefined ? undefined : clean(text);
}
