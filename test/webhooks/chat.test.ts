import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Webhook } from '../../src/database/tables/webhooks.ts';
import type { ChatPayload } from '../../src/webhooks/chat/payload.ts';
import { buildRequest } from '../../src/webhooks/deliveries/build-request.ts';
import type { DeliveredEvent } from '../../src/webhooks/deliveries/events.ts';
import { HOOK_TYPES } from '../../src/webhooks/hooks/types.ts';

const EVIL = '<!channel> <script>alert("1")</script> & \'so\'';
const sender = { login: 'alice', full_name: 'Alice', avatar_url: 'http://git/avatars/1', html_url: 'http://git/alice' };
const repository = { full_name: 'alice/demo', html_url: 'http://git/alice/demo' };
const matter = {
  id: 7,
  number: 1,
  title: EVIL,
  body: EVIL,
  html_url: 'http://git/alice/demo/issues/1',
  user: { login: 'bob' },
  assignees: [{ login: 'bob', html_url: 'http://git/bob' }],
  milestone: { id: 3, title: EVIL },
};
const comment = { html_url: 'http://git/c', issue_url: 'http://git/i', pull_request_url: 'http://git/p', body: EVIL };
const commits = [
  { id: 'a'.repeat(40), url: 'http://git/commit/a', message: `${EVIL}\n\nMore`, author: { name: EVIL } },
  { id: 'b'.repeat(40), url: 'http://git/commit/b', message: 'second', author: null },
];
const run = { id: 5, html_url: 'http://git/run', head_sha: 'c'.repeat(40), status: 'completed', conclusion: 'failure' };

const ISSUE_ACTIONS = [
  'opened',
  'closed',
  'reopened',
  'edited',
  'assigned',
  'unassigned',
  'label_updated',
  'label_cleared',
  'milestoned',
  'demilestoned',
  'deleted',
  'synchronized',
  'review_requested',
  'review_request_removed',
];

/** One of everything that can be told, with what people wrote being as bad as it can. */
const SAMPLES: [DeliveredEvent, Omit<ChatPayload, 'sender'>][] = [
  ['create', { ref: 'topic/a', ref_type: 'branch', repository }],
  ['delete', { ref: 'v1', ref_type: 'tag', repository }],
  ['fork', { forkee: repository, repository: { full_name: 'bob/demo', html_url: 'http://git/bob/demo' } }],
  ['push', { ref: 'refs/heads/main', compare_url: 'http://git/compare', total_commits: 2, commits, repository, pusher: sender }],
  ['repository', { action: 'created', repository }],
  ['repository', { action: 'deleted', repository }],
  ['wiki', { action: 'created', page: EVIL, comment: EVIL, repository }],
  ['wiki', { action: 'deleted', page: 'Home', comment: '', repository }],
  ['release', { action: 'published', release: { tag_name: 'v1', html_url: 'http://git/r', body: EVIL }, repository }],
  ['package', { action: 'deleted', package: { name: EVIL, version: '1', html_url: 'http://git/p' }, repository: null }],
  ['status', { context: EVIL, sha: 'd'.repeat(40), description: EVIL, target_url: 'http://git/t', repository }],
  ['workflow_run', { action: 'completed', workflow_run: { ...run, display_title: EVIL }, repository }],
  ['workflow_job', { action: 'completed', workflow_job: { ...run, name: EVIL, run_id: 5 }, repository }],
  ...ISSUE_ACTIONS.flatMap((action): [DeliveredEvent, Omit<ChatPayload, 'sender'>][] => [
    ['issues', { action, number: 1, issue: matter, repository }],
    ['pull_request', { action, number: 1, pull_request: { ...matter, merged: action === 'closed' }, repository, review: null }],
  ]),
  ['issue_comment', { action: 'created', issue: matter, comment, repository, is_pull: false }],
  ['pull_request_comment', { action: 'edited', issue: matter, pull_request: matter, comment, repository, is_pull: true }],
  ['pull_request_review_approved', { action: 'reviewed', pull_request: matter, review: { content: EVIL }, repository }],
  ['pull_request_review_rejected', { action: 'reviewed', pull_request: matter, review: { content: EVIL }, repository }],
  ['pull_request_review_comment', { action: 'reviewed', pull_request: matter, review: { content: EVIL }, repository }],
];

function hook(type: string): Webhook {
  const slack = { channel: '#news', username: 'bot', icon_url: '', color: 'good' };
  return { type, url: 'https://chat.example.com/hook', content_type: 'json', slack } as Webhook;
}

