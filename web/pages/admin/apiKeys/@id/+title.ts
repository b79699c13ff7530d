import type { TitleOf } from "#web/renderer/title.ts";
import type { ApiKeysDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as ApiKeysDetailData).row.name;
