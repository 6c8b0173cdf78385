// The whole of setpoint in one go: starts the sandbox on a free port, then validates, plans, applies and plans again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CLI = resolve('dist/cli.cjs');
const FOLDER = mkdtempSync(join(tmpdir(), 'setpoint-demo-'));
const CREDENTIALS = {
  SETPOINT_USERNAME: 'admin',
  SETPOINT_PASSWORD: 'admin',
  SETPOINT_THREATLOOKUP_KEY: 'demo-key-of-nobody',
};

process.exitCode = await demo().catch((error) => {
  console.error(error.message);
  return 1;
});

async function demo() {
  const sandbox = start(['sandbox', '--port', '0'], 'pipe');
  try {
    const url = await addressOf(sandbox);
    console.log(
      `$ setpoint sandbox &\n# listens on ${url}; this is the service to rehearse against\n`,
    );
    for (const [name, value] of Object.entries(CREDENTIALS))
      console.log(`$ export ${name}=${value}`);
    console.log();
    copyFileSync(
      'examples/minimal/integrations.yaml',
      join(FOLDER, 'integrations.yaml'),
    );
    console.log('$ cp examples/minimal/integrations.yaml .\n');
    const target = ['-f', 'integrations.yaml', '--url', url];
    await step(['validate', 'integrations.yaml']);
    await step(['plan', ...target]);
    await step(['apply', ...target, '--yes']);
    await step(['plan', ...target, '--exit-code']);
    console.log('The second plan is empty: the server is as the YAML says.');
    return 0;
  } finally {
    await stop(sandbox);
    rmSync(FOLDER, { recursive: true });
  }
}

/** Runs one command as a person would type it; anything but exit code 0 ends the demo. */
async function step(args) {
  console.log(`$ setpoint ${args.join(' ')}`);
  const [code] = await once(start(args, 'inherit'), 'close');
  console.log();
  if (code !== 0) throw new Error(`setpoint ${args[0]} ended with ${code}.`);
}

function start(args, stdio) {
  return spawn(process.execPath, [CLI, ...args], {
    cwd: FOLDER,
    env: { ...process.env, ...CREDENTIALS },
    stdio: ['ignore', stdio, stdio === 'pipe' ? 'ignore' : 'inherit'],
  });
}

async function addressOf(sandbox) {
  for await (const line of createInterface({ input: sandbox.stdout })) {
    const address = /http:\/\/\S+/.exec(line);
    if (address !== null) return address[0];
  }
  throw new Error('The sandbox did not start.');
}

async function stop(child) {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}
