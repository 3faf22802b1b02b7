/**
 * git's rules for the names of refs (https://git-scm.com/docs/git-check-ref-format): no control character, space, `~ ^ : ? * [ \`,
 * no `..`, `@{`, `//`, no component that begins with `.` or ends with `.lock`, no `/` at either end, no `.` at the end, not `@`.
 */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|^\/|[/.]$|^@$/;

/** Longer names do not fit into a file name on every file system, together with `.lock`. */
const MAX_COMPONENT_BYTES = 250;

/** All of a ref's name together, as a path below the repository. */
const MAX_BYTES = 1000;

/** Whether `name` is valid as (the rest of) a ref's name; the empty name is not. */
export function isValidRefName(name: string): boolean {
  if (name === '' || FORBIDDEN.test(name) || !name.isWellFormed() || name.includes('\ufffd')) return false;
  return Buffer.byteLength(name) <= MAX_BYTES && name.split('/').every((part) => Buffer.byteLength(part) <= MAX_COMPONENT_BYTES);
}

/** Whether a branch may have this name: a valid ref name that no command could mistake for an option or `HEAD`. */
export function isValidBranchName(name: string): boolean {
  return isValidRefName(name) && !name.startsWith('-') && name !== 'HEAD';
}

/** Whether a tag may have this name. */
export function isValidTagName(name: string): boolean {
  return isValidRefName(name) && !name.startsWith('-');
}

/** The ref of a branch. */
export function branchRef(name: string): string {
  return `refs/heads/${name}`;
}

/** The ref of a tag. */
export function tagRef(name: string): string {
  return `refs/tags/${name}`;
}

/** The order of git: by the bytes of the names. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  // UTF-16 orders like UTF-8 except for surrogates, which are rare.
  if (/[\ud800-\udfff]/.test(a) || /[\ud800-\udfff]/.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
