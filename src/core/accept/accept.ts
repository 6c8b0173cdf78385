import { joinFiles } from '../config/config.ts';
import {
  declaredAddress,
  settersOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { parseFile, type WrittenFile } from '../config/read-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import { type AboutFields, aboutAll } from '../findings/about.ts';
import {
  type Checked,
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { matchEntries } from '../match/match.ts';
import { fieldsOf } from '../model/desired.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import type { ServerPlan } from '../plan/plan.ts';
import { RISKS, type Risk } from '../plan/risk.ts';
import { IN_FLOW, valueText } from '../yaml/value-text.ts';
import { type AcceptChoice, type DriftedField, driftOf } from './drift.ts';
import { editFile } from './edit.ts';

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** The files of its layers, earliest first. */
  readonly layers: readonly (readonly EditedFile[])[];
  /** Absent if the server was not selected. */
  readonly planned?:
    | {
        readonly plan: ServerPlan;
        readonly live: readonly LiveIntegration[];
      }
    | undefined;
}

/** A file of a configuration; `real` is the path to which its links lead. Two paths may lead to one file. */
export interface EditedFile extends SourceFile {
  readonly real: string;
}

/** A file with its edits. Texts have no byte order mark. */
export interface AcceptedFile extends EditedFile {
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
 * Edits values where they are declared, if they stand there plainly and feed nothing else. All files are valid.
 */
export function acceptDrift(
  servers: readonly EditedServer[],
  choice: AcceptChoice,
): AcceptedDrift {
  const selected = servers.filter(({ planned }) => planned !== undefined);
  const drifted: DriftedField[] = [];
  const skipped: Diagnostic[] = [];
  for (const { name, planned } of selected) {
    if (planned === undefined) continue;
    const drift = driftOf(planned.plan, planned.live, choice);
    drifted.push(...drift.drifted);
    for (const found of drift.diagnostics) {
      skipped.push(selected.length > 1 ? { ...found, server: name } : found);
    }
  }
  const { files, findings } = editFiles(servers, drifted);
  const risks = riskFindings(files.flatMap(({ fields }) => fields));
  return { files, diagnostics: [...skipped, ...risks, ...findings] };
}

/** Files with new texts, ordered by path, and findings for the values that are left to a person. */
interface Edited {
  readonly files: readonly AcceptedFile[];
  readonly findings: readonly Diagnostic[];
}

function editFiles(
  servers: readonly EditedServer[],
  drifted: readonly DriftedField[],
): Edited {
  const files = filesOf(servers);
  const lines = sortLines(servers, drifted, files);
  const findings = [...lines.findings];
  const changed: AcceptedFile[] = [];
  for (const [file, free] of linesByFile(lines.free, files)) {
    const edited = editLines(file, free);
    const { after, fields } = edited;
    if (fields.length > 0) changed.push({ ...file, after, fields });
    findings.push(...edited.findings);
  }
  changed.sort((a, b) => compareText(a.path, b.path));
  return { files: changed, findings };
}

/** The lines that may be edited, and findings for the others. */
interface SortedLines {
  readonly free: readonly SameLine[];
  readonly findings: readonly Diagnostic[];
}

function sortLines(
  servers: readonly EditedServer[],
  drifted: readonly DriftedField[],
  files: ReadonlyMap<string, EditedFile>,
): SortedLines {
  const keyOf: KeyOf = ({ file, line, column }) =>
    JSON.stringify([files.get(file)?.real ?? file, line, column]);
  const users = usersByPlace(servers, files, keyOf);
  const free: SameLine[] = [];
  const findings: Diagnostic[] = [];
  for (const [at, fields] of grouped(drifted, ({ place }) => keyOf(place))) {
    const obstacle = obstacleOf(servers, fields, users.get(at) ?? []);
    if (obstacle === undefined) free.push(fields);
    else findings.push(obstacle);
  }
  return { free, findings };
}

/** Groups lines by their files, whatever paths lead to these. */
function linesByFile(
  lines: readonly SameLine[],
  files: ReadonlyMap<string, EditedFile>,
): ReadonlyMap<EditedFile, readonly SameLine[]> {
  const byPath = grouped(lines, ([{ place }]) => files.get(place.file)?.real);
  const byFile = new Map<EditedFile, readonly SameLine[]>();
  for (const group of byPath.values()) {
    const [[{ place }]] = group;
    const file = files.get(place.file);
    if (file !== undefined) byFile.set(file, group);
  }
  return byFile;
}

function filesOf(
  servers: readonly EditedServer[],
): ReadonlyMap<string, EditedFile> {
  const files = new Map<string, EditedFile>();
  for (const { layers } of servers) {
    for (const file of layers.flat()) files.set(file.path, file);
  }
  return files;
}

/** The fields that one line declares. */
type SameLine = readonly [DriftedField, ...DriftedField[]];

/** A text with edited lines, the fields of these, and findings for the others. */
interface EditedLines {
  readonly after: string;
  readonly fields: readonly DriftedField[];
  readonly findings: readonly Diagnostic[];
}

function editLines(file: EditedFile, lines: readonly SameLine[]): EditedLines {
  const wanted = lines.map(([first]) => first);
  const { after, reasons } = editFile(file, wanted);
  const edited: DriftedField[] = [];
  const findings: Diagnostic[] = [];
  for (const [index, fields] of lines.entries()) {
    const reason = reasons[index];
    if (reason === undefined) edited.push(...fields);
    else findings.push(byHand(fields, reason));
  }
  return { after, fields: edited, findings };
}

/** Why a line is not edited: it feeds something else, or it is a reference. */
function obstacleOf(
  servers: readonly EditedServer[],
  fields: SameLine,
  users: readonly User[],
): Diagnostic | undefined {
  const others = users.filter(
    (user) => !fields.some((field) => isSameField(user, field)),
  );
  if (others.length > 0) return sharedFinding(servers, fields, others);
  const written = new Set(fields.map((field) => JSON.stringify(field.written)));
  if (written.size > 1) return sharedFinding(servers, fields, others);
  const isReference = fields.some((field) => field.isReference);
  return isReference ? byHand(fields, 'reference') : undefined;
}

/** A field of a server. */
interface ServerField {
  readonly server: string;
  readonly address: string;
}

/** What has its value from a line: a field of an installed integration, or a declaration that selects none. */
interface User extends ServerField {
  readonly at: string;
}

/** The key of a place, whatever path led to its file. */
type KeyOf = (place: Place) => string;

function usersByPlace(
  servers: readonly EditedServer[],
  files: ReadonlyMap<string, EditedFile>,
  keyOf: KeyOf,
): ReadonlyMap<string, readonly User[]> {
  const parsed = new Map<string, Checked<WrittenFile>>();
  for (const [path, file] of files) parsed.set(path, parseFile(file));
  const users = servers.flatMap((server) => usersOn(server, parsed, keyOf));
  return grouped(users, ({ at }) => at);
}

function usersOn(
  { name: server, layers, planned }: EditedServer,
  parsed: ReadonlyMap<string, Checked<WrittenFile>>,
  keyOf: KeyOf,
): User[] {
  const read = layers.map((layer) =>
    layer.flatMap(({ path }) => parsed.get(path) ?? []),
  );
  const { value: config = NOTHING } = joinFiles(read);
  const live = planned?.live ?? [];
  const { integrations } = matchEntries(resolveConfig(config), live);
  const users: User[] = [];
  for (const { name, settings } of integrations) {
    for (const { subject, setting } of fieldsOf(name, settings)) {
      const address = addressOf(subject);
      users.push({ at: keyOf(setting.place), server, address });
    }
  }
  const met = new Set(users.map(({ at }) => at));
  for (const setter of config.entries.flatMap(settersOf)) {
    const at = keyOf(setter.place);
    if (met.has(at)) continue;
    users.push({ at, server, address: declaredAddress(setter) });
  }
  return users;
}

const NOTHING: WrittenConfig = { values: new Map(), entries: [] };

function isSameField(one: ServerField, other: ServerField): boolean {
  return one.server === other.server && one.address === other.address;
}

/** The finding for a line that others use, or that needs several values. */
function sharedFinding(
  servers: readonly EditedServer[],
  fields: SameLine,
  others: readonly User[],
): Diagnostic {
  const [first] = fields;
  const names = new Set(others.map((user) => differingPart(user, first)));
  const isShared = names.size > 0;
  const facts = {
    ...aboutLine(fields),
    reason: isShared ? ('shared' as const) : ('values' as const),
    others: isShared ? [...names] : undefined,
    ...linesToMerge(servers, fields),
  };
  return diagnostic('not-accepted', facts, first.place);
}

/** The YAML for files of single servers, and the file if it is one. */
interface LinesToMerge {
  readonly yaml: readonly string[];
  readonly file?: string | undefined;
}

function linesToMerge(
  servers: readonly EditedServer[],
  fields: SameLine,
): LinesToMerge {
  const byServer = grouped(fields, ({ server }) => server);
  const yaml: string[] = [];
  const files: string[] = [];
  for (const [server, own] of byServer) {
    const file =
      ownLayer(servers, server) ?? 'a file that no other server uses';
    files.push(file);
    if (byServer.size > 1) yaml.push(`# ${server}: ${file}`);
    for (const { lines } of own) yaml.push(lines);
  }
  return { yaml, file: files.length === 1 ? files[0] : undefined };
}

function differingPart(user: ServerField, field: ServerField): string {
  if (user.address === field.address) return user.server;
  if (user.server === field.server) return user.address;
  return `${user.server}: ${user.address}`;
}

/** The last layer of a server, a file or a folder, if no other server has it. */
function ownLayer(
  servers: readonly EditedServer[],
  name: string,
): string | undefined {
  const server = servers.find((candidate) => candidate.name === name);
  const [file, second] = server?.layers.at(-1) ?? [];
  if (file === undefined) return undefined;
  const isShared = servers.some(
    (other) =>
      other.name !== name &&
      other.layers.flat().some(({ real }) => real === file.real),
  );
  if (isShared) return undefined;
  return second === undefined ? file.path : file.path.replace(/[^/]*$/, '');
}

function byHand(fields: SameLine, reason: NotAccepted): Diagnostic {
  const [{ written, place }] = fields;
  const yaml = [valueText(written, IN_FLOW)];
  return diagnostic(
    'not-accepted',
    { ...aboutLine(fields), reason, yaml },
    place,
  );
}

/** The fields of a line, each once for all servers. */
function aboutLine(fields: SameLine): AboutFields {
  const { addresses, integrations } = aboutAll(fields);
  return { addresses: [...new Set(addresses)], integrations };
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const byRisk = new Map<Risk, DriftedField[]>();
  for (const field of fields) {
    for (const risk of field.risks) {
      const risky = byRisk.get(risk) ?? [];
      risky.push(field);
      byRisk.set(risk, risky);
    }
  }
  const findings: Diagnostic[] = [];
  for (const [risk, risky] of byRisk) {
    const { words } = RISKS[risk];
    const places = risky.map(({ place }) => place);
    const facts = { ...aboutAll(risky), risk, words };
    const found = diagnostic('accept-risk', facts, places[0]);
    findings.push(withPlaces(found, places));
  }
  return findings;
}
