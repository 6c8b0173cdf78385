import type { Permission } from './permission.ts';
import type { Place } from './place.ts';
import type { Told } from './secrecy.ts';
import type { Secret } from './secret.ts';
import type { Choice, Scalar } from './value.ts';

/** A value as written in YAML once its references are resolved; a select may be its value alone. */
export type WrittenValue = Scalar | Choice | readonly (Scalar | Choice)[];

/** What the configuration asks of one field, and the place that won. */
export interface DesiredField<T> {
  readonly value: T;
  readonly place: Place;
  /** The comment beside or above the field, without its mark. */
  readonly comment?: string;
}

/** The value of an option; hidden where it is known to be a secret before the type of the option is. */
export interface DesiredValue extends DesiredField<WrittenValue | Secret<WrittenValue>> {
  /** True where a part came from `env` or `file`, or is a fallback for it. */
  readonly isFromOutside: boolean;
  /** The text with its references, as written; absent for a literal. */
  readonly reference?: string;
  /** True if an environment variable in it has a fallback that is not empty. */
  readonly hasFallback?: true;
  /** True where its environment variable or file was not read: `value` has the reference in its place. */
  readonly unread?: true;
  /** Digests of the files that it refers to, by the paths in its references; of those alone whose content is known. */
  readonly files?: ReadonlyMap<string, string>;
  /** Where the members of a list are; absent where the value is not written as one. */
  readonly members?: readonly Place[];
}

/** What is asked of one option. One that is only marked as sensitive is not managed, but must exist. */
export interface DesiredOption {
  readonly key: string;
  /** The place of its key. */
  readonly place: Place;
  /** What the YAML says with `sensitive:`; absent where it says nothing. */
  readonly sensitive?: boolean;
  /** What the base of the run says of its secrecy; absent without a base, and where that says nothing. */
  readonly past?: Told;
  /** The day on which its secret was replaced last: `2026-11-21`. */
  readonly rotated?: string;
  /** True where only defaults (`expect: any`) ask for it: an integration need not have such an option. */
  readonly isDefault?: true;
  readonly value?: DesiredValue;
  readonly permission?: DesiredField<Permission>;
}

/** Whether anything of an option is managed. */
export function isManaged({ value, permission }: DesiredOption): boolean {
  return value !== undefined || permission !== undefined;
}

/** One installed integration together with all that the configuration asks of it. */
export interface DesiredIntegration {
  /** The key in the YAML. */
  readonly name: string;
  readonly id: string;
  readonly place: Place;
  readonly autosubscribe?: DesiredField<boolean>;
  readonly options: readonly DesiredOption[];
}

/** The options that defaults (`expect: any`) ask of all integrations that they match, even if other entries set them too. */
export interface DefaultOptions {
  readonly options: readonly Pick<DesiredOption, 'key' | 'place'>[];
  /** The ids of all these integrations, managed or not. */
  readonly ids: readonly string[];
}

/** All that is managed on one server, ordered by name. */
export interface DesiredState {
  readonly integrations: readonly DesiredIntegration[];
  /** What defaults ask for, to find keys that no integration has. */
  readonly defaults: readonly DefaultOptions[];
}
