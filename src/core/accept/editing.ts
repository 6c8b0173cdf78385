import type { Setting, WrittenValue } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { OptionValue } from '../model/value.ts';
import type { ServerPlan } from '../plan/plan.ts';
import type { Risk } from '../plan/risk.ts';
import type { SourceFile } from '../yaml/compose.ts';

/** A file of a configuration. Two paths may lead to one file, by links. */
export interface EditedFile extends SourceFile {
  /** The path to which its links lead: what is written. */
  readonly real: string;
}

/** A server whose configuration is edited, or must not change with that of another one. */
export interface EditedServer {
  readonly name: string;
  /** The files of its layers, earliest first. */
  readonly layers: readonly (readonly EditedFile[])[];
  /** Absent if the server was not selected. */
  readonly planned?: { readonly plan: ServerPlan; readonly live: readonly LiveIntegration[] };
}

/** The path of a field in its entry. */
type FieldPath = readonly ['autosubscribe'] | readonly ['options', string, 'value' | 'permission'];

/** The path of the field that a setting is for. */
export function pathIn(setting: Setting): FieldPath {
  return setting.field === 'autosubscribe' ? [setting.field] : ['options', setting.option, setting.field];
}

/** A field that drifted, and its new value. */
export interface DriftedField {
  readonly server: string;
  readonly address: string;
  readonly id: string;
  readonly path: FieldPath;
  /** Where it is declared. */
  readonly place: Place;
  readonly desired: OptionValue;
  readonly live: OptionValue;
  /** The live value as the YAML declares it. */
  readonly written: WrittenValue;
  /** The risks of declaring it. */
  readonly risks: readonly Risk[];
}

/** The key of a field: server, integration and path. */
export function fieldKey({
  server,
  id,
  path,
}: Pick<DriftedField, 'server' | 'id'> & { path: readonly string[] }) {
  return JSON.stringify([server, id, ...path]);
}
