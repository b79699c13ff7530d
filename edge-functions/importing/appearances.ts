// Owns the imported columns of an agent's appearance. Older exports contain none of them.
import { z } from "zod";
import { MOST_AVATAR_BYTES } from "../_shared/text/avatars.ts";
import { text } from "./shapes.ts";

export const appearance = {
  displayName: text(60).default(""),
  color: text(7).default(""),
  launcherIcon: text(20).default("chat"),
  launcherLabel: text(30).default(""),
  widgetPosition: text(5).default("right"),
  address: text(32).default(""),
  avatar: text(Math.ceil(MOST_AVATAR_BYTES / 3) * 4).default(""),
};
const shape = z.object(appearance);

export const appearanceColumns = (agent: z.infer<typeof shape>) => ({
  display_name: agent.displayName,
  color: agent.color,
  launcher_icon: agent.launcherIcon,
  launcher_label: agent.launcherLabel,
  widget_position: agent.widgetPosition,
  address: agent.address,
  avatar: agent.avatar,
});
