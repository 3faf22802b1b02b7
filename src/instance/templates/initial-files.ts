import { joinGitignores } from './gitignores.ts';
import { fillLicense, getLicense } from './licenses.ts';
import { DEFAULT_README, fillReadme } from './readmes.ts';
import { UnknownTemplateError } from './unknown-template.ts';

/** The options of a new repository's first commit; an empty template name means none, or the default README. */
export interface InitialFilesOptions {
  /** The repository's name. */
  name: string;
  description?: string;
  /** The owner's login name and address, for the license. */
  owner: string;
  email: string;
  /** The year of creation, for the license. */
  year: number;
  readme?: string;
  /** Names of `.gitignore` templates, separated by commas. */
  gitignores?: string;
  /** A license key. */
  license?: string;
}

/** A regular file at the top of a new repository. */
export interface InitialFile {
  readonly path: string;
  readonly content: string;
}

/**
 * The files of a new repository's first commit (`auto_init`): README.md, and if requested `.gitignore` and LICENSE. Nothing is written, so
 * calling it before anything is created is the check of all three names.
 * @throws UnknownTemplateError
 */
export function initialFiles(options: InitialFilesOptions): readonly InitialFile[] {
  const { name, description = '', owner, email, year, readme, gitignores, license } = options;
  const files: InitialFile[] = [{ path: 'README.md', content: fillReadme(readme || DEFAULT_README, { name, description }) }];
  const ignored = joinGitignores(gitignores ?? '');
  if (ignored) files.push({ path: '.gitignore', content: ignored });
  if (license) {
    const text = getLicense(license);
    if (text === undefined) throw new UnknownTemplateError('license', license);
    files.push({ path: 'LICENSE', content: fillLicense(text, { owner, email, project: name, year }) });
  }
  return files;
}
