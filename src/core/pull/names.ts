import { isOwnCredential } from '../model/own-credential.ts';

/** Makes names unlike those that are taken, by a number. Letter case makes no difference. */
export function uniquely(taken: readonly string[], separator: string): (name: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (name) => {
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number += 1) free = `${name}${separator}${number}`;
    used.add(free.toLowerCase());
    return free;
  };
}

/** A text in small letters, digits and dashes. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

/** The variable of an option: `SETPOINT_VIRUSTOTAL_API_KEY` for `apiKey` of `virustotal`. */
export function variableName(names: readonly string[]): string {
  const words = names.map(shouted).filter((word) => word !== '');
  const name = ['SETPOINT', ...words].join('_');
  return isOwnCredential(name) ? ['SETPOINT', 'OPTION', ...words].join('_') : name;
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
