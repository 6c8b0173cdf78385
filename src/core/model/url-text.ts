/** Whether a text is an http or https address as people write one. */
export function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

/** Whether it is one with a slash at its end: what puts a path behind it asks for `//`. */
export function isSlashedUrl(text: string): boolean {
  return isUrl(text) && text.endsWith('/');
}

/** Whether it is one without a slash at its end. */
export function isBareUrl(text: string): boolean {
  return isUrl(text) && !text.endsWith('/');
}
