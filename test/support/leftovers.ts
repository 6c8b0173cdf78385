import type { Seeded } from './seeded.ts';

/** What tools leave in place of a secret, each with a part that no other text holds by chance. */
const LEFTOVERS: readonly ((mark: string) => string)[] = [
  (mark) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${mark}\nsize 1679\n`,
  (mark) => `ENC[AES256_GCM,data:${mark},iv:aXY=,tag:dGFn,type:str]`,
  (mark) =>
    `{\n\t"data": "ENC[AES256_GCM,data:${mark},iv:aXY=,tag:dGFn,type:str]",\n\t"sops": { "version": "3.9.0" }\n}\n`,
  (mark) =>
    `key: ENC[AES256_GCM,data:${mark},iv:aXY=,tag:dGFn,type:str]\nsops:\n    version: 3.9.0\n`,
  (mark) => `$ANSIBLE_VAULT;1.1;AES256\n${mark}\n`,
  (mark) =>
    `-----BEGIN AGE ENCRYPTED FILE-----\n${mark}\n-----END AGE ENCRYPTED FILE-----\n`,
  (mark) => `$(TL_${mark})`,
  (mark) => `%TL_${mark}%`,
  (mark) =>
    `-----BEGIN RSA PRIVATE KEY----- ${mark} -----END RSA PRIVATE KEY-----`,
  (mark) =>
    `-----BEGIN RSA PRIVATE KEY-----\\n${mark}\\n-----END RSA PRIVATE KEY-----\\n`,
  () => '***',
  () => '<no value>',
  () => 'undefined',
  () => 'null',
];

/** Those that YAML takes for a reference of its own, so that only a variable or a file can hold them. */
const OUTSIDE_ALONE: readonly ((mark: string) => string)[] = [
  (mark) => `\${TL_${mark}}`,
  (mark) => `\${{ secrets.TL_${mark} }}`,
  (mark) => `\${env:SETPOINT_${mark}}`,
  (mark) => `${mark}\ufffd`,
  (mark) => `op://vault/${mark}/password`,
];

/** What shells, editors and dotenv files put around a text. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => `${text}\n`,
  (text) => `\ufeff${text}\r\n`,
  (text) => ` ${text} `,
  (text) => `"${text}"`,
  (text) => `${text}\r`,
  (text) => `\u200b${text}`,
];

/** A random leftover, and the part of it that nothing may print, if it has one of its own. */
export function anyLeftover(
  { pick, random }: Seeded,
  isOutside: boolean,
): { readonly text: string; readonly mark: string } {
  const mark = Array.from({ length: 24 }, () => pick([...'ABCDEF0123456789']));
  const own = mark.join('');
  const all = isOutside ? [...LEFTOVERS, ...OUTSIDE_ALONE] : LEFTOVERS;
  const bare = pick(all)(own);
  const text = random() < 0.5 ? bare : pick(AROUND)(bare);
  return { text, mark: own };
}
