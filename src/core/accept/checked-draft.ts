import type { Misedit } from '../findings/accept.ts';
import { type Diagnostic, distinct } from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { present } from '../model/present.ts';
import { sameContent } from '../model/value.ts';
import { conform } from '../plan/conform.ts';
import { type ChangedField, changedFields, hasSameEntries, isValue } from './beside.ts';
import { fieldKey, type WantedField } from './editing.ts';
import type { Placed } from './placement.ts';
import {
  askedFields,
  type configReader,
  type Draft,
  drafted,
  type Reading,
  type ReadServer,
} from './reading.ts';

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
  const own = new Set(fields.map(fieldKey));
  for (const before of servers.filter(({ server }) => isTouched(server, draft))) {
    const { server } = before;
    const reading = read(drafted(server, draft));
    if (reading === undefined) return 'error';
    const found = newFindings(before.reading, reading);
    const worse = found.find((each) => severityOf(each) === 'error' || each.code === 'likely-secret');
    if (worse !== undefined) return worse.code === 'likely-secret' ? 'secret' : 'error';
    const after = { server, reading };
    const isOther = ({ key, isMadeOrGone }: ChangedField) => isMadeOrGone || !(everywhere || own.has(key));
    if (!hasSameEntries(before, after) || changedFields(before, after).some(isOther)) return 'others';
    const isTaken = areTaken(
      after,
      fields.filter((each) => each.server === server.name),
    );
    if (!isTaken) return 'not-taken';
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

/** Whether the fields of a server that are taken back ask for what it holds. */
function areTaken(
  { server: { name, planned }, reading }: ReadServer,
  wanted: readonly WantedField[],
): boolean {
  const asked = new Map(askedFields(name, reading).map(({ key, field }) => [key, field]));
  const live = new Map(planned?.live.map((each) => [each.id, each]));
  return wanted.every((each) => {
    const { id, path, held, address } = each;
    const field = asked.get(fieldKey(each));
    if (field === undefined) return false;
    if (!isValue(field)) return field.value === held;
    const option = live.get(id)?.options.get(path[1] ?? '');
    const conformed = option && conform(address, field, option);
    return (
      conformed !== undefined && 'value' in conformed && sameContent(held, conformed.value, option?.type)
    );
  });
}
