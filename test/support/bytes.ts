/** A value as text, with what its maps and sets hold, in their order. */
export function bytesOf(
  value: unknown,
  isLeftOut: (key: string) => boolean = () => false,
): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (isLeftOut(key)) return undefined;
    const isCollection = part instanceof Map || part instanceof Set;
    return isCollection ? [...part] : part;
  });
}
