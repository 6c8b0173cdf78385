/**
 * What a request is for, as far as it can be told from outside: `detail` is what is read of one integration, and a read
 * after the first PATCH is a reading back.
 */
export type RequestKind = KindOfApply | 'refresh' | 'other';

/** What an apply sends, whatever it changes. */
export type KindOfApply = (typeof REQUEST_KINDS)[number];

/** The kinds that an apply is made of, in their order. */
export const REQUEST_KINDS = [
  'login',
  'list page 1',
  'list page k',
  'detail',
  'errors',
  'patch options',
  'patch attributes',
  'read back',
  'logout',
] as const;

/** The kind of a request; `hasWritten` tells whether a PATCH came before. */
export function kindOf(method: string, url: string, hasWritten: boolean): RequestKind {
  const path = url.replace(/\?.*$/, '');
  const fixed = FIXED.get(`${method} ${path}`);
  if (fixed !== undefined) return fixed;
  if (method === 'PATCH') return 'patch attributes';
  if (method !== 'GET') return 'other';
  if (hasWritten) return 'read back';
  if (path === '/api/integrations') return url.includes('page[number]') ? 'list page k' : 'list page 1';
  return 'detail';
}

const FIXED: ReadonlyMap<string, RequestKind> = new Map([
  ['POST /api/users/login', 'login'],
  ['POST /api/users/logout', 'logout'],
  ['GET /api/users/refresh', 'refresh'],
  ['GET /api/integrations/errors', 'errors'],
  ['PATCH /api/integration-options', 'patch options'],
]);
