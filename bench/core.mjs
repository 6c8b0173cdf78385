import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { module } from './bundled.mjs';

/** The steps of the core, and the figure that each is compared with. */
const STEPS = {
  parse: [
    'parse the YAML, with schema and rules',
    'yaml',
    'the yaml library alone',
  ],
  decode: ['decode pages', 'json', '`JSON.parse` of them'],
  match: ['match'],
  diff: ['diff'],
  plan: ['plan, diff included'],
  text: ['mask and render as text'],
  'json report': ['mask and render as JSON'],
};

/** What each step of the core takes for an option: rows of the table. */
export async function core(folder, { coreSize, coreRounds }) {
  const figures = await printed('core-figures.mjs', folder, [
    coreSize,
    coreRounds,
  ]);
  return Object.entries(STEPS).map(([step, [name, reference, against]]) => ({
    ...{
      part: 'core',
      name,
      unit: 'ns per option',
      own: { wall: figures[step] },
    },
    ...(against === undefined
      ? {}
      : { against, reference: { wall: figures[reference] } }),
  }));
}

/** What hostile configuration takes: rows of the table. */
export async function hostile(folder, { coreRounds }) {
  const figures = await printed('hostile-figures.mjs', folder, [coreRounds]);
  return Object.entries(figures).map(([name, own]) => ({
    part: 'hostile',
    name,
    unit: 'ms',
    own,
  }));
}

async function printed(name, folder, args) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    await module(name, folder),
    ...args.map(String),
  ]);
  return JSON.parse(stdout);
}
