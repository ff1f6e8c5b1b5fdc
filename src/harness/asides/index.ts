/** The door of asides: questions of the harness's own to a model, beside the conversation. */
export { askAside, type AsideAnswer, type AsideQuestion } from './ask-aside.ts';
export { SideModel, spendingOf, textIn, type SideQuestion } from './side-model.ts';
