import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replayed } from './support/transcript.ts';

const FOLDER = 'test/transcripts';
const transcripts = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

test('there are transcripts', () => {
  expect(transcripts.length).toBeGreaterThan(2);
});

// UPDATE_TRANSCRIPTS=1 writes them anew; the difference is then to be read.
test.each(transcripts)('%s', async (name) => {
  const path = `${FOLDER}/${name}`;
  const written = readFileSync(path, 'utf8');
  const fresh = await replayed(written);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') writeFileSync(path, fresh);
  else expect(fresh).toBe(written);
});
