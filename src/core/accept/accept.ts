import { addressOf, isDefault } from '../config/entry.ts';
import { declarationsOf } from '../config/layers.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { RISKS } from '../plan/risk.ts';
import { valueText } from '../yaml/value-text.ts';
import { type AcceptChoice, driftOf } from './drift.ts';
import { edited, yamlSource } from './edit.ts';
import { configReader, type DriftedField, type EditedServer, isAsMeant, type Reading } from './reading.ts';

/** A file with its edits. Texts have no byte order mark. */
export interface AcceptedFile {
  /** As people name it. */
  readonly path: string;
  readonly real: string;
  readonly before: string;
  readonly after: string;
  readonly fields: readonly DriftedField[];
}

/** The edit of one value, for all fields that it declares. */
interface Edit {
  readonly real: string;
  readonly fields: readonly DriftedField[];
  readonly edit: Exclude<ReturnType<Source['edit']>, NotAccepted>;
}

type Source = ReturnType<typeof yamlSource>;

/** A field or declaration that has its value from a line. */
interface User {
  readonly server: string;
  readonly address: string;
  /** Absent for a declaration of nothing that is installed, as far as is known. */
  readonly key?: string;
}

/** The files of all servers as they are, and the means to read them again. */
interface Scene {
  readonly readings: readonly Reading[];
  readonly read: ReturnType<typeof configReader>;
  readonly keyOf: (place: Place) => string;
  /** The file at a real path, its name and its text. */
  readonly source: (real: string) => Source;
  readonly realOf: (path: string) => string;
}

/**
 * Edits values where they are declared, if they stand there plainly and feed nothing else: the files to write, ordered by path,
 * and what is left to a person. All files are valid.
 */
export function acceptDrift(
  servers: readonly EditedServer[],
  choice: AcceptChoice,
): { readonly files: readonly AcceptedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const scene = sceneOf(servers);
  const drift = servers.map((server) => ({ name: server.name, ...driftOf(server, choice) }));
  const users = usersOf(scene);
  const drifted = drift.flatMap((each) => each.drifted);
  const groups = [...grouped(drifted, ({ place }) => scene.keyOf(place)).values()];
  const placed = groups.map((fields) => placedEdit(scene, fields, users));
  const edits = placed.flatMap((each) => ('edit' in each ? [each] : []));
  const { kept, refused } = readBack(scene, edits);
  const hasSeveral = servers.filter((each) => each.planned !== undefined).length > 1;
  return {
    files: acceptedFiles(scene, kept),
    diagnostics: [
      ...drift.flatMap(({ name, diagnostics }) =>
        hasSeveral ? diagnostics.map((each) => ({ ...each, server: name })) : diagnostics,
      ),
      ...riskFindings(kept.flatMap(({ fields }) => fields)),
      ...placed.flatMap((each) => ('edit' in each ? [] : each.findings)),
      ...refused,
    ],
  };
}

function sceneOf(servers: readonly EditedServer[]): Scene {
  const read = configReader();
  const files = servers.flatMap(({ layers }) => layers.flat());
  const byReal = new Map(files.map((file) => [file.real, file]));
  const reals = new Map(files.map(({ path, real }) => [path, real]));
  const realOf = (path: string) => reals.get(path) ?? path;
  const sources = new Map<string, Source>();
  return {
    readings: servers.flatMap((server) => read(server) ?? []),
    read,
    realOf,
    keyOf: ({ file, line, column }) => JSON.stringify([realOf(file), line, column]),
    source: (real) => {
      const source = sources.get(real) ?? yamlSource(byReal.get(real) ?? { path: real, text: '' });
      sources.set(real, source);
      return source;
    },
  };
}

/** Finds all users of a line, on all servers. */
function usersOf({ readings, keyOf }: Scene): (place: Place) => readonly User[] {
  const all = readings.flatMap(({ server: { name: server }, config, asked }) => {
    const fields = asked.map(({ key, address, place }) => ({ at: keyOf(place), server, address, key }));
    const known = new Set(fields.map(({ at }) => at));
    const others = config.entries.flatMap((entry) =>
      declarationsOf(entry).map(({ path, place }) => ({
        ...{ at: keyOf(place), server, address: addressOf(entry.name, path) },
      })),
    );
    return [...fields, ...others.filter(({ at }) => !known.has(at))];
  });
  const users = grouped<User & { readonly at: string }, string>(all, ({ at }) => at);
  return (place) => users.get(keyOf(place)) ?? [];
}

