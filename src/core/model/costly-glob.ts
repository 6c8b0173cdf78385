/**
 * Whether a glob could take very long. Stars alone never do; beside sets,
 * alternatives and escapes the library tries all ways to fit them, millions for
 * a few stars and an id of 200 characters.
 */
export function isCostlyGlob(glob: string): boolean {
  if (isOnlyStars(glob)) return false;
  return glob.split('*').length - 1 > 3 || glob.split(/[{,\\]/).length - 1 > 32;
}

/** Whether stars are the only wildcards of a glob. */
export function isOnlyStars(glob: string): boolean {
  return !/[?[\]{}\\]/.test(glob);
}
