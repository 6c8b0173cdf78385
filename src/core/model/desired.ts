import type { Permission } from './permission.ts';
import type { Place } from './place.ts';
import type { DeclaredSecrecy } from './secrecy.ts';
import type { Secret } from './secret.ts';
import type { OptionValue } from './value.ts';

interface Declared {
  /** The place in the YAML that won. */
  readonly place: Place;
  /** The comment beside or above it, without its mark. */
  readonly comment?: string;
}

/** What both fields of an option share. */
interface DeclaredOption extends Declared {
  readonly option: string;
  /** The place of its key. */
  readonly keyPlace: Place;
  /** True if only defaults (`expect: any`) ask for it: an integration need not have such an option. */
  readonly isDefault?: true;
  readonly secrecy: DeclaredSecrecy;
}

export interface ValueSetting extends DeclaredOption {
  readonly field: 'value';
  /** Hidden if a part of it comes from outside. */
  readonly want: OptionValue | Secret<OptionValue>;
  /** True if a part came from `env` or `file`, or is a fallback for it. */
  readonly isFromOutside: boolean;
  /** The text with its references, as written; absent for a literal. */
  readonly reference?: string;
  /** The day on which its secret was replaced last: `2026-11-21`. */
  readonly rotated?: string;
  /** True if an environment variable in it has a fallback that is not empty. */
  readonly hasFallback?: true;
  /** True if its environment variable or file was not read: `want` has the reference in its place. */
  readonly unread?: true;
  /** The value with its references as written, as a base has it; absent if `want` is that. */
  readonly unresolved?: OptionValue;
  /** Digests of the files that it refers to, by the paths in its references; only of those whose content is known. */
  readonly files?: ReadonlyMap<string, string>;
  /** Where the members of a list are; absent if the value is not written as one. */
  readonly members?: readonly Place[];
}

/** What the configuration asks of one field. Integrations with the same entries share them. */
export type Setting =
  | (Declared & {
      readonly field: 'autosubscribe';
      readonly option?: undefined;
      readonly want: boolean;
    })
  | (DeclaredOption & {
      readonly field: 'permission';
      readonly want: Permission;
    })
  | ValueSetting;

/** One installed integration together with all that the configuration asks of it. */
export interface DesiredIntegration {
  /** The key in the YAML. */
  readonly name: string;
  readonly id: string;
  readonly place: Place;
  /** Ordered by option, a permission before its value; autosubscribe last. */
  readonly settings: readonly Setting[];
  /** What is said of the secrecy of options, also of those that are only marked. */
  readonly secrecy: ReadonlyMap<string, DeclaredSecrecy>;
}
