// Contents: unusual bodies, types, dates, identities, paths and parameters.
export default async function (t) {
  const [alice, reader] = await Promise.all(['alice', 'reader'].map((name) => t.user(name)));
  await alice.repo('demo', { auto_init: false });
  const repo = `${alice.name}/demo`;
  const path = `/repos/${repo}`;
  const first = await alice.push(repo, { files: { 'a.txt': '1\n', 'dir/b.txt': 'b\n', 'dir/sub/c.txt': 'c\n', 'ü ö.txt': 'u\n', empty: '' }, message: 'First', date: '2024-01-01T12:00:00+00:00', tag: 'v1' });
  t.name(first.sha, 'first');
  await alice.must('PUT', `${path}/collaborators/${reader.name}`, { permission: 'read' });
  const b64 = (text) => Buffer.from(text).toString('base64');
  const shown = { body: ({ content, commit }) => ({ name: content?.name, path: content?.path, size: content?.size, type: content?.type, message: commit?.message, author: commit?.author && { name: commit.author.name, email: commit.author.email, date: commit.author.date }, committer: commit?.committer && { name: commit.committer.name, email: commit.committer.email }, parents: commit?.parents?.length }) };
  const fixed = { author: { date: '2024-03-01T00:00:00Z' } };
  const dates = { author: '2024-03-01T00:00:00Z', committer: '2024-03-01T00:00:00Z' };
  t.name('2024-03-01T00:00:00Z', 'March');
  let n = 0;
  for (const [label, body] of Object.entries({
    'an empty file': { content: '' }, 'no content': {}, 'a null content': { content: null }, 'a number': { content: 1 }, 'no base64': { content: '%%%' }, 'base64 with line ends': { content: 'aGVs\nbG8=' }, 'base64 for addresses': { content: '-_-_' }, 'base64 without padding': { content: 'aGVsbG8' },
    'an author without a name': { content: b64('x'), author: { email: 'x@example.com' } }, 'an author without an address': { content: b64('x'), author: { name: 'X' } }, 'an author and no committer': { content: b64('x'), author: { name: 'X', email: 'x@example.com' } }, 'a committer and no author': { content: b64('x'), committer: { name: 'C', email: 'c@example.com' } }, 'both': { content: b64('x'), author: { name: 'X', email: 'x@example.com' }, committer: { name: 'C', email: 'c@example.com' } },
    'an odd address': { content: b64('x'), author: { name: 'X', email: 'no address' } }, 'an angle in a name': { content: b64('x'), author: { name: 'X <y>', email: 'x@example.com' } }, 'a line end in a name': { content: b64('x'), author: { name: 'X\ny', email: 'x@example.com' } },
    'a message': { content: b64('x'), message: 'm' }, 'a message of blanks': { content: b64('x'), message: '  ' }, 'a message of lines': { content: b64('x'), message: '\n\n one \n\n two \n' }, 'a number for the message': { content: b64('x'), message: 1 },
    'signoff': { content: b64('x'), signoff: true, message: 'm' }, 'a missing branch': { content: b64('x'), branch: 'missing' }, 'a tag': { content: b64('x'), branch: 'v1' }, 'an id': { content: b64('x'), branch: first.sha }, 'an empty branch': { content: b64('x'), branch: '' }, 'a new branch': { content: b64('x'), new_branch: `new-${++n}` }, 'the same new branch': { content: b64('x'), branch: 'main', new_branch: 'main' }, 'a bad new branch': { content: b64('x'), new_branch: 'a..b' }, 'an existing new branch': { content: b64('x'), branch: 'main', new_branch: 'new-1' },
    'dates': { content: b64('x'), dates }, 'a bad date': { content: b64('x'), dates: { author: 'x' } }, 'a date': { content: b64('x'), dates: { author: '2024-03-01' } }, 'a text for dates': { content: b64('x'), dates: 'x' }, 'force': { content: b64('x'), force_push: true }, 'a sha': { content: b64('x'), sha: first.sha },
  })) await alice.post(`${path}/contents/made/${encodeURIComponent(label)}.txt`, { message: `Make ${label}`, dates, ...body }, shown);
  for (const name of ['a.txt', 'dir', 'dir/', 'a.txt/x', '.git/x', 'x/.git', 'x/.GIT/y', 'x/../y', 'x\\y', 'x%00y', '%20', ' x ', '.gitmodules', 'ü.txt']) await alice.post(`${path}/contents/${encodeURIComponent(name)}`, { content: b64('x'), message: 'm', dates }, { ...shown, label: `${path}/contents: ${JSON.stringify(name)}` });
  const sha = async (name) => (await alice.must('GET', `${path}/contents/${name}`)).sha;
  for (const [label, body] of Object.entries({
    'no sha': { content: b64('y') }, 'an empty sha': { content: b64('y'), sha: '' }, 'a wrong sha': { content: b64('y'), sha: first.sha }, 'no id': { content: b64('y'), sha: 'zzz' }, 'a move': { content: b64('y'), from_path: 'a.txt', sha: await sha('a.txt') }, 'a move of nothing': { content: b64('y'), from_path: 'missing', sha: await sha('dir/b.txt') }, 'a move to itself': { content: b64('y'), from_path: 'dir/b.txt', sha: await sha('dir/b.txt') }, 'a move of a folder': { content: b64('y'), from_path: 'dir/sub', sha: await sha('dir/b.txt') },
  })) await alice.put(`${path}/contents/dir/b.txt`, { message: `Change: ${label}`, dates, ...body }, { ...shown, label: `${path}/contents/dir/b.txt: ${label}` });
  await alice.put(`${path}/contents/empty`, { content: '', message: 'the same', sha: await sha('empty'), dates }, shown);
  await alice.put(`${path}/contents/dir`, { content: b64('x'), message: 'm', sha: first.sha }, shown);
  await alice.put(`${path}/contents/missing`, { content: b64('x'), message: 'm', sha: first.sha }, shown);
  for (const [label, body] of Object.entries({ 'no body': undefined, 'no sha': {}, 'an empty sha': { sha: '' }, 'a wrong sha': { sha: first.sha }, 'a missing branch': { sha: first.sha, branch: 'missing' }, 'a number': { sha: 1 } })) await alice.delete(`${path}/contents/empty`, body, { ...shown, label: `${path}/contents/empty: ${label}` });
  await alice.delete(`${path}/contents/dir`, { sha: first.sha, message: 'm' }, shown);
  await alice.delete(`${path}/contents/missing`, { sha: first.sha, message: 'm' }, shown);
  await alice.delete(`${path}/contents/empty?sha=${await sha('empty')}&message=by%20query&branch=main`, undefined, { ...shown, label: `${path}/contents/empty: by query` });

  // Several files
  const files = { body: ({ files: all, commit }) => ({ files: all?.map((each) => each && `${each.path} ${each.size}`), message: commit?.message }) };
  for (const [label, list] of Object.entries({
    nothing: [], 'no operation': [{ path: 'm1', content: b64('x') }], 'no path': [{ operation: 'create', content: b64('x') }], 'an empty path': [{ operation: 'create', path: '', content: b64('x') }], 'the same twice': [{ operation: 'create', path: 'm3', content: b64('x') }, { operation: 'create', path: 'm3', content: b64('y') }], 'create and delete': [{ operation: 'create', path: 'm4', content: b64('x') }, { operation: 'delete', path: 'm4', sha: first.sha }], 'an update of nothing': [{ operation: 'update', path: 'm6', content: b64('x'), sha: first.sha }], upload: [{ operation: 'upload', path: 'm7', content: b64('x') }], 'upload over it': [{ operation: 'upload', path: 'm7', content: b64('yy') }], 'rename': [{ operation: 'rename', path: 'm8', from_path: 'm7' }], 'rename without from': [{ operation: 'rename', path: 'm9' }], 'rename of nothing': [{ operation: 'rename', path: 'm9', from_path: 'missing' }], 'a text': 'x',
  })) await alice.post(`${path}/contents`, { files: list, message: `several: ${label}`, dates }, { ...files, label: `${path}/contents: ${label}` });

  // Reading
  const entry = { body: (each) => (Array.isArray(each) ? each.map(({ path: p, type, size }) => `${p} ${type} ${size}`) : { path: each.path, type: each.type, size: each.size, encoding: each.encoding, content: each.content, last: Boolean(each.last_commit_sha), target: each.target }) };
  for (const name of ['', '/', '/dir', '/dir/', '/dir?ref=v1', '/dir?ref=', '/dir?ref=zzz', `/dir?ref=${first.sha}`, `/dir?ref=${first.sha.slice(0, 8)}`, '/dir?ref=refs/heads/main', '/dir?ref=HEAD', '/missing', '/%C3%BC%20%C3%B6.txt?ref=v1', '/a.txt?ref=v1', '//dir?ref=v1', '/dir/../dir', '/.', '/dir%2Fsub?ref=v1', '/a.txt/x?ref=v1', '/DIR']) await alice.get(`${path}/contents${name}`, { ...entry, label: `${path}/contents${name.replace(first.sha.slice(0, 8), '{short}')}` });
  const ext = { body: ({ file_contents, dir_contents }) => ({ file: file_contents && { path: file_contents.path, encoding: file_contents.encoding, content: file_contents.content, last: 'last_commit_sha' in file_contents, message: file_contents.last_commit_message, when: file_contents.last_committer_date }, dir: dir_contents?.map((each) => `${each.path} ${each.content}`) }) };
  for (const name of ['?ref=v1', '/a.txt?ref=v1', '/a.txt?ref=v1&includes=file_content', '/a.txt?ref=v1&includes=commit_metadata', '/a.txt?ref=v1&includes=commit_message', '/a.txt?ref=v1&includes=lfs_metadata', '/a.txt?ref=v1&includes=file_content,commit_metadata,commit_message,lfs_metadata,file_size', '/a.txt?ref=v1&includes=nothing', '/dir?ref=v1&includes=file_content']) await alice.get(`${path}/contents-ext${name}`, ext);
  for (const body of [{ files: ['a.txt'] }, { files: [] }, {}, { files: ['missing', 'dir'] }, { files: 'x' }, { files: [1] }, { files: ['dir/b.txt', 'dir/b.txt'] }]) await alice.post(`${path}/file-contents?ref=v1`, body, { body: (all) => all.map((each) => each && `${each.path} ${each.type}`), label: `${path}/file-contents: ${JSON.stringify(body)}` });
  for (const query of ['', `body=${encodeURIComponent('{"files":["empty"]}')}`, 'body=x', `body=${encodeURIComponent('{"files":"x"}')}`, `body=${encodeURIComponent('{}')}`]) await alice.get(`${path}/file-contents?ref=v1&${query}`, { body: (all) => all.map((each) => each && `${each.path} ${each.type}`) });
  for (const name of ['raw/a.txt?ref=v1', 'raw/dir', 'raw/', 'raw/v1/a.txt', 'media/a.txt?ref=v1', 'media/dir?ref=v1', 'raw/a.txt?ref=zzz', 'editorconfig/a.txt', 'languages', 'licenses', 'archive/v1', 'archive/v1.rar', 'archive/.zip', 'archive/zzz.zip', 'archive/v1.bundle?path=dir']) await alice.get(`${path}/${name}`, { body: 'size' });

  // A patch
  for (const [label, body] of Object.entries({ 'a patch': { content: 'diff --git a/p.txt b/p.txt\nnew file mode 100644\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+p\n', message: 'by patch', dates }, 'a missing branch': { content: 'x', branch: 'missing' } })) await alice.post(`${path}/diffpatch`, body, { body: ({ commit }) => ({ message: commit?.message }), label: `${path}/diffpatch: ${label}` });
  await reader.post(`${path}/diffpatch`, { content: 'x' });
  await t.anonymous.post(`${path}/diffpatch`, { content: 'x' });
}
