// The least that reads a configuration: parses each YAML file of a folder with the library alone, and keeps the trees.
// `bare-parse.mjs FOLDER`
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

const [folder] = process.argv.slice(2);
const documents = readdirSync(folder).map((name) =>
  parseDocument(readFileSync(join(folder, name), 'utf8')),
);
const broken = documents.filter(({ errors }) => errors.length > 0);
if (documents.length === 0 || broken.length > 0) process.exit(1);
