import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSession, doctor, ReinsError, settingsReport, type RunSettings } from '../../src/harness/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

async function place(t: TestContext, userSettings?: string) {
  const workspace = await temporaryWorkspace({ files: { 'a.txt': 'a\n' } });
  const home = await temporaryWorkspace({ files: {} });
  t.after(async () => {
    await workspace.dispose();
    await home.dispose();
  });
  const config = join(home.path, '.config', 'reins');
  mkdirSync(config, { recursive: true });
  if (userSettings !== undefined) writeFileSync(join(config, 'settings.json'), userSettings);
  return { workspace: workspace.path, env: { PATH: process.env['PATH'], HOME: home.path } };
}

const fails = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof ReinsError && error.code === code && text.test(error.message);

describe('settings of a run', () => {
  test('a shape that is none is refused with its place, wherever the settings are looked at', async (t) => {
    const asked = await place(t, '{\n  "deny": [\n    "git push *"\n  ]\n}\n');
    const expected = fails('config-invalid', /settings\.json:3: deny: "git push \*" is no shape/);
    await assert.rejects(settingsReport(asked), expected);
    await assert.rejects(createSession({ ...asked, settings: { model: 'x', endpoint: { apiKey: 'k' } } }), expected);
    const row = (await doctor(asked)).rows.find(({ name }) => name === 'settings');
    assert.equal(row?.ok, false);
    await settingsReport(await place(t, '{ "deny": ["shell(git push *)"] }'));
  });

  test('what an embedder gets wrong is said, and no session is made', async (t) => {
    const asked = await place(t);
    const wrong: [object, RegExp][] = [
      [{ mode: 'bogus' }, /setting mode must be one of plan, ask/],
      [{ chekcs: [] }, /chekcs is no setting/],
      [{ checks: 'npm test' }, /checks must be a list/],
      [{ limits: { turns: 'x' } }, /limits\.turns must be a number/],
      [{ limits: { outputTokens: null } }, /limits\.outputTokens must be a number/],
    ];
    for (const [settings, text] of wrong) {
      const given = { model: 'x', endpoint: { apiKey: 'k' }, ...settings } as RunSettings;
      await assert.rejects(createSession({ ...asked, settings: given }), fails('config-invalid', text));
    }
  });

  test('a workspace that isn’t one is refused by doctor too', async (t) => {
    const asked = await place(t);
    await assert.rejects(
      doctor({ ...asked, workspace: join(asked.workspace, 'nowhere') }),
      fails('workspace-missing', /nowhere/),
    );
  });

  test('a rule that names no tool is told, one that does is not', async (t) => {
    const asked = await place(t);
    const settings = { model: 'x', endpoint: { apiKey: 'k' }, deny: ['bash(ls)', 'shell(ls)'] };
    const session = await createSession({ ...asked, settings });
    const told = session.notices.filter(({ code }) => code === 'rule-without-tool').map(({ text }) => text);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /^The rule "deny bash\(ls\)" names no tool: .*read, search, shell, write are there\.$/);
    await session.close();
  });

  test('hooks of the embedder may block a call', async (t) => {
    const asked = await place(t);
    const scenario = join(asked.workspace, 'scenario.json');
    const call = { name: 'read', arguments: { path: 'a.txt' } };
    writeFileSync(scenario, JSON.stringify({ turns: [{ calls: [call] }, { text: 'Done.' }] }));
    const results: string[] = [];
    const session = await createSession({
      ...asked,
      settings: { model: `script:${scenario}`, mode: 'plan' },
      hooks: [{ name: 'closed', before: async () => ({ block: 'closed today' }) }],
      onEvent: (event) => {
        if (event.kind === 'result') results.push(`${event.data.outcome}: ${event.data.text}`);
      },
    });
    await session.say('read it');
    await session.run();
    await session.close();
    assert.match(results[0] ?? '', /^denied: .*closed today/s);
  });
});
