import { boolean, defineOption, string } from '../http/schema.ts';

const fields = {
  Context: string({ description: 'where the text stands: the path of a repository, or of a folder in it' }),
  Mode: string({ description: 'markdown, gfm, comment, wiki or file' }),
  Text: string({ unbounded: true, description: 'the text to render' }),
  Wiki: boolean({ description: 'the same as the mode wiki' }),
};

export const MarkupOption = defineOption(
  'MarkupOption',
  { ...fields, FilePath: string({ description: 'for the mode file: its path, whose extension determines the format' }) },
  { description: 'A text to render.' },
);

export const MarkdownOption = defineOption('MarkdownOption', fields, { description: 'A Markdown text to render.' });
