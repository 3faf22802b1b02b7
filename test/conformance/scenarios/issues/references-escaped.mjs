// Which references and mentions of a text are escaped.
const TEXTS = ['#1', '\\#1', '\\\\#1', '&#35;1', '\\* #1', '\\[#1\\]', '(#1\\)', '#1&nbsp;', '#1\\.', 'closes\\ #1', '@bob', '\\@bob', '&#64;bob', '\\_ @bob', '(@bob\\)', '**\\#1**', '- \\#1'];
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('POST', `${repo}/issues`, { title: 'One' });
  for (const [at, text] of TEXTS.entries()) {
    await alice.must('POST', `${repo}/issues`, { title: text, body: text.replace('bob', bob.name) });
    const number = at + 2;
    const rows = await alice.must('GET', `${repo}/issues/1/timeline?limit=50`);
    const mentioning = await alice.must('GET', `${repo}/issues?mentioned_by=${bob.name}&limit=50`);
    t.record(text, {
      refers: Array.isArray(rows) && rows.some(({ ref_issue: issue }) => issue?.number === number),
      mentions: mentioning.some((issue) => issue.number === number),
    });
  }
}
