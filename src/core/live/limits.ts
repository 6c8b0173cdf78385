/** The most objects and lists that are taken in one answer: more would cost more than they tell. */
export const MOST_OBJECTS = 400_000;

/** Whether a JSON text holds more objects and lists than are taken; brackets inside of its texts count too. */
export function hasTooManyObjects(json: string): boolean {
  const state = { left: MOST_OBJECTS };
  for (const mark of ['{', '['])
    for (let at = json.indexOf(mark); at >= 0 && state.left >= 0; at = json.indexOf(mark, at + 1))
      state.left -= 1;
  return state.left < 0;
}
