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
  const parts: TemplatePart[] = [];
  const pattern = /\$\$\{|\$\{([^}]*)(\}?)/g;
  const literal = (piece: string) => {
    if (piece !== '') parts.push({ kind: 'text', text: piece });
  };
  // Each match is taken in turn; what lies between two matches is literal.
  const end = [...text.matchAll(pattern)].reduce<number | string>((from, match) => {
    if (typeof from === 'string') return from;
    literal(text.slice(from, match.index));
    const to = match.index + match[0].length;
    if (match[1] === undefined) {
      literal('${');
      return to;
    }
    if (match[2] === '') return 'The reference has no closing brace.';
    const part = parseReference(match[1], match[0]);
    if (typeof part === 'string') return part;
    parts.push(part);
    return to;
  }, 0);
  if (typeof end === 'string') return { ok: false, problem: end };
  literal(text.slice(end));
  return { ok: true, parts };
}

/** Whether a text holds anything but literal text. */
export function isLiteral(parts: readonly TemplatePart[]): boolean {
  return parts.every((part) => part.kind === 'text');
}

function parseReference(body: string, source: string): Reference | string {
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
  return { kind: 'env', name: match[1], source, ...(fallback === undefined ? {} : { fallback }) };
}
