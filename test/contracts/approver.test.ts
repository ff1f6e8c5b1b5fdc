import { nobody } from '../../src/harness/approval.ts';
import { recordingApprover } from '../../src/testing/index.ts';
import { testApproverContract } from './approver.ts';

testApproverContract('nobody', () => ({ approver: nobody, isThere: false }));

testApproverContract('the recording approver', () => ({
  approver: recordingApprover(['yes', 'always', 'later']),
  isThere: true,
}));

testApproverContract('the recording approver without answers', () => ({
  approver: recordingApprover(),
  isThere: false,
}));
