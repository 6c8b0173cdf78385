import { declaredAddress, settersOf } from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import { aboutAll } from '../findings/about.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { matchEntries } from '../match/match.ts';
import { fieldsOf } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import { RISKS } from '../plan/risk.ts';
import { additionAt, headOf } from '../pull/entry.ts';
import { filesIn } from '../pull/names.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';
import {
  type AcceptChoice,
  type DriftedField,
  driftOf,
  type PlannedServer,
} from './drift.ts';
import { type Edit, editedText, entryOf } from './edit.ts';

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** The files of all its layers. */
  readonly files: readonly EditedFile[];
  readonly config: ResolvedConfig;
  /** Its last layer, if no other server reads that. */
  readonly own?: OwnLayer | undefined;
  /** Absent if the server was not selected. */
  readonly planned?: PlannedServer | undefined;
}

/** A layer that overrides all others of its server. */
export interface OwnLayer {
  /** Of a file, or of a folder: empty, or with a slash at its end. */
  readonly path: string;
  /** The paths of its files. */
  readonly files: readonly string[];
  /** Whether it has files that no server reads: then it is left to a person. */
  readonly isUnread?: boolean | undefined;
  /** The schema for editors, from a file in that folder. */
  readonly schema?: string | undefined;
}

/** A file of a configuration. */
export interface EditedFile extends SourceFile {
  /** Where its links lead: two paths may lead to one file. */
  readonly real: string;
}

/** A file with its edits. Texts have no byte order mark. */
export interface AcceptedFile {
  readonly path: string;
  /** The file as it was; undefined if it is made. */
  readonly old: EditedFile | undefined;
  /** Its new text. */
  readonly after: string;
  readonly fields: readonly DriftedField[];
}

