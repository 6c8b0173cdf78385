import { error, failure, warning } from './entry.ts';
import { count } from './words.ts';

/** What is wrong with a revision of the configuration that git is asked for. */
export const REVISIONS = {
  'no-repository': error('The configuration is in no git repository', {
    message: (f: { folder: string }) => `${f.folder} is in no git repository.`,
    hint: 'Revisions of the configuration are read from git: run it in a clone of its repository.',
  }),
  'git-missing': error('git is not installed', {
    message: 'git was not found in the folders of PATH.',
    hint: 'Install git, or name its folder in PATH by an absolute path outside of the repository.',
  }),
  'unknown-revision': error('git has no such revision', {
    message: (f: { ref: string; isShallow: boolean; near?: string }) =>
      `The repository has no revision ${f.ref === '' ? 'without a name' : f.ref}${f.isShallow ? '; it is a shallow clone' : ''}.`,
    hint: (f) => {
      if (f.near !== undefined) return `Did you mean ${f.near}?`;
      if (/^[^:]*\.\./.test(f.ref)) return `Name one revision: ${f.ref} is a range.`;
      // What GitHub and GitLab call the commit before the first one of a branch.
      if (/^0{40,}$/.test(f.ref))
        return 'Pipelines write zeros where a branch has nothing before: name a branch, a tag or a commit, or leave it out.';
      const fetched = fetchHint(f.ref);
      if (f.isShallow) return [WHOLE_HISTORY, fetched].filter((each) => each !== '').join(' ');
      return `Name a branch, a tag or a commit. ${fetched}`.trimEnd();
    },
  }),
  'git-failed': failure('git cannot read the repository', {
    message: (f: { reason: string }) => `git cannot read the repository: ${f.reason}.`,
    hint: 'Look at the repository with git fsck, or clone it again.',
  }),
  'revision-broken': error('The configuration of a revision has errors', {
    message: (f: { ref: string; errors: number; first: string }) =>
      `The configuration at ${f.ref} has ${count(f.errors, 'error')}, so nothing can be compared with it: ${f.first}`,
    hint: 'Leave it out, or name a revision whose configuration is valid.',
  }),
  'revision-empty': warning('A revision has no such configuration', {
    message: (f: { ref: string; path: string }) =>
      `${f.path} is not there at ${f.ref}: what it declares is taken for new, and no drift of it can be told.`,
    hint: 'Nothing is wrong where it is new. Else name a revision that has it, and let git hold it: what is ignored, lies in a submodule, or was moved and edited at once cannot be compared.',
  }),
  'server-released': warning('A server is no longer managed', {
    message: (f: { name: string; url: string; ref: string }) =>
      `The server at ${f.url}, ${f.name} at ${f.ref}, is no longer in setpoint.yaml: what is managed on it stays as it is, and no plan looks at it.`,
    hint: 'Nothing is wrong where it is out of use. Else put it back.',
  }),
};

const WHOLE_HISTORY =
  'Fetch the whole history: git fetch --unshallow; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.';

/** How to fetch a commit, or a branch of the usual remote and what it is called then, or a tag; empty for what can be none. */
function fetchHint(ref: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref))
    return `To have this commit alone, as a saved plan needs its base: git fetch --depth=1 origin ${ref}`;
  const branch = ref.replace(/^(refs\/remotes\/)?origin\//, '');
  const isBranch = /^[a-z][\w./-]*$/i.test(branch) && !/^([0-9a-f]{7,64}|HEAD)$/.test(branch);
  if (!isBranch) return '';
  const tag = branch === ref ? `, or a tag: git fetch --depth=1 origin tag ${ref}` : '';
  return `To have a branch alone, name it origin/${branch}: git fetch --depth=1 origin ${branch}:refs/remotes/origin/${branch}${tag}`;
}
