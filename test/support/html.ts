import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** An element of a page, as a browser reads it. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (HtmlElement | string)[];
  readonly attribute: (name: string) => string | undefined;
  /** All elements inside, and itself. */
  readonly all: () => HtmlElement[];
  readonly named: (name: string) => HtmlElement[];
  readonly withClass: (name: string) => HtmlElement[];
  readonly text: () => string;
}

/** Reads a page by the rules of HTML, whatever it holds. */
export function parsedPage(html: string): HtmlElement {
  const root = parse(html).childNodes.find((node) => node.nodeName === 'html');
  if (root === undefined || !('tagName' in root)) throw new Error('no page');
  return elementOf(root);
}

function elementOf(node: DefaultTreeAdapterTypes.Element): HtmlElement {
  const attributes = new Map(
    node.attrs.map(({ name, value }) => [name, value]),
  );
  const children: (HtmlElement | string)[] = [];
  for (const child of node.childNodes) {
    if ('tagName' in child) children.push(elementOf(child));
    else if ('value' in child) children.push(child.value);
    else throw new Error(`a page has no ${child.nodeName}`);
  }
  const all = (): HtmlElement[] => [
    element,
    ...children.flatMap((child) =>
      typeof child === 'string' ? [] : child.all(),
    ),
  ];
  const element: HtmlElement = {
    name: node.tagName,
    attributes,
    children,
    attribute: (name) => attributes.get(name),
    all,
    named: (name) => all().filter((own) => own.name === name),
    withClass: (name) =>
      all().filter((own) => own.attribute('class')?.split(' ').includes(name)),
    text: () =>
      children
        .map((child) => (typeof child === 'string' ? child : child.text()))
        .join(''),
  };
  return element;
}
