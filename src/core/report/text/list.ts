import widthOf from 'fast-string-width';
import { count, cut } from '../../findings/words.ts';
import type { decodeIntegrationErrors } from '../../live/errors.ts';
import type { LiveIntegration } from '../../model/live.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface Listed
  extends Pick<
    LiveIntegration,
    'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'
  > {
  readonly errors?: number;
  readonly options: number;
  readonly managedOptions?: number;
}

type IntegrationErrors = Exclude<
  ReturnType<typeof decodeIntegrationErrors>,
  string
>;

/** What is installed on a server, or goes wrong there. */
type Listing =
  | { readonly integrations: readonly Listed[] }
  | { readonly errors: IntegrationErrors };

/** The integrations or the integration errors of each server, below its name if there are several. */
export function renderLists(
  {
    servers,
  }: { readonly servers: readonly (Listing & { readonly name: string })[] },
  view: View,
): string {
  const blocks = servers.flatMap((each) => [
    [view.paint.strong(visible(each.name))],
    'errors' in each
      ? errorLines(each.errors, view)
      : listLines(each.integrations, view),
  ]);
  return paragraphs(servers.length === 1 ? blocks.slice(1) : blocks);
}

/** The columns before the name, by their heads. */
const COLUMNS: readonly (readonly [
  head: string,
  cellOf: (each: Listed) => string,
  isCount?: true,
])[] = [
  ['STATUS', ({ status = '-' }) => status],
  [
    'AUTO',
    ({ autosubscribe: auto }) =>
      auto === undefined ? '-' : auto ? 'yes' : 'no',
  ],
  ['ERR', ({ errors = '-' }) => `${errors}`, true],
  [
    'OPTIONS',
    ({ managedOptions: own, options }) =>
      `${own === undefined ? '' : `${own}/`}${options}`,
    true,
  ],
  // Never cut: people copy ids.
  ['ID', ({ id }) => id],
];

/** The least columns that a name gets, even on a narrow terminal. */
const LEAST_NAME = 12;

function listLines(
  integrations: readonly Listed[],
  { paint, width }: View,
): string[] {
  const columns = COLUMNS.map(([head, cellOf, isCount]) => {
    const cells = [head, ...integrations.map((each) => visible(cellOf(each)))];
    const widest = Math.max(...cells.map(({ length }) => length));
    return cells.map((cell) =>
      isCount ? cell.padStart(widest) : cell.padEnd(widest),
    );
  });
  const names = [
    'NAME',
    ...integrations.map(({ name = '-' }) => visible(name)),
  ];
  const lines = names.map((name, row) => {
    const start = columns.map((cells) => `${cells[row]}  `).join('');
    const room = Math.max(LEAST_NAME, width - widthOf(start));
    return `${start}${widthOf(name) <= room ? name : cut(name, '', room - 1, 0)}`;
  });
  return [
    ...lines.map((line, at) => (at === 0 ? paint.strong(line) : line)),
    '',
    `${count(integrations.length, 'integration')}.`,
    'AUTO: autosubscribe. ERR: integration errors. OPTIONS: managed/all.',
  ];
}

function errorLines(
  errors: IntegrationErrors,
  { paint, width }: View,
): string[] {
  const blocks = errors.flatMap(
    ({ occurredOn, integration, status, code, title, detail, ...error }) => {
      const facts = `${count(error.count, 'time')}${status === null ? '' : `, HTTP ${status}`}`;
      const words = [...new Set([code, title, detail])].filter(
        (word) => word !== '',
      );
      return [
        `${visible(occurredOn)}  ${paint.strong(visible(integration))}  (${facts})`,
        ...words.flatMap((word) => filled(visible(word), width, 2)),
      ];
    },
  );
  return [
    ...blocks,
    ...(blocks.length > 0 ? [''] : []),
    `${count(errors.length, 'integration error')}.`,
  ];
}
