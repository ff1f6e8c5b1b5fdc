import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/compiled.ts';
import type { Script } from '../../support/scenario-types.ts';

export const deeds: Script['deeds'] = {
  undo: ({ workspace, environment }) => {
    const ended = spawnSync(process.execPath, [commandLine, 'undo'], {
      cwd: workspace,
      env: environment,
      encoding: 'utf8',
    });
    assert.equal(ended.status, 0, `${ended.stdout}${ended.stderr}`);
  },
};

export const checks: Script['checks'] = {
  restored: ({ workspace, environment }) => {
    assert.equal(readlinkSync(join(workspace, 'build')), environment['HOME']);
  },
};
