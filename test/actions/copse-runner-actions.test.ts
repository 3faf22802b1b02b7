// On SQLite alone: the runner knows nothing of the database, and artifacts.test.ts has their service on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { startTestRunner, WorkflowRepository } from './copse-runner.ts';
import { write } from './files.ts';

const t = await testServer({ actions: { defaultActionsUrl: 'self' } });
const alice = await t.user('alice');
await startTestRunner(t, { name: 'host' });
const demo = await WorkflowRepository.make(t, alice, 'alice', 'demo');
await alice.must('PUT', '/repos/alice/demo/actions/secrets/PASSWORD', { data: 'correct horse' });
await alice.must('POST', '/user/repos', { name: 'tool', auto_init: true, default_branch: 'main' });

const job = (name: string, rest: string) => `  ${name}:\n    runs-on: linux\n${rest.replaceAll(/^/gm, '    ')}\n`;
const lines = (log: string | undefined) => (log ?? '').split('\n').filter((line) => !line.startsWith('::') && !line.includes('shell:'));

const SCRIPT = `const { appendFileSync } = require('node:fs');
const { INPUT_WHO, STATE_kept, GITHUB_STATE, GITHUB_OUTPUT, GITHUB_ACTION_REPOSITORY } = process.env;
if (STATE_kept) console.log('post of ' + STATE_kept + ' for ' + INPUT_WHO);
else {
  console.log('main of ' + GITHUB_ACTION_REPOSITORY + ' with ' + process.env['INPUT_WITH-DASH']);
  appendFileSync(GITHUB_STATE, 'kept=' + INPUT_WHO + '\\n');
  appendFileSync(GITHUB_OUTPUT, 'greeting=hello ' + INPUT_WHO + '\\n');
}
`;
const ACTION = `name: Tool
inputs: { who: { default: '\${{ github.actor }}' }, with-dash: { default: dash } }
outputs: { greeting: { description: x } }
runs: { using: node20, main: main.js, post: main.js }
`;
const COMPOSITE = `name: Both
inputs: { who: { required: true } }
outputs: { said: { value: '\${{ steps.inner.outputs.greeting }} of \${{ steps.last.outputs.n }}' } }
runs:
  using: composite
  steps:
    - id: inner
      uses: alice/tool@main
      with: { who: '\${{ inputs.who }}' }
    - id: last
      run: echo "n=\${{ github.action_path != '' }}\${{ secrets.PASSWORD }}" >> "$GITHUB_OUTPUT"; echo "env $FROM_CALLER"
      shell: bash
`;

await write(alice, '/repos/alice/tool', { 'action.yml': ACTION, 'main.js': SCRIPT, 'both/action.yaml': COMPOSITE });

