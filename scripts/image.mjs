// Runs the steps of examples/ci/Dockerfile on a machine without an engine: each stage is a fresh Debian in a folder, entered by
// chroot. Then it shows what a reviewer of the image asks: who runs, what that user may write, what is installed, and that the
// program runs. As root, with mmdebstrap, in a clone in which `npm pack` has run: `node scripts/image.mjs`
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const DOCKERFILE = 'examples/ci/Dockerfile';
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
const MODULES = 'usr/local/lib/node_modules';
const MOST_OUTPUT = 64 * 1024 * 1024;

const work = mkdtempSync(join(tmpdir(), 'setpoint-image-'));
try {
  review(build(instructionsOf(readFileSync(DOCKERFILE, 'utf8'))));
} finally {
  rmSync(work, { recursive: true });
}

/** The instructions of a Dockerfile: each a word and the rest of its line. */
function instructionsOf(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word !== undefined) found.push({ word, rest });
  }
  return found;
}

/** Makes all stages, and returns the last one. */
function build(instructions) {
  const base = nodeImage();
  const stages = new Map();
  let stage;
  for (const { word, rest } of instructions) {
    console.log(`${word} ${rest}`);
    switch (word) {
      case 'FROM': {
        const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'final';
        stage = { root: join(work, name), user: '0:0', env: { PATH } };
        execFileSync('cp', ['--archive', base, stage.root]);
        stages.set(name, stage);
        break;
      }
      case 'RUN':
        enter(stage, ['/bin/sh', '-c', rest]);
        break;
      case 'COPY':
        copy(stage, rest, stages);
        break;
      case 'ENV':
        for (const [, name, value] of rest.matchAll(/(\w+)="?([^"\s]+)"?/g))
          stage.env[name] = value.replace('$PATH', stage.env.PATH);
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'WORKDIR':
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENTRYPOINT':
        stage.entrypoint = JSON.parse(rest);
        break;
      case 'ARG':
      case 'CMD':
        break;
      default:
        throw new Error(`${DOCKERFILE} has ${word}, which is unknown here`);
    }
  }
  return stage;
}

/** A Debian with the Node and the npm of this machine, where the official image has them. */
function nodeImage() {
  const root = join(work, 'base');
  const debian = ['--quiet', '--variant=minbase', '--include=ca-certificates'];
  execFileSync('mmdebstrap', [...debian, 'bookworm', root]);
  // As an engine does, for names of registries.
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  mkdirSync(join(root, MODULES), { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  const command = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
  const npm = dirname(dirname(realpathSync(command)));
  cpSync(npm, join(root, MODULES, 'npm'), { recursive: true });
  const program = `/${MODULES}/npm/bin/npm-cli.js`;
  symlinkSync(program, join(root, 'usr/local/bin/npm'));
  return root;
}

/** Copies files of this folder, or of another stage. */
function copy(stage, rest, stages) {
  const [, name, paths] = /^(?:--from=(\w+) )?(.*)$/.exec(rest);
  const from = name === undefined ? '.' : stages.get(name).root;
  const [source, target] = paths.split(' ');
  for (const path of matching(join(from, source))) {
    const to = target.endsWith('/') ? join(target, basename(path)) : target;
    const options = { recursive: true, verbatimSymlinks: true };
    cpSync(path, join(stage.root, to), options);
  }
}

/** The paths that a path with at most one `*`, in its last part, means. */
function matching(path) {
  const [start, end] = basename(path).split('*');
  if (end === undefined) return [path];
  const names = readdirSync(dirname(path));
  const meant = names.filter(
    (name) => name.startsWith(start) && name.endsWith(end),
  );
  return meant.map((name) => join(dirname(path), name));
}

/** Runs a command in a stage, as its user or another one; returns what it prints. */
function enter(stage, command, user = stage.user) {
  return execFileSync(
    'chroot',
    [`--userspec=${user}`, stage.root, ...command],
    {
      env: { ...stage.env, HOME: '/tmp' },
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

/** Shows the last stage, as its user sees it. */
function review(image) {
  const config = join(image.root, 'config/team');
  cpSync('examples/team', config, { recursive: true });
  const validate = 'cd /config/team && setpoint validate';
  const outside = '-path /proc -prune -o -path /dev -prune -o -not -type l';
  const packages = "dpkg-query --show --showformat '${Package} ${Version}\\n'";
  const asked = {
    'Runs as': 'id',
    Version: 'setpoint --version',
    'Checks a configuration': validate,
    'May write': `find / ${outside} -writable -print 2>/dev/null`,
    'Has setuid or setgid': 'find / -xdev -type f -perm /6000 2>/dev/null',
    'Package managers of Node': 'which npm npx corepack yarn',
    Packages: packages,
  };
  for (const [title, script] of Object.entries(asked)) {
    const text = enter(image, ['/bin/sh', '-c', `${script} || true`]);
    console.log(`\n${title}:\n${text.trimEnd() || 'none'}`);
  }
}
