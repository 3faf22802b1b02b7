import { array, boolean, define, inline, int64, integer, number, ref, string } from '../http/schema.ts';

/** A line of a file that was found. */
export const CodeSearchLine = define('CodeSearchLine', {
  number: int64({ description: 'The number of the line, from 1.' }),
  text: string({ description: 'The line, or a part of a long one.' }),
  matches: array(
    inline({
      start: integer({ description: 'In UTF-16 units of `text`, from 0.' }),
      end: integer({ description: 'After the last unit.' }),
    }),
    { description: 'What matches; nothing in the lines around.' },
  ),
  is_cut: boolean({ description: 'A part of the line is left out.' }),
});

/** A file that was found. */
export const CodeSearchResult = define('CodeSearchResult', {
  name: string({ description: 'The name of the file.' }),
  path: string({ description: 'Its path.' }),
  sha: string({ description: 'The id of its blob.' }),
  size: int64({ description: 'Bytes.' }),
  language: string({ description: 'Empty where it is not known.' }),
  generated: boolean({ description: 'A tool wrote it.' }),
  vendored: boolean({ description: 'It belongs to another project.' }),
  branch: string({ description: 'The default branch.' }),
  commit_sha: string({ description: 'The commit that was searched: the last one of the branch, or a slightly older one.' }),
  url: string({ description: 'The API URL of the file.' }),
  html_url: string({ description: 'The page of the file.' }),
  score: number({ description: 'How well it matches; the higher the better.' }),
  match_count: int64({ description: 'Places that match; counting ends at a hundred for each word.' }),
  lines: array(ref(CodeSearchLine), { description: 'The first lines that match, with those around them.' }),
  repository: inline({
    id: int64({ description: 'The id of the repository.' }),
    name: string({ description: 'Its name.' }),
    owner: string({ description: 'The name of its owner.' }),
    full_name: string({ description: 'Owner and name.' }),
    private: boolean({ description: 'Only some people see it.' }),
    html_url: string({ description: 'Its page.' }),
  }),
});

/** The page of a search in code. */
export const CodeSearchResults = define('CodeSearchResults', {
  total_count: int64({ description: 'Files that match, as far as they were looked for.' }),
  incomplete_results: boolean({ description: 'The search came to a bound: there may be more.' }),
  index_pending: boolean({ description: 'Some of the repositories are not indexed yet.' }),
  languages: array(inline({ name: string(), count: int64() }), { description: 'How many files are of each language.' }),
  items: array(ref(CodeSearchResult)),
});
