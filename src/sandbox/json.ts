/** The depth at which a body is refused; what the service documents needs six. */
const MAX_DEPTH = 32;

/** Whether unknown data is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether parsed JSON is nested so deep that nothing recursive may touch it; found without recursion. */
export function isTooDeep(value: unknown): boolean {
  const rest: [unknown, number][] = [[value, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth >= MAX_DEPTH) return true;
    for (const child of Object.values(item)) rest.push([child, depth + 1]);
  }
  return false;
}