function made(type: string, event: DeliveredEvent, payload: Omit<ChatPayload, 'sender'>, secret = '') {
  const { body, ...rest } = buildRequest(hook(type), { event, payload: JSON.stringify({ sender, ...payload }), secret });
  // biome-ignore lint/suspicious/noExplicitAny: every service has a shape of its own
  return { ...rest, body, json: JSON.parse(body) as any };
}

describe('chat messages', () => {
  it('exist for every kind of event and every service', () => {
    for (const type of HOOK_TYPES) {
      for (const [event, payload] of SAMPLES) {
        const { body, method } = made(type, event, payload);
        assert.doesNotMatch(body, /undefined|\[object|NaN/, `${type} ${event} ${payload.action ?? ''}`);
        assert.equal(method, type === 'matrix' ? 'PUT' : 'POST');
      }
    }
  });

  it('let nothing that people wrote become markup', () => {
    for (const [event, payload] of SAMPLES) {
      assert.doesNotMatch(made('telegram', event, payload).json.text, /<script|<!channel/, event);
      assert.doesNotMatch(made('matrix', event, payload).json.formatted_body, /<script|<!channel/, event);
      const { text, attachments } = made('slack', event, payload).json;
      const texts = [text, ...(attachments ?? []).map((one: { text: string }) => one.text)];
      for (const one of texts) assert.doesNotMatch(one, /<!channel>|<script>/, event);
    }
  });

  it('name automation without a link, since it has no page', () => {
    const automation = { ...sender, login: 'gitea-actions', full_name: 'Gitea Actions' };
    const status = { context: 'ci', sha: 'd'.repeat(40), description: 'done', target_url: 'http://git/t', repository };
    const { json } = made('slack', 'status', { ...status, sender: automation } as ChatPayload);
    assert.match(json.text, / by Gitea Actions$/);
    assert.match(made('slack', 'status', status).json.text, / by <http:\/\/git\/alice\|alice>$/);
  });

  it('of Discord are one embed, with the first lines of commits', () => {
    const { json } = made('discord', 'push', {
      ref: 'refs/heads/main',
      total_commits: 2,
      compare_url: 'http://git/x',
      commits,
      repository,
    });
    assert.deepEqual(json, {
      tts: false,
      embeds: [
        {
          title: '[alice/demo:main] 2 new commits',
          description: `[aaaaaaa](http://git/commit/a) ${EVIL} - ${EVIL}\n[bbbbbbb](http://git/commit/b) second`,
          url: 'http://git/x',
          color: 0x1ac600,
          author: { name: 'alice', url: 'http://git/alice', icon_url: 'http://git/avatars/1' },
        },
      ],
    });
    const long = made('discord', 'issues', { action: 'opened', issue: { ...matter, title: 'x', body: 'é'.repeat(5000) }, repository });
    assert.equal([...long.json.embeds[0].description].length, 2000);
  });

  it('of Matrix are one transaction for the same text', () => {
    const [one, two] = [1, 2].map(() => made('matrix', 'repository', { action: 'created', repository }));
    assert.equal(one?.url, two?.url);
    assert.match(one?.url ?? '', /^https:\/\/chat\.example\.com\/hook\/[0-9a-f]{40}$/);
    assert.equal(
      one?.json.formatted_body,
      '[<a href="http://git/alice/demo">alice/demo</a>] Repository created by <a href="http://git/alice">alice</a>',
    );
    assert.equal(one?.json.body, '[[alice/demo](http://git/alice/demo)] Repository created by [alice](http://git/alice)');
  });

  it('of Feishu are signed within, and with a secret alone', () => {
    const { json, signed } = made('feishu', 'fork', { forkee: repository, repository }, 'secret');
    assert.equal(signed, undefined);
    assert.match(json.sign, /^[A-Za-z0-9+/]{43}=$/);
    assert.equal('sign' in made('feishu', 'fork', { forkee: repository, repository }).json, false);
  });

  it('of reviews say what the reviewer says', () => {
    const review = { action: 'reviewed', pull_request: { ...matter, title: 'Add a' }, review: { content: 'Fine' }, repository };
    assert.equal(
      made('dingtalk', 'pull_request_review_approved', review).json.actionCard.text,
      '[alice/demo] Pull request review approved : #1 Add a\r\n\r\nFine',
    );
    assert.equal(
      made('telegram', 'pull_request_review_rejected', review).json.text,
      '[alice/demo] Pull request review requested changes: #1 Add a\nFine',
    );
    assert.match(made('slack', 'pull_request_review_comment', review).json.text, /Pull request review comment: /);
  });

  it('give Packagist the location of the repository', () => {
    const { json } = made('packagist', 'push', { ref: 'refs/heads/main', total_commits: 1, commits, repository });
    assert.deepEqual(json, { repository: { url: 'http://git/alice/demo' } });
  });
});
