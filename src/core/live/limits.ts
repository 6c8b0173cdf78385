/** What is taken from a server. Longer names and more objects are refused: they would cost more than they tell. */
export const SERVER_LIMITS = {
  /** Characters of an id, a name, a key, a type or a status. */
  name: 256,
  /** Objects and lists in one answer. */
  objects: 400_000,
  /** Characters of a text that people read; the rest is cut off. */
  text: 4_096,
  /** Entries of an error document, and how deep they are in each other. */
  errors: 100,
  errorDepth: 4,
  /** Characters of a token. */
  token: 16_384,
} as const;

/** Whether a text is too long for a name. */
export function isOverlong(text: unknown): boolean {
  return typeof text === 'string' && text.length > SERVER_LIMITS.name;
}

/** Unknown data that is a text for people, cut to what they can read. */
export function proseOf(value: unknown): string | undefined {
  return typeof value === 'string' ? cutText(value) : undefined;
}

/** The beginning of a text that people read. */
export function cutText(text: string): string {
  return text.length > SERVER_LIMITS.text ? `${text.slice(0, SERVER_LIMITS.text)}…` : text;
}

/** Whether a JSON text holds more objects and lists than are taken; brackets inside of its texts count too. */
export function hasTooManyObjects(json: string): boolean {
  const state = { left: SERVER_LIMITS.objects };
  for (const mark of ['{', '['])
    for (let at = json.indexOf(mark); at >= 0 && state.left >= 0; at = json.indexOf(mark, at + 1))
      state.left -= 1;
  return state.left < 0;
}
