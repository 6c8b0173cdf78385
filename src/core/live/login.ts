import { isRecord } from './resource.ts';

/** What a login or refresh gives. */
export interface LoginResult {
  readonly token: string;
  /** When the token expires, in seconds since the Unix epoch; absent where the server does not tell. */
  readonly expiresAt?: number;
}

/** Decodes the token payload. The document leaves open where `expiration_time` is: in `data`, beside it, or in `meta`. */
export function decodeLogin(body: unknown): LoginResult | undefined {
  const data = isRecord(body) && isRecord(body['data']) ? body['data'] : undefined;
  const attributes = isRecord(data?.['attributes']) ? data['attributes'] : undefined;
  const token = data?.['token'] ?? attributes?.['token'];
  if (typeof token !== 'string' || token === '') return undefined;
  const meta = isRecord(body) && isRecord(body['meta']) ? body['meta'] : undefined;
  const places = [data, attributes, isRecord(body) ? body : undefined, meta];
  const times = places.flatMap((place) => [
    place?.['expiration_time'],
    place?.['expiration-time'],
    place?.['expirationTime'],
  ]);
  const expiresAt = times.map(Number).find((time) => Number.isFinite(time) && time > 0);
  return expiresAt === undefined ? { token } : { token, expiresAt };
}
