import type { TitleOf } from "#web/render/title.ts";
import type { AppData } from "./+data.ts";

export const title: TitleOf = ({ data }) => (data as AppData).app.name;
