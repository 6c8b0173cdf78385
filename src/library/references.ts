import type { LinkedConfig } from '../core/config/link.ts';
import { fileText, foundFile, namesOf, variablesIn } from '../core/config/references.ts';
import { outsideReferences, type ReferenceTable, secretReferences } from '../core/config/resolve.ts';
import { ownValue } from '../core/model/json.ts';
import { ownCredentials } from '../core/model/own-credential.ts';
import { reveal } from '../core/model/secret.ts';

/** What the references of a configuration mean. */
export interface Environment {
  /** The values of `${env:NAME}`, such as `process.env`. Empty ones count as missing. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** The texts of `${file:PATH}`, by the paths as they are written; one newline at the end is dropped. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Globs on names of variables that do not begin with `SETPOINT_` and may be referred to all the same. */
  readonly allowEnv?: readonly string[] | undefined;
}

/** The references of a configuration with their values, and all secrets of its environment. */
export function referencesOf(
  linked: LinkedConfig,
  { variables = {}, files = {}, allowEnv = [] }: Environment,
): { readonly table: ReferenceTable; readonly secrets: readonly string[] } {
  const wanted = outsideReferences(linked);
  const env = variablesIn(variables, namesOf(wanted, 'env'), allowEnv);
  const file = new Map(
    namesOf(wanted, 'file').map((name) => {
      const given = ownValue(files, name);
      return [
        name,
        given === undefined ? { reason: 'it was not given' } : foundFile(fileText(given)),
      ] as const;
    }),
  );
  const texts = secretReferences(linked).flatMap(({ kind, name }) => {
    const found = (kind === 'env' ? env : file).get(name);
    return found !== undefined && 'text' in found ? [found.text] : [];
  });
  return { table: { env, file }, secrets: [...ownCredentials(variables), ...texts.map(reveal)] };
}
