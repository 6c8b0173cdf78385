// The server that is measured against: integrations with 20 options each, as the service lists them, one of which is managed.

/** How many options an integration has. */
export const OPTIONS = 20;

/** How many integrations a page has. */
export const PAGE = 100;

/** The option that is managed, the value that it is to have, and the one that it has where it differs. */
export const MANAGED = { key: 'limit', desired: 7, other: 5 };

export const TOKEN = 'bench-token-1234567890';

/** The environment of everything that talks to the server at `url`. */
export function environment(url) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SETPOINT_URL: url,
    SETPOINT_TOKEN: TOKEN,
  };
}

/** The document of a page; `page` counts from 1. */
export function pageDocument(count, page) {
  const from = (page - 1) * PAGE;
  const numbers = Array.from(
    { length: Math.min(PAGE, count - from) },
    (_, index) => from + index,
  );
  return {
    data: numbers.map(integration),
    included: numbers.flatMap(options),
    meta: { page: { number: page, size: PAGE, total: count } },
  };
}

/** One entry for all integrations, or an entry of its own for each in files of 1,000; the text of each file by its name. */
export function configFiles(count, isEach) {
  const managed = `options: { ${MANAGED.key}: ${MANAGED.desired} }`;
  const head = 'version: 1\nintegrations:\n';
  if (!isEach)
    return {
      'all.yaml': `${head}  all: { match: integration_*, expect: any, ${managed} }\n`,
    };
  const files = Array.from({ length: Math.ceil(count / 1000) }, (_, file) => {
    const numbers = Array.from(
      { length: Math.min(1000, count - file * 1000) },
      (_, index) => file * 1000 + index,
    );
    const entries = numbers.map(
      (number) =>
        `  ${nameOf(number)}: { match: ${nameOf(number)}_*, ${managed} }\n`,
    );
    return [`part-${file}.yaml`, head + entries.join('')];
  });
  return Object.fromEntries(files);
}

function nameOf(number) {
  return `integration_${String(number).padStart(6, '0')}`;
}

function idOf(number) {
  return `${nameOf(number)}_node_18_${1_700_000_000 + number}`;
}

function integration(number) {
  const id = idOf(number);
  const related = (type, data) => ({
    data,
    links: { self: `/api/${type}?filter[integration.id]=${id}` },
  });
  return {
    type: 'integrations',
    id,
    attributes: {
      name: `Integration ${number}`,
      acronym: `I${number}`,
      description:
        'Shows the owner, the location and the patch level of a host.',
      status: 'running',
      autosubscribe: false,
      'entity-types': ['IPv4', 'domain', 'MAC'],
      'custom-types': [],
      'default-color': 'light-blue',
      'on-demand-only': false,
    },
    links: { self: `/api/integrations/${id}` },
    relationships: {
      'integration-errors': related('integration-errors', []),
      'integration-options': related(
        'integration-options',
        keys().map((key) => ({
          type: 'integration-options',
          id: `${id}-${key}`,
        })),
      ),
    },
  };
}

function keys() {
  return Array.from(
    { length: OPTIONS },
    (_, index) => ['apiKey', MANAGED.key][index] ?? `option${index}`,
  );
}

function options(number) {
  return keys().map((key, index) => ({
    type: 'integration-options',
    id: `${idOf(number)}-${key}`,
    attributes: {
      key,
      name: `Option ${index}`,
      description: `What option ${index} is for, in the words of its file.`,
      ...typedValue(key, index, number),
      'admin-only': true,
      'user-can-edit': false,
    },
  }));
}

/** One password that the server shows, then numbers and texts in turn. */
function typedValue(key, index, number) {
  if (key === 'apiKey')
    return {
      type: 'password',
      value: `k-${(number * 2_654_435_761).toString(36)}-9f3a`,
    };
  if (key === MANAGED.key) return { type: 'number', value: MANAGED.desired };
  return index % 2 === 0
    ? { type: 'text', value: `https://api-${number}.example.com/v${index}` }
    : { type: 'number', value: number + index };
}
