import { createHash } from 'node:crypto';
import { SEVERITIES } from '../findings/entry.ts';
import { findingHelp } from '../findings/explain.ts';
import { count, cut, listed } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type ChangeDocument, type Document, OUTCOMES } from '../plan/plan.ts';
import { changeLines, fieldName, LABELS } from './change.ts';
import { findingsWithRefusals } from './document-findings.ts';
import {
  commandData,
  forLog,
  forXml,
  jsonDocument,
  visible,
} from './escape.ts';

/** The words of GitHub and GitLab for how severe a remark is. */
const COMMANDS = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
} as const;
const WEIGHTS = { error: 'critical', warning: 'major', note: 'info' } as const;

/** The runner of GitHub shows so many annotations of a level in a step, and drops the others. */
const SHOWN_AT_MOST = 10;

/** The most characters of the message of an annotation. */
const LONGEST_MESSAGE = 500;

/** The formats of pipelines. */
export const PIPELINES = {
  github: renderGithub,
  gitlab: renderGitlab,
  junit: renderJunit,
  sarif: renderSarif,
};

/** A finding or a change. The formats of pipelines are maps over remarks. */
type Remark = ReturnType<typeof findingRemark>;

/** All findings and changes of a document, the most severe first. */
function remarksOf(document: Document): Remark[] {
  const { servers, base, loosened = [] } = document;
  const all = [
    ...findingsWithRefusals(document).map(findingRemark),
    ...loosened.map((message) => ({
      ...findingRemark({ code: 'loosened', severity: 'warning', message }),
      title: 'setpoint.yaml is less strict',
    })),
    ...servers.flatMap(({ name: server, integrations }) =>
      integrations.flatMap(({ name: integration, changes }) =>
        changes.map((change) =>
          changeRemark(change, { server, integration, base }),
        ),
      ),
    ),
  ];
  const bySeverity = SEVERITIES.flatMap((level) =>
    all.filter((each) => each.level === level),
  );
  return [...grouped(bySeverity, ({ identity }) => identity)].flatMap(
    ([identity, same]) =>
      same.map((remark, number) => {
        const digest = createHash('sha256')
          .update(`${identity} ${number}`)
          .digest('hex');
        return { ...remark, identity: digest.slice(0, 32) };
      }),
  );
}

/** Lines and columns in a sentence. */
const POSITION = /:\d+(:\d+)?\b|\blines? \d+/g;

function findingRemark(found: Document['diagnostics'][number]) {
  const {
    code,
    severity: level,
    message,
    hint = '',
    server,
    integrations = [],
    places = [],
  } = found;
  const { file, line = 1, column = 1 } = found;
  const more = places.length - 1;
  const also =
    file === undefined || more < 1
      ? ''
      : `The same in ${count(more, 'more place')}.`;
  return {
    ...{ level, code, server },
    title: findingHelp(code)?.title ?? code,
    message: [message, also, hint].filter((text) => text !== '').join(' '),
    place: file === undefined ? undefined : { file, line, column },
    /** The integration, if it is about a single one. */
    integration: integrations.length === 1 ? integrations[0] : undefined,
    /** Whether its test fails. */
    isWrong: level === 'error',
    /** What a digest is made of that stays the same when lines move. */
    identity: JSON.stringify([
      code,
      server,
      file,
      message.replace(POSITION, ''),
    ]),
  };
}

/** What a change is in. */
interface ChangedPart {
  readonly server: string;
  readonly integration: string;
  /** What the run is compared with. */
  readonly base: Document['base'];
}

/** What moved on a server, or has a risk, is a warning until an apply is through with it. */
function changeRemark(
  change: ChangeDocument,
  { server, integration, base }: ChangedPart,
): Remark {
  const { address, label: code, risks, source: place, outcome } = change;
  const isDone = outcome !== undefined && OUTCOMES[outcome] === 'applied';
  const isMoved = code !== 'change' && !isDone;
  return {
    ...{ code, place, server, integration },
    level: isMoved || (risks.length > 0 && !isDone) ? 'warning' : 'note',
    title: base === undefined ? 'Differs from the server' : LABELS[code].title,
    message: `${fieldName(address, integration)}: ${changeText(change)}`,
    isWrong: isMoved || (outcome !== undefined && !isDone),
    identity: JSON.stringify([code, server, address]),
  };
}

/** A change in one line for a sink to escape. */
function changeText(change: ChangeDocument): string {
  const { before, after, base, notes } = changeLines(change);
  return [
    `${base === undefined ? '' : `base ${cut(base)}, live `}${cut(before, after)} -> ${cut(after, before)}`,
    ...(change.outcome === undefined ? [] : [`[${change.outcome}]`]),
    ...notes.map(({ mark, text }) => `${mark} ${text}`),
  ].join('  ');
}

