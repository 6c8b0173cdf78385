import { globMatcher } from '../../src/core/model/glob.ts';
import { isRecord } from '../../src/core/model/json.ts';
import { isChoice } from '../../src/core/model/value.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../src/sandbox/service.ts';
import { at, listAt, recordAt } from './at.ts';
import { catalogOf } from './catalog.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type Asked, type Passed, refusal, type Through } from './faults.ts';

/** The points that the API document leaves open, with the answers that servers may give. The first is that of the sandbox. */
export const OPEN_POINTS = {
  /** 2.2, 4.5: where option values are. */
  dialect: ['included', 'inline', 'detail', 'options'],
  /** 2.4: how a password reads back. */
  passwords: ['clear', 'masked', 'null', 'absent', 'empty'],
  /** 2.4, 4.5: values wherever options have attributes, or only where one integration is read. */
  values: ['everywhere', 'detail'],
  /** 2.4: whether numbers and booleans keep their type. */
  store: ['typed', 'strings'],
  /** 2.4: a select as an object, or as a text. */
  selects: ['objects', 'strings'],
  /** 2.4: whether options are served with their permission flags. */
  flags: ['served', 'absent'],
  /** 2.1, 5: where a login's answer has `expiration_time`. */
  expiration: ['data', 'top', 'meta'],
  /** 4.3, 4.7, 4.8: the body of the answer to a logout or a PATCH. */
  done: ['document', 'empty'],
  /** 4.4: the number of the first page. */
  firstPage: ['1', '0'],
  /** 1, 9: whether any `Accept` is served, or only JSON. */
  accept: ['any', 'json'],
  /** 1, 9: the media type of answers. */
  answerType: ['api', 'json', 'none'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

type OpenPoints = typeof OPEN_POINTS;

/** What a server answers; what is left out is as the sandbox has it. */
export type Dialect = {
  readonly [Name in keyof OpenPoints]?: OpenPoints[Name][number] | undefined;
} & {
  /** 8: the maximum page size. */
  readonly maxPageSize?: number;
  /** 7: globs on the ids of options that refuse every change. */
  readonly refuses?: readonly string[];
};

/** A change of requests, of answers, or of the attributes of each option in them; or a refusal. */
interface Rewrite {
  readonly ask?: (asked: Asked) => Asked;
  readonly refuse?: (asked: Asked) => number | undefined;
  readonly answer?: (passed: Passed, asked: Asked) => Passed;
  readonly option?: (
    attributes: Attributes,
    asked: Asked,
    id: string,
  ) => Attributes;
}

type Attributes = Readonly<Record<string, unknown>>;

const without = (
  attributes: Attributes,
  ...names: readonly string[]
): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !names.includes(name)),
  );
const withValue = (
  each: Attributes,
  change: (value: unknown) => unknown,
): Attributes =>
  'value' in each ? { ...each, value: change(each['value']) } : each;
const bare = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(bare)
    : isChoice(value)
      ? value.value
      : value;
const inText = (change: (body: string) => string): Rewrite => ({
  answer: (passed) => ({ ...passed, body: change(passed.body) }),
});
const withType = (type: object): Rewrite => ({
  answer: ({ headers: { 'content-type': _, ...headers }, ...rest }) => ({
    ...rest,
    headers: { ...headers, ...type },
  }),
});
const withQuery = (
  name: string,
  change: (number: number) => number,
): Rewrite => ({
  ask: (asked) => {
    const text = new RegExp(`(?<=page\\[${name}\\]=)\\d+`);
    return {
      ...asked,
      url: asked.url.replace(text, (number) => String(change(Number(number)))),
    };
  },
});
const expiringIn = (place: (time: string) => string) =>
  inText((body) =>
    body.replace(
      /("expiration_time":\d+),(.*)\}$/,
      (_, time: string, rest: string) => `${rest},${place(time)}}`,
    ),
  );

const itemsOf = ({ body }: Asked) =>
  [at(JSON.parse(body), 'data')].flat().filter(isRecord);

