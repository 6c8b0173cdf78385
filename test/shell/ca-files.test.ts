import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

test.each([
  ['DER, as on Windows', Buffer.from([0x30, 0x82, 0x03, 0xff])],
  ['UTF-16', Buffer.from('\ufeff-----BEGIN', 'utf16le')],
  ['an empty file', Buffer.of()],
  ['one that is cut', Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n')],
])(
  'a file of certificates in %s is refused with what writes PEM',
  async (_, bytes) => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, 'ca.cer'), bytes);
    const target = '--url https://127.0.0.1:1 --ca-file ca.cer';
    const result = await run(`list ${target} --report json`, { cwd });
    expect(result.code).toBe(3);
    const [finding] = findingsOf(result);
    expect(finding?.message).toContain('no certificate in PEM form');
    expect(finding?.hint).toContain('openssl x509 -inform der');
  },
);
