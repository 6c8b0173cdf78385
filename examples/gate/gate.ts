// A gate of your own: plans as `setpoint plan` does, and adds a rule of the team. Node 24 runs it as it is:
//
//   npm install --save-dev ./setpoint-0.1.0.tgz
//   node gate.ts https://integrations.example.com integrations.yaml
import { readFile } from 'node:fs/promises';
import { decode, parse, plan, render } from 'setpoint';

const [url = '', ...paths] = process.argv.slice(2);
const files = await Promise.all(
  paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
);

/** All pages of the list by its total. If they fall short of it, or there is none and they may go on, `decode` says so. */
async function readPages(): Promise<unknown[]> {
  type Page = {
    data: unknown[];
    meta?: { page?: { number?: number; total?: number } };
  };
  const pages: Page[] = [];
  for (let count = 0, total = 1; count < total; ) {
    const number = (pages[0]?.meta?.page?.number ?? 1) + pages.length;
    const next = pages.length === 0 ? '' : `&page[number]=${number}`;
    const headers = {
      authorization: `Bearer ${process.env['SETPOINT_TOKEN']}`,
      'content-type': 'application/vnd.api+json',
    };
    const answer = await fetch(
      `${url}/api/integrations?page[size]=100${next}`,
      { headers },
    );
    if (answer.status !== 200)
      throw new Error(`The server answered with status ${answer.status}.`);
    const page = (await answer.json()) as Page;
    pages.push(page);
    if (page.data.length === 0) break;
    count += page.data.length;
    total = page.meta?.page?.total ?? 0;
  }
  return pages;
}

const config = parse([files]);
const live = decode(await readPages());
const document = plan({
  config,
  live,
  server: { name: 'gate', url },
  variables: process.env,
});

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
