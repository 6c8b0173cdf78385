import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultyProxy } from './fault-proxy.ts';
import type { Fault } from './faults.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';
import {
  type LiveSandbox,
  type LiveWish,
  liveSandbox,
} from './live-sandbox.ts';
import { PROGRAM } from './program.ts';
import { logIn } from './sandbox.ts';
import { tempFolder, writePrograms } from './temp.ts';

/** Texts by their names. */
export type Values = Readonly<Record<string, string>>;

/** Where `git push` of a job leads, instead of to the remote of the team. */
export const FORGE = 'https://forge.example/team/config';

/** A clone of the repository of examples/team, its bare remote, and a sandbox for each server. */
export interface Team extends GitRepository {
  readonly remote: string;
  readonly staging: LiveSandbox;
  readonly production: LiveSandbox;
  /** Programs of all jobs, and a way from the address of the forge to the remote. */
  readonly base: Values;
  readonly origins: string;
  /** The secrets of each environment. */
  readonly secrets: Readonly<Record<string, Values>>;
  /** Commits files on a branch and pushes it; returns the id of the commit. */
  readonly push: (
    files: Readonly<Record<string, string>>,
    branch?: string,
  ) => Promise<string>;
  /** The commit of a branch of the remote. */
  readonly remoteCommit: (branch: string) => string;
  /** Servers that were written to since the last call. */
  readonly written: () => string[];
  /** Puts another key into the environments of both servers. */
  readonly rotate: (key: string) => void;
  /** Has the PATCHes of staging refused from now on, or no longer. */
  readonly refuse: (isRefused: boolean) => void;
}

/** Pushes the files of examples/team, for sandboxes; `wish` is about staging. */
export async function team(wish: LiveWish = {}): Promise<Team> {
  const staging = await liveSandbox(wish);
  const production = await liveSandbox();
  const faults = { isRefused: false };
  const proxy = await faultyProxy(staging.url, ({ method }) => {
    const refusal: Fault = { status: 422, body: '{"errors":[]}' };
    return method === 'PATCH' && faults.isRefused ? refusal : undefined;
  });
  const root = await tempFolder();
  await cp('examples/team', root, { recursive: true });
  const project = await readFile(join(root, 'setpoint.yaml'), 'utf8');
  const repository = await gitRepository(
    {
      'setpoint.yaml': project
        .replace('https://integrations-staging.example.com', proxy.url)
        .replace('https://integrations.example.com', production.url),
    },
    root,
  );
  const { git, commit } = repository;
  const remote = await tempFolder();
  git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  // Stands for a protected branch.
  git('-C', remote, 'config', 'receive.denyNonFastForwards', 'true');
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', 'origin', 'main');
  const bin = await tempFolder();
  await writePrograms(bin, {
    setpoint: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
  });
  const tokens = {
    staging: await logIn(staging.url, 'admin'),
    production: await logIn(production.url, 'admin'),
  };
  const keys = {
    SETPOINT_THREATLOOKUP_KEY: 'k-0123456789',
    SETPOINT_DETONATION_KEY: 'd-0123456789',
  };
  const secrets: Record<string, Values> = {
    setpoint: {
      SETPOINT_SERVER_STAGING_TOKEN: tokens.staging,
      SETPOINT_SERVER_PRODUCTION_TOKEN: tokens.production,
    },
    'setpoint-staging': { SETPOINT_TOKEN: tokens.staging, ...keys },
    'setpoint-production': {
      SETPOINT_TOKEN: tokens.production,
      ...keys,
      SETPOINT_ASSETS_SECRET: 'a-0123456789',
    },
  };
  return {
    ...repository,
    remote,
    staging,
    production,
    origins: `${proxy.url},${production.url}`,
    base: {
      PATH: `${bin}:${process.env['PATH']}`,
      CI: 'true',
      GIT_CONFIG_GLOBAL: '/nowhere/gitconfig',
    },
    secrets,
    rotate: (key) => {
      for (const name of ['setpoint-staging', 'setpoint-production'])
        secrets[name] = { ...secrets[name], SETPOINT_THREATLOOKUP_KEY: key };
    },
    push: async (files, branch = 'main') => {
      git('checkout', '--quiet', '-B', branch);
      const id = await commit(files);
      git('push', '--quiet', 'origin', branch);
      return id;
    },
    remoteCommit: (branch) => git('-C', remote, 'rev-parse', branch).trim(),
    written: () => {
      const names: string[] = [];
      for (const [name, sandbox] of Object.entries({ staging, production })) {
        const hasPatch = sandbox.seen().some((line) => /^PATCH /.test(line));
        if (hasPatch) names.push(name);
      }
      return names;
    },
    refuse: (isRefused) => {
      faults.isRefused = isRefused;
    },
  };
}
