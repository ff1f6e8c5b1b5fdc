/** The joint for what was asked of a run and can't be said to its model: better heard before the run than missed after it. */
import type { LoadedSettings } from '../../config/index.ts';
import { targetName, type EventData, type ModelSettings, type Target } from '../../core/index.ts';
import { castEffort } from '../../model/index.ts';
import { isOfRun } from './targets.ts';

/** A notice for each setting of the command line, or of the profile, that the model isn't told as it was given. */
export function untoldNotices({ origins }: LoadedSettings, target: Target): EventData['notice'][] {
  const { settings } = target;
  const asked = (key: keyof ModelSettings): boolean => isOfRun({ origins }, key);
  const said = [
    ...(asked('effort') ? effortText(target) : []),
    ...(asked('thinking') ? thinkingText(target) : []),
    ...(asked('temperature') && settings.temperature !== undefined && !target.abilities.sampling
      ? ['takes no temperature; none is said']
      : []),
  ];
  return said.map((text) => {
    return { code: 'setting-untold', level: 'warning', text: `${targetName(target)} ${text}.` };
  });
}

function effortText({ settings: { effort }, abilities: { efforts } }: Target): string[] {
  if (effort === undefined) return [];
  const cast = castEffort(effort, efforts);
  if (cast === effort) return [];
  return [
    cast === undefined ? 'can’t be told an effort; none is said' : `takes no effort "${effort}"; "${cast}" is said`,
  ];
}

function thinkingText({ settings: { thinking }, abilities }: Target): string[] {
  if (thinking === undefined || abilities.thinking === 'either') return [];
  if (abilities.thinking === 'none')
    return thinking === 'off' ? [] : ['isn’t told how to think; nothing is said of it'];
  const isBudget = typeof thinking === 'number';
  if (isBudget && abilities.thinking === 'adaptive') return ['takes no budget of thinking; it decides by itself'];
  return [];
}
