import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan.ts';
import { jsonDocument, visible } from '../escape.ts';
import { type Remark, remarksOf, remarkText } from './remarks.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** One run of SARIF 2.1.0: its rules are the codes of its remarks. */
export function renderSarif(document: Document): string {
  const remarks = remarksOf(document);
  const driver = { ...document.tool, rules: rulesOf(remarks) };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    results: remarks.map(resultOf),
  };
  return jsonDocument({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

/** The rules by their codes, which have the title of their last remark. */
function rulesOf(remarks: readonly Remark[]): object[] {
  const rules = remarks.map(({ code: id, title }) => {
    return [id, { id, shortDescription: { text: plainText(title) } }] as const;
  });
  return [...new Map(rules).values()];
}

function resultOf(remark: Remark): object {
  const { code, level, place, identity } = remark;
  return {
    ruleId: code,
    level,
    message: { text: plainText(remarkText(remark)) },
    locations: place && [locationOf(place)],
    partialFingerprints: { 'setpoint/v1': identity },
  };
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
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file), uriBaseId },
      region: { startLine: line, startColumn: column },
    },
  };
}

function uriOf(file: string): string {
  // Half a character has no encoding; it becomes the sign for that.
  const text = Buffer.from(file).toString();
  const path = encodeURI(text).replace(/[?#:]/g, encodeURIComponent);
  return path.startsWith('/') ? `file://${path}` : path;
}
