/** The part of the full number that a soak runs: all with `SETPOINT_SOAK=1`, a tenth with `SETPOINT_SOAK=0.1`. */
const SHARE = Number(process.env['SETPOINT_SOAK'] ?? 0);

/** How many of a long random test to run: few by default, up to the full number in a soak. */
export function seeds(few: number, full: number): number {
  return Math.max(few, Math.round(full * SHARE));
}

/** Every so many of a grid, but all of it in a soak. */
export function sampled<T>(grid: readonly T[], every: number): readonly T[] {
  return SHARE > 0 ? grid : grid.filter((_, at) => at % every === 0);
}

/** Whether this is a soak. */
export const IS_SOAK = SHARE > 0;
