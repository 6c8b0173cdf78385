import type { Severity } from '../../findings/entry.ts';
import { count, cut } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan-document.ts';
import {
  commandData,
  forLog,
  forXml,
  jsonDocument,
  visible,
} from '../escape.ts';
import { type Remark, remarksOf } from './remarks.ts';

/** GitHub's words for how severe a remark is. */
const COMMANDS = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
} as const satisfies Record<Severity, string>;

/** GitHub's runner shows so many annotations of a level in a step. */
const SHOWN_AT_MOST = 10;

/** The most characters of the message of an annotation. */
const LONGEST_MESSAGE = 500;

/**
 * Annotations of GitHub's runner, the most severe first, and a count of those
 * that it would drop of a level. Ends with a newline unless it is empty.
 */
export function renderGithub(document: Document): string {
  const byLevel = grouped(remarksOf(document), ({ level }) => level);
  const lines: string[] = [];
  for (const [level, own] of byLevel) {
    lines.push(...own.slice(0, SHOWN_AT_MOST).map(annotation));
    const left = own.length - SHOWN_AT_MOST;
    if (left <= 0) continue;
    const more = count(left, `more ${COMMANDS[level]}`);
    lines.push(`${more} without an annotation.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function annotation({ level, code, title, text, place }: Remark): string {
  const properties = [`title=${property(`${title} (${code})`)}`];
  if (place !== undefined) {
    const { file, line, column } = place;
    properties.unshift(`file=${property(file)},line=${line},col=${column}`);
  }
  const data = commandData(cut(visible(text), '', LONGEST_MESSAGE));
  return `::${COMMANDS[level]} ${properties.join(',')}::${data}`;
}

function property(text: string): string {
  return commandData(visible(text))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}

/** GitLab's words for how severe a remark is. */
const WEIGHTS = {
  error: 'critical',
  warning: 'major',
  note: 'info',
} as const satisfies Record<Severity, string>;

/** The place of remarks that have none: GitLab asks for a path. */
const NOWHERE = { file: 'setpoint.yaml', line: 1 };

/** The report of GitLab's Code Quality. */
export function renderGitlab(document: Document): string {
  const issues = remarksOf(document).map((remark) => {
    const { level, code, title, text, place = NOWHERE, identity } = remark;
    const path = place.file.replace(/^\.\//, '');
    return {
      description: `${title}: ${text}`,
      check_name: code,
      fingerprint: identity,
      severity: WEIGHTS[level],
      location: { path, lines: { begin: place.line } },
    };
  });
  return jsonDocument(issues);
}

/** A test of JUnit for each remark. */
export function renderJunit(document: Document): string {
  const remarks = remarksOf(document);
  const tests = remarks.map(({ code, text, place, isWrong }) => {
    const subject = `classname="${forXml(code)}" name="${forXml(text)}"`;
    const where = place && ` file="${forXml(place.file)}" line="${place.line}"`;
    const failure = isWrong ? `<failure message="${forXml(text)}"/>` : '';
    return `  <testcase ${subject}${where ?? ''}>${failure}</testcase>`;
  });
  // Readers take a report without a test for a broken one.
  if (tests.length === 0) {
    tests.push('  <testcase classname="setpoint" name="nothing found"/>');
  }
  const failures = remarks.filter(({ isWrong }) => isWrong).length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="setpoint ${document.command}" tests="${tests.length}" failures="${failures}" errors="0">`,
    ...tests,
    '</testsuite>',
  ];
  return `${forLog(lines.join('\n'))}\n`;
}

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** One run of SARIF 2.1.0: its rules are the codes of its remarks. */
export function renderSarif(document: Document): string {
  const rules = new Map<string, object>();
  const results = remarksOf(document).map((remark) => {
    const { code, level, title, text, place, identity } = remark;
    rules.set(code, { id: code, shortDescription: { text: plainText(title) } });
    return {
      ruleId: code,
      level,
      message: { text: plainText(text) },
      locations: place && [locationOf(place)],
      partialFingerprints: { 'setpoint/v1': identity },
    };
  });
  const run = {
    tool: { driver: { ...document.tool, rules: [...rules.values()] } },
    columnKind: 'utf16CodeUnits',
    results,
  };
  return jsonDocument({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

/** A plain message: it has no placeholder and no link. */
function plainText(text: string): string {
  return visible(text)
    .replaceAll('{', '{{')
    .replaceAll('}', '}}')
    .replaceAll('](', '] (');
}

/** A place by a relative reference, or by that of a file if it is absolute. */
function locationOf({ file, line, column }: Place): object {
  // What lies outside of the repository is relative to no root of sources.
  const isOutside = /^(\.\.)?\//.test(file);
  const uriBaseId = isOutside ? undefined : '%SRCROOT%';
  // Half a character has no encoding; it becomes the sign for that.
  const text = Buffer.from(file).toString();
  const path = encodeURI(text).replace(/[?#:]/g, encodeURIComponent);
  const uri = path.startsWith('/') ? `file://${path}` : path;
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId },
      region: { startLine: line, startColumn: column },
    },
  };
}
