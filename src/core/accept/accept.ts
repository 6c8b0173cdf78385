import { joinFiles } from '../config/config.ts';
import { declarationsOf, type WrittenConfig } from '../config/entry.ts';
import { parseFile } from '../config/read-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { matchEntries } from '../match/match.ts';
import { grouped, isRecord, present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress, type Place, type SourceFile } from '../model/place.ts';
import { isChoice, type WrittenValue } from '../model/value.ts';
import type { ServerPlan } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';
import { type DriftedField, driftOf } from './drift.ts';
import { editFile } from './edit.ts';

/** A server whose configuration is edited, or must not change with that of another one. */
interface EditedServer {
  readonly name: string;
  /** The files of its layers, earliest first. */
  readonly layers: readonly (readonly EditedFile[])[];
  /** Absent if the server was not selected. */
  readonly planned?: { readonly plan: ServerPlan; readonly live: readonly LiveIntegration[] };
}

/** A file of a configuration; `real` is the path to which its links lead. Two paths may lead to one file. */
type EditedFile = SourceFile & { readonly real: string };

/** A file with its edits. Texts have no byte order mark. */
interface AcceptedFile extends EditedFile {
  /** Its new text. */
  readonly after: string;
  readonly fields: readonly DriftedField[];
}

/**
 * Edits values where they are declared, if they stand there plainly and feed nothing else: the files to write, ordered by path,
 * and what is left to a person. All files are valid.
 */
export function acceptDrift(
  servers: readonly EditedServer[],
  choice: Parameters<typeof driftOf>[2],
): { readonly files: readonly AcceptedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const scene = sceneOf(servers);
  const drift = servers.flatMap(({ name, planned }) =>
    planned === undefined ? [] : [{ name, ...driftOf(planned.plan, planned.live, choice) }],
  );
  const drifted = drift.flatMap((each) => each.drifted);
  const { files, findings } = editedFiles(scene, drifted);
  const fields = files.flatMap((file) => file.fields);
  const isGood = readsAsMeant(scene, files);
  return {
    files: isGood ? files : [],
    diagnostics: [
      ...drift.flatMap(({ name, diagnostics }) =>
        drift.length > 1 ? diagnostics.map((each) => ({ ...each, server: name })) : diagnostics,
      ),
      ...(isGood ? riskFindings(fields) : fields.map((field) => byHand(field, 'edit'))),
      ...findings,
    ],
  };
}

/** The servers, and the means to read them again. */
interface Scene {
  readonly servers: readonly EditedServer[];
  readonly files: ReadonlyMap<string, EditedFile>;
  /** The key of a place, whatever path led to its file. */
  readonly keyOf: (place: Place) => string;
  /** Reads what a server declares, with new texts by the real paths of their files. */
  readonly read: (server: EditedServer, texts?: ReadonlyMap<string, string>) => ReturnType<typeof joinFiles>;
}

function sceneOf(servers: readonly EditedServer[]): Scene {
  const files = new Map(servers.flatMap(({ layers }) => layers.flat()).map((file) => [file.path, file]));
  const parsed = new Map<string, ReturnType<typeof parseFile>>();
  const parse = (path: string, text: string) => {
    const key = JSON.stringify([path, text]);
    const known = parsed.get(key) ?? parseFile({ path, text });
    parsed.set(key, known);
    return known;
  };
  return {
    servers,
    files,
    keyOf: ({ file, line, column }) => JSON.stringify([files.get(file)?.real ?? file, line, column]),
    read: ({ layers }, texts) => {
      const read = layers.map((layer) =>
        layer.map(({ path, real, text }) => parse(path, texts?.get(real) ?? text)),
      );
      return joinFiles(read, false);
    },
  };
}

/** The files with new texts, ordered by path, and findings for the values that are left to a person. */
function editedFiles(scene: Scene, drifted: readonly DriftedField[]) {
  const { servers, files, keyOf } = scene;
  const users = grouped(
    servers.flatMap((server) => usersOf(scene, server)),
    ({ at }) => at,
  );
  const values = [...grouped(drifted, ({ place }) => keyOf(place))].map(([at, fields]) => {
    return { fields, findings: obstacles(servers, fields, users.get(at) ?? []) };
  });
  const free = values.flatMap(({ fields, findings }) => (findings.length === 0 ? [fields] : []));
  const byFile = grouped(free, ([{ place }]) => files.get(place.file)?.real);
  const edited = [...byFile.values()].flatMap((all) => {
    const file = files.get(all[0][0].place.file);
    if (file === undefined) return [];
    const { after, reasons } = editFile(
      file,
      all.map(([first]) => first),
    );
    const fields = all.flatMap((each, at) => (reasons[at] === undefined ? each : []));
    const findings = all.flatMap((each, at) => {
      const reason = reasons[at];
      return reason === undefined ? [] : each.map((field) => byHand(field, reason));
    });
    return [{ file: { ...file, after, fields }, findings }];
  });
  const changed = edited.flatMap(({ file }): AcceptedFile[] => (file.fields.length === 0 ? [] : [file]));
  return {
    files: changed.sort((one, other) => compareText(one.path, other.path)),
    findings: [...values, ...edited].flatMap(({ findings }) => findings),
  };
}

