// Saves and discards the settings that are tried in the playground. When somebody else has saved the agent meanwhile, theirs are read, to
// be shown next to those being tried.
import { useRef, useState } from "react";
import { useTranslation } from "#translations";
import { CallFailure, failureToast, getApi, sendApi } from "#web/client/call-api.ts";
import { isChangedMeanwhile } from "#web/client/failure-words.ts";
import { showToast } from "#web/client/page.ts";
import type { AgentSettings, Trial, VariantName } from "./use-trial.ts";

const agentPath = "/v1/teams/{teamId}/agents/{id}";

export interface Saving {
  saving: boolean;
  /** True from a refused save until either settings are kept. */
  changed: boolean;
  save(settings: AgentSettings): Promise<void>;
  discard(name: VariantName): void;
}

/** @param place the agent */
export function useSaving(place: { teamId: string; id: string }, trial: Trial): Saving {
  const { t } = useTranslation("playground");
  const [saving, setSaving] = useState(false);
  const [changed, setChanged] = useState(false);
  const current = useRef(trial);
  current.current = trial;

  async function showNewer() {
    try {
      const { version, ...newer } = await getApi(agentPath, place);
      const { instructions, temperature, retrieval, knowledgeIds } = newer;
      trial.markSaved({ instructions, temperature, retrieval, knowledgeIds }, version);
      setChanged(true);
    } catch (error) {
      showToast(failureToast(error, t));
    }
  }

  async function save(settings: AgentSettings) {
    setSaving(true);
    try {
      const { version } = await sendApi("PUT", agentPath, place, settings, trial.version);
      trial.markSaved(settings, version);
      setChanged(false);
      showToast({ title: t("saved") });
    } catch (error) {
      if (error instanceof CallFailure && isChangedMeanwhile(error)) await showNewer();
      else showToast(failureToast(error, t));
    } finally {
      setSaving(false);
    }
  }

  function discard(name: VariantName) {
    const tried = trial.variants[name];
    trial.discard(name);
    if (tried) showToast({ title: t("discarded"), undo: () => current.current.change(name, tried) });
  }

  return { saving, changed, save, discard };
}
