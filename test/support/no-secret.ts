import { expect } from 'vitest';
import type { Planted } from './canary.ts';
import { FORMS } from './secret-forms.ts';

/** What goes around a secret in the texts of a hostile server. */
export const AROUND = ['SAID-', '-END'] as const;

/** Fails if a text holds a secret in any encoding that the masker knows. */
export function expectHidden(secret: string, texts: string, told: string): void {
  const squeezed = texts.replace(/\s+/g, '');
  const has = (text: string) => texts.includes(text) || squeezed.includes(text.replace(/\s+/g, ''));
  const shown = Object.entries(FORMS).flatMap(([name, form]) => (has(form(secret)) ? [name] : []));
  expect(shown, `${told}\n${secret}\n${texts}`).toEqual([]);
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
  if (given === undefined || at < 0) return false;
  expect(withoutMasks(stderr.slice(0, at)), told).toBe('');
  return true;
}
