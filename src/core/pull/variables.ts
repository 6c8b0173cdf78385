import { isOwnCredential } from '../model/own-credential.ts';
import type { Secret } from '../model/secret.ts';

/** A variable that an entry reads; without a text where the server does not show its secret. */
export interface NeededVariable {
  readonly variable: string;
  readonly address: string;
  readonly text?: Secret<string>;
}

/** What setpoint reads for itself, beside its credentials. */
const OWN: ReadonlySet<string> = new Set(['SETPOINT_ALLOWED_ORIGINS']);

/** Names environment variables for the values of options; no two are alike, whatever the case of their letters. */
export class Variables {
  readonly #taken: Set<string>;
  readonly #others: ReadonlySet<string>;
  readonly #server: string;

  /** `taken` are the variables that the configuration of a server reads already, and `others` those of other YAML. */
  constructor(server: string, taken: readonly string[], others: readonly string[] = []) {
    this.#server = server;
    this.#taken = new Set(taken.map((name) => name.toUpperCase()));
    this.#others = new Set(others.map((name) => name.toUpperCase()));
  }

  /**
   * A name that nothing else has: `SETPOINT_VIRUSTOTAL_API_KEY` for `apiKey` of `virustotal`, with the name of the server in it
   * where other YAML reads that: another server may have another secret there.
   */
  nameFor(entry: string, key: string): string {
    const nameOf = (...parts: readonly string[]) =>
      ['SETPOINT', ...parts.map(shouted)].filter((part) => part !== '').join('_');
    const own = nameOf(entry, key);
    const name = this.#others.has(own) ? nameOf(this.#server, entry, key) : own;
    const wanted = this.#isFree(name) ? name : `${name}_VALUE`;
    let free = wanted;
    for (let number = 2; !this.#isFree(free); number += 1) free = `${wanted}_${number}`;
    this.#taken.add(free);
    return free;
  }

  #isFree(name: string): boolean {
    return isForOptions(name) && !this.#taken.has(name) && !this.#others.has(name);
  }
}

/** Whether a variable may hold the value of an option: it is ours, and setpoint does not read it for itself. */
export function isForOptions(variable: string): boolean {
  return variable.startsWith('SETPOINT_') && !isOwnCredential(variable) && !OWN.has(variable);
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
