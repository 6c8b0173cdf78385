import { settersOf } from '../config/entry.ts';
import type { ResolvedConfig } from '../config/resolve.ts';
import { aboutFields } from '../findings/about.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { matchEntries } from '../match/match.ts';
import { fieldsOf } from '../model/desired.ts';
import { grouped } from '../model/lists.ts';
import { placeKey, type SourceFile } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import { filesIn } from '../pull/names.ts';
import { IN_FLOW, yamlText } from '../yaml/yaml-text.ts';
import {
  type AcceptChoice,
  type DriftedField,
  driftOf,
  type PlannedServer,
} from './drift.ts';
import { addedLines, type Edit, editedText } from './edit.ts';

/** A server whose configuration is edited. */
export interface EditedServer extends PlannedServer {
  config: ResolvedConfig;
  /** The files of all its layers. */
  files: readonly SourceFile[];
  /** The paths of those that other servers read too. */
  shared: ReadonlySet<string>;
  /** The layer that overrides all others, if it alone may read that. */
  own?: OwnLayer | undefined;
}

/** A layer that a server alone reads. */
export interface OwnLayer {
  /** Of a file, or of a folder: empty, or with a slash at its end. */
  path: string;
  /** The paths of its files. */
  files: readonly string[];
}

/** A file with its edits. Texts have no byte order mark. */
export interface AcceptedFile {
  path: string;
  /** Undefined if the file is made. */
  before: string | undefined;
  after: string;
  fields: readonly DriftedField[];
}

/** The files with accepted drift, and findings for what is left. */
export interface AcceptedDrift {
  files: readonly AcceptedFile[];
  diagnostics: readonly Diagnostic[];
}

/**
 * Takes drift of a server back into valid files. A line that feeds nothing else
 * is edited. A line of a layer that other servers read too is overridden in the
 * server's own layer. All else is left to a person.
 */
export function acceptDrift(
  server: EditedServer,
  choice: AcceptChoice,
): AcceptedDrift {
  const { drifted, diagnostics } = driftOf(server, choice);
  const left = [...diagnostics];
  const edits: Edit[] = [];
  for (const edit of editsOf(server, drifted)) {
    if ('code' in edit) left.push(edit);
    else edits.push(edit);
  }
  const files: AcceptedFile[] = [];
  for (const [path, ofFile] of grouped(edits, (edit) => edit.path)) {
    const before = server.files.find((file) => file.path === path)?.text;
    const file = { path, text: before ?? 'version: 1\n' };
    const { text: after, fields, refusals } = editedText(file, ofFile);
    if (fields.length > 0) files.push({ path, before, after, fields });
    for (const [edit, reason] of refusals) left.push(byHand(edit, reason));
  }
  return { files, diagnostics: left };
}

/** Decides where each value is written, or words why a person has to. */
function editsOf(
  server: EditedServer,
  drifted: readonly DriftedField[],
): (Edit | Diagnostic)[] {
  const { config, shared, own, live } = server;
  const setters = grouped(config.flatMap(settersOf), ({ place }) =>
    placeKey(place),
  );
  // Those that a plan leaves out use the line too.
  const managed = matchEntries(config, live).integrations.flatMap(
    ({ name, settings }) => fieldsOf(name, settings),
  );
  const usersAt = grouped(managed, ({ setting }) => placeKey(setting.place));
  const fileFor = ownFiles(server);
  return drifted.map((field) => {
    const { address, integration = '', isReference, place } = field;
    const at = placeKey(place);
    const users = usersAt.get(at) ?? [];
    const others = users
      .map(({ subject }) => addressOf(subject))
      .filter((user) => user !== address);
    const isPlain = others.length === 0;
    if (isPlain && !shared.has(place.file)) {
      const edit = { path: place.file, field };
      return isReference ? byHand(edit, 'reference') : edit;
    }
    // An entry that feeds several has no value for one of them.
    if (isPlain && own !== undefined) {
      const here = setters.get(at) ?? [];
      const setter = here.find(({ entry }) => entry === integration) ?? here[0];
      const entry = setter?.entry ?? integration;
      return { path: fileFor(entry), field, entry };
    }
    const path = own?.path ?? 'a file that no other server reads';
    return byHand({ path, field, entry: integration }, 'shared', others);
  });
}

/**
 * Finds the file of a server's own layer that has an entry, or is to have it.
 */
function ownFiles({ own, config }: EditedServer): (entry: string) => string {
  const { path = '', files = [] } = own ?? {};
  if (path !== '' && !path.endsWith('/')) return () => path;
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
  { path: file, field, entry }: Edit,
  reason: NotAccepted,
  others?: readonly string[],
): Diagnostic {
  const facts = { ...aboutFields([field.subject]), reason };
  if (entry === undefined) {
    const yaml = [yamlText(field.written, IN_FLOW)];
    return diagnostic('not-accepted', { ...facts, yaml }, field.place);
  }
  const yaml = addedLines(entry, [field], 1);
  const about = { ...facts, others, file, yaml };
  return diagnostic('not-accepted', about, field.place);
}
