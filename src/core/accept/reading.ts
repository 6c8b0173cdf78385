import { joinFiles, parseFile } from '../config/config.ts';
import { addressOf } from '../config/declaration.ts';
import type { LinkedConfig } from '../config/link.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredField, DesiredIntegration } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { type EditedFile, type EditedServer, fieldKey } from './editing.ts';
import type { TextEdit } from './text-edit.ts';

/** What the files of a server say; nothing is known of references to the outside. */
export interface Reading {
  readonly config: LinkedConfig;
  /** What they ask of the integrations of a server that was planned. */
  readonly desired: readonly DesiredIntegration[];
  readonly diagnostics: readonly Diagnostic[];
}

/** New texts of files by their real paths, and files that are new, with the layer of the server that they are in. */
export interface Draft {
  readonly texts: ReadonlyMap<string, string>;
  /** The edits that made them. */
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
  readonly created: readonly { readonly server: string; readonly layer: number; readonly file: EditedFile }[];
}

/** A server with the files of a draft. */
export function drafted(server: EditedServer, { texts, created }: Draft): EditedServer {
  const layers = server.layers.map((layer, index) => ({
    ...layer,
    files: [
      ...layer.files.map((file) => ({ ...file, text: texts.get(file.real) ?? file.text })),
      ...created.flatMap((each) => (each.server === server.name && each.layer === index ? [each.file] : [])),
    ],
  }));
  return { ...server, layers };
}

/** Reads servers, each file once for each of its texts; undefined where their files have an error. */
export function configReader() {
  const parsed = new Map<string, ReturnType<typeof parseFile>>();
  const parse = ({ path, text }: EditedFile) => {
    const key = JSON.stringify([path, text]);
    const known = parsed.get(key) ?? parseFile({ path, text });
    parsed.set(key, known);
    return known;
  };
  return ({ layers, planned }: EditedServer): Reading | undefined => {
    const files = layers.map((layer) => layer.files.map(parse));
    const { value: config, diagnostics } = joinFiles(files, false);
    if (config === undefined) return undefined;
    const matched = planned && matchEntries(resolveConfig(config), planned.live);
    const found =
      matched === undefined ? [] : [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics];
    return { config, desired: matched?.value.integrations ?? [], diagnostics: [...diagnostics, ...found] };
  };
}

/** Servers and what their files say. */
export interface ReadServer {
  readonly server: EditedServer;
  readonly reading: Reading;
}

/** A field that is asked of an integration. */
export interface AskedField {
  readonly key: string;
  readonly id: string;
  readonly path: readonly string[];
  readonly address: string;
  readonly field: DesiredField<unknown>;
}

/** All fields that are asked of the integrations of a server. */
export function askedFields(server: string, { desired }: Reading): AskedField[] {
  return desired.flatMap(({ name, id, autosubscribe, options }) => {
    const asked = (path: readonly string[], field: DesiredField<unknown> | undefined): AskedField[] =>
      field === undefined
        ? []
        : [{ key: fieldKey({ server, id, path }), id, path, address: addressOf(name, path), field }];
    return [
      ...asked(['autosubscribe'], autosubscribe),
      ...options.flatMap(({ key, value, permission }) => [
        ...asked(['options', key, 'value'], value),
        ...asked(['options', key, 'permission'], permission),
      ]),
    ];
  });
}

/** Finds the real path of a file by the path that places have. */
export function realPaths(servers: readonly EditedServer[]): (path: string) => string {
  const files = servers.flatMap(({ layers }) => layers.flatMap((layer) => layer.files));
  const reals = new Map(files.map(({ path, real }) => [path, real]));
  return (path) => reals.get(path) ?? path;
}

/** Tells places apart. */
export function placeKey({ line, column }: Place, real: string): string {
  return JSON.stringify([real, line, column]);
}
