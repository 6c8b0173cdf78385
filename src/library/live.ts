import { type Checked, type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { decodeIntegrations, decodeOptions } from '../core/live/integration.ts';
import { isPaged, wholeList } from '../core/live/pages.ts';
import { decodeDocument, type Resource, type ResourceDocument } from '../core/live/resource.ts';
import {
  completed,
  eachOnce,
  lackingParts,
  type Part,
  type Wanted,
  withOptions,
} from '../core/live/sources.ts';
import { ownValue } from '../core/model/json.ts';
import type { LiveIntegration } from '../core/model/live.ts';
import { shownTraits, type Trait } from '../core/model/trait.ts';
import { anything, fields, list, optional, record } from './shape.ts';

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

/** The shape of the answers; what they hold is checked where they are decoded. */
export const liveShape = fields({
  integrations: list(anything),
  details: optional(record(anything)),
  options: optional(record(list(anything))),
});

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
  const { value: pages, diagnostics } = decodeAll(LIST_PATH, integrations);
  if (pages === undefined) return { diagnostics };
  const problem = wholeList(pages);
  return typeof problem === 'string'
    ? { diagnostics: [diagnostic('incomplete-read', { list: 'integrations', problem })] }
    : { value: pages.flatMap((page) => decodeIntegrations(page)), diagnostics: [] };
}

/** The listed integrations, each wanted one completed by its other documents. */
export function completedBy(
  documents: LiveDocuments,
  listed: readonly LiveIntegration[],
  wanted: readonly Wanted[],
): LiveState {
  const byId = new Map(listed.map((each) => [each.id, each]));
  const read = eachOnce(wanted).flatMap((own) => {
    const integration = byId.get(own.id);
    return integration === undefined ? [] : [completedOne(documents, own, integration)];
  });
  const known = new Set<Part | Trait>([...shownTraits(listed), ...partsNowhere(read)]);
  const asked = read.map((each) => ({ ...each, next: lacksAny(each, known) ? each.next : undefined }));
  const lacking = asked.flatMap(({ own: { id }, next }) => (next === undefined ? [] : [{ of: next, id }]));
  const problems = asked.flatMap(({ own: { id }, problem }) =>
    problem === undefined ? [] : [{ id, problem }],
  );
  const unread = new Map([
    ...lacking.map(
      ({ of, id }) => [id, diagnostic('document-missing', { id, path: PATHS[of](id) })] as const,
    ),
    ...problems.map(({ id, problem }) => [id, problem] as const),
  ]);
  const more = new Map(read.map(({ own, live }) => [own.id, live]));
  return { live: listed.map((each) => more.get(each.id) ?? each), lacking, unread };
}

/** A wanted integration, as far as its documents have it. */
interface Completed {
  readonly own: Wanted;
  readonly live: LiveIntegration;
  /** The first source whose document was not given. */
  readonly next: LackingDocument['of'] | undefined;
  /** What is wrong with one of its documents. */
  readonly problem: Diagnostic | undefined;
}

/** Parts that no document shows, and that one integration lacks in all of its documents: a server keeps them to itself. */
function partsNowhere(read: readonly Completed[]): readonly Part[] {
  const shown = shownTraits(read.map(({ live }) => live));
  const whole = read.filter(({ next, problem }) => next === undefined && problem === undefined);
  return (['secrets', 'flags'] as const).filter(
    (part) => !shown.has(part) && whole.some(({ own, live }) => lackingParts(own, live).has(part)),
  );
}

/** Whether an integration lacks what is wanted and may be found: what others of the list show it would show too. */
function lacksAny({ own, live, problem }: Completed, known: ReadonlySet<Part | Trait>): boolean {
  if (problem !== undefined) return false;
  return [...lackingParts(own, live)].some((part) => part === 'options' || !known.has(part));
}

const LIST_PATH = '/api/integrations';

/** Where a server may have what its list does not hold, in the order in which it is looked for. */
const SOURCES = ['details', 'options'] as const;

const PATHS = {
  details: (id: string) => `${LIST_PATH}/${encodeURIComponent(id)}`,
  options: (id: string) => `/api/integration-options?filter[integration.id]=${encodeURIComponent(id)}`,
};

function completedOne(documents: LiveDocuments, own: Wanted, listed: LiveIntegration): Completed {
  const { id } = own;
  const { details = {}, options = {} } = documents;
  const detail = [ownValue(details, id)].filter((each) => each !== undefined);
  const one = decodeAll(PATHS.details(id), detail);
  const all = decodeAll(PATHS.options(id), ownValue(options, id) ?? []);
  const [found] = one.value?.flatMap((document) => decodeIntegrations(document)) ?? [];
  const isForeign = detail.length > 0 && found?.id !== id;
  const foreign = isForeign ? [unusable(PATHS.details(id), 'it is about another integration')] : [];
  const known = found === undefined ? listed : completed(listed, found);
  const resources = optionsIn(all.value ?? [], known.optionKeys.size);
  const [problem] = [...one.diagnostics, ...all.diagnostics, ...foreign, ...resources.diagnostics];
  const next = SOURCES.find((source) => ownValue<unknown>(documents[source] ?? {}, id) === undefined);
  if (problem !== undefined) return { own, live: listed, next, problem };
  const live = withOptions(known, decodeOptions(id, resources.value ?? []));
  return { own, live, next, problem };
}

/** The resources of a list of options, which need not be paged; `expected` is how many options are known. */
function optionsIn(pages: readonly ResourceDocument[], expected: number): Checked<readonly Resource[]> {
  const [only, ...others] = pages;
  if (only === undefined) return { value: [], diagnostics: [] };
  const whole = others.length > 0 || isPaged(only, expected) ? wholeList(pages) : only.data;
  return typeof whole === 'string'
    ? { diagnostics: [diagnostic('incomplete-read', { list: 'options', problem: whole })] }
    : { value: whole, diagnostics: [] };
}

/** All documents of an address, or a finding for each that is none. */
function decodeAll(path: string, bodies: readonly unknown[]): Checked<readonly ResourceDocument[]> {
  const decoded = bodies.map(decodeDocument);
  const diagnostics = decoded.flatMap((each) => (typeof each === 'string' ? [unusable(path, each)] : []));
  const value = decoded.filter((each) => typeof each !== 'string');
  return diagnostics.length > 0 ? { diagnostics } : { value, diagnostics };
}

function unusable(path: string, problem: string): Diagnostic {
  return diagnostic('bad-answer', { request: `GET ${path}`, problem });
}