/** One line for each answer that the sandbox does not give itself. */
function rewritesOf({
  maxPageSize,
  refuses = [],
  ...points
}: Dialect): Rewrite[] {
  const choices = new Map<string, readonly unknown[]>();
  const choiceOf = (id: unknown) => (text: unknown) =>
    choices.get(String(id))?.find((each) => at(each, 'value') === text) ?? text;
  const table: {
    readonly [Name in keyof OpenPoints]?: Readonly<Record<string, Rewrite>>;
  } = {
    passwords: {
      null: {
        option: (each) =>
          each['type'] === 'password' ? { ...each, value: null } : each,
      },
      absent: {
        option: (each) =>
          each['type'] === 'password' ? without(each, 'value') : each,
      },
    },
    values: {
      detail: {
        option: (each, { url }) =>
          /^\/api\/integrations\/./.test(url) ? each : without(each, 'value'),
      },
    },
    store: {
      strings: {
        option: (each) =>
          withValue(each, (value) =>
            typeof value === 'object' ? value : String(value),
          ),
      },
    },
    selects: {
      strings: {
        option: (each, _, id) => {
          choices.set(id, listAt(each, 'options'));
          return withValue(each, bare);
        },
        refuse: ({ method, body }) =>
          method === 'PATCH' && body.includes('"display"') ? 422 : undefined,
        ask: (asked) => {
          if (
            asked.method !== 'PATCH' ||
            !asked.url.endsWith('/integration-options')
          )
            return asked;
          const data = itemsOf(asked).map(({ id, attributes, ...rest }) => ({
            ...rest,
            id,
            attributes: withValue(recordAt(attributes), (value) =>
              Array.isArray(value)
                ? value.map(choiceOf(id))
                : choiceOf(id)(value),
            ),
          }));
          return { ...asked, body: JSON.stringify({ data }) };
        },
      },
    },
    flags: {
      absent: {
        option: (each) => without(each, 'admin-only', 'user-can-edit'),
      },
    },
    expiration: {
      top: expiringIn((time) => time),
      meta: expiringIn((time) => `"meta":{${time}}`),
    },
    done: {
      empty: {
        answer: (passed, { method, url }) =>
          passed.status === 200 &&
          (method === 'PATCH' || url.endsWith('/logout'))
            ? { status: 204, headers: {}, body: '' }
            : passed,
      },
    },
    firstPage: {
      '0': {
        ...withQuery('number', (number) => number + 1),
        ...inText((body) =>
          body.replace(/(?<="page":\{"number":)\d+/, (number) =>
            String(Number(number) - 1),
          ),
        ),
      },
    },
    accept: {
      json: {
        refuse: ({ headers }) =>
          /application\/json|\*\/\*/.test(String(headers['accept']))
            ? undefined
            : 406,
      },
    },
    answerType: {
      json: withType({ 'content-type': 'application/json' }),
      none: withType({}),
    },
  };
  const chosen = Object.entries(table).flatMap(([name, answers]) => {
    const rewrite = answers[String(points[name as keyof OpenPoints])];
    return rewrite === undefined ? [] : [rewrite];
  });
  const isRefused = (id: unknown) =>
    refuses.some((glob) => globMatcher(glob)(String(id)));
  return [
    ...(maxPageSize === undefined
      ? []
      : [withQuery('size', (size) => Math.min(size, maxPageSize))]),
    ...(refuses.length === 0
      ? []
      : [
          {
            refuse: (asked: Asked) =>
              asked.method === 'PATCH' &&
              itemsOf(asked).some(({ id }) => isRefused(id))
                ? 422
                : undefined,
          },
        ]),
    ...chosen,
  ];
}

/** What passes a proxy with these rewrites. */
function through(
  rewrites: readonly Rewrite[],
  onExchange: SandboxOptions['onExchange'],
): Through['through'] {
  return async (asked, send) => {
    const status = rewrites
      .map(({ refuse }) => refuse?.(asked))
      .find((each) => each !== undefined);
    const sent = rewrites.reduce((each, { ask }) => ask?.(each) ?? each, asked);
    const passed = status === undefined ? await send(sent) : refusal(status);
    const answered = rewrites.reduce((each, { option, answer }) => {
      const changed =
        option === undefined || each.body === ''
          ? each
          : withOptions(each, option, asked);
      return answer?.(changed, asked) ?? changed;
    }, passed);
    onExchange?.({
      method: asked.method,
      path: asked.url,
      status: answered.status,
      body: sent.body === '' ? undefined : JSON.parse(sent.body),
    });
    return answered;
  };
}

function withOptions(
  passed: Passed,
  change: NonNullable<Rewrite['option']>,
  asked: Asked,
): Passed {
  const body = JSON.parse(passed.body, (_, each) =>
    at(each, 'type') === 'integration-options' &&
    isRecord(at(each, 'attributes'))
      ? { ...each, attributes: change(each.attributes, asked, each.id) }
      : each,
  );
  return { ...passed, body: JSON.stringify(body) };
}

/** What of a dialect the sandbox itself can do; a proxy takes masked passwords away. */
function settingsOf({ dialect = 'included', passwords = 'clear' }: Dialect) {
  return {
    dialect,
    passwords:
      passwords === 'null' || passwords === 'absent' ? 'masked' : passwords,
  } as const;
}

export const EXAMPLE_CATALOG = 'examples/catalog';

/** What a test asks for of a sandbox beside its dialect. */
export interface ServiceWish
  extends Partial<Omit<SandboxOptions, 'catalog' | 'dialect' | 'passwords'>> {
  /** A folder of configuration files; the example catalog if nothing is said. */
  readonly catalog?: string | undefined;
  /** Ids that replace those of the catalog, by the names of its files. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
}

/** Where a sandbox runs, if nothing else is said: on a free port, with the real clock. */
const USUAL = {
  host: '127.0.0.1',
  port: 0,
  now: Date.now,
};

/** Starts a sandbox, behind a proxy if the dialect needs one. Exchanges are as the client sees them, bodies as the service does. */
export async function startDialect(
  { onExchange, catalog: folder = EXAMPLE_CATALOG, ids, ...wish }: ServiceWish,
  dialect: Dialect = {},
): Promise<RunningSandbox> {
  const catalog = catalogOf(folder, ids);
  const options = { ...USUAL, ...wish, ...settingsOf(dialect), catalog };
  const rewrites = rewritesOf(dialect);
  if (rewrites.length === 0) return startSandbox({ ...options, onExchange });
  const sandbox = await startSandbox(options);
  const proxy = await startFaultProxy(sandbox.url, () => ({
    through: through(rewrites, onExchange),
  }));
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
  };
}
