import { countOf, present, recordOf } from '../model/json.ts';
import { hide, type Secret } from '../model/secret.ts';

/** The result of a login or refresh. */
export interface LoginResult {
  readonly token: Secret<string>;
  /** When the token expires, in seconds since the Unix epoch; absent if the server does not say. */
  readonly expiresAt?: number;
}

/** Decodes the token payload. The API document leaves open whether the expiration time is in `data`, beside it, or in `meta`. */
export function decodeLogin(body: unknown): LoginResult | undefined {
  const document = recordOf(body);
  const data = recordOf(document['data']);
  const { token } = data;
  if (typeof token !== 'string' || token === '') return undefined;
  const times = [data, document, recordOf(document['meta'])].map((place) =>
    countOf(place['expiration_time']),
  );
  const expiresAt = times.find((time) => time !== undefined);
  return { token: hide(token), ...present({ expiresAt }) };
}
