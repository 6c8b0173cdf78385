import { expect } from 'vitest';
import type { Planted } from './canary.ts';
import { FORMS } from './secret-forms.ts';

/** What goes around a secret in the texts of a hostile server. A part of it shows that a text was shown. */
export const AROUND = ['SAID-', '-END'] as const;

/** Fails where a text holds a secret in any form, eight characters in a row of it, or what was said around a short one. */
export function expectHidden(secret: string, texts: string, told: string): void {
  const squeezed = texts.replace(/\s+/g, '');
  const has = (text: string) => texts.includes(text) || squeezed.includes(text.replace(/\s+/g, ''));
  if (secret.trim().length < 4) {
    expect(texts.includes('☂') || texts.includes('SAID-'), `${told}\n${texts}`).toBe(false);
    return;
  }
  const shown = Object.entries(FORMS).flatMap(([name, form]) => (has(form(secret)) ? [name] : []));
  expect(shown, `${told}\n${secret}\n${texts}`).toEqual([]);
  const bare = secret.replace(/-----[^\n]*-----/g, '');
  const parts = Array.from({ length: Math.max(0, bare.length - 7) }, (_, at) => bare.slice(at, at + 8));
  const found = parts.filter((part) => /^\S.*\S$/s.test(part) && !part.includes('https') && has(part));
  expect(found.slice(0, 3), `${told}\n${secret}\n${texts}`).toEqual([]);
}

const MASK = /^::add-mask::.*\n/gm;

/** What a run printed to stderr beside its orders to a runner. */
export function withoutMasks(stderr: string): string {
  return stderr.replace(MASK, '');
}

/**
 * Fails unless runners, and nobody else, are told to mask what comes from outside before anything else is printed. Returns
 * whether they were.
 */
export function expectMaskedFirst(
  secret: string,
  { given }: Planted,
  isRunner: boolean,
  stderr: string,
  told: string,
): boolean {
  if (!isRunner) expect(stderr, told).not.toContain('::add-mask::');
  const coded = secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const at = stderr.indexOf(`::add-mask::${coded}`);
  if (given === undefined || secret.trim().length < 4 || at < 0) return false;
  expect(withoutMasks(stderr.slice(0, at)), told).toBe('');
  return true;
}
