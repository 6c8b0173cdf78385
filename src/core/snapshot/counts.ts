import type { Snapshot } from './document.ts';

/** How much a snapshot holds. */
export interface SnapshotCounts {
  readonly integrations: number;
  readonly options: number;
  /** Values that were kept out. */
  readonly hidden: number;
  /** Values that the server does not show. */
  readonly unreadable: number;
}

/** Counts what a snapshot holds. */
export function countsOf({ integrations }: Snapshot): SnapshotCounts {
  const options = integrations.flatMap((each) => each.options);
  const shown = options.flatMap((each) => (each.permission === undefined ? [] : each));
  const kept = shown.flatMap((each) => (each.secret !== undefined ? each : []));
  return {
    integrations: integrations.length,
    options: options.length,
    hidden: kept.length,
    unreadable: options.length - shown.length + shown.filter((each) => each.unreadable !== undefined).length,
  };
}
