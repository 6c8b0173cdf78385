import { recordOf } from '../model/json.ts';
import { present } from '../model/present.ts';
import { hide, type Secret } from '../model/secret.ts';
import { SERVER_LIMITS } from './limits.ts';

/** The result of a login or refresh. */
export interface LoginResult {
  readonly token: Secret<string>;
  /** When the token expires, in seconds since the Unix epoch; absent where the server does not say. */
  readonly expiresAt?: number;
}

/** Decodes the token payload. The expiration time may be in `data`, beside it, or in `meta`: no document says where. */
export function decodeLogin(body: unknown): LoginResult | undefined {
  const document = recordOf(body);
  const data = recordOf(document['data']);
  const attributes = recordOf(data['attributes']);
  const token = data['token'] ?? attributes['token'];
  if (typeof token !== 'string' || token === '' || token.length > SERVER_LIMITS.token) return undefined;
  const places = [data, attributes, document, recordOf(document['meta'])];
  const times = places.flatMap((place) => EXPIRATION.map((name) => secondsOf(place[name])));
  const expiresAt = times.find((time) => Number.isFinite(time) && time > 0);
  return { token: hide(token), ...present({ expiresAt }) };
}

/** A number, also as text. */
function secondsOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

const EXPIRATION = ['expiration_time', 'expiration-time', 'expirationTime'];
