import { compareText, type Diagnostic, diagnostic, onServer } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped, isRecord, present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { RISKS } from '../plan/risk.ts';
import { type AcceptChoice, driftOf } from './drift.ts';
import { type DriftedField, type EditedServer, fieldKey } from './editing.ts';
import { configReader, type Reading } from './reading.ts';
import { overrideOf, type User, usersOf } from './users.ts';
import { edited, type TextEdit, valueEdit } from './value-edit.ts';
import { hasReference, type YamlSource, yamlSource } from './yaml-source.ts';

/** A file with its edits. Texts have no byte order mark. */
export interface AcceptedFile {
  /** As people name it. */
  readonly path: string;
  readonly real: string;
  readonly before: string;
  readonly after: string;
  readonly fields: readonly DriftedField[];
}

/** Files to write, ordered by path, and what is left to a person. */
export interface Acceptance {
  readonly files: readonly AcceptedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The edit of one value, for all fields that it declares. */
interface Edit {
  readonly real: string;
  readonly fields: readonly DriftedField[];
  readonly edit: TextEdit;
}

/** The files of all servers as they are, and the means to read them again. */
interface Scene {
  readonly readings: readonly Reading[];
  readonly read: ReturnType<typeof configReader>;
  readonly keyOf: (place: Place) => string;
  /** The file at a real path, its name and its text. */
  readonly source: (real: string) => YamlSource;
  readonly realOf: (path: string) => string;
}

/** Edits values where they are declared, if they stand there plainly and feed nothing else. All files are valid. */
export function acceptDrift(servers: readonly EditedServer[], choice: AcceptChoice): Acceptance {
  const scene = sceneOf(servers);
  const { readings, keyOf } = scene;
  const drift = readings.map((reading) => ({ name: reading.server.name, ...driftOf(reading, choice) }));
  const users = usersOf(readings, keyOf);
  const drifted = drift.flatMap((each) => each.drifted);
  const groups = [...grouped(drifted, ({ place }) => keyOf(place)).values()];
  const placed = groups.map((fields) => placedEdit(scene, fields, users));
  const edits = placed.flatMap((each) => ('edit' in each ? [each] : []));
  const { kept, refused } = readBack(scene, edits);
  const hasSeveral = servers.filter((each) => each.planned !== undefined).length > 1;
  return {
    files: acceptedFiles(scene, kept),
    diagnostics: [
      ...drift.flatMap(({ name, diagnostics }) =>
        hasSeveral ? diagnostics.map((each) => onServer(each, name)) : diagnostics,
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
  const sources = new Map<string, YamlSource>();
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

/** The edit of a value, or the findings that leave it to a person. */
function placedEdit(
  scene: Scene,
  fields: readonly DriftedField[],
  users: (place: Place) => readonly User[],
): Edit | { readonly findings: readonly Diagnostic[] } {
  const [first] = fields;
  if (first === undefined) return { findings: [] };
  const own = new Set(fields.map(fieldKey));
  const isSame = fields.every(({ written }) => isSameTree(written, first.written));
  if (!isSame || users(first.place).some(({ key }) => key === undefined || !own.has(key)))
    return { findings: fields.map((field) => sharedFinding(scene, field, users(field.place))) };
  const real = scene.realOf(first.place.file);
  const source = scene.source(real);
  const located = source.at(first.place);
  if (located === undefined || located.isAliased) return { findings: byHand(scene, fields, 'alias') };
  if (hasReference(source, located.value)) return { findings: byHand(scene, fields, 'reference') };
  const edit = valueEdit(source, located, first.written);
  return edit === undefined ? { findings: byHand(scene, fields, 'comment') } : { real, fields, edit };
}

function sharedFinding(scene: Scene, field: DriftedField, users: readonly User[]): Diagnostic {
  const { address, place } = field;
  const others = users.filter(({ key }) => key !== fieldKey(field)).map(userText(field));
  const override = overrideOf(field, scene.readings, scene.keyOf);
  const facts = { addresses: [address], reason: 'shared' as const, others, ...override };
  return diagnostic('not-accepted', facts, place);
}

/** Names another user of a field's line by the part that differs. */
function userText({ address, server }: DriftedField): (user: User) => string {
  return (user) => {
    if (user.address === address) return user.server;
    return user.server === server ? user.address : `${user.server}: ${user.address}`;
  };
}

function byHand(scene: Scene, fields: readonly DriftedField[], reason: NotAccepted): Diagnostic[] {
  return fields.map((field) => {
    const { lines } = overrideOf(field, scene.readings, scene.keyOf);
    return diagnostic('not-accepted', { addresses: [field.address], reason, lines }, field.place);
  });
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
  const places = new Set(fields.map(({ place }) => keyOf(place)));
  const isEdited = (place: unknown) => isPlace(place) && places.has(keyOf(place));
  const touched = readings.filter(({ server }) => server.layers.flat().some(({ real }) => texts.has(real)));
  return touched.every((before) => {
    const after = read(before.server, texts);
    if (after === undefined || hasNewErrors(before, after)) return false;
    const now = new Map(after.asked.map(({ key, value }) => [key, value]));
    const own = fields.filter(({ server }) => server === before.server.name);
    const areTaken = own.every((field) => isSameTree(now.get(fieldKey(field)), field.written));
    return areTaken && isSameTree(before.config, after.config, isEdited);
  });
}

/** The files of some edits with their new texts, ordered by path. */
function acceptedFiles({ source }: Scene, edits: readonly Edit[]): AcceptedFile[] {
  const files = [...grouped(edits, ({ real }) => real)].map(([real, all]) => {
    const { path, text: before } = source(real);
    const after = edited(
      before,
      all.map(({ edit }) => edit),
    );
    return { path, real, before, after, fields: all.flatMap(({ fields }) => fields) };
  });
  return files.sort((one, other) => compareText(one.path, other.path));
}

function hasNewErrors(before: Reading, after: Reading): boolean {
  const known = new Set(before.diagnostics.map(({ code }) => code));
  return after.diagnostics.some(
    (found) =>
      !known.has(found.code) && (explain(found).severity === 'error' || found.code === 'likely-secret'),
  );
}

function isPlace(value: unknown): value is Place {
  return isRecord(value) && typeof value['file'] === 'string' && typeof value['line'] === 'number';
}

/** Whether two values are equal in all parts, wherever they stand; those at edited places may differ. */
function isSameTree(
  one: unknown,
  other: unknown,
  isEdited: (place: unknown) => boolean = () => false,
): boolean {
  if (one instanceof Map && other instanceof Map) return isSameTree([...one], [...other], isEdited);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSameTree(each, other[at], isEdited));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  if (isPlace(one) || isEdited(one['place'])) return true;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSameTree(one[key], other[key], isEdited));
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const all = fields.flatMap(({ address, risks, place }) => risks.map((risk) => ({ address, risk, place })));
  return [...grouped(all, ({ risk }) => risk)].map(([risk, found]) => {
    const facts = { risk, words: RISKS[risk].words, addresses: found.map(({ address }) => address) };
    return diagnostic('accept-risk', facts, present({ place: found[0]?.place }).place);
  });
}
