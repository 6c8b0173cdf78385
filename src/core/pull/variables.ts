import { isOwnCredential } from '../model/own-credential.ts';

/** Names environment variables for the values of options; no two are alike. */
export class Variables {
  readonly #taken: Set<string>;
  readonly #server: string | undefined;

  /** With a server, every name begins with it. */
  constructor(server: string | undefined, taken: readonly string[]) {
    this.#server = server;
    this.#taken = new Set(taken.map((name) => name.toUpperCase()));
  }

  /** A new name: `SETPOINT_VIRUSTOTAL_API_KEY` for `apiKey` of `virustotal`. */
  nameFor(entry: string, key: string): string {
    const words = [this.#server ?? '', entry, key].map(shouted).filter((word) => word !== '');
    const plain = ['SETPOINT', ...words].join('_');
    const start = isOwnCredential(plain) ? ['SETPOINT', 'OPTION', ...words].join('_') : plain;
    let free = start;
    for (let number = 2; this.#taken.has(free); number += 1) free = `${start}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
