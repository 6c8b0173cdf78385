import { recordOf } from '../model/json.ts';

/** The result of a login or refresh. */
export interface LoginResult {
  readonly token: string;
  /** When the token expires, in seconds since the Unix epoch; absent where the server does not say. */
  readonly expiresAt?: number;
}

/** Decodes the token payload. The expiration time may be in `data`, beside it, or in `meta`: no document says where. */
export function decodeLogin(body: unknown): LoginResult | undefined {
  const document = recordOf(body);
  const data = recordOf(document['data']);
  const attributes = recordOf(data['attributes']);
  const token = data['token'] ?? attributes['token'];
  if (typeof token !== 'string' || token === '') return undefined;
  const places = [data, attributes, document, recordOf(document['meta'])];
  const times = places.flatMap((place) => EXPIRATION.map((name) => Number(place[name])));
  const expiresAt = times.find((time) => Number.isFinite(time) && time > 0);
  return expiresAt === undefined ? { token } : { token, expiresAt };
}

const EXPIRATION = ['expiration_time', 'expiration-time', 'expirationTime'];
