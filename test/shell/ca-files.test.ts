import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const CUT = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n');
const NO_TEXT = 'it is not UTF-8 text';

test.each([
  ['DER, as on Windows', Buffer.from([0x30, 0x82, 0x03, 0xff]), NO_TEXT],
  ['UTF-16', Buffer.from('\ufeff-----BEGIN', 'utf16le'), NO_TEXT],
  ['an empty file', Buffer.of(), 'it holds no certificate in PEM form'],
  ['one that is cut', CUT, 'a certificate in it is damaged'],
])(
  'a file of certificates in %s is refused with what writes PEM',
  async (_, bytes, reason) => {
    const cwd = await tempFolder();
    await writeFile(join(cwd, 'ca.cer'), bytes);
    const target = '--url https://127.0.0.1:1 --ca-file ca.cer';
    const result = await run(`list ${target} --report json`, { cwd });
    expect(result.code).toBe(3);
    const [finding] = findingsOf(result);
    expect(finding?.message).toBe(`Cannot read ca.cer: ${reason}.`);
    expect(finding?.hint).toContain('openssl x509 -inform der');
  },
);
