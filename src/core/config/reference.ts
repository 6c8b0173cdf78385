/** One piece of a text with references. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'env'; readonly name: string; readonly fallback?: string; readonly source: string }
  | { readonly kind: 'file'; readonly name: string; readonly source: string }
  | { readonly kind: 'value'; readonly name: string; readonly source: string };

export type Reference = Exclude<TemplatePart, { kind: 'text' }>;

export type Template =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly problem: string };

/** Splits a text into literal text and references. `$${` is a literal `${`; a `$` alone and `{{…}}` are text. */
export function parseTemplate(text: string): Template {
  if (!text.includes('${')) return { ok: true, parts: text === '' ? [] : [{ kind: 'text', text }] };
  const parts: TemplatePart[] = [];
  const state = { end: 0 };
  const literal = (piece: string) => {
    if (piece !== '') parts.push({ kind: 'text', text: piece });
  };
  for (const { 0: source, 1: body, 2: brace, index } of text.matchAll(/\$\$\{|\$\{([^}]*)(\}?)/g)) {
    literal(text.slice(state.end, index));
    state.end = index + source.length;
    const part = body === undefined ? ESCAPED : referenceOf(body, brace, source);
    if (typeof part === 'string') return { ok: false, problem: part };
    parts.push(part);
  }
  literal(text.slice(state.end));
  return { ok: true, parts };
}

const ESCAPED: TemplatePart = { kind: 'text', text: '${' };

/** Whether a text holds anything but literal text. */
export function isLiteral(parts: readonly TemplatePart[]): boolean {
  return parts.every((part) => part.kind === 'text');
}

/** All references in the texts of a value, in order. */
export function referencesIn(value: unknown): Reference[] {
  return textsOf(value).flatMap((text) => {
    const template = parseTemplate(text);
    return template.ok ? template.parts.flatMap((part) => (part.kind === 'text' ? [] : [part])) : [];
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('${') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function referenceOf(body: string, brace: string | undefined, source: string): Reference | string {
  if (brace === '') return 'The reference has no closing brace.';
  const colon = body.indexOf(':');
  const kind = body.slice(0, Math.max(0, colon));
  const rest = body.slice(colon + 1);
  if (kind === 'env') return parseEnv(rest, source);
  if (kind === 'file') return rest === '' ? 'The reference names no file.' : { kind, name: rest, source };
  if (kind === 'value') {
    return /^[A-Za-z0-9_-]+$/.test(rest)
      ? { kind, name: rest, source }
      : 'The reference has no valid name of a value.';
  }
  return 'This is not a known kind of reference.';
}

function parseEnv(rest: string, source: string): Reference | string {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/.exec(rest);
  if (match?.[1] === undefined) return 'The reference has no valid name of an environment variable.';
  const fallback = match[2];
  // The first closing brace ends a reference: what a brace opens inside of it would be torn apart, its end left as text.
  if (fallback?.includes('${') === true) return 'A fallback cannot hold a reference.';
  if (fallback?.includes('{') === true)
    return 'A fallback ends at the first closing brace, so it cannot hold braces.';
  return { kind: 'env', name: match[1], source, ...(fallback === undefined ? {} : { fallback }) };
}
