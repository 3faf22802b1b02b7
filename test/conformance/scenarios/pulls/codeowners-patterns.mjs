// What the patterns of a CODEOWNERS file match.
const PATTERNS = ['*', '*.md', '/docs/', 'docs/*', 'docs/.*', '!*.md', '**/x.txt', '(?i)readme.*', '.*\\.(js|ts)', 'src/**', '?', '[ab].txt', '/b.txt', '+b.txt', 'a.txt$', '.*/[^/]*\\.go'];
const FILES = ['a.txt', 'b.txt', 'README.md', 'docs/guide.md', 'docs/deep/x.txt', 'src/main.go', 'src/app.ts'];
export default async function (t) {
  const alice = await t.user('alice');
  const owners = [];
  for (let i = 0; i < PATTERNS.length; i++) owners.push(await t.user(`owner${String.fromCharCode(97 + i)}`));
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const lines = PATTERNS.map((pattern, i) => `${pattern} @${owners[i].name}`);
  await alice.push(`${alice.name}/demo`, { branch: 'main', files: { '.gitea/CODEOWNERS': `${lines.join('\n')}\n` } });
  for (const [i, file] of FILES.entries()) {
    await alice.push(`${alice.name}/demo`, { branch: `topic-${i}`, from: 'main', files: { [file]: 'changed\n' } });
    await alice.must('POST', `${repo}/pulls`, { head: `topic-${i}`, base: 'main', title: file });
    const { requested_reviewers: asked } = await alice.must('GET', `${repo}/pulls/${i + 1}`);
    const logins = new Set(asked.map(({ login }) => login));
    t.record(file, PATTERNS.filter((_, at) => logins.has(owners[at].name)));
  }
}
