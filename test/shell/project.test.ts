import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import {
  findingsOf,
  outcomeOf,
  placesOf,
  serversOf,
} from '../support/report.ts';
import { ADMIN, type RunResult, type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const env = {
  ...ADMIN,
  SETPOINT_THREATLOOKUP_KEY: 'canary-lookup',
  SETPOINT_DETONATION_KEY: 'canary-detonation',
  SETPOINT_ASSETS_SECRET: 'canary-assets',
  SETPOINT_SERVER_STAGING_USERNAME: 'manager',
  SETPOINT_SERVER_STAGING_PASSWORD: 'manager',
};

/** The team's example on two sandboxes, the first behind a proxy if something goes wrong there. */
async function team(
  fault?: (seen: {
    readonly method: string;
    readonly path: string;
  }) => Fault | undefined,
) {
  const [staging, production] = [await liveSandbox(), await liveSandbox()];
  const { url } =
    fault === undefined ? staging : await faultyProxy(staging.url, fault);
  // The search for setpoint.yaml ends at `.git`.
  const cwd = await tempFolder({ '.git/HEAD': '' });
  await cp('examples/team', cwd, { recursive: true });
  const text = await readFile(join(cwd, 'setpoint.yaml'), 'utf8');
  const project = text
    .replace('https://integrations-staging.example.com', url)
    .replace('https://integrations.example.com', production.url);
  await writeFile(join(cwd, 'setpoint.yaml'), project);
  const setpoint = (args: readonly string[], wish: RunWish = {}) =>
    run([...args, '--report', 'json'], { cwd, env, ...wish });
  return { staging, production, cwd, setpoint };
}

/** The codes of what a run found, without notes: on a fresh server all secrets are empty, which is one. */
const codes = (result: RunResult) =>
  findingsOf(result).flatMap(({ code, severity }) =>
    severity === 'note' ? [] : [code],
  );
const names = (result: RunResult) => serversOf(result).map(({ name }) => name);
const patches = ({ exchanges }: LiveSandbox) =>
  exchanges.filter(({ method }) => method === 'PATCH').length;

describe('a project with several servers', () => {
  test('all are planned side by side and reported together, in the order of setpoint.yaml', async () => {
    const { staging, production, setpoint } = await team();
    const result = await setpoint(['plan']);
    expect([result.code, codes(result)]).toEqual([0, []]);
    const address = 'tickets.options.url.value';
    const urls = serversOf(result).map(({ name, integrations }) => {
      const changes = integrations.flatMap((each) => each.changes);
      return [name, changes.find((each) => each.address === address)?.after];
    });
    expect(urls).toEqual([
      ['staging', 'https://tickets.staging.example.com'],
      ['production', 'https://tickets.example.com'],
    ]);
    expect([staging, production].map(patches)).toEqual([0, 0]);
    // Each server gets its own account.
    const logins = [staging, production].map(
      ({ exchanges }) => exchanges[0]?.body,
    );
    expect(logins).toMatchObject([
      { identification: 'manager' },
      { identification: 'admin' },
    ]);
  });
  test('one question is asked for all; it is applied, verified, and then as desired', async () => {
    const { setpoint } = await team();
    const applied = await setpoint(['apply'], { answer: 'yes' });
    expect(applied.code).toBe(0);
    expect(applied.stderr.match(/Type yes/g)?.length).toBe(1);
    expect(applied.stderr).toContain(
      'Apply these changes to staging and production?',
    );
    expect(applied.stdout).not.toContain('canary-');
    expect((await setpoint(['plan', '--exit-code'])).code).toBe(0);
  });
  test.each([
    ['validate', ['production.yaml', 'staging.yaml']],
    ['validate --server staging', ['staging.yaml']],
    ['validate --server none', [undefined]],
    ['validate --server staging staging.yaml', [undefined]],
  ])('%s validates only these, also from below', async (line, files) => {
    const { cwd, setpoint } = await team();
    const below = { cwd: join(cwd, 'base') };
    expect((await setpoint(['validate'], below)).code).toBe(0);
    const wrong = 'version: 1\nintegrations: { x: { optons: {} } }\n';
    for (const name of ['production', 'staging'])
      await writeFile(join(cwd, `${name}.yaml`), wrong);
    const result = await setpoint(line.split(' '));
    expect(result.code).toBe(3);
    const found = findingsOf(result).map(({ places }) => places?.[0]?.file);
    expect(found).toEqual(files);
  });
  test.each([
    ['a name without its password', 'SETPOINT_SERVER_STAGING_PASSWORD'],
    ['a general name without its password', 'SETPOINT_PASSWORD'],
  ])(
    '%s is not completed from another account; nothing is sent',
    async (_, missing) => {
      const { staging, production, setpoint } = await team();
      const result = await setpoint(['plan'], {
        env: { ...env, [missing]: '' },
      });
      expect([result.code, codes(result)]).toEqual([3, ['no-credentials']]);
      expect(result.stdout).toContain(`${missing} is missing.`);
      expect([...staging.exchanges, ...production.exchanges]).toEqual([]);
    },
  );
});

describe('when one server fails', () => {
  test('the plan of the others is shown, and the failure with its name; an apply writes nothing anywhere', async () => {
    const { production, setpoint } = await team(({ path }) =>
      path === '/api/integrations' ? { status: 500 } : undefined,
    );
    const planned = await setpoint(['plan']);
    expect([planned.code, names(planned)]).toEqual([1, ['production']]);
    expect(findingsOf(planned)).toContainEqual(
      expect.objectContaining({ code: 'bad-answer', server: 'staging' }),
    );
    // What an apply would refuse, plan says too, with the flag that lifts it.
    expect(codes(planned)).toContain('not-attempted');
    const kept = findingsOf(planned).find(
      ({ code }) => code === 'not-attempted',
    );
    expect(kept?.message).toContain('staging');
    expect(kept?.hint).toContain('--keep-going');
    const applied = await setpoint(['apply', '--yes']);
    expect(applied.code).toBe(1);
    expect(codes(applied).sort()).toEqual(['bad-answer', 'not-attempted']);
    expect(patches(production)).toBe(0);
    const gone = await setpoint(['apply', '--yes', '--keep-going']);
    expect([gone.code, codes(gone)]).toEqual([5, ['bad-answer']]);
    expect(patches(production)).toBeGreaterThan(0);
    // With nothing to write elsewhere, nothing is kept back.
    const rest = await setpoint(['plan']);
    expect([rest.code, codes(rest)]).toEqual([1, ['bad-answer']]);
  });
  test('one whose writing throws stops the servers after it, too', async () => {
    const seen = { reads: 0 };
    const { staging, production, setpoint } = await team(({ path }) => {
      if (!path.startsWith('/api/integrations')) return undefined;
      seen.reads += 1;
      return seen.reads > 1 ? { status: 400 } : undefined;
    });
    // After the question both are read again.
    const result = await setpoint(['apply'], { answer: 'yes' });
    expect([result.code, codes(result)]).toEqual([
      5,
      ['bad-answer', 'not-attempted', 'not-attempted'],
    ]);
    expect([staging, production].map(patches)).toEqual([0, 0]);
    const outcomes = serversOf(result).flatMap(({ integrations }) =>
      integrations.flatMap((each) => outcomeOf(each) ?? []),
    );
    expect([...new Set(outcomes)]).toEqual(['not-attempted']);
  });
  test.each([
    ['failed', [], 0, 'not-attempted'],
    ['failed', ['--keep-going'], 1, 'verified'],
    ['unknown', [], 0, 'not-attempted'],
  ] as const)(
    'a first that ends as %s stops the servers after it: %j',
    async (end, flags, written, outcome) => {
      let isOver = false;
      const { production, setpoint } = await team(({ method }) => {
        const isWrite = method === 'PATCH';
        if (end === 'failed') return isWrite ? { status: 400 } : undefined;
        isOver ||= isWrite;
        return isOver ? 'reset' : undefined;
      });
      const result = await setpoint(['apply', '--yes', ...flags]);
      expect(result.code).toBe(5);
      expect(Math.sign(patches(production))).toEqual(written);
      const outcomes = serversOf(result).map(({ integrations }) =>
        integrations.flatMap((each) => outcomeOf(each) ?? []),
      );
      expect(outcomes.map((all) => [...new Set(all)])).toEqual([
        [end],
        [outcome],
      ]);
      const [, { integrations = [] } = {}] = serversOf(result);
      const kept =
        outcome === 'verified' ? undefined : 'a server before it failed';
      for (const { reason } of integrations.flatMap(({ changes }) => changes))
        expect(reason).toBe(kept);
    },
  );
  test('what the policy of the project calls an error cannot be accepted away', async () => {
    const { staging, production, cwd, setpoint } = await team();
    const project = join(cwd, 'setpoint.yaml');
    const text = await readFile(project, 'utf8');
    await writeFile(
      project,
      text.replace('subscribes-everyone: warn', 'subscribes-everyone: error'),
    );
    for (const accept of [[], ['--allow', 'subscribes-everyone']]) {
      const refused = await setpoint(['apply', '--yes', ...accept]);
      expect([refused.code, patches(staging), patches(production)]).toEqual([
        6, 0, 0,
      ]);
    }
  });
});

describe('files that servers share', () => {
  const project = (
    names: readonly string[],
    config: (name: string) => string,
  ) =>
    `version: 1\nservers:\n${names.map((name) => `  ${name}: { url: https://${name}.example.com, config: [${config(name)}] }\n`).join('')}`;

  test('are judged with the layers of each: what is wrong in them is told once, what else for each', async () => {
    const base =
      'version: 1\nvalues: { host: a.example }\nintegrations: { e: { options: { url: "htp://x" } } }\n';
    const own = (text: string) =>
      `version: 1\nintegrations: { e: { options: { k: ${text} } } }\n`;
    const layers = {
      a: 'base/, a.yaml',
      b: 'base/, b.yaml',
      c: 'gone/',
      d: 'gone/',
    };
    const files = {
      'setpoint.yaml': project(
        Object.keys(layers),
        (name) => layers[name as keyof typeof layers],
      ),
      'base/a.yaml': base,
      'a.yaml': own('"${value:host}"'),
      'b.yaml': own('"${value:hots}"'),
    };
    const cwd = await tempFolder(files);
    expect(placesOf(await run('validate --report json', { cwd }))).toEqual([
      'reference-missing b.yaml:2:36',
      'file-unreadable setpoint.yaml:5:45',
      'file-unreadable setpoint.yaml:6:45',
    ]);
    await symlink('nowhere', join(cwd, 'base/b.yaml'));
    const unreadable = [3, 4, 5, 6].map(
      (line) => `file-unreadable setpoint.yaml:${line}:45`,
    );
    const found = placesOf(await run('validate --report json', { cwd }));
    const ofFiles = found.filter((each) => each.startsWith('file-unreadable'));
    expect(ofFiles.sort()).toEqual(unreadable);
  });
  test('are confined where a folder is named, also if a flag names one of them too', async () => {
    const outside = await tempFolder({ 'a.yaml': 'version: 1\n' });
    const cwd = await tempFolder({
      '.git/HEAD': '',
      'base/a.yaml': 'version: 1\n',
    });
    await symlink(join(outside, 'a.yaml'), join(cwd, 'base/b.yaml'));
    for (const layers of [
      ['base/b.yaml', 'base'],
      ['base', 'base/b.yaml'],
    ])
      expect(await run(['validate', ...layers], { cwd })).toMatchObject({
        code: 3,
      });
  });
});
