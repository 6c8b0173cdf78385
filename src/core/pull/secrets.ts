import type { WrittenConfig } from '../config/entry.ts';
import { outsideReferences } from '../config/resolve.ts';
import { hide, type Secret } from '../model/secret.ts';
import type { Referrer } from './entry.ts';
import { uniquely, variableName } from './names.ts';
import type { OverlaySecrets } from './overlay.ts';
import type { Proven } from './prove.ts';
import { type Reading, type ShownVariables, shownBy } from './variables.ts';

/** Where secrets are written, beside the YAML. */
export interface SecretPlaces {
  /** Whether a variable of the dotenv file can hold a text. */
  readonly isSayable: (text: string) => boolean;
  /**
   * The folder of files for other texts, as references name it, or why there
   * can be none.
   */
  readonly folder: { readonly path: string } | { readonly reason: string };
  /** Why a text cannot be a file; undefined if it can. */
  readonly flawOfFile: (text: string) => string | undefined;
}

/** A variable that references need. */
interface NeededVariable {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  /** Whether the server shows its value, or that it is not set. */
  readonly isShown: boolean;
}

/** The secrets of a pull. */
export interface PulledSecrets {
  /** The variables of the new entries; in an overlay of all entries. */
  readonly needed: readonly NeededVariable[];
  /** The texts of the variables of the whole configuration. */
  readonly shown: ShownVariables;
  /** The secrets that only files can hold, by the paths of references. */
  readonly secretFiles: ReadonlyMap<string, Secret<string>>;
}

/** What decides about the references to secrets. */
interface SecretInput {
  readonly existing: WrittenConfig;
  /** The name that all variables begin with, in a copy for one server. */
  readonly server?: string | undefined;
  /** Absent if no file for secrets was asked for. */
  readonly secrets?: SecretPlaces | undefined;
}

/** The references to secrets while entries are written. */
export interface SecretWriting extends OverlaySecrets {
  /** The texts for files, by the paths of their references. */
  readonly files: Map<string, Secret<string>>;
}

export function secretWriting(input: SecretInput): SecretWriting {
  const { server = '', existing, secrets } = input;
  const variables = outsideReferences(existing).env.keys();
  const freeVariable = uniquely([...variables], '_');
  const files = new Map<string, Secret<string>>();
  const texts = new Map<string, string>();
  const referrerOf = (entry: string, option: string): Referrer => {
    return (text) => {
      const name = freeVariable(variableName([server, entry, option]));
      if (text === undefined || secrets === undefined)
        return { kind: 'env', name };
      if (secrets.isSayable(text)) return { kind: 'env', name };
      const { folder } = secrets;
      if ('reason' in folder) return folder;
      const reason = secrets.flawOfFile(text);
      if (reason !== undefined) return { reason };
      const path = `${folder.path}/${name}`;
      files.set(path, hide(text));
      return { kind: 'file', name: path };
    };
  };
  const mayHold = (variable: string, text: string): boolean => {
    if (secrets !== undefined && !secrets.isSayable(text)) return false;
    const held = texts.get(variable) ?? text;
    texts.set(variable, held);
    return held === text;
  };
  return { referrerOf, mayHold, files };
}

/** What of the secrets is written, and what is known of them. */
export function secretsOf(
  { entries, readings }: Proven,
  written: ReadonlyMap<string, Secret<string>>,
  isOverlay: boolean,
): PulledSecrets {
  const shown = shownBy(readings);
  const secretFiles = new Map<string, Secret<string>>();
  const fields: VariableField[] = isOverlay ? fieldsOnce(readings) : [];
  for (const { name, options } of entries)
    for (const { key, reference } of options) {
      if (reference === undefined) continue;
      const { kind, name: source } = reference;
      const text = written.get(source);
      if (kind === 'file' && text !== undefined) secretFiles.set(source, text);
      const address = `${name}.options.${key}.value`;
      if (kind === 'env' && !isOverlay)
        fields.push({ variable: source, address });
    }
  const needed = fields.map((field) => ({
    ...field,
    isShown: shown.get(field.variable)?.kind !== 'hidden',
  }));
  return { needed, shown, secretFiles };
}

/** A variable, and a field that reads it. */
type VariableField = Pick<NeededVariable, 'variable' | 'address'>;

/** Each variable with the first of its fields. */
function fieldsOnce(readings: readonly Reading[]): VariableField[] {
  const fields = new Map<string, VariableField>();
  for (const { variable, address } of readings) {
    if (!fields.has(variable)) fields.set(variable, { variable, address });
  }
  return [...fields.values()];
}
