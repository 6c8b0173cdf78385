import { joinFiles } from '../config/config.ts';
import { addressOf, type WrittenConfig } from '../config/entry.ts';
import { parseFile } from '../config/read-file.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { matchEntries } from '../match/match.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { type EditedFile, type EditedServer, fieldKey, pathIn } from './editing.ts';

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
  readonly value: unknown;
  readonly place: Place;
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
    const asked = (matched?.value.integrations ?? []).flatMap((each) => fieldsOf(server.name, each));
    return { server, config, asked, diagnostics: [...diagnostics, ...(matched?.diagnostics ?? [])] };
  };
}

function fieldsOf(server: string, { name, id, settings }: DesiredIntegration): AskedField[] {
  return settings.map((setting) => {
    const { want: value, place } = setting;
    const path = pathIn(setting);
    return { key: fieldKey({ server, id, path }), address: addressOf(name, path), value, place };
  });
}
