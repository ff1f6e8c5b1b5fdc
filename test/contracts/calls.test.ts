import { createFiles } from '../../src/exec/index.ts';
import { manualClock, recordingApprover, scriptedCalls, temporaryWorkspace } from '../../src/testing/index.ts';
import { createCalls, createRegistry, defineTool, type Policy, nothingKnown } from '../../src/tools/index.ts';
import { testCallsContract } from './calls.ts';

testCallsContract('the way of calls', async (table) => {
  const workspace = await temporaryWorkspace();
  const tools = Object.entries(table).map(([name, { run }]) =>
    defineTool({ name, description: 'A small tool.', input: { type: 'object' }, execute: run }),
  );
  const policy: Policy = {
    mode: 'edit',
    judge: ({ tool }) => ({ decision: table[tool]!.decision, by: 'rule:table', reason: 'the table says so.' }),
    grant: async () => undefined,
  };
  const calls = createCalls({
    registry: createRegistry(tools),
    policy,
    approver: recordingApprover(() => 'later'),
    files: createFiles({ workspace: workspace.path }),
    blobs: { put: async () => '' },
    clock: manualClock(1000),
    beforeEffect: async () => undefined,
    known: nothingKnown(),
    workspace: workspace.path,
  });
  return { calls, close: () => workspace.dispose() };
});

testCallsContract('the scripted calls', async (table) => ({
  calls: scriptedCalls(table, manualClock(1000)),
  close: async () => undefined,
}));
