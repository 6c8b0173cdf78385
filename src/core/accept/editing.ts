import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { ServerPlan } from '../plan/plan.ts';
import type { Risk } from '../plan/risk.ts';
import type { SourceFile } from '../yaml/tree.ts';
import type { NewValue } from './value-edits.ts';

/** A file of a configuration. Two paths may lead to one file, by links. */
export interface EditedFile extends SourceFile {
  /** The path to which its links lead: what is written. */
  readonly real: string;
}

/** One layer of a server. */
export interface EditedLayer {
  readonly files: readonly EditedFile[];
  /** The folder where a new file is part of this layer, and of no other server; as paths are shown, and as it is. */
  readonly folder?: { readonly path: string; readonly real: string } | undefined;
}

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** Its layers, earliest first. */
  readonly layers: readonly EditedLayer[];
  /** What was planned on it; absent where it was not selected. */
  readonly planned?: { readonly plan: ServerPlan; readonly live: readonly LiveIntegration[] };
}

/** The path of a field in its entry. */
type FieldPath = readonly ['autosubscribe'] | readonly ['options', string, 'value' | 'permission'];

/** A field that differs, and what takes its place in the YAML. */
export interface WantedField extends NewValue {
  readonly server: string;
  readonly address: string;
  /** The integration by its id, and by its name in the plan. */
  readonly id: string;
  readonly name: string;
  readonly path: FieldPath;
  /** Where it is declared. */
  readonly place: Place;
  /** What is dangerous about asking for it. */
  readonly risks: readonly Risk[];
}

/** Tells fields apart: on which server, of which integration, which one. */
export function fieldKey({
  server,
  id,
  path,
}: Pick<WantedField, 'server' | 'id'> & { path: readonly string[] }) {
  return JSON.stringify([server, id, ...path]);
}
