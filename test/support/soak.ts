/** The part of the full number that a soak runs: all with `SETPOINT_SOAK=1`, a fifth with `SETPOINT_SOAK=0.2`. */
const SHARE = Number(process.env['SETPOINT_SOAK'] ?? 0);

/** How many of a long random test to run: few by default, up to the full number in a soak. */
export function seeds(few: number, full: number): number {
  return Math.max(few, Math.round(full * SHARE));
}
