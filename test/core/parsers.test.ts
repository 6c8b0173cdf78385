import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled } from '../support/child-process.ts';
import { PARSERS } from '../support/parsers.ts';
import { seeds } from '../support/soak.ts';

const CHILD = fileURLToPath(new URL('../support/parsers-child.ts', import.meta.url));

const INPUTS = seeds(30, 1_000);
const SEED = Number(process.env['SETPOINT_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const shared = { folder: '', child: '' };
beforeAll(async () => {
  shared.folder = await mkdtemp(join(tmpdir(), 'setpoint-parsers-'));
  shared.child = await bundled(CHILD, shared.folder);
}, 30_000);
afterAll(() => rm(shared.folder, { recursive: true, force: true }));

test.each(Object.keys(PARSERS))(`${INPUTS} hostile inputs in 256 MiB: %s (seed ${SEED})`, async (name) => {
  const args = ['--max-old-space-size=256', shared.child, name, String(INPUTS), String(SEED)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  expect(JSON.parse(stdout)).toEqual([]);
});
