import { getSystemErrorMap } from 'node:util';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../core/findings/diagnostic.ts';
import { didYouMean } from '../core/findings/words.ts';
import { isPlainKey } from '../core/model/secrecy.ts';

/**
 * Ends a command early with findings that say why. The only error thrown on
 * purpose outside of an exchange.
 */
export class Failure extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code }) => code).join(', '));
    this.name = 'Failure';
    this.diagnostics = diagnostics;
  }
}

/** Ends the command with these findings. */
export function fail(...diagnostics: readonly Diagnostic[]): never {
  throw new Failure(diagnostics);
}

/**
 * Ends the command because its command line is wrong. `problem` is a sentence
 * and repeats no value: it may be a secret.
 */
export function failUsage(problem: string, hint?: string): never {
  return fail(diagnostic('usage', { problem, hint }));
}

/**
 * Ends the command because a word is not known; it is named if it can be no
 * secret.
 */
export function failWord(
  problem: string,
  word: string,
  known: readonly string[],
  list: string,
): never {
  const hint = didYouMean(word, known) ?? `${list}: ${known.join(', ')}.`;
  const shown = isPlainKey(word) ? ` ${word}` : '';
  return failUsage(`${problem}${shown}.`, hint);
}

/**
 * Returns the findings of a failure. Throws anything else on: it is a defect.
 */
export function findingsOf(thrown: unknown): readonly Diagnostic[] {
  if (thrown instanceof Failure) return thrown.diagnostics;
  throw thrown;
}

/**
 * Waits for all promises, in order. Fails with the findings of all that failed,
 * each once.
 */
export async function allOrFail<T>(
  promises: readonly Promise<T>[],
): Promise<readonly T[]> {
  const values: T[] = [];
  const findings: Diagnostic[] = [];
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'fulfilled') values.push(result.value);
    else findings.push(...findingsOf(result.reason));
  }
  if (findings.length > 0) fail(...distinct(findings));
  return values;
}

/** Words a system error; never its code, stack or path. */
export function systemReason(thrown: unknown): string {
  const code = errorCode(thrown) ?? '';
  const ownWords = REASONS[code];
  if (ownWords !== undefined) return ownWords;
  for (const [name, words] of getSystemErrorMap().values()) {
    if (name === code) return words;
  }
  const words = code.replace(/^(?:UND_ERR|ERR(?:_SSL|_TLS)?)_/, '');
  const spoken = words.toLowerCase().replaceAll('_', ' ');
  if (/^ERR_(?:SSL|TLS|OSSL)_/.test(code)) return `TLS failed: ${spoken}`;
  if (CERTIFICATE_CODE.test(code))
    return `its certificate is refused: ${spoken}`;
  return spoken || 'the reason is unknown';
}

/** Matches what Node says of certificates that have no words of their own. */
const CERTIFICATE_CODE =
  /CERT|CRL|ISSUER|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** Returns the code of a system error, or of its cause. */
export function errorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  // What undici's parser throws has no code, nor has the lack of its memory.
  if (thrown.name === 'HTTPParserError') return thrown.name;
  if (/WebAssembly/.test(thrown.message)) return 'ENOMEM';
  if (thrown instanceof AggregateError) return errorCode(thrown.errors[0]);
  return errorCode(thrown.cause);
}

const NO_TLS = 'it does not speak TLS; check the port';
const NO_HTTP = 'it does not speak HTTP';
const CLOSED = 'the connection was closed without an answer';
const RESET = 'the connection was reset';

/**
 * Words for errors that the system words less well, or that are not its own.
 */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ERR_INVALID_ARG_VALUE: 'its name contains a character that no path can have',
  ECONNREFUSED:
    'the connection was refused; check that the server runs and the port is right',
  ECONNRESET: RESET,
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved right now',
  UND_ERR_INFO: RESET,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ENOMEM: 'this machine has too little memory for it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is unknown',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID:
    'its certificate is not valid yet, or the clock of this machine is wrong',
  UNSPECIFIED: 'its certificate is refused: its key or signature is too weak',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  HTTPParserError: NO_HTTP,
};
