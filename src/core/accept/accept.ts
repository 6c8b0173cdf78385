import { compareText, type Diagnostic, onServer } from '../findings/diagnostic.ts';
import { grouped } from '../model/grouped.ts';
import type { Place } from '../model/place.ts';
import { riskFindings } from './accept-risks.ts';
import { misedit, newWarnings } from './checked-draft.ts';
import { draftOf } from './draft.ts';
import { type EditedServer, fieldKey } from './editing.ts';
import { fitting, lostComment } from './fitting.ts';
import { type Placed, Placement } from './placement.ts';
import { askedFields, configReader, type Draft, drafted, type ReadServer } from './reading.ts';
import { plainPlaces, shownText } from './shown-text.ts';
import { spreadFindings } from './spread.ts';
import { type AcceptChoice, takenBack } from './taken-back.ts';
import { type DiffLine, unifiedDiff } from './unified-diff.ts';

/** A field that is taken back, and where the YAML says so then. */
interface AcceptedField {
  readonly server: string;
  readonly address: string;
  readonly place: Place;
}

/** A file with its edits. */
export interface AcceptedFile {
  readonly path: string;
  /** The path to which its links lead. */
  readonly real: string;
  readonly isNew: boolean;
  /** Its text without a byte order mark; empty for a new file. */
  readonly before: string;
  readonly after: string;
  readonly diff: readonly DiffLine[];
  readonly fields: readonly AcceptedField[];
}

/** What taking differences back comes to: files to write, ordered by path, and what is not taken back. */
export interface Acceptance {
  readonly files: readonly AcceptedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes chosen differences back into files by the smallest edits. The files of all servers are known to be readable. */
export function acceptDrift(
  all: readonly EditedServer[],
  choice: AcceptChoice,
  everywhere: boolean,
): Acceptance {
  const read = configReader();
  const readAll = (servers: readonly EditedServer[]) =>
    servers.flatMap((server): ReadServer[] => {
      const reading = read(server);
      return reading === undefined ? [] : [{ server, reading }];
    });
  const servers = readAll(all);
  const taken = servers.map(({ server, reading }) => ({
    server: server.name,
    ...takenBack(server, reading.desired, choice),
  }));
  const placement = new Placement(servers);
  const placed = placement.place(
    taken.flatMap(({ wanted }) => wanted),
    everywhere,
  );
  const { kept, refused } = fitting(placement, placed, (some) => {
    const draft = draftOf(placement, some);
    if (typeof draft === 'string') return draft;
    return misedit(servers, read, draft, some, everywhere) ?? lostComment(placement, draft);
  });
  const draft = draftOf(placement, kept);
  if (typeof draft === 'string') throw new Error(`edits that fitted do not: ${draft}`);
  const after = readAll(all.map((server) => drafted(server, draft)));
  const isOneOfSeveral = all.filter(({ planned }) => planned !== undefined).length > 1;
  const found = [
    ...taken.flatMap(({ server, diagnostics }) =>
      isOneOfSeveral ? diagnostics.map((each) => onServer(each, server)) : diagnostics,
    ),
    ...newWarnings(servers, after),
    ...riskFindings(kept.flatMap(({ fields }) => fields)),
    ...spreadFindings(
      servers,
      after,
      kept.flatMap(({ fields }) => fields),
    ),
  ];
  return {
    files: filesOf(placement, { kept, draft, servers, after, everywhere }),
    diagnostics: [...found, ...placement.refused, ...refused],
  };
}

interface Made {
  readonly kept: readonly Placed[];
  readonly draft: Draft;
  readonly servers: readonly ReadServer[];
  /** The same with their new files. */
  readonly after: readonly ReadServer[];
  readonly everywhere: boolean;
}

function filesOf(before: Placement, { kept, draft, servers, after, everywhere }: Made): AcceptedFile[] {
  const now = new Placement(after);
  const places = new Map(
    after.flatMap(({ server: { name }, reading }) =>
      askedFields(name, reading).map(({ key, field }) => [key, field.place] as const),
    ),
  );
  const plain = { before: plainPlaces(servers), after: plainPlaces(after) };
  const created = new Map(draft.created.map(({ file }) => [file.real, file]));
  const made = [...grouped(kept, ({ target }) => target.real)].map(([real, all]): AcceptedFile => {
    const fields = all.flatMap((each) =>
      each.fields.map((field): AcceptedField => {
        const found = places.get(fieldKey(field)) ?? field.place;
        const place = everywhere ? now.origin(field.server, found) : found;
        return { server: field.server, address: field.address, place };
      }),
    );
    const isNew = created.has(real);
    const path = created.get(real)?.path ?? before.pathOf(real);
    const old = isNew ? '' : before.source(real).text;
    const text = now.source(real).text;
    const replaced = all.flatMap(({ target }) => (target.kind === 'replace' ? [target.place] : []));
    const diff = unifiedDiff(
      shownText(before, path, old, [...replaced, ...plain.before]),
      shownText(now, path, text, [...fields.map(({ place }) => place), ...plain.after]),
      draft.edits.get(real) ?? [{ from: 0, to: 0, text }],
    );
    return { path, real, isNew, before: old, after: text, diff, fields };
  });
  return made.sort((one, other) => compareText(one.path, other.path));
}
