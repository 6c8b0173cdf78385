/** Put in by the bundler; in the source tree there is none. */
declare const SETPOINT_VERSION: string | undefined;

/** The version of this setpoint. */
export const VERSION: string =
  typeof SETPOINT_VERSION === 'string' ? SETPOINT_VERSION : '0.0.0-source';
