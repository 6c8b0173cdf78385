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
 * Finds, for each server without variables of its own, one that is named nearly like it and after no server of the project.
 * `variables` are the names of those that are set.
 */
export function mistypedVariables(
  servers: readonly string[],
  project: readonly string[],
  variables: readonly string[],
): MistypedVariables {
  const known = new Set([...servers, ...project].map(environmentName));
  const used = new Set<string>();
  const strays = new Map<string, { variable: string; kind: string }>();
  for (const variable of [...variables].sort()) {
    const [, word = '', kind = ''] = OWN_VARIABLE.exec(variable) ?? [];
    if (known.has(word)) used.add(word);
    else if (word !== '') strays.set(word, { variable, kind });
  }
  const mistyped = new Map<string, ServerVariable>();
  for (const server of servers) {
    const name = environmentName(server);
    const [word = ''] = used.has(name)
      ? []
      : nearNames(name, [...strays.keys()]);
    const stray = strays.get(word);
    if (stray === undefined) continue;
    const { variable, kind } = stray;
    const meant = `SETPOINT_SERVER_${name}_${kind}`;
    mistyped.set(server, { word, variable, meant });
  }
  return mistyped;
}
