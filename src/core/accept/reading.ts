import { joinFiles } from '../config/config.ts';
import { addressOf, type WrittenConfig } from '../config/entry.ts';
import { parseFile } from '../config/read-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredIntegration, Setting } from '../model/desired.ts';
import { isRecord } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { reveal } from '../model/secret.ts';
import { canonicalText, type OptionValue, type WrittenValue } from '../model/value.ts';
import type { ServerPlan } from '../plan/plan.ts';
import type { Risk } from '../plan/risk.ts';

/** A file of a configuration. Two paths may lead to one file, by links. */
export interface EditedFile extends SourceFile {
  /** The path to which its links lead: what is written. */
  readonly real: string;
}

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** The files of its layers, earliest first. */
  readonly layers: readonly (readonly EditedFile[])[];
  /** Absent if the server was not selected. */
  readonly planned?: { readonly plan: ServerPlan; readonly live: readonly LiveIntegration[] };
}

/** A field that drifted, and its new value. */
export interface DriftedField {
  /** Server, integration and path as one. */
  readonly key: string;
  readonly server: string;
  readonly address: string;
  readonly id: string;
  /** The path of the field in its entry. */
  readonly path: readonly string[];
  /** Where it is declared. */
  readonly place: Place;
  readonly desired: OptionValue;
  readonly live: OptionValue;
  /** The live value as the YAML declares it. */
  readonly written: WrittenValue;
  /** The risks of declaring it. */
  readonly risks: readonly Risk[];
}

/** What the files of a server declare; references stay unresolved. */
export interface Reading {
  readonly server: EditedServer;
  readonly config: WrittenConfig;
  /** The fields that are asked of installed integrations; none for a server that was not planned. */
  readonly asked: readonly AskedField[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A field that is asked of an installed integration. */
interface AskedField {
  readonly key: string;
  readonly address: string;
  readonly value: Setting['want'];
  readonly place: Place;
}

/** Where a setting is declared in its entry, and its key among all fields of all servers. */
export function locationOf(server: string, id: string, setting: Setting) {
  const path =
    setting.field === 'autosubscribe' ? [setting.field] : ['options', setting.option, setting.field];
  return { path, key: JSON.stringify([server, id, ...path]) };
}

/** Reads servers, each text of a file once; undefined if a file has an error. `texts` replaces files by their real paths. */
export function configReader() {
  const parsed = new Map<string, ReturnType<typeof parseFile>>();
  const parse = ({ path, text }: EditedFile) => {
    const key = JSON.stringify([path, text]);
    const known = parsed.get(key) ?? parseFile({ path, text });
    parsed.set(key, known);
    return known;
  };
  return (server: EditedServer, texts: ReadonlyMap<string, string> = new Map()): Reading | undefined => {
    const files = server.layers.map((layer) =>
      layer.map((file) => parse({ ...file, text: texts.get(file.real) ?? file.text })),
    );
    const { value: config, diagnostics } = joinFiles(files, false);
    if (config === undefined) return undefined;
    const matched = server.planned && matchEntries(resolveConfig(config), server.planned.live);
    const asked = (matched?.value.integrations ?? []).flatMap((each) => askedOf(server.name, each));
    return { server, config, asked, diagnostics: [...diagnostics, ...(matched?.diagnostics ?? [])] };
  };
}

function askedOf(server: string, { name, id, settings }: DesiredIntegration): AskedField[] {
  return settings.map((setting) => {
    const { path, key } = locationOf(server, id, setting);
    return { key, address: addressOf(name, path), value: setting.want, place: setting.place };
  });
}

/** Whether a reading after edits declares the new values of fields, and elsewhere the same as before without a new error. */
export function isAsMeant(
  before: Reading,
  after: Reading | undefined,
  fields: readonly DriftedField[],
  keyOf: (place: Place) => string,
): boolean {
  if (after === undefined || hasNewErrors(before, after)) return false;
  const now = new Map(after.asked.map(({ key, value }) => [key, canonicalText(reveal(value))]));
  const own = fields.filter(({ server }) => server === before.server.name);
  const places = new Set(fields.map(({ place }) => keyOf(place)));
  const isEdited = (place: unknown) => isPlace(place) && places.has(keyOf(place));
  return (
    own.every(({ key, written }) => now.get(key) === canonicalText(written)) &&
    isSameTree(before.config, after.config, isEdited)
  );
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
