import { type Diagnostic, FINDINGS } from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { isOwnCredential } from '../model/own-credential.ts';

/** Makes names unlike those taken, by a number; letter case does not count. */
export function uniquely(
  taken: readonly string[],
  separator: string,
): (name: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (name) => {
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number += 1)
      free = `${name}${separator}${number}`;
    used.add(free.toLowerCase());
    return free;
  };
}

/** A folder of configuration leaves out the file with this name. */
export const RESERVED = 'setpoint';

/** A folder that new files go to. */
export interface NewFiles {
  /** Its path, with a slash at its end. */
  path: string;
  /** The names of the files that are there, without their extension. */
  taken: readonly string[];
}

/** Names the files of new entries in a folder, without their extension. */
export function filesIn({ path, taken }: NewFiles): (entry: string) => string {
  const freeName = uniquely([RESERVED, ...taken], '-');
  return (entry) => `${path}${freeName(slug(entry) || 'entry')}`;
}

/** The name of an entry for an integration, such as `threat-lookup`. */
export function entryName(id: string): string {
  return slug(baseOfId(id)) || 'integration';
}

/** A text in small letters, digits and dashes. */
function slug(text: string): string {
  const dashed = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return dashed.replace(/^-|-$/g, '').slice(0, 60);
}

/** The variable of an option, such as `SETPOINT_VIRUSTOTAL_API_KEY`. */
export function variableName(names: readonly string[]): string {
  const words = names.map(shouted).filter((word) => word !== '');
  const name = ['SETPOINT', ...words].join('_');
  if (!isOwnCredential(name)) return name;
  return ['SETPOINT', 'OPTION', ...words].join('_');
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

/** A finding as the reason why something is not written. */
export function reasonOf({ code }: Diagnostic): string {
  const { title } = FINDINGS[code];
  return title.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
