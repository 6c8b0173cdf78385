// The core alone, bundled and run in a process of its own: prints the nanoseconds that each step takes for an option, with all
// options managed and every second one different. `core-figures.mjs INTEGRATIONS ROUNDS`

import { parseDocument } from 'yaml';
import { parseConfig } from '../src/core/config/config.ts';
import { resolveConfig } from '../src/core/config/resolve.ts';
import { decodeIntegrations } from '../src/core/live/integration.ts';
import { matchEntries } from '../src/core/match/match.ts';
import { compareIntegration } from '../src/core/plan/compare.ts';
import { planServer } from '../src/core/plan/plan-server.ts';
import { documentOf } from '../src/core/report/document.ts';
import { rendererOf } from '../src/core/report/formats.ts';
import { masker } from '../src/core/report/mask.ts';
import { PLAIN } from '../src/core/report/report.ts';
import { clocked, interleaved } from './measured.mjs';
import { OPTIONS, PAGE, pageDocument } from './world.mjs';

const [count, rounds] = process.argv.slice(2).map(Number);
const VIEW = { paint: PLAIN, width: 80 };

const documents = Array.from({ length: Math.ceil(count / PAGE) }, (_, page) =>
  pageDocument(count, page + 1),
);
const texts = documents.map((document) => JSON.stringify(document));
const files = documents.map((document, page) => ({
  path: `page-${page}.yaml`,
  text: yamlOf(document),
}));
const passwords = documents.flatMap(({ included }) =>
  included.flatMap(({ attributes: { type, value } }) =>
    type === 'password' ? [value] : [],
  ),
);

const live = decode();
const byId = new Map(live.map((each) => [each.id, each]));
const config = resolveConfig(parse());
const desired = match().integrations;
const { plan: planned } = plan();

const renderers = {
  text: await rendererOf('text'),
  json: await rendererOf('json'),
};

interleaved(
  {
    yaml: clocked(() => files.map(({ text }) => parseDocument(text))),
    parse: clocked(parse),
    json: clocked(() => texts.map((text) => JSON.parse(text))),
    decode: clocked(decode),
    match: clocked(match),
    diff: clocked(compare),
    plan: clocked(plan),
    text: clocked(() => render('text')),
    'json report': clocked(() => render('json')),
  },
  rounds,
  2,
).then((medians) => {
  const perOption = Object.entries(medians).map(([name, { wall }]) => [
    name,
    (wall * 1e6) / (count * OPTIONS),
  ]);
  process.stdout.write(JSON.stringify(Object.fromEntries(perOption)));
});

/** An entry for each integration that asks for its values as they are, but for every second one. */
function yamlOf({ data, included }) {
  const options = included.map(({ attributes: { key, value } }, index) => {
    const other = typeof value === 'number' ? value + 1 : `${value}x`;
    return `      ${key}: ${JSON.stringify(index % 2 === 0 ? value : other)}\n`;
  });
  const entries = data.map(({ id }, index) => {
    const own = options.slice(index * OPTIONS, (index + 1) * OPTIONS).join('');
    return `  ${id}:\n    options:\n${own}`;
  });
  return `version: 1\nintegrations:\n${entries.join('')}`;
}

function parse() {
  const { value, hidden } = parseConfig([files]);
  // A password in clear is a finding, not a reason to leave the file out.
  if (value === undefined)
    throw new Error(`not valid: ${[...hidden.keys()].join(', ')}`);
  return value;
}

function decode() {
  return documents.flatMap((document) => decodeIntegrations(document).items);
}

function match() {
  return matchEntries(config, live);
}

function compare() {
  return desired.map((each) => compareIntegration(each, byId.get(each.id)));
}

function plan() {
  const server = { name: 'bench', url: 'http://127.0.0.1' };
  return planServer({ server, desired, live, reads: 1 });
}

function render(format) {
  const document = documentOf({
    command: 'plan',
    servers: [planned],
    isComplete: true,
    findings: [],
  });
  return renderers[format](masker(passwords).data(document), VIEW);
}
