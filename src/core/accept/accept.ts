import { joinFiles } from '../config/config.ts';
import { declarationsOf, type WrittenConfig } from '../config/entry.ts';
import { parseFile } from '../config/read-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { matchEntries } from '../match/match.ts';
import { fieldsOf } from '../model/desired.ts';
import { grouped, present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import type { ServerPlan } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';
import { type AcceptChoice, type DriftedField, driftOf } from './drift.ts';
import { editFile } from './edit.ts';

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** The files of its layers, earliest first. */
  readonly layers: readonly (readonly EditedFile[])[];
  /** Absent if the server was not selected. */
  readonly planned?: {
    readonly plan: ServerPlan;
    readonly live: readonly LiveIntegration[];
  };
}

/** A file of a configuration; `real` is the path to which its links lead. Two paths may lead to one file. */
export type EditedFile = SourceFile & { readonly real: string };

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
 * Edits values where they are declared, if they stand there plainly and feed nothing else: the files to write, ordered by path,
 * and what is left to a person. All files are valid.
 */
export function acceptDrift(
  servers: readonly EditedServer[],
  choice: AcceptChoice,
): AcceptedDrift {
  const drift = servers.flatMap(({ name, planned }) =>
    planned === undefined
      ? []
      : [{ name, ...driftOf(planned.plan, planned.live, choice) }],
  );
  const { files, findings } = editedFiles(
    servers,
    drift.flatMap((each) => each.drifted),
  );
  const skipped = drift.flatMap(({ name, diagnostics }) =>
    drift.length > 1
      ? diagnostics.map((each) => ({ ...each, server: name }))
      : diagnostics,
  );
  const risks = riskFindings(files.flatMap(({ fields }) => fields));
  return { files, diagnostics: [...skipped, ...risks, ...findings] };
}

/** The files with new texts, ordered by path, and findings for the values that are left to a person. */
function editedFiles(
  servers: readonly EditedServer[],
  drifted: readonly DriftedField[],
) {
  const files = new Map(
    servers
      .flatMap(({ layers }) => layers.flat())
      .map((file) => [file.path, file]),
  );
  const keyOf: KeyOf = ({ file, line, column }) =>
    JSON.stringify([files.get(file)?.real ?? file, line, column]);
  const users = usersByPlace(servers, files, keyOf);
  const values = [...grouped(drifted, ({ place }) => keyOf(place))].map(
    ([at, fields]) => {
      return {
        fields,
        findings: obstacles(servers, fields, users.get(at) ?? []),
      };
    },
  );
  const free = values.flatMap(({ fields, findings }) =>
    findings.length === 0 ? [fields] : [],
  );
  const byFile = grouped(free, ([{ place }]) => files.get(place.file)?.real);
  const edited = [...byFile.values()].flatMap((all) => {
    const file = files.get(all[0][0].place.file);
    if (file === undefined) return [];
    const { after, reasons } = editFile(
      file,
      all.map(([first]) => first),
    );
    const parts = all.map((fields, at) => ({ fields, reason: reasons[at] }));
    const fields = parts.flatMap((part) =>
      part.reason === undefined ? part.fields : [],
    );
    const findings = parts.flatMap(({ fields: left, reason }) =>
      reason === undefined ? [] : left.map((field) => byHand(field, reason)),
    );
    return [{ file: { ...file, after, fields }, findings }];
  });
  const changed = edited.flatMap(({ file }): AcceptedFile[] =>
    file.fields.length === 0 ? [] : [file],
  );
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
  const isOne =
    new Set(fields.map((each) => JSON.stringify(each.written))).size === 1;
  const isOwn = users.every((user) =>
    fields.some((field) => isSameField(user, field)),
  );
  if (!isOne || !isOwn)
    return fields.map((field) => sharedFinding(servers, field, users));
  return fields.flatMap((field) =>
    field.isReference ? byHand(field, 'reference') : [],
  );
}

/** What has its value from a line: a field of an installed integration, or a declaration that selects none. */
interface User {
  readonly at: string;
  readonly server: string;
  readonly address: string;
}

/** The key of a place, whatever path led to its file. */
type KeyOf = (place: Place) => string;

function usersByPlace(
  servers: readonly EditedServer[],
  files: ReadonlyMap<string, EditedFile>,
  keyOf: KeyOf,
): ReadonlyMap<string, readonly User[]> {
  const parsed = new Map(
    [...files].map(([path, file]) => [path, parseFile(file)]),
  );
  const users = servers.flatMap(({ name: server, layers, planned }): User[] => {
    const read = layers.map((layer) =>
      layer.flatMap(({ path }) => parsed.get(path) ?? []),
    );
    const { value: config = NOTHING } = joinFiles(read);
    const { value: integrations } = matchEntries(
      resolveConfig(config),
      planned?.live ?? [],
    );
    const fields: User[] = [];
    for (const { name, settings } of integrations) {
      for (const { subject, setting } of fieldsOf(name, settings)) {
        const address = addressOf(subject);
        fields.push({ at: keyOf(setting.place), server, address });
      }
    }
    const known = new Set(fields.map(({ at }) => at));
    const others = config.entries
      .flatMap(declarationsOf)
      .map(({ address, place }) => ({ at: keyOf(place), server, address }));
    return [...fields, ...others.filter(({ at }) => !known.has(at))];
  });
  return grouped(users, ({ at }) => at);
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
      return user.server === server
        ? user.address
        : `${user.server}: ${user.address}`;
    });
  const facts = {
    addresses: [address],
    reason: 'shared' as const,
    others,
    lines,
  };
  return diagnostic(
    'not-accepted',
    { ...facts, ...present({ file: ownLayer(servers, server) }) },
    place,
  );
}

/** The last layer of a server, a file or a folder, if no other server has it. */
function ownLayer(
  servers: readonly EditedServer[],
  name: string,
): string | undefined {
  const last = servers.find((each) => each.name === name)?.layers.at(-1) ?? [];
  const others = servers
    .filter((each) => each.name !== name)
    .flatMap(({ layers }) => layers.flat());
  const [file, second] = last;
  if (file === undefined || others.some(({ real }) => real === file.real))
    return undefined;
  return second === undefined ? file.path : file.path.replace(/[^/]*$/, '');
}

function byHand(
  { address, lines, place }: DriftedField,
  reason: NotAccepted,
): Diagnostic {
  return diagnostic(
    'not-accepted',
    { addresses: [address], reason, lines },
    place,
  );
}

function riskFindings(fields: readonly DriftedField[]): Diagnostic[] {
  const all = fields.flatMap(({ address, risks, place }) =>
    risks.map((risk) => ({ address, risk, place })),
  );
  return [...grouped(all, ({ risk }) => risk)].map(([risk, found]) => {
    const facts = {
      risk,
      words: RISKS[risk].words,
      addresses: found.map(({ address }) => address),
    };
    const places = found.map(({ place }) => place);
    return withPlaces(diagnostic('accept-risk', facts, places[0]), places);
  });
}
