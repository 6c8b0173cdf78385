import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import {
  configuration,
  installed,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import {
  addressesOf,
  codesOf,
  findingsOf,
  outcomesOf,
  placesOf,
  serversOf,
} from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';

const KEY = 'canary-of-the-first-key';
const TOKEN = 'canary-of-the-second-key';

const YAML = `version: 1
integrations:
  vt:
    options:
      apiKey: \${env:SETPOINT_KEY}
      token: { value: "\${env:SETPOINT_OTHER}", rotated: 2026-01-01 }
      limit: 7
`;

/** A repository for one server whose secrets are set, and a run there with these variables alone. */
async function scene(passwords: 'clear' | 'masked' = 'clear') {
  const sandbox = await liveSandbox({
    ...(await installed({
      vt: configuration(
        option('apiKey', 'password', 'old-one'),
        option('token', 'password', 'old-two'),
        option('limit', 'number', 5),
      ),
    })),
    settings: { passwords },
  });
  const repository = await gitRepository({
    'setpoint.yaml': `version: 1\nservers: { main: { url: "${sandbox.url}", config: [base/], secretsFile: main.env } }\n`,
    'base/vt.yaml': YAML,
    '.gitignore': '*.env\n',
  });
  const { root } = repository;
  const attempt = (line: string, variables: object = {}) => {
    const env = { ...ADMIN, PATH: process.env['PATH'] ?? '', ...variables };
    return run(`${line} --report json`, { cwd: root, env });
  };
  const write = (path: string, text: string) =>
    repository.write({ [path]: text });
  const patches = () =>
    sandbox.seen().filter((request) => request.startsWith('PATCH'));
  return { ...repository, sandbox, attempt, write, patches };
}

const BOTH = { SETPOINT_KEY: KEY, SETPOINT_OTHER: TOKEN };

describe('a plan without secrets', () => {
  test('compares what it can, and says once what it cannot', async () => {
    const { attempt } = await scene();
    const planned = await attempt('plan');
    expect(planned.code).toBe(0);
    expect(codesOf(planned)).toEqual(['reference-missing']);
    expect(addressesOf(planned)).toEqual(['vt.options.limit.value']);
    const [server] = serversOf(planned);
    expect(server?.summary).toMatchObject({ changes: 1, left: { unread: 2 } });
    const [note] = findingsOf(planned);
    expect(note).toMatchObject({
      severity: 'warning',
      message:
        '2 values were not compared: SETPOINT_KEY, SETPOINT_OTHER are not set.',
    });
    expect((await attempt('plan --strict')).code).toBe(3);
  });
  test('accept and show go on', async () => {
    const { attempt } = await scene();
    for (const line of ['accept vt.limit --yes', 'show vt'])
      expect((await attempt(line)).code).toBe(0);
  });
});

describe('an apply', () => {
  test('reports all that it lacks with places, before the first PATCH', async () => {
    const { attempt, patches } = await scene();
    const applied = await attempt('apply --yes');
    expect(applied.code).toBe(3);
    expect(codesOf(applied)).toEqual(['reference-missing']);
    expect(placesOf(applied)).toEqual(['reference-missing base/vt.yaml:5:15']);
    const [lacking] = findingsOf(applied);
    expect(lacking?.places?.map(({ line }) => line)).toEqual([5, 6]);
    expect(patches()).toEqual([]);
  });
  test('needs only what it compares or writes', async () => {
    const { attempt, patches } = await scene('masked');
    const applied = await attempt('apply --yes');
    expect(applied.code).toBe(0);
    expect(codesOf(applied)).toEqual([]);
    expect(outcomesOf(applied)).toEqual(['verified']);
    expect(patches()).toHaveLength(1);
    const hidden = await attempt('apply --yes --write-hidden all');
    expect([hidden.code, patches()]).toEqual([3, []]);
  });
});

describe('a saved plan', () => {
  test('needs no reference of what it leaves out, and counts no difference for it', async () => {
    const { attempt, write } = await scene();
    const planned = await attempt('plan');
    await write('plan.json', planned.stdout);
    const applied = await attempt('apply plan.json --yes');
    expect(applied.code).toBe(0);
    expect(codesOf(applied)).toEqual([]);
    expect(outcomesOf(applied)).toEqual(['verified']);
  });
});

describe('variables from files', () => {
  test('are those of the server first, then of flags, then of the environment', async () => {
    const { attempt, write, sandbox } = await scene();
    await setOption(sandbox.url, 'vt-apiKey', KEY);
    await write('main.env', `SETPOINT_KEY='${KEY}'\nSETPOINT_OTHER=\n`);
    const own = `SETPOINT_KEY=of-the-flag\nSETPOINT_OTHER='${TOKEN}'\n`;
    await write('flag.env', own);
    const line = 'apply --yes --secrets-file flag.env';
    const environment = { SETPOINT_KEY: 'x'.repeat(9), SETPOINT_OTHER: 'y' };
    const applied = await attempt(line, environment);
    expect([applied.code, outcomesOf(applied)]).toEqual([0, ['verified']]);
    const written = ['vt.options.limit.value', 'vt.options.token.value'];
    expect(addressesOf(applied)).toEqual(written);
    const again = await attempt('plan', BOTH);
    expect(again.code).toBe(0);
    expect(addressesOf(again)).toEqual([]);
    expect(codesOf(again)).toEqual([]);
    expect(applied.screen).not.toContain('canary');
  });
  test('have the login of a server too', async () => {
    const { attempt, write } = await scene();
    const login = ['USERNAME', 'PASSWORD'].map(
      (name) => `SETPOINT_SERVER_MAIN_${name}=admin\n`,
    );
    await write('main.env', login.join(''));
    const none = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '' };
    const planned = await attempt('plan', { ...BOTH, ...none });
    expect([planned.code, codesOf(planned)]).toEqual([0, []]);
  });
  test('are refused if git tracks the file of a server, before any request', async () => {
    const { attempt, write, git, sandbox } = await scene();
    await write('main.env', `SETPOINT_KEY=${KEY}\n`);
    await git('add', '--force', 'main.env');
    const planned = await attempt('plan');
    expect(planned.code).toBe(3);
    expect(codesOf(planned)).toEqual(['file-unreadable']);
    expect(placesOf(planned)).toEqual(['file-unreadable setpoint.yaml:2:81']);
    expect(sandbox.seen()).toEqual([]);
  });
  test('are refused with all lines of which anything would be lost, and no text of them', async () => {
    const { attempt, write, sandbox } = await scene();
    const broken = `A='b'\nSETPOINT_KEY=${KEY}#${TOKEN}\n${KEY}\nB="${TOKEN}\nC=d\n`;
    const lines = [2, 3, 4];
    await write('flag.env', broken);
    const ofFlag = await attempt('plan --secrets-file flag.env');
    const places = lines.map((line) => `file-unreadable flag.env:${line}:1`);
    expect([ofFlag.code, placesOf(ofFlag)]).toEqual([3, places]);
    await write('main.env', broken);
    const ofServer = await attempt('plan');
    const place = 'file-unreadable setpoint.yaml:2:';
    expect(ofServer.code).toBe(3);
    for (const [index, found] of placesOf(ofServer).entries()) {
      expect(found).toContain(place);
      const { message } = findingsOf(ofServer)[index] ?? {};
      expect(message).toContain(`main.env: line ${lines[index]} `);
    }
    expect(placesOf(ofServer)).toHaveLength(3);
    expect(ofFlag.screen + ofServer.screen).not.toContain('canary');
    expect(sandbox.seen()).toEqual([]);
  });
  test('are refused if the file of a flag is absent', async () => {
    const { attempt, sandbox } = await scene();
    const planned = await attempt('plan --secrets-file gone.env');
    expect([planned.code, codesOf(planned)]).toEqual([3, ['file-unreadable']]);
    expect(sandbox.seen()).toEqual([]);
  });
  test('are kept from references to files', async () => {
    const { attempt, write } = await scene();
    await write('main.env', `SETPOINT_KEY=${KEY}\n`);
    const yaml = YAML.replace('${env:SETPOINT_KEY}', '${file:main.env}');
    await write('base/vt.yaml', yaml);
    const planned = await attempt('plan');
    expect([planned.code, codesOf(planned)]).toEqual([3, ['file-unreadable']]);
    expect(planned.screen).not.toContain('canary');
  });
});
