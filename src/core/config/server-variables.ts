import type { MistypedVariable } from '../findings/server.ts';
import { nearNames } from '../findings/words.ts';
import { environmentName } from './project.ts';

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
  const byWord = variablesByWord(variables);
  const known = new Set([...servers, ...project].map(environmentName));
  const strays = [...byWord.keys()].filter((word) => !known.has(word));
  const mistyped = new Map<string, ServerVariable>();
  for (const server of servers) {
    const name = environmentName(server);
    if (byWord.has(name)) continue;
    const [word = ''] = nearNames(name, strays);
    const stray = byWord.get(word);
    if (stray === undefined) continue;
    const { variable, kind } = stray;
    const meant = `SETPOINT_SERVER_${name}_${kind}`;
    mistyped.set(server, { word, variable, meant });
  }
  return mistyped;
}

/** A variable with credentials, such as a `TOKEN`. */
interface NamedVariable {
  readonly variable: string;
  readonly kind: string;
}

/** The last variable of each server, by its name as it stands there. */
function variablesByWord(
  variables: readonly string[],
): Map<string, NamedVariable> {
  const byWord = new Map<string, NamedVariable>();
  for (const variable of [...variables].sort()) {
    const [, word, kind = ''] = OWN_VARIABLE.exec(variable) ?? [];
    if (word !== undefined) byWord.set(word, { variable, kind });
  }
  return byWord;
}
