/** One file of a tree: text, a link's target, or the commit of a submodule. */
interface File {
  mode: '100644' | '100755' | '120000' | '160000';
  content: string;
}
type Tree = Map<string, File>;

/** Histories of two branches that left a common commit, the same for the same seed: `refs/heads/base-N` and `refs/heads/head-N`. */
export function generatedHistories(count: number, seed: number): string {
  const random = generator(seed);
  const stream = new Stream();
  for (let n = 0; n < count; n++) {
    const root = firstTree(random);
    const fork = stream.commit(`refs/heads/base-${n}`, 'Begin', root, []);
    const base = { at: fork, tree: new Map(root) };
    const head = { at: fork, tree: new Map(root) };
    // What is done on both sides is there under another id later.
    const shared = random() < 0.3 ? (tree: Tree) => void tree.set('shared.txt', { mode: '100644', content: 'shared\n' }) : undefined;
    const sharedAt = Math.floor(random() * 3);
    for (const [side, ref] of [
      [base, `refs/heads/base-${n}`],
      [head, `refs/heads/head-${n}`],
    ] as const) {
      const commits = 1 + Math.floor(random() * 3);
      for (let i = 0; i < commits; i++) {
        if (shared && i === Math.min(sharedAt, commits - 1)) shared(side.tree);
        const steps = 1 + Math.floor(random() * 2);
        for (let step = 0; step < steps; step++) change(side.tree, random, n);
        // Now and then a head takes in what the base has, keeping its own files; merges are left out of a rebase.
        const isMerge = side === head && i === 1 && random() < 0.3;
        side.at = stream.commit(
          ref,
          `Change ${i}${random() < 0.3 ? '\n\n  Indented.\n\n\nApart.' : ''}`,
          side.tree,
          isMerge ? [side.at, base.at] : [side.at],
        );
      }
    }
  }
  return stream.text();
}

/** Numbers from 0 to 1 that look random (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function firstTree(random: () => number): Tree {
  const tree: Tree = new Map();
  for (let i = 0; i < 6; i++) {
    const ending = i % 3 === 2 ? '\r\n' : '\n';
    const lines = Array.from({ length: 12 + Math.floor(random() * 10) }, (_, line) => `file ${i} line ${line}`);
    tree.set(`${['src', 'docs/deep', 'lib'][i % 3]}/file-${i}.txt`, {
      mode: i === 1 ? '100755' : '100644',
      content: lines.join(ending) + ending,
    });
  }
  tree.set('link', { mode: '120000', content: 'src/file-0.txt' });
  tree.set('module', { mode: '160000', content: '1'.repeat(40) });
  return tree;
}

const CHANGES: ((tree: Tree, random: () => number, salt: number) => void)[] = [
  edit,
  edit,
  edit,
  edit,
  function rename(tree, random) {
    const [path, file] = anyText(tree, random);
    tree.delete(path);
    tree.set(
      path.replace(/[^/]+$/, (name) => `renamed-${name}`),
      file,
    );
  },
  function moveFolder(tree, random) {
    const from = random() < 0.5 ? 'lib/' : 'docs/deep/';
    for (const [path, file] of [...tree]) {
      if (!path.startsWith(from)) continue;
      tree.delete(path);
      tree.set(`moved/${path.slice(from.length)}`, file);
    }
  },
  (tree, random) => void tree.delete(anyText(tree, random)[0]),
  (tree, random) => void tree.set(`new-${Math.floor(random() * 4)}.txt`, { mode: '100644', content: `new ${Math.floor(random() * 3)}\n` }),
  function executable(tree, random) {
    const [path, file] = anyText(tree, random);
    tree.set(path, { ...file, mode: file.mode === '100755' ? '100644' : '100755' });
  },
  (tree, random) => void tree.set('link', { mode: '120000', content: `target-${Math.floor(random() * 3)}` }),
  (tree, random) => void tree.set('module', { mode: '160000', content: String(2 + Math.floor(random() * 3)).repeat(40) }),
  function lineEnds(tree, random) {
    const [path, file] = anyText(tree, random);
    const content = file.content.includes('\r\n') ? file.content.replaceAll('\r\n', '\n') : file.content.replaceAll('\n', '\r\n');
    tree.set(path, { ...file, content });
  },
];

function change(tree: Tree, random: () => number, salt: number): void {
  CHANGES[Math.floor(random() * CHANGES.length)]?.(tree, random, salt);
}

function edit(tree: Tree, random: () => number): void {
  const [path, file] = anyText(tree, random);
  const lines = file.content.split('\n');
  const at = Math.floor(random() * lines.length);
  const ending = file.content.includes('\r\n') ? '\r' : '';
  if (random() < 0.2) lines.splice(at, 1);
  else lines[at] = `edited ${Math.floor(random() * 5)}${ending}`;
  tree.set(path, { ...file, content: lines.join('\n') });
}

/** There is always one: what is deleted last comes back. */
function anyText(tree: Tree, random: () => number): [string, File] {
  const texts = [...tree].filter(([, { mode }]) => mode === '100644' || mode === '100755');
  return texts[Math.floor(random() * texts.length)] ?? ['src/again.txt', { mode: '100644', content: 'again\n' }];
}

/** See https://git-scm.com/docs/git-fast-import */
class Stream {
  readonly #lines: string[] = [];
  #mark = 0;
  commit(ref: string, message: string, tree: Tree, parents: readonly number[]): number {
    const mark = ++this.#mark;
    const when = 1_700_000_000 + 60 * mark;
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`;
    this.#lines.push(
      `commit ${ref}`,
      `mark :${mark}`,
      `author Ann Author <ann@example.com> ${when} +0130`,
      `committer Carl Committer <carl@example.com> ${when + 5} -0800`,
      data(`${message}\n`),
      ...parents.map((parent, index) => `${index === 0 ? 'from' : 'merge'} :${parent}`),
      'deleteall',
    );
    for (const [path, { mode, content }] of tree) {
      if (mode === '160000') this.#lines.push(`M ${mode} ${content} ${path}`);
      else this.#lines.push(`M ${mode} inline ${path}`, data(content));
    }
    return mark;
  }
  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
