import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

/** What a stranger puts into the folder of git, or into a commit, to start a program; `evil` is the program. */
const GIT_TRAPS = {
  'settings that name programs': async ({ git }, evil) => {
    const names =
      'core.fsmonitor core.sshCommand core.pager core.editor core.askPass core.gitProxy pager.cat-file pager.ls-tree ' +
      'pager.rev-parse diff.external diff.evil.textconv diff.evil.command filter.evil.smudge filter.evil.process ' +
      'gpg.program credential.helper uploadpack.packObjectsHook core.alternateRefsCommand';
    for (const name of names.split(' ')) git('config', name, evil);
    for (const name of ['alias.rev-parse', 'alias.cat-file'])
      git('config', name, `!${evil}`);
    git('config', 'log.showSignature', 'true');
  },
  'hooks in every place': async ({ root, git }, evil) => {
    const hooks =
      'post-checkout post-index-change reference-transaction pre-auto-gc fsmonitor-watchman';
    for (const name of hooks.split(' '))
      await copy(evil, join(root, '.git/hooks', name));
    git('config', 'core.hooksPath', join(root, '.git/hooks'));
  },
  'a missing object, to be fetched from a program': async (
    { root, git },
    evil,
  ) => {
    // Else the work tree has what the index calls unchanged.
    await writeFile(join(root, '.gitattributes'), '');
    git('config', 'core.repositoryFormatVersion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.url', `ext::${evil}`);
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.uploadpack', evil);
    git('config', 'remote.origin.vcs', 'evil');
    git('config', 'protocol.allow', 'always');
    git('config', 'protocol.ext.allow', 'always');
    git('config', 'protocol.file.allow', 'always');
    const id = git('rev-parse', 'HEAD:base/a.yaml').trim();
    await rm(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
  },
  'a replacement, a graft and other objects': async ({ root, git }) => {
    const harmless = git('rev-parse', 'HEAD:base/a.yaml').trim();
    const head = git('rev-parse', 'HEAD').trim();
    await writeFiles(root, {
      other: 'version: 1\nvalues: { x: canary-replaced }\n',
      '.git/info/grafts': `${head}\n`,
      '.git/objects/info/alternates': '/proc/self/root\n/dev/zero\n',
      // Else the work tree has what the index calls unchanged.
      '.gitattributes': '',
    });
    git('replace', harmless, git('hash-object', '-w', 'other').trim());
  },
  'names, links and submodules that lead elsewhere': async ({ root, git }) => {
    const blob = git('rev-parse', 'HEAD:base/a.yaml').trim();
    const fed = (input: string, ...args: readonly string[]) =>
      execFileSync('git', args, { cwd: root, input }).toString().trim();
    const link = (target: string) =>
      fed(target, 'hash-object', '-w', '--stdin');
    const lines = [
      `100644 blob ${blob}\t..`,
      `100644 blob ${blob}\t.git`,
      `100755 blob ${blob}\t--help.yaml`,
      `100644 blob ${blob}\t::error::named\u001b[31m.yaml`,
      `120000 blob ${link('/etc/passwd')}\tpasswd.yaml`,
      `120000 blob ${link('../.git/config')}\tconfig.yaml`,
      `120000 blob ${link('loop.yaml')}\tloop.yaml`,
      `120000 blob ${link('../../outside/secret.yaml')}\toutside.yaml`,
      `160000 commit ${git('rev-parse', 'HEAD').trim()}\tsub.yaml`,
    ];
    const tree = (all: readonly string[]) =>
      fed(all.map((line) => `${line}\0`).join(''), 'mktree', '-z');
    const whole = tree([
      `040000 tree ${tree(lines)}\tbase`,
      `100644 blob ${git('rev-parse', 'HEAD:setpoint.yaml').trim()}\tsetpoint.yaml`,
    ]);
    const commit = git('commit-tree', whole, '-m', 'x').trim();
    git('update-ref', 'refs/heads/main', commit);
  },
} as const satisfies Readonly<Record<string, Trap>>;

type Repository = Awaited<ReturnType<typeof gitRepository>>;

type Trap = (repository: Repository, evil: string) => Promise<void>;

/** A repository with two commits of a project, and one trap in it; its branch is `main`. */
async function trappedRepository(
  setpoint: string,
  trap: keyof typeof GIT_TRAPS,
  record: string,
) {
  const harmless =
    'version: 1\nintegrations:\n  a: { match: threat_lookup_*, options: { timeout: 5 } }\n';
  const repository = await gitRepository({
    'setpoint.yaml': setpoint,
    'base/a.yaml': harmless,
    '.gitattributes': '* filter=evil diff=evil\n',
  });
  const evil = join(repository.root, 'evil.sh');
  await writeFile(evil, `#!/bin/sh\necho started >> '${record}'\nexit 1\n`);
  await chmod(evil, 0o755);
  await mkdir(join(repository.root, 'bin'));
  for (const name of ['git', 'git-remote-ext', 'git-remote-evil', 'ssh', 'sh'])
    await copy(evil, join(repository.root, 'bin', name));
  await GIT_TRAPS[trap](repository, evil);
  return repository;
}

async function copy(program: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(program, path);
}

const TRAPS = Object.keys(GIT_TRAPS) as (keyof typeof GIT_TRAPS)[];

/** What commands end with, beside a trap. */
const CODES: Partial<Record<keyof typeof GIT_TRAPS, number>> = {
  'a missing object, to be fetched from a program': 3,
  'names, links and submodules that lead elsewhere': 3,
};

/** All that is in a folder, with sizes and times of writing. */
function filesIn(folder: string): string {
  return execFileSync('find', [folder, '-printf', '%p %s %T@\\n'], {
    encoding: 'utf8',
  });
}

describe('a repository of a stranger starts no program', () => {
  test.each(sampled(TRAPS, 2))('%s', async (trap) => {
    const { url } = await liveSandbox();
    const record = join(await tempFolder({ started: '' }), 'started');
    const setpoint = `version: 1\nservers:\n  a:\n    url: ${url}\n    config: [base/]\n`;
    const { root } = await trappedRepository(setpoint, trap, record);
    const before = filesIn(root);
    const env = {
      ...ADMIN,
      // The folder of the repository comes first, as for somebody who works in it.
      PATH: `${root}/bin:.:${process.env['PATH']}`,
      SETPOINT_CANARY: 'canary-secret',
      GIT_DIR: '/nowhere',
      GIT_EXTERNAL_DIFF: `${root}/evil.sh`,
      GIT_SSH_COMMAND: `${root}/evil.sh`,
    };
    for (const line of [
      'plan --base main',
      'plan --base main --write-hidden all',
      'apply --base main --yes',
      // A replaced object would make a difference.
      'diff main --exit-code',
      'diff main main --full',
      'diff main -f base',
    ]) {
      const { code, stdout, stderr } = await run(line, { cwd: root, env });
      expect(code, `${line}: ${stderr}`).toBe(CODES[trap] ?? 0);
      expect(stdout + stderr).not.toMatch(/canary|root:|[^\P{Cc}\n]|^\s*::/mu);
    }
    expect(await readFile(record, 'utf8')).toBe('');
    expect(filesIn(root)).toBe(before);
  });
  test('the trap of a missing object works where git is asked without care', async () => {
    const record = join(await tempFolder({ started: '' }), 'started');
    const trap = 'a missing object, to be fetched from a program';
    const { root } = await trappedRepository('version: 1\n', trap, record);
    const ask = () =>
      execFileSync('git', ['cat-file', '-p', 'HEAD:base/a.yaml'], {
        cwd: root,
        env: { PATH: `${root}/bin:${process.env['PATH']}` },
        stdio: 'ignore',
      });
    expect(ask).toThrow();
    expect(await readFile(record, 'utf8')).toContain('started');
  });
});
