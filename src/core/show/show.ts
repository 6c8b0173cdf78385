import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { listed } from '../findings/words.ts';
import { present } from '../model/present.ts';
import { showField } from './field.ts';
import { showIntegration } from './integration.ts';
import { type KnownServer, Targets } from './known.ts';
import type { LeftOut, Shown, ShownAbsence, ShownField, ShownIntegration } from './shown.ts';
import { nearSubjects, type Shelf, type Subject, subjectsOf, wordsOf } from './subject.ts';
import { showUses } from './uses.ts';

/** What a person asks for. */
interface Question {
  /** Names, ids, globs and addresses. */
  readonly words: readonly string[];
  /** Named values, variables and files, by their names or as `kind:name`. */
  readonly uses: readonly string[];
  /** What cannot be compared with. */
  readonly leftOut?: readonly LeftOut[];
}

/** Shows what is asked for as far as the servers are known; a finding for each word that names nothing. */
export function show(
  servers: readonly KnownServer[],
  { words, uses, leftOut = [] }: Question,
): { readonly value: Shown; readonly diagnostics: readonly Diagnostic[] } {
  const shelves = servers.map((server): Shelf => ({ server, targets: new Targets(server) }));
  const shown = words.map((word) => shownWord(word, shelves));
  const fed = uses.map((word) => showUses(word, servers));
  return {
    value: {
      servers: servers.map(({ name, url, live }) => ({
        name,
        live,
        ...present({ url }),
      })),
      integrations: shown.flatMap(({ integrations }) => integrations),
      fields: shown.flatMap(({ fields }) => fields),
      uses: fed.flatMap((each) => ('code' in each ? [] : each)),
      absent: shown.flatMap(({ absent }) => absent),
      leftOut,
    },
    diagnostics: [
      ...shown.flatMap(({ diagnostics }) => diagnostics),
      ...fed.flatMap((each) => ('code' in each ? [each] : [])),
    ],
  };
}

/** What one word has to show, in either form. */
interface ShownWord {
  readonly integrations: readonly ShownIntegration[];
  readonly fields: readonly ShownField[];
  readonly absent: readonly ShownAbsence[];
  readonly diagnostics: readonly Diagnostic[];
}

function shownWord(word: string, shelves: readonly Shelf[]): ShownWord {
  const subjects = subjectsOf(word, shelves);
  if (subjects.length === 0)
    return { integrations: [], fields: [], absent: [], diagnostics: [unknownWord(word, shelves)] };
  const all = subjects.map((subject) => shownSubject(subject, shelves));
  return {
    integrations: all.flatMap(({ integrations }) => integrations),
    fields: toldOf(all.flatMap(({ fields }) => fields)),
    absent: all.flatMap(({ absent }) => absent),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Of the fields of one address those that anything declares; the first one where nothing does. */
function toldOf(fields: readonly ShownField[]): readonly ShownField[] {
  const told = fields.filter(({ on }) =>
    on.some(({ origins }) => origins.some(({ isNull }) => isNull !== true)),
  );
  return told.length > 0 ? told : fields.slice(0, 1);
}

function shownSubject(subject: Subject, shelves: readonly Shelf[]): ShownWord {
  if (subject.kind === 'field') {
    const { value, diagnostics } = showField(subject.word, subject.field, shelves);
    return { integrations: [], fields: [value], absent: [], diagnostics };
  }
  const all = shelves.flatMap(({ server, targets }) =>
    targets.of(subject.word).map((target) => ({ server, target })),
  );
  // Who names a server means the integration there.
  const asked = all.filter(({ server: { live } }) => live === 'read' || live === 'unread');
  const found = (asked.length > 0 ? asked : all).map(({ server, target }) => showIntegration(server, target));
  const integrations = found.map(({ value }) => value);
  const diagnostics = found.flatMap((each) => each.diagnostics);
  return { integrations, fields: [], absent: absences(subject.word, shelves), diagnostics };
}

/** The servers that were read and have nothing of a name. */
function absences(word: string, shelves: readonly Shelf[]): readonly ShownAbsence[] {
  const on = shelves.flatMap(({ server: { name, live }, targets }) =>
    live === 'read' && targets.of(word).length === 0 ? [name] : [],
  );
  return on.length === 0 ? [] : [{ word, on }];
}

function unknownWord(word: string, shelves: readonly Shelf[]): Diagnostic {
  const [near] = nearSubjects(word, shelves);
  const isOffline = shelves.every(({ server }) => server.inventory === undefined) || undefined;
  const names = wordsOf(shelves);
  const hint = isOffline && `Names: ${listed(names)}. Pass --server or --url to know what is installed.`;
  return diagnostic('unknown-name', {
    word,
    of: 'subject',
    names,
    ...present(near === undefined ? { hint } : { near }),
  });
}
