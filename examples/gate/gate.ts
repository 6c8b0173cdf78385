// A gate of your own: plans as `setpoint plan --live` does, and adds a rule of the team. Node 24 runs it as it is:
//
//   npm install --save-dev ./setpoint-0.1.0.tgz
//   setpoint snapshot --url https://integrations.example.com --out server.json
//   node gate.ts server.json integrations.yaml
import { readFile } from 'node:fs/promises';
import { decode, parse, plan, render } from 'setpoint';

const [snapshot = '', ...paths] = process.argv.slice(2);
const files = await Promise.all(
  paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
);
const server = decode(await readFile(snapshot, 'utf8'));
if ('problem' in server) throw new Error(server.problem);
const document = plan(parse([files]), server);

// The rule: a permission changes only if a comment says why.
const silent = document.servers
  .flatMap(({ integrations }) => integrations.flatMap(({ changes }) => changes))
  .filter(
    ({ address, comment }) =>
      address.endsWith('.permission') && comment === undefined,
  );
const own = silent.map(({ address, source }) => {
  const message = `${address} changes, and no comment says why.`;
  return {
    code: 'say-why',
    severity: 'error' as const,
    message,
    ...(source && { places: [source] }),
  };
});

const diagnostics = [...document.diagnostics, ...own];
process.stdout.write(await render({ ...document, diagnostics }, 'text'));
process.exitCode = diagnostics.some(({ severity }) => severity === 'error')
  ? 1
  : 0;
