import type { MistypedVariable } from '../findings/server.ts';
import { nearNames } from '../findings/words.ts';
import { environmentName } from './project.ts';

const PREFIX = 'SETPOINT_SERVER_';

/** The variables with credentials for one server. */
const OWN_VARIABLE =
  /^SETPOINT_SERVER_(.+)_(TOKEN|USERNAME|PASSWORD|PASSWORD_FILE)$/;

/** A variable with credentials, and the name of a server as it stands there. */
interface ServerVariable extends MistypedVariable {
  readonly word: string;
}

/** The variables that were likely meant for servers, by the names of these. */
export type MistypedVariables = ReadonlyMap<string, ServerVariable>;

/**
 * Finds a variable that is named nearly like a server without variables, and
 * after no server of the project. `variables` are the names of those set.
 */
export function mistypedVariables(
  servers: readonly string[],
  project: readonly string[],
  variables: readonly string[],
): MistypedVariables {
  // The last variable of each server, by its name as it stands there.
  const byWord = new Map<string, string>();
  for (const variable of variables.toSorted()) {
    const word = OWN_VARIABLE.exec(variable)?.[1];
    if (word !== undefined) byWord.set(word, variable);
  }
  const known = new Set([...servers, ...project].map(environmentName));
  const strays = [...byWord.keys()].filter((word) => !known.has(word));
  const mistyped = new Map<string, ServerVariable>();
  for (const server of servers) {
    const name = environmentName(server);
    if (byWord.has(name)) continue;
    const [word = ''] = nearNames(name, strays);
    const variable = byWord.get(word);
    if (variable === undefined) continue;
    const kind = variable.slice(PREFIX.length + word.length);
    mistyped.set(server, { word, variable, meant: PREFIX + name + kind });
  }
  return mistyped;
}
