/** The door of asides: questions of the harness's own to a model, beside the conversation. */
export { askAside } from './ask-aside.ts';
export { SideModel, spendingOf, textIn } from './side-model.ts';
