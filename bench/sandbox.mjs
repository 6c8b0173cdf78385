// What the sandbox costs beside a bare node:http server that sends the same bytes: 10,000 integrations with 20 options
// each, list pages of 100 and PATCHes of one option. Writes bench/sandbox.md. Run: node bench/sandbox.mjs [SECONDS]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { build } from 'esbuild';

const INTEGRATIONS = 10_000;
const OPTIONS = 20;
const PAGE = 100;
const CONNECTIONS = 8;
const SECONDS = Number(process.argv[2] ?? 10);
const MEDIA_TYPE = 'application/vnd.api+json';
const BARE = '--bare';
const children = [];

if (process.argv[2] === BARE) await serveBare(process.argv[3]);
else await measure();

async function measure() {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-bench-'));
  try {
    const catalog = await writeCatalog(join(folder, 'catalog'));
    const bundle = await bundleSandbox(folder);
    const rows = [
      await measureSandbox('in memory', bundle, folder, [catalog]),
      await measureSandbox('with a data file', bundle, folder, [catalog, join(folder, 'data')]),
    ];
    await writeFile('bench/sandbox.md', report(rows));
    console.log(await readFile('bench/sandbox.md', 'utf8'));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

async function writeCatalog(folder) {
  await mkdir(folder);
  for (let index = 0; index < INTEGRATIONS; index += 1) {
    const options = Array.from({ length: OPTIONS }, (_, number) => ({
      key: `option${number}`,
      name: `Option ${number}`,
      description: `What option ${number} is for, in the words of its file.`,
      default: number % 2 === 0 ? `value ${number}` : number,
      type: number % 2 === 0 ? 'text' : 'number',
      userCanEdit: false,
      adminOnly: true,
    }));
    const configuration = {
      name: `Integration ${index}`,
      acronym: `I${index}`,
      entityTypes: ['IPv4'],
      options,
    };
    await writeFile(join(folder, `integration-${index}.json`), JSON.stringify(configuration));
  }
  return folder;
}

async function bundleSandbox(folder) {
  const outfile = join(folder, 'sandbox.mjs');
  const banner = {
    js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);const __filename='sandbox.mjs';",
  };
  const entryPoints = ['test/support/sandbox-child.ts'];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    banner,
  });
  return outfile;
}

async function measureSandbox(name, bundle, folder, args) {
  const started = performance.now();
  const sandbox = await startProcess([bundle, ...args]);
  const startMs = performance.now() - started;
  const headers = await authorized(sandbox.url);
  const atStart = await sandbox.memory();
  const list = await read(`${sandbox.url}/api/integrations?page[size]=${PAGE}`, headers);
  const ids = JSON.parse(list).data.map(({ id }) => id);
  const patch = patchOf(ids[0], 1);
  const patched = await read(`${sandbox.url}/api/integration-options`, headers, {
    method: 'PATCH',
    body: patch,
  });
  const own = await measureServer(sandbox.url, headers, ids);
  const peak = await sandbox.memory();
  await sandbox.end();
  const samples = join(folder, 'samples.json');
  await writeFile(samples, JSON.stringify({ list, patched }));
  const bare = await startProcess([process.argv[1], BARE, samples]);
  const reference = await measureServer(bare.url, headers, ids);
  const bareMemory = await bare.memory();
  await bare.end();
  return { name, startMs, listBytes: list.length, own, reference, atStart, peak, bareMemory };
}

async function measureServer(url, headers, ids) {
  const pages = INTEGRATIONS / PAGE;
  const lists = Array.from({ length: pages }, (_, index) => ({
    method: 'GET',
    path: `/api/integrations?page[size]=${PAGE}&page[number]=${index + 1}`,
  }));
  const patches = ids.map((id, index) => ({
    method: 'PATCH',
    path: '/api/integration-options',
    body: patchOf(id, index),
  }));
  return { list: await fire(url, headers, lists), patch: await fire(url, headers, patches) };
}

async function fire(url, headers, requests) {
  const run = async (duration) => autocannon({ url, connections: CONNECTIONS, duration, headers, requests });
  await run(1);
  const result = await run(SECONDS);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} failures`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

function patchOf(id, value) {
  return JSON.stringify({
    data: [{ id: `${id}-option1`, type: 'integration-options', attributes: { value } }],
  });
}

async function authorized(url) {
  const body = JSON.stringify({ identification: 'admin', password: 'admin' });
  const login = await read(
    `${url}/api/users/login`,
    { 'content-type': MEDIA_TYPE },
    { method: 'POST', body },
  );
  return { 'content-type': MEDIA_TYPE, authorization: `Bearer ${JSON.parse(login).data.token}` };
}

async function read(url, headers, init = {}) {
  const answer = await fetch(url, { headers, ...init });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** A child that tells its address in its first line; its memory is that of the process, in MiB, now and at most. */
async function startProcess(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return {
    url: String(line).trim(),
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const field = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
      return { now: field('VmRSS'), peak: field('VmHWM') };
    },
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The reference: reads the body and sends the bytes of one page, or of one changed option. */
async function serveBare(samples) {
  const { list, patched } = JSON.parse(await readFile(samples, 'utf8'));
  const answers = { GET: Buffer.from(list), PATCH: Buffer.from(patched) };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const body = answers[request.method];
      response.writeHead(200, { 'content-type': MEDIA_TYPE, 'content-length': body.length }).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}

function report(rows) {
  const line = ({ name, own, reference }, kind) =>
    `| ${kind === 'list' ? `list page of ${PAGE}` : 'PATCH of one option'}, ${name} | ${own[kind].perSecond.toFixed(0)} | ${reference[kind].perSecond.toFixed(0)} | ${(reference[kind].perSecond / own[kind].perSecond).toFixed(2)} | ${own[kind].p99} | ${reference[kind].p99} |`;
  const memory = ({ name, startMs, atStart, peak, bareMemory }) =>
    `| ${name} | ${(startMs / 1000).toFixed(1)} | ${atStart.now} | ${peak.peak} | ${bareMemory.peak} |`;
  return [
    '# The sandbox beside a bare server',
    '',
    `${INTEGRATIONS} integrations with ${OPTIONS} options each; a list page is ${(rows[0].listBytes / 1024).toFixed(0)} KiB. autocannon with`,
    `${CONNECTIONS} connections for ${SECONDS} s on loopback, Node ${process.versions.node}, ${cpus().length} cores that client and server share.`,
    'The bare server is node:http alone: it knows nothing, checks nothing and sends the same bytes.',
    '',
    '| requests | sandbox, per second | bare, per second | ratio | sandbox p99, ms | bare p99, ms |',
    '|---|---|---|---|---|---|',
    ...rows.flatMap((row) => [line(row, 'list'), line(row, 'patch')]),
    '',
    '| state | start, s | memory at start, MiB | memory at most, MiB | bare at most, MiB |',
    '|---|---|---|---|---|',
    ...rows.map(memory),
    '',
  ].join('\n');
}
