import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const FOLDER = 'test/core/report/golden';

/**
 * Compares a text with the golden one. UPDATE_GOLDEN=1 writes it anew; the
 * difference is then to be read.
 */
export function expectGolden(name: string, fresh: string): void {
  const path = `${FOLDER}/${name}`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, fresh);
  else expect(fresh).toBe(readFileSync(path, 'utf8'));
}