/** Why a value is not edited where it is declared: it feeds something else, or it is a reference. */
function obstacles(
  servers: readonly EditedServer[],
  fields: readonly DriftedField[],
  users: readonly User[],
): Diagnostic[] {
  const isOne = new Set(fields.map((each) => JSON.stringify(each.written))).size === 1;
  const isOwn = users.every((user) => fields.some((field) => isSameField(user, field)));
  if (!isOne || !isOwn) return fields.map((field) => sharedFinding(servers, field, users));
  return fields.flatMap((field) => (field.isReference ? byHand(field, 'reference') : []));
}

/** What has its value from a line: a field of an installed integration, or a declaration that selects none. */
interface User {
  readonly at: string;
  readonly server: string;
  readonly address: string;
}

function usersOf({ keyOf, read }: Scene, server: EditedServer): User[] {
  const { value: config = NOTHING } = read(server);
  const { name } = server;
  const { value: integrations } = matchEntries(resolveConfig(config), server.planned?.live ?? []);
  const fields = integrations.flatMap((each) =>
    each.settings.map((setting) => ({
      ...{ at: keyOf(setting.place), server: name, address: fieldAddress(each.name, setting) },
    })),
  );
  const known = new Set(fields.map(({ at }) => at));
  const others = config.entries.flatMap((entry) =>
    declarationsOf(entry).map(({ path, place }) => ({
      ...{ at: keyOf(place), server: name, address: [entry.name, ...path].join('.') },
    })),
  );
  return [...fields, ...others.filter(({ at }) => !known.has(at))];
}

const NOTHING: WrittenConfig = { values: new Map(), entries: [] };

function isSameField(
  one: Pick<User, 'server' | 'address'>,
  other: Pick<User, 'server' | 'address'>,
): boolean {
  return one.server === other.server && one.address === other.address;
}

/** The finding for a line that others use; they are named by the part that differs. */
function sharedFinding(
  servers: readonly EditedServer[],
  field: DriftedField,
  users: readonly User[],
): Diagnostic {
  const { server, address, lines, place } = field;
  const others = users
    .filter((user) => !isSameField(user, field))
    .map((user) => {
      if (user.address === address) return user.server;
      return user.server === server ? user.address : `${user.server}: ${user.address}`;
    });
  const facts = { addresses: [address], reason: 'shared' as const, others, lines };
  return diagnostic('not-accepted', { ...facts, ...present({ file: ownLayer(servers, server) }) }, place);
}

/** The last layer of a server, a file or a folder, if no other server has it. */
function ownLayer(servers: readonly EditedServer[], name: string): string | undefined {
  const last = servers.find((each) => each.name === name)?.layers.at(-1) ?? [];
  const others = servers.filter((each) => each.name !== name).flatMap(({ layers }) => layers.flat());
  const [file, second] = last;
  if (file === undefined || others.some(({ real }) => real === file.real)) return undefined;
  return second === undefined ? file.path : file.path.replace(/[^/]*$/, '');
}

function byHand({ address, lines, place }: DriftedField, reason: NotAccepted): Diagnostic {
  return diagnostic('not-accepted', { addresses: [address], reason, lines }, place);
}

/** Whether edited files declare the new values and nothing else that is new, for all servers. */
function readsAsMeant({ servers, keyOf, read }: Scene, files: readonly AcceptedFile[]): boolean {
  const texts = new Map(files.map(({ real, after }) => [real, after]));
  const fields = files.flatMap((file) => file.fields);
  const written = new Map(fields.map((field) => [keyOf(field.place), field.written]));
  const touched = servers.filter(({ layers }) => layers.flat().some(({ real }) => texts.has(real)));
  return touched.every((server) => {
    const [before, after] = [read(server), read(server, texts)];
    const known = new Set(before.diagnostics.map(({ code }) => code));
    const isWrong = (found: Diagnostic) =>
      !known.has(found.code) && (explain(found).severity === 'error' || found.code === 'likely-secret');
    if (after.value === undefined || after.diagnostics.some(isWrong)) return false;
    const meant = contentOf(before.value ?? NOTHING, (place) => written.get(keyOf(place)));
    return contentOf(after.value) === meant;
  });
}

/** What a configuration declares, without its places; with new values where there are some. */
function contentOf(config: WrittenConfig, newAt?: (place: Place) => WrittenValue | undefined): string {
  return JSON.stringify(resolveConfig(config), (name, part: unknown) => {
    if (part instanceof Map) return [...part];
    // A choice may be written by its value alone.
    if (isChoice(part)) return [...new Set([part.value, part.display])].join(' ');
    if (name === 'place' || name === 'members') return undefined;
    const written = isRecord(part) && isPlace(part['place']) ? newAt?.(part['place']) : undefined;
    if (!isRecord(part) || written === undefined) return part;
    return { ...part, value: written };
  });
}

function isPlace(value: unknown): value is Place {
  return isRecord(value) && typeof value['file'] === 'string' && typeof value['line'] === 'number';
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const all = fields.flatMap(({ address, risks, place }) => risks.map((risk) => ({ address, risk, place })));
  return [...grouped(all, ({ risk }) => risk)].map(([risk, found]) => {
    const facts = { risk, words: RISKS[risk].words, addresses: found.map(({ address }) => address) };
    return diagnostic('accept-risk', facts, found[0].place);
  });
}