describe('actions under copse runner', { concurrency: true }, () => {
  it('are JavaScript or composite, from repositories, from URLs and from the workspace, with post steps in reverse order', async () => {
    const steps = `steps:
  - id: first
    uses: alice/tool@main
  - id: second
    uses: ${t.url}alice/tool/both@main
    with: { who: second }
    env: { FROM_CALLER: caller }
  - uses: actions/checkout@v4
  - uses: ./local
  - run: echo "\${{ steps.first.outputs.greeting }}, \${{ steps.second.outputs.said }}"`;
    const local = 'runs: { using: composite, steps: [{ run: echo local, shell: sh }] }\n';
    const { a } = await demo.run(`jobs:\n${job('a', steps)}`, { files: { 'local/action.yml': local } });
    assert.equal(a?.state, 'success', String(a?.log));
    const found = lines(a?.log).filter((line) => /^(main|post|env|local|hello)/.test(line));
    const wanted = [
      'main of alice/tool with dash',
      'main of alice/tool with dash',
      'env caller',
      'local',
      'hello alice, hello second of true',
    ];
    assert.deepEqual(found, [...wanted, 'post of second for second', 'post of alice for alice']);
  });

  it('check out the repository without a way to the internet: branch, commit, history, folder, token', async () => {
    const steps = `steps:
  - id: out
    uses: actions/checkout@v4
    with: { fetch-depth: 0, path: deep }
  - run: |
      echo "branch $(git -C deep rev-parse --abbrev-ref HEAD), $(git -C deep rev-list --count HEAD) commits, $(cat deep/file.txt)"
      test "$(git -C deep rev-parse HEAD)" = "$GITHUB_SHA" && echo "commit is right"
      git -C deep fetch --quiet origin main && echo "token works"
      grep -c authorization -i deep/.git/config || echo "no token in the configuration"
  - uses: actions/checkout@v4
    with: { persist-credentials: false, ref: refs/heads/main }
  - run: git rev-list --count HEAD; GIT_TERMINAL_PROMPT=0 git fetch origin || echo "no token"
  - uses: actions/checkout@v4
    continue-on-error: true
    with: { path: ../../x }
  - uses: actions/checkout@v4
    continue-on-error: true
    with: { ref: none }`;
    const { a } = await demo.run(`jobs:\n${job('a', steps)}`, { files: { 'file.txt': 'content' } });
    assert.equal(a?.state, 'success', String(a?.log));
    assert.match(a?.log ?? '', /^branch main, [2-9]\d* commits, content$/m);
    for (const line of ['commit is right', 'token works', 'no token in the configuration', '1', 'no token'])
      assert.ok(lines(a?.log).includes(line), `${line} in ${a?.log}`);
    assert.match(a?.log ?? '', /::error::path: it leads out of the workspace/);
    assert.match(a?.log ?? '', /::error::ref: alice\/demo has no branch and no tag none/);
  });

  it('that cannot be had fail with their reason, and private ones of others are there where they are shared', async () => {
    const bob = await t.user('bob');
    await bob.must('POST', '/user/repos', { name: 'private', private: true, auto_init: true, default_branch: 'main' });
    const steps = ['alice/none@v1', 'bob/private@main', 'alice/tool@-x', 'alice/demo@main'].map(
      (uses) => `  - uses: ${uses}\n    continue-on-error: true`,
    );
    const { a } = await demo.run(`jobs:\n${job('a', `steps:\n${steps.join('\n')}`)}`);
    assert.match(a?.log ?? '', /::error::http\S+alice\/none@v1 cannot be fetched: /);
    assert.match(a?.log ?? '', /::error::http\S+bob\/private@main cannot be fetched: /);
    assert.match(a?.log ?? '', /::error::uses: "alice\/tool@-x" has to be /);
    assert.match(a?.log ?? '', /::error::there is no action\.yml/);
    const shared = '/bob/private/settings/actions/general';
    const browser = new Browser(t.url);
    await browser.signIn('bob', PASSWORD);
    await browser.submit(await browser.get(shared), { collaborative_owner: 'alice' }, `${shared}/collaborative_owner/add`);
    const called = `on: workflow_call\njobs:\n${job('c', 'steps: [{ run: echo of the workflow }]')}`;
    const action = 'runs: { using: composite, steps: [{ run: echo of the action, shell: sh }] }\n';
    await write(bob, '/repos/bob/private', { 'action.yml': action, '.gitea/workflows/called.yml': called });
    const uses = `${job('a', 'steps: [{ uses: bob/private@main }]')}  b:\n    uses: bob/private/.gitea/workflows/called.yml@main\n`;
    const jobs = await demo.run(`jobs:\n${uses}`);
    assert.deepEqual([jobs.a?.state, jobs.b?.state], ['success', 'success'], `${jobs.a?.log} ${jobs.b?.log}`);
    assert.ok(lines(jobs.a?.log).includes('of the action') && lines(jobs.b?.log).includes('of the workflow'));
  });

  it('call workflows with inputs, secrets, needs and outputs', async () => {
    const called = `on:
  workflow_call:
    inputs: { who: { type: string, required: true }, loud: { type: boolean, default: true } }
    secrets: { pass: {} }
    outputs: { said: { value: '\${{ jobs.two.outputs.said }}' } }
jobs:
  one:
    runs-on: linux
    strategy: { matrix: { n: [1, 2] } }
    outputs: { n: '\${{ steps.s.outputs.n }}' }
    steps:
      - id: s
        run: echo "n=\${{ matrix.n }}" >> "$GITHUB_OUTPUT"; echo "pass \${{ secrets.pass }} loud \${{ toJSON(inputs.loud) }}"
  two:
    needs: one
    runs-on: linux
    outputs: { said: '\${{ steps.s.outputs.said }}' }
    steps:
      - id: s
        run: echo "said=\${{ inputs.who }} \${{ needs.one.outputs.n }}" >> "$GITHUB_OUTPUT"
  three: { needs: two, if: failure(), runs-on: linux, steps: [{ run: echo never runs }] }
`;
    const caller = `  a:
    uses: ./.gitea/workflows/called.yml
    with: { who: me }
    secrets: { pass: '\${{ secrets.PASSWORD }}' }
  bad:
    uses: ./.gitea/workflows/called.yml
`;
    const after = job('b', `needs: a\nsteps:\n  - run: echo "said \${{ needs.a.outputs.said }}"`);
    const jobs = await demo.run(`jobs:\n${caller}${after}`, { files: { '.gitea/workflows/called.yml': called } });
    assert.equal(jobs.b?.state, 'success', String(jobs.a?.log));
    assert.match(jobs.b?.log ?? '', /^said me 2$/m);
    assert.match(jobs.a?.log ?? '', /^pass \*\*\* loud true$/m);
    assert.doesNotMatch(jobs.a?.log ?? '', /^never runs$/m);
    assert.deepEqual([jobs.bad?.state, /::error::with: the input who is missing/.test(jobs.bad?.log ?? '')], ['failure', true]);
  });

  it('keep artifacts, and get them in another job', async () => {
    const twirp = (method: string, body: string) =>
      `curl -sf -H "Authorization: Bearer $ACTIONS_RUNTIME_TOKEN" -H 'Content-Type: application/json' "\${ACTIONS_RESULTS_URL}/twirp/github.actions.results.api.v1.ArtifactService/${method}" -d "${body.replaceAll('"', '\\"')}"`;
    const ids = '"workflow_run_backend_id":"$RUN","workflow_job_run_backend_id":"$JOB"';
    const scope = `RUN=$(echo "$ACTIONS_RUNTIME_TOKEN" | cut -d. -f2 | base64 -d 2>/dev/null | sed 's/.*Results:\\([0-9]*\\):\\([0-9]*\\).*/\\1/')\nJOB=1`;
    const url = `sed 's/.*[uU]rl":"\\([^"]*\\)".*/\\1/; s/\\\\u0026/\\&/g'`;
    const up = `steps:
  - run: |
${`${scope}
URL=$(${twirp('CreateArtifact', `{${ids},"name":"box","version":4}`)} | ${url})
printf content | curl -sf -X PUT --data-binary @- "$URL&comp=block&blockid=YQ=="
curl -sf -X PUT --data-binary '<BlockList><Latest>YQ==</Latest></BlockList>' "$URL&comp=blocklist"
${twirp('FinalizeArtifact', `{${ids},"name":"box","size":"7"}`)}`.replaceAll(/^/gm, '      ')}`;
    const down = `needs: up
steps:
  - run: |
${`${scope}
curl -sf "$(${twirp('GetSignedArtifactURL', `{${ids},"name":"box"}`)} | ${url})"`.replaceAll(/^/gm, '      ')}`;
    const run = await demo.start(`jobs:\n${job('up', up)}${job('down', down)}`);
    const jobs = await demo.end(run);
    assert.equal(jobs.down?.state, 'success', String(jobs.up?.log) + String(jobs.down?.log));
    assert.match(jobs.down?.log ?? '', /^content$/m);
    const { artifacts } = await alice.must('GET', `/repos/alice/demo/actions/runs/${run}/artifacts`);
    assert.deepEqual([artifacts[0].name, artifacts[0].size_in_bytes], ['box', 7]);
  });
});
