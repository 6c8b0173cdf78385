/** Put in by the bundler; in the source tree there is none. */
declare const SETPOINT_VERSION: string | undefined;

/** The version of this setpoint. */
export const VERSION: string = typeof SETPOINT_VERSION === 'string' ? SETPOINT_VERSION : '0.0.0-source';

/** Put in by the bundler where package.json names the repository, as a release does. */
declare const SETPOINT_REPOSITORY: string | undefined;

/** Where `docs/findings.md` of this version is on the web; undefined where the build knew no repository. */
export const FINDINGS_PAGE: string | undefined =
  typeof SETPOINT_REPOSITORY === 'string'
    ? `${SETPOINT_REPOSITORY}/blob/v${VERSION}/docs/findings.md`
    : undefined;
