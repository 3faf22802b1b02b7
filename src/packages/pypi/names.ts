/** Length limit of a version in characters. */
const MAX_VERSION = 255;

/** PEP 440, appendix B. */
const VERSION = new RegExp(
  [
    '^v?(?:\\d+!)?\\d+(?:\\.\\d+)*',
    '(?:[-_.]?(?:alpha|a|beta|b|preview|pre|c|rc)[-_.]?\\d*)?',
    '(?:-\\d+|[-_.]?(?:post|rev|r)[-_.]?\\d*)?',
    '(?:[-_.]?dev[-_.]?\\d*)?',
    '(?:\\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$',
  ].join(''),
);

/** The name under which a project is found: `My_Tool`, `my.tool` and `my-tool` are one. */
export function normalizeName(name: string): string {
  return name.replace(/[._]/g, '-');
}

/** Whether a project can have this name. */
export function isProjectName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name);
}

/** Whether a version is one of Python (PEP 440). */
export function isVersion(version: string): boolean {
  return version.length <= MAX_VERSION && VERSION.test(version);
}
