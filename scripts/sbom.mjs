// The inventory of the bundle for scanners: a CycloneDX document, the same for the same packages.

/** The document, for an application and the packages that are bundled into it. */
export function sbom(application, packages) {
  const root = purlOf(application);
  const components = packages.map(component);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...identity(application) } },
    components,
    dependencies: [
      { ref: root, dependsOn: components.map(({ purl }) => purl) },
      ...components.map(({ purl }) => ({ ref: purl })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function component({ integrity, ...described }) {
  const [, content] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity);
  const hash = {
    alg: 'SHA-512',
    content: Buffer.from(content, 'base64').toString('hex'),
  };
  return {
    type: 'library',
    ...identity(described),
    scope: 'required',
    hashes: [hash],
  };
}

function identity({ name, version, license }) {
  const [group, short] = name.startsWith('@')
    ? name.split('/')
    : [undefined, name];
  return {
    'bom-ref': purlOf({ name, version }),
    ...(group === undefined ? {} : { group }),
    name: short,
    version,
    licenses: [
      /^[\w.+-]+$/.test(license)
        ? { license: { id: license } }
        : { expression: license },
    ],
    purl: purlOf({ name, version }),
  };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}
