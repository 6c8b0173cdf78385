import type { Permission } from './permission.ts';
import type { Place } from './place.ts';
import type { DeclaredSecrecy } from './secrecy.ts';
import type { Secret } from './secret.ts';
import { type Side, shownSide } from './side.ts';
import type { Subject } from './subject.ts';
import type { OptionValue } from './value.ts';

/** Where a setting comes from. */
interface Origin {
  /** The place in the YAML that won. */
  place: Place;
  /** The comment after or above it, without its mark. */
  comment?: string | undefined;
}

/** A value as far as it is known before it meets its option. */
export type Want =
  | { kind: 'literal'; value: OptionValue }
  /** A part of it comes from the environment or a file, or is a fallback. */
  | {
      kind: 'resolved';
      value: Secret<OptionValue>;
      /** The value with its references as written. */
      written: OptionValue;
    }
  /** References in it are not set, or were not read. */
  | {
      kind: 'unread';
      written: OptionValue;
      /** These references, as they are written. */
      unset: readonly string[];
    };

/** A value with its references replaced, as far as they are known. */
export interface WantedValue {
  want: Want;
  /** The text with its references, as written; absent for a literal. */
  reference?: string | undefined;
  /** Whether an environment variable in it has a fallback that is not empty. */
  hasFallback?: boolean | undefined;
  /** Digests of files that it refers to, by their paths; only of known ones. */
  files?: ReadonlyMap<string, string> | undefined;
  /** Where the members of a list are; absent if it is not written as one. */
  members?: readonly Place[] | undefined;
}

export interface ValueSetting extends Origin, WantedValue {
  kind: 'value';
  /** The day on which its secret was replaced last: `2026-11-21`. */
  rotated?: string | undefined;
}

export interface PermissionSetting extends Origin {
  kind: 'permission';
  want: Permission;
}

export interface SubscriptionSetting extends Origin {
  kind: 'autosubscribe';
  want: boolean;
}

/** The desired state of one field. */
export type Setting = ValueSetting | PermissionSetting | SubscriptionSetting;

/** The desired state of one option, whose fields share their secrecy. */
export interface OptionSettings {
  option: string;
  /** The place of its key. */
  keyPlace: Place;
  /** Whether only defaults ask: an integration need not have the option. */
  isDefault: boolean;
  secrecy: DeclaredSecrecy;
  permission?: PermissionSetting | undefined;
  value?: ValueSetting | undefined;
}

/**
 * The desired state of an integration. Those with the same entries share it.
 */
export interface Settings {
  /** Ordered by option; some are only marked, and ask for nothing. */
  options: ReadonlyMap<string, OptionSettings>;
  autosubscribe?: SubscriptionSetting | undefined;
}

/** An installed integration and its desired state. */
export interface DesiredIntegration {
  /** The key in the YAML; the id if it has only defaults. */
  name: string;
  id: string;
  place: Place;
  settings: Settings;
}

/** A field and its desired state. */
export interface DesiredField {
  subject: Subject;
  setting: Setting;
}

/** Lists all fields that are managed, in the order of a plan. */
export function fieldsOf(
  integration: string,
  settings: Settings,
): DesiredField[] {
  const fields: DesiredField[] = [];
  for (const { option, permission, value } of settings.options.values()) {
    for (const setting of [permission, value]) {
      if (setting === undefined) continue;
      const subject = { kind: setting.kind, integration, option };
      fields.push({ subject, setting });
    }
  }
  const { autosubscribe } = settings;
  if (autosubscribe !== undefined) {
    const subject = { kind: 'autosubscribe', integration } as const;
    fields.push({ subject, setting: autosubscribe });
  }
  return fields;
}

/** The keys of the options that are managed. */
export function managedOptions(settings: Settings): string[] {
  const keys: string[] = [];
  for (const { option, permission, value } of settings.options.values()) {
    const isMarkedOnly = permission === undefined && value === undefined;
    if (!isMarkedOnly) keys.push(option);
  }
  return keys;
}

/** The setting of a field; undefined if it is not managed. */
export function settingOf(
  settings: Settings,
  subject: Subject,
): Setting | undefined {
  if (subject.kind === 'autosubscribe') return settings.autosubscribe;
  return settings.options.get(subject.option)?.[subject.kind];
}

/**
 * What is asked of a field as a side, with references as they are written;
 * unset if nothing is.
 */
export function askedSide(setting: Setting | undefined): Side {
  if (setting === undefined) return { kind: 'unset' };
  if (setting.kind !== 'value') return shownSide(setting.want);
  const { want, files } = setting;
  if (want.kind === 'literal') return shownSide(want.value);
  return { kind: 'written', written: want.written, files };
}
