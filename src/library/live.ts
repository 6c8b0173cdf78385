import { type Checked, type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { decodeIntegrations, decodeOptions } from '../core/live/integration.ts';
import { joinPages } from '../core/live/pages.ts';
import { completed, eachOnce, missingParts, type Wanted } from '../core/live/sources.ts';
import { listOf, ownValue, recordOf } from '../core/model/json.ts';
import type { LiveIntegration } from '../core/model/live.ts';

/** The answers of one server, as parsed JSON:API documents. */
export interface LiveDocuments {
  /**
   * `GET /api/integrations?page[size]=100`, all of its pages in any order where they have numbers. Where the server tells
   * neither a total nor that no page follows, a page of the size that it names, else of 100, is not taken for the last.
   */
  readonly integrations: readonly unknown[];
  /** `GET /api/integrations/ID`, by id: for servers whose list does not have the values of options. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** `GET /api/integration-options?filter[integration.id]=ID`, all pages by id: for servers that have values only there. */
  readonly options?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

/** A document that a plan needs and was not given. */
export interface LackingDocument {
  readonly of: 'details' | 'options';
  /** The id of the integration. */
  readonly id: string;
}

/** What is live as the documents have it, and what they lack or hold that cannot be used, by integration. */
interface LiveState {
  readonly live: readonly LiveIntegration[];
  readonly lacking: readonly LackingDocument[];
  readonly unread: ReadonlyMap<string, Diagnostic>;
}

/** The installed integrations with what the list has of them. A list that is not whole is an error. */
export function listedIn({ integrations }: LiveDocuments): Checked<readonly LiveIntegration[]> {
  const pages = integrations.map((body) => decodeIntegrations(body));
  const broken = pages.find((page) => typeof page === 'string');
  if (broken !== undefined) return { diagnostics: [unusable(LIST_PATH, broken)] };
  const joined = joinPages(pages.filter((page) => typeof page !== 'string'));
  return typeof joined === 'string'
    ? { diagnostics: [diagnostic('incomplete-read', { list: 'integrations', problem: joined })] }
    : { value: joined, diagnostics: [] };
}

/** The listed integrations, each wanted one completed by its other documents. */
export function completedBy(
  documents: LiveDocuments,
  listed: readonly LiveIntegration[],
  wanted: readonly Wanted[],
): LiveState {
  const live = new Map(listed.map((each) => [each.id, each]));
  const unread = new Map<string, Diagnostic>();
  const lacking: LackingDocument[] = [];
  for (const own of eachOnce(wanted)) {
    const found = completedOne(documents, own, live.get(own.id));
    if (found === undefined) continue;
    if ('of' in found) lacking.push(found);
    if ('options' in found) live.set(own.id, found);
    else unread.set(own.id, 'of' in found ? lackingDocument(own.id, PATHS[found.of](own.id)) : found);
  }
  return { live: [...live.values()], lacking, unread };
}

const LIST_PATH = '/api/integrations';

const PATHS = {
  details: (id: string) => `${LIST_PATH}/${encodeURIComponent(id)}`,
  options: (id: string) => `/api/integration-options?filter[integration.id]=${encodeURIComponent(id)}`,
};

function completedOne(
  { details = {}, options = {} }: LiveDocuments,
  own: Wanted,
  listed: LiveIntegration | undefined,
): LiveIntegration | LackingDocument | Diagnostic | undefined {
  const { id } = own;
  if (listed === undefined || missingParts(own, listed) === 0) return listed;
  const given = ownValue(details, id);
  if (given === undefined) return { of: 'details', id };
  const detail = decodeIntegrations(given);
  if (typeof detail === 'string') return unusable(PATHS.details(id), detail);
  const [found] = detail.items;
  if (found?.id !== id) return unusable(PATHS.details(id), 'it is about another integration');
  const live = completed(listed, found);
  if (missingParts(own, live) === 0) return live;
  const pages = ownValue<readonly unknown[]>(options, id);
  if (pages === undefined) return { of: 'options', id };
  const more = decodeOptions(
    id,
    pages.flatMap((page) => listOf(recordOf(page)['data'])),
  );
  return typeof more === 'string' ? unusable(PATHS.options(id), more) : completed(live, more);
}

function unusable(path: string, problem: string): Diagnostic {
  return diagnostic('bad-answer', { request: `GET ${path}`, problem });
}

function lackingDocument(id: string, path: string) {
  const problem = `the given documents lack the options of ${id}`;
  return diagnostic('bad-answer', { problem, hint: `Give the answer to GET ${path} as well.` });
}
