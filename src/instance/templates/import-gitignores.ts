/**
 * Brings the `.gitignore` templates up to date from a checkout of github.com/github/gitignore (CC0-1.0):
 * `npm run import:gitignores -- CHECKOUT`
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runGit } from '../../git/processes/process.ts';

const TARGET = path.join(import.meta.dirname, 'gitignore');
/** Where two folders have a template of one name, the earlier one counts. */
const FOLDERS = ['.', 'Global', 'community'];

const checkout = process.argv[2];
if (!checkout || !existsSync(path.join(checkout, 'Node.gitignore'))) {
  console.error('usage: npm run import:gitignores -- CHECKOUT, a checkout of github.com/github/gitignore');
  process.exit(2);
}

const found = new Map<string, string>();
for (const folder of FOLDERS) {
  const files = readdirSync(path.join(checkout, folder), { encoding: 'utf8', recursive: folder === 'community' }).sort();
  for (const file of files) {
    const name = path.basename(file);
    if (name.endsWith('.gitignore') && name !== '.gitignore' && !found.has(name)) found.set(name, path.join(checkout, folder, file));
  }
}

const { stdout } = await runGit(['rev-parse', 'HEAD'], { cwd: checkout });
rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET);
// Some upstream templates are links to others: copying follows them, so here each is a separate file.
for (const [name, source] of found) copyFileSync(source, path.join(TARGET, name));
copyFileSync(path.join(checkout, 'LICENSE'), path.join(TARGET, 'LICENSE'));
writeFileSync(
  path.join(TARGET, 'README.md'),
  `# Ignore-file templates\nFrom github.com/github/gitignore at ${stdout.toString('utf8').trim()}, CC0-1.0, its folders laid flat.\n` +
    'Written by `npm run import:gitignores`: changes belong upstream.\n',
);
console.log(`${found.size} templates`);
