// What the API's connectors declare: the source types and the settings of each.
import type { Api } from "#web/request/api.ts";
import type { SourceType } from "#web/request/api-types.ts";

export async function sourceTypes(api: Api): Promise<SourceType[]> {
  return (await api.get("/v1/sourceTypes")).data;
}

/** @throws Error for a type that the API does not list */
export async function sourceType(api: Api, type: string): Promise<SourceType> {
  const found = (await sourceTypes(api)).find((one) => one.type === type);
  if (!found) throw new Error(`the API lists no source of type ${type}`);
  return found;
}

/** True when the source syncs from elsewhere, false when it consists of the files that it lists. */
export const isSynced = ({ schedules }: SourceType): boolean => schedules.length > 0;

/** True when the source consists of chosen files. */
export const hasFileList = ({ settings }: SourceType): boolean =>
  settings.some(({ control }) => control === "files");

/** True when the source needs one of the team's agents. */
export const hasAgentSetting = ({ settings }: SourceType): boolean =>
  settings.some(({ control }) => control === "agent");
