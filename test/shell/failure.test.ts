import { expect, test } from 'vitest';
import { systemReason } from '../../src/shell/failure.ts';

/** One of each form of what Node says of a certificate (X509_V_ERR_…). */
const TLS = [
  ...['UNABLE_TO_GET_CRL', 'CERT_SIGNATURE_FAILURE', 'CERT_HAS_EXPIRED'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ...['INVALID_CA', 'PATH_LENGTH_EXCEEDED', 'HOSTNAME_MISMATCH', 'UNSPECIFIED'],
];

const OTHERS = [
  ...['EPROTO', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'EHOSTUNREACH'],
  ...['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_SOCKET', 'ERR_INVALID_URL'],
];

const withCode = (code: string) => Object.assign(new Error('x'), { code });

test.each(TLS)('%s is worded as one of a certificate', (code) => {
  const reason = systemReason(withCode(code));
  expect(reason).toMatch(/certificate/);
  expect(reason).not.toMatch(/_|[A-Z]{4}/);
});

test.each(OTHERS)('%s is worded', (code) => {
  const reason = systemReason(withCode(code));
  expect(reason).toMatch(/^.{8,}$/);
  expect(reason).not.toMatch(/_|[A-Z]{4}/);
});

test('the lack of memory for the parser of HTTP is one of this machine', () => {
  const message = 'WebAssembly.Instance(): Out of memory: Cannot allocate';
  expect(systemReason(new RangeError(message))).toMatch(/this machine/);
});
