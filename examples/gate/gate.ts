// A gate of your own: plans as `setpoint plan` does, and adds a rule of the team. Node 24 runs it as it is:
//
//   npm install --save-dev setpoint
//   node gate.ts https://integrations.example.com integrations.yaml
import { readFile } from 'node:fs/promises';
import { type Diagnostic, parse, plan, render } from 'setpoint';

const [url = '', ...names] = process.argv.slice(2);
const files = await Promise.all(names.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
const { config, diagnostics } = parse(files);
if (config === undefined) {
  process.stdout.write(render({ diagnostics }, 'text'));
  process.exit(3);
}

/** What the server answers to a GET. */
async function read(path: string): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${process.env['SETPOINT_TOKEN']}`,
    'content-type': 'application/vnd.api+json',
  };
  const answer = await fetch(`${url}${path}`, { headers });
  if (answer.status !== 200) throw new Error(`GET ${path} was answered with status ${answer.status}.`);
  return answer.json();
}

/** All pages of a list by its total. Where they fall short of it, or there is none and they may go on, `plan` says so. */
async function readPages(path: string): Promise<unknown[]> {
  type Page = { data: unknown[]; meta?: { page?: { number?: number; total?: number } } };
  const first = (await read(path)) as Page;
  const { number = 1, total = 0 } = first.meta?.page ?? {};
  const pages = [first];
  for (let count = first.data.length; count < total; ) {
    const page = (await read(`${path}&page[number]=${number + pages.length}`)) as Page;
    pages.push(page);
    if (page.data.length === 0) break;
    count += page.data.length;
  }
  return pages;
}

const integrations = await readPages('/api/integrations?page[size]=100');
const details: Record<string, unknown> = {};
const options: Record<string, unknown[]> = {};
const live = { integrations, details, options };
const input = { config, server: { url }, live, environment: { variables: process.env } };
let planned = plan(input);
// Some servers have values only in the details or the options of an integration.
while (planned.lacking.length > 0) {
  for (const { of, id } of planned.lacking)
    if (of === 'details') details[id] = await read(`/api/integrations/${encodeURIComponent(id)}`);
    else
      options[id] = await readPages(
        `/api/integration-options?filter[integration.id]=${encodeURIComponent(id)}`,
      );
  planned = plan(input);
}

// The rule: a permission changes only where a comment says why.
const silent = (planned.plan?.integrations ?? [])
  .flatMap(({ changes }) => changes)
  .filter(({ address, comment }) => address.endsWith('.permission') && comment === undefined);
const own = silent.map(({ address, source: { file, line, column } }): Diagnostic => {
  const message = `${address} changes, and no comment says why.`;
  return { code: 'say-why', severity: 'error', message, file, line, column };
});

const report = { plans: [planned.plan], diagnostics: [...planned.diagnostics, ...own] };
process.stdout.write(render(report, 'text'));
process.exitCode = report.diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
