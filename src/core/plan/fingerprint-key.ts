import { createHash, scryptSync } from 'node:crypto';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';

/** The shortest text that makes a key: a published plan must not show whether a guess of it is right. */
const SHORTEST_KEY = 16;

/** The variable of a key that does not hang on credentials. */
export const KEY_VARIABLE = 'SETPOINT_FINGERPRINT_KEY';

/** What is wrong with the text of the variable; undefined where it is empty or long enough. */
export function keyProblem(own: string): Diagnostic | undefined {
  if (own === '' || own.length >= SHORTEST_KEY) return undefined;
  return diagnostic('usage', {
    problem: `${KEY_VARIABLE} has fewer than ${SHORTEST_KEY} characters, so it could be guessed.`,
    hint: 'Make one with openssl rand -hex 32, and set the same where you plan and where you apply.',
  });
}

/**
 * The key of all fingerprints, derived on first use; undefined where the text could be guessed. An origin makes the key that
 * of one server.
 */
export function derivedKey(text: string, origin = ''): (() => Buffer) | undefined {
  if (text.length < SHORTEST_KEY) return undefined;
  const made: { key?: Buffer } = {};
  return () => {
    const salt = createHash('sha256').update(`setpoint fingerprint\0${origin}`);
    // A slow derivation, in case the text is a phrase.
    made.key ??= scryptSync(text, salt.digest(), 32);
    return made.key;
  };
}
