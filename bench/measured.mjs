// How things are measured: programs in processes of their own, medians of interleaved rounds.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { environment } from './world.mjs';

const USAGE = new URL('./usage.mjs', import.meta.url).href;
const SERVER = fileURLToPath(new URL('./static-server.mjs', import.meta.url));

/** Runs a program to its end; returns the milliseconds that it took. Throws with its stderr where it fails. */
export async function timed(
  program,
  args,
  env,
  stdio = [],
  { cwd, codes = [0] } = {},
) {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe', ...stdio],
  });
  const [said, used] = [[], []];
  child.stderr.on('data', (data) => said.push(data));
  child.stdio[3]?.on('data', (data) => used.push(data));
  const ended = { wall: 0 };
  child.once('exit', () => {
    ended.wall = performance.now() - started;
  });
  const [code] = await once(child, 'close');
  if (!codes.includes(code))
    throw new Error(
      `${program} ${args.join(' ')} ended with ${code}: ${said.join('')}`,
    );
  return { ...ended, used: used.join('') };
}

/** What a program in the background says first through an emitter. Throws where it ends before. */
export async function firstOf(child, emitter, event) {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  });
  try {
    return await Promise.race([
      once(emitter, event, { signal: ended.signal }),
      exit,
    ]);
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

/** Runs a Node program; returns its wall time and CPU in milliseconds, and its peak of memory in MiB. */
export async function ran(args, env, how) {
  const { wall, used } = await timed(
    process.execPath,
    ['--import', USAGE, ...args],
    env,
    ['pipe'],
    how,
  );
  return { wall, ...JSON.parse(used) };
}

/** The median of each figure of each task; the tasks take turns, so that the load of the machine falls on all of them. */
export async function interleaved(tasks, rounds, warmUps = 0) {
  const taken = Object.fromEntries(
    Object.keys(tasks).map((name) => [name, []]),
  );
  for (let round = -warmUps; round < rounds; round += 1)
    for (const [name, task] of Object.entries(tasks)) {
      const figures = await task();
      if (round >= 0) taken[name].push(figures);
    }
  return Object.fromEntries(
    Object.entries(taken).map(([name, all]) => [name, medians(all)]),
  );
}

/** The milliseconds of a function in this process. */
export function clocked(work) {
  return () => {
    const started = performance.now();
    work();
    return { wall: performance.now() - started };
  };
}

function medians(all) {
  return Object.fromEntries(
    Object.keys(all[0]).map((figure) => [
      figure,
      median(all.map((each) => each[figure])),
    ]),
  );
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Serves `count` integrations while `work` runs; `reset(every)` makes them differ and returns the requests since the last. */
export async function served(count, work, servers = 1) {
  const child = fork(SERVER, [String(count), String(servers)], {
    env: { PATH: process.env.PATH },
  });
  try {
    const [{ url, urls }] = await firstOf(child, child, 'message');
    const reset = async (every, delay) => {
      child.send({ every, delay });
      const [requests] = await firstOf(child, child, 'message');
      return requests;
    };
    return await work({ env: environment(url), urls, reset });
  } finally {
    if (child.connected) {
      child.disconnect();
      await once(child, 'exit');
    }
  }
}
