import { describe, expect, test } from 'vitest';
import { anyLeftover } from '../support/leftovers.ts';
import {
  configuration,
  installed,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import { codesOf, findingsOf, placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

const LEFTOVERS = seeds(80, 2_000);

const FORMS = ['env', 'file', 'literal'] as const;

/** The commands that get to know what references hold. */
const COMMANDS = [
  'plan',
  'apply --yes',
  'apply --yes --write-hidden all',
  'apply plan.json --yes',
  'accept --all --yes',
  'show vt',
] as const;

/** A server with a working key, and a folder whose YAML asks for another one. */
async function scene() {
  const definition = configuration(
    option('apiKey', 'password', 'a-working-key'),
    option('note', 'text', 'as it was'),
  );
  const { url, exchanges } = await liveSandbox(
    await installed({ vt: definition }),
  );
  const cwd = await tempFolder({ '.git/HEAD': '' });
  const attempt = (line: string, env: Readonly<Record<string, string>> = {}) =>
    run(`${line} -f a.yaml --url ${url}`, { cwd, env: { ...ADMIN, ...env } });
  const patches = () =>
    exchanges.filter(({ method }) => method === 'PATCH').length;
  return { cwd, url, exchanges, attempt, patches };
}

const yamlOf = (value: string) =>
  `version: 1\nintegrations:\n  vt:\n    options:\n      note: ${value}\n      apiKey: "\${env:SETPOINT_KEY}"\n`;

test(`of ${LEFTOVERS} random leftovers none is sent, and no byte of one is printed`, async () => {
  const { cwd, attempt, patches } = await scene();
  await writeFiles(cwd, { 'a.yaml': yamlOf('"${env:SETPOINT_NOTE}"') });
  const good = { SETPOINT_KEY: 'a-key-of-today', SETPOINT_NOTE: 'as it is' };
  const saved = await attempt('plan --report json=plan.json', good);
  expect(saved.code).toBe(0);
  for (let seed = 0; seed < LEFTOVERS; seed += 1) {
    const draw = seeded(seed);
    const form = draw.pick(FORMS);
    const { text, mark } = anyLeftover(draw, form !== 'literal');
    const literal = JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');
    const yamls = {
      env: yamlOf('"${env:SETPOINT_NOTE}"'),
      file: yamlOf('"${file:k.pem}"'),
      literal: yamlOf('same').replace('"${env:SETPOINT_KEY}"', () => literal),
    };
    await writeFiles(cwd, { 'a.yaml': yamls[form], 'k.pem': text });
    const env = form === 'env' ? { ...good, SETPOINT_NOTE: text } : good;
    const command = draw.pick(COMMANDS);
    const told = `seed ${seed}: ${command}, ${form}`;
    const result = await attempt(command, env);
    expect([result.code, patches()], told + result.screen).toEqual([3, 0]);
    expect(result.screen, told).toMatch(
      /error\[(placeholder|reference-typo)\]/,
    );
    expect(result.screen, told).not.toContain(mark);
    // The sentence of the finding names two of them, whichever it found.
    const others = result.screen
      .replace(/\s+/g, ' ')
      .replaceAll('null, undefined or the like', '');
    for (const word of ['***', '<no value>', 'undefined'])
      expect(others, told).not.toContain(word);
  }
});

describe('what a reference holds', () => {
  const KEY = 's3cret-key-of-today';
  const asked = yamlOf('same');
  test('is sent without its byte order mark and line end', async () => {
    const { cwd, attempt, exchanges } = await scene();
    await writeFiles(cwd, {
      'a.yaml': asked.replace('same', '"${file:note.txt}"'),
      'note.txt': '\ufeffof a file\r\n',
    });
    const env = { SETPOINT_KEY: `\ufeff${KEY}\n` };
    const applied = await attempt('apply --yes', env);
    expect(applied.code).toBe(0);
    const sent = JSON.stringify(
      exchanges.filter(({ method }) => method === 'PATCH'),
    );
    expect(sent).toContain(`"value":"${KEY}"`);
    expect(sent).toContain('"value":"of a file"');
  });
  test('is told in every command that has it, and stops none if it may be meant', async () => {
    const { cwd, attempt, patches } = await scene();
    await writeFiles(cwd, { 'a.yaml': asked });
    const env = { SETPOINT_KEY: `${KEY}\r` };
    for (const command of ['plan', 'show vt', 'apply --yes']) {
      const result = await attempt(`${command} --report json`, env);
      expect(result.code).toBe(0);
      expect(placesOf(result)).toEqual(['padded-text a.yaml:6:15']);
      expect(result.screen).not.toContain(KEY);
    }
    expect(patches()).toBe(1);
    const strict = await attempt('plan --strict', env);
    expect(strict.code).toBe(3);
  });
  test('is one finding, whatever number of integrations and servers use it', async () => {
    const definition = configuration(option('apiKey', 'password', 'old-key-1'));
    const names = Array.from({ length: 40 }, (_, index) => `vt${index}`);
    const fleet = Object.fromEntries(names.map((name) => [name, definition]));
    const { url } = await liveSandbox(await installed(fleet));
    const cwd = await tempFolder({
      '.git/HEAD': '',
      'setpoint.yaml': `version: 1\nservers:\n  one: { url: "${url}", config: [a.yaml] }\n  two: { url: "${url}/", config: [a.yaml] }\n`,
      'a.yaml': `version: 1\nvalues:\n  key: "\${env:SETPOINT_KEY}"\nintegrations:\n${names.map((name) => `  ${name}: { options: { apiKey: "\${value:key}" } }\n`).join('')}`,
    });
    const planned = (key: string) =>
      run(['plan', '--report', 'json'], {
        cwd,
        env: { ...ADMIN, SETPOINT_KEY: key },
      });
    const isAboutKeys = (place: string) => place.includes(' a.yaml:');
    const padded = placesOf(await planned(`${KEY} `)).filter(isAboutKeys);
    expect(padded).toEqual(['padded-text a.yaml:3:8']);
    const left = placesOf(await planned('$(TL_KEY)')).filter(isAboutKeys);
    expect(left).toEqual(['placeholder a.yaml:3:8']);
  });
  test('of an integration that is not selected is not looked at', async () => {
    const { cwd, attempt } = await scene();
    await writeFiles(cwd, {
      'a.yaml': `${asked}  other:\n    options: { apiKey: "\${env:SETPOINT_OTHER}" }\n`,
    });
    const env = { SETPOINT_KEY: KEY, SETPOINT_OTHER: '***' };
    const one = await attempt('plan --only vt --report json', env);
    expect([one.code, codesOf(one)]).toEqual([0, []]);
    const all = await attempt('plan --report json', env);
    expect([all.code, placesOf(all)]).toEqual([3, ['placeholder a.yaml:8:24']]);
  });
});

describe('a login', () => {
  const login = async (env: Readonly<Record<string, string>>) => {
    const { url, exchanges } = await liveSandbox();
    const cwd = await tempFolder({ padded: 'admin\r\n\n', empty: '\n' });
    const line = `list --url ${url} --report json`;
    return { result: await run(line, { cwd, env }), exchanges };
  };
  const file = (path: string) => {
    return { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD_FILE: path };
  };
  test.each<[string, Readonly<Record<string, string>>]>([
    ['password', { ...ADMIN, SETPOINT_PASSWORD: 'admin\r' }],
    ['name', { ...ADMIN, SETPOINT_USERNAME: 'admin ' }],
    ['token', { SETPOINT_TOKEN: 'a-token-of-today\n' }],
    ['file', file('padded')],
    ['file that is empty', file('empty')],
    ['variable of a pipeline', { SETPOINT_TOKEN: '$(SETPOINT_TOKEN)' }],
    ['mask', { ...ADMIN, SETPOINT_PASSWORD: '***' }],
  ])('is not tried with a %s that cannot be meant', async (what, env) => {
    const { result, exchanges } = await login(env);
    expect([result.code, codesOf(result)]).toEqual([3, ['usage']]);
    expect(exchanges).toEqual([]);
    const message = findingsOf(result)[0]?.message;
    if (what === 'password') expect(message).toContain('white space');
  });
});
