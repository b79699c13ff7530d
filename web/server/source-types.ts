// What the API's connectors declare of themselves: the types of sources, and what each is set up with.
import type { Api } from "./api.ts";
import type { SourceType } from "./api-types.ts";

export async function sourceTypes(api: Api): Promise<SourceType[]> {
  return (await api.get("/v1/sourceTypes")).data;
}

/** @throws Error for a type that the API does not list */
export async function sourceType(api: Api, type: string): Promise<SourceType> {
  const found = (await sourceTypes(api)).find((one) => one.type === type);
  if (!found) throw new Error(`the API lists no source of type ${type}`);
  return found;
}

/** Whether it is read from somewhere, rather than made of the files that it lists. */
export const syncs = ({ schedules }: SourceType): boolean => schedules.length > 0;

/** Whether it is made of files that are chosen. */
export const listsFiles = ({ settings }: SourceType): boolean =>
  settings.some(({ control }) => control === "files");

/** Whether one of the team's agents is to be chosen. */
export const namesAgent = ({ settings }: SourceType): boolean =>
  settings.some(({ control }) => control === "agent");
