import type { TitleOf } from "#web/render/title.ts";
import type { ApiKeysDetailData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as ApiKeysDetailData).row.name;