/** Annotations of GitHub's runner, the most severe first, with a count of what it would drop of a level. */
function renderGithub(document: Document): string {
  const same = grouped(remarksOf(document), ({ level, code, place, message }) =>
    JSON.stringify([level, code, place, message]),
  );
  const lines = SEVERITIES.flatMap((level) => {
    const all = [...same.values()].filter(([first]) => first.level === level);
    const more = count(all.length - SHOWN_AT_MOST, `more ${COMMANDS[level]}`);
    const rest =
      all.length > SHOWN_AT_MOST ? [`${more} without an annotation.`] : [];
    return [...all.slice(0, SHOWN_AT_MOST).map(annotation), ...rest];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Remarks that say the same at one place, about several integrations or servers. */
function annotation(remarks: readonly [Remark, ...Remark[]]): string {
  const { level, code, title, place, message } = remarks[0];
  const names = listed([
    ...new Set(remarks.flatMap(({ integration }) => integration ?? [])),
  ]);
  const servers = listed([
    ...new Set(remarks.flatMap(({ server }) => server ?? [])),
  ]);
  const where =
    place &&
    `file=${annotationProperty(place.file)},line=${place.line},col=${place.column},`;
  const on = annotationProperty(
    `${title} (${code})${servers === '' ? '' : ` on ${servers}`}`,
  );
  const text = cut(
    visible(names === '' ? message : `${names}: ${message}`),
    '',
    LONGEST_MESSAGE,
  );
  return `::${COMMANDS[level]} ${where ?? ''}title=${on}::${commandData(text)}`;
}

function annotationProperty(text: string): string {
  return commandData(visible(text))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}

/** The report of GitLab's Code Quality. */
function renderGitlab(document: Document): string {
  return jsonDocument(
    remarksOf(document).map((remark) => {
      // GitLab asks for a path.
      const { file, line } = remark.place ?? { file: 'setpoint.yaml', line: 1 };
      return {
        description: `${remark.title}: ${remarkText(remark)}`,
        check_name: remark.code,
        fingerprint: remark.identity,
        severity: WEIGHTS[remark.level],
        location: { path: file.replace(/^\.\//, ''), lines: { begin: line } },
      };
    }),
  );
}

/** Who a remark is about, and what it says. */
function remarkText({ server, integration, message }: Remark): string {
  return [server, integration, message]
    .filter((part) => part !== undefined)
    .join(': ');
}

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** One run of SARIF 2.1.0: its rules are the codes of what it found. */
function renderSarif(document: Document): string {
  const remarks = remarksOf(document);
  const rules = new Map(
    remarks.map(({ code: id, title }) => [
      id,
      { id, shortDescription: { text: sarifText(title) } },
    ]),
  );
  const run = {
    tool: { driver: { ...document.tool, rules: [...rules.values()] } },
    columnKind: 'utf16CodeUnits',
    results: remarks.map((remark) => ({
      ruleId: remark.code,
      level: remark.level,
      message: { text: sarifText(remarkText(remark)) },
      ...(remark.place && {
        locations: [{ physicalLocation: locationOf(remark.place) }],
      }),
      partialFingerprints: { 'setpoint/v1': remark.identity },
    })),
  };
  return jsonDocument({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

/** A plain message: it has no placeholder and no link. */
function sarifText(text: string): string {
  return visible(text)
    .replaceAll('{', '{{')
    .replaceAll('}', '}}')
    .replaceAll('](', '] (');
}

/** A place by a relative reference of a URI, or by that of a file if its path is absolute. */
function locationOf({ file, line, column }: Place) {
  const path = encodeURI(Buffer.from(file).toString()).replace(
    /[?#:]/g,
    encodeURIComponent,
  );
  const uri = path.startsWith('/') ? `file://${path}` : path;
  // What lies outside of the repository is relative to no root of sources.
  const base = /^(\.\.)?\//.test(file) ? {} : { uriBaseId: '%SRCROOT%' };
  return {
    artifactLocation: { uri, ...base },
    region: { startLine: line, startColumn: column },
  };
}

/** A test for each integration of each server, and for each code about no single one. */
function renderJunit(document: Document): string {
  const { servers, command } = document;
  const general = (servers.length === 1 && servers[0]?.name) || 'setpoint';
  const key = (server: string, name: string) => JSON.stringify([server, name]);
  const remarks = grouped(remarksOf(document), (each) =>
    key(each.server ?? general, each.integration ?? each.code),
  );
  const installed = servers.flatMap((server) =>
    server.integrations.map(({ name }) => key(server.name, name)),
  );
  const keys = new Set([...installed, ...remarks.keys()]);
  // Readers take a report without a test for a broken one.
  if (keys.size === 0) keys.add(key(general, command));
  const tests = [...keys].map((each) =>
    testOf(JSON.parse(each), remarks.get(each) ?? []),
  );
  const failures = tests.filter((test) => test.includes('<failure ')).length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="setpoint ${command}" tests="${tests.length}" failures="${failures}" errors="0">`,
    ...tests,
    '</testsuite>',
  ];
  return `${forLog(lines.join('\n'))}\n`;
}

/** A test that fails if a remark is wrong, and prints the others. */
function testOf(
  [server = '', name = '']: readonly string[],
  remarks: readonly Remark[],
): string {
  const wrong = remarks.filter(({ isWrong }) => isWrong);
  const others = remarks.filter(({ isWrong }) => !isWrong);
  const [first] = [...wrong, ...others];
  const place =
    first?.place &&
    ` file="${forXml(first.place.file)}" line="${first.place.line}"`;
  const reason =
    first && `type="${forXml(first.code)}" message="${forXml(first.message)}"`;
  return [
    `  <testcase classname="${forXml(server)}" name="${forXml(name)}"${place ?? ''}>`,
    ...(wrong.length === 0
      ? []
      : [`    <failure ${reason}>${textOf(wrong)}</failure>`]),
    ...(others.length === 0
      ? []
      : [`    <system-out>${textOf(others)}</system-out>`]),
    '  </testcase>',
  ].join('\n');
}

function textOf(remarks: readonly Remark[]): string {
  const lines = remarks.map(({ level, code, message, place }) => {
    const at =
      place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;
    return forXml(`${at}${level} ${code}: ${message}`);
  });
  return lines.join('\n');
}
