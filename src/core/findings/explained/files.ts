import type { Codes } from './codes.ts';
import { inFile, inShell, VALIDATE, withEntries, withOptions } from './example.ts';

/** What YAML itself does not allow, and what setpoint does not take of it. */
export const FILES = {
  'yaml-syntax': inFile(
    'The file breaks the rules of YAML, so nothing of it can be read. setpoint leaves out the whole file rather than guess what a part of it means. Often a quote or bracket is not closed, a text that holds a colon is not quoted, or a line is indented by a tab.',
    withOptions('url: "https://reputation.example.com'),
    withOptions('url: "https://reputation.example.com"'),
  ),
  'yaml-version': inFile(
    'The file begins with a %YAML line for a version other than 1.2. Versions read the same text differently: 1.1 takes yes, no and 0123 for something else than 1.2 does. setpoint reads YAML 1.2 alone, so that one text has one meaning.',
    '%YAML 1.1\n---\nversion: 1\nintegrations: {}\n',
    'version: 1\nintegrations: {}\n',
  ),
  'several-documents': inFile(
    'A line --- begins a second YAML document in the same file. Most tools read the first and silently drop the rest. setpoint refuses the file, so that no entry is forgotten.',
    `${withEntries('lookup: { autosubscribe: true }')}---\n${withEntries('desk: { autosubscribe: true }')}`,
    withEntries('lookup: { autosubscribe: true }\ndesk: { autosubscribe: true }'),
  ),
  'unknown-tag': inFile(
    'A word with an exclamation mark in front is a YAML tag, such as the !vault or !include of other tools. setpoint knows none of them and would lose what the tag means. Write a reference where a value comes from elsewhere.',
    withOptions('apiKey: !vault lookup/key'),
    withOptions('apiKey: ${env:SETPOINT_LOOKUP_KEY}'),
  ),
  'merge-key': inFile(
    'A merge key copies the keys of another map, and parsers differ in which of two equal keys wins. With defaults and layers a reader sees which one does.',
    withEntries('lookup: &lookup { autosubscribe: true }\ndesk: { <<: *lookup }'),
    withEntries('all: { match: "*", expect: any, autosubscribe: true }'),
  ),
  'duplicate-key': inFile(
    'One map holds the same key twice. Parsers drop one of the two without a word, and you would not know which. This often comes from a copied block or a merge of two branches.',
    withOptions('timeout: 30\ntimeout: 60'),
    withOptions('timeout: 60'),
  ),
  'non-string-key': inFile(
    'YAML reads this key as a number, a boolean, null, a list or a map. Keys of options are texts, and the same number can be written in several ways. Double braces without quotes are read as maps too.',
    withOptions('404: ignored'),
    withOptions('"404": ignored'),
  ),
  'empty-value': inFile(
    'There is nothing behind the colon or dash. YAML reads that as null, which would end the management of the field. setpoint asks instead, as it is more often a forgotten value or a wrong indentation.',
    withOptions('timeout:'),
    withOptions('timeout: 30'),
  ),
  'stray-character': inFile(
    'The file holds a character that YAML forbids, such as a control character, a stray byte order mark or a carriage return alone. It cannot be seen and would change the value. It usually comes with text that was copied from a terminal or a document.',
    withOptions('query: index=main\u0007'),
    withOptions('query: index=main'),
  ),
  'unsafe-integer': inFile(
    'The number lies beyond 2^53, where programs that use JSON round it. The server would get other digits than you wrote. As a text every digit is kept.',
    withOptions('tenant: 12345678901234567890'),
    withOptions('tenant: "12345678901234567890"'),
  ),
  'ambiguous-scalar': inFile(
    'Without quotes, YAML reads this text as a number, a boolean or null, and stores it in another form: 0123 becomes 123, 1.10 becomes 1.1, and the hash 5319e7 becomes a large number. setpoint refuses each value that would not come back as it was written.',
    withOptions('release: 1.10'),
    withOptions('release: "1.10"'),
  ),
  'too-complex': inShell(
    'The file has more pieces of YAML than setpoint reads of one file. The limit keeps a damaged or hostile file from holding up a pipeline. Real files come nowhere near it.',
    {
      situation: 'The list has 100,001 items.',
      yaml: withOptions('addresses: [a, a, a]'),
      commands: [VALIDATE],
    },
    { yaml: withOptions('addresses: [a, b, c]'), commands: [VALIDATE] },
  ),
  'too-deep': inFile(
    'Lists or maps lie inside each other for more than 64 levels. No option takes such a value, and reading it can exhaust the memory of a program. Look for a damaged or generated part.',
    withOptions(`timeout: ${'['.repeat(61)}\n${']'.repeat(61)}`),
    withOptions('timeout: 30'),
  ),
  'too-many-keys': inShell(
    'One map has more than 5,000 keys. The limit keeps a damaged or generated file from holding up a pipeline. Spread the keys over several files: they are read as one configuration.',
    {
      situation: 'It goes on to v5001.',
      yaml: 'version: 1\nvalues:\n  v1: one\n  v2: two\n',
      commands: [VALIDATE],
    },
    {
      yaml: `${withOptions('proxy: ${value:proxy}')}values: { proxy: "http://proxy.example.com:3128" }\n`,
      commands: [VALIDATE],
    },
  ),
  'too-many-aliases': inFile(
    'Aliases (*name) repeat what an anchor (&name) holds, and a few lines of them can stand for millions of values, or for one without end. setpoint stops before it fills the memory.',
    'version: 1\nvalues:\n  types: &types [ip, *types]\n',
    'version: 1\nvalues:\n  types: [ip, domain]\nintegrations:\n  lookup: { options: { types: "${value:types}" } }\n',
  ),
} satisfies Codes;
