import type { TitleOf } from "#web/render/title.ts";
import type { ApiKeyData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as ApiKeyData).key.name;
