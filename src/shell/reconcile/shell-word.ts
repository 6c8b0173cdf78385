/** A text as one word for a POSIX shell: in single quotes, unless each of its characters stands for itself. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A path as a word that no command takes for an option, and that `.` does not look for in the PATH. */
export function shellPath(path: string): string {
  return shellWord(path.includes('/') ? path.replace(/^-/, './-') : `./${path}`);
}