/** The files with accepted drift, and findings for what is left. */
export interface AcceptedDrift {
  readonly files: readonly AcceptedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes drift back into valid files. A line that feeds nothing else is edited.
 * What other servers read too is overridden in the server's own layer. All else
 * is left to a person.
 */
export function acceptDrift(
  servers: readonly EditedServer[],
  choice: AcceptChoice,
): AcceptedDrift {
  const planned = servers.flatMap((server) => server.planned ?? []);
  const drifts = planned.map((each) =>
    driftOf(each, choice, planned.length > 1),
  );
  const drifted = drifts.flatMap((drift) => drift.drifted);
  const old = filesOf(servers);
  const left: Diagnostic[] = [];
  const edits: Edit[] = [];
  for (const edit of editsOf(servers, drifted, old)) {
    if ('code' in edit) left.push(edit);
    else edits.push(edit);
  }
  const files: AcceptedFile[] = [];
  const byFile = grouped(edits, ({ path }) => old.get(path)?.path ?? path);
  for (const [path, ofFile] of byFile) {
    const before = old.get(path);
    const file = before ?? newFile(path, ofFile[0], servers);
    const { text: after, fields, refusals } = editedText(file, ofFile);
    if (fields.length > 0) files.push({ path, old: before, after, fields });
    for (const [edit, reason] of refusals) left.push(byHand(edit, reason));
  }
  files.sort((a, b) => compareText(a.path, b.path));
  const risks = riskFindings(files.flatMap(({ fields }) => fields));
  return {
    files,
    diagnostics: [
      ...drifts.flatMap(({ diagnostics }) => diagnostics),
      ...risks,
      ...left,
    ],
  };
}

/** A file of a server's own layer before it has an entry. */
function newFile(
  path: string,
  { fields: [{ server }] }: Edit,
  servers: readonly EditedServer[],
): SourceFile {
  const { own } = servers.find(({ name }) => name === server) ?? {};
  return { path, text: `${headOf(own?.schema).join('\n')}\n` };
}

/** Finds files by their paths; of paths that lead to one file the first counts. */
function filesOf(
  servers: readonly EditedServer[],
): ReadonlyMap<string, EditedFile> {
  const files = new Map<string, EditedFile>();
  const byReal = new Map<string, EditedFile>();
  for (const file of servers.flatMap((server) => server.files)) {
    const first = byReal.get(file.real) ?? file;
    byReal.set(file.real, first);
    files.set(file.path, first);
  }
  return files;
}

/** Decides where each value is written, or words why a person has to. */
function editsOf(
  servers: readonly EditedServer[],
  drifted: readonly DriftedField[],
  files: ReadonlyMap<string, EditedFile>,
): (Edit | Diagnostic)[] {
  const keyOf = ({ file, line, column }: Place): string =>
    JSON.stringify([files.get(file)?.path, line, column]);
  const users = servers.flatMap(usersOn);
  const usersAt = grouped(users, ({ place }) => keyOf(place));
  const overrideOf = overrider(servers);
  const edits: (Edit | Diagnostic)[] = [];
  for (const [at, fields] of grouped(drifted, ({ place }) => keyOf(place))) {
    const [{ place, isReference }] = fields;
    const path = place.file;
    const ofLine = usersAt.get(at) ?? [];
    const isAll = ofLine.every((user) =>
      fields.some((field) => isSameField(user, field)),
    );
    const values = new Set(
      fields.map(({ written }) => JSON.stringify(written)),
    );
    if (!isAll || values.size > 1)
      for (const field of fields) edits.push(overrideOf(field, ofLine));
    else if (isReference) edits.push(byHand({ path, fields }, 'reference'));
    else edits.push({ path, fields });
  }
  return edits;
}

/** A field of a server. */
interface ServerField {
  readonly server: string;
  readonly address: string;
}

function isSameField(one: ServerField, other: ServerField): boolean {
  return one.server === other.server && one.address === other.address;
}

/** What has its value from a line: a field of an installed integration, or a declaration that selects none. */
interface User extends ServerField {
  readonly place: Place;
  /** The name of the entry that has the line. */
  readonly entry: string | undefined;
}

function usersOn({ name: server, config, planned }: EditedServer): User[] {
  const setters = new Map(
    config.flatMap(settersOf).map((setter) => [setter.place, setter]),
  );
  const users: User[] = [];
  const { integrations } = matchEntries(config, planned?.live ?? []);
  for (const { name, settings } of integrations)
    for (const { subject, setting } of fieldsOf(name, settings)) {
      const { place } = setting;
      const entry = setters.get(place)?.entry;
      users.push({ server, address: addressOf(subject), place, entry });
    }
  for (const { place } of users) setters.delete(place);
  for (const [place, setter] of setters) {
    const { entry } = setter;
    users.push({ server, address: declaredAddress(setter), place, entry });
  }
  return users;
}

/**
 * Makes the edit that overrides a field in its server's own layer, or words why
 * a person has to.
 */
function overrider(
  servers: readonly EditedServer[],
): (field: DriftedField, users: readonly User[]) => Edit | Diagnostic {
  const layers = new Map(servers.map(({ name, own }) => [name, own]));
  const fileIn = new Map(servers.map((each) => [each.name, ownFiles(each)]));
  return (field, users) => {
    const { server, integration = '' } = field;
    const [user, another] = users.filter((each) => each.server === server);
    // An entry that feeds several has no value for one of them.
    const entry = another === undefined ? user?.entry : undefined;
    const path = entry && fileIn.get(server)?.(entry);
    if (path) return { path, fields: [field], entry };
    const edit = {
      path: layers.get(server)?.path ?? 'a file that no other server reads',
      fields: [field],
      entry: integration,
    } as const;
    return byHand(edit, 'shared', othersThan(field, users));
  };
}

/** Names what else has its value from the line of a field. */
function othersThan(field: DriftedField, users: readonly User[]): string[] {
  const others = new Set<string>();
  for (const user of users)
    if (user.server !== field.server) others.add(user.server);
    else if (user.address !== field.address) others.add(user.address);
  return [...others];
}

/**
 * Finds the file of a server's own layer that has an entry, or is to have it;
 * undefined without such a layer.
 */
function ownFiles({
  own,
  config,
}: EditedServer): (entry: string) => string | undefined {
  if (own === undefined || own.isUnread) return () => undefined;
  const { path, files } = own;
  if (!/(^|\/)$/.test(path)) return () => path;
  const known = new Map<string, string>();
  for (const { name, declarations } of config)
    for (const { place } of declarations)
      if (files.includes(place.file)) known.set(name, place.file);
  const taken = files.map((file) => file.replace(/^.*\/|\.[^.]*$/g, ''));
  const newFile = filesIn({ path, taken });
  return (entry) => {
    const file = known.get(entry) ?? `${newFile(entry)}.yaml`;
    known.set(entry, file);
    return file;
  };
}

/** Words an edit that a person has to make. */
function byHand(
  { path, fields, entry }: Edit,
  reason: NotAccepted,
  others?: readonly string[],
): Diagnostic {
  const [{ place, written }] = fields;
  const { addresses, integrations } = aboutAll(fields);
  const about = { addresses: [...new Set(addresses)], integrations, reason };
  if (entry === undefined) {
    const yaml = [valueText(written, IN_FLOW)];
    return diagnostic('not-accepted', { ...about, yaml }, place);
  }
  const yaml = [additionAt(1, entryOf(entry, fields)).flow];
  const facts = { ...about, others, file: path, yaml };
  return diagnostic('not-accepted', facts, place);
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const risky = fields.flatMap((field) =>
    field.risks.map((risk) => ({ ...field, risk })),
  );
  return [...grouped(risky, ({ risk }) => risk)].map(([risk, alike]) => {
    const { words } = RISKS[risk];
    const places = alike.map(({ place }) => place);
    const facts = { ...aboutAll(alike), risk, words };
    const finding = diagnostic('accept-risk', facts, places[0]);
    return withPlaces(finding, places);
  });
}
