import type { LiveIntegration, LiveOption } from '../model/live.ts';
import type { Choice, OptionValue } from '../model/value.ts';

/** The version of the saved form. Fields are only ever added within a major version. */
export const SNAPSHOT_VERSION = '2.0';

/** A server in a file, without its secrets: what is installed, ordered by id, and each option, ordered by key. */
export interface Snapshot {
  readonly formatVersion: string;
  readonly tool: { readonly name: 'setpoint'; readonly version: string };
  /** Its name, and its origin. */
  readonly server: { readonly name: string; readonly url: string };
  /** In ISO 8601, to the second. */
  readonly takenAt: string;
  readonly integrations: readonly SnapshotIntegration[];
}

/** An installed integration. */
export interface SnapshotIntegration extends Omit<LiveIntegration, 'options' | 'optionKeys' | 'errorCount'> {
  readonly options: readonly SnapshotOption[];
}

type Shown = 'key' | 'type' | 'title' | 'description' | 'multiple' | 'permission';

/** An option with its value (null if it is not set), or that the value is a secret or hidden by the server. */
export interface SnapshotOption extends Pick<LiveOption, Shown> {
  readonly choices?: readonly Choice[];
  readonly value?: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
}

/** How much a snapshot holds, with the values that were kept out and those that the server does not show. */
export interface SnapshotCounts {
  readonly integrations: number;
  readonly options: number;
  readonly secrets: number;
  readonly hidden: number;
}

/** Counts what a snapshot holds. */
export function countsOf({ integrations }: Snapshot): SnapshotCounts {
  const options = integrations.flatMap((each) => each.options);
  return {
    integrations: integrations.length,
    options: options.length,
    secrets: options.filter(({ secret }) => secret).length,
    hidden: options.filter(({ hidden }) => hidden).length,
  };
}
