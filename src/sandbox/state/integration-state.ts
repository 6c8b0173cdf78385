import type { PermissionFlags } from '../../core/model/permission.ts';
import type { OptionValue } from '../../core/model/value.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { OptionSpec } from '../catalog/configuration.ts';

/** The attributes of an integration by their dashed names. */
export type Attributes = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface StoredOption {
  readonly spec: OptionSpec;
  /** Absent until it is set. */
  readonly value?: OptionValue;
  readonly flags: PermissionFlags;
}

/** An error that an integration reports: section 2.3. */
export interface StoredError {
  readonly id: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly count: number;
  /** Milliseconds since 1970 of the last time. */
  readonly lastSeen: number;
  readonly affectedUsers: readonly { readonly id: string; readonly username: string }[];
}

/** One installed integration. It is immutable: a change makes a new one. */
export interface StoredIntegration {
  readonly id: string;
  readonly attributes: Attributes;
  readonly options: ReadonlyMap<string, StoredOption>;
  readonly errors: readonly StoredError[];
}

/** The changes of one PATCH, as the data file holds them. Absent parts stay as they are. */
export interface IntegrationChange {
  readonly id: string;
  readonly attributes?: Attributes;
  readonly options?: readonly OptionChange[];
  readonly errors?: readonly StoredError[];
}

export interface OptionChange {
  readonly key: string;
  readonly value?: OptionValue;
  readonly flags?: PermissionFlags;
}

/** An integration right after its installation. */
export function installed({ id, configuration }: CatalogEntry, status: string): StoredIntegration {
  const { name, acronym, description, entityTypes, customTypes, defaultColor, onDemandOnly, options } =
    configuration;
  return {
    id,
    attributes: {
      name,
      acronym,
      description,
      status,
      autosubscribe: false,
      'entity-types': entityTypes,
      'custom-types': customTypes,
      'default-color': defaultColor,
      'on-demand-only': onDemandOnly,
    },
    options: new Map(options.map((spec) => [spec.key, { spec, flags: spec.flags }])),
    errors: [],
  };
}

/** The value that counts: the default until one is set. */
export function currentValue({ spec, value }: StoredOption): OptionValue {
  return value ?? spec.default;
}

/** The integration after a change. Skips options that it does not have, since a newer version may have dropped them. */
export function changed(before: StoredIntegration, change: IntegrationChange): StoredIntegration {
  return {
    ...before,
    attributes: { ...before.attributes, ...change.attributes },
    options: changedOptions(before.options, change.options ?? []),
    errors: change.errors ?? before.errors,
  };
}

/** One change with the effect of the first followed by the second. */
export function merged(first: IntegrationChange | undefined, second: IntegrationChange): IntegrationChange {
  if (first === undefined) return second;
  const options = new Map(first.options?.map((option) => [option.key, option]));
  for (const option of second.options ?? [])
    options.set(option.key, { ...options.get(option.key), ...option });
  return {
    ...first,
    ...second,
    attributes: { ...first.attributes, ...second.attributes },
    options: [...options.values()],
  };
}

function changedOptions(
  before: ReadonlyMap<string, StoredOption>,
  changes: readonly OptionChange[],
): ReadonlyMap<string, StoredOption> {
  const options = new Map(before);
  for (const { key, ...change } of changes) {
    const option = options.get(key);
    if (option !== undefined) options.set(key, { ...option, ...change });
  }
  return options;
}
