import type { Entry } from '../config/entry.ts';
import type { LinkedConfig } from '../config/link.ts';
import type { Misedit } from '../findings/accept.ts';
import { type Diagnostic, distinct } from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import type { DesiredField, DesiredValue } from '../model/desired.ts';
import { present } from '../model/present.ts';
import { sameContent } from '../model/value.ts';
import { isSameWritten } from '../model/written.ts';
import { conform } from '../plan/conform.ts';
import { fieldKey, type WantedField } from './editing.ts';
import type { Placed, ReadServer } from './placement.ts';
import { askedFields, type configReader, type Draft, drafted, type Reading } from './reading.ts';

/**
 * Whether edited files say what they are to say, and nothing else that is new. `everywhere` lets what is asked for change
 * anywhere, since a shared place was meant.
 */
export function misedit(
  servers: readonly ReadServer[],
  read: ReturnType<typeof configReader>,
  draft: Draft,
  placed: readonly Placed[],
  everywhere: boolean,
): Misedit | undefined {
  const fields = placed.flatMap((each) => each.fields);
  for (const before of servers.filter(({ server }) => isTouched(server, draft))) {
    const after = read(drafted(before.server, draft));
    if (after === undefined) return 'error';
    const found = newFindings(before.reading, after);
    const worse = found.find((each) => severityOf(each) === 'error' || each.code === 'likely-secret');
    if (worse !== undefined) return worse.code === 'likely-secret' ? 'secret' : 'error';
    const own = fields.filter(({ server }) => server === before.server.name);
    const problem =
      before.server.planned === undefined
        ? otherDeclarations(before.reading.config, after.config, everywhere)
        : otherFields(before, after, own, everywhere);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isTouched({ name, layers }: ReadServer['server'], { texts, created }: Draft): boolean {
  return (
    created.some(({ server }) => server === name) ||
    layers.some(({ files }) => files.some(({ real }) => texts.has(real)))
  );
}

/** What the edited files of servers are warned of, and was not before: at the places that the fields had. */
export function newWarnings(servers: readonly ReadServer[], edited: readonly ReadServer[]): Diagnostic[] {
  const asked = (all: readonly ReadServer[]) =>
    all.flatMap(({ server: { name }, reading }) => askedFields(name, reading));
  const was = new Map(asked(servers).map(({ key, field }) => [key, field.place]));
  const places = new Map(
    asked(edited).map(({ key, field }) => [JSON.stringify(field.place), was.get(key)] as const),
  );
  const after = new Map(edited.map(({ server, reading }) => [server.name, reading]));
  const found = servers.flatMap(({ server, reading }) =>
    newFindings(reading, after.get(server.name) ?? reading),
  );
  return distinct(
    found.map(({ place, ...each }) => ({
      ...each,
      ...present({ place: places.get(JSON.stringify(place)) }),
    })),
  );
}

/** What was not found before. */
function newFindings(before: Reading, after: Reading): readonly Diagnostic[] {
  const known = new Set(before.diagnostics.map(textOf));
  return after.diagnostics.filter((found) => !known.has(textOf(found)));
}

/** A finding without its place and those in its facts, which move. */
function textOf({ code, facts }: Diagnostic): string {
  return JSON.stringify([code, facts], (key, value: unknown) =>
    key === 'line' || key === 'column' || key === 'endColumn' ? undefined : value,
  );
}

function otherFields(
  { server: { name, planned }, reading }: ReadServer,
  after: Reading,
  wanted: readonly WantedField[],
  everywhere: boolean,
): Misedit | undefined {
  const was = new Map(askedFields(name, reading).map(({ key, field }) => [key, field]));
  const is = new Map(askedFields(name, after).map(({ key, field }) => [key, field]));
  const own = new Map(wanted.map((field) => [fieldKey(field), field]));
  const hasOther = [...new Set([...was.keys(), ...is.keys()])].some((key) => {
    const [one, other] = [was.get(key), is.get(key)];
    if (one === undefined || other === undefined) return true;
    return !own.has(key) && !everywhere && !isSameField(one, other);
  });
  if (hasOther) return 'others';
  const live = new Map(planned?.live.map((each) => [each.id, each]));
  const isTaken = (key: string, { id, path, held, address }: WantedField) => {
    const field = is.get(key);
    if (field === undefined) return false;
    if (!isValue(field)) return field.value === held;
    const option = live.get(id)?.options.get(path[1] ?? '');
    const conformed = option && conform(address, field, option);
    return (
      conformed !== undefined && 'value' in conformed && sameContent(held, conformed.value, option?.type)
    );
  };
  return [...own].every(([key, field]) => isTaken(key, field)) ? undefined : 'not-taken';
}

function isValue(field: DesiredField<unknown>): field is DesiredValue {
  return 'isFromOutside' in field;
}

/** Whether two fields ask for the same. */
export function isSameField(one: DesiredField<unknown>, other: DesiredField<unknown>): boolean {
  if (!isValue(one) || !isValue(other)) return one.value === other.value;
  return isSameWritten(one, other);
}

/** Whether entries of a server that was not planned say something else. */
function otherDeclarations(
  before: LinkedConfig,
  after: LinkedConfig,
  everywhere: boolean,
): 'others' | undefined {
  const texts = [before, after].map((config) =>
    JSON.stringify(config.map((entry) => declaredIn(entry, everywhere))),
  );
  return texts[0] === texts[1] ? undefined : 'others';
}

/** What a part of an entry says, wherever it stands. */
export function contentText(part: unknown): string | undefined {
  return JSON.stringify(part, (key, value: unknown) => (UNCOMPARED.has(key) ? undefined : value));
}

/** An entry without its places and comments, and without its values where these may change. */
function declaredIn({ options, ...entry }: Entry<unknown>, withoutValues: boolean): unknown {
  const plain: unknown = JSON.parse(
    JSON.stringify({ ...entry, options: [...options.values()] }, (key, value: unknown) =>
      UNCOMPARED.has(key) || (withoutValues && key === 'value') ? undefined : value,
    ),
  );
  return plain;
}

const UNCOMPARED: ReadonlySet<string> = new Set(['place', 'comment', 'source']);