/** The edit of a value, or the findings that leave it to a person. */
function placedEdit(
  scene: Scene,
  fields: readonly [DriftedField, ...DriftedField[]],
  users: (place: Place) => readonly User[],
): Edit | { readonly findings: readonly Diagnostic[] } {
  const [first] = fields;
  const own = new Set(fields.map(({ key }) => key));
  const values = new Set(fields.map(({ written }) => JSON.stringify(written)));
  if (values.size > 1 || users(first.place).some(({ key }) => key === undefined || !own.has(key)))
    return { findings: fields.map((field) => sharedFinding(scene, field, users(field.place))) };
  const real = scene.realOf(first.place.file);
  const edit = scene.source(real).edit(first.place, first.written);
  return typeof edit === 'string' ? { findings: byHand(scene, fields, edit) } : { real, fields, edit };
}

/** The finding for a line that others use; they are named by the part that differs. */
function sharedFinding(scene: Scene, field: DriftedField, users: readonly User[]): Diagnostic {
  const others = users.filter(({ key }) => key !== field.key);
  const names = others.map(({ server, address }) => {
    if (address === field.address) return server;
    return server === field.server ? address : `${server}: ${address}`;
  });
  const facts = { addresses: [field.address], reason: 'shared' as const, others: names };
  return diagnostic('not-accepted', { ...facts, ...overrideOf(field, scene) }, field.place);
}

function byHand(scene: Scene, fields: readonly DriftedField[], reason: NotAccepted): Diagnostic[] {
  return fields.map((field) => {
    const { lines } = overrideOf(field, scene);
    return diagnostic('not-accepted', { addresses: [field.address], reason, lines }, field.place);
  });
}

/** The lines that override a field for one server only, and that server's file to add them to. */
function overrideOf(
  field: DriftedField,
  { readings, keyOf }: Scene,
): { readonly lines: string; readonly file?: string } {
  const own = readings.find(({ server }) => server.name === field.server);
  const entry = own?.config.entries.find((each) =>
    declarationsOf(each).some(({ place }) => keyOf(place) === keyOf(field.place)),
  );
  const name = entry === undefined || isDefault(entry) ? field.id : entry.name;
  const inFlow = { indent: '', isInFlow: true };
  const lines = [name, ...field.path].reduceRight(
    (inner, key, index) => {
      const pair = `${valueText(key, inFlow)}: ${inner}`;
      return index === 0 ? pair : `{ ${pair} }`;
    },
    valueText(field.written, inFlow),
  );
  const last = own?.server.layers.at(-1)?.at(-1);
  const isShared = readings.some(
    ({ server }) => server !== own?.server && server.layers.flat().some(({ real }) => real === last?.real),
  );
  return last === undefined || isShared ? { lines } : { lines, file: last.path };
}

/** The edits that read back as they should: all together, or else file by file. */
function readBack(scene: Scene, edits: readonly Edit[]) {
  if (readsAsMeant(scene, edits)) return { kept: edits, refused: [] };
  const files = [...grouped(edits, ({ real }) => real).values()];
  const kept = files.filter((each) => readsAsMeant(scene, each));
  const wrong = files.filter((each) => !kept.includes(each)).flat();
  return { kept: kept.flat(), refused: wrong.flatMap(({ fields }) => byHand(scene, fields, 'edit')) };
}

/** Whether edited files declare the new values and nothing else that is new. */
function readsAsMeant(scene: Scene, edits: readonly Edit[]): boolean {
  const { readings, read, keyOf } = scene;
  const texts = new Map(acceptedFiles(scene, edits).map(({ real, after }) => [real, after]));
  const fields = edits.flatMap((each) => each.fields);
  const touched = readings.filter(({ server }) => server.layers.flat().some(({ real }) => texts.has(real)));
  return touched.every((before) => isAsMeant(before, read(before.server, texts), fields, keyOf));
}

/** The files of some edits with their new texts, ordered by path. */
function acceptedFiles({ source }: Scene, edits: readonly Edit[]): AcceptedFile[] {
  const files = [...grouped(edits, ({ real }) => real)].map(([real, all]) => {
    const { path, text: before } = source(real);
    const changes = all.map(({ edit }) => edit);
    return {
      path,
      real,
      before,
      after: edited(before, changes),
      fields: all.flatMap(({ fields }) => fields),
    };
  });
  return files.sort((one, other) => compareText(one.path, other.path));
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const all = fields.flatMap(({ address, risks, place }) => risks.map((risk) => ({ address, risk, place })));
  return [...grouped(all, ({ risk }) => risk)].map(([risk, found]) => {
    const facts = { risk, words: RISKS[risk].words, addresses: found.map(({ address }) => address) };
    return diagnostic('accept-risk', facts, found[0].place);
  });
}
