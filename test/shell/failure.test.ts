import { expect, test } from 'vitest';
import { systemReason } from '../../src/shell/failure.ts';

/** What Node says of a certificate (X509_V_ERR_…), and of TLS. */
const TLS = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'CERT_SIGNATURE_FAILURE',
  'CRL_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'INVALID_PURPOSE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'HOSTNAME_MISMATCH',
  'UNSPECIFIED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

const OTHERS = [
  'OUT_OF_MEM',
  'EPROTO',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_OSSL_EVP_UNSUPPORTED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'UND_ERR_DESTROYED',
  'EHOSTUNREACH',
  'ENOMEM',
  'ERR_INVALID_URL',
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
